//! The upper layer of an overlay: everything that differs from the user's tree, in a folder that is thrown away.
//!
//! We write the mutant into the layer itself, before it is mounted, and not through the mount: so it does not matter whether
//! the user may write the original.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use rustix::fs::{CWD, FileType, Mode, mknodat};

use super::keeper::order::Mount;
use super::{Change, folder, place};
use crate::error::{Error, Result};
use crate::text::ProjectPath;

/// One upper layer, for one run.
#[derive(Debug)]
pub struct Upper {
    dir: PathBuf,
    /// What lies below, the uppermost first; the user's own tree is the last.
    lower: Vec<PathBuf>,
    /// Relative paths that we have put here ourselves.
    placed: Vec<PathBuf>,
}

impl Upper {
    pub fn new(dir: PathBuf, lower: Vec<PathBuf>) -> Result<Upper> {
        let upper = Upper { dir, lower, placed: Vec::new() };
        upper
            .create()
            .map_err(|cause| Error::environment("a scratch folder cannot be made").at(upper.dir.display()).cause(cause))?;
        Ok(upper)
    }

    fn create(&self) -> io::Result<()> {
        fs::create_dir_all(self.work())?;
        fs::create_dir(self.content())?;
        place::adopt_folder(&self.content(), &fs::metadata(self.root())?)
    }

    fn root(&self) -> &Path {
        self.lower.last().map_or(Path::new("/"), PathBuf::as_path)
    }

    /// The layer itself.
    pub fn content(&self) -> PathBuf {
        self.dir.join("upper")
    }

    fn work(&self) -> PathBuf {
        self.dir.join("work")
    }

    pub fn mount(&self) -> Mount {
        Mount {
            at: self.root().into(),
            lower: self.lower.iter().map(Into::into).collect(),
            upper: self.content().into(),
            work: self.work().into(),
        }
    }

    pub fn place(&mut self, change: &Change) -> Result<()> {
        self.put(&change.path, |target, original| place::write(target, &change.bytes, original))
    }

    /// Makes a file invisible: a *whiteout*, which everybody may make.
    pub fn hide(&mut self, path: &ProjectPath) -> Result<()> {
        self.put(path, |target, _| {
            place::remove_file(target)?;
            mknodat(CWD, target, FileType::CharacterDevice, Mode::empty(), 0).map_err(Into::into)
        })
    }

    fn put(&mut self, path: &ProjectPath, act: impl FnOnce(&Path, Option<&fs::Metadata>) -> io::Result<()>) -> Result<()> {
        let real = place::real(self.root(), path)?;
        let original = self.lower.iter().find_map(|layer| fs::symlink_metadata(layer.join(&real)).ok());
        let models: Vec<&Path> = self.lower.iter().map(PathBuf::as_path).collect();
        place::folders(&self.content(), &real, &models)
            .and_then(|()| act(&self.content().join(&real), original.as_ref().filter(|original| original.is_file())))
            .map_err(|cause| Error::environment("a file cannot be put into the scratch tree").at(path).cause(cause))?;
        self.placed.push(real);
        Ok(())
    }

    /// Files that the run has written or deleted, in path order, without ours and without those in folders named `caches`.
    pub fn written(&self, caches: &[&str]) -> Vec<ProjectPath> {
        let mut found = Vec::new();
        self.collect(Path::new(""), caches, &mut found);
        found.sort();
        found
    }

    fn collect(&self, relative: &Path, caches: &[&str], found: &mut Vec<ProjectPath>) {
        let Ok(entries) = fs::read_dir(self.content().join(relative)) else { return };
        for entry in entries.flatten() {
            let path = relative.join(entry.file_name());
            if !entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                found.extend(project_path(&path).filter(|_| !self.placed.contains(&path)));
            } else if !is_named(&entry.file_name(), caches) {
                self.collect(&path, caches, found);
            }
        }
    }

    /// Moves folders named `names` into a new layer; `false` if there are none.
    pub fn move_caches(&self, names: &[&str], layer: &Path) -> io::Result<bool> {
        let mut moved = false;
        self.move_below(Path::new(""), names, layer, &mut moved)?;
        Ok(moved)
    }

    fn move_below(&self, relative: &Path, names: &[&str], layer: &Path, moved: &mut bool) -> io::Result<()> {
        for entry in fs::read_dir(self.content().join(relative))? {
            let entry = entry?;
            let path = relative.join(entry.file_name());
            if !entry.file_type()?.is_dir() {
                continue;
            }
            if !is_named(&entry.file_name(), names) {
                self.move_below(&path, names, layer, moved)?;
                continue;
            }
            self.begin(layer)?;
            let models: Vec<&Path> = self.lower.iter().map(PathBuf::as_path).collect();
            place::folders(layer, &path, &models)?;
            fs::rename(entry.path(), layer.join(&path))?;
            *moved = true;
        }
        Ok(())
    }

    fn begin(&self, layer: &Path) -> io::Result<()> {
        match layer.exists() {
            true => Ok(()),
            false => fs::create_dir(layer).and_then(|()| place::adopt_folder(layer, &fs::metadata(self.root())?)),
        }
    }
}

impl Drop for Upper {
    fn drop(&mut self) {
        let _ = folder::remove(&self.dir);
    }
}

/// A path for people: what is not Unicode is replaced.
pub fn project_path(relative: &Path) -> Option<ProjectPath> {
    ProjectPath::new(Path::new(&*relative.to_string_lossy()))
}

pub fn is_named(name: &OsStr, names: &[&str]) -> bool {
    names.iter().any(|wanted| name == OsStr::new(wanted))
}
