//! Same input, same bytes: whatever the number of workers, however often. And what was not run is named as such.

use serde_json::Value;
use support::project::Project;
use support::python;
use support::run::{Finished, Run};

pub mod support;

/// Both reports of one run.
fn reports(project: &Project, arguments: &[&str]) -> (String, String) {
    let human = project.beside().join("human.txt");
    let second = format!("human={}", human.display());
    let finished = Run::of(project).args(["--output-format", "json", "--report", &second]).args(arguments).finish();
    assert!([0, 1].contains(&finished.code()), "{finished}");
    (std::fs::read_to_string(human).expect("a second report"), finished.stdout)
}

fn assert_workers_do_not_matter(fixture: &str, arguments: &[&str]) {
    let project = Project::copy_of(fixture);
    let by = |jobs: &str| reports(&project, &[arguments, &["--jobs", jobs]].concat());
    assert_eq!(by("1"), by("2"), "{fixture}");
}

#[test]
fn the_number_of_workers_changes_no_byte() {
    assert_workers_do_not_matter("python-unittest", &["."]);
    assert_workers_do_not_matter("python-cli-subprocess", &["greet/words.py"]);
}

#[test]
fn pytest_changes_no_byte_either() {
    let python = python::environment("test-venv-pytest8").join("python3");
    let python = python.to_str().expect("a Unicode path");
    assert_workers_do_not_matter("python-pytest", &["stock/words.py", "stock/memo.py", "--python", python]);
}

#[test]
fn a_second_run_in_a_row_changes_no_byte() {
    let project = Project::copy_of("python-import-time");
    let run = || reports(&project, &["rules/limits.py:1-20", "--jobs", "1"]);
    assert_eq!(run(), run());
}

#[test]
fn the_place_of_the_project_and_the_kind_of_tree_change_no_verdict() {
    let verdicts = |project: &Project, scratch: &str| {
        let arguments = [".", "--output-format", "json", "--jobs", "1", "--cold", "--scratch", scratch];
        let finished = Run::of(project).args(arguments).finish();
        finished.report()["files"].clone()
    };
    let overlay = verdicts(&Project::copy_of("python-unittest"), "overlay");
    assert_eq!(overlay, verdicts(&Project::copy_as("python-unittest", "elsewhere"), "copy"));
}

fn run(arguments: &[&str]) -> Finished {
    let project = Project::copy_of("python-unittest");
    Run::of(&project).args([".", "--output-format", "json", "--jobs", "1"]).args(arguments).finish()
}

/// Ids and reasons of the mutants that were left out.
fn left_out(report: &Value) -> Vec<(String, String)> {
    let files = report["files"].as_object().expect("files").values();
    let mutants = files.flat_map(|file| file["mutants"].as_array().expect("mutants"));
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let ignored = mutants.filter(|mutant| mutant["status"] == "Ignored");
    ignored.map(|mutant| (text(&mutant["id"]), text(&mutant["statusReason"]))).collect()
}

fn assert_complete(finished: &Finished, complete: bool) {
    assert_eq!(finished.report()["config"]["mutate"]["complete"], complete, "{finished}");
}

#[test]
fn a_sample_is_the_same_for_the_same_seed_and_another_for_another() {
    let sample = |seed: &str| left_out(&run(&["--sample", "30%", "--seed", seed]).report());
    let first = sample("1");
    assert!(first.iter().all(|(_, why)| why.contains("not in the sample of 6 (seed 1)")), "{first:?}");
    assert_eq!(first.len(), 13, "19 mutants are covered");
    assert_eq!(first, sample("1"));
    let ids = |sample: &[(String, String)]| sample.iter().map(|(id, _)| id.clone()).collect::<Vec<_>>();
    assert_ne!(ids(&first), ids(&sample("2")));
}

#[test]
fn the_first_few_mutants_are_one_of_each_function() {
    let finished = run(&["--max-mutants", "3"]);
    let report = finished.report();
    assert!(left_out(&report).iter().all(|(_, why)| why.contains("--max-mutants")), "{finished}");
    let mutants = report["files"]["shop/discount.py"]["mutants"].as_array().expect("mutants");
    let own = &report["config"]["mutate"]["mutants"];
    let ran = mutants.iter().filter(|mutant| !["Ignored", "NoCoverage"].contains(&mutant["status"].as_str().unwrap_or_default()));
    let functions: Vec<&Value> = ran.map(|mutant| &own[mutant["id"].as_str().expect("an id")]["function"]).collect();
    assert_eq!(functions, ["discount", "shipping", "price"]);
}

#[test]
fn a_budget_that_runs_out_is_no_complete_run() {
    let finished = run(&["--cold", "--budget", "0.5s", "--require-complete", "--fail-on", "none", "--allow-empty"]);
    finished.assert_code(7);
    assert_complete(&finished, false);
    let left_out = left_out(&finished.report());
    assert!(!left_out.is_empty());
    assert!(left_out.iter().all(|(_, why)| why.contains("the budget of 0.5 s was used up")), "{left_out:?}");
}

#[test]
fn a_budget_that_is_enough_changes_nothing() {
    let finished = run(&["--budget", "10m", "--require-complete"]);
    finished.assert_code(1);
    assert_complete(&finished, true);
    assert_eq!(left_out(&finished.report()), []);
}
