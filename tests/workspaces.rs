//! Several packages in one repository: each file is measured by the tests of its own package, in one run with one report.

use serde_json::Value;
use support::project::Project;
use support::run::{Finished, Run};

pub mod support;

const PRICE: &str = "def total(price, tax):\n    return price + tax\n";
const STOCK: &str = "def left(stock, sold):\n    return stock - sold\n";

fn test_of(module: &str, check: &str) -> String {
    format!(
        "import unittest\nimport {module}\n\n\nclass Case(unittest.TestCase):\n    def test_{module}(self):\n        self.assertEqual({check})\n"
    )
}

/// Two Python packages that know nothing of each other, and one whose tests use the first.
fn workspace() -> Project {
    let price = test_of("price", "price.total(1, 0), 1");
    let stock = test_of("stock", "stock.left(3, 1), 2");
    let app = "import pathlib, sys, unittest\nsys.path.insert(0, str(pathlib.Path(__file__).parents[1] / 'price'))\nimport price\n\n\nclass Case(unittest.TestCase):\n    def test_app(self):\n        self.assertEqual(price.total(1, 2), 3)\n";
    Project::of(&[
        (".git/HEAD", "ref: refs/heads/main\n"),
        ("packages/price/pyproject.toml", ""),
        ("packages/price/price.py", PRICE),
        ("packages/price/test_price.py", &price),
        ("packages/stock/pyproject.toml", ""),
        ("packages/stock/stock.py", STOCK),
        ("packages/stock/test_stock.py", &stock),
        ("packages/app/pyproject.toml", ""),
        ("packages/app/test_app.py", app),
    ])
}

fn run(project: &Project, arguments: &[&str]) -> Finished {
    Run::of(project).args(["--output-format", "json", "--jobs", "1", "--progress", "none"]).args(arguments).finish()
}

/// Status of each mutant of a file, with what it writes.
fn statuses(report: &Value, file: &str) -> Vec<String> {
    let mutants = report["files"][file]["mutants"].as_array().unwrap_or_else(|| panic!("no {file} in {report}"));
    mutants
        .iter()
        .map(|mutant| format!("{} {}", mutant["replacement"].as_str().unwrap(), mutant["status"].as_str().unwrap()))
        .collect()
}

fn packages(report: &Value) -> Vec<&str> {
    let baselines = report["config"]["mutate"]["baselines"].as_array().unwrap();
    baselines.iter().map(|baseline| baseline["package"].as_str().unwrap_or_default()).collect()
}

#[test]
fn each_file_is_measured_by_the_tests_of_its_own_package() {
    for mode in ["overlay", "copy"] {
        let report = run(&workspace(), &[".", "--scratch", mode]).report();
        assert_eq!(packages(&report), ["packages/price", "packages/stock"], "{mode}");
        let stock = statuses(&report, "packages/stock/stock.py");
        assert!(stock.iter().all(|status| status.ends_with("Killed")), "{mode}: {stock:?}");
        // With a tax of 0 nobody can tell plus from minus.
        let price = statuses(&report, "packages/price/price.py");
        assert!(price.contains(&"- Survived".to_owned()), "{mode}: {price:?}");
    }
}

#[test]
fn files_of_several_languages_are_measured_in_one_run() {
    let stock = test_of("stock", "stock.left(3, 1), 2");
    let project = Project::of(&[
        (".git/HEAD", "ref: refs/heads/main\n"),
        ("py/pyproject.toml", ""),
        ("py/stock.py", STOCK),
        ("py/test_stock.py", &stock),
        ("go/go.mod", "module shop\n\ngo 1.21\n"),
        ("go/price.go", "package shop\n\nfunc total(price, tax int) int {\n\treturn price + tax\n}\n"),
        (
            "go/price_test.go",
            "package shop\n\nimport \"testing\"\n\nfunc TestTotal(t *testing.T) {\n\tif total(1, 0) != 1 {\n\t\tt.Fatal()\n\t}\n}\n",
        ),
    ]);
    let report = run(&project, &["."]).report();
    assert_eq!(packages(&report), ["go", "py"]);
    assert!(statuses(&report, "py/stock.py").iter().all(|status| status.ends_with("Killed")), "{report}");
    // With a tax of 0 nobody can tell plus from minus.
    let go = statuses(&report, "go/price.go");
    assert!(go.contains(&"- Survived".to_owned()) && go.iter().any(|status| status.ends_with("Killed")), "{go:?}");
}

#[test]
fn one_package_alone_is_measured_as_if_it_stood_alone() {
    let report = run(&workspace(), &["packages/stock/stock.py"]).report();
    assert!(statuses(&report, "stock.py").iter().all(|status| status.ends_with("Killed")));
}

#[test]
fn tests_of_another_package_count_where_they_are_asked_for() {
    let project = workspace();
    let report = run(&project, &["packages", "--tests-also-in", "packages/app"]).report();
    let price = statuses(&report, "packages/price/price.py");
    assert!(price.iter().all(|status| status.ends_with("Killed")), "{price:?}");
    assert_eq!(packages(&report), ["packages/price", "packages/stock", "packages/app"]);
    project.write("mutate.toml", "tests-also-in = [\"packages/app\"]\n");
    assert_eq!(statuses(&run(&project, &["packages"]).report(), "packages/price/price.py"), price);
}

#[test]
fn a_single_file_is_shown_to_the_other_package_too() {
    let also = ["--tests-also-in", "packages/app"];
    let price =
        statuses(&run(&workspace(), &[&["packages/price/price.py"], &also[..]].concat()).report(), "packages/price/price.py");
    assert!(price.iter().all(|status| status.ends_with("Killed")), "{price:?}");
    // The other package need not use the file.
    let stock = run(&workspace(), &[&["packages/stock/stock.py"], &also[..]].concat());
    assert!(statuses(&stock.report(), "packages/stock/stock.py").iter().all(|status| status.ends_with("Killed")), "{stock}");
}

#[test]
fn a_package_that_does_not_exist_is_an_error() {
    let finished = run(&workspace(), &["packages", "--tests-also-in", "packages/nowhere"]);
    assert!(finished.assert_code(2).stderr.contains("there is no such package in the workspace"), "{finished}");
}

#[test]
fn a_red_package_is_named() {
    let project = workspace();
    project.write("packages/stock/test_stock.py", test_of("stock", "1, 2"));
    let finished = run(&project, &["."]);
    assert!(finished.assert_code(4).stderr.contains("test_stock"), "{finished}");
}

#[test]
fn a_package_without_tests_belongs_to_the_one_around_it() {
    let project = Project::of(&[
        ("pyproject.toml", ""),
        ("inner/pyproject.toml", ""),
        ("inner/price.py", PRICE),
        (
            "test_price.py",
            "import unittest\nfrom inner import price\n\n\nclass Case(unittest.TestCase):\n    def test_it(self):\n        self.assertEqual(price.total(1, 2), 3)\n",
        ),
    ]);
    let price = statuses(&run(&project, &["."]).report(), "inner/price.py");
    assert!(price.iter().all(|status| status.ends_with("Killed")), "{price:?}");
}

#[test]
fn a_root_that_is_named_is_the_only_package() {
    let project = workspace();
    let finished = run(&project, &["packages/stock/stock.py", "--root", "packages/stock"]);
    assert!(statuses(&finished.report(), "stock.py").iter().all(|status| status.ends_with("Killed")), "{finished}");
}

#[test]
fn a_sample_is_drawn_over_all_packages_together() {
    let report = run(&workspace(), &[".", "--sample", "2"]).report();
    let all: Vec<String> =
        ["packages/price/price.py", "packages/stock/stock.py"].iter().flat_map(|file| statuses(&report, file)).collect();
    assert_eq!(all.iter().filter(|status| !status.ends_with("Ignored")).count(), 2, "{all:?}");
}
