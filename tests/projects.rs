//! The engine on every fixture project, by the program as a user has it: what comes out is what stands beside the fixture.
//!
//! After every run the project is byte for byte what it was, no process is left, and no temporary file (see `support::run`).

use std::path::Path;

use serde_json::Value;
use support::expected::{Expected, ExpectedMutant};
use support::project::Project;
use support::python;
use support::run::{Finished, Run};

pub mod support;

const BOTH: [&str; 2] = ["overlay", "copy"];

/// A run of one worker that reports in the shared schema.
fn run(project: &Project, arguments: &[&str]) -> Finished {
    Run::of(project).args(["--output-format", "json", "--jobs", "1"]).args(arguments).finish()
}

/// The report of a run that came to its end, in which every file is proved to be as before.
fn report(finished: &Finished) -> Value {
    assert!([0, 1].contains(&finished.code()), "{finished}");
    let report = finished.report();
    assert_eq!(own(&report)["complete"], true, "{finished}");
    for (path, proof) in own(&report)["files"].as_object().expect("proofs") {
        assert!(proof["before"].is_string() && proof["before"] == proof["after"], "{path}: {proof}");
    }
    report
}

/// What the shared schema has no word for.
fn own(report: &Value) -> &Value {
    &report["config"]["mutate"]
}

fn notices(report: &Value) -> String {
    own(report)["notices"].as_array().expect("notices").iter().filter_map(Value::as_str).collect::<Vec<_>>().join("\n")
}

fn assert_as_expected(report: &Value, expected: &Expected, chosen: impl Fn(&ExpectedMutant) -> bool) {
    let wrong = expected.disagreements(report, chosen);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A whole project, or the named targets of it, against all that is expected of them.
fn check(name: &str, arguments: &[&str]) -> Value {
    let project = Project::copy_of(name);
    let report = report(&run(&project, arguments));
    assert_as_expected(&report, &Expected::of(name), |_| true);
    report
}

#[test]
fn a_unittest_project_gives_what_is_expected() {
    let report = check("python-unittest", &["."]);
    assert_eq!(own(&report)["baselines"][0]["runner"], "unittest");
}

#[test]
fn a_unittest_project_gives_the_same_in_a_copy() {
    check("python-unittest", &[".", "--scratch", "copy"]);
}

#[test]
fn a_pytest_project_gives_what_is_expected() {
    let name = "python-pytest";
    let interpreter = python::environment("test-venv-pytest8").join("python3");
    let targets = Expected::of(name).targets(|_| true);
    let arguments: Vec<&str> = targets.iter().map(String::as_str).chain(["--python", text(&interpreter)]).collect();
    let report = check(name, &arguments);
    assert_eq!(own(&report)["baselines"][0]["runner"], "pytest");
}

fn text(path: &Path) -> &str {
    path.to_str().expect("a Unicode path")
}

#[test]
fn an_editable_install_is_mutated_where_the_tests_import_it() {
    for scratch in BOTH {
        let project = Project::copy_of("python-src-layout");
        let bin = python::editable_install(project.root(), &project.beside().join("venv"));
        let interpreter = bin.join("python3");
        let report = report(&run(&project, &["src", "--scratch", scratch, "--python", text(&interpreter)]));
        assert_as_expected(&report, &Expected::of("python-src-layout"), |_| true);
        let wiring = own(&report)["baselines"][0]["wiring"].as_str().expect("a proof").to_owned();
        assert!(wiring.contains("a failure planted in src/temperature/convert.py was noticed"), "{scratch}: {wiring}");
    }
}

#[test]
fn any_test_command_decides_by_its_exit_code() {
    for scratch in BOTH {
        let report = check("test-cmd", &["calc.py", "--test-cmd", "python3 check.py", "--scratch", scratch]);
        assert_eq!(own(&report)["baselines"][0]["runner"], "command");
    }
}

/// With a limit, because one of its mutants runs for ever.
#[test]
fn a_go_module_gives_what_is_expected() {
    for scratch in BOTH {
        let report = check("go-test", &[".", "--scratch", scratch, "--timeout", "20s"]);
        let baseline = &own(&report)["baselines"][0];
        assert_eq!((&baseline["runner"], &baseline["passed"]), (&"go-test".into(), &7.into()), "{baseline}");
        let invalid = report.to_string();
        assert!(invalid.contains("stock/stock.go:51:18: 200 + 100 (untyped int constant 300) overflows uint8"), "{invalid}");
    }
}

/// Settings for another kind of run, and one that could rewrite `go.mod`, change nothing.
#[test]
fn settings_of_the_go_command_are_no_obstacle() {
    let project = Project::copy_of("go-test");
    let flags = "-cover -json -v -count=3 -shuffle=on -failfast -run=Nothing -mod=mod '-tags=a b'";
    let finished = Run::of(&project)
        .args(["--output-format", "json", "--jobs", "1", "till/till.go:14", "--framework", "go-test"])
        .env("GOFLAGS", flags)
        .finish();
    let report = report(&finished);
    assert_eq!(own(&report)["baselines"][0]["passed"], 7, "{finished}");
    let mutants = report["files"]["till/till.go"]["mutants"].as_array().expect("mutants");
    let verdicts: Vec<&str> = mutants.iter().filter_map(|mutant| mutant["status"].as_str()).collect();
    assert_eq!(verdicts, ["Killed", "Survived"], "{finished}");
}

#[test]
fn a_go_module_without_go_says_how_to_get_it() {
    let project = Project::copy_of("go-test");
    let finished = Run::of(&project).args(["till/till.go"]).env("PATH", "/nowhere").finish();
    finished.assert_code(5);
    assert!(finished.stderr.contains("`go` is not on PATH") && finished.stderr.contains("install Go"), "{finished}");
}

#[test]
fn a_project_of_node_or_ruby_without_its_toolchain_says_how_to_get_it() {
    for (name, file, missing, mend) in [
        ("node-jest", ".", "there is no `node` on the search path", "install Node.js"),
        ("ruby-rspec", ".", "Ruby is not installed", "apt-get install ruby"),
    ] {
        let project = Project::copy_of(name);
        let finished = Run::of(&project).args([file]).env("PATH", "/nowhere").finish();
        finished.assert_code(5);
        assert!(finished.stderr.contains(missing) && finished.stderr.contains(mend), "{name}: {finished}");
    }
}

#[test]
fn a_ruby_without_rspec_says_how_to_install_it() {
    let project = Project::copy_of("ruby-rspec");
    let finished = Run::of(&project).args(["."]).env("GEM_PATH", "/nowhere").env("GEM_HOME", "/nowhere").finish();
    finished.assert_code(5);
    for words in ["RSpec is not installed", "rspec/core", "run `gem install rspec`"] {
        assert!(finished.stderr.contains(words), "{words}: {finished}");
    }
}

/// What is installed is used, and the user is told.
#[test]
fn a_locked_project_without_bundler_is_measured_with_a_notice() {
    let project = Project::copy_of("ruby-rspec");
    project.write("Gemfile.lock", "GEM\n  specs:\n\nPLATFORMS\n  ruby\n\nDEPENDENCIES\n");
    let programs = project.beside().join("programs");
    std::fs::create_dir(&programs).expect("a folder of programs");
    std::os::unix::fs::symlink(program_on_path("ruby"), programs.join("ruby")).expect("a link");
    let line = Expected::of("ruby-rspec").targets(|_| true).remove(0);
    let finished = Run::of(&project).args(["--output-format", "json", &line]).env("PATH", programs.as_os_str()).finish();
    let report = finished.report();
    assert!(report.to_string().contains("without Bundler, which cannot set the project up: `bundle` is not on PATH"), "{finished}");
}

fn program_on_path(name: &str) -> std::path::PathBuf {
    let path = std::env::var_os("PATH").expect("a search path");
    std::env::split_paths(&path).map(|folder| folder.join(name)).find(|path| path.is_file()).expect("an installed program")
}

#[test]
fn a_go_module_that_does_not_build_is_told_with_the_first_error_of_the_compiler() {
    let project = Project::copy_of("go-test");
    project.write("report/broken.go", "package report\n\nfunc f() int { return \"x\" }\n");
    let finished = run(&project, &["till/till.go"]);
    finished.assert_code(4);
    let error = "report does not load: CompileError: report/broken.go:3:23: cannot use \"x\"";
    assert!(finished.stderr.contains(error), "{finished}");
}

#[test]
fn tests_that_are_red_without_a_mutant_are_named() {
    let finished = run(&Project::copy_of("python-red"), &["."]);
    finished.assert_code(4);
    assert!(finished.stderr.contains("the tests already fail without any mutant"), "{finished}");
    assert!(finished.stderr.contains("tests.test_add.Add.test_wrong_from_the_start: AssertionError: 3 != 4"), "{finished}");
    assert!(finished.stderr.contains("--deselect"), "{finished}");
}

#[test]
fn an_rspec_project_gives_what_is_expected() {
    let report = check("ruby-rspec", &["."]);
    assert_eq!(own(&report)["baselines"][0]["runner"], "rspec");
}

#[test]
fn what_only_another_ruby_reaches_is_never_missed_in_a_copy() {
    let project = Project::copy_of("ruby-rspec");
    let report = report(&run(&project, &["lib/shop/receipt.rb", "--scratch", "copy"]));
    assert_as_expected(&report, &Expected::of("ruby-rspec"), |mutant| mutant.place().0 == "lib/shop/receipt.rb");
}

#[test]
fn a_red_test_that_is_left_out_is_no_obstacle() {
    let project = Project::copy_of("python-red");
    let finished = run(&project, &[".", "--deselect", "tests.test_add.Add.test_wrong_from_the_start"]);
    assert!(own(&report(&finished))["baselines"][0]["tests"].as_u64() >= Some(1), "{finished}");
}

#[test]
fn a_project_without_tests_has_nothing_to_measure() {
    let finished = run(&Project::copy_of("python-empty"), &["."]);
    finished.assert_code(3);
    assert!(finished.stderr.contains("no tests found") && finished.stderr.contains("--test-cmd"), "{finished}");
}

#[test]
fn a_flickering_test_is_named_and_kills_nothing() {
    let report = check("python-flicker", &["."]);
    let flickering = "tests.test_score.Score.test_every_other_run";
    assert!(notices(&report).contains(flickering), "{}", notices(&report));
    assert_eq!(own(&report)["baselines"][0]["flickering"], serde_json::json!([flickering]));
    let files = report["testFiles"].as_object().expect("test files").values();
    let number = files.flat_map(|file| file["tests"].as_array().expect("tests")).find(|test| test["name"] == flickering);
    let number = number.expect("the test is in the report")["id"].clone();
    let mutants = report["files"]["flicker/score.py"]["mutants"].as_array().expect("mutants");
    assert!(mutants.iter().all(|mutant| !mutant["killedBy"].as_array().is_some_and(|by| by.contains(&number))), "{report}");
}

#[test]
fn what_runs_on_import_is_never_missed() {
    for scratch in BOTH {
        check("python-import-time", &[".", "--scratch", scratch]);
    }
}

#[test]
fn what_only_another_process_reaches_is_never_missed() {
    for scratch in BOTH {
        check("python-cli-subprocess", &[".", "--scratch", scratch]);
    }
}

#[test]
fn odd_files_are_mutated_to_the_byte() {
    for scratch in BOTH {
        let report = check("python-odd-files", &[".", "--scratch", scratch]);
        assert!(notices(&report).contains("odd/broken.py: syntax errors"), "{}", notices(&report));
    }
}

const STATE: &str = "DONE = []\n\n\ndef do(size):\n    DONE.append(size * 2)\n\n\ndef last():\n    return DONE[-1]\n";

/// `test_a` calls the code and looks at nothing; `test_b` looks at what it has left behind, and calls other code.
#[test]
fn what_tests_leave_behind_for_others_is_noticed_as_in_the_whole_suite() {
    let tests = "import unittest\nimport state\n\n\nclass T(unittest.TestCase):\n    def test_a(self):\n        state.do(4)\n\n    \
                 def test_b(self):\n        self.assertEqual(state.last(), 8)\n";
    let project = Project::of(&[("pyproject.toml", ""), ("state.py", STATE), ("test_state.py", tests)]);
    let report = report(&run(&project, &["state.py::do"]));
    let mutants = report["files"]["state.py"]["mutants"].as_array().expect("mutants");
    assert!(!mutants.is_empty() && mutants.iter().all(|mutant| mutant["status"] == "Killed"), "{report}");
}

#[test]
fn a_mocha_project_gives_what_is_expected() {
    for scratch in BOTH {
        let report = check("node-mocha", &["lib", "--scratch", scratch]);
        assert_eq!(own(&report)["baselines"][0]["runner"], "mocha");
    }
}

#[test]
fn projects_of_maven_and_gradle_give_what_is_expected() {
    for (name, runner) in [("java-maven", "junit-maven"), ("java-maven-junit4", "junit-maven"), ("java-gradle", "junit-gradle")] {
        let report = check(name, &["."]);
        assert_eq!(own(&report)["baselines"][0]["runner"], runner, "{name}");
    }
}

#[test]
fn a_jest_project_gives_what_is_expected() {
    for scratch in ["overlay", "copy"] {
        let report = check("node-jest", &["src", "--scratch", scratch]);
        assert_eq!(own(&report)["baselines"][0]["runner"], "jest");
    }
}

#[test]
fn a_vitest_project_gives_what_is_expected() {
    for scratch in ["overlay", "copy"] {
        let report = check("node-vitest", &["src", "--scratch", scratch]);
        assert_eq!(own(&report)["baselines"][0]["runner"], "vitest");
    }
}

#[test]
fn a_project_of_node_itself_gives_what_is_expected() {
    for scratch in BOTH {
        let report = check("node-test", &["lib", "--scratch", scratch]);
        assert_eq!(own(&report)["baselines"][0]["runner"], "node-test");
    }
}

#[test]
fn a_page_in_a_browser_gives_what_is_expected() {
    let targets = Expected::of("node-playwright").targets(|_| true);
    let arguments: Vec<&str> = targets.iter().map(String::as_str).collect();
    let report = check("node-playwright", &arguments);
    assert_eq!(own(&report)["baselines"][0]["runner"], "playwright");
    let killed =
        report["files"]["page/cart.js"]["mutants"].as_array().expect("mutants").iter().find(|mutant| mutant["status"] == "Killed");
    assert!(killed.is_some_and(|mutant| mutant["killedBy"].as_array().is_some_and(|by| !by.is_empty())), "{report}");
}

/// Short, because most of this project's mutants run into it; long enough for a machine with other work.
const LIMIT: [&str; 2] = ["--timeout", "1.5s"];

#[test]
fn a_hostile_suite_is_survived_test_file_by_test_file() {
    let expected = Expected::of("python-hostile");
    let mut files: Vec<String> = expected.mutant.iter().filter_map(|mutant| mutant.tests.clone()).collect();
    files.dedup();
    assert_eq!(files.len(), 9, "{files:?}");
    for file in &files {
        let project = Project::copy_of("python-hostile");
        let chosen = |mutant: &ExpectedMutant| mutant.tests.as_ref() == Some(file);
        let targets = expected.targets(chosen);
        let finished = Run::of(&project)
            .args(["--output-format", "json", "--jobs", "1", "--scratch", "overlay", "--tests", file])
            .args(LIMIT)
            .args(&targets)
            .finish();
        assert_as_expected(&report(&finished), &expected, chosen);
    }
}

#[test]
fn a_hostile_suite_is_survived_as_a_whole_in_a_copy() {
    let project = Project::copy_of("python-hostile");
    let expected = Expected::of("python-hostile");
    let targets = expected.targets(|_| true);
    let finished =
        Run::of(&project).args(["--output-format", "json", "--jobs", "1", "--scratch", "copy"]).args(LIMIT).args(&targets).finish();
    let report = report(&finished);
    assert_as_expected(&report, &expected, |_| true);
    assert!(finished.stdout.contains("over its memory limit"), "{finished}");
    assert!(notices(&report).contains("the tests write into the project (var/price.json)"), "{}", notices(&report));
}
