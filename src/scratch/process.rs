//! The only place that spawns: what to run, under which limits, and how it ended.

use std::ffi::OsString;
use std::io::{self, Read, Write};
use std::os::fd::AsFd;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::Stop;
use super::keeper::order::{Answer, Order};
use super::keeper::{self, clear};
use crate::error::{Error, Result};

/// One test process, described by a runner.
///
/// The environment is the engine's own with `env` set and `remove` taken away.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command {
    pub program: PathBuf,
    pub args: Vec<OsString>,
    pub dir: PathBuf,
    pub env: Vec<(OsString, OsString)>,
    pub remove: Vec<OsString>,
}

/// What a process tree may use before it is stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// Wall clock of the whole run.
    pub wall: Duration,
    /// Processor time of the whole tree, user and system.
    pub cpu: Duration,
    /// Resident bytes of the whole tree.
    pub memory: u64,
}

/// How a process ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Exit {
    Code(i32),
    Signal(i32),
    OverWall,
    OverCpu,
    OverMemory,
    /// The user stopped the run.
    Interrupted,
    /// The command could not be started.
    NotStarted {
        why: String,
    },
}

/// What is known after a process and all its children are gone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ended {
    pub exit: Exit,
    pub wall: Duration,
    pub cpu: Duration,
    /// Largest resident size of the tree that was seen, in bytes.
    pub peak_memory: u64,
    /// Processes that outlived the test process and were killed.
    pub left_behind: usize,
    /// Last 4 KiB of standard output and error, lossy UTF-8.
    pub stdout_tail: String,
    pub stderr_tail: String,
}

impl Ended {
    /// Nothing ran.
    pub(super) fn without_a_run(exit: Exit) -> Ended {
        Ended {
            exit,
            wall: Duration::ZERO,
            cpu: Duration::ZERO,
            peak_memory: 0,
            left_behind: 0,
            stdout_tail: String::new(),
            stderr_tail: String::new(),
        }
    }

    pub(super) fn not_started(why: String) -> Ended {
        Ended::without_a_run(Exit::NotStarted { why })
    }
}

/// How long a stop request may go unnoticed.
const HEARTBEAT: Timespec = Timespec { tv_sec: 0, tv_nsec: 50_000_000 };

/// What came of a keeper.
pub(super) struct Kept {
    /// Its answer. If it died without one: why, and nothing that it kept is left.
    pub answer: Result<Answer, String>,
    pub leaving: Leaving,
}

/// A keeper that has ended everything, said so, and only has to go itself.
///
/// The kernel needs some milliseconds to take a mount namespace apart. Nobody has to wait for that: dropped later, it costs nothing.
#[derive(Debug)]
pub(super) struct Leaving(Child);

impl Drop for Leaving {
    fn drop(&mut self) {
        let _ = self.0.wait();
    }
}

/// Starts a keeper, gives it the order and waits for its answer.
///
/// When `stop` is set the keeper ends everything, and answers within a fraction of a second.
pub(super) fn keep(program: &Path, order: &Order, stop: &Stop) -> Result<Kept> {
    let mut keeper = start_keeper(program)?;
    let said = converse(&mut keeper, order, stop);
    let answer = said.and_then(|bytes| Ok(serde_json::from_slice(&bytes)?));
    let answer = answer.map_err(|cause: io::Error| {
        let complaint = last_words(&mut keeper);
        clear::marked(&order.run);
        format!("the keeper of the test process is gone: {cause}; {complaint}")
    });
    Ok(Kept { answer, leaving: Leaving(keeper) })
}

fn start_keeper(program: &Path) -> Result<Child> {
    let mut keeper = std::process::Command::new(program);
    keeper.arg(keeper::ARGUMENT).current_dir("/").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let failed = |cause| Error::environment("our own program cannot be started again").at(program.display()).cause(cause);
    keeper.spawn().map_err(failed)
}

/// A keeper that stays for many trials. When it is dropped, the keeper ends everything and goes.
#[derive(Debug)]
pub(super) struct Staying {
    keeper: Child,
    run: String,
}

impl Staying {
    pub fn start(program: &Path, run: &str) -> Result<Staying> {
        Ok(Staying { keeper: start_keeper(program)?, run: run.to_owned() })
    }

    /// Tells one line and waits for the line that answers it. When `stop` is set, or after an error, the keeper has hung up.
    pub fn ask<A: DeserializeOwned>(&mut self, question: &impl Serialize, stop: &Stop) -> Result<A, String> {
        let answer = self.tell(question).and_then(|()| self.listen(stop));
        answer.and_then(|line| Ok(serde_json::from_slice(&line)?)).map_err(|cause| {
            self.keeper.stdin = None;
            let complaint = last_words(&mut self.keeper);
            format!("the keeper of the session is gone: {cause}; {complaint}")
        })
    }

    fn tell(&mut self, question: &impl Serialize) -> io::Result<()> {
        let mut line = serde_json::to_vec(question)?;
        line.push(b'\n');
        self.keeper.stdin.as_mut().ok_or(io::ErrorKind::BrokenPipe)?.write_all(&line)
    }

    fn listen(&mut self, stop: &Stop) -> io::Result<Vec<u8>> {
        let mut line = Vec::new();
        let mut chunk = [0; 16 * 1024];
        loop {
            if stop.is_set() {
                self.keeper.stdin = None;
            }
            let Some(answers) = &mut self.keeper.stdout else { return Err(io::ErrorKind::BrokenPipe.into()) };
            let mut fds = [PollFd::from_borrowed_fd(answers.as_fd(), PollFlags::IN)];
            if poll(&mut fds, Some(&HEARTBEAT)).unwrap_or(0) == 0 {
                continue;
            }
            match answers.read(&mut chunk)? {
                0 => return Err(io::ErrorKind::UnexpectedEof.into()),
                length => line.extend_from_slice(&chunk[..length]),
            }
            if line.ends_with(b"\n") {
                return Ok(line);
            }
        }
    }
}

impl Drop for Staying {
    fn drop(&mut self) {
        // In good order; after an error nobody listens any more.
        let _ = self.tell(&None::<()>);
        self.keeper.stdin = None;
        let ended = self.keeper.wait();
        if !ended.is_ok_and(|status| status.success()) {
            clear::marked(&self.run);
        }
    }
}

/// A name for a run that no other run on this system has.
pub(super) fn run_name() -> String {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_nanos();
    format!("{}-{now}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed))
}

fn converse(keeper: &mut Child, order: &Order, stop: &Stop) -> io::Result<Vec<u8>> {
    let mut leash = keeper.stdin.take();
    let mut line = serde_json::to_vec(order)?;
    line.push(b'\n');
    leash.as_mut().map_or(Ok(()), |leash| leash.write_all(&line))?;
    listen(keeper, leash, stop)
}

/// Reads until the keeper is done. Lets go of the leash at the stop request, or at the end.
fn listen(keeper: &mut Child, mut leash: Option<ChildStdin>, stop: &Stop) -> io::Result<Vec<u8>> {
    let Some(mut answers) = keeper.stdout.take() else { return Err(io::ErrorKind::BrokenPipe.into()) };
    let mut answer = Vec::new();
    let mut chunk = [0; 16 * 1024];
    loop {
        if stop.is_set() {
            leash = None;
        }
        let mut fds = [PollFd::from_borrowed_fd(answers.as_fd(), PollFlags::IN)];
        if poll(&mut fds, Some(&HEARTBEAT)).unwrap_or(0) == 0 {
            continue;
        }
        match answers.read(&mut chunk)? {
            0 => break,
            length => answer.extend_from_slice(&chunk[..length]),
        }
    }
    drop(leash);
    Ok(answer)
}

/// How a keeper without an answer ended.
fn last_words(keeper: &mut Child) -> String {
    let mut words = String::new();
    if let Some(complaints) = &mut keeper.stderr {
        let _ = complaints.read_to_string(&mut words);
    }
    match keeper.wait() {
        Ok(status) => format!("{status} {}", words.trim()).trim().to_string(),
        Err(cause) => cause.to_string(),
    }
}
