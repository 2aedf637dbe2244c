//! Guesses the framework of a Python project from its files; runs nothing.
//!
//! pytest runs unittest suites too, and finds more than unittest would. So a sign of pytest decides, and unittest is chosen only where
//! nothing but `TestCase` classes is there.

use std::fs;
use std::path::{Path, PathBuf};

use ignore::WalkBuilder;

use crate::error::{Error, Result};

/// What the files say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sign {
    Pytest,
    Unittest,
}

/// Where pytest reads its settings, and how they begin. An empty text means that the file alone is enough.
const PYTEST_SETTINGS: [(&str, &str); 6] = [
    ("pytest.ini", ""),
    (".pytest.ini", ""),
    ("pytest.toml", ""),
    ("pyproject.toml", "[tool.pytest"),
    ("setup.cfg", "[tool:pytest]"),
    ("tox.ini", "[pytest]"),
];

/// The framework of a project, or of the files that the user named.
pub fn framework(root: &Path, named: &[PathBuf]) -> Result<&'static str> {
    Ok(match sign(root, named)? {
        Sign::Pytest => "pytest",
        Sign::Unittest => "unittest",
    })
}

/// The sign for a project, or for the files that the user named. Fails with `Kind::NothingToMeasure` if there is no test at all.
pub fn sign(root: &Path, named: &[PathBuf]) -> Result<Sign> {
    let settings = settings_of_pytest(root);
    let files = test_files(root, named);
    let tests: Vec<&PathBuf> = files.iter().filter(|file| !is_conftest(file)).collect();
    if tests.is_empty() && named.is_empty() && !settings.as_deref().is_some_and(names_its_own_files) {
        return Err(Error::nothing("no tests found")
            .at(root.display())
            .cause("looked for files named test_*.py, *_test.py or test*.py")
            .mend("name the test files with `--tests`, or how to run the tests with `--test-cmd`"));
    }
    if settings.is_some() || tests.len() < files.len() {
        return Ok(Sign::Pytest);
    }
    let all_unittest = !tests.is_empty() && tests.iter().all(|file| looks_like_unittest(&fs::read(file).unwrap_or_default()));
    Ok(if all_unittest { Sign::Unittest } else { Sign::Pytest })
}

fn settings_of_pytest(root: &Path) -> Option<String> {
    PYTEST_SETTINGS.iter().find_map(|(file, section)| {
        let text = fs::read_to_string(root.join(file)).ok()?;
        let found = text.lines().any(|line| line.trim_start().starts_with(section)) || section.is_empty();
        found.then_some(text)
    })
}

/// pytest can be told to take tests from any file: then file names say nothing.
fn names_its_own_files(settings: &str) -> bool {
    ["python_files", "--doctest", "testpaths"].iter().any(|word| settings.contains(word))
}

/// Test files and `conftest.py` files, in path order.
fn test_files(root: &Path, named: &[PathBuf]) -> Vec<PathBuf> {
    let (folders, mut files): (Vec<PathBuf>, Vec<PathBuf>) = match named {
        [] => (vec![root.to_owned()], vec![]),
        named => named.iter().map(|path| root.join(path)).partition(|path| path.is_dir()),
    };
    for folder in folders {
        let walk = WalkBuilder::new(folder).require_git(false).filter_entry(|entry| !holds_foreign_code(entry.path())).build();
        let entries = walk.filter_map(|entry| entry.ok()).filter(|entry| entry.file_type().is_some_and(|kind| kind.is_file()));
        files.extend(entries.map(|entry| entry.into_path()).filter(|path| is_test_file(path) || is_conftest(path)));
    }
    files.sort();
    files
}

fn holds_foreign_code(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default();
    name == "node_modules" || name == "site-packages" || path.join("pyvenv.cfg").exists()
}

fn is_test_file(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    name.strip_suffix(".py").is_some_and(|stem| stem.starts_with("test") || stem.ends_with("_test"))
}

fn is_conftest(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name == "conftest.py")
}

/// True for a file whose tests all stand in `TestCase` classes, as far as lines can tell.
fn looks_like_unittest(text: &[u8]) -> bool {
    const ONLY_PYTEST: [&str; 5] = ["import pytest", "from pytest", "def test", "async def test", "class Test"];
    let text = String::from_utf8_lossy(text);
    let mut unittest = false;
    for line in text.lines() {
        if line.starts_with("class ") && line.contains('(') {
            unittest |= line.contains("TestCase");
        } else if ONLY_PYTEST.iter().any(|start| line.starts_with(start)) {
            return false;
        }
    }
    unittest || text.trim().is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Kind;

    fn project(files: &[(&str, &str)]) -> tempfile::TempDir {
        let scene = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let path = scene.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        scene
    }

    fn sign_of(files: &[(&str, &str)]) -> Sign {
        sign(project(files).path(), &[]).unwrap()
    }

    const CASES: &str = "import unittest\nclass TestShop(unittest.TestCase):\n    def test_a(self): pass\n";

    #[test]
    fn only_test_cases_mean_unittest() {
        assert_eq!(sign_of(&[("tests/test_a.py", CASES), ("shop.py", "def test_drive(): pass\n")]), Sign::Unittest);
    }

    #[test]
    fn one_sign_of_pytest_means_pytest() {
        assert_eq!(sign_of(&[("test_a.py", CASES), ("test_b.py", "def test_b():\n    pass\n")]), Sign::Pytest);
        assert_eq!(sign_of(&[("test_a.py", CASES), ("test_b.py", "import pytest\n")]), Sign::Pytest);
        assert_eq!(sign_of(&[("test_a.py", "class TestA:\n    def test_a(self): pass\n")]), Sign::Pytest);
        assert_eq!(sign_of(&[("test_a.py", CASES), ("tests/conftest.py", "")]), Sign::Pytest);
    }

    #[test]
    fn settings_of_pytest_mean_pytest() {
        assert_eq!(sign_of(&[("test_a.py", CASES), ("pytest.ini", "")]), Sign::Pytest);
        assert_eq!(sign_of(&[("test_a.py", CASES), ("pyproject.toml", "[tool.pytest.ini_options]\n")]), Sign::Pytest);
        assert_eq!(sign_of(&[("test_a.py", CASES), ("setup.cfg", "[tool:pytest]\n")]), Sign::Pytest);
        assert_eq!(sign_of(&[("test_a.py", CASES), ("tox.ini", "[testenv]\n")]), Sign::Unittest);
    }

    #[test]
    fn tests_of_an_environment_are_not_ours() {
        let files = [("env/pyvenv.cfg", ""), ("env/lib/test_a.py", CASES), ("shop.py", "")];
        assert_eq!(sign(project(&files).path(), &[]).unwrap_err().kind, Kind::NothingToMeasure);
    }

    #[test]
    fn no_tests_is_an_error_that_says_what_was_looked_for() {
        let error = sign(project(&[("shop.py", "")]).path(), &[]).unwrap_err();
        assert_eq!(error.kind, Kind::NothingToMeasure);
        assert!(error.to_string().contains("test_*.py") && error.to_string().contains("--test-cmd"), "{error}");
    }

    #[test]
    fn named_files_decide_alone() {
        let scene = project(&[("checks/shop.py", CASES), ("test_b.py", "import pytest\n")]);
        assert_eq!(sign(scene.path(), &["checks/shop.py".into()]).unwrap(), Sign::Unittest);
    }

    #[test]
    fn own_file_patterns_of_pytest_are_trusted() {
        let settings = "[pytest]\npython_files = check_*.py\n";
        assert_eq!(sign_of(&[("pytest.ini", settings), ("check_a.py", "")]), Sign::Pytest);
    }
}
