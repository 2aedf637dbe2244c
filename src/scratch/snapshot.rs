//! What a copy looks like, so that any change of it is found and undone.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, Metadata, Permissions};
use std::io;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use super::{copy, folder, place};
use crate::text::Digest;

/// Two changes within one tick of the kernel's clock leave the same time. A file as young as this is compared by its bytes.
const TICK: Duration = Duration::from_millis(20);

/// The state of a copy between two runs.
#[derive(Debug)]
pub struct Snapshot {
    entries: BTreeMap<PathBuf, Entry>,
}

/// How one file looks from outside. No program can set the time of change (`ctime`): where it is the same, so are the bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Entry {
    kind: u32,
    rights: u32,
    /// Zero for folders, whose own time and size say nothing about the files in them.
    inode: u64,
    size: u64,
    changed: (i64, i64),
}

impl Entry {
    fn of(found: &Metadata) -> Entry {
        let (kind, rights) = (found.mode() & 0o170000, found.mode() & 0o7777);
        match found.is_dir() {
            true => Entry { kind, rights, inode: 0, size: 0, changed: (0, 0) },
            false => Entry { kind, rights, inode: found.ino(), size: found.size(), changed: (found.ctime(), found.ctime_nsec()) },
        }
    }

    fn is_young(&self, at: SystemTime) -> bool {
        let changed = Duration::new(self.changed.0.unsigned_abs(), self.changed.1 as u32);
        SystemTime::UNIX_EPOCH + changed + TICK >= at
    }
}

impl Snapshot {
    pub fn take(root: &Path) -> io::Result<Snapshot> {
        let mut entries = BTreeMap::new();
        take_below(root, Path::new(""), &mut entries)?;
        Ok(Snapshot { entries })
    }

    /// Brings `root` back to this snapshot; gives the paths that a run begun at `begun` had made, changed or deleted.
    ///
    /// Bytes come from the first of `sources` that has the file.
    pub fn restore(&mut self, root: &Path, sources: &[&Path], begun: SystemTime) -> io::Result<Vec<PathBuf>> {
        let mut work = Restore { root, sources, begun, seen: BTreeSet::new(), touched: Vec::new() };
        work.folder(self, Path::new(""))?;
        work.missing(self)?;
        work.touched.sort();
        Ok(work.touched)
    }

    fn renew(&mut self, root: &Path, path: &Path) -> io::Result<()> {
        self.entries.insert(path.into(), Entry::of(&fs::symlink_metadata(root.join(path))?));
        Ok(())
    }
}

fn take_below(root: &Path, relative: &Path, entries: &mut BTreeMap<PathBuf, Entry>) -> io::Result<()> {
    for entry in fs::read_dir(root.join(relative))? {
        let entry = entry?;
        let path = relative.join(entry.file_name());
        let found = entry.metadata()?;
        entries.insert(path.clone(), Entry::of(&found));
        if found.is_dir() {
            take_below(root, &path, entries)?;
        }
    }
    Ok(())
}

struct Restore<'a> {
    root: &'a Path,
    sources: &'a [&'a Path],
    begun: SystemTime,
    seen: BTreeSet<PathBuf>,
    touched: Vec<PathBuf>,
}

impl Restore<'_> {
    fn folder(&mut self, snapshot: &mut Snapshot, relative: &Path) -> io::Result<()> {
        for entry in fs::read_dir(self.root.join(relative))? {
            let entry = entry?;
            let path = relative.join(entry.file_name());
            let found = entry.metadata()?;
            match snapshot.entries.get(&path).copied() {
                None => self.remove(&path)?,
                Some(known) => self.known(snapshot, &path, known, &found)?,
            }
        }
        Ok(())
    }

    fn known(&mut self, snapshot: &mut Snapshot, path: &Path, known: Entry, found: &Metadata) -> io::Result<()> {
        let now = Entry::of(found);
        if now.kind != known.kind {
            return self.remove(path);
        }
        self.seen.insert(path.into());
        if found.is_dir() {
            if now.rights != known.rights {
                fs::set_permissions(self.root.join(path), Permissions::from_mode(known.rights))?;
            }
            return self.folder(snapshot, path);
        }
        let is_doubtful = now == known && known.is_young(self.begun);
        if now == known && !(is_doubtful && self.differs(path, found)) {
            return Ok(());
        }
        // A link that is merely doubtful is made anew, which costs less than to find out where it should lead.
        if !(is_doubtful && found.is_symlink()) {
            self.touched.push(path.into());
        }
        self.bring_back(snapshot, path)
    }

    fn remove(&mut self, path: &Path) -> io::Result<()> {
        let full = self.root.join(path);
        self.note_files(path)?;
        match fs::symlink_metadata(&full)?.is_dir() {
            true => folder::remove(&full),
            false => fs::remove_file(&full),
        }
    }

    /// A new folder counts as the files in it.
    fn note_files(&mut self, path: &Path) -> io::Result<()> {
        let full = self.root.join(path);
        if !fs::symlink_metadata(&full)?.is_dir() {
            self.touched.push(path.into());
            return Ok(());
        }
        let Ok(entries) = fs::read_dir(&full) else { return Ok(()) };
        entries.flatten().try_for_each(|entry| self.note_files(&path.join(entry.file_name())))
    }

    /// In path order, so that a folder is back before its files.
    fn missing(&mut self, snapshot: &mut Snapshot) -> io::Result<()> {
        let missing: Vec<(PathBuf, Entry)> = snapshot
            .entries
            .iter()
            .filter(|(path, _)| !self.seen.contains(*path))
            .map(|(path, known)| (path.clone(), *known))
            .collect();
        for (path, known) in missing {
            if known.kind != 0o040000 {
                self.touched.push(path.clone());
            }
            self.bring_back(snapshot, &path)?;
        }
        Ok(())
    }

    fn bring_back(&self, snapshot: &mut Snapshot, path: &Path) -> io::Result<()> {
        let full = self.root.join(path);
        if fs::symlink_metadata(&full).is_ok_and(|found| !found.is_dir()) {
            place::remove_file(&full)?;
        }
        let source = self.source(path).ok_or_else(|| io::Error::new(io::ErrorKind::NotFound, "the original is gone"))?;
        copy::entry(source, self.root, path)?;
        snapshot.renew(self.root, path)
    }

    fn source(&self, path: &Path) -> Option<&Path> {
        self.sources.iter().find(|source| fs::symlink_metadata(source.join(path)).is_ok()).copied()
    }

    fn differs(&self, path: &Path, found: &Metadata) -> bool {
        if found.is_symlink() {
            return true;
        }
        let digest = |root: &Path| Digest::of_file(&root.join(path)).ok();
        self.source(path).is_none_or(|source| digest(source) != digest(self.root))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    /// A project, its copy, and the copy's snapshot.
    fn copied() -> (tempfile::TempDir, PathBuf, PathBuf, Snapshot) {
        let dir = tempfile::tempdir().unwrap();
        let (from, to) = (dir.path().join("from"), dir.path().join("to"));
        fs::create_dir_all(from.join("pkg/data")).unwrap();
        fs::write(from.join("pkg/a.py"), "a = 1\n").unwrap();
        fs::write(from.join("pkg/data/b.txt"), "b\n").unwrap();
        symlink("a.py", from.join("pkg/link")).unwrap();
        copy::tree(&from, &to, Path::new("")).unwrap();
        let snapshot = Snapshot::take(&to).unwrap();
        (dir, from, to, snapshot)
    }

    fn restored(change: impl FnOnce(&Path)) -> Vec<String> {
        let (_dir, from, to, mut snapshot) = copied();
        let begun = SystemTime::now();
        change(&to);
        let touched = snapshot.restore(&to, &[&from], begun).unwrap();
        assert_eq!(fs::read(to.join("pkg/a.py")).unwrap(), b"a = 1\n");
        assert_eq!(fs::read(to.join("pkg/data/b.txt")).unwrap(), b"b\n");
        assert_eq!(fs::read_link(to.join("pkg/link")).unwrap(), Path::new("a.py"));
        assert_eq!(fs::read_dir(to.join("pkg")).unwrap().count(), 3);
        assert!(snapshot.restore(&to, &[&from], SystemTime::now()).unwrap().is_empty(), "a second look finds nothing");
        touched.iter().map(|path| path.display().to_string()).collect()
    }

    #[test]
    fn nothing_is_touched_when_nothing_was_done() {
        assert!(restored(|_| {}).is_empty());
    }

    #[test]
    fn a_rewritten_file_of_the_same_size_comes_back() {
        assert_eq!(restored(|to| fs::write(to.join("pkg/a.py"), "a = 2\n").unwrap()), ["pkg/a.py"]);
    }

    #[test]
    fn a_folder_that_was_removed_comes_back_with_its_files() {
        assert_eq!(restored(|to| fs::remove_dir_all(to.join("pkg")).unwrap()), ["pkg/a.py", "pkg/data/b.txt", "pkg/link"]);
    }

    #[test]
    fn a_folder_that_became_a_file_and_a_file_that_became_a_folder_come_back() {
        let touched = restored(|to| {
            fs::remove_dir_all(to.join("pkg/data")).unwrap();
            fs::write(to.join("pkg/data"), "now a file").unwrap();
            fs::remove_file(to.join("pkg/a.py")).unwrap();
            fs::create_dir(to.join("pkg/a.py")).unwrap();
        });
        assert_eq!(touched, ["pkg/a.py", "pkg/data", "pkg/data/b.txt"]);
    }

    #[test]
    fn a_renamed_file_is_back_under_its_name() {
        assert_eq!(restored(|to| fs::rename(to.join("pkg/a.py"), to.join("pkg/z.py")).unwrap()), ["pkg/a.py", "pkg/z.py"]);
    }

    #[test]
    fn rights_that_were_taken_from_a_folder_are_given_back() {
        assert!(restored(|to| fs::set_permissions(to.join("pkg"), Permissions::from_mode(0o0)).unwrap()).is_empty());
    }
}
