//! A copy of the project that one worker uses for many runs.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::guard::{self, Guarded};
use super::overlay::{is_named, project_path};
use super::snapshot::Snapshot;
use super::{Change, RunSpec, copy, folder, place};
use crate::error::{Error, Result};
use crate::text::ProjectPath;

#[derive(Debug)]
pub struct Copied {
    root: PathBuf,
    /// What it is copied from, the uppermost first; the user's own tree is the last.
    layers: Vec<PathBuf>,
    /// `None` before the first use and after a revert that failed: the copy is made anew then.
    snapshot: Option<Snapshot>,
}

impl Copied {
    /// Nothing is copied yet. `dir` does not exist.
    pub fn new(dir: PathBuf, layers: Vec<PathBuf>) -> Copied {
        // Under its own name, because some tests look at it.
        let name = layers.last().and_then(|root| root.file_name()).unwrap_or("root".as_ref());
        Copied { root: dir.join(name), layers, snapshot: None }
    }

    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Makes the copy unless it is clean, and guards it. `except` is a folder to leave out.
    pub fn renew(&mut self, guarded: &Guarded, except: &Path) -> Result<()> {
        if self.snapshot.is_some() {
            return Ok(());
        }
        let made = self.make(except).map_err(|cause| Error::environment("the project cannot be copied").cause(cause))?;
        guard::all(guarded, &self.root)?;
        self.snapshot = Some(made);
        Ok(())
    }

    fn make(&self, except: &Path) -> std::io::Result<Snapshot> {
        folder::remove(&self.root)?;
        if let Some((original, caches)) = self.layers.split_last() {
            copy::tree(original, &self.root, except)?;
            caches.iter().rev().try_for_each(|layer| copy::layer(layer, &self.root))?;
        }
        Snapshot::take(&self.root)
    }

    /// The copy is not to be trusted any more.
    pub fn distrust(&mut self) {
        self.snapshot = None;
    }

    pub fn apply(&self, spec: &RunSpec) -> Result<()> {
        spec.changes.iter().try_for_each(|change| self.put(change))?;
        spec.stale.iter().try_for_each(|path| place::remove_file(&self.root.join(self.real(path)?)).map_err(not_applied(path)))
    }

    fn put(&self, Change { path, bytes }: &Change) -> Result<()> {
        let real = self.real(path)?;
        let target = self.root.join(&real);
        let original = fs::symlink_metadata(&target).ok().filter(|original| original.is_file());
        place::folders(&self.root, &real, &[])
            .and_then(|()| place::write(&target, bytes, original.as_ref()))
            .map_err(not_applied(path))
    }

    fn real(&self, path: &ProjectPath) -> Result<PathBuf> {
        place::real(&self.root, path)
    }

    /// Copies the folders of these names into a new layer; `false` if there are none.
    pub fn copy_caches(&self, names: &[&str], layer: &Path) -> std::io::Result<bool> {
        copy::folders_named(names, &self.root, layer)
    }

    /// Undoes our change and everything that the run begun at `begun` did; gives what the run did, in path order.
    pub fn revert(&mut self, spec: &RunSpec, begun: SystemTime) -> Result<Vec<ProjectPath>> {
        let Some(snapshot) = &mut self.snapshot else { return Ok(Vec::new()) };
        let sources: Vec<&Path> = self.layers.iter().map(PathBuf::as_path).collect();
        let touched = snapshot
            .restore(&self.root, &sources, begun)
            .map_err(|cause| Error::environment("a copy of the project cannot be restored").cause(cause))?;
        let ours = spec.changes.iter().map(|change| &change.path).chain(spec.stale);
        let ours: Vec<PathBuf> = ours.filter_map(|path| self.real(path).ok()).collect();
        let in_caches = |path: &Path| path.parent().is_some_and(|dir| dir.iter().any(|part| is_named(part, spec.caches)));
        Ok(touched.iter().filter(|path| !ours.contains(path) && !in_caches(path)).filter_map(|path| project_path(path)).collect())
    }
}

impl Drop for Copied {
    fn drop(&mut self) {
        let _ = folder::remove(self.root.parent().unwrap_or(&self.root));
    }
}

fn not_applied(path: &ProjectPath) -> impl Fn(std::io::Error) -> Error {
    move |cause| Error::environment("a file cannot be put into the scratch tree").at(path).cause(cause)
}
