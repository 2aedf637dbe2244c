//! Go modules that are built in unusual ways: files for other systems, old language versions, vendored modules, the race detector, C.

use serde_json::Value;
use support::project::Project;
use support::run::{Finished, Run};

pub mod support;

const TEST: &str = "package shop\n\nimport \"testing\"\n\nfunc TestTotal(t *testing.T) {\n\tif Total(1, 2) != 3 {\n\t\tt.Fatal(Total(1, 2))\n\t}\n}\n";
const TOTAL: &str = "package shop\n\nfunc Total(price, tax int) int {\n\treturn price + tax\n}\n";

fn run(project: &Project, arguments: &[&str]) -> Finished {
    Run::of(project).args(["--output-format", "json", "--jobs", "1", "--progress", "none"]).args(arguments).finish()
}

/// Status of every mutant of a file.
fn statuses<'r>(report: &'r Value, file: &str) -> Vec<&'r str> {
    let mutants = report["files"][file]["mutants"].as_array().unwrap_or_else(|| panic!("no {file} in {report}"));
    mutants.iter().map(|mutant| mutant["status"].as_str().expect("a status")).collect()
}

#[test]
fn files_that_this_build_leaves_out_are_not_called_uncovered() {
    let other =
        |constraint: &str, name: &str| format!("{constraint}package shop\n\nfunc {name}(a, b int) int {{\n\treturn a - b\n}}\n");
    let project = Project::of(&[
        ("go.mod", "module example.com/shop\n\ngo 1.20\n"),
        ("total.go", TOTAL),
        ("total_test.go", TEST),
        ("total_windows.go", &other("", "Windows")),
        ("slow.go", &other("//go:build slow\n\n", "Slow")),
        ("plan9/only.go", &other("//go:build plan9\n\n", "Plan9")),
    ]);
    let report = run(&project, &["."]).report();
    assert!(statuses(&report, "total.go").iter().all(|status| *status == "Killed"), "{report}");
    for file in ["total_windows.go", "slow.go", "plan9/only.go"] {
        let statuses = statuses(&report, file);
        assert!(!statuses.is_empty() && statuses.iter().all(|status| *status == "Ignored"), "{file}: {report}");
    }
    let text = report.to_string();
    assert!(text.contains("its build constraints leave it out here"), "{text}");
    assert!(text.contains("plan9/only.go and 2 more are not measured: the tests are built without them"), "{text}");

    let with_tag =
        Run::of(&project).args(["--output-format", "json", "--jobs", "1", "."]).env("GOFLAGS", "-tags=slow").finish().report();
    assert!(statuses(&with_tag, "slow.go").iter().all(|status| *status == "NoCoverage"), "{with_tag}");
}

#[test]
fn a_file_that_this_build_leaves_out_cannot_be_measured_alone() {
    let project = Project::of(&[
        ("go.mod", "module example.com/shop\n\ngo 1.20\n"),
        ("total.go", TOTAL),
        ("total_test.go", TEST),
        ("total_windows.go", "package shop\n\nfunc Windows(a, b int) int {\n\treturn a - b\n}\n"),
    ]);
    let finished = run(&project, &["total_windows.go"]);
    assert!(finished.assert_code(3).stderr.contains("its build constraints leave it out here"), "{finished}");
}

#[test]
fn a_module_of_an_old_language_version_is_measured() {
    for version in ["1.9", "1.13"] {
        let module = format!("module example.com/shop\n\ngo {version}\n");
        let project = Project::of(&[("go.mod", &module), ("total.go", TOTAL), ("total_test.go", TEST)]);
        let report = run(&project, &["."]).report();
        assert!(statuses(&report, "total.go").iter().all(|status| *status == "Killed"), "{version}: {report}");
        assert_eq!(report["config"]["mutate"]["notices"], serde_json::json!([]), "{version}");
    }
}

/// The module that the tests need is there only as a vendored copy.
#[test]
fn a_vendored_module_is_used() {
    let test = TEST.replace("import \"testing\"", "import (\n\t\"testing\"\n\n\t_ \"example.org/far\"\n)");
    let project = Project::of(&[
        ("go.mod", "module example.com/shop\n\ngo 1.20\n\nrequire example.org/far v1.0.0\n"),
        ("go.sum", ""),
        ("total.go", TOTAL),
        ("total_test.go", &test),
        ("vendor/modules.txt", "# example.org/far v1.0.0\n## explicit; go 1.20\nexample.org/far\n"),
        ("vendor/example.org/far/far.go", "package far\n"),
    ]);
    for mode in ["overlay", "copy"] {
        let report = run(&project, &[".", "--scratch", mode]).report();
        assert!(statuses(&report, "total.go").iter().all(|status| *status == "Killed"), "{mode}: {report}");
        assert_eq!(report["files"].as_object().map(|files| files.len()), Some(1), "{report}");
    }
}

/// What only the race detector notices is noticed.
#[test]
fn tests_run_under_the_race_detector_if_the_user_wants_that() {
    let project = Project::of(&[
        ("go.mod", "module example.com/shop\n\ngo 1.20\n"),
        (
            "count.go",
            "package shop\n\nimport \"sync\"\n\ntype Count struct {\n\tlock sync.Mutex\n\tn    int\n}\n\n\
             func (c *Count) hold() func() {\n\tc.lock.Lock()\n\treturn c.lock.Unlock\n}\n\n\
             func (c *Count) Add() {\n\tdefer c.hold()()\n\tc.n++\n}\n\n\
             func Both() {\n\tvar c Count\n\tvar wait sync.WaitGroup\n\twait.Add(2)\n\tfor i := 0; i < 2; i++ {\n\t\t\
             go func() {\n\t\t\tc.Add()\n\t\t\twait.Done()\n\t\t}()\n\t}\n\twait.Wait()\n}\n",
        ),
        ("count_test.go", "package shop\n\nimport \"testing\"\n\nfunc TestBoth(t *testing.T) {\n\tBoth()\n}\n"),
    ]);
    let run = || {
        Run::of(&project).args([
            "--output-format",
            "json",
            "--jobs",
            "1",
            "--scratch",
            "copy",
            "--select",
            "concurrency/defer-remove",
            "count.go",
        ])
    };
    assert_eq!(statuses(&run().finish().report(), "count.go"), ["Survived"]);
    let with_detector = run().env("GOFLAGS", "-race").finish();
    assert_eq!(statuses(&with_detector.report(), "count.go"), ["Killed"], "{with_detector}");
}

#[test]
fn a_package_with_c_in_it_is_measured() {
    let project = Project::of(&[
        ("go.mod", "module example.com/shop\n\ngo 1.20\n"),
        (
            "twice.go",
            "package shop\n\n// static int twice(int n) { return n + n; }\nimport \"C\"\n\nfunc Twice(n int) int {\n\tif n < 0 {\n\t\treturn 0\n\t}\n\treturn int(C.twice(C.int(n)))\n}\n",
        ),
        ("total.go", TOTAL),
        (
            "total_test.go",
            &TEST.replace(
                "func Test",
                "func TestTwice(t *testing.T) {\n\tif Twice(2) != 4 || Twice(-1) != 0 {\n\t\tt.Fatal()\n\t}\n}\n\nfunc Test",
            ),
        ),
    ]);
    let report = run(&project, &["."]).report();
    for file in ["total.go", "twice.go"] {
        let statuses = statuses(&report, file);
        assert!(statuses.contains(&"Killed") && !statuses.contains(&"NoCoverage"), "{file}: {statuses:?}");
    }
}
