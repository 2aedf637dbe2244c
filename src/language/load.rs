//! Reads a grammar folder that is built into the program.
//!
//! Fails loudly: these files are part of the program, and the tests below load them all.

use std::sync::OnceLock;

use include_dir::{Dir, include_dir};
use tree_sitter::Query;
use tree_sitter_language::LanguageFn;

use super::patterns::{self, ByKind, Patterns};
use super::vocabulary::{ARID, Role};
use super::{Knowledge, Language, Manifest, Meaning, OfKind};

static GRAMMARS: Dir = include_dir!("$CARGO_MANIFEST_DIR/grammars");

/// What is said about a language; what its nodes are is learned when it is first asked for.
pub(super) fn language(folder: &'static str, grammar: LanguageFn) -> Language {
    let words = file(folder, "language.toml");
    let manifest: Manifest =
        with_base(folder).try_into().unwrap_or_else(|error| panic!("grammars/{folder}/language.toml: {error}"));
    let nodes = files_of(folder, &manifest).into_iter().map(|(_, text)| text).collect::<Vec<_>>().join("\n");
    Language { manifest, folder, grammar, nodes, words, knowledge: OnceLock::new() }
}

pub(super) fn knowledge(language: &Language) -> Knowledge {
    knowledge_by(language, patterns::split)
}

fn knowledge_by(language: &Language, split: fn(&str) -> Patterns) -> Knowledge {
    let folder = language.folder;
    let grammar = tree_sitter::Language::new(language.grammar);
    let patterns = split(&language.nodes);
    let mut text = patterns.query;
    let mut arid_names = Vec::new();
    let mut kinds: Vec<OfKind> = (0..grammar.node_kind_count()).map(|_| OfKind::default()).collect();
    for ByKind { kind, capture } in &patterns.by_kind {
        let ids = ids_of(&grammar, kind);
        match meaning(folder, capture, &mut arid_names) {
            Some(meaning) if !ids.is_empty() => ids.into_iter().for_each(|id| kinds[id as usize].add(&meaning)),
            // A supertype is no node's kind: only the query knows what it holds.
            _ => text.push_str(&format!("({kind}) @{capture}\n")),
        }
    }
    let query = Query::new(&grammar, &text).unwrap_or_else(|error| {
        blame_a_line(language, &grammar);
        panic!("grammars/{folder}/nodes.scm, without kinds: {error}")
    });
    check_predicates(folder, &query);
    let captures = query.capture_names().iter().map(|name| meaning(folder, name, &mut arid_names)).collect();
    Knowledge { grammar, query, captures, kinds, arid_names }
}

/// The table of a `language.toml`, with what it does not say from its base.
fn with_base(folder: &str) -> toml::Table {
    let own: toml::Table =
        file(folder, "language.toml").parse().unwrap_or_else(|error| panic!("grammars/{folder}/language.toml: {error}"));
    match own.get("base").and_then(toml::Value::as_str).map(with_base) {
        Some(base) => laid_over(base, own),
        None => own,
    }
}

fn laid_over(mut base: toml::Table, own: toml::Table) -> toml::Table {
    for (key, value) in own {
        let value = match (base.remove(&key), value) {
            (Some(toml::Value::Table(below)), toml::Value::Table(above)) => toml::Value::Table(laid_over(below, above)),
            (_, value) => value,
        };
        base.insert(key, value);
    }
    base
}

/// The files with the patterns of a language, each with its path.
fn files_of(folder: &str, manifest: &Manifest) -> Vec<(String, &'static str)> {
    let own = [format!("{folder}/nodes.scm")];
    let files = if manifest.nodes.is_empty() { &own[..] } else { &manifest.nodes };
    let text = |path: &String| {
        let (folder, name) = path.split_once('/').unwrap_or((folder, path));
        (path.clone(), file(folder, name))
    };
    files.iter().map(text).collect()
}

/// Each file by itself, so that the error names a line of it.
fn blame_a_line(language: &Language, grammar: &tree_sitter::Language) {
    for (path, text) in files_of(language.folder, &language.manifest) {
        Query::new(grammar, text).unwrap_or_else(|error| panic!("grammars/{path}: {error}"));
    }
}

/// The numbers of a named kind; none for a supertype. Several, where the grammar gives one name to several symbols.
fn ids_of(grammar: &tree_sitter::Language, kind: &str) -> Vec<u16> {
    let ids = 0..grammar.node_kind_count() as u16;
    let is_named = |id: &u16| grammar.node_kind_is_named(*id) && !grammar.node_kind_is_supertype(*id);
    ids.filter(is_named).filter(|id| grammar.node_kind_for_id(*id) == Some(kind)).collect()
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
        let known = arid_names.iter().position(|known| known == name);
        known.unwrap_or_else(|| {
            arid_names.push(name.to_owned());
            arid_names.len() - 1
        }) as u16
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

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::language::vocabulary::WORDS;
    use crate::language::{ALL, Tree};

    fn by_query_alone(folder: &'static str, grammar: LanguageFn) -> &'static Language {
        let everything = |text: &str| Patterns { by_kind: Vec::new(), query: text.to_owned() };
        let own = language(folder, grammar);
        own.knowledge.get_or_init(|| knowledge_by(&own, everything));
        Box::leak(Box::new(own))
    }

    /// Every captured node with its role and the other captures of its match.
    fn places(language: &'static Language, text: &str) -> BTreeSet<String> {
        let tree = Tree::parse(language, text.as_bytes());
        let roles = WORDS.iter().filter_map(|word| Role::named(word));
        let named = roles.flat_map(|role| tree.places(role).map(|place| format!("{place:?}")).collect::<Vec<_>>());
        let arid = tree.arid(language).map(|(at, name)| format!("{at:?} {name}")).collect::<Vec<_>>();
        named.chain(arid).collect()
    }

    #[test]
    fn a_table_of_kinds_says_what_the_query_would_say() {
        for (folder, grammar) in ALL {
            let text = file(folder, "corpus/everything.txt");
            let quick: &'static Language = Box::leak(Box::new(language(folder, *grammar)));
            let found = places(quick, text);
            assert!(found.len() > 100, "the corpus of {folder} is too small to tell");
            assert_eq!(found, places(by_query_alone(folder, *grammar), text));
        }
    }
}
