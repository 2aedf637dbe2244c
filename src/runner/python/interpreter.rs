//! Finds the Python that runs the tests, and asks it what it can do.
//!
//! The order is what people expect from their shell and editor: what they named, the active environment, the environment that
//! stands in the project, then the search path.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::Deserialize;

use crate::error::{Error, Result};
use crate::scratch::capture::capture;
use crate::scratch::process::Command;

/// The oldest Python that the helpers run on.
const OLDEST: (u32, u32) = (3, 8);

const QUESTION: &str = r#"
import json, sys
try:
    import pytest
    pytest_version = pytest.__version__
except ImportError:
    pytest_version = None
try:
    import pip
    has_pip = True
except ImportError:
    has_pip = False
sys.stdout.write("\n" + json.dumps(dict(program=sys.executable, version=list(sys.version_info[:3]), pytest=pytest_version, pip=has_pip)))
"#;

/// A Python that answered.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Interpreter {
    /// Absolute. A link of a virtual environment is not followed: the link is what makes it that environment.
    pub program: PathBuf,
    pub version: (u32, u32, u32),
    /// Version of pytest, if it can be imported.
    pub pytest: Option<String>,
    pip: bool,
    /// The name by which it was found on the search path, if it was.
    #[serde(skip)]
    short_name: Option<String>,
}

impl Interpreter {
    /// Finds and asks; runs no code of the project except what its environment loads at start.
    pub fn find(named: Option<&Path>, root: &Path) -> Result<Interpreter> {
        let around = Surroundings::of_this_process();
        let path = search(named, root, &around)?;
        let short_name =
            path.file_name().and_then(|name| name.to_str()).filter(|name| around.on_path(name).as_ref() == Some(&path));
        Ok(Interpreter { short_name: short_name.map(str::to_owned), ..Interpreter::ask(&path, root)? })
    }

    fn ask(path: &Path, root: &Path) -> Result<Interpreter> {
        let question = Command {
            program: path.to_owned(),
            args: vec!["-c".into(), QUESTION.into()],
            dir: root.to_owned(),
            env: vec![],
            remove: vec![],
        };
        let answer = capture(&question, Duration::from_secs(60))?;
        let last_line = answer.stdout.split(|byte| *byte == b'\n').next_back().unwrap_or_default();
        let interpreter: Interpreter = serde_json::from_slice(last_line).map_err(|_| {
            Error::environment("the Python interpreter does not work")
                .at(path.display())
                .cause(String::from_utf8_lossy(&answer.stderr).trim())
                .mend("name a working one with `--python PATH`")
        })?;
        interpreter.checked(path)
    }

    fn checked(mut self, asked: &Path) -> Result<Interpreter> {
        let (major, minor, _) = self.version;
        if (major, minor) < OLDEST {
            return Err(Error::environment(format!("Python {major}.{minor} is too old, {}.{} is needed", OLDEST.0, OLDEST.1))
                .at(asked.display())
                .mend("name a newer one with `--python PATH`"));
        }
        // An embedded interpreter may not know its own name.
        if self.program.as_os_str().is_empty() {
            self.program = asked.to_owned();
        }
        Ok(self)
    }

    pub fn version_text(&self) -> String {
        let (major, minor, patch) = self.version;
        format!("Python {major}.{minor}.{patch}")
    }

    /// What a user types in the root to run a module.
    pub fn module(&self, root: &Path, module: &str) -> Vec<String> {
        let path = self.program.strip_prefix(root).unwrap_or(&self.program);
        let program = self.short_name.clone().unwrap_or_else(|| path.to_string_lossy().into_owned());
        vec![program, "-m".to_owned(), module.to_owned()]
    }

    /// What a user types to get this package.
    pub fn install(&self, package: &str) -> String {
        let program = shell_words::quote(&self.program.to_string_lossy()).into_owned();
        match self.pip {
            true => format!("{program} -m pip install {package}"),
            false => format!("uv pip install --python {program} {package}"),
        }
    }
}

/// What of the process environment decides.
struct Surroundings {
    virtual_env: Option<PathBuf>,
    path: Option<OsString>,
}

impl Surroundings {
    fn of_this_process() -> Surroundings {
        let virtual_env = std::env::var_os("VIRTUAL_ENV").filter(|value| !value.is_empty()).map(PathBuf::from);
        Surroundings { virtual_env, path: std::env::var_os("PATH") }
    }

    fn on_path(&self, name: &str) -> Option<PathBuf> {
        std::env::split_paths(self.path.as_ref()?).map(|folder| folder.join(name)).find(|path| is_program(path))
    }
}

fn search(named: Option<&Path>, root: &Path, around: &Surroundings) -> Result<PathBuf> {
    if let Some(named) = named {
        return search_named(named, root, around);
    }
    let mut looked_for = Vec::new();
    let environments = around.virtual_env.iter().cloned().chain(project_environments(root));
    for program in environments.map(|environment| environment.join("bin/python")) {
        if is_program(&program) {
            return Ok(program);
        }
        looked_for.push(program.display().to_string());
    }
    if let Some(program) = around.on_path("python3").or_else(|| around.on_path("python")) {
        return Ok(program);
    }
    looked_for.push("python3 and python on PATH".to_owned());
    Err(Error::environment("no Python interpreter found")
        .cause(format!("looked for {}", looked_for.join(", ")))
        .mend("install Python 3.8 or newer, or name an interpreter with `--python PATH`"))
}

fn search_named(named: &Path, root: &Path, around: &Surroundings) -> Result<PathBuf> {
    let bare_name = named.to_str().filter(|name| !name.contains('/'));
    let found = match bare_name {
        Some(name) => around.on_path(name),
        None => Some(root.join(named)).filter(|path| is_program(path)),
    };
    found.ok_or_else(|| {
        Error::environment("the Python interpreter that was named does not exist")
            .at(named.display())
            .mend("correct `--python`, or leave it out to use the project's own environment")
    })
}

/// `.venv` and `venv` in the project and above it, up to the root of the repository.
fn project_environments(root: &Path) -> impl Iterator<Item = PathBuf> {
    let repository = root.ancestors().position(|folder| folder.join(".git").exists()).unwrap_or(0);
    root.ancestors().take(repository + 1).flat_map(|folder| [folder.join(".venv"), folder.join("venv")])
}

fn is_program(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    path.metadata().is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    fn program(path: &Path) {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, "#!/bin/sh\n").unwrap();
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
    }

    fn nowhere() -> Surroundings {
        Surroundings { virtual_env: None, path: None }
    }

    #[test]
    fn the_active_environment_comes_before_that_of_the_project() {
        let scene = tempfile::tempdir().unwrap();
        program(&scene.path().join("active/bin/python"));
        program(&scene.path().join("project/.venv/bin/python"));
        let active = Surroundings { virtual_env: Some(scene.path().join("active")), path: None };
        let project = scene.path().join("project");
        assert_eq!(search(None, &project, &active).unwrap(), scene.path().join("active/bin/python"));
        assert_eq!(search(None, &project, &nowhere()).unwrap(), project.join(".venv/bin/python"));
    }

    #[test]
    fn an_environment_above_the_project_is_found_up_to_the_repository() {
        let scene = tempfile::tempdir().unwrap();
        program(&scene.path().join("repo/venv/bin/python"));
        program(&scene.path().join(".venv/bin/python"));
        let project = scene.path().join("repo/packages/shop");
        fs::create_dir_all(&project).unwrap();
        fs::create_dir_all(scene.path().join("repo/.git")).unwrap();
        assert_eq!(search(None, &project, &nowhere()).unwrap(), scene.path().join("repo/venv/bin/python"));
        fs::remove_file(scene.path().join("repo/venv/bin/python")).unwrap();
        assert!(search(None, &project, &nowhere()).is_err(), "what stands above the repository is not the project's");
    }

    #[test]
    fn the_search_path_is_the_last_resort() {
        let scene = tempfile::tempdir().unwrap();
        program(&scene.path().join("bin/python"));
        let around = Surroundings { virtual_env: None, path: Some(scene.path().join("bin").into_os_string()) };
        assert_eq!(search(None, scene.path(), &around).unwrap(), scene.path().join("bin/python"));
        program(&scene.path().join("bin/python3"));
        assert_eq!(search(None, scene.path(), &around).unwrap(), scene.path().join("bin/python3"));
    }

    #[test]
    fn an_error_names_what_was_looked_for() {
        let scene = tempfile::tempdir().unwrap();
        let error = search(None, scene.path(), &nowhere()).unwrap_err();
        assert_eq!(error.kind, crate::error::Kind::Environment);
        assert!(error.to_string().contains(".venv/bin/python"), "{error}");
        assert!(error.to_string().contains("--python"), "{error}");
    }

    #[test]
    fn a_named_interpreter_is_never_replaced_by_another() {
        let scene = tempfile::tempdir().unwrap();
        program(&scene.path().join(".venv/bin/python"));
        let error = search(Some(Path::new("missing/python")), scene.path(), &nowhere()).unwrap_err();
        assert_eq!(error.place.as_deref(), Some("missing/python"));
    }

    #[test]
    fn a_program_that_is_no_python_is_an_error() {
        let scene = tempfile::tempdir().unwrap();
        let error = Interpreter::ask(Path::new("/bin/echo"), scene.path()).unwrap_err();
        assert_eq!(error.kind, crate::error::Kind::Environment);
    }
}
