//! Takes the network away from this process and its children.
//!
//! They get a network namespace of their own, in which only the loopback device is up: tests that start a server for themselves still
//! reach it, and nothing else can be reached.

use rustix::io::Errno;
use rustix::net::netlink::SocketAddrNetlink;
use rustix::net::{AddressFamily, RecvFlags, SendFlags, SocketFlags, SocketType, recv, sendto, socket_with};
use rustix::process::{getgid, getuid};
use rustix::thread::{UnshareFlags, unshare_unsafe};

use super::mount::map_ids;

/// As root or in the user namespace that we are in already, else in a new one.
pub fn leave() -> Result<(), String> {
    let (uid, gid) = (getuid().as_raw(), getgid().as_raw());
    let left = match namespace(UnshareFlags::NEWNET) {
        Err(Errno::PERM) => namespace(UnshareFlags::NEWUSER | UnshareFlags::NEWNET)
            .map_err(|errno| errno.to_string())
            .and_then(|()| map_ids(uid, gid).map_err(|refused| refused.to_string())),
        other => other.map_err(|errno| errno.to_string()),
    };
    left.map_err(|why| format!("no network namespaces: {why}"))?;
    raise_loopback().map_err(|errno| format!("the loopback device cannot be used: {errno}"))
}

fn namespace(flags: UnshareFlags) -> Result<(), Errno> {
    // SAFETY: the danger is a file table that threads no longer share. FILES is never among the flags, and a keeper has one thread.
    unsafe { unshare_unsafe(flags) }
}

/// `RTM_NEWLINK` to the kernel: device 1, which is always the loopback, is up.
fn raise_loopback() -> Result<(), Errno> {
    const NEWLINK: u16 = 16;
    const REQUEST_AND_ACK: u16 = 1 | 4;
    const LOOPBACK: i32 = 1;
    const UP: u32 = 1;
    let mut message = Vec::with_capacity(32);
    message.extend(32u32.to_ne_bytes());
    message.extend(NEWLINK.to_ne_bytes());
    message.extend(REQUEST_AND_ACK.to_ne_bytes());
    // Sequence number and sender, then the family and the type of the device: all of them may be 0.
    message.extend([0; 12]);
    message.extend(LOOPBACK.to_ne_bytes());
    // The flags, and which of them are to change.
    message.extend(UP.to_ne_bytes());
    message.extend(UP.to_ne_bytes());
    // The first protocol of this family is the one about devices and routes.
    let socket = socket_with(AddressFamily::NETLINK, SocketType::RAW, SocketFlags::CLOEXEC, None)?;
    sendto(&socket, &message, SendFlags::empty(), &SocketAddrNetlink::new(0, 0))?;
    let mut answer = [0; 256];
    let (length, _) = recv(&socket, &mut answer[..], RecvFlags::empty())?;
    // A header of 16 bytes, then the error as a negative number, or 0.
    match answer[..length].get(16..20).and_then(|bytes| Some(i32::from_ne_bytes(bytes.try_into().ok()?))) {
        Some(0) => Ok(()),
        Some(error) => Err(Errno::from_raw_os_error(-error)),
        None => Err(Errno::BADMSG),
    }
}
