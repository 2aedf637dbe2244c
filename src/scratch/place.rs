//! Puts bytes where a file of the project stands, in an upper layer or a copy.

use std::fs::{self, File, FileTimes, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::{MetadataExt, PermissionsExt, lchown};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use rustix::fs::{AtFlags, CWD, Timespec, Timestamps, UTIME_OMIT, utimensat};

use crate::error::{Error, Result};
use crate::text::ProjectPath;

/// Where `path` really stands, relative to `root`, when symbolic links among its folders are followed.
///
/// Fails if that is outside of the root: to write there would be to write into something that is not ours.
pub fn real(root: &Path, path: &ProjectPath) -> Result<PathBuf> {
    let full = path.under(root);
    let (mut dir, mut missing) = (full.parent().unwrap_or(root), PathBuf::new());
    while dir.symlink_metadata().is_err() && dir != root {
        missing = Path::new(dir.file_name().unwrap_or_default()).join(&missing);
        dir = dir.parent().unwrap_or(root);
    }
    let resolved = dir.canonicalize().map_err(|cause| unreadable(path).cause(cause))?;
    let inside = resolved.strip_prefix(root).map_err(|_| outside(path, &resolved))?;
    Ok(inside.join(missing).join(full.file_name().unwrap_or_default()))
}

fn unreadable(path: &ProjectPath) -> Error {
    Error::environment("a folder of the project cannot be read").at(path)
}

fn outside(path: &ProjectPath, resolved: &Path) -> Error {
    Error::usage("this file cannot be mutated: its folder is a link that leads out of the scratch tree")
        .at(format!("{path} → {}", resolved.display()))
        .mend("mutate the file in the project that it belongs to, or use `--scratch overlay`")
}

/// Writes a file that looks like `original` to everybody who asks for more than its bytes, but never as old.
///
/// Its modification time differs from the original's in the whole second: CPython takes bytecode for current when that second and
/// the size agree. It is never in the past, because build tools rebuild what is newer.
pub fn write(target: &Path, bytes: &[u8], original: Option<&fs::Metadata>) -> io::Result<()> {
    remove_file(target)?;
    let mut file = File::create_new(target)?;
    file.write_all(bytes)?;
    if let Some(original) = original {
        adopt(target, original)?;
    }
    file.set_times(FileTimes::new().set_modified(time_unlike(original.and_then(|original| original.modified().ok()))))
}

fn time_unlike(original: Option<SystemTime>) -> SystemTime {
    let second = |time: SystemTime| time.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_secs();
    let now = SystemTime::now();
    match original {
        Some(original) if second(original) == second(now) => now + Duration::from_secs(1),
        _ => now,
    }
}

/// Rights, and the owner where we may set one.
pub fn adopt(target: &Path, original: &fs::Metadata) -> io::Result<()> {
    let own = fs::symlink_metadata(target)?;
    if (own.uid(), own.gid()) != (original.uid(), original.gid()) {
        let _ = lchown(target, Some(original.uid()), Some(original.gid()));
    }
    fs::set_permissions(target, Permissions::from_mode(original.mode() & 0o7777))
}

/// Makes the folders on the way to `relative` below `target`, each like its model: the first of `models` that has it.
pub fn folders(target: &Path, relative: &Path, models: &[&Path]) -> io::Result<()> {
    let mut way = PathBuf::new();
    for part in relative.parent().into_iter().flat_map(Path::components) {
        way.push(part);
        let dir = target.join(&way);
        if dir.symlink_metadata().is_ok() {
            continue;
        }
        fs::create_dir(&dir)?;
        if let Some(model) = models.iter().find_map(|model| fs::symlink_metadata(model.join(&way)).ok()) {
            adopt_folder(&dir, &model)?;
        }
    }
    Ok(())
}

/// Rights (ours are never less than all), owner and time.
pub fn adopt_folder(dir: &Path, model: &fs::Metadata) -> io::Result<()> {
    adopt(dir, model)?;
    fs::set_permissions(dir, Permissions::from_mode(model.mode() & 0o7777 | 0o700))?;
    set_time(dir, model)
}

/// By its path, because a file that we own may still forbid us to open it.
pub fn set_time(path: &Path, model: &fs::Metadata) -> io::Result<()> {
    let modified = Timespec { tv_sec: model.mtime(), tv_nsec: model.mtime_nsec() };
    let unchanged = Timespec { tv_sec: 0, tv_nsec: UTIME_OMIT };
    Ok(utimensat(CWD, path, &Timestamps { last_access: unchanged, last_modification: modified }, AtFlags::SYMLINK_NOFOLLOW)?)
}

/// It is no error if it does not exist.
pub fn remove_file(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(cause) if cause.kind() == io::ErrorKind::NotFound => Ok(()),
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    fn seconds(path: &Path) -> i64 {
        fs::metadata(path).unwrap().mtime()
    }

    #[test]
    fn a_mutant_written_within_the_second_of_the_original_has_another_second() {
        let dir = tempfile::tempdir().unwrap();
        let (original, mutant) = (dir.path().join("a.py"), dir.path().join("b.py"));
        fs::write(&original, "a + b").unwrap();
        write(&mutant, b"a - b", Some(&fs::metadata(&original).unwrap())).unwrap();
        assert_ne!(seconds(&original), seconds(&mutant));
    }

    #[test]
    fn rights_are_kept_also_where_they_forbid_writing() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("a.sh");
        fs::write(&file, "true").unwrap();
        fs::set_permissions(&file, Permissions::from_mode(0o555)).unwrap();
        let original = fs::metadata(&file).unwrap();
        write(&file, b"false", Some(&original)).unwrap();
        assert_eq!(fs::metadata(&file).unwrap().mode() & 0o777, 0o555);
        assert_eq!(fs::read(&file).unwrap(), b"false");
    }

    #[test]
    fn a_folder_that_is_a_link_inside_the_root_is_followed_and_one_that_leads_out_is_refused() {
        let (dir, elsewhere) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let root = dir.path().canonicalize().unwrap();
        fs::create_dir(root.join("real")).unwrap();
        symlink("real", root.join("inner")).unwrap();
        symlink(elsewhere.path(), root.join("outer")).unwrap();
        let path = |path: &str| ProjectPath::new(Path::new(path)).unwrap();
        assert_eq!(real(&root, &path("inner/a.py")).unwrap(), Path::new("real/a.py"));
        assert_eq!(real(&root, &path("real/new/deep/a.py")).unwrap(), Path::new("real/new/deep/a.py"));
        assert!(real(&root, &path("outer/a.py")).is_err());
    }
}
