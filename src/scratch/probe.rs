//! Which kind of scratch tree works for a project on this system, and why not the other.

use std::fs;
use std::path::{Path, PathBuf};

use rustix::fs::{XattrFlags, setxattr};
use rustix::process::geteuid;

use super::folder::{self, Base};
use super::keeper::order::{Done, Order};
use super::overlay::Upper;
use super::process::{keep, run_name};
use super::{Change, Mode, Stop};
use crate::error::{Error, Result};
use crate::text::{Digest, ProjectPath};

/// One way to make scratch trees, tried out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    pub mode: Mode,
    /// Where the temporary files would go, if it works; else the reason in words.
    pub works: Result<PathBuf, String>,
}

/// Tries every way for the project at `root`; writes only into temporary folders. For `mutate doctor`.
pub fn all(root: &Path, keeper: &Path) -> Vec<Finding> {
    let base_of = |base: Base| base.path().parent().unwrap_or(Path::new("/")).to_path_buf();
    vec![
        Finding { mode: Mode::Overlay, works: overlay(root, keeper).map(base_of) },
        Finding { mode: Mode::Copy, works: copy(root).map(base_of) },
    ]
}

/// A base on which an overlay over `root` really shows a changed file.
pub(super) fn overlay(root: &Path, keeper: &Path) -> Result<Base, String> {
    if root == Path::new("/") {
        return Err("the project is the root of the file system".into());
    }
    if let Some(below) = mount_below(root) {
        return Err(format!("another file system is mounted inside the project, at {}", below.display()));
    }
    first_that_works(root, |base| try_overlay(root, keeper, base))
}

pub(super) fn copy(root: &Path) -> Result<Base, String> {
    first_that_works(root, |_| Ok(()))
}

/// The first place outside of the project that will do. The first reason is told: the later places are second choice.
fn first_that_works(root: &Path, check: impl Fn(&Base) -> Result<(), String>) -> Result<Base, String> {
    let mut first_reason = None;
    for place in folder::places() {
        let base = match place.starts_with(root) {
            true => Err(format!("{} is inside the project", place.display())),
            false => Base::under(&place).map_err(|cause| format!("{}: {cause}", place.display())),
        };
        match base.and_then(|base| check(&base).map(|()| base)) {
            Ok(base) => return Ok(base),
            Err(why) => first_reason = first_reason.or(Some(why)),
        }
    }
    Err(first_reason.unwrap_or_else(|| "there is no temporary folder".into()))
}

/// Mounts for real: a kernel, a container or a security module may refuse at every step.
fn try_overlay(root: &Path, keeper: &Path, base: &Base) -> Result<(), String> {
    let mut upper = Upper::new(base.fresh("probe"), vec![root.into()]).map_err(|error| error.to_string())?;
    takes_attributes(&upper.content())?;
    let name = base.path().file_name().unwrap_or_default();
    let (Some(path), bytes) = (ProjectPath::new(Path::new(name)), b"probe".to_vec()) else {
        return Err("no name for a probe".into());
    };
    upper.place(&Change { path: path.clone(), bytes: bytes.clone() }).map_err(|error| error.to_string())?;
    let look_at = vec![path.under(root).into()];
    let order = Order::to_look(run_name(), Some(upper.mount()), look_at);
    let kept = keep(keeper, &order, &Stop::new()).map_err(|error| error.to_string())?;
    match kept.answer?? {
        Done { seen, .. } if seen == [Ok(Digest::of(&bytes))] => Ok(()),
        _ => Err("a changed file does not show through the overlay".into()),
    }
}

/// Takes the network away from a process that does nothing else.
pub(super) fn offline(keeper: &Path) -> Result<(), String> {
    let nothing = Order { offline: true, ..Order::to_look(run_name(), None, Vec::new()) };
    let kept = keep(keeper, &nothing, &Stop::new()).map_err(|error| error.to_string())?;
    kept.answer?.map(|_| ())
}

/// Without extended attributes an overlay can be mounted, but a test that replaces a folder of the project gets an error.
fn takes_attributes(upper: &Path) -> Result<(), String> {
    let name = if geteuid().is_root() { "trusted.mutate" } else { "user.mutate" };
    let refused = |cause| format!("{} takes no extended attributes: {cause}", upper.display());
    match setxattr(upper, name, b"1", XattrFlags::empty()) {
        // Root without the right to use `trusted` mounts in a user namespace, and needs `user`.
        Err(rustix::io::Errno::PERM) => setxattr(upper, "user.mutate", b"1", XattrFlags::empty()).map_err(refused),
        other => other.map_err(refused),
    }
}

/// A mount point strictly below `root`: an overlay would hide what is mounted there.
fn mount_below(root: &Path) -> Option<PathBuf> {
    let table = fs::read("/proc/self/mountinfo").ok()?;
    table.split(|byte| *byte == b'\n').filter_map(mount_point).find(|point| point.starts_with(root) && point != root)
}

fn mount_point(line: &[u8]) -> Option<PathBuf> {
    use std::os::unix::ffi::OsStringExt;
    let field = line.split(|byte| *byte == b' ').nth(4)?;
    Some(std::ffi::OsString::from_vec(unescaped(field)).into())
}

/// The kernel writes blanks, line feeds and backslashes as `\` and three octal digits.
fn unescaped(field: &[u8]) -> Vec<u8> {
    let (mut plain, mut rest) = (Vec::new(), field);
    while let Some((first, after)) = rest.split_first() {
        let code = after.get(..3).and_then(|digits| u8::from_str_radix(std::str::from_utf8(digits).ok()?, 8).ok());
        match (first, code) {
            (b'\\', Some(byte)) => (plain.push(byte), rest = &after[3..]),
            _ => (plain.push(*first), rest = after),
        };
    }
    plain
}

pub(super) fn refused(mode: Mode, why: String) -> Error {
    let (what, mend) = match mode {
        Mode::Overlay => ("an overlay file system does not work here", "use `--scratch copy`, or see `mutate doctor`"),
        Mode::Copy => ("there is no place for a copy of the project", "set TMPDIR to a folder outside of the project"),
    };
    Error::environment(what).cause(why).mend(mend)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mount_point_with_blanks_and_backslashes_is_read() {
        let line = br"36 35 98:0 / /mnt/a\040b\134c rw,noatime - ext3 /dev/root rw";
        assert_eq!(mount_point(line).unwrap(), Path::new(r"/mnt/a b\c"));
    }

    #[test]
    fn a_mount_below_the_root_is_found_and_the_root_itself_is_none() {
        assert!(mount_below(Path::new("/")).is_some());
        assert_eq!(mount_below(Path::new("/proc/self/fd")), None);
    }
}
