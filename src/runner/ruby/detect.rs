//! Finds the framework of a Ruby project from its files; runs nothing.

use std::path::{Path, PathBuf};

use ignore::WalkBuilder;

use crate::error::{Error, Result};

/// The framework of a project, or of the files that the user named. Fails with `Kind::NothingToMeasure` if there is no spec.
pub fn framework(root: &Path, named: &[PathBuf]) -> Result<&'static str> {
    let has_specs = !named.is_empty() || root.join(".rspec").is_file() || holds(&root.join("spec"), "_spec.rb");
    if has_specs {
        return Ok("rspec");
    }
    let other = holds(&root.join("test"), ".rb");
    let cause =
        if other { "there is a folder `test`, but RSpec does not run what is in it" } else { "looked for spec/**/*_spec.rb" };
    Err(Error::nothing("no tests found").at(root.display()).cause(cause).mend(
        "name the spec files with `--tests`, or how to run the tests with `--test-cmd`, for example `--test-cmd \"rake test\"`",
    ))
}

/// True if a file below the folder has a name with this end.
fn holds(folder: &Path, end: &str) -> bool {
    let files = WalkBuilder::new(folder).require_git(false).build().filter_map(|entry| entry.ok());
    files.filter(|entry| entry.file_type().is_some_and(|kind| kind.is_file())).any(|entry| {
        let name = entry.file_name().to_string_lossy();
        name.ends_with(end)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Kind;

    fn framework_of(files: &[&str], named: &[PathBuf]) -> Result<&'static str> {
        let scene = tempfile::tempdir().unwrap();
        for file in files {
            let path = scene.path().join(file);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, "").unwrap();
        }
        framework(scene.path(), named)
    }

    #[test]
    fn specs_settings_or_named_files_mean_rspec() {
        assert_eq!(framework_of(&["spec/a/b_spec.rb"], &[]).unwrap(), "rspec");
        assert_eq!(framework_of(&[".rspec"], &[]).unwrap(), "rspec");
        assert_eq!(framework_of(&["checks/a.rb"], &["checks/a.rb".into()]).unwrap(), "rspec");
    }

    #[test]
    fn tests_of_another_framework_are_named() {
        let error = framework_of(&["test/a_test.rb"], &[]).unwrap_err();
        assert_eq!(error.kind, Kind::NothingToMeasure);
        assert!(error.to_string().contains("folder `test`") && error.to_string().contains("--test-cmd"), "{error}");
    }
}
