//! `tests/spot-check` finds a lie in a report, and refuses to conclude where nothing follows.

use std::fs;
use std::process::{Command, Output};

use serde_json::{Value, json};
use support::project::Project;

pub mod support;

/// One killed and one survived mutant of `python-unittest`, both true.
fn true_report(project: &Project) -> Value {
    let mutant = |id: &str, line: u64, columns: [u64; 2], replacement: &str, status: &str| {
        let [start, end] = columns.map(|column| json!({"line": line, "column": column}));
        json!({"id": id, "mutatorName": "EqualityOperator", "location": {"start": start, "end": end}, "replacement": replacement, "status": status})
    };
    let mutants = [mutant("1", 11, [34, 36], ">", "Killed"), mutant("2", 4, [14, 15], ">=", "Survived")];
    let source = String::from_utf8(project.read("shop/discount.py")).expect("UTF-8");
    json!({"files": {"shop/discount.py": {"language": "python", "source": source, "mutants": mutants}}})
}

fn spot_check(project: &Project, report: &Value, suite: &[&str]) -> Output {
    let file = project.beside().join("report.json");
    fs::write(&file, report.to_string()).expect("a written report");
    let script = support::repository().join("tests/spot-check");
    Command::new(script).arg(project.root()).arg(file).arg("--").args(suite).output().expect("python3")
}

#[test]
fn a_true_report_holds() {
    let project = Project::copy_of("python-unittest");
    let before = project.tree();
    let out = spot_check(&project, &true_report(&project), &["python3", "-m", "unittest"]);
    assert_eq!(out.status.code(), Some(0), "{out:?}");
    assert!(String::from_utf8_lossy(&out.stdout).contains("2 of 2 verdicts hold"), "{out:?}");
    before.assert_same(&project.tree());
}

#[test]
fn a_survivor_that_is_told_as_killed_is_found_and_so_is_the_reverse() {
    let project = Project::copy_of("python-unittest");
    let report = true_report(&project).to_string().replace("Killed", "?").replace("Survived", "Killed").replace('?', "Survived");
    let out = spot_check(&project, &report.parse().expect("JSON"), &["python3", "-m", "unittest"]);
    assert_eq!(out.status.code(), Some(1), "{out:?}");
    assert!(String::from_utf8_lossy(&out.stdout).contains("0 of 2 verdicts hold"), "{out:?}");
}

#[test]
fn a_suite_that_does_not_run_the_copy_proves_nothing() {
    let project = Project::copy_of("python-unittest");
    let out = spot_check(&project, &true_report(&project), &["true"]);
    assert_eq!(out.status.code(), Some(2), "{out:?}");
}
