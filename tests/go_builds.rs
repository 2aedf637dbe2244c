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
