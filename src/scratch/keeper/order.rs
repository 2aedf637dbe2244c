//! What the engine asks of a keeper, and what the keeper answers: JSON on its standard input and output.
//!
//! Paths and arguments are `OsString`, which JSON carries byte by byte: they need not be Unicode.

use std::ffi::OsString;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::scratch::process::{Command, Ended, Limits};
use crate::text::Digest;

/// One line of JSON. The pipe then stays open for as long as the engine lives and wants the run to go on.
#[derive(Debug, Serialize, Deserialize)]
pub struct Order {
    /// Value of `MUTATE_RUN` in the environment of the test process, unique in the whole system.
    pub run: String,
    pub mount: Option<Mount>,
    /// Files (absolute) to read before the test process starts.
    pub look_at: Vec<OsString>,
    /// Files (absolute) that must not be visible.
    pub hidden: Vec<OsString>,
    pub errand: Option<Errand>,
    /// The errand is a session: once it is ready, a [`Task`] per line follows, and `null` when there are no more.
    #[serde(default)]
    pub stays: bool,
    /// The test process has no network.
    #[serde(default)]
    pub offline: bool,
}

impl Order {
    /// Nothing to run: only to go there, and to look at these files.
    pub fn to_look(run: String, mount: Option<Mount>, look_at: Vec<OsString>) -> Order {
        Order { run, mount, look_at, hidden: Vec::new(), errand: None, stays: false, offline: false }
    }
}

/// One trial of a session: one line of JSON.
#[derive(Debug, Serialize, Deserialize)]
pub struct Task {
    pub swaps: Vec<Swap>,
    /// Files (absolute) that must not be visible.
    pub hidden: Vec<OsString>,
    /// The folder of the request, for the process of the session.
    pub folder: OsString,
    pub limits: Limits,
}

/// A file of the tree whose bytes another file holds for one trial. All paths are absolute.
#[derive(Debug, Serialize, Deserialize)]
pub struct Swap {
    pub at: OsString,
    pub new: OsString,
    pub original: OsString,
}

/// An overlay file system and where to put it.
#[derive(Debug, Serialize, Deserialize)]
pub struct Mount {
    pub at: OsString,
    /// The uppermost first.
    pub lower: Vec<OsString>,
    pub upper: OsString,
    pub work: OsString,
}

/// A [`Command`] that can travel, with its limits.
#[derive(Debug, Serialize, Deserialize)]
pub struct Errand {
    pub program: OsString,
    pub args: Vec<OsString>,
    pub dir: OsString,
    pub env: Vec<(OsString, OsString)>,
    pub remove: Vec<OsString>,
    pub limits: Limits,
}

impl Errand {
    pub fn new(command: &Command, limits: &Limits) -> Errand {
        Errand {
            program: command.program.clone().into(),
            args: command.args.clone(),
            dir: command.dir.clone().into(),
            env: command.env.clone(),
            remove: command.remove.clone(),
            limits: *limits,
        }
    }
}

/// What the keeper did; or why it started no test process, in words.
pub type Answer = Result<Done, String>;

#[derive(Debug, Serialize, Deserialize)]
pub struct Done {
    /// In the order of `look_at`; why a file could not be read, where that is so.
    pub seen: Vec<Result<Digest, String>>,
    /// Those of `hidden` that could be seen all the same. The test process was not started then.
    pub showing: Vec<OsString>,
    /// Absent without an errand.
    pub ended: Option<Ended>,
    pub took: Took,
}

/// Whether a session is ready; or why there is none, in words.
pub type Opened = Result<(), String>;

/// What the keeper did in a session; or why that cannot go on, in words.
pub type TaskAnswer = Result<TaskDone, String>;

#[derive(Debug, Serialize, Deserialize)]
pub struct TaskDone {
    /// Digests of the swapped files, read before the trial starts and after the original bytes are back.
    pub seen: Vec<Result<Digest, String>>,
    pub seen_after: Vec<Result<Digest, String>>,
    pub ended: Ended,
    /// Why no other trial may be run in this tree.
    pub spent: Option<String>,
    pub took: Took,
}

/// Where the keeper's own time went, for measuring the overhead.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub struct Took {
    pub mount: Duration,
    pub look: Duration,
    pub spawn: Duration,
    pub clear: Duration,
}
