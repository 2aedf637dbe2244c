//! What must hold for any file of any language: no mutant breaks the syntax, undoing gives the same bytes, names are unique and stay.
//!
//! The texts are the corpus of each grammar and the tricky inputs of `cases/pitfalls.toml`, alone and thrown together. What Python itself
//! says to its mutants is asked in `properties.rs`.

use std::collections::HashSet;
use std::path::Path;
use std::sync::LazyLock;

use mutate::language::{self, Language, Tree};
use mutate::mutant::Mutant;
use mutate::mutant::discover::{Options, discover_with};
use mutate::rule::Catalogue;
use mutate::source::{ProjectPath, Source};
use proptest::prelude::*;
use serde::Deserialize;

#[derive(Deserialize)]
struct Cases {
    case: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    lang: String,
    src: String,
}

static RULES: LazyLock<Catalogue> = LazyLock::new(Catalogue::built_in);

static CASES: LazyLock<Vec<Case>> =
    LazyLock::new(|| toml::from_str::<Cases>(include_str!("cases/pitfalls.toml")).expect("the cases").case);

/// Tricky inputs of a language, and its corpus.
fn texts(language: &Language) -> Vec<String> {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("grammars").join(language.name()).join("corpus/everything.txt");
    let corpus = std::fs::read_to_string(corpus).expect("every grammar has a corpus");
    let cases = CASES.iter().filter(|case| case.lang == language.name()).map(|case| case.src.clone());
    std::iter::once(corpus).chain(cases).collect()
}

fn source(language: &'static Language, text: impl Into<Vec<u8>>) -> Source {
    let name = format!("file.{}", language.manifest.extensions[0]);
    Source { path: ProjectPath::new(Path::new(&name)).expect("a path"), language, text: text.into() }
}

fn sources() -> impl Iterator<Item = Source> {
    language::all().iter().flat_map(|language| texts(language).into_iter().map(|text| source(language, text)))
}

/// An ignored region without an end has no mutants.
fn mutants_with(source: &Source, short_cuts: bool) -> Vec<Mutant> {
    let options = Options { short_cuts, ..Options::default() };
    discover_with(source, &RULES, &options).map(|discovered| discovered.mutants).unwrap_or_default()
}

fn mutants(source: &Source) -> Vec<Mutant> {
    mutants_with(source, true)
}

fn broken(source: &Source, text: &[u8]) -> usize {
    let tree = Tree::parse(source.language, text);
    tree.all().filter(|at| tree.is_broken(*at)).count()
}

fn shown(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Every mutant can be undone and breaks nothing.
fn assert_sound(source: &Source) {
    let before = broken(source, &source.text);
    for mutant in mutants(source) {
        let mutated = mutant.edit.apply(&source.text);
        assert_ne!(mutated, source.text, "{mutant:?}");
        assert_eq!(mutant.edit.undo(&source.text).apply(&mutated), source.text, "{mutant:?}");
        assert!(broken(source, &mutated) <= before, "{}: {mutant:?}\n{}", source.language.name(), shown(&mutated));
    }
}

fn assert_named_apart(source: &Source) {
    let mutants = mutants(source);
    let ids: HashSet<_> = mutants.iter().map(|mutant| mutant.id).collect();
    let texts: HashSet<_> = mutants.iter().map(|mutant| mutant.edit.apply(&source.text)).collect();
    assert_eq!((ids.len(), texts.len()), (mutants.len(), mutants.len()), "{}", shown(&source.text));
}

#[test]
fn every_language_has_enough_texts_to_say_something() {
    for language in language::all() {
        let mutants: usize = texts(language).into_iter().map(|text| mutants(&source(language, text)).len()).sum();
        assert!(mutants >= 50, "{}: {mutants} mutants", language.name());
    }
}

#[test]
fn a_mutant_breaks_nothing_and_can_be_undone() {
    sources().for_each(|source| assert_sound(&source));
}

#[test]
fn ids_are_unique_and_no_two_mutants_are_the_same_text() {
    sources().for_each(|source| assert_named_apart(&source));
}

#[test]
fn an_edit_above_changes_no_id() {
    for one in sources().filter(|source| !source.text.starts_with(b"#!")) {
        let comment = if matches!(one.language.name(), "python" | "ruby") { "# more\n\n" } else { "// more\n\n" };
        let below = source(one.language, [comment.as_bytes(), &one.text].concat());
        let ids = |source: &Source| mutants(source).into_iter().map(|mutant| mutant.id).collect::<Vec<_>>();
        assert_eq!(ids(&one), ids(&below), "{}", shown(&one.text));
    }
}

#[test]
fn the_short_cuts_decide_as_the_parser_does() {
    for source in sources() {
        let (quick, careful) = (mutants_with(&source, true), mutants_with(&source, false));
        assert_eq!(quick, careful, "{}", shown(&source.text));
    }
}

/// A few texts of one language in one file, whether they go together or not.
fn thrown_together() -> impl Strategy<Value = (usize, Vec<usize>)> {
    (0..language::all().len(), proptest::collection::vec(0..10_000_usize, 1..5))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn texts_thrown_together_break_no_further((language, picks) in thrown_together()) {
        let language = &language::all()[language];
        // The corpus is long, and read alone above.
        let texts = &texts(language)[1..];
        prop_assume!(!texts.is_empty());
        let source = source(language, picks.iter().map(|pick| texts[pick % texts.len()].as_str()).collect::<String>());
        assert_sound(&source);
        assert_named_apart(&source);
    }
}
