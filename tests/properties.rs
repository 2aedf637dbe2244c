//! What must hold for any file: every mutant is a program, undoing gives the same bytes, names are unique and stay.
//!
//! The files are those of the installed Python's standard library: nobody wrote them for us.

use std::collections::HashSet;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::LazyLock;

use mutate::language::{self, Tree};
use mutate::mutant::Mutant;
use mutate::mutant::discover::{Options, discover_with};
use mutate::mutant::probe::weave;
use mutate::rule::Catalogue;
use mutate::source::{ProjectPath, Source};
use proptest::prelude::*;

/// So many files, evenly spread over the library.
const FILES: usize = 40;
/// So many mutants are shown to Python itself.
const COMPILED: usize = 1500;

static SAMPLE: LazyLock<Vec<Source>> = LazyLock::new(|| {
    let files = standard_library();
    let step = (files.len() / FILES).max(1);
    files.into_iter().step_by(step).map(|path| source(std::fs::read(path).unwrap())).collect()
});

static RULES: LazyLock<Catalogue> = LazyLock::new(Catalogue::built_in);

fn source(text: Vec<u8>) -> Source {
    let path = ProjectPath::new(Path::new("module.py")).unwrap();
    Source { path, language: language::by_name("python").unwrap(), text }
}

fn standard_library() -> Vec<PathBuf> {
    let asked = Command::new("python3").args(["-c", "import os; print(os.path.dirname(os.__file__))"]).output().unwrap();
    let top = PathBuf::from(String::from_utf8(asked.stdout).unwrap().trim());
    let packages =
        ["", "json", "email", "asyncio", "unittest", "http", "importlib", "xml/dom", "concurrent/futures", "collections"];
    let files = packages.iter().flat_map(|package| std::fs::read_dir(top.join(package)).into_iter().flatten().flatten());
    let mut files: Vec<PathBuf> =
        files.map(|entry| entry.path()).filter(|path| path.extension().is_some_and(|e| e == "py")).collect();
    files.sort();
    files
}

fn mutants_with(source: &Source, short_cuts: bool) -> Vec<Mutant> {
    discover_with(source, &RULES, &Options { short_cuts, ..Options::default() }).unwrap().mutants
}

fn mutants(source: &Source) -> Vec<Mutant> {
    mutants_with(source, true)
}

fn broken(source: &Source, text: &[u8]) -> usize {
    let tree = Tree::parse(source.language, text);
    tree.all().filter(|at| tree.is_broken(*at)).count()
}

/// What Python says to each text: those that it refuses.
fn refused(texts: &[Vec<u8>]) -> Vec<usize> {
    const PROGRAM: &str = r#"
import struct, sys, warnings
warnings.simplefilter("ignore")
data = sys.stdin.buffer
number = 0
while head := data.read(4):
    text = data.read(struct.unpack(">I", head)[0])
    try:
        compile(text, "mutant", "exec")
    except (SyntaxError, ValueError) as error:
        print(number)
        print(error, repr(text.splitlines()[(error.lineno or 1) - 1]), file=sys.stderr)
    number += 1
"#;
    let mut python = Command::new("python3").args(["-c", PROGRAM]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut stdin = python.stdin.take().unwrap();
    for text in texts {
        stdin.write_all(&(text.len() as u32).to_be_bytes()).unwrap();
        stdin.write_all(text).unwrap();
    }
    drop(stdin);
    let out = String::from_utf8(python.wait_with_output().unwrap().stdout).unwrap();
    out.lines().map(|line| line.parse().unwrap()).collect()
}

#[test]
fn the_short_cuts_decide_as_the_parser_does() {
    for source in SAMPLE.iter().step_by(4) {
        let (quick, careful) = (mutants_with(source, true), mutants_with(source, false));
        let only = |one: &[Mutant], other: &[Mutant]| one.iter().find(|mutant| !other.contains(mutant)).cloned();
        assert_eq!(only(&quick, &careful), None, "made by a short cut only");
        assert_eq!(only(&careful, &quick), None, "refused by a short cut only");
        assert!(!quick.is_empty() || source.text.len() < 5000);
    }
}

#[test]
fn every_mutant_is_a_program() {
    let all: Vec<Vec<u8>> =
        SAMPLE.iter().flat_map(|source| mutants(source).into_iter().map(|mutant| mutant.edit.apply(&source.text))).collect();
    let step = (all.len() / COMPILED).max(1);
    let chosen: Vec<Vec<u8>> = all.into_iter().step_by(step).collect();
    assert!(chosen.len() >= COMPILED);
    let refused = refused(&chosen);
    let shown = refused.first().map(|at| String::from_utf8_lossy(&chosen[*at]).into_owned());
    assert_eq!(shown, None, "{} of {} are refused", refused.len(), chosen.len());
}

#[test]
fn undoing_a_mutant_gives_the_same_bytes() {
    for source in SAMPLE.iter() {
        for mutant in mutants(source) {
            let mutated = mutant.edit.apply(&source.text);
            assert_ne!(mutated, source.text, "{mutant:?}");
            assert_eq!(mutant.edit.undo(&source.text).apply(&mutated), source.text);
        }
    }
}

#[test]
fn ids_are_unique_and_no_two_mutants_are_the_same_text() {
    for source in SAMPLE.iter() {
        let mutants = mutants(source);
        let ids: HashSet<_> = mutants.iter().map(|mutant| mutant.id).collect();
        assert_eq!(ids.len(), mutants.len());
        let texts: HashSet<_> = mutants.iter().map(|mutant| blake3::hash(&mutant.edit.apply(&source.text))).collect();
        assert_eq!(texts.len(), mutants.len());
    }
}

#[test]
fn an_edit_above_changes_no_id() {
    for one in SAMPLE.iter() {
        let below = source([b"# one more line\n\n".as_slice(), &one.text].concat());
        let ids = |source: &Source| mutants(source).into_iter().map(|mutant| mutant.id).collect::<Vec<_>>();
        assert_eq!(ids(one), ids(&below));
    }
}

#[test]
fn a_file_with_probes_is_a_program_with_the_same_lines() {
    let mut woven = Vec::new();
    for source in SAMPLE.iter() {
        let mutants = mutants(source);
        let file = weave(source, mutants.iter().map(|mutant| mutant.place), 1);
        // Nothing can stand before a definition on its line: a block that begins with one may have no probe.
        let defines = |mutant: &&Mutant| [&b"def "[..], b"class ", b"@"].iter().any(|word| mutant.original.starts_with(word));
        let without = mutants.iter().filter(|mutant| !file.probes.contains_key(&mutant.place)).find(|mutant| !defines(mutant));
        assert_eq!(without, None, "a mutant without a probe");
        let lines = |text: &[u8]| text.iter().filter(|byte| **byte == b'\n').count();
        let text = file.text(Some("exec('import os')"));
        assert_eq!(lines(&text), lines(&source.text));
        woven.push(text);
    }
    assert_eq!(refused(&woven), Vec::<usize>::new());
}

/// Pieces of Python that rarely stand together.
fn pieces() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("x = a < b\n"),
        Just("if a and not b: f(); g()\n"),
        Just("def f(a, *b, c=1, **d) -> bool:\n    return a in b\n"),
        Just("s = f'{a+-b} {c!r:>{w}}'\n"),
        Just("x = [i for i in y if i if not i]\r\n"),
        Just("while True:\n\tbreak\n"),
        Just("lambda x: -x if x else (yield)\n"),
        Just("class A:\n    x = 1; y = x + 1\n"),
        Just("try:\n  pass\nexcept E as e: raise\n"),
        Just("x = (a\n  # why\n  or b)\n"),
        Just("return 0if x else~1\n"),
        Just("é = 'ü' + \"\u{1F600}\" * n\n"),
        Just("def broken(:\n    return a < b\n"),
        Just("\\\n"),
        Just("\u{feff}"),
        Just("if x:\n"),
    ];
    proptest::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn nothing_that_is_not_broken_becomes_broken(text in pieces()) {
        let source = source(text.into_bytes());
        let before = broken(&source, &source.text);
        for mutant in mutants(&source) {
            let mutated = mutant.edit.apply(&source.text);
            prop_assert!(broken(&source, &mutated) <= before, "{mutant:?}");
            prop_assert_eq!(mutant.edit.undo(&source.text).apply(&mutated), source.text.clone());
        }
    }

    #[test]
    fn any_bytes_are_taken(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        let source = source(bytes);
        for mutant in mutants(&source) {
            prop_assert_ne!(mutant.edit.apply(&source.text), source.text.clone());
        }
    }
}
