//! How to run a selection of tests in a framework, and how to read what came out.
//!
//! A [`Runner`] describes commands and reads results; it never spawns a process and never writes into the project. What a framework
//! needs from us is written into the request's own folder and injected through the environment.

use std::path::Path;

use crate::error::Result;
use crate::scratch::process::{Command, Ended};
use crate::suite::{TestRun, TestSelection};

/// One run of a test process, asked for by the engine.
#[derive(Clone, Debug)]
pub struct Request<'a> {
    /// Where the project stands for the test process: its real path (overlay) or a scratch copy.
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
}

/// A test framework.
pub trait Runner: Sync + Send {
    /// `pytest`, `unittest`, `command`.
    fn name(&self) -> &'static str;

    /// Version of the framework and of its interpreter, for reports; learned once.
    fn version(&self) -> &str;

    /// The process that runs this request. May write helper files into `request.folder`.
    fn command(&self, request: &Request) -> Result<Command>;

    /// What the process reported. An error means that the report cannot be read: the trial proves nothing.
    fn read(&self, request: &Request, ended: &Ended) -> Result<TestRun>;

    /// Names of folders in which the framework keeps caches that make later runs start warm and cannot change a verdict,
    /// for example `__pycache__`.
    fn cache_folders(&self) -> &'static [&'static str];

    /// Files that could hold an outdated form of a source file and must not be seen when it is mutated,
    /// for example its bytecode. Relative to the project root.
    fn stale_forms(&self, root: &Path, source: &crate::source::ProjectPath) -> Vec<crate::source::ProjectPath>;
}
