//! The program as a user calls it, as far as no test process is needed.

#[path = "reports/sample.rs"]
mod sample;

use std::fs;
use std::path::Path;

use assert_cmd::Command;
use mutate::command::doctor::{self, Finding, State};
use mutate::command::wiring::Discovered;
use mutate::command::{grammars, list, rules, run};
use mutate::config::Call;
use mutate::config::layer::Layer;
use mutate::report::style::{When, plain};
use mutate::report::{Report, store};
use predicates::prelude::PredicateBooleanExt;
use predicates::str::{contains, starts_with};

/// A project with one file, a configuration and a kept run.
struct Project {
    folder: tempfile::TempDir,
    report: Report,
}

impl Project {
    fn new() -> Project {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir_all(folder.path().join("shop")).unwrap();
        fs::create_dir_all(folder.path().join(".git")).unwrap();
        fs::write(folder.path().join("shop/cart.py"), sample::CART).unwrap();
        let report = Report { root: folder.path().to_path_buf(), ..sample::report(1) };
        store::save(&report).unwrap();
        Project { folder, report }
    }

    fn mutate(&self, arguments: &[&str]) -> assert_cmd::assert::Assert {
        let mut command = Command::cargo_bin("mutate").unwrap();
        for variable in ["NO_COLOR", "CLICOLOR_FORCE", "FORCE_COLOR", "MUTATE_JOBS", "MUTATE_TIER", "CI"] {
            command.env_remove(variable);
        }
        command.env("XDG_STATE_HOME", self.path().join("state")).current_dir(self.path()).args(arguments).assert()
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }

    fn configured(self, text: &str) -> Project {
        fs::write(self.path().join("mutate.toml"), text).unwrap();
        self
    }
}

fn stdout(assert: &assert_cmd::assert::Assert) -> String {
    String::from_utf8(assert.get_output().stdout.clone()).unwrap()
}

#[test]
fn without_a_word_the_help_is_shown() {
    Project::new().mutate(&[]).code(2).stderr(contains("Usage: mutate [OPTIONS] <TARGET>..."));
    Project::new().mutate(&["--help"]).code(0).stdout(contains("list").and(contains("doctor")));
}

#[test]
fn an_unknown_file_gets_the_nearest_name() {
    let project = Project::new();
    let said = "error: there is no file or folder `shop/card.py`\n  mend: did you mean `shop/cart.py`?\n";
    project.mutate(&["shop/card.py"]).code(2).stdout("").stderr(said);
    project.mutate(&["run", "shop/card.py:3"]).code(2).stderr(said);
    project.mutate(&["list", "shop/card.py::total"]).code(2).stderr(said);
}

#[test]
fn a_misspelt_sub_command_gets_the_nearest_one() {
    Project::new().mutate(&["doktor"]).code(2).stderr(contains("did you mean `mutate doctor`?"));
}

#[test]
fn an_unknown_setting_is_named_with_its_line() {
    let project = Project::new().configured("jobs = 1\ntimout = 3\n");
    let place = format!("at {}:2", project.path().join("mutate.toml").display());
    project
        .mutate(&["shop/cart.py"])
        .code(2)
        .stderr(contains("no setting `timout`").and(contains(place)).and(contains("`timeout`")));
}

#[test]
fn a_value_that_makes_no_sense_ends_before_anything_runs() {
    let project = Project::new();
    project.mutate(&["shop/cart.py", "--jobs", "0"]).code(2).stderr(contains("`jobs` is 0"));
    project.mutate(&["shop/cart.py", "--jobs", "many"]).code(2).stderr(contains("neither a number"));
    project.mutate(&["shop/cart.py", "--tier", "brave"]).code(2).stderr(contains("thorough"));
    project.mutate(&["shop/cart.py", "--report", "json"]).code(2).stderr(contains("names no file"));
    project.mutate(&["shop/cart.py:0"]).code(2).stderr(contains("lines are counted from 1"));
}

#[test]
fn an_error_is_json_too_where_json_was_asked_for() {
    let project = Project::new();
    let assert = project.mutate(&["--output-format", "json", "shop/card.py"]).code(2).stderr(contains("error: there is no file"));
    let document: serde_json::Value = serde_json::from_str(&stdout(&assert)).unwrap();
    let expected = serde_json::json!({ "error": {
        "code": 2,
        "what_failed": "usage",
        "detail": "there is no file or folder `shop/card.py`",
        "evidence": { "mend": "did you mean `shop/cart.py`?" },
    }});
    assert_eq!(document, expected);
    let assert = project.mutate(&["shop/cart.py", "--output-format=json", "--nonsense"]).code(2);
    let document: serde_json::Value = serde_json::from_str(&stdout(&assert)).unwrap();
    assert_eq!(document["error"]["code"], 2);
}

#[test]
fn settings_are_shown_with_their_origin() {
    let project = Project::new().configured("timeout-factor = 2.5\n");
    let file = project.path().join("mutate.toml");
    let assert = project.mutate(&["config", "--config", "seed=7"]).code(0);
    let text = stdout(&assert);
    assert!(text.contains(&format!("timeout-factor = 2.5  # {}\n", file.display())), "{text}");
    assert!(text.contains("seed = 7  # command line\n") && text.contains("tier = \"default\"  # built-in\n"), "{text}");
    project.mutate(&["config", "--isolated"]).code(0).stdout(contains("timeout-factor = 5.0  # built-in"));
    project.mutate(&["config", "--output-format", "json"]).code(0).stdout(contains("\"value\": 2.5"));
}

#[test]
fn a_mutant_of_the_last_run_is_shown_with_its_certificate() {
    let project = Project::new();
    let id = project.report.mutants[0].mutant.id.to_string();
    let assert = project.mutate(&["show", &id]).code(0);
    insta::assert_snapshot!(stdout(&assert));
}

#[test]
fn the_first_digits_of_an_id_are_enough() {
    let project = Project::new();
    let id = project.report.mutants[2].mutant.id.to_string();
    project
        .mutate(&["show", &id[..5]])
        .code(0)
        .stdout(starts_with("shop/cart.py:5:23  operator/arithmetic").and(contains("killed by")));
}

#[test]
fn an_id_that_means_none_or_many_is_an_error_with_a_way_out() {
    let project = Project::new();
    let id = project.report.mutants[0].mutant.id.to_string();
    let misspelt = format!("{}z", &id[..7]);
    project.mutate(&["show", &misspelt]).code(2).stderr(contains(format!("did you mean `{id}`?")));
    project.mutate(&["show", ""]).code(2).stderr(contains("begins the ids of 14 mutants").and(contains("write more digits")));
    project.mutate(&["show", "\x1b[2J"]).code(2).stderr(contains("\x1b").not());
}

#[test]
fn a_mutant_is_json_without_nulls() {
    let project = Project::new();
    for measured in &project.report.mutants {
        let assert = project.mutate(&["show", &measured.mutant.id.to_string(), "--output-format", "json"]).code(0);
        let document: serde_json::Value = serde_json::from_str(&stdout(&assert)).unwrap();
        assert_eq!(document["id"], measured.mutant.id.to_string());
        assert_eq!(document.get("certificate").is_some(), measured.certificate.is_some());
        assert!(!stdout(&assert).contains(": null"));
    }
}

#[test]
fn no_kept_run_is_an_error_with_a_way_out() {
    let project = Project::new();
    project.mutate(&["clean"]).code(0).stdout(contains("removed ").and(contains(".mutate")));
    assert!(!project.path().join(".mutate").exists());
    project.mutate(&["clean"]).code(0).stdout("nothing to remove\n");
    project.mutate(&["show", "00"]).code(2).stderr(contains("no run is kept here").and(contains("mend: run `mutate FILE` first")));
}

#[test]
fn colours_are_there_when_asked_for_and_only_then() {
    let project = Project::new();
    let id = project.report.mutants[0].mutant.id.to_string();
    project.mutate(&["show", &id]).stdout(contains("\x1b").not());
    project.mutate(&["show", &id, "--color", "always"]).stdout(contains("\x1b[31m"));
}

#[test]
fn a_format_that_a_sub_command_does_not_have_is_refused() {
    let project = Project::new();
    project.mutate(&["show", "00", "--output-format", "concise"]).code(2).stderr(contains("use human or json"));
}

fn discovered() -> Discovered {
    let report = sample::report(1);
    let mut mutants: Vec<_> = report.mutants.into_iter().take(3).map(|measured| measured.mutant).collect();
    mutants[1].ignored = Some(mutate::mutant::Reason::Comment { text: "mutate: ignore\x07".to_string() });
    Discovered { mutants, not_generated: report.not_generated, files_left_out: report.files_left_out, notices: report.notices }
}

#[test]
fn a_list_has_one_line_per_mutant() {
    insta::assert_snapshot!(plain(&list::text(&discovered())));
}

#[test]
fn a_list_as_json_names_what_was_left_out_too() {
    let document = serde_json::to_value(list::document(&discovered())).unwrap();
    assert_eq!(document["mutants"][0]["rule"], "condition/boundary");
    assert_eq!(document["mutants"][0]["replacement"], "amount >= 100");
    assert_eq!(document["mutants"][1]["ignored"], "comment: mutate: ignore\x07");
    assert_eq!(document["mutants"][2].get("ignored"), None);
    assert_eq!(document["notGenerated"]["arid/logging"], 150);
}

fn rule() -> rules::Rule {
    let example = |before: &str, after: &[&str]| rules::Example {
        language: "python".to_string(),
        before: before.to_string(),
        after: after.iter().map(|text| text.to_string()).collect(),
    };
    rules::Rule {
        id: "condition/boundary".to_string(),
        summary: "Move a boundary by one".to_string(),
        kind: "boundary-off-by-one".to_string(),
        mutator: "EqualityOperator".to_string(),
        hint: "add a case where both sides are equal".to_string(),
        languages: vec!["python".to_string()],
        origin: "built-in".to_string(),
        examples: vec![example("x = a < b <= c", &["x = a <= b <= c", "x = a < b < c"]), example("x = a == b", &[])],
        ..rules::Rule::default()
    }
}

#[test]
fn a_rule_is_shown_with_its_examples() {
    insta::assert_snapshot!(plain(&rules::show(&rule())));
    assert_eq!(plain(&rules::list(&[rule()])), "condition/boundary  default   Move a boundary by one\n");
}

#[test]
fn an_example_that_does_not_hold_is_printed() {
    let result = |problem: Option<&str>| rules::ExampleResult {
        rule: "condition/boundary".to_string(),
        example: rule().examples[0].clone(),
        problem: problem.map(str::to_string),
    };
    let text = plain(&rules::tried(&[result(None), result(Some("made no mutant"))]));
    assert_eq!(text, "condition/boundary  python: made no mutant\n  - x = a < b <= c\n2 examples: 1 hold, 1 do not\n");
}

#[test]
fn the_doctor_says_what_is_lacking_and_how_to_mend_it() {
    let finding = |name: &str, state, detail: &str, mend: Option<&str>| Finding {
        name: name.to_string(),
        state,
        detail: detail.to_string(),
        mend: mend.map(str::to_string),
    };
    let text = plain(&doctor::text(&[
        finding("python", State::Works, "3.13.0", None),
        finding("overlay", State::Lacking, "no user namespaces", Some("use --scratch copy")),
    ]));
    let expected = "works    python   3.13.0\nlacking  overlay  no user namespaces\n                  mend: use --scratch copy\n";
    assert_eq!(text, expected);
}

#[test]
fn captures_are_shown_with_their_place() {
    let place = grammars::Captured { line: 4, column: 8, capture: "comparison.order".into(), text: "a\n< b".into() };
    assert_eq!(plain(&grammars::places(&[place])), "4:8  @comparison.order  a\\n< b\n");
    let python = grammars::Grammar { language: "python".into(), extensions: vec!["py".into()], captures: vec!["logical".into()] };
    assert_eq!(plain(&grammars::languages(&[python])), "python (py)\n  logical\n");
}

/// The end of a run over the sample: 6 of 14 mutants survived.
fn finished(project: &Project, file: &str, report: &Report, signal: Option<u8>) -> (u8, std::path::PathBuf) {
    let out = project.path().join("out.txt");
    let flags = Layer { output_file: Some(out.clone()), color: Some(When::Always), quiet: Some(true), ..Layer::default() };
    fs::write(project.path().join("mutate.toml"), file).unwrap();
    let call = Call { working: project.path().to_path_buf(), flags, ..Call::default() };
    let config = mutate::config::load_with(call, &|_| None).unwrap();
    (run::finish(report, &config, signal).unwrap(), out)
}

#[test]
fn a_finished_run_is_written_kept_and_judged() {
    let project = Project::new();
    let (code, out) = finished(&project, "report = [\"json=full.json\"]", &project.report, None);
    assert_eq!(code, 1);
    let text = fs::read_to_string(out).unwrap();
    assert!(text.contains("14 mutants: 2 killed") && !text.contains('\x1b'), "{text}");
    let full: serde_json::Value = serde_json::from_slice(&fs::read(project.path().join("full.json")).unwrap()).unwrap();
    assert_eq!((full["schemaVersion"].clone(), full["config"]["mutate"]["exitCode"].clone()), ("2".into(), 1.into()));
    assert!(project.path().join(".mutate/runs/2/report.json").exists());
}

#[test]
fn the_gates_of_the_configuration_decide_the_exit_code() {
    let project = Project::new();
    let code = |file: &str| finished(&project, file, &project.report, None).0;
    assert_eq!(code("max-survived = 6"), 0);
    assert_eq!(code("max-survived = 5"), 1);
    assert_eq!(code("fail-on = []"), 0);
    assert_eq!(code("fail-on = [\"inconclusive\"]"), 1);
    assert_eq!(code("min-score = 27.3"), 1);
    assert_eq!(code("min-score = 27.2"), 0);
    assert_eq!(code("exit-zero = true"), 0);
}

#[test]
fn a_stopped_run_and_a_changed_file_outrank_the_gates() {
    let project = Project::new();
    let mut report = Report { complete: false, ..project.report.clone() };
    assert_eq!(finished(&project, "exit-zero = true", &report, Some(2)).0, 130);
    assert_eq!(finished(&project, "require-complete = true", &report, None).0, 7);
    report.sources.changed.push(report.files[0].path.clone());
    assert_eq!(finished(&project, "exit-zero = true", &report, Some(2)).0, 8);
}
