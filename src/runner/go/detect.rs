//! Go has one test framework; this finds out whether there is any test.

use std::path::{Path, PathBuf};

use ignore::WalkBuilder;

use crate::error::{Error, Result};

/// `go-test`, if a file of tests stands below the root, or among what was named. Runs nothing.
pub fn framework(root: &Path, named: &[PathBuf]) -> Result<&'static str> {
    let here = [PathBuf::new()];
    let places = if named.is_empty() { &here[..] } else { named };
    if places.iter().any(|place| has_tests(&root.join(place))) {
        return Ok("go-test");
    }
    Err(Error::nothing("no tests found")
        .at(root.display())
        .cause("looked for files named *_test.go")
        .mend("name the tests with `--tests`, or how to run the tests with `--test-cmd`"))
}

fn has_tests(place: &Path) -> bool {
    let walk = WalkBuilder::new(place).require_git(false).filter_entry(|entry| entry.file_name() != "vendor").build();
    walk.filter_map(|entry| entry.ok()).any(|entry| entry.file_name().to_string_lossy().ends_with("_test.go"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Kind;

    fn project(files: &[&str]) -> tempfile::TempDir {
        let scene = tempfile::tempdir().unwrap();
        for path in files.iter().map(|path| scene.path().join(path)) {
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, "").unwrap();
        }
        scene
    }

    #[test]
    fn a_file_of_tests_anywhere_is_enough() {
        assert_eq!(framework(project(&["go.mod", "deep/down/a_test.go"]).path(), &[]).unwrap(), "go-test");
    }

    #[test]
    fn no_tests_is_an_error_that_says_what_was_looked_for() {
        let error = framework(project(&["go.mod", "test.go", "vendor/a/a_test.go"]).path(), &[]).unwrap_err();
        assert_eq!(error.kind, Kind::NothingToMeasure);
        assert!(error.to_string().contains("*_test.go"), "{error}");
    }

    #[test]
    fn named_places_decide_alone() {
        let scene = project(&["a/a_test.go", "b/b.go"]);
        assert!(framework(scene.path(), &["b".into()]).is_err());
        assert!(framework(scene.path(), &["b".into(), "a/a_test.go".into()]).is_ok());
    }
}
