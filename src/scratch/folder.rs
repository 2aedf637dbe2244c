//! Temporary folders: made in a place that suits, removed for certain, even those of an engine that was killed.

use std::fs::{self, DirBuilder, File, Permissions};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use rustix::fs::{FlockOperation, flock};
use rustix::process::getuid;

const PREFIX: &str = "mutate-";
/// Locked by the engine that the folder belongs to; the kernel lets go of the lock when the engine dies, however it dies.
const LOCK: &str = "lock";

/// The private folder of one engine.
#[derive(Debug)]
pub struct Base {
    path: PathBuf,
    count: AtomicU64,
    _lock: File,
}

impl Base {
    pub fn under(dir: &Path) -> io::Result<Base> {
        sweep(dir);
        let path = tempfile::Builder::new().prefix(PREFIX).tempdir_in(dir)?.keep().canonicalize()?;
        let lock = locked(&path)?;
        Ok(Base { path, count: AtomicU64::new(0), _lock: lock })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// A path in here that nothing has yet.
    pub fn fresh(&self, what: &str) -> PathBuf {
        self.path.join(format!("{what}-{}", self.count.fetch_add(1, Ordering::Relaxed)))
    }
}

impl Drop for Base {
    fn drop(&mut self) {
        let _ = remove(&self.path);
    }
}

/// An empty folder, private to one request; gone with this value.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
}

impl Folder {
    pub(super) fn at(path: PathBuf) -> io::Result<Folder> {
        DirBuilder::new().mode(0o700).create(&path)?;
        Ok(Folder { path })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = remove(&self.path);
    }
}

/// Where temporary folders may go, best first.
pub fn places() -> Vec<PathBuf> {
    let mut places: Vec<PathBuf> = Vec::new();
    for place in [std::env::temp_dir(), "/var/tmp".into(), "/dev/shm".into()] {
        if let Ok(place) = place.canonicalize()
            && !places.contains(&place)
        {
            places.push(place);
        }
    }
    places
}

/// Removes a tree, also one in which tests have taken rights away. It is no error if it does not exist.
pub fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_dir_all(path) {
        Err(cause) if cause.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(_) => {
            open_up(path);
            fs::remove_dir_all(path)
        }
        Ok(()) => Ok(()),
    }
}

/// Gives us every right on every folder below. Symbolic links are not followed.
fn open_up(dir: &Path) {
    let _ = fs::set_permissions(dir, Permissions::from_mode(0o700));
    let Ok(entries) = fs::read_dir(dir) else { return };
    for entry in entries.flatten().filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir())) {
        open_up(&entry.path());
    }
}

/// The lock is taken under another name first: under its own name it is locked from the first instant, so no sweep can come between.
fn locked(path: &Path) -> io::Result<File> {
    let early = path.join("lock-early");
    let lock = File::create(&early)?;
    flock(&lock, FlockOperation::NonBlockingLockExclusive)?;
    fs::rename(&early, path.join(LOCK))?;
    Ok(lock)
}

/// Removes what killed engines of this user have left, wherever temporary folders may go; what is gone now.
pub fn sweep_everywhere() -> Vec<PathBuf> {
    places().iter().flat_map(|place| sweep(place)).collect()
}

fn sweep(dir: &Path) -> Vec<PathBuf> {
    let mut gone = Vec::new();
    let Ok(entries) = fs::read_dir(dir) else { return gone };
    let ours = entries.flatten().filter(|entry| entry.file_name().to_str().is_some_and(|name| name.starts_with(PREFIX)));
    for path in ours.map(|entry| entry.path()).filter(|path| is_own_folder(path)) {
        let Ok(lock) = File::open(path.join(LOCK)) else { continue };
        if flock(&lock, FlockOperation::NonBlockingLockExclusive).is_ok() && remove(&path).is_ok() {
            gone.push(path);
        }
    }
    gone
}

fn is_own_folder(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|found| found.is_dir() && found.uid() == getuid().as_raw())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_of_a_dead_engine_is_swept_and_one_of_a_living_engine_stays() {
        let place = tempfile::tempdir().unwrap();
        let living = Base::under(place.path()).unwrap();
        let dead = place.path().join("mutate-dead");
        fs::create_dir(&dead).unwrap();
        fs::write(dead.join(LOCK), "").unwrap();
        let stranger = place.path().join("mutate-no-lock");
        fs::create_dir(&stranger).unwrap();

        let next = Base::under(place.path()).unwrap();

        assert!(!dead.exists());
        assert!(living.path().exists() && next.path().exists() && stranger.exists());
    }

    #[test]
    fn a_base_is_gone_with_its_value() {
        let place = tempfile::tempdir().unwrap();
        let path = Base::under(place.path()).unwrap().path().to_path_buf();
        assert!(!path.exists());
    }

    #[test]
    fn a_folder_without_rights_is_removed_all_the_same() {
        let place = tempfile::tempdir().unwrap();
        let closed = place.path().join("closed");
        fs::create_dir_all(closed.join("inner")).unwrap();
        fs::set_permissions(closed.join("inner"), Permissions::from_mode(0o0)).unwrap();
        remove(&closed).unwrap();
        assert!(!closed.exists());
    }
}
