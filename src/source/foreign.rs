//! Folders in which no code of the project stands: other people's code, and what tools have made.
//!
//! A name alone proves little: `build`, `env` and `target` are also good names of packages. So such a folder is passed over only if the
//! tool that makes it is at work beside it. What git ignores is passed over before it comes here.

use std::path::Path;

use super::manifest;

/// Nobody calls a folder of their own so.
const ALWAYS: [&str; 6] = ["vendor", "_vendor", "node_modules", "third_party", "site-packages", "__pycache__"];

/// A folder that a tool makes, and the files beside it that bring the tool in.
const MADE: [(&str, &[&str]); 4] = [
    ("target", &["pom.xml", "Cargo.toml", "build.sbt"]),
    ("build", &["build.gradle", "build.gradle.kts", "package.json", "pyproject.toml", "setup.py", "setup.cfg"]),
    ("out", &["build.gradle", "build.gradle.kts", "pom.xml", "package.json"]),
    ("dist", &["package.json", "pyproject.toml", "setup.py", "setup.cfg"]),
];

/// What a folder holds that is an environment of Python, whatever it is called.
const ENVIRONMENTS: [&str; 2] = ["pyvenv.cfg", "conda-meta"];

/// True if nothing below the folder is code of the project. Asks the disk little: it is asked about every folder.
pub fn is_foreign(folder: &Path) -> bool {
    let Some(name) = folder.file_name().and_then(|name| name.to_str()) else { return false };
    if ALWAYS.contains(&name) || ENVIRONMENTS.iter().any(|sign| folder.join(sign).exists()) {
        return true;
    }
    let makers = MADE.iter().find(|(made, _)| *made == name).map(|(_, makers)| *makers);
    makers.is_some_and(|makers| is_made(folder, makers))
}

fn is_made(folder: &Path, makers: &[&str]) -> bool {
    let around = folder.parent().unwrap_or(folder);
    makers.iter().any(|maker| around.join(maker).is_file()) && !is_package(folder)
}

/// Tools make no packages of these kinds at such a place.
fn is_package(folder: &Path) -> bool {
    folder.join("__init__.py").exists() || manifest::is_in(folder, &["*.go".to_owned()])
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    /// Whether the folder is passed over in a project of these files.
    fn is_passed_over(folder: &str, files: &[&str]) -> bool {
        let scene = tempfile::tempdir().unwrap();
        for path in files.iter().map(|path| scene.path().join(path)) {
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        }
        is_foreign(&scene.path().join(folder))
    }

    #[test]
    fn what_a_build_makes_stands_beside_its_manifest() {
        assert!(is_passed_over("target", &["pom.xml", "target/made.java"]));
        assert!(is_passed_over("build", &["build.gradle.kts", "build/made.java"]));
        assert!(is_passed_over("dist", &["package.json", "dist/made.js"]));
        assert!(is_passed_over("build", &["setup.py", "build/lib/shop/made.py"]));
    }

    #[test]
    fn a_package_may_be_called_like_one_of_them() {
        assert!(!is_passed_over("src/main/java/com/shop/build", &["pom.xml", "src/main/java/com/shop/build/Plan.java"]));
        assert!(!is_passed_over("env", &["go.mod", "env/env.go"]));
        assert!(!is_passed_over("build", &["go.mod", "package.json", "build/build.go"]));
        assert!(!is_passed_over("src/out", &["package.json", "src/out/writer.ts"]));
        assert!(!is_passed_over("build", &["pyproject.toml", "build/__init__.py"]));
        assert!(!is_passed_over("target", &["package.json", "target/aim.ts"]));
    }

    #[test]
    fn an_environment_of_python_shows_by_what_it_holds() {
        assert!(is_passed_over("anything", &["anything/pyvenv.cfg"]));
        assert!(is_passed_over("env", &["env/conda-meta/history"]));
        assert!(!is_passed_over("venv", &["venv/__init__.py"]));
    }
}
