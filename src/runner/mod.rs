//! How to run a selection of tests in a framework, and how to read what came out.
//!
//! A [`Runner`] describes commands and reads results; it never spawns a process and never writes into the project. What a framework
//! needs from us is written into the request's own folder and injected through the environment.
//!
//! Which one it is: [`choose`] says, from what the user wants and what the project's files show.

pub mod asked;
pub mod command;
pub mod go;
pub mod harness;
pub mod junit_xml;
pub mod jvm;
pub mod node;
pub mod pytest;
pub mod python;
pub mod report;
pub mod ruby;
pub mod unittest;

use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::error::{Error, Result};
use crate::scratch::process::{Command, Ended};
use crate::suite::{TestId, TestRun, TestSelection};
use crate::text::ProjectPath;

use python::Setup;
use python::helper::Bytecode;
use python::interpreter::Interpreter;

/// One run of a test process, asked for by the engine.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// Where the project stands for the test process: its real path (overlay) or a scratch copy. Absolute and free of links, as
    /// the other two paths are: the helpers compare them with what Python calls its files.
    pub root: &'a Path,
    /// The user's own tree. Equal to `root` with an overlay.
    pub original_root: &'a Path,
    /// An empty folder outside of the project, private to this request: results go here.
    pub folder: &'a Path,
    pub selection: &'a TestSelection,
    /// Stop at the first failing test.
    pub bail: bool,
    /// Record which test reaches which probe (the files in `root` are woven with probes).
    pub reach: bool,
    /// In a session: how often the functions that a mutant changes may begin, and their loops go round, all together.
    pub rounds: u64,
    /// The folder of an earlier [`Runner::prebuild`]: what was built there is run, and nothing else is built.
    pub built: Option<&'a Path>,
    /// The number of the mutant that is active in what was built; 0: none.
    pub active: u32,
}

impl<'a> Request<'a> {
    /// A new process that runs all of the selection and records nothing else.
    pub fn new(root: &'a Path, original_root: &'a Path, folder: &'a Path, selection: &'a TestSelection) -> Request<'a> {
        Request { root, original_root, folder, selection, bail: false, reach: false, rounds: 0, built: None, active: 0 }
    }
}

/// A file that is another one for one trial. All paths are absolute.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Changed {
    /// As the test process sees it.
    pub file: PathBuf,
    /// Where its bytes lie as they were when the tests were loaded, and those of the trial.
    pub original: PathBuf,
    pub changed: PathBuf,
    /// Whether the code of the mutant is to run; false: the original code of the same functions. Their rounds are counted either way.
    pub mutant: bool,
}

/// A test framework.
pub trait Runner: Sync + Send {
    /// `pytest`, `unittest`, `command`.
    fn name(&self) -> &'static str;

    /// Version of the framework and of its interpreter, for reports; learned once.
    fn version(&self) -> &str;

    /// The process that runs this request. May write helper files into `request.folder`.
    fn command(&self, request: &Request) -> Result<Command>;

    /// Whether its helpers can tell which test reaches a probe in a file of this language. Where not, every mutant is shown to all tests.
    fn measures_reach(&self, _language: &str) -> bool {
        true
    }

    /// Why the program that is tested here does not have this file; `None` where it does, or where that is not known.
    fn leaves_out(&self, _source: &ProjectPath) -> Option<&'static str> {
        None
    }

    /// Whether it can build all mutants of a file of this language into one program and run it with one of them active.
    fn switches(&self, _language: &str) -> bool {
        false
    }

    /// The process that builds, for later runs with `built`, all that tests need, in `request.folder`. `files` are to be built in the
    /// place of others: the file of the project and where its text stands. With `check` it only says which mutants are no programs.
    fn prebuild(&self, _request: &Request, _files: &[(PathBuf, PathBuf)], _check: bool) -> Result<Command> {
        Err(Error::internal(format!("{} builds nothing beforehand", self.name())))
    }

    /// Whether its tests hold what the machine has only once, such as a port that they would share: then one worker is used.
    fn runs_alone(&self) -> bool {
        false
    }

    /// One line of the sources' language, without its end, to stand before the first statement of a woven file: it brings the word
    /// that probes call where the process that runs the file does not know it yet. `None`: not needed.
    fn probe_prelude(&self, _request: &Request) -> Option<String> {
        None
    }

    /// What a person types in `root` to run these tests without us: program and arguments.
    fn plain_command(&self, _root: &Path, _tests: &[TestId]) -> Option<Vec<String>> {
        None
    }

    /// The process of a session: it loads the tests and then waits for trials. `None`: every trial needs a new process.
    fn session(&self, _request: &Request) -> Option<Result<Command>> {
        None
    }

    /// Writes into the folder of a request what a child of the session has to know.
    fn turn(&self, _request: &Request, _changed: &[Changed]) -> Result<()> {
        Err(Error::internal(format!("{} has no sessions", self.name())))
    }

    /// What the process reported. An error means that the report cannot be read: the trial proves nothing.
    fn read(&self, request: &Request, ended: &Ended) -> Result<TestRun>;

    /// Names of folders in which the framework keeps caches that make later runs start warm and cannot change a verdict,
    /// for example `__pycache__`.
    fn cache_folders(&self) -> &'static [&'static str];

    /// Files that could hold an outdated form of a source file and must not be seen when it is mutated,
    /// for example its bytecode. Relative to the project root.
    fn stale_forms(&self, root: &Path, source: &ProjectPath) -> Vec<ProjectPath>;
}

/// Files that must not be seen while these sources are changed, in any of the layers that a tree is made of.
pub fn stale_forms<'p>(
    runner: &dyn Runner,
    layers: impl Iterator<Item = &'p Path>,
    sources: impl Iterator<Item = &'p ProjectPath> + Clone,
) -> Vec<ProjectPath> {
    let in_layer = |layer: &Path| sources.clone().flat_map(|source| runner.stale_forms(layer, source)).collect::<Vec<_>>();
    let mut stale: Vec<ProjectPath> = layers.flat_map(in_layer).collect();
    stale.sort();
    stale.dedup();
    stale
}

/// What the user may say about the tests.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    /// The name of a runner; `None`: what the files of the project show.
    pub framework: Option<String>,
    /// Run this instead of any framework.
    pub test_cmd: Option<String>,
    /// A path, or a name on the search path.
    pub python: Option<PathBuf>,
    /// Files and folders of tests: absolute, or relative to the project root. Empty: what the framework finds.
    pub tests: Vec<PathBuf>,
    /// Tests that never run.
    pub deselect: Vec<TestId>,
}

/// A row of the table of runners.
pub struct Entry {
    pub name: &'static str,
    /// Whose tests it runs; `None`: any.
    pub ecosystem: Option<&'static str>,
    open: Open,
}

/// Settings, root of the project, and the tests that were named, relative to it.
type Open = fn(&Settings, &Path, Vec<PathBuf>) -> Result<Box<dyn Runner>>;

/// All runners.
pub const ALL: &[Entry] = &[
    Entry { name: "pytest", ecosystem: Some("python"), open: open_pytest },
    Entry { name: "unittest", ecosystem: Some("python"), open: open_unittest },
    Entry { name: "jest", ecosystem: Some("node"), open: node::jest::open },
    Entry { name: "vitest", ecosystem: Some("node"), open: node::vitest::open },
    Entry { name: "go-test", ecosystem: Some("go"), open: go::open },
    Entry { name: "junit-maven", ecosystem: Some("jvm"), open: jvm::open_maven },
    Entry { name: "junit-gradle", ecosystem: Some("jvm"), open: jvm::open_gradle },
    Entry { name: "mocha", ecosystem: Some("node"), open: node::mocha::open },
    Entry { name: "node-test", ecosystem: Some("node"), open: node::nodetest::open },
    Entry { name: "playwright", ecosystem: Some("node"), open: node::playwright::open },
    Entry { name: "rspec", ecosystem: Some("ruby"), open: ruby::open },
    Entry { name: "command", ecosystem: None, open: open_command },
];

/// Root of the project, and the tests that were named, relative to it; the name of the runner that its files ask for.
type Detect = fn(&Path, &[PathBuf]) -> Result<&'static str>;

/// How the framework of a project is found, by ecosystem; none of these runs anything.
const DETECT: &[(&str, Detect)] = &[
    ("go", go::detect::framework),
    ("jvm", jvm::detect::framework),
    ("node", node::detect::framework),
    ("python", python::detect::framework),
    ("ruby", ruby::detect::framework),
];

/// The runner for a project of this ecosystem. `root` is the user's own tree, absolute and free of links.
///
/// Fails with `Kind::Usage` for paths that are not there, `Kind::NothingToMeasure` without any test, `Kind::Environment` without
/// interpreter or framework.
pub fn choose(settings: &Settings, root: &Path, ecosystem: &str) -> Result<Box<dyn Runner>> {
    let tests = named_tests(settings, root)?;
    let name = name_of_choice(settings, root, ecosystem, &tests)?;
    let entry = ALL.iter().find(|entry| entry.name == name).ok_or_else(|| Error::internal(format!("no runner is named {name}")))?;
    (entry.open)(settings, root, tests)
}

/// The name of the runner that [`choose`] would take; runs nothing.
pub fn detect(settings: &Settings, root: &Path, ecosystem: &str) -> Result<&'static str> {
    name_of_choice(settings, root, ecosystem, &named_tests(settings, root)?)
}

/// Whose tests a runner of this name runs; `None` if there is no such runner, or it runs any.
pub fn ecosystem_of(name: &str) -> Option<&'static str> {
    ALL.iter().find(|entry| entry.name == name).and_then(|entry| entry.ecosystem)
}

fn named_tests(settings: &Settings, root: &Path) -> Result<Vec<PathBuf>> {
    settings.tests.iter().map(|path| in_project(path, root)).collect()
}

fn name_of_choice(settings: &Settings, root: &Path, ecosystem: &str, tests: &[PathBuf]) -> Result<&'static str> {
    if settings.test_cmd.is_some() {
        return Ok("command");
    }
    if let Some(wanted) = &settings.framework {
        return by_name(wanted, ecosystem);
    }
    let detect = DETECT.iter().find(|(name, _)| *name == ecosystem).ok_or_else(|| {
        Error::usage(format!("there is no test runner for {ecosystem}")).mend("say how to run the tests with `--test-cmd \"…\"`")
    })?;
    detect.1(root, tests)
}

/// The runner that the user named; it must be able to run the tests of this ecosystem.
fn by_name(wanted: &str, ecosystem: &str) -> Result<&'static str> {
    let fits = |entry: &&Entry| entry.ecosystem == Some(ecosystem);
    let known = ALL.iter().filter(fits).find(|entry| entry.name == wanted);
    known.map(|entry| entry.name).ok_or_else(|| {
        let names: Vec<&str> = ALL.iter().filter(fits).map(|entry| entry.name).collect();
        let what = match ecosystem_of(wanted) {
            None => format!("there is no test framework `{wanted}`"),
            Some(other) => format!("`{wanted}` runs tests of {other}, not of {ecosystem}"),
        };
        Error::usage(what).mend(format!("use auto, {}", names.join(" or ")))
    })
}

/// A path of tests, relative to the root.
fn in_project(path: &Path, root: &Path) -> Result<PathBuf> {
    let full = root.join(path);
    if !full.exists() {
        return Err(Error::usage("no such file or folder of tests").at(path.display()).mend("correct `--tests`"));
    }
    let inside = full.strip_prefix(root).ok().filter(|inside| ProjectPath::new(inside).is_some());
    inside.map(Path::to_owned).ok_or_else(|| {
        Error::usage("tests must stand in the project").at(path.display()).mend("name a root that holds them with `--root`")
    })
}

fn setup(settings: &Settings, root: &Path, tests: Vec<PathBuf>) -> Result<Setup> {
    let interpreter = Interpreter::find(settings.python.as_deref(), root)?;
    let bytecode = Bytecode::compile(&interpreter)?;
    Ok(Setup { interpreter, bytecode, tests, deselect: settings.deselect.clone() })
}

fn open_pytest(settings: &Settings, root: &Path, tests: Vec<PathBuf>) -> Result<Box<dyn Runner>> {
    Ok(Box::new(pytest::Pytest::new(setup(settings, root, tests)?)?))
}

fn open_unittest(settings: &Settings, root: &Path, tests: Vec<PathBuf>) -> Result<Box<dyn Runner>> {
    Ok(Box::new(unittest::Unittest::new(setup(settings, root, tests)?)))
}

fn open_command(settings: &Settings, _root: &Path, tests: Vec<PathBuf>) -> Result<Box<dyn Runner>> {
    let text = settings.test_cmd.as_deref().unwrap_or_default();
    Ok(Box::new(command::AnyCommand::new(text, &tests)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Kind;

    fn project() -> tempfile::TempDir {
        let scene = tempfile::tempdir().unwrap();
        std::fs::write(scene.path().join("test_a.py"), "import unittest\nclass T(unittest.TestCase): pass\n").unwrap();
        scene
    }

    fn choice(settings: &Settings, ecosystem: &str) -> Result<&'static str> {
        name_of_choice(settings, project().path(), ecosystem, &[])
    }

    #[test]
    fn a_test_command_outranks_everything() {
        let settings = Settings { test_cmd: Some("make test".into()), framework: Some("pytest".into()), ..Settings::default() };
        assert_eq!(choice(&settings, "cobol").unwrap(), "command");
    }

    #[test]
    fn the_named_framework_outranks_the_signs() {
        assert_eq!(choice(&Settings::default(), "python").unwrap(), "unittest");
        let settings = Settings { framework: Some("pytest".into()), ..Settings::default() };
        assert_eq!(choice(&settings, "python").unwrap(), "pytest");
    }

    #[test]
    fn a_framework_of_another_ecosystem_is_refused() {
        let settings = Settings { framework: Some("rspec".into()), ..Settings::default() };
        let error = choice(&settings, "python").unwrap_err();
        assert_eq!((error.kind, error.mend.as_deref()), (Kind::Usage, Some("use auto, pytest or unittest")));
    }

    #[test]
    fn a_language_without_runner_asks_for_a_command() {
        let error = choice(&Settings::default(), "cobol").unwrap_err();
        assert_eq!(error.kind, Kind::Usage);
        assert!(error.to_string().contains("--test-cmd"), "{error}");
    }

    #[test]
    fn paths_of_tests_become_relative_to_the_root() {
        let scene = project();
        assert_eq!(in_project(&scene.path().join("test_a.py"), scene.path()).unwrap(), Path::new("test_a.py"));
        assert_eq!(in_project(Path::new("./test_a.py"), scene.path()).unwrap(), Path::new("test_a.py"));
        assert_eq!(in_project(Path::new("test_b.py"), scene.path()).unwrap_err().kind, Kind::Usage);
        assert_eq!(in_project(Path::new("/bin"), scene.path()).unwrap_err().kind, Kind::Usage);
    }
}
