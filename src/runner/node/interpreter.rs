//! Finds the Node that runs the tests, and asks it for its version.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::error::{Error, Result};
use crate::scratch::capture::capture;
use crate::scratch::process::Command;

/// The oldest Node that the helpers run on.
const OLDEST: u32 = 18;

/// A Node that answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// Absolute, as found on the search path: version managers put links and small programs there.
    pub program: PathBuf,
    pub version: (u32, u32, u32),
}

impl Node {
    /// The `node` of the search path. Fails with `Kind::Environment` without one, or with one that is too old.
    pub fn find(root: &Path) -> Result<Node> {
        Node::on_path(std::env::var_os("PATH"), root)
    }

    fn on_path(path: Option<OsString>, root: &Path) -> Result<Node> {
        let folders = path.as_ref().into_iter().flat_map(std::env::split_paths);
        // What stands on the path without a leading `/` means another file in every folder.
        let program = folders.filter(|folder| folder.is_absolute()).map(|folder| folder.join("node")).find(|path| is_program(path));
        let program = program.ok_or_else(|| {
            Error::environment("there is no `node` on the search path")
                .mend(format!("install Node.js {OLDEST} or newer (from nodejs.org, a version manager or the system's packages)"))
        })?;
        let version = ask(&program, root)?;
        if version.0 < OLDEST {
            return Err(Error::environment(format!("Node.js {} is too old, {OLDEST} is needed", version.0))
                .at(program.display())
                .mend("put a newer `node` on the search path"));
        }
        Ok(Node { program, version })
    }

    pub fn version_text(&self) -> String {
        let (major, minor, patch) = self.version;
        format!("Node.js {major}.{minor}.{patch}")
    }
}

/// In the project's folder: there a version manager decides.
fn ask(program: &Path, root: &Path) -> Result<(u32, u32, u32)> {
    let question =
        Command { program: program.to_owned(), args: vec!["--version".into()], dir: root.to_owned(), env: vec![], remove: vec![] };
    let answer = capture(&question, Duration::from_secs(60))?;
    let text = String::from_utf8_lossy(&answer.stdout);
    version(text.trim()).ok_or_else(|| {
        Error::environment("this program does not answer as Node.js does")
            .at(program.display())
            .cause(format!("{} {}", text.trim(), String::from_utf8_lossy(&answer.stderr).trim()).trim())
            .mend("put a working `node` on the search path")
    })
}

/// `v20.20.2`.
fn version(text: &str) -> Option<(u32, u32, u32)> {
    let mut numbers = text.strip_prefix('v')?.splitn(3, '.').map(|part| {
        let digits = part.find(|character: char| !character.is_ascii_digit()).unwrap_or(part.len());
        part[..digits].parse::<u32>().ok()
    });
    Some((numbers.next()??, numbers.next()??, numbers.next()??))
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

    /// A search path of one folder, with a `node` that says this.
    fn path_with(scene: &Path, says: &str) -> Option<OsString> {
        let program = scene.join("node");
        fs::write(&program, format!("#!/bin/sh\necho '{says}'\n")).unwrap();
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
        Some(scene.as_os_str().to_owned())
    }

    #[test]
    fn a_missing_node_says_how_to_get_one() {
        let error = Node::on_path(Some("/does-not-exist".into()), Path::new("/")).unwrap_err();
        assert_eq!(error.kind, crate::error::Kind::Environment);
        assert!(error.to_string().contains("install Node.js"), "{error}");
    }

    #[test]
    fn an_old_node_and_another_program_are_named() {
        let scene = tempfile::tempdir().unwrap();
        let error = Node::on_path(path_with(scene.path(), "v16.20.2"), Path::new("/")).unwrap_err();
        assert_eq!(error.what, "Node.js 16 is too old, 18 is needed");
        let error = Node::on_path(path_with(scene.path(), "hello"), Path::new("/")).unwrap_err();
        assert!(error.to_string().contains("hello"), "{error}");
    }

    #[test]
    fn the_version_of_a_node_is_three_numbers() {
        let scene = tempfile::tempdir().unwrap();
        let node = Node::on_path(path_with(scene.path(), "v22.12.0-nightly1"), Path::new("/")).unwrap();
        assert_eq!(node.version_text(), "Node.js 22.12.0");
        assert_eq!(version("v22.12"), None);
    }
}
