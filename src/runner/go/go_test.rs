//! `go test`: tests, examples and the seeds of fuzz targets of a module or a workspace.
//!
//! The exit code of `go test` is 1 for a failed test, for a program that does not compile and for a complaint of `go vet` alike. So our
//! helper takes the test binaries from it, runs them itself in the folders of their packages, and reads what they print, frame by frame.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::helper::Helper;
use super::toolchain::Toolchain;
use crate::error::{Error, Result};
use crate::runner::{Request, Runner, report};
use crate::scratch::process::{Command, Ended, Exit};
use crate::suite::{TestId, TestRun};
use crate::text::ProjectPath;

/// With this exit code the helper says that it could not do its work.
const TROUBLE: i32 = 3;

pub struct GoTest {
    helper: Helper,
    version: String,
}

impl GoTest {
    pub fn new(toolchain: Toolchain, helper: Helper) -> GoTest {
        let version = format!("go test of {}", toolchain.version());
        GoTest { helper, version }
    }
}

impl Runner for GoTest {
    fn name(&self) -> &'static str {
        "go-test"
    }

    fn version(&self) -> &str {
        &self.version
    }

    fn measures_reach(&self, language: &str) -> bool {
        language == "go"
    }

    fn leaves_out(&self, source: &ProjectPath) -> Option<&'static str> {
        self.helper.ignores(source.as_str()).then_some("its build constraints leave it out here")
    }

    fn command(&self, request: &Request) -> Result<Command> {
        self.helper.command(request)
    }

    fn switches(&self, language: &str) -> bool {
        language == "go"
    }

    fn prebuild(&self, request: &Request, files: &[(PathBuf, PathBuf)], check: bool) -> Result<Command> {
        self.helper.prebuild(request, files, check)
    }

    fn plain_command(&self, _root: &Path, tests: &[TestId]) -> Option<Vec<String>> {
        let mut packages: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for test in tests {
            let (package, name) = test.as_str().split_once("::").unwrap_or((test.as_str(), ""));
            packages.entry(package).or_default().extend(Some(name).filter(|name| !name.is_empty()));
        }
        let folder = |package: &str| if package == "." { ".".to_owned() } else { format!("./{package}") };
        let mut words = vec!["go".to_owned(), "test".to_owned()];
        let names: Vec<&str> = packages.values().flatten().copied().collect();
        words.extend(packages.keys().map(|package| folder(package)));
        match names[..] {
            [] => {}
            [name] => words.extend(["-run".to_owned(), format!("^{name}$")]),
            _ => words.extend(["-run".to_owned(), format!("^({})$", names.join("|"))]),
        }
        Some(words)
    }

    fn read(&self, request: &Request, ended: &Ended) -> Result<TestRun> {
        let run = self.read_report(request, ended)?;
        let (count, over) = request.built.and_then(|_| rounds(request.folder)).unzip();
        Ok(TestRun { rounds: count, over_rounds: count.filter(|_| over == Some(true)), ..run })
    }

    fn cache_folders(&self) -> &'static [&'static str] {
        &[]
    }

    /// The compiler's cache goes by content.
    fn stale_forms(&self, _root: &Path, _source: &ProjectPath) -> Vec<ProjectPath> {
        Vec::new()
    }
}

impl GoTest {
    fn read_report(&self, request: &Request, ended: &Ended) -> Result<TestRun> {
        match (&ended.exit, report::read(request.folder)?) {
            (Exit::Code(TROUBLE), _) => Err(trouble(request.folder, ended)),
            (_, Some(run)) => Ok(run),
            (Exit::NotStarted { why }, None) => Err(Error::environment("the test process could not be started").cause(why)),
            (Exit::Code(code), None) => {
                Err(Error::environment(format!("the test process ended with exit code {code} before it began"))
                    .cause(ended.stderr_tail.trim()))
            }
            (_, None) => Ok(TestRun::default()),
        }
    }
}

/// What the switch has counted in all processes of the run, and whether that was too much: two numbers, written as memory.
fn rounds(folder: &Path) -> Option<(u64, bool)> {
    let bytes: [u8; 16] = std::fs::read(folder.join("rounds")).ok()?.try_into().ok()?;
    let number = |bytes: &[u8]| Some(u64::from_ne_bytes(bytes.try_into().ok()?));
    Some((number(&bytes[..8])?, number(&bytes[8..])? != 0))
}

/// Neither a test nor the compiler is to blame.
fn trouble(folder: &Path, ended: &Ended) -> Error {
    let told = std::fs::read_to_string(folder.join("trouble.txt")).unwrap_or_else(|_| ended.stderr_tail.trim().to_owned());
    let error = Error::environment("the tests could not be built and run").cause(told.trim());
    error.mend("make `go test ./...` work; a module that stands beside this one is only there with `--scratch overlay`")
}
