//! The process between the engine and a test process.
//!
//! Our own program, started with a hidden first argument: it puts the overlay in place, reads back what the test process will see,
//! starts it, watches its limits, and when it ends makes sure that nothing of it is left.
//!
//! Why a process of its own: a mount namespace belongs to a process with one thread, and the engine has many; orphans can be
//! collected only by a process that has no other children; and it must outlive an engine that is killed. The engine holds
//! the other end of our standard input, the *leash*. When that closes, for whatever reason, we kill everything and go.

pub mod clear;
mod mount;
mod network;
pub mod order;
mod session;
mod table;
mod tail;
mod watch;

use std::fs;
use std::io::{self, BufRead, Write};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use rustix::io::{FdFlags, fcntl_setfd};
use rustix::process::{Resource, Rlimit, getpid, set_child_subreaper, setrlimit, setsid};

use crate::scratch::process::{Ended, Limits};
use crate::text::Digest;
use order::{Answer, Done, Errand, Order, Took};
use watch::Watch;

/// The hidden first argument.
pub const ARGUMENT: &str = "__keeper";
/// Names the run in the environment of every test process.
pub const RUN: &str = "MUTATE_RUN";

/// The second net below the polls is this much wider, so that the first one decides.
const SLACK_OF_CPU_LIMIT: Duration = Duration::from_secs(2);

/// True if this process was started to be a keeper. To be asked before the command line is read.
pub fn is_asked_for() -> bool {
    std::env::args_os().nth(1).is_some_and(|argument| argument == ARGUMENT)
}

/// The whole life of a keeper: one order in, one answer out.
pub fn main() -> ExitCode {
    match live() {
        Ok(()) => ExitCode::SUCCESS,
        Err(cause) => {
            let _ = writeln!(io::stderr(), "{cause}");
            ExitCode::FAILURE
        }
    }
}

fn live() -> io::Result<()> {
    stand_apart()?;
    let mut line = Vec::new();
    let stdin = io::stdin();
    stdin.lock().read_until(b'\n', &mut line)?;
    let order: Order = serde_json::from_slice(&line)?;
    if order.stays {
        return session::live(&order, stdin.lock());
    }
    let answer = carry_out(&order, stdin.as_fd());
    io::stdout().write_all(&serde_json::to_vec(&answer)?)
}

/// Out of reach of the terminal's Ctrl-C and of a test that signals its parent; in charge of all orphans.
fn stand_apart() -> io::Result<()> {
    // Fails for a group leader, which has left the terminal's group already.
    let _ = setsid();
    let ignored = Arc::new(AtomicBool::new(false));
    // Handled, not ignored: test processes would inherit the latter.
    for signal in [signal_hook::consts::SIGINT, signal_hook::consts::SIGTERM, signal_hook::consts::SIGHUP] {
        signal_hook::flag::register(signal, ignored.clone())?;
    }
    close_on_exec();
    set_child_subreaper(Some(getpid()))?;
    Ok(())
}

/// Whatever the engine itself was started with is not for the tests.
fn close_on_exec() {
    let Ok(entries) = fs::read_dir("/proc/self/fd") else { return };
    let numbers = entries.flatten().filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok());
    for number in numbers.filter(|number| *number > 2) {
        // SAFETY: the number is only used for this one call; at worst it is closed by now (the listing's own) and the call fails.
        let _ = fcntl_setfd(unsafe { BorrowedFd::borrow_raw(number) }, FdFlags::CLOEXEC);
    }
}

fn carry_out(order: &Order, leash: BorrowedFd) -> Answer {
    let mut took = Took::default();
    timed(&mut took.mount, || enclose(order))?;
    let seen = timed(&mut took.look, || order.look_at.iter().map(|path| digest(Path::new(path))).collect());
    let showing: Vec<_> = order.hidden.iter().filter(|path| Path::new(path).symlink_metadata().is_ok()).cloned().collect();
    let errand = order.errand.as_ref().filter(|_| showing.is_empty());
    let ended = errand.map(|errand| run(errand, &order.run, leash, &mut took)).transpose()?;
    Ok(Done { seen, showing, ended, took })
}

/// Puts this process where the order wants it: in its overlay, and without a network.
fn enclose(order: &Order) -> Result<(), String> {
    order.mount.as_ref().map_or(Ok(()), mount::enter)?;
    if order.offline { network::leave() } else { Ok(()) }
}

fn timed<T>(took: &mut Duration, act: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let result = act();
    *took = start.elapsed();
    result
}

fn digest(path: &Path) -> Result<Digest, String> {
    Digest::of_file(path).map_err(|cause| cause.to_string())
}

fn run(errand: &Errand, run: &str, leash: BorrowedFd, took: &mut Took) -> Result<Ended, String> {
    let started = Instant::now();
    let spawned = timed(&mut took.spawn, || spawn(errand, run, &[]));
    let watch = spawned.and_then(|mut child| Watch::over(&mut child, started, &errand.limits, leash));
    let gone = match watch {
        Ok(watch) => watch.until_all_is_gone(),
        Err(cause) => clear::everything().map(|_| Ended::not_started(cause.to_string())),
    };
    took.clear = started.elapsed();
    if let Ok(ended) = &gone {
        took.clear = took.clear.saturating_sub(ended.wall);
    }
    gone
}

fn spawn(errand: &Errand, run: &str, own: &[(&str, String)]) -> io::Result<std::process::Child> {
    set_limits(&errand.limits);
    let mut command = Command::new(&errand.program);
    command.args(&errand.args).current_dir(&errand.dir).envs(errand.env.iter().map(|(name, value)| (name, value)));
    errand.remove.iter().for_each(|name| {
        command.env_remove(name);
    });
    command.envs(own.iter().map(|(name, value)| (name, value))).env(RUN, run).process_group(0);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()
}

/// Limits of the keeper itself, which the test process inherits.
fn set_limits(limits: &Limits) {
    let seconds = limits.cpu.saturating_add(SLACK_OF_CPU_LIMIT).as_secs().saturating_add(1);
    let both = |limit: u64| Rlimit { current: Some(limit), maximum: Some(limit) };
    let _ = setrlimit(Resource::Core, both(0));
    // SIGXCPU at the lower, SIGKILL at the upper limit. Refused where a lower limit is in force already, which is as good.
    let _ = setrlimit(Resource::Cpu, Rlimit { current: Some(seconds), maximum: Some(seconds.saturating_add(1)) });
}
