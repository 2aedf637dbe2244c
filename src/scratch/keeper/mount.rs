//! Puts an overlay file system over the project, for this process and its children alone.

use std::ffi::{CString, OsString};
use std::fmt::Write as _;
use std::fs;
use std::os::fd::{AsRawFd, OwnedFd};
use std::path::Path;

use rustix::fs::{CWD, Mode, OFlags, openat};
use rustix::io::Errno;
use rustix::mount::{MountFlags, MountPropagationFlags, mount, mount_change};
use rustix::process::{getgid, getuid};
use rustix::thread::{UnshareFlags, unshare_unsafe};

use super::order::Mount;

/// As root first, because that needs no user namespace and keeps all ids; then as anybody.
pub fn enter(order: &Mount) -> Result<(), String> {
    let as_root = namespaces(UnshareFlags::NEWNS).and_then(|()| over(order, ""));
    let Err(refused_to_root) = as_root else { return Ok(()) };
    if refused_to_root.errno != Errno::PERM && refused_to_root.errno != Errno::ACCESS {
        return Err(refused_to_root.to_string());
    }
    let (uid, gid) = (getuid().as_raw(), getgid().as_raw());
    namespaces(UnshareFlags::NEWUSER | UnshareFlags::NEWNS)
        .and_then(|()| map_ids(uid, gid))
        .and_then(|()| over(order, ",userxattr"))
        .map_err(|refused| refused.to_string())
}

/// A step that the kernel refused.
pub(super) struct Refused {
    step: &'static str,
    errno: Errno,
}

impl std::fmt::Display for Refused {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.step, self.errno)
    }
}

fn refused(step: &'static str) -> impl Fn(Errno) -> Refused {
    move |errno| Refused { step, errno }
}

fn namespaces(flags: UnshareFlags) -> Result<(), Refused> {
    let step = match flags.contains(UnshareFlags::NEWUSER) {
        true => "no user namespaces",
        false => "no mount namespaces",
    };
    // SAFETY: the danger is a file table that threads no longer share. FILES is never among the flags, and a keeper has one thread.
    unsafe { unshare_unsafe(flags) }.map_err(refused(step))?;
    let private = MountPropagationFlags::PRIVATE | MountPropagationFlags::REC;
    mount_change("/", private).map_err(refused("mounts cannot be made private"))
}

/// Everybody stays who they are.
pub(super) fn map_ids(uid: u32, gid: u32) -> Result<(), Refused> {
    let write = |file: &str, text: String| {
        fs::write(file, text).map_err(|cause| Refused {
            step: "ids cannot be mapped into a user namespace",
            errno: Errno::from_io_error(&cause).unwrap_or(Errno::PERM),
        })
    };
    write("/proc/self/setgroups", "deny".into())?;
    write("/proc/self/uid_map", format!("{uid} {uid} 1"))?;
    write("/proc/self/gid_map", format!("{gid} {gid} 1"))
}

/// What we would like the overlay to do, best first; older kernels know less.
///
/// `volatile` spares a flush of the whole disk when the mount goes; the upper layer is thrown away anyhow.
/// `redirect_dir` lets root's tests rename a folder of the project, which needs attributes that others may not write.
const WISHES: [(&str, &str); 2] = [("", ",volatile,redirect_dir=on"), (",userxattr", ",volatile")];

fn over(order: &Mount, rights: &str) -> Result<(), Refused> {
    let layers = Layers::open(order).map_err(refused("a layer cannot be opened"))?;
    let wishes = WISHES.iter().filter(|(for_rights, _)| *for_rights == rights).map(|(_, wish)| *wish);
    let mut last = Errno::INVAL;
    for wish in wishes.chain([",volatile", ""]) {
        match mount("mutate", Path::new(&order.at), "overlay", MountFlags::empty(), layers.options(rights, wish).as_c_str()) {
            Ok(()) => return Ok(()),
            Err(errno) => last = errno,
        }
        if last != Errno::INVAL {
            break;
        }
    }
    Err(Refused { step: "no overlay file system at the project's path", errno: last })
}

/// The layers as open folders.
///
/// Named to the kernel as `/proc/self/fd/<number>`, because `:` and `,` in a path have meanings in the mount options, and the way
/// to escape them has changed between kernels.
struct Layers {
    lower: Vec<OwnedFd>,
    upper: OwnedFd,
    work: OwnedFd,
}

impl Layers {
    fn open(order: &Mount) -> Result<Layers, Errno> {
        let open =
            |path: &OsString| openat(CWD, Path::new(path), OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty());
        Ok(Layers {
            lower: order.lower.iter().map(open).collect::<Result<_, _>>()?,
            upper: open(&order.upper)?,
            work: open(&order.work)?,
        })
    }

    fn options(&self, rights: &str, wish: &str) -> CString {
        let place = |fd: &OwnedFd| format!("/proc/self/fd/{}", fd.as_raw_fd());
        let lower: Vec<String> = self.lower.iter().map(place).collect();
        let mut options = format!("lowerdir={},upperdir={},workdir={}", lower.join(":"), place(&self.upper), place(&self.work));
        let _ = write!(options, "{rights}{wish}");
        CString::new(options).unwrap_or_default()
    }
}
