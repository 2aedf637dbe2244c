//! Reads a grammar folder that is built into the program.
//!
//! Fails loudly: these files are part of the program, and `tests/grammars.rs` loads them all.

use include_dir::{Dir, include_dir};
use tree_sitter::Query;
use tree_sitter_language::LanguageFn;

use super::vocabulary::{ARID, Role};
use super::{Language, Manifest, Meaning};

static GRAMMARS: Dir = include_dir!("$CARGO_MANIFEST_DIR/grammars");

pub(super) fn language(folder: &str, grammar: LanguageFn) -> Language {
    let grammar = tree_sitter::Language::new(grammar);
    let words = file(folder, "language.toml");
    let nodes = file(folder, "nodes.scm");
    let manifest: Manifest = toml::from_str(words).unwrap_or_else(|error| panic!("grammars/{folder}/language.toml: {error}"));
    let query = Query::new(&grammar, nodes).unwrap_or_else(|error| panic!("grammars/{folder}/nodes.scm: {error}"));
    check_predicates(folder, &query);
    let mut arid_names = Vec::new();
    let captures = query.capture_names().iter().map(|name| meaning(folder, name, &mut arid_names)).collect();
    Language { manifest, grammar, query, captures, arid_names, nodes, words }
}

fn file(folder: &str, name: &str) -> &'static str {
    let path = format!("{folder}/{name}");
    GRAMMARS.get_file(&path).and_then(|file| file.contents_utf8()).unwrap_or_else(|| panic!("grammars/{path} is missing"))
}

fn meaning(folder: &str, name: &str, arid_names: &mut Vec<String>) -> Option<Meaning> {
    if name.starts_with('_') {
        return None;
    }
    let role = Role::named(name).unwrap_or_else(|| panic!("grammars/{folder}/nodes.scm: unknown capture @{name}"));
    let arid = (role == ARID).then(|| {
        arid_names.push(name.to_owned());
        arid_names.len() as u16 - 1
    });
    Some(Meaning { role, arid })
}

/// The binding accepts a predicate that it does not know and never evaluates it: such a pattern would match too much.
fn check_predicates(folder: &str, query: &Query) {
    for pattern in 0..query.pattern_count() {
        let unknown = query.general_predicates(pattern).iter().map(|predicate| predicate.operator.as_ref());
        let ignored = query.property_predicates(pattern).iter().map(|(property, _)| property.key.as_ref());
        if let Some(name) = unknown.chain(ignored).next() {
            panic!("grammars/{folder}/nodes.scm: unknown predicate #{name}");
        }
    }
}
