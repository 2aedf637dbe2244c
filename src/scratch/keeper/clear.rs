//! Ends whatever a test process has started, to the last one.

use std::collections::HashSet;
use std::thread::sleep;
use std::time::{Duration, Instant};

use rustix::io::Errno;
use rustix::process::{Pid, PidfdFlags, Signal, WaitOptions, getpid, kill_process_group, pidfd_open, pidfd_send_signal, wait};

use super::table::{self, Process};

/// A process that SIGKILL does not end within this time hangs in the kernel or belongs to somebody else.
const PATIENCE: Duration = Duration::from_secs(10);
const PAUSE: Duration = Duration::from_millis(1);

/// Kills and reaps every descendant; says how many were alive.
///
/// The keeper is a *subreaper*: a process that loses its parent, as every daemon does on purpose, becomes our child. So the kernel's
/// "no children" proves that nothing is left, and a run that ends in good order costs one system call here.
pub fn everything() -> Result<usize, String> {
    kill_while(|| has_children().then(|| alive_except(None)), None)
}

/// As [`everything`], but spares the process of a session, which must be our child.
pub fn all_but(spared: Pid) -> Result<usize, String> {
    let others = || {
        has_children();
        Some(alive_except(Some(spared))).filter(|others| !others.is_empty())
    };
    kill_while(others, Some(spared))
}

/// Kills as long as there is anybody; `victims` is `None` when nobody is left.
fn kill_while(victims: impl Fn() -> Option<Vec<Process>>, spared: Option<Pid>) -> Result<usize, String> {
    let deadline = Instant::now() + PATIENCE;
    let mut killed = HashSet::new();
    while let Some(alive) = victims() {
        if Instant::now() > deadline {
            return Err(format!("{} processes of the tests cannot be ended: {}", alive.len(), ids(&alive)));
        }
        kill_all(&alive, spared);
        killed.extend(alive.iter().map(|process| (process.pid, process.started)));
        sleep(PAUSE);
    }
    Ok(killed.len())
}

fn alive_except(spared: Option<Pid>) -> Vec<Process> {
    let spared = spared.map(|pid| pid.as_raw_nonzero().get());
    table::descendants().into_iter().filter(|process| !process.dead && Some(process.pid) != spared).collect()
}

/// Kills what carries the mark of a run, for when its keeper is gone. Not ours to reap.
pub fn marked(run: &str) {
    let deadline = Instant::now() + PATIENCE;
    loop {
        let alive = table::marked(run);
        if alive.is_empty() || Instant::now() > deadline {
            return;
        }
        kill_all(&alive, None);
        sleep(PAUSE);
    }
}

fn has_children() -> bool {
    loop {
        match wait(WaitOptions::NOHANG) {
            Ok(Some(_)) | Err(Errno::INTR) => {}
            Ok(None) => return true,
            Err(_) => return false,
        }
    }
}

/// Whole groups first: the kernel ends a group in one step, so that not even a fork bomb can outrun it.
fn kill_all(alive: &[Process], spared: Option<Pid>) {
    // In a container our group can be led from outside: its number is 0, which `getpgrp` of rustix does not allow for.
    let group_of = |pid: Pid| Process::of(pid.as_raw_nonzero().get()).map_or(0, |process| process.group);
    let not_ours: Vec<i32> = std::iter::once(getpid()).chain(spared).map(group_of).collect();
    let groups: HashSet<i32> = alive.iter().filter(|process| is_still(process)).map(|process| process.group).collect();
    for group in groups.into_iter().filter(|group| !not_ours.contains(group)).filter_map(Pid::from_raw) {
        let _ = kill_process_group(group, Signal::KILL);
    }
    alive.iter().for_each(kill);
}

/// The number of a process may have gone to another one since we looked; a pidfd keeps to the process that it was opened for.
fn kill(process: &Process) {
    let Some(handle) = Pid::from_raw(process.pid).and_then(|pid| pidfd_open(pid, PidfdFlags::empty()).ok()) else { return };
    if is_still(process) {
        let _ = pidfd_send_signal(handle, Signal::KILL);
    }
}

fn is_still(process: &Process) -> bool {
    Process::of(process.pid).is_some_and(|now| now.started == process.started)
}

fn ids(processes: &[Process]) -> String {
    processes.iter().map(|process| process.pid.to_string()).collect::<Vec<_>>().join(", ")
}
