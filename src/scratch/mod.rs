//! A private tree per worker, in which mutants live.
//!
//! The user's tree is never written. A worker has a [`Tree`]; for each trial it *applies* the mutated bytes, *runs* one test
//! process, *reverts*, and the *guard* proves that every byte is back.
//!
//! Two ways to make a tree: [`Mode::Overlay`] puts an overlay file system at the project's real path inside a private mount
//! namespace, so that absolute paths and editable installs hit the mutant; [`Mode::Copy`] works everywhere.
//!
//! Every test process has a [`keeper`] above it, which sees to it that nothing of a run is left.

pub mod capture;
mod copied;
mod copy;
pub mod folder;
pub mod guard;
pub mod keeper;
mod overlay;
mod place;
pub mod probe;
pub mod process;
pub mod session;
mod snapshot;
mod stop;
mod tree;

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};
use crate::text::{Digest, ProjectPath};
pub use folder::Folder;
pub use keeper::order::Took;
use process::{Command, Ended, Limits};
pub use session::{Lasting, Session};
pub use stop::Stop;
use tree::Shared;
pub use tree::Tree;

/// How a private tree is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    Overlay,
    Copy,
}

impl fmt::Display for Mode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Mode::Overlay => "overlay",
            Mode::Copy => "copy",
        })
    }
}

/// The bytes of a file during one run: a mutant, or a file that the project does not have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    pub path: ProjectPath,
    pub bytes: Vec<u8>,
}

/// One run of one test process.
#[derive(Clone, Copy, Debug)]
pub struct RunSpec<'a> {
    pub changes: &'a [Change],
    /// Files that the test process must not see: outdated forms of the changed ones, for example bytecode.
    pub stale: &'a [ProjectPath],
    /// Names of folders with caches: what is written there is not reported.
    pub caches: &'a [&'a str],
    /// Keep the content of those folders, for [`Scratch::keep_caches`]. Only for a run without changes.
    pub keep_caches: bool,
    pub command: &'a Command,
    pub limits: &'a Limits,
}

/// What happened in one run. Nothing of it is left in the tree.
#[derive(Clone, Debug)]
pub struct Ran {
    pub ended: Ended,
    /// Digest of each changed file as the test process saw it, read before it started.
    /// Empty if the keeper was lost; `ended.exit` is `NotStarted` then, and the run proves nothing.
    pub in_place: Vec<Digest>,
    /// Files of the project that the run has written or deleted, in path order.
    pub wrote: Vec<ProjectPath>,
    /// Where the time went that was not the test process's.
    pub took: Took,
}

/// Makes the private trees of one project. Its temporary files go when it and all its trees are gone.
#[derive(Debug)]
pub struct Scratch {
    shared: Arc<Shared>,
    mode: Mode,
    why: String,
    /// Layers with caches of earlier runs, the oldest first.
    caches: Vec<PathBuf>,
}

impl Scratch {
    /// An overlay where it works, else copies; or what `choice` says.
    ///
    /// `guarded` are all source files of the project with their digests as the run begins.
    /// Fails if the chosen way does not work here (`Error::environment`).
    pub fn new(root: &Path, choice: Option<Mode>, guarded: Vec<(ProjectPath, Digest)>) -> Result<Scratch> {
        Scratch::with_keeper(Path::new(OWN_PROGRAM), root, choice, guarded)
    }

    /// As [`Scratch::new`], for a program that is not `mutate` itself: `keeper` is the path of `mutate`.
    pub fn with_keeper(keeper: &Path, root: &Path, choice: Option<Mode>, guarded: Vec<(ProjectPath, Digest)>) -> Result<Scratch> {
        let root = root.canonicalize().map_err(|cause| Error::usage("there is no such project").at(root.display()).cause(cause))?;
        let (mode, base, why) = choose(&root, keeper, choice)?;
        let shared = Shared { keeper: keeper.into(), root, base, offline: false, guarded: guarded.into_iter().collect() };
        Ok(Scratch { shared: Arc::new(shared), mode, why, caches: Vec::new() })
    }

    /// The same with test processes that reach nothing but themselves. Fails if the system does not allow that.
    pub fn without_network(mut self) -> Result<Scratch> {
        probe::offline(&self.shared.keeper).map_err(|why| {
            Error::environment("the network cannot be taken away from tests here").cause(why).mend("leave `--no-network` out")
        })?;
        let shared = Arc::get_mut(&mut self.shared).ok_or_else(|| Error::internal("a tree is there already"))?;
        shared.offline = true;
        Ok(self)
    }

    /// The user's own tree, without symbolic links in its path.
    pub fn root(&self) -> &Path {
        &self.shared.root
    }

    pub fn mode(&self) -> Mode {
        self.mode
    }

    /// Why this mode, in words.
    pub fn why(&self) -> &str {
        &self.why
    }

    /// A tree for one worker, guarded before its first use.
    pub fn tree(&self) -> Result<Tree> {
        Tree::new(self.shared.clone(), self.mode, &self.caches)
    }

    /// As [`Tree::layers`], of every tree that is made from now on.
    pub fn layers(&self) -> impl Iterator<Item = &Path> {
        self.caches.iter().rev().chain([&self.shared.root]).map(PathBuf::as_path)
    }

    /// A process that loads the tests once and forks a child for every trial, in a tree of its own; [`Session`] says how.
    ///
    /// `None` where trees are copies. Fails if the process cannot be started, does not get ready within its limits, or declines.
    pub fn session(&self, lasting: &Lasting, stop: &Stop) -> Result<Option<Session>> {
        match self.mode {
            Mode::Overlay => Session::open(self.shared.clone(), &self.caches, lasting, stop).map(Some),
            Mode::Copy => Ok(None),
        }
    }

    /// An empty folder outside of the project; gone when the value is dropped.
    pub fn folder(&self) -> Result<Folder> {
        let path = self.shared.base.fresh("request");
        Folder::at(path).map_err(|cause| Error::environment("a temporary folder cannot be made").cause(cause))
    }

    /// Trees made from now on start with the caches that the last run of `tree` was told to keep.
    pub fn keep_caches(&mut self, tree: &mut Tree) {
        self.caches.extend(tree.caches.take());
    }
}

/// Still the program that runs, when its file has been replaced in the meantime.
pub const OWN_PROGRAM: &str = "/proc/self/exe";

fn choose(root: &Path, keeper: &Path, choice: Option<Mode>) -> Result<(Mode, folder::Base, String)> {
    if choice == Some(Mode::Copy) {
        let base = probe::copy(root).map_err(|why| probe::refused(Mode::Copy, why))?;
        return Ok((Mode::Copy, base, "asked for".into()));
    }
    match (probe::overlay(root, keeper), choice) {
        (Ok(base), _) => Ok((Mode::Overlay, base, "overlay file system at the project's real path".into())),
        (Err(why), Some(_)) => Err(probe::refused(Mode::Overlay, why)),
        (Err(why), None) => {
            let base = probe::copy(root).map_err(|why| probe::refused(Mode::Copy, why))?;
            Ok((Mode::Copy, base, why))
        }
    }
}
