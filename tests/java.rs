//! What the compiler of Java says: a program with probes is a program, and so is every mutant.
//!
//! The sample holds what is easy to get wrong: bare statements, labels, names that get their value in a condition, code that cannot be
//! reached, constructors, initialisers, switches and lambdas. Many more are shown to the compiler by `benches/refusals/java`.

use std::path::Path;
use std::process::Command;

use mutate::language;
use mutate::mutant::Mutant;
use mutate::mutant::discover::discover;
use mutate::mutant::probe::{Woven, weave};
use mutate::rule::Catalogue;
use mutate::source::{ProjectPath, Source};

const PROBE: &str = "package mutate; public class Probe { public static boolean hit(int id) { return true; } }";

fn sample() -> Source {
    let path = ProjectPath::new(Path::new("Sample.java")).expect("a path in the project");
    Source { path, language: language::by_name("java").expect("Java is known"), text: include_bytes!("java/Sample.java").to_vec() }
}

fn mutants(source: &Source) -> Vec<Mutant> {
    discover(source, &Catalogue::built_in()).expect("no ignored region").mutants
}

fn woven(source: &Source) -> Woven {
    weave(source, mutants(source).iter().map(|mutant| mutant.place), 1)
}

/// What the compiler says about a program of the probe and one file per text, each in a folder of its own.
fn refused(texts: &[Vec<u8>]) -> Vec<String> {
    let folder = tempfile::tempdir().expect("a folder");
    let place = |name: &str, text: &[u8]| {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        std::fs::write(&path, text).expect("a file");
        path
    };
    let probe = place("mutate/Probe.java", PROBE.as_bytes());
    // Each in a package of its own, so that one process compiles them all.
    let named = |(number, text): (usize, &Vec<u8>)| {
        let head = format!("package p{number}; ");
        place(&format!("p{number}/Sample.java"), &[head.as_bytes(), text].concat())
    };
    let files: Vec<_> = texts.iter().enumerate().map(named).collect();
    let mut javac = Command::new("javac");
    javac.args(["-proc:none", "-Xmaxerrs", "1000", "-nowarn", "-d"]).arg(folder.path().join("out")).arg(probe).args(files);
    let output = javac.output().expect("javac is needed by the tests");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let errors: Vec<String> = said.lines().filter(|line| line.contains(": error: ")).map(str::to_owned).collect();
    assert_eq!(output.status.success(), errors.is_empty(), "{said}");
    errors
}

#[test]
fn the_sample_is_a_program_and_every_mutant_of_it_as_well() {
    let source = sample();
    let mutants = mutants(&source);
    assert!(mutants.len() > 100, "{} mutants", mutants.len());
    let texts: Vec<Vec<u8>> =
        std::iter::once(source.text.clone()).chain(mutants.iter().map(|mutant| mutant.edit.apply(&source.text))).collect();
    assert_eq!(refused(&texts), [""; 0]);
}

#[test]
fn the_sample_with_probes_is_a_program_with_the_same_lines() {
    let source = sample();
    let text = woven(&source).text(None);
    let lines = |text: &[u8]| text.iter().filter(|byte| **byte == b'\n').count();
    assert_eq!(lines(&text), lines(&source.text));
    assert!(text.windows(16).filter(|window| window == b"mutate.Probe.hit").count() > 40);
    assert_eq!(refused(&[text]), [""; 0]);
}

#[test]
fn a_planted_failure_is_refused() {
    assert!(!refused(&[sample().language.manifest.spelling.planted.clone().into_bytes()]).is_empty());
}
