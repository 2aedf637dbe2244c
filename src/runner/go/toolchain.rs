//! Finds the Go that builds the tests, as the `go` on the search path chooses it for this module.

use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::Deserialize;

use crate::error::{Error, Result};
use crate::scratch::capture::{Answer, capture};
use crate::scratch::process::Command;

/// Older ones do not frame what tests print (`-test.v=test2json`).
const OLDEST: (u32, u32) = (1, 20);
const INSTALL: &str = "install Go 1.20 or newer and put its `bin` folder on PATH";

/// A Go that answered.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub struct Toolchain {
    goroot: PathBuf,
    /// For example `go1.26.8`.
    goversion: String,
    pub goflags: String,
    pub gocache: PathBuf,
    goos: String,
    goarch: String,
    pub gohostos: String,
    pub gohostarch: String,
}

impl Toolchain {
    /// Asks the `go` on the search path, in the root. It may choose another one that is there already; none is fetched.
    pub fn find(root: &Path) -> Result<Toolchain> {
        let path = std::env::var_os("PATH").unwrap_or_default();
        let program = std::env::split_paths(&path).map(|folder| folder.join("go")).find(|path| is_program(path));
        let program = program.ok_or_else(|| Error::environment("`go` is not on PATH, so no Go test can run").mend(INSTALL))?;
        let answer = ask(&program, root)?;
        if answer.code != Some(0) {
            return Err(refused(&String::from_utf8_lossy(&answer.stderr), root));
        }
        let found: Toolchain = serde_json::from_slice(&answer.stdout).map_err(|why| {
            Error::environment("the `go` on PATH does not say what it is").at(program.display()).cause(why).mend(INSTALL)
        })?;
        found.checked()
    }

    fn checked(self) -> Result<Toolchain> {
        if release(&self.goversion) < OLDEST {
            let what = format!("{} is too old, go{}.{} is needed", self.goversion, OLDEST.0, OLDEST.1);
            return Err(Error::environment(what).at(self.goroot.display()).mend(INSTALL));
        }
        if (&self.goos, &self.goarch) != (&self.gohostos, &self.gohostarch) {
            let what = format!("tests that are built for {}/{} cannot run here", self.goos, self.goarch);
            return Err(Error::environment(what).mend("unset GOOS and GOARCH (`go env -u GOOS GOARCH`)"));
        }
        Ok(self)
    }

    /// The `go` program itself, which chooses no other.
    pub fn program(&self) -> PathBuf {
        self.goroot.join("bin/go")
    }

    /// `go1.26.8`
    pub fn version(&self) -> &str {
        self.goversion.split_whitespace().next().unwrap_or_default()
    }
}

fn ask(program: &Path, root: &Path) -> Result<Answer> {
    let question = Command {
        program: program.to_owned(),
        args: ["env", "-json"].map(Into::into).to_vec(),
        dir: root.to_owned(),
        env: [("GOPROXY", "off"), ("PWD", &root.to_string_lossy())].map(|(name, value)| (name.into(), value.into())).to_vec(),
        remove: vec![],
    };
    capture(&question, Duration::from_secs(60))
}

/// The usual reason is a module that asks for a newer Go than there is.
fn refused(complaint: &str, root: &Path) -> Error {
    let why = complaint.trim().trim_start_matches("go: ");
    let error = Error::environment("`go` does not work in this module").at(root.display()).cause(why);
    match why.contains("toolchain") || why.contains("requires go") {
        true => {
            error.mend("install the Go version that go.mod asks for; `go version` in the module fetches it where that is allowed")
        }
        false => error.mend("make `go env` work there"),
    }
}

/// Major and minor number; an odd version text, such as that of a development build, counts as new.
fn release(version: &str) -> (u32, u32) {
    let digits = |part: &str| part.split(|letter: char| !letter.is_ascii_digit()).next().unwrap_or_default().parse::<u32>();
    let mut numbers = version.trim_start_matches("go").split('.').map(digits);
    match (numbers.next(), numbers.next()) {
        (Some(Ok(major)), Some(Ok(minor))) => (major, minor),
        _ => (u32::MAX, 0),
    }
}

fn is_program(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    path.metadata().is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Kind;

    fn toolchain(version: &str, goos: &str) -> Toolchain {
        Toolchain {
            goroot: "/go".into(),
            goversion: version.into(),
            goflags: String::new(),
            gocache: PathBuf::new(),
            goos: goos.into(),
            goarch: "amd64".into(),
            gohostos: "linux".into(),
            gohostarch: "amd64".into(),
        }
    }

    #[test]
    fn versions_are_compared_as_numbers() {
        assert!(release("go1.9.7") < OLDEST);
        assert!(release("go1.100") > OLDEST);
        assert!(release("go1.20rc1") >= OLDEST);
        assert!(release("devel go1.27-abcdef") > OLDEST);
    }

    #[test]
    fn an_old_go_is_named() {
        let error = toolchain("go1.19.13", "linux").checked().unwrap_err();
        assert_eq!(error.kind, Kind::Environment);
        assert!(error.to_string().contains("go1.19.13 is too old"), "{error}");
    }

    #[test]
    fn tests_for_another_system_are_refused() {
        let error = toolchain("go1.26.8", "windows").checked().unwrap_err();
        assert!(error.to_string().contains("windows/amd64"), "{error}");
        assert!(toolchain("go1.26.8", "linux").checked().is_ok());
    }

    #[test]
    fn a_module_that_wants_a_newer_go_says_which() {
        let complaint = "go: go.mod requires go >= 1.99 (running go 1.26.8; GOTOOLCHAIN=local)\n";
        let error = refused(complaint, Path::new("/project"));
        assert_eq!(error.kind, Kind::Environment);
        assert!(error.to_string().contains("requires go >= 1.99"), "{error}");
    }
}
