//! A copy of the project, for systems without overlays.
//!
//! Reflinks where the file system has them, else bytes; never hard links, through which a test could write into the user's tree.
//! Folders of dependencies are large and linked instead.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::os::unix::fs::symlink;
use std::path::{Component, Path, PathBuf};

use super::place;

/// Version control and our own output: not needed by tests, and some of it is written at any time.
const LEFT_OUT: [&str; 2] = [".git", ".mutate"];
/// Dependencies by their folder's name …
const LINKED: [&str; 3] = ["site-packages", ".tox", ".nox"];
/// Packages are linked one by one, since some tools keep files beside them, and links to other packages of a workspace lead into the copy.
const PACKAGES: &str = "node_modules";
/// What tools keep beside them; they make it again.
const KEPT_BESIDE: [&str; 3] = [".cache", ".vite", ".vite-temp"];
/// … and by what marks a Python environment, whatever its name.
const MARKS_OF_ENVIRONMENTS: [&str; 2] = ["pyvenv.cfg", "conda-meta"];

/// Makes `to` a copy of `from`. What the user may not read, tests cannot read either, and is passed over.
pub fn tree(from: &Path, to: &Path, except: &Path) -> io::Result<()> {
    Copy { from, to, except }.folder(Path::new(""))
}

/// Puts the files of a layer of caches into a copy.
pub fn layer(from: &Path, to: &Path) -> io::Result<()> {
    let nothing = Path::new("");
    Copy { from, to, except: nothing }.folder(nothing)
}

/// One file, link or folder without content.
pub fn entry(from: &Path, to: &Path, relative: &Path) -> io::Result<()> {
    Copy { from, to, except: Path::new("") }.entry(relative, &fs::symlink_metadata(from.join(relative))?)
}

/// Copies the folders of these names, wherever they stand, into a new layer; `false` if there are none.
pub fn folders_named(names: &[&str], from: &Path, to: &Path) -> io::Result<bool> {
    let mut found = false;
    collect(Path::new(""), names, &Copy { from, to, except: Path::new("") }, &mut found)?;
    Ok(found)
}

fn collect(relative: &Path, names: &[&str], copy: &Copy, found: &mut bool) -> io::Result<()> {
    for entry in fs::read_dir(copy.from.join(relative))? {
        let entry = entry?;
        let path = relative.join(entry.file_name());
        if !entry.file_type()?.is_dir() {
            continue;
        }
        if !names.iter().any(|name| entry.file_name() == OsStr::new(name)) {
            collect(&path, names, copy, found)?;
            continue;
        }
        fs::create_dir_all(copy.to)?;
        place::folders(copy.to, &path, &[copy.from])?;
        copy.folder(&path)?;
        *found = true;
    }
    Ok(())
}

struct Copy<'a> {
    from: &'a Path,
    to: &'a Path,
    /// The scratch folder itself, should it lie within.
    except: &'a Path,
}

impl Copy<'_> {
    fn folder(&self, relative: &Path) -> io::Result<()> {
        let dir = self.from.join(relative);
        self.entry(relative, &fs::symlink_metadata(&dir)?)?;
        let Some(entries) = allowed(fs::read_dir(&dir))? else { return Ok(()) };
        for entry in entries {
            let entry = entry?;
            let path = relative.join(entry.file_name());
            let found = fs::symlink_metadata(entry.path())?;
            let is_named = |names: &[&str]| names.iter().any(|name| entry.file_name() == OsStr::new(name));
            let is_kept_beside = is_packages(&dir) && is_named(&KEPT_BESIDE);
            if found.is_dir() && entry.path() == self.except || is_named(&LEFT_OUT) || is_kept_beside {
                continue;
            }
            match found.is_dir() && !is_linked(&entry.path()) {
                true => self.folder(&path)?,
                false => self.entry(&path, &found)?,
            }
        }
        place::set_time(&self.to.join(relative), &fs::metadata(&dir)?)
    }

    fn entry(&self, relative: &Path, found: &fs::Metadata) -> io::Result<()> {
        let (from, to) = (self.from.join(relative), self.to.join(relative));
        let kind = found.file_type();
        if kind.is_symlink() {
            return symlink(self.link_target(&from)?, to);
        }
        if kind.is_dir() && !relative.as_os_str().is_empty() && is_linked(&from) {
            return symlink(&from, to);
        }
        if kind.is_dir() {
            fs::create_dir_all(&to)?;
            return place::adopt_folder(&to, found);
        }
        match kind.is_file() {
            true => file(&from, &to, found),
            false => Ok(()),
        }
    }

    /// Links keep their meaning: inside the project they lead into the copy, outside of it to the same place as before.
    fn link_target(&self, link: &Path) -> io::Result<PathBuf> {
        let target = fs::read_link(link)?;
        if target.is_absolute() {
            return Ok(target.strip_prefix(self.from).map(|inside| self.to.join(inside)).unwrap_or(target));
        }
        let meant = normal(&link.parent().unwrap_or(self.from).join(&target));
        Ok(if meant.starts_with(self.from) { target } else { meant })
    }
}

/// `a/../b` as `b`, without asking the file system: a loop of links has no real path.
fn normal(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for component in path.components() {
        match component {
            Component::ParentDir => {
                normal.pop();
            }
            other => normal.push(other),
        }
    }
    normal
}

fn is_dependencies(dir: &Path) -> bool {
    let named = dir.file_name().is_some_and(|name| LINKED.iter().any(|linked| name == OsStr::new(linked)));
    named || MARKS_OF_ENVIRONMENTS.iter().any(|mark| dir.join(mark).symlink_metadata().is_ok())
}

/// Dependencies as a whole, or one package of them; a folder `@scope` holds packages.
fn is_linked(dir: &Path) -> bool {
    let is_scope = dir.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"@"));
    let is_package = |around: &Path| is_packages(around) || is_scope_of_packages(around);
    is_dependencies(dir) || !is_scope && dir.parent().is_some_and(is_package)
}

fn is_scope_of_packages(dir: &Path) -> bool {
    let is_scope = dir.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"@"));
    is_scope && dir.parent().is_some_and(is_packages)
}

fn is_packages(dir: &Path) -> bool {
    dir.file_name() == Some(OsStr::new(PACKAGES))
}

fn file(from: &Path, to: &Path, found: &fs::Metadata) -> io::Result<()> {
    place::remove_file(to)?;
    if allowed(fs::File::open(from))?.is_none() {
        return Ok(());
    }
    reflink_copy::reflink_or_copy(from, to)?;
    place::adopt(to, found)?;
    place::set_time(to, found)
}

fn allowed<T>(result: io::Result<T>) -> io::Result<Option<T>> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(cause) if cause.kind() == io::ErrorKind::PermissionDenied => Ok(None),
        Err(cause) => Err(cause),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn copied(make: impl FnOnce(&Path)) -> (tempfile::TempDir, PathBuf, PathBuf) {
        let dir = tempfile::tempdir().unwrap();
        let (from, to) = (dir.path().join("project"), dir.path().join("copy"));
        fs::create_dir(&from).unwrap();
        make(&from);
        tree(&from, &to, Path::new("")).unwrap();
        (dir, from, to)
    }

    #[test]
    fn a_link_loop_is_copied_as_a_loop() {
        let (_dir, _, to) = copied(|from| {
            symlink("self", from.join("self")).unwrap();
            symlink("..", from.join("up")).unwrap();
            symlink(".", from.join("here")).unwrap();
        });
        assert_eq!(fs::read_link(to.join("self")).unwrap(), Path::new("self"));
        assert_eq!(fs::read_link(to.join("here")).unwrap(), Path::new("."));
    }

    #[test]
    fn links_keep_their_meaning() {
        let (dir, _, to) = copied(|from| {
            fs::write(from.join("a.py"), "").unwrap();
            fs::write(from.with_file_name("outside.txt"), "").unwrap();
            symlink(from.join("a.py"), from.join("absolute")).unwrap();
            symlink("a.py", from.join("relative")).unwrap();
            symlink("../outside.txt", from.join("outside")).unwrap();
        });
        assert_eq!(fs::read_link(to.join("absolute")).unwrap(), to.join("a.py"));
        assert_eq!(fs::read_link(to.join("relative")).unwrap(), Path::new("a.py"));
        assert_eq!(fs::read_link(to.join("outside")).unwrap(), dir.path().join("outside.txt"));
    }

    #[test]
    fn dependencies_are_linked_and_a_package_that_is_only_called_venv_is_copied() {
        let (_dir, from, to) = copied(|from| {
            for (folder, file) in [("env", "pyvenv.cfg"), ("venv", "__init__.py"), (".git", "HEAD")] {
                fs::create_dir(from.join(folder)).unwrap();
                fs::write(from.join(folder).join(file), "").unwrap();
            }
        });
        assert_eq!(fs::read_link(to.join("env")).unwrap(), from.join("env"));
        assert!(to.join("venv").symlink_metadata().unwrap().is_dir());
        assert!(!to.join(".git").exists());
    }

    #[test]
    fn packages_are_linked_one_by_one_so_that_nothing_is_written_beside_them() {
        let (_dir, from, to) = copied(|from| {
            for package in ["lodash", "@scope/core", ".vite-temp"] {
                fs::create_dir_all(from.join("node_modules").join(package)).unwrap();
            }
            fs::create_dir_all(from.join("packages/app")).unwrap();
            symlink("../packages/app", from.join("node_modules/app")).unwrap();
        });
        let packages = to.join("node_modules");
        assert!(packages.symlink_metadata().unwrap().is_dir() && packages.join("@scope").symlink_metadata().unwrap().is_dir());
        for package in ["lodash", "@scope/core"] {
            assert_eq!(fs::read_link(packages.join(package)).unwrap(), from.join("node_modules").join(package));
            assert!(is_linked(&from.join("node_modules").join(package)), "restored as it was made");
        }
        assert_eq!(packages.join("app").canonicalize().unwrap(), to.join("packages/app"));
        assert!(!packages.join(".vite-temp").exists());
    }

    #[test]
    fn times_and_rights_are_kept_and_files_are_not_shared() {
        use std::os::unix::fs::{MetadataExt, PermissionsExt};
        let (_dir, from, to) = copied(|from| {
            fs::write(from.join("run.sh"), "true").unwrap();
            fs::set_permissions(from.join("run.sh"), fs::Permissions::from_mode(0o555)).unwrap();
        });
        let (original, copy) = (fs::metadata(from.join("run.sh")).unwrap(), fs::metadata(to.join("run.sh")).unwrap());
        assert_eq!((original.mtime(), original.mtime_nsec(), original.mode()), (copy.mtime(), copy.mtime_nsec(), copy.mode()));
        assert_ne!(original.ino(), copy.ino());
    }
}
