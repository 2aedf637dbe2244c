//! JUnit, run by the project's own build (Maven, Gradle), and without it where that is proved to be the same.
//!
//! The first run of the suite goes through the build, and a second one, in the same process, without it: our own program compiles
//! everything once more and runs the tests in a process that is started as the build starts its own. If the classes are the same to the
//! byte and every test ends the same way, trials run without the build. They compile what has changed, and everything where a constant
//! has, of which other classes may hold copies. In any other case the build runs every trial, which takes longer.

pub mod build;
pub mod described;
pub mod detect;
pub mod direct;
pub mod helper;
pub mod lines;
pub mod reactor;
pub mod toolchain;

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use crate::error::Result;
use crate::runner::{Request, Runner, Settings, report};
use crate::scratch::process::{Command, Ended, Exit};
use crate::suite::{TestId, TestRun, TestSelection};
use crate::text::ProjectPath;

use build::{Build, Tool};
use described::Described;
use helper::Classes;
use toolchain::Java;

/// What the runners of this ecosystem are set up with.
#[derive(Clone, Debug)]
pub struct Setup {
    pub build: Build,
    pub classes: Classes,
    /// Java programs and the build tool, in words.
    pub version: String,
    /// Files and folders given with `--tests`, relative to the project root.
    pub tests: Vec<PathBuf>,
    /// Tests that never run.
    pub deselect: Vec<TestId>,
}

/// How the next process runs the tests.
#[derive(Clone, Debug)]
enum Way {
    /// By the build, which is to tell how it works.
    NotKnown,
    Direct(Arc<Described>),
    /// By the build, because we do not get the same without it; all tests in its order.
    Build(Vec<TestId>),
}

pub struct Junit {
    setup: Setup,
    way: Mutex<Way>,
}

pub fn open_maven(settings: &Settings, root: &Path, tests: Vec<PathBuf>) -> Result<Box<dyn Runner>> {
    open(&build::MAVEN, settings, root, tests)
}

pub fn open_gradle(settings: &Settings, root: &Path, tests: Vec<PathBuf>) -> Result<Box<dyn Runner>> {
    open(&build::GRADLE, settings, root, tests)
}

/// A runner for the project at `root`. Fails with `Kind::Environment` where Java or the build tool are missing.
fn open(tool: &'static Tool, settings: &Settings, root: &Path, tests: Vec<PathBuf>) -> Result<Box<dyn Runner>> {
    detect::refuse_testng(tool, root)?;
    let java = Java::find()?;
    let classes = Classes::compile(&java)?;
    let build = Build::find(tool, root, java)?;
    let version = build.ask_version(root)?;
    let deselect = settings.deselect.clone();
    Ok(Box::new(Junit::new(Setup { build, classes, version, tests, deselect })))
}

impl Junit {
    pub fn new(setup: Setup) -> Junit {
        Junit { setup, way: Mutex::new(Way::NotKnown) }
    }

    fn way(&self) -> Way {
        self.way.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn decide(&self, way: Way) {
        *self.way.lock().unwrap_or_else(PoisonError::into_inner) = way;
    }

    /// After a run by the build that was to tell how it works.
    fn learn(&self, request: &Request, run: &mut TestRun) -> Result<()> {
        if !request.folder.join(described::FILE).exists() {
            return Ok(());
        }
        let way = match Described::read(request, run)? {
            Ok(described) => Way::Direct(Arc::new(described)),
            Err(why) => {
                let tool = self.setup.build.tool.title;
                // Every trial has to do it again.
                run.prepared = std::time::Duration::ZERO;
                run.notices.push(format!("{tool} runs every trial, which takes its time: {why}"));
                Way::Build(run.results.iter().map(|result| result.id.clone()).collect())
            }
        };
        self.decide(way);
        Ok(())
    }
}

impl Runner for Junit {
    fn name(&self) -> &'static str {
        self.setup.build.tool.runner
    }

    fn version(&self) -> &str {
        &self.setup.version
    }

    fn command(&self, request: &Request) -> Result<Command> {
        match self.way() {
            Way::Direct(described) => direct::command(&self.setup, &described, request),
            Way::Build(tests) => build::command(&self.setup, request, &tests, false),
            Way::NotKnown => {
                let neutral = *request.selection == TestSelection::All && !request.reach && !request.bail;
                build::command(&self.setup, request, &[], neutral)
            }
        }
    }

    fn plain_command(&self, root: &Path, tests: &[TestId]) -> Option<Vec<String>> {
        Some(self.setup.build.plain_command(root, tests))
    }

    fn read(&self, request: &Request, ended: &Ended) -> Result<TestRun> {
        let mut run = report::read(request.folder)?.unwrap_or_default();
        helper::add_late_hits(request.folder, &mut run)?;
        let silent = run.results.is_empty() && run.load_failures.is_empty() && run.unfinished.is_none() && !run.finished;
        if let (true, Exit::Code(code)) = (silent, &ended.exit) {
            return Err(build::failure(&self.setup.build, request, *code, ended));
        }
        if let Way::NotKnown = self.way() {
            self.learn(request, &mut run)?;
        }
        Ok(run)
    }

    fn cache_folders(&self) -> &'static [&'static str] {
        self.setup.build.tool.caches
    }

    /// None: what is compiled is compared with its source, or deleted, before every run.
    fn stale_forms(&self, _root: &Path, _source: &ProjectPath) -> Vec<ProjectPath> {
        vec![]
    }
}
