//! The only place that spawns: what to run, under which limits, and how it ended.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// One test process, described by a runner.
///
/// The environment is the engine's own with `env` set and `remove` taken away.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command {
    pub program: PathBuf,
    pub args: Vec<OsString>,
    pub dir: PathBuf,
    pub env: Vec<(OsString, OsString)>,
    pub remove: Vec<OsString>,
}

/// What a process tree may use before it is stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// Wall clock of the whole run.
    pub wall: Duration,
    /// Processor time of the whole tree, user and system.
    pub cpu: Duration,
    /// Resident bytes of the whole tree.
    pub memory: u64,
}

/// How a process ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Exit {
    Code(i32),
    Signal(i32),
    OverWall,
    OverCpu,
    OverMemory,
    /// The user stopped the run.
    Interrupted,
    /// The command could not be started.
    NotStarted { why: String },
}

/// What is known after a process and all its children are gone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ended {
    pub exit: Exit,
    pub wall: Duration,
    pub cpu: Duration,
    /// Largest resident size of the tree that was seen, in bytes.
    pub peak_memory: u64,
    /// Processes that outlived the test process and were killed.
    pub left_behind: usize,
    /// Last 4 KiB of standard output and error, lossy UTF-8.
    pub stdout_tail: String,
    pub stderr_tail: String,
}
