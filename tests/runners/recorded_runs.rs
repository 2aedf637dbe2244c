//! Recorded reports of the runners of Node, Go, Java and Ruby, against one page per project: `expected.txt` beside its files holds what
//! every version must tell.

use std::fs;
use std::path::{Path, PathBuf};

use mutate::runner::report::parse;
use mutate::scratch::process::Exit;
use mutate::suite::TestRun;

use crate::scene::{Told, ended};

/// Project, and how many recordings of it there are, so that none can get lost.
const PROJECTS: [(&str, usize); 9] = [
    ("jest", 2),
    ("vitest", 2),
    ("mocha", 2),
    ("node-test", 1),
    ("playwright", 1),
    ("go-test", 1),
    ("junit5", 1),
    ("junit4", 2),
    ("rspec", 1),
];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/recordings")
}

fn recordings(project: &str) -> Vec<(PathBuf, TestRun)> {
    let files = fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().path());
    let of_project = |file: &PathBuf| {
        let name = file.file_name().unwrap().to_str().unwrap();
        name.starts_with(&format!("{project}-")) && name.ends_with(".jsonl")
    };
    files.filter(of_project).map(|file| (file.clone(), parse(&fs::read(&file).unwrap()).unwrap())).collect()
}

/// The facts that a verdict rests on, a line each; characters that a page cannot show are escaped.
fn page(run: TestRun) -> String {
    let loads = run.load_failures.iter().map(|load| {
        let refused = if load.refused { ", refused" } else { "" };
        format!("{} does not load: {}{refused}", load.id, load.failure.kind)
    });
    let end = if run.finished { "finished" } else { "not finished" }.to_owned();
    let mut lines: Vec<String> = loads.chain([end]).collect();
    lines.splice(0..0, Told { run, ended: ended(Exit::Code(1)) }.lines());
    lines.iter().map(|line| line.trim_end().replace('\0', "\\0").replace('\n', "\\n") + "\n").collect()
}

fn every_version_tells(kind: &str) {
    for (name, known) in PROJECTS {
        let project = format!("{name}-{kind}");
        let expected = fs::read_to_string(folder().join(&project).join("expected.txt")).unwrap();
        let found = recordings(&project);
        assert!(found.len() >= known, "only {} recordings of {project}", found.len());
        for (file, run) in found {
            assert_eq!(page(run), expected, "{}", file.display());
        }
    }
}

#[test]
fn every_version_of_a_framework_tells_the_same_facts_of_a_suite() {
    every_version_tells("suite");
}

#[test]
fn every_version_of_a_framework_names_what_does_not_load() {
    every_version_tells("broken");
}

#[test]
fn no_recording_names_a_folder_of_the_machine() {
    for file in fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_file()) {
        let text = fs::read_to_string(&file).unwrap();
        assert!(!text.contains("/tmp/") && !text.contains("/home/"), "{}", file.display());
        assert!(!text.contains(env!("CARGO_MANIFEST_DIR")), "{}", file.display());
    }
}
