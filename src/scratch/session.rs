//! Many trials in one tree and from one process, which has loaded the tests before any of them.
//!
//! The mutant stands in the tree during its trial, as in a cold run, and is read back by the keeper; so does the original afterwards.
//! A session in which anything else has changed is *spent*: the next trial needs another one.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::keeper::order::{Errand, Opened, Order, Swap, Task, TaskAnswer, TaskDone};
use super::overlay::Upper;
use super::process::{Command, Limits, Staying, run_name};
use super::tree::Shared;
use super::{Change, Ran, Stop, guard, place};
use crate::error::{Error, Result};
use crate::text::{Digest, ProjectPath};

/// One warm process and its tree.
#[derive(Debug)]
pub struct Session {
    /// Ends with everything that it keeps before its upper layer is removed.
    keeper: Staying,
    _upper: Upper,
    shared: Arc<Shared>,
    layers: Vec<PathBuf>,
    spent: Option<String>,
}

/// What a session has from its beginning to its end.
#[derive(Clone, Copy, Debug)]
pub struct Lasting<'a> {
    pub changes: &'a [Change],
    /// Files that must not be seen: outdated forms of the changed ones.
    pub stale: &'a [ProjectPath],
    pub command: &'a Command,
    /// Until it is ready.
    pub limits: &'a Limits,
}

/// One trial in a session.
#[derive(Clone, Copy, Debug)]
pub struct Turn<'a> {
    /// At most one change of each file; the files must exist.
    pub changes: &'a [Change],
    /// Files that must not be seen: outdated forms of the changed ones.
    pub stale: &'a [ProjectPath],
    /// The folder of the request.
    pub folder: &'a Path,
    pub limits: &'a Limits,
}

impl Session {
    pub(super) fn open(shared: Arc<Shared>, caches: &[PathBuf], lasting: &Lasting, stop: &Stop) -> Result<Session> {
        let layers: Vec<PathBuf> = caches.iter().rev().chain([&shared.root]).cloned().collect();
        let mut upper = Upper::new(shared.base.fresh("session"), layers.clone())?;
        lasting.changes.iter().try_for_each(|change| upper.place(change))?;
        lasting.stale.iter().try_for_each(|path| upper.hide(path))?;
        let order = Order {
            run: run_name(),
            mount: Some(upper.mount()),
            look_at: lasting.changes.iter().map(|change| change.path.under(&shared.root).into()).collect(),
            hidden: lasting.stale.iter().map(|path| path.under(&shared.root).into()).collect(),
            errand: Some(Errand::new(lasting.command, lasting.limits)),
            stays: true,
            offline: shared.offline,
        };
        let mut keeper = Staying::start(&shared.keeper, &order.run)?;
        let opened: Opened = keeper.ask(&order, stop).map_err(no_session)?;
        opened.map_err(no_session)?;
        Ok(Session { keeper, _upper: upper, shared, layers, spent: None })
    }

    /// Where the project stands for the test process.
    pub fn root(&self) -> &Path {
        &self.shared.root
    }

    /// As [`super::Tree::layers`].
    pub fn layers(&self) -> impl Iterator<Item = &Path> {
        self.layers.iter().map(PathBuf::as_path)
    }

    /// Why no other trial may be run here.
    pub fn spent(&self) -> Option<&str> {
        self.spent.as_deref()
    }

    /// Apply, run in a child, revert, guard. After an error the session is not to be used again.
    pub fn run(&mut self, turn: &Turn, stop: &Stop) -> Result<Ran> {
        let originals = turn.changes.iter().map(|change| self.original(change, turn.folder)).collect::<Result<Vec<_>>>()?;
        let (swaps, digests): (Vec<Swap>, Vec<Digest>) = originals.into_iter().unzip();
        let hidden = turn.stale.iter().map(|path| path.under(self.root()).into()).collect();
        let task = Task { swaps, hidden, folder: turn.folder.into(), limits: *turn.limits };
        let answer: TaskAnswer = self.keeper.ask(&task, stop).map_err(no_session)?;
        let done = answer.map_err(no_session)?;
        self.check(turn, &digests, &done)?;
        let unseen = |cause: String| Error::integrity("a mutated file cannot be read back").cause(cause);
        let in_place = done.seen.into_iter().map(|seen| seen.map_err(unseen)).collect::<Result<Vec<Digest>>>()?;
        self.spent = done.spent;
        Ok(Ran { ended: done.ended, in_place, wrote: Vec::new(), took: done.took })
    }

    /// The bytes before and after, as files beside the request.
    fn original(&self, change: &Change, folder: &Path) -> Result<(Swap, Digest)> {
        let at = self.root().join(place::real(self.root(), &change.path)?);
        let failed = |cause: std::io::Error| Error::environment("a mutant cannot be prepared").at(&change.path).cause(cause);
        if !fs::symlink_metadata(&at).map_err(failed)?.is_file() {
            return Err(Error::environment("only a plain file can be changed in a session").at(&change.path));
        }
        let bytes = fs::read(&at).map_err(failed)?;
        let digest = Digest::of(&bytes);
        if let Some(expected) = self.shared.guarded.get(&change.path).filter(|expected| **expected != digest) {
            return Err(guard::changed(&change.path, Some(*expected), Some(digest)));
        }
        let (original, new) = (original_of(folder, &change.path), changed_of(folder, &change.path));
        for (file, bytes) in [(&original, &bytes), (&new, &change.bytes)] {
            fs::create_dir_all(file.parent().unwrap_or(folder)).and_then(|()| fs::write(file, bytes)).map_err(failed)?;
        }
        Ok((Swap { at: at.into(), new: new.into(), original: original.into() }, digest))
    }

    /// Every original byte is back, in the tree and in the user's own.
    fn check(&self, turn: &Turn, digests: &[Digest], done: &TaskDone) -> Result<()> {
        if done.seen.len() != digests.len() || done.seen_after.len() != digests.len() {
            return Err(Error::internal("the keeper has not looked at every file"));
        }
        for ((change, digest), after) in turn.changes.iter().zip(digests).zip(&done.seen_after) {
            if after.as_ref() != Ok(digest) {
                return Err(guard::changed(&change.path, Some(*digest), after.as_ref().ok().copied()));
            }
            guard::file(self.root(), &change.path, Some(*digest))?;
        }
        Ok(())
    }
}

/// Where the original bytes of a changed file lie beside a request, for its helper.
pub fn original_of(folder: &Path, path: &ProjectPath) -> PathBuf {
    path.under(&folder.join("original"))
}

/// Where its new bytes lie.
pub fn changed_of(folder: &Path, path: &ProjectPath) -> PathBuf {
    path.under(&folder.join("changed"))
}

fn no_session(why: String) -> Error {
    Error::environment("trials cannot share a process").cause(why)
}
