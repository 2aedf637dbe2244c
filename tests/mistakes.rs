//! What a user may get wrong: each mistake is answered with what, where and how to mend, and its own exit code.

use std::fs;
use std::process::Command;

use support::project::Project;
use support::python;
use support::run::{Finished, Run};

pub mod support;

const USAGE: i32 = 2;
const NOTHING_TO_MEASURE: i32 = 3;
const RED: i32 = 4;
const ENVIRONMENT: i32 = 5;

/// A unittest project with two functions, and other things that are no program of its own.
fn shop() -> Project {
    Project::of(&[
        ("pyproject.toml", "[project]\nname = \"shop\"\nversion = \"1.0\"\n"),
        ("README.md", "A shop.\n"),
        (
            "shop.py",
            "def total(price, tax):\n    return price + tax\n\n\nclass Cart:\n    def add(self, price):\n        return price + 1\n",
        ),
        (
            "test_shop.py",
            "import unittest\nimport shop\n\n\nclass Shop(unittest.TestCase):\n    def test_total(self):\n        self.assertEqual(shop.total(1, 2), 3)\n",
        ),
    ])
}

fn run(project: &Project, arguments: &[&str]) -> Finished {
    Run::of(project).args(["--progress", "none"]).args(arguments).finish()
}

/// The whole error, `[ROOT]` for the project's folder; nothing may be on standard output.
#[track_caller]
fn assert_says(project: &Project, arguments: &[&str], code: i32, error: &str) {
    let finished = run(project, arguments);
    finished.assert_code(code);
    let said = finished.stderr.replace(project.root().to_str().expect("a Unicode path"), "[ROOT]");
    assert_eq!((said.as_str(), finished.stdout.as_str()), (error, ""));
}

// Targets.

#[test]
fn an_unknown_file_gets_the_nearest_name() {
    let error = "error: there is no file or folder `shopp.py`\n  mend: did you mean `shop.py`?\n";
    assert_says(&shop(), &["shopp.py"], USAGE, error);
}

#[test]
fn an_unknown_function_gets_the_nearest_names() {
    let nearest = |name: &str, names: &str| {
        format!("error: there is no function or class called `{name}`\n  mend: the nearest are {names}\n")
    };
    let totals = nearest("totals", "shop.py::total, shop.py::Cart, shop.py::Cart.add");
    assert_says(&shop(), &["shop.py::totals"], USAGE, &totals);
    assert_says(&shop(), &["shop.py", "--function", "totals"], USAGE, &totals);
    let method = run(&shop(), &["shop.py::Cart.ad"]);
    assert!(method.assert_code(USAGE).stderr.contains("the nearest are shop.py::Cart.add,"), "{method}");
}

#[test]
fn a_line_past_the_end_is_no_place() {
    let error = "error: there is no line 70\n  at shop.py\n  mend: the file ends with line 7\n";
    assert_says(&shop(), &["shop.py:70-80"], USAGE, error);
}

#[test]
fn a_test_file_is_no_target() {
    let error = "error: there is nothing to mutate in a test file\n  at test_shop.py\n  mend: name a file of the program itself\n";
    assert_says(&shop(), &["test_shop.py"], NOTHING_TO_MEASURE, error);
}

#[test]
fn a_file_in_no_known_language_is_no_target() {
    let error = "error: the file is in no language that can be mutated\n  at README.md\n  mend: languages: go, java, javascript, python, ruby, tsx, typescript\n";
    assert_says(&shop(), &["README.md"], USAGE, error);
}

#[test]
fn a_target_outside_of_the_named_root_is_refused() {
    let project = shop();
    fs::write(project.beside().join("stranger.py"), "x = 1 + 1\n").expect("a file");
    let error = "error: the target lies outside of the project\n  at ../stranger.py\n  \
                 mend: the project is [ROOT]; name another with `--root`\n";
    assert_says(&project, &["../stranger.py", "--root", "."], USAGE, error);
}

const BROKEN: &str = "def healthy(a):\n    return a + 1\n\n\ndef broken(:\n    pass\n";

#[test]
fn a_file_with_syntax_errors_keeps_its_healthy_functions() {
    let project = shop();
    project.write("broken.py", BROKEN);
    let finished = run(&project, &[".", "--show", "all"]);
    finished.assert_code(0);
    assert!(
        finished.stdout.contains("note: broken.py: syntax errors; nothing is mutated in the statements at line 5"),
        "{finished}"
    );
    assert!(finished.stdout.contains("broken.py:2  healthy"), "{finished}");
}

/// No test can load such a file: the errors in it are named as the likely cause.
#[test]
fn a_file_with_syntax_errors_alone_is_not_what_the_tests_run() {
    let project = shop();
    project.write("broken.py", BROKEN);
    let error = "error: no test loads the code that would be mutated\n  \
                 at unittest: a failure planted in broken.py went unnoticed\n  \
                 cause: broken.py: syntax errors; nothing is mutated in the statements at line 5\n  \
                 mend: if the tests use an installed copy of it, install it as editable (`pip install -e .`); \
                 else choose code that they use\n";
    assert_says(&project, &["broken.py"], RED, error);
}

#[test]
fn a_file_of_nothing_but_syntax_errors_measures_nothing_and_says_why() {
    let project = shop();
    project.write("shop.py", "def broken(:\n    pass\n");
    let finished = run(&project, &["shop.py"]);
    finished.assert_code(NOTHING_TO_MEASURE);
    assert!(finished.stdout.contains("note: shop.py: syntax errors"), "{finished}");
}

// Tests.

#[test]
fn a_project_without_tests_is_told_what_was_looked_for() {
    let project = shop();
    fs::remove_file(project.path("test_shop.py")).expect("a file");
    let error = "error: no tests found\n  at [ROOT]\n  cause: looked for files named test_*.py, *_test.py or test*.py\n  \
                 mend: name the test files with `--tests`, or how to run the tests with `--test-cmd`\n";
    assert_says(&project, &["shop.py"], NOTHING_TO_MEASURE, error);
}

#[test]
fn a_test_file_without_tests_is_no_green_baseline() {
    let project = shop();
    project.write("test_shop.py", "import unittest\n");
    let finished = run(&project, &["shop.py", "--framework", "unittest"]);
    finished.assert_code(NOTHING_TO_MEASURE);
    assert!(finished.stderr.starts_with("error: unittest found no test\n  mend: "), "{finished}");
}

#[test]
fn a_test_file_that_does_not_load_is_red() {
    let project = shop();
    project.write("test_shop.py", "import unittest, nowhere\n\nclass T(unittest.TestCase): pass\n");
    let error = "error: the tests already fail without any mutant\n  \
                 at test_shop does not load: ModuleNotFoundError: No module named 'nowhere'\n  \
                 mend: make the tests load with unittest, or name the files that are to run with `--tests`\n";
    assert_says(&project, &["shop.py"], RED, error);
}

#[test]
fn tests_that_are_not_there_are_named() {
    let error = "error: no such file or folder of tests\n  at [ROOT]/nowhere\n  mend: correct `--tests`\n";
    assert_says(&shop(), &["shop.py", "--tests", "nowhere"], USAGE, error);
}

#[test]
fn a_command_that_cannot_be_started_or_fails_is_named() {
    let error = "error: the test process could not be started\n  at ./nowhere\n  cause: No such file or directory (os error 2)\n  \
                 mend: correct `--test-cmd` or `--python`; it is started in the project's folder, and not by a shell\n";
    assert_says(&shop(), &["shop.py", "--test-cmd", "./nowhere"], ENVIRONMENT, error);
    let error = "error: the tests already fail without any mutant\n  at sh -c 'exit 3': exit code 3\n  \
                 mend: make `sh -c 'exit 3'` pass\n";
    assert_says(&shop(), &["shop.py", "--test-cmd", "sh -c 'exit 3'"], RED, error);
}

#[test]
fn a_missing_interpreter_is_never_replaced_by_another() {
    let error = "error: the Python interpreter that was named does not exist\n  at /nowhere\n  \
                 mend: correct `--python`, or leave it out to use the project's own environment\n";
    assert_says(&shop(), &["shop.py", "--python", "/nowhere"], ENVIRONMENT, error);
}

#[test]
fn a_missing_framework_is_answered_with_the_command_that_installs_it() {
    let project = shop();
    let bare = project.beside().join("bare");
    let made = Command::new("python3").args(["-m", "venv", "--without-pip"]).arg(&bare).status().expect("python3");
    assert!(made.success());
    let python = bare.join("bin/python3");
    let python = python.to_str().expect("a Unicode path");
    let error = format!(
        "error: pytest is not installed for the interpreter that runs the tests\n  at {python}\n  \
         mend: run `uv pip install --python {python} pytest`, or name another interpreter with `--python PATH`\n"
    );
    assert_says(&project, &["shop.py", "--framework", "pytest", "--python", python], ENVIRONMENT, &error);
}

/// The project is installed, but not as editable: the tests never see its files.
#[test]
fn tests_that_load_an_installed_copy_measure_nothing() {
    for scratch in ["overlay", "copy"] {
        let project = Project::copy_of("python-src-layout");
        let bin = python::editable_install(project.root(), &project.beside().join("venv"));
        let packages = project.beside().join("venv/lib");
        let packages = fs::read_dir(packages).expect("a folder").flatten().next().expect("a version").path().join("site-packages");
        for entry in fs::read_dir(&packages).expect("the packages").flatten() {
            if entry.file_name().to_string_lossy().contains("editable") {
                fs::remove_file(entry.path()).expect("a file");
            }
        }
        let installed = packages.join("temperature");
        support::project::copy_tree(&project.path("src/temperature"), &installed);
        let python = bin.join("python3");
        let arguments = ["src", "--scratch", scratch, "--python", python.to_str().expect("a Unicode path")];
        let error = format!(
            "error: the tests do not run the copy that would be mutated\n  \
             at pytest: they load {} in place of src/temperature/convert.py\n  \
             mend: install the project so that its own files are used: `pip install --editable .`\n",
            installed.join("convert.py").display()
        );
        assert_says(&project, &arguments, RED, &error);
    }
}

// Rules and settings.

#[test]
fn a_malformed_rule_is_named_with_its_line() {
    let project = shop();
    project.write("mutation-rules/own/rule.toml", "summary = \"x\"\nkind = 3\n");
    let finished = run(&project, &["shop.py"]);
    finished.assert_code(USAGE);
    let said = &finished.stderr;
    assert!(said.starts_with("error: rule `own/rule` cannot be used: "), "{finished}");
    assert!(said.contains("\n  at mutation-rules/own/rule.toml:2\n  mend: correct the file; "), "{finished}");
}

#[test]
fn a_rule_that_takes_the_id_of_a_built_in_one_is_refused() {
    let project = shop();
    project.write("mutation-rules/condition/boundary.toml", "");
    let error = "error: the project's rule `condition/boundary` has the id of a built-in rule\n  \
                 at mutation-rules/condition/boundary.toml\n  mend: give the file another name\n";
    assert_says(&project, &["shop.py"], USAGE, error);
}

#[test]
fn an_unknown_rule_gets_the_nearest_one() {
    let error =
        "error: no rule is called `condition/boundry`\n  mend: the nearest is `condition/boundary`; see `mutate rules list`\n";
    assert_says(&shop(), &["shop.py", "--select", "condition/boundry"], USAGE, error);
    assert_says(&shop(), &["shop.py", "--ignore", "condition/boundry"], USAGE, error);
}

#[test]
fn an_unknown_setting_gets_the_nearest_one() {
    let project = shop();
    project.write("mutate.toml", "jbos = 2\n");
    let error = "error: there is no setting `jbos`\n  at [ROOT]/mutate.toml:1\n  mend: did you mean `jobs`?\n";
    assert_says(&project, &["shop.py"], USAGE, error);
}

#[test]
fn an_unknown_framework_is_answered_with_those_there_are() {
    let error = "error: there is no test framework `nose`\n  mend: use auto, pytest or unittest\n";
    assert_says(&shop(), &["shop.py", "--framework", "nose"], USAGE, error);
}
