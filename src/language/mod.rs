//! What a node is, as data; the only door to tree-sitter.
//!
//! A language is a folder `grammars/<name>/`: `nodes.scm` gives names to nodes, `language.toml` spells the words that rules need.
//! Everything above works with [`Tree`], plain data over byte offsets, and never sees a parser.

mod load;
mod patterns;
pub mod shape;
pub mod spelling;
pub mod tree;
pub mod vocabulary;

use std::path::Path;
use std::sync::{LazyLock, OnceLock};

pub use spelling::Manifest;
pub use tree::{At, Tree};

/// A language that can be mutated.
pub struct Language {
    pub manifest: Manifest,
    folder: &'static str,
    grammar: tree_sitter_language::LanguageFn,
    /// The text of `nodes.scm` and `language.toml`, for the digest of the rule set and for `mutate grammars show`.
    pub nodes: String,
    pub words: &'static str,
    knowledge: OnceLock<Knowledge>,
}

/// What the nodes of a language are. It takes a while to learn, and most runs are about one language.
struct Knowledge {
    grammar: tree_sitter::Language,
    query: tree_sitter::Query,
    /// What each capture of the query means; `None` for captures that are private to a pattern.
    captures: Vec<Option<Meaning>>,
    /// What every node of a kind is, by the number of the kind.
    kinds: Vec<OfKind>,
    /// `arid.logging`, `arid.sleep` … in the order of their first use.
    arid_names: Vec<String>,
}

/// What a capture of the query stands for.
struct Meaning {
    role: vocabulary::Role,
    /// The name after `arid.`, as an index into the names of this language.
    arid: Option<u16>,
}

/// What every node of a kind is.
#[derive(Default)]
struct OfKind {
    roles: vocabulary::Roles,
    named: Vec<vocabulary::Role>,
    arid: Option<u16>,
}

impl OfKind {
    fn add(&mut self, meaning: &Meaning) {
        self.roles.add(meaning.role);
        match meaning.arid {
            Some(name) => self.arid = Some(name),
            None => self.named.push(meaning.role),
        }
    }
}

/// One row per language: the folder under `grammars/` and the parser.
const ALL: &[(&str, tree_sitter_language::LanguageFn)] = &[
    ("go", tree_sitter_go::LANGUAGE),
    ("java", tree_sitter_java::LANGUAGE),
    ("javascript", tree_sitter_javascript::LANGUAGE),
    ("python", tree_sitter_python::LANGUAGE),
    ("ruby", tree_sitter_ruby::LANGUAGE),
    ("tsx", tree_sitter_typescript::LANGUAGE_TSX),
    ("typescript", tree_sitter_typescript::LANGUAGE_TYPESCRIPT),
];

static LANGUAGES: LazyLock<Vec<Language>> =
    LazyLock::new(|| ALL.iter().map(|(folder, grammar)| load::language(folder, *grammar)).collect());

pub fn all() -> &'static [Language] {
    &LANGUAGES
}

pub fn by_name(name: &str) -> Option<&'static Language> {
    all().iter().find(|language| language.manifest.name == name)
}

/// The language of a file, by its extension.
pub fn by_path(path: &Path) -> Option<&'static Language> {
    let extension = path.extension()?.to_str()?;
    all().iter().find(|language| language.manifest.extensions.iter().any(|known| known == extension))
}

impl Language {
    fn knowledge(&self) -> &Knowledge {
        self.knowledge.get_or_init(|| load::knowledge(self))
    }

    /// The words of the vocabulary that this language's grammar uses, and the names of its arid patterns, in order.
    pub fn captures(&self) -> Vec<&str> {
        let Knowledge { query, kinds, arid_names, .. } = self.knowledge();
        let in_query = query.capture_names().iter().copied().filter(|name| !name.starts_with('_'));
        let by_kind = kinds.iter().flat_map(|kind| kind.named.iter().map(|role| role.name()));
        let mut names: Vec<&str> = in_query.chain(by_kind).chain(arid_names.iter().map(String::as_str)).collect();
        names.sort();
        names.dedup();
        names
    }

    pub fn name(&self) -> &'static str {
        ALL.iter().map(|(name, _)| *name).find(|name| *name == self.manifest.name).unwrap_or("unknown")
    }
}

impl std::fmt::Debug for Language {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.manifest.name)
    }
}
