//! The helper program: built once with the user's own Go, in a folder of ours.
//!
//! It is the test process of every request. What is the same for all of them, the packages and their tests, it finds once.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::toolchain::Toolchain;
use crate::error::{Error, Result};
use crate::runner::Request;
use crate::scratch::capture::{Answer, capture};
use crate::scratch::folder::{Base, places};
use crate::scratch::process::Command;
use crate::suite::{TestId, TestSelection};

const SOURCES: [(&str, &str); 12] = [
    ("go.mod", "module mutate.helper\n\ngo 1.20\n"),
    ("main.go", include_str!("helper/main.go")),
    ("asked.go", include_str!("helper/asked.go")),
    ("build.go", include_str!("helper/build.go")),
    ("flags.go", include_str!("helper/flags.go")),
    ("frames.go", include_str!("helper/frames.go")),
    ("list.go", include_str!("helper/list.go")),
    ("pattern.go", include_str!("helper/pattern.go")),
    ("reach.go", include_str!("helper/reach.go")),
    ("report.go", include_str!("helper/report.go")),
    ("run.go", include_str!("helper/run.go")),
    ("switch.go", include_str!("helper/switch.go")),
];
const NAME: &str = "mutate-go-test";
/// With an empty cache, Go compiles a part of its library first.
const BUILD: Duration = Duration::from_secs(600);
const LIST: Duration = Duration::from_secs(300);

/// A helper that is there, in a folder that goes with this value.
#[derive(Debug)]
pub struct Helper {
    folder: Base,
    /// Files that this build does not have, relative to the root.
    ignored: Vec<String>,
}

/// What the helper reads as `setup.json`.
#[derive(Serialize)]
struct Setup<'a> {
    root: &'a Path,
    go: PathBuf,
    goflags: &'a str,
    tests: &'a [PathBuf],
    deselect: &'a [TestId],
}

/// What it says about the project.
#[derive(Deserialize)]
struct Listed {
    trouble: Option<String>,
    #[serde(default)]
    detail: String,
    tests: usize,
    #[serde(default)]
    ignored: Vec<String>,
}

/// What it reads as `request.json`.
#[derive(Serialize)]
struct Asked<'a> {
    /// `null`: all.
    only: Option<&'a [TestId]>,
    bail: bool,
    reach: bool,
    root: &'a Path,
    facts: PathBuf,
    built: Option<&'a Path>,
    active: u32,
    rounds: u64,
    woven: Option<Woven<'a>>,
}

/// Files that are to be built in the place of others.
#[derive(Serialize)]
struct Woven<'a> {
    check: bool,
    files: BTreeMap<&'a Path, &'a Path>,
}

impl Helper {
    /// Builds it and lets it find the tests; reads the project and writes nothing there.
    pub fn build(toolchain: &Toolchain, root: &Path, tests: &[PathBuf], deselect: &[TestId]) -> Result<Helper> {
        let failed = |why: std::io::Error| Error::environment("a temporary folder cannot be made").cause(why);
        let place = places().into_iter().next().unwrap_or_else(std::env::temp_dir);
        let mut helper = Helper { folder: Base::under(&place).map_err(failed)?, ignored: Vec::new() };
        SOURCES.iter().try_for_each(|(name, text)| write(&helper.path(name), text.as_bytes()))?;
        helper.compile(toolchain)?;
        let setup = Setup { root, go: toolchain.program(), goflags: &toolchain.goflags, tests, deselect };
        write(&helper.path("setup.json"), &json(&setup, root)?)?;
        helper.ignored = helper.list(root)?;
        Ok(helper)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn program(&self) -> PathBuf {
        self.path(NAME)
    }

    /// The user's settings are about the user's programs: none of them counts here but the place of the cache.
    fn compile(&self, toolchain: &Toolchain) -> Result<()> {
        let env = [
            ("GOENV", "off"),
            ("GOFLAGS", "-trimpath"),
            ("GOWORK", "off"),
            ("GO111MODULE", "on"),
            ("GOTOOLCHAIN", "local"),
            ("GOPROXY", "off"),
            ("CGO_ENABLED", "0"),
            ("GOOS", &toolchain.gohostos),
            ("GOARCH", &toolchain.gohostarch),
        ];
        let mut env: Vec<_> = env.map(|(name, value)| (name.into(), value.into())).to_vec();
        env.push(("GOCACHE".into(), toolchain.gocache.clone().into()));
        env.push(("PWD".into(), self.folder.path().into()));
        let command = Command {
            program: toolchain.program(),
            args: ["build", "-ldflags=-s -w", "-o", NAME, "."].map(Into::into).to_vec(),
            dir: self.folder.path().to_owned(),
            env,
            remove: vec!["GOEXPERIMENT".into()],
        };
        let answer = capture(&command, BUILD)?;
        match answer.code {
            Some(0) => Ok(()),
            _ => Err(Error::environment("the helper program cannot be built with this Go")
                .at(toolchain.program().display())
                .cause(complaint(&answer))),
        }
    }

    /// Finds the tests; gives the files that this build does not have.
    fn list(&self, root: &Path) -> Result<Vec<String>> {
        let command = Command {
            program: self.program(),
            args: vec!["list".into(), self.folder.path().into()],
            dir: root.to_owned(),
            env: vec![],
            remove: vec![],
        };
        let answer = capture(&command, LIST)?;
        let listed: Listed = serde_json::from_slice(&answer.stdout).map_err(|why| {
            Error::internal("the packages of the project cannot be listed").cause(format!("{why}; {}", complaint(&answer)))
        })?;
        match listed.trouble.as_deref() {
            None if listed.tests == 0 => Err(Error::nothing("go-test found no test")
                .at(root.display())
                .mend("name the tests with `--tests`, or say how to run them with `--test-cmd`")),
            None => Ok(listed.ignored),
            Some("modules") => Err(Error::environment("modules that the tests need are not there")
                .at(root.display())
                .cause(listed.detail)
                .mend("run `go mod download` (or `go mod tidy` if go.mod does not name them)")),
            Some(_) => Err(Error::environment("`go list` does not work in this module").at(root.display()).cause(listed.detail)),
        }
    }

    /// True for a file that the go command passes over here.
    pub fn ignores(&self, file: &str) -> bool {
        self.ignored.iter().any(|ignored| ignored == file)
    }

    /// The process for a request.
    pub fn command(&self, request: &Request) -> Result<Command> {
        self.ask("run", request, None)
    }

    /// The process that builds all test binaries with these files in the place of others, or only looks for mutants that are none.
    pub fn prebuild(&self, request: &Request, files: &[(PathBuf, PathBuf)], check: bool) -> Result<Command> {
        let files = files.iter().map(|(place, text)| (place.as_path(), text.as_path())).collect();
        self.ask("weave", request, Some(Woven { check, files }))
    }

    fn ask(&self, what: &str, request: &Request, woven: Option<Woven>) -> Result<Command> {
        let only = match request.selection {
            TestSelection::All => None,
            TestSelection::Only(tests) => Some(&tests[..]),
        };
        let Request { root, bail, reach, built, active, rounds, .. } = *request;
        // The helper counts with a sign.
        let rounds = rounds.min(i64::MAX as u64);
        let asked = Asked { only, bail, reach, root, facts: self.path("facts.json"), built, active, rounds, woven };
        write(&request.folder.join("request.json"), &json(&asked, request.root)?)?;
        Ok(Command {
            program: self.program(),
            args: vec![what.into(), request.folder.into()],
            dir: request.root.to_owned(),
            env: vec![],
            remove: vec![],
        })
    }
}

fn complaint(answer: &Answer) -> String {
    String::from_utf8_lossy(&answer.stderr).trim().to_owned()
}

fn json(value: &impl Serialize, root: &Path) -> Result<Vec<u8>> {
    serde_json::to_vec(value)
        .map_err(|why| Error::environment("the project stands at a path that is not Unicode").at(root.display()).cause(why))
}

fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    fs::write(path, bytes).map_err(|why| Error::environment("a helper file cannot be written").at(path.display()).cause(why))
}
