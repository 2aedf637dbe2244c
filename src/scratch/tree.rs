//! One worker's tree: *apply*, *run*, *revert*, *guard*.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use super::copied::Copied;
use super::folder::Base;
use super::guard::{self, Guarded};
use super::keeper::order::{Done, Errand, Mount, Order, Took};
use super::overlay::Upper;
use super::process::{Ended, Exit, Kept, Leaving, keep, run_name};
use super::{Change, Mode, Ran, RunSpec, Stop};
use crate::error::{Error, Result};
use crate::text::{Digest, ProjectPath};

/// What all trees of a project share.
#[derive(Debug)]
pub(super) struct Shared {
    /// The program that is started as a keeper.
    pub keeper: PathBuf,
    /// The user's tree, without symbolic links in its path.
    pub root: PathBuf,
    pub base: Base,
    /// Test processes have no network.
    pub offline: bool,
    pub guarded: Guarded,
}

/// A private tree of one worker.
#[derive(Debug)]
pub struct Tree {
    /// The last keeper on its way out, then the upper layer that it had mounted. Nobody sees either any more.
    /// The first field, so that both are gone before the folder that they live in.
    leaving: Option<(Leaving, Upper)>,
    shared: Arc<Shared>,
    /// Caches of earlier runs, the newest first, then the user's tree: what the tree is made of.
    layers: Vec<PathBuf>,
    kind: Kind,
    /// A layer with the caches of the last run, if that was told to keep them.
    pub(super) caches: Option<PathBuf>,
}

#[derive(Debug)]
enum Kind {
    /// A new upper layer for every run.
    Overlay,
    /// One copy for all runs.
    Copy(Copied),
}

impl Tree {
    /// Guarded before its first use: every source file, as a test process would see it, has the digest of the user's.
    pub(super) fn new(shared: Arc<Shared>, mode: Mode, caches: &[PathBuf]) -> Result<Tree> {
        let layers: Vec<PathBuf> = caches.iter().rev().chain([&shared.root]).cloned().collect();
        let kind = match mode {
            Mode::Overlay => Kind::Overlay,
            Mode::Copy => Kind::Copy(Copied::new(shared.base.fresh("tree"), layers.clone())),
        };
        let mut tree = Tree { shared, layers, kind, caches: None, leaving: None };
        match &mut tree.kind {
            Kind::Overlay => tree.guard_overlay()?,
            Kind::Copy(copied) => copied.renew(&tree.shared.guarded, tree.shared.base.path())?,
        }
        Ok(tree)
    }

    /// Where the project stands for the test process.
    pub fn root(&self) -> &Path {
        match &self.kind {
            Kind::Overlay => &self.shared.root,
            Kind::Copy(copied) => copied.root(),
        }
    }

    /// The folders that this tree is made of. A file that the test process sees at [`Tree::root`] lies in one of them, caches of
    /// earlier runs included: here is where to look for outdated forms of a file.
    pub fn layers(&self) -> impl Iterator<Item = &Path> {
        self.layers.iter().map(PathBuf::as_path)
    }

    /// Apply, run, revert, guard.
    pub fn run(&mut self, spec: &RunSpec, stop: &Stop) -> Result<Ran> {
        self.caches = None;
        if spec.keep_caches && !spec.changes.is_empty() {
            return Err(Error::internal("the caches of a mutant must not be kept"));
        }
        let originals = self.originals(spec)?;
        let unchanged = |root: &Path| originals.iter().try_for_each(|(path, digest)| guard::file(root, path, *digest));
        let ran = match self.kind {
            Kind::Overlay => self.run_overlay(spec, stop),
            Kind::Copy(_) => self.run_copy(spec, stop, &unchanged),
        };
        unchanged(&self.shared.root)?;
        ran
    }

    fn run_overlay(&mut self, spec: &RunSpec, stop: &Stop) -> Result<Ran> {
        let mut upper = Upper::new(self.shared.base.fresh("run"), self.layers.clone())?;
        spec.changes.iter().try_for_each(|change| upper.place(change))?;
        spec.stale.iter().try_for_each(|path| upper.hide(path))?;
        let (done, leaving) = self.ask(&self.order(spec, Some(upper.mount())), stop)?;
        if spec.keep_caches {
            let layer = self.shared.base.fresh("caches");
            self.caches = upper.move_caches(spec.caches, &layer).map_err(no_caches)?.then_some(layer);
        }
        let wrote = upper.written(spec.caches);
        self.leaving = Some((leaving, upper));
        ran(done, spec.changes, wrote)
    }

    /// A copy that cannot be proved clean is made anew before anything else happens.
    fn run_copy(&mut self, spec: &RunSpec, stop: &Stop, unchanged: &dyn Fn(&Path) -> Result<()>) -> Result<Ran> {
        let begun = SystemTime::now();
        let answered = self.applied(spec).and_then(|()| self.ask(&self.order(spec, None), stop));
        let Kind::Copy(copied) = &mut self.kind else { return Err(Error::internal("this tree is no copy")) };
        let layer = self.shared.base.fresh("caches");
        let kept = if spec.keep_caches { copied.copy_caches(spec.caches, &layer) } else { Ok(false) };
        let wrote = copied.revert(spec, begun);
        if wrote.is_err() || unchanged(copied.root()).is_err() {
            copied.distrust();
            copied.renew(&self.shared.guarded, self.shared.base.path())?;
        }
        self.caches = kept.map_err(no_caches)?.then_some(layer);
        ran(answered?.0, spec.changes, wrote.unwrap_or_default())
    }

    fn applied(&mut self, spec: &RunSpec) -> Result<()> {
        let Kind::Copy(copied) = &mut self.kind else { return Ok(()) };
        copied.renew(&self.shared.guarded, self.shared.base.path())?;
        copied.apply(spec)
    }

    /// What the changed files are without the change: from the start of the whole run where we know it, else read now.
    fn originals(&self, spec: &RunSpec) -> Result<Vec<(ProjectPath, Option<Digest>)>> {
        let original = |path: &ProjectPath| match self.shared.guarded.get(path) {
            Some(digest) => Ok((path.clone(), Some(*digest))),
            None => Ok((path.clone(), guard::digest_of(&self.shared.root, path)?)),
        };
        spec.changes.iter().map(|change| original(&change.path)).collect()
    }

    fn order(&self, spec: &RunSpec, mount: Option<Mount>) -> Order {
        Order {
            run: run_name(),
            mount,
            look_at: spec.changes.iter().map(|change| change.path.under(self.root()).into()).collect(),
            hidden: spec.stale.iter().map(|path| path.under(self.root()).into()).collect(),
            errand: Some(Errand::new(spec.command, spec.limits)),
            stays: false,
            offline: self.shared.offline,
        }
    }

    fn ask(&self, order: &Order, stop: &Stop) -> Result<(Done, Leaving)> {
        let Kept { answer, leaving } = keep(&self.shared.keeper, order, stop)?;
        let done = match answer {
            Ok(Ok(done)) => done,
            Ok(Err(why)) => return Err(Error::environment("a test process cannot be kept in a scratch tree").cause(why)),
            Err(why) => lost(why, stop),
        };
        match done.showing.first() {
            None => Ok((done, leaving)),
            Some(path) => {
                Err(Error::integrity("an outdated form of a file cannot be hidden from the tests").at(Path::new(path).display()))
            }
        }
    }

    fn guard_overlay(&self) -> Result<()> {
        let upper = Upper::new(self.shared.base.fresh("run"), self.layers.clone())?;
        let look_at = self.shared.guarded.keys().map(|path| path.under(self.root()).into()).collect();
        let order = Order::to_look(run_name(), Some(upper.mount()), look_at);
        let (Done { seen, .. }, leaving) = self.ask(&order, &Stop::new())?;
        drop(leaving);
        if seen.len() != self.shared.guarded.len() {
            return Err(Error::internal("the keeper has not looked at every file"));
        }
        for ((path, expected), seen) in self.shared.guarded.iter().zip(seen) {
            match seen {
                Ok(digest) if digest == *expected => {}
                seen => return Err(guard::changed(path, Some(*expected), seen.ok())),
            }
        }
        Ok(())
    }
}

fn no_caches(cause: std::io::Error) -> Error {
    Error::environment("the caches of a run cannot be kept").cause(cause)
}

/// A keeper that is lost proves nothing about the tests, and must not end the run: a test that kills its parent is the likely cause.
fn lost(why: String, stop: &Stop) -> Done {
    let exit = if stop.is_set() { Exit::Interrupted } else { Exit::NotStarted { why } };
    Done { seen: Vec::new(), showing: Vec::new(), ended: Some(Ended::without_a_run(exit)), took: Took::default() }
}

fn ran(done: Done, changes: &[Change], wrote: Vec<ProjectPath>) -> Result<Ran> {
    let unseen = |(change, seen): (&Change, Result<Digest, String>)| {
        seen.map_err(|cause| Error::integrity("a mutated file cannot be read back").at(&change.path).cause(cause))
    };
    let in_place = changes.iter().zip(done.seen).map(unseen).collect::<Result<Vec<Digest>>>()?;
    let ended = done.ended.ok_or_else(|| Error::internal("the keeper has run nothing"))?;
    Ok(Ran { ended, in_place, wrote, took: done.took })
}
