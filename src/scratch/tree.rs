//! One worker's tree: *apply*, *run*, *revert*, *guard*.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use super::folder::{self, Base};
use super::guard::{self, Guarded};
use super::keeper::order::{Answer, Errand, Mount, Order, Took};
use super::overlay::{Upper, is_named, project_path};
use super::process::{Ended, Exit, Kept, keep, run_name};
use super::snapshot::Snapshot;
use super::{Change, Mode, Ran, RunSpec, Stop, copy, place};
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
    pub guarded: Guarded,
}

/// A private tree of one worker.
#[derive(Debug)]
pub struct Tree {
    shared: Arc<Shared>,
    /// Caches of earlier runs, the newest first, then the user's tree: what the tree is made of.
    layers: Vec<PathBuf>,
    kind: Kind,
    /// A layer with the caches of the last run, if that was told to keep them.
    pub(super) caches: Option<PathBuf>,
}

#[derive(Debug)]
enum Kind {
    Overlay,
    Copy(Copied),
}

#[derive(Debug)]
struct Copied {
    root: PathBuf,
    /// `None` after a revert that failed: the copy is made anew before it is used again.
    snapshot: Option<Snapshot>,
}

impl Tree {
    /// Guarded before its first use: every source file, as a test process would see it, has the digest of the user's.
    pub(super) fn new(shared: Arc<Shared>, mode: Mode, caches: &[PathBuf]) -> Result<Tree> {
        let layers = caches.iter().rev().chain([&shared.root]).cloned().collect();
        let kind = match mode {
            Mode::Overlay => Kind::Overlay,
            Mode::Copy => Kind::Copy(Copied { root: copy_root(&shared), snapshot: None }),
        };
        let mut tree = Tree { shared, layers, kind, caches: None };
        tree.guard_all()?;
        Ok(tree)
    }

    /// Where the project stands for the test process.
    pub fn root(&self) -> &Path {
        match &self.kind {
            Kind::Overlay => &self.shared.root,
            Kind::Copy(copied) => &copied.root,
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
        match &self.kind {
            Kind::Overlay => self.run_overlay(spec, stop),
            Kind::Copy(_) => self.run_copy(spec, stop),
        }
    }

    fn run_overlay(&mut self, spec: &RunSpec, stop: &Stop) -> Result<Ran> {
        let before = self.originals(spec)?;
        let mut upper = Upper::new(self.shared.base.fresh("run"), self.layers.clone())?;
        spec.changes.iter().try_for_each(|change| upper.place(change))?;
        spec.stale.iter().try_for_each(|path| upper.hide(path))?;
        let order = self.order(spec, Some(upper.mount()));
        let answered = self.ask(&order, stop);
        let wrote = upper.written(spec.caches);
        if spec.keep_caches {
            let layer = self.shared.base.fresh("caches");
            self.caches = upper.move_caches(spec.caches, &layer).map_err(no_caches)?.then_some(layer);
        }
        drop(upper);
        before.iter().try_for_each(|(path, digest)| guard::file(&self.shared.root, path, *digest))?;
        answered?.ran(spec.changes, wrote)
    }

    fn run_copy(&mut self, spec: &RunSpec, stop: &Stop) -> Result<Ran> {
        self.renew_if_dirty()?;
        let before = self.originals(spec)?;
        let begun = SystemTime::now();
        let answered = self.apply_to_copy(spec).and_then(|()| self.ask(&self.order(spec, None), stop));
        if spec.keep_caches {
            self.caches = self.copy_caches(spec.caches)?;
        }
        let wrote = self.revert_copy(spec, begun);
        let guarded = before.iter().try_for_each(|(path, digest)| guard::file(self.root(), path, *digest));
        if wrote.is_err() || guarded.is_err() {
            self.forget_copy();
            self.renew_if_dirty()?;
        }
        before.iter().try_for_each(|(path, digest)| guard::file(&self.shared.root, path, *digest))?;
        answered?.ran(spec.changes, wrote.unwrap_or_default())
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
        }
    }

    fn ask(&self, order: &Order, stop: &Stop) -> Result<Answered> {
        match keep(&self.shared.keeper, order, stop)? {
            Kept::Answer(Answer::Done { seen, showing, ended, took }) => {
                match showing.first() {
                    None => Ok(Answered { seen, ended, took }),
                    Some(path) => Err(Error::integrity("an outdated form of a file cannot be hidden from the tests")
                        .at(Path::new(path).display())),
                }
            }
            Kept::Answer(Answer::NoMount { why }) => {
                Err(Error::environment("the overlay file system is refused").cause(why).mend("use `--scratch copy`"))
            }
            Kept::Answer(Answer::NotCleared { why }) => Err(Error::environment("processes of a test run are left").cause(why)),
            Kept::Lost { why } => Ok(Answered { seen: Vec::new(), ended: Some(not_kept(why, stop)), took: Took::default() }),
        }
    }

    fn guard_all(&mut self) -> Result<()> {
        match self.kind {
            Kind::Overlay => self.guard_overlay(),
            Kind::Copy(_) => self.renew_if_dirty(),
        }
    }

    fn guard_overlay(&self) -> Result<()> {
        let upper = Upper::new(self.shared.base.fresh("run"), self.layers.clone())?;
        let look_at = self.shared.guarded.keys().map(|path| path.under(self.root()).into()).collect();
        let order = Order { run: run_name(), mount: Some(upper.mount()), look_at, hidden: Vec::new(), errand: None };
        let seen = self.ask(&order, &Stop::new())?.seen;
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

    fn renew_if_dirty(&mut self) -> Result<()> {
        let Kind::Copy(copied) = &mut self.kind else { return Ok(()) };
        if copied.snapshot.is_some() {
            return Ok(());
        }
        let root = &copied.root;
        let made = folder::remove(root)
            .and_then(|()| copy::tree(&self.shared.root, root, self.shared.base.path()))
            .and_then(|()| self.layers.iter().rev().skip(1).try_for_each(|layer| copy::layer(layer, root)))
            .and_then(|()| Snapshot::take(root))
            .map_err(|cause| Error::environment("the project cannot be copied").at(self.shared.root.display()).cause(cause))?;
        guard::all(&self.shared.guarded, root)?;
        copied.snapshot = Some(made);
        Ok(())
    }

    fn forget_copy(&mut self) {
        if let Kind::Copy(copied) = &mut self.kind {
            copied.snapshot = None;
        }
    }

    fn apply_to_copy(&self, spec: &RunSpec) -> Result<()> {
        let root = self.root();
        let failed = |path: &ProjectPath| {
            let path = path.clone();
            move |cause| Error::environment("a file cannot be put into the scratch tree").at(path).cause(cause)
        };
        for Change { path, bytes } in spec.changes {
            let real = place::real(root, path)?;
            let target = root.join(&real);
            let original = fs::symlink_metadata(&target).ok().filter(|original| original.is_file());
            place::folders(root, &real, &[]).map_err(failed(path))?;
            place::write(&target, bytes, original.as_ref()).map_err(failed(path))?;
        }
        for path in spec.stale {
            place::remove_file(&root.join(place::real(root, path)?)).map_err(failed(path))?;
        }
        Ok(())
    }

    fn copy_caches(&self, names: &[&str]) -> Result<Option<PathBuf>> {
        let layer = self.shared.base.fresh("caches");
        let found = copy::folders_named(names, self.root(), &layer).map_err(no_caches)?;
        Ok(found.then_some(layer))
    }

    /// Undoes our change and everything that the run did; gives what the run did.
    fn revert_copy(&mut self, spec: &RunSpec, begun: SystemTime) -> Result<Vec<ProjectPath>> {
        let Kind::Copy(Copied { root, snapshot: Some(snapshot) }) = &mut self.kind else { return Ok(Vec::new()) };
        let sources: Vec<&Path> = self.layers.iter().map(PathBuf::as_path).collect();
        let touched = snapshot
            .restore(root, &sources, begun)
            .map_err(|cause| Error::environment("a copy cannot be restored").cause(cause))?;
        let ours: Vec<PathBuf> = spec
            .changes
            .iter()
            .map(|change| &change.path)
            .chain(spec.stale)
            .filter_map(|path| place::real(root, path).ok())
            .collect();
        let in_caches = |path: &PathBuf| path.parent().is_some_and(|dir| dir.iter().any(|part| is_named(part, spec.caches)));
        Ok(touched.iter().filter(|path| !ours.contains(path) && !in_caches(path)).filter_map(|path| project_path(path)).collect())
    }
}

impl Drop for Tree {
    fn drop(&mut self) {
        if let Kind::Copy(Copied { root, .. }) = &self.kind {
            let _ = folder::remove(root.parent().unwrap_or(root));
        }
    }
}

/// Some tests depend on the name of the project's folder.
fn copy_root(shared: &Shared) -> PathBuf {
    shared.base.fresh("tree").join(shared.root.file_name().unwrap_or("root".as_ref()))
}

fn no_caches(cause: std::io::Error) -> Error {
    Error::environment("the caches of a run cannot be kept").cause(cause)
}

/// The keeper's word, read.
struct Answered {
    seen: Vec<Result<Digest, String>>,
    ended: Option<Ended>,
    took: Took,
}

impl Answered {
    fn ran(self, changes: &[Change], wrote: Vec<ProjectPath>) -> Result<Ran> {
        let unseen = |(change, seen): (&Change, Result<Digest, String>)| {
            seen.map_err(|cause| Error::integrity("a mutated file cannot be read back").at(&change.path).cause(cause))
        };
        let in_place = changes.iter().zip(self.seen).map(unseen).collect::<Result<Vec<Digest>>>()?;
        let ended = self.ended.ok_or_else(|| Error::internal("the keeper has run nothing"))?;
        Ok(Ran { ended, in_place, wrote, took: self.took })
    }
}

/// Proves nothing about the tests, and must not end the run: a test that kills its parent is the likely cause.
fn not_kept(why: String, stop: &Stop) -> Ended {
    let exit = if stop.is_set() { Exit::Interrupted } else { Exit::NotStarted { why } };
    Ended {
        exit,
        wall: std::time::Duration::ZERO,
        cpu: std::time::Duration::ZERO,
        peak_memory: 0,
        left_behind: 0,
        stdout_tail: String::new(),
        stderr_tail: String::new(),
    }
}
