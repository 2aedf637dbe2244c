//! A test process that stays: it has loaded the tests, and forks a child for every trial.
//!
//! The overlay stays in place as well, so mutants are put in and taken out through it: what lies below a mounted overlay must not be
//! changed behind its back. A trial that leaves the tree as it found it, but for new files, may be followed by another one; any other
//! makes the session *spent*.
//!
//! We tell the process the folder of a request; it says `child <pid>`, and `ended <wait status> <microseconds of processor time>` when
//! that child is gone. Limits, and what becomes of whoever is left, are our business.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io::{self, BufRead, Read, Write};
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ExitStatus};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{CWD, Mode, OFlags, fcntl_setfl, openat};
use rustix::io::{FdFlags, fcntl_setfd};
use rustix::pipe::pipe;
use rustix::process::Pid;

use super::clear;
use super::order::{Mount, Order, Swap, Task, TaskDone, Took};
use super::table;
use super::tail::Tail;
use super::watch::Usage;
use super::{digest, enclose, spawn, timed};
use crate::scratch::place;
use crate::scratch::process::{Ended, Exit, Limits};

/// Descriptors of the two pipes, for the process of the session: it reads from the first and writes to the second.
const PIPES: &str = "MUTATE_SESSION";
/// A child that was killed is reaped by its parent within this time, or the session is over.
const PATIENCE: Duration = Duration::from_secs(10);
const PAUSE: Duration = Duration::from_millis(2);

/// One answer when the session is ready or cannot be, then one for every task, until there is none or the engine hangs up.
///
/// Nobody is left afterwards, whatever went wrong: the engine may be dead and its end of the pipe closed.
pub fn live(order: &Order, input: impl BufRead + AsFd) -> io::Result<()> {
    let served = serve(order, input);
    clear::everything().map_err(io::Error::other).and(served)
}

fn serve(order: &Order, mut input: impl BufRead + AsFd) -> io::Result<()> {
    let opened = Tree::of(order).and_then(|tree| Ok((tree, Server::open(order, input.as_fd())?)));
    say(&opened.as_ref().map(|_| ()))?;
    let Ok((mut tree, mut server)) = opened else { return Ok(()) };
    order.look_at.iter().chain(&order.hidden).for_each(|path| tree.remember(path));
    let mut line = Vec::new();
    while input.read_until(b'\n', &mut line)? > 0 {
        let Some(task) = serde_json::from_slice::<Option<Task>>(&line)? else {
            server.close();
            break;
        };
        let done = carry_out(&task, &mut server, &mut tree, input.as_fd());
        say(&done)?;
        if done.is_err() {
            break;
        }
        line.clear();
    }
    Ok(())
}

fn say(answer: &impl serde::Serialize) -> io::Result<()> {
    let mut line = serde_json::to_vec(answer)?;
    line.push(b'\n');
    io::stdout().write_all(&line)
}

fn carry_out(task: &Task, server: &mut Server, tree: &mut Tree, leash: BorrowedFd) -> Result<TaskDone, String> {
    let mut took = Took::default();
    let held = timed(&mut took.mount, || tree.apply(task)).map_err(|cause| format!("a mutant cannot be put in place: {cause}"))?;
    let look = || task.swaps.iter().map(|swap| digest(Path::new(&swap.at))).collect::<Vec<_>>();
    let seen = timed(&mut took.look, look);
    let ended = server.trial(&task.folder, &task.limits, leash)?;
    let cleared = Instant::now();
    tree.revert(task, &held).map_err(|cause| format!("a mutant cannot be taken out again: {cause}"))?;
    let spent = tree.tidy().map_err(|cause| format!("the tree cannot be looked through: {cause}"))?;
    took.clear = cleared.elapsed();
    Ok(TaskDone { seen, seen_after: look(), ended, spent, took })
}

/// The tree as the process of the session sees it.
struct Tree<'o> {
    mount: Option<&'o Mount>,
    /// What lies below, opened before it was covered: the mount stands at the path of one of them.
    lower: Vec<OwnedFd>,
    /// Files that we have put in place or hidden at some time, relative to the mount.
    ours: Vec<PathBuf>,
}

impl Tree<'_> {
    /// To be called before anything is mounted.
    fn of(order: &Order) -> Result<Tree<'_>, String> {
        let open =
            |path: &OsString| openat(CWD, Path::new(path), OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty());
        let lower = order.mount.iter().flat_map(|mount| &mount.lower).map(open).collect::<Result<_, _>>();
        let lower = lower.map_err(|cause| format!("a layer cannot be opened: {cause}"))?;
        Ok(Tree { mount: order.mount.as_ref(), lower, ours: Vec::new() })
    }

    /// Where a path stands in each layer, whether it is there or not.
    fn below(&self, path: &Path) -> Vec<PathBuf> {
        self.lower.iter().map(|layer| Path::new("/proc/self/fd").join(layer.as_raw_fd().to_string()).join(path)).collect()
    }

    /// Puts the new bytes in place; what has to be restored afterwards.
    fn apply(&mut self, task: &Task) -> io::Result<Vec<fs::Metadata>> {
        let held = task.swaps.iter().map(|swap| fs::symlink_metadata(&swap.at)).collect::<io::Result<Vec<_>>>()?;
        for path in task.swaps.iter().map(|swap| &swap.at).chain(&task.hidden) {
            self.remember(path);
        }
        for (swap, original) in task.swaps.iter().zip(&held) {
            place::write(Path::new(&swap.at), &fs::read(&swap.new)?, Some(original))?;
        }
        task.hidden.iter().try_for_each(|path| place::remove_file(Path::new(path)))?;
        Ok(held)
    }

    fn remember(&mut self, path: &OsStr) {
        let Some(mount) = self.mount else { return };
        if let Ok(relative) = Path::new(path).strip_prefix(&mount.at)
            && !self.ours.iter().any(|known| known == relative)
        {
            self.ours.push(relative.to_owned());
        }
    }

    fn revert(&self, task: &Task, held: &[fs::Metadata]) -> io::Result<()> {
        for (Swap { at, original, .. }, model) in task.swaps.iter().zip(held) {
            let at = Path::new(at);
            place::write(at, &fs::read(original)?, Some(model))?;
            place::set_time(at, model)?;
        }
        Ok(())
    }

    /// Removes the new files of a trial. Says so if it has changed or deleted others.
    fn tidy(&self) -> io::Result<Option<String>> {
        match self.mount {
            Some(mount) => self.tidy_below(mount, Path::new("")),
            None => Ok(None),
        }
    }

    fn tidy_below(&self, mount: &Mount, relative: &Path) -> io::Result<Option<String>> {
        for entry in fs::read_dir(Path::new(&mount.upper).join(relative))? {
            let entry = entry?;
            let path = relative.join(entry.file_name());
            let below = self.below(&path).iter().any(|below| below.symlink_metadata().is_ok());
            let seen = Path::new(&mount.at).join(&path);
            match (entry.file_type()?.is_dir(), below) {
                (true, true) => {
                    if let Some(why) = self.tidy_below(mount, &path)?.or_else(|| self.lacking(mount, &path)) {
                        return Ok(Some(why));
                    }
                }
                (true, false) => fs::remove_dir_all(seen)?,
                (false, _) if self.ours.contains(&path) => {}
                (false, false) => place::remove_file(&seen)?,
                (false, true) => return Ok(Some(format!("a test has changed {}", path.display()))),
            }
        }
        Ok(None)
    }

    /// A folder that was removed and made again leaves no trace of what it held, but for that being gone.
    fn lacking(&self, mount: &Mount, folder: &Path) -> Option<String> {
        let seen = Path::new(&mount.at).join(folder);
        let layers = self.below(folder);
        let lacks =
            |path: &Path| !self.ours.iter().any(|ours| ours == path) && Path::new(&mount.at).join(path).symlink_metadata().is_err();
        let entries = layers.iter().filter_map(|layer| fs::read_dir(layer).ok()).flatten().flatten();
        let lost = entries.map(|entry| folder.join(entry.file_name())).find(|path| lacks(path));
        let closed = layers.iter().find_map(|layer| rights(layer)) != rights(&seen);
        lost.or_else(|| closed.then(|| folder.to_owned())).map(|path| format!("a test has changed {}", path.display()))
    }
}

fn rights(folder: &Path) -> Option<u32> {
    // Folders that we make ourselves are never closed to us.
    fs::symlink_metadata(folder).ok().map(|data| data.mode() & 0o7777 | 0o700)
}

/// The process of the session.
struct Server {
    process: Child,
    pid: Pid,
    tell: File,
    says: Lines,
    out: Tail,
    err: Tail,
}

/// What happened first.
enum Event {
    Line(String),
    Over(Exit),
}

impl Server {
    fn open(order: &Order, leash: BorrowedFd) -> Result<Server, String> {
        let errand = order.errand.as_ref().ok_or("a session without an errand")?;
        enclose(order)?;
        let mut server = Server::start(order).map_err(|cause| cause.to_string())?;
        match server.next(&mut Watched::over(&errand.limits), leash)? {
            Event::Line(line) if line == "ready" => Ok(server),
            Event::Line(why) => Err(why),
            Event::Over(exit) => Err(format!("the tests were not loaded in time ({exit:?})")),
        }
    }

    fn start(order: &Order) -> io::Result<Server> {
        let errand = order.errand.as_ref().ok_or(io::ErrorKind::InvalidInput)?;
        let ((theirs_in, tell), (says, theirs_out)) = (pipe()?, pipe()?);
        for own in [&tell, &says] {
            fcntl_setfd(own, FdFlags::CLOEXEC)?;
        }
        let pipes = format!("{},{}", theirs_in.as_raw_fd(), theirs_out.as_raw_fd());
        let mut process = spawn(errand, &order.run, &[(PIPES, pipes)])?;
        Ok(Server {
            pid: table::pid_of(&process).ok_or(io::ErrorKind::NotFound)?,
            tell: tell.into(),
            says: Lines::of(says)?,
            out: Tail::of(process.stdout.take().map(Into::into)),
            err: Tail::of(process.stderr.take().map(Into::into)),
            process,
        })
    }

    /// One child, from its start until it and all that it has started are gone.
    fn trial(&mut self, folder: &OsStr, limits: &Limits, leash: BorrowedFd) -> Result<Ended, String> {
        let told = self.tell.write_all(&[folder.as_bytes(), b"\n"].concat());
        told.map_err(|cause| format!("the process of the session is gone: {cause}"))?;
        let mut watched = Watched::over(limits);
        let (exit, cpu) = loop {
            match self.next(&mut watched, leash)? {
                Event::Line(line) if line.starts_with("child ") => {}
                Event::Line(line) => break ended(&line)?,
                Event::Over(exit) => {
                    clear::all_but(self.pid)?;
                    self.until_reaped(leash)?;
                    break (exit, watched.usage.cpu);
                }
            }
        };
        let wall = watched.started.elapsed();
        let by_itself = matches!(exit, Exit::Code(_) | Exit::Signal(_));
        let killed = clear::all_but(self.pid)?;
        Ok(Ended {
            exit,
            wall,
            cpu: cpu.max(watched.usage.cpu),
            peak_memory: watched.usage.peak_memory,
            left_behind: if by_itself { killed } else { 0 },
            stdout_tail: self.out.take(),
            stderr_tail: self.err.take(),
        })
    }

    /// Lets the process of the session end by itself, if it does so soon.
    fn close(self) {
        let Server { mut process, tell, .. } = self;
        drop(tell);
        let deadline = Instant::now() + PATIENCE;
        while Instant::now() < deadline && matches!(process.try_wait(), Ok(None)) {
            std::thread::sleep(PAUSE);
        }
    }

    /// Until the process of the session has said that the killed child is gone.
    fn until_reaped(&mut self, leash: BorrowedFd) -> Result<(), String> {
        let patience = Limits { wall: PATIENCE, cpu: Duration::MAX, memory: u64::MAX };
        let mut watched = Watched::over(&patience);
        loop {
            match self.next(&mut watched, leash)? {
                Event::Line(line) if line.starts_with("ended ") => return Ok(()),
                Event::Line(_) => {}
                Event::Over(_) => return Err("the process of the session does not answer any more".into()),
            }
        }
    }

    /// The next line that the process of the session says, or the limit that was passed before. An error ends the session.
    fn next(&mut self, watched: &mut Watched, leash: BorrowedFd) -> Result<Event, String> {
        loop {
            if let Some(line) = self.says.next() {
                return Ok(Event::Line(line));
            }
            if self.says.ended {
                let why = self.process.wait().map_or_else(|cause| cause.to_string(), |status| status.to_string());
                return Err(format!("the process of the session is gone ({why}): {}", self.err.take().trim()));
            }
            if self.wait(watched, leash) {
                return Err("the engine wants no more".into());
            }
            self.out.drain();
            self.err.drain();
            self.says.read().map_err(|cause| cause.to_string())?;
            if let Some(over) = watched.over_limit(self.pid) {
                return Ok(Event::Over(over));
            }
        }
    }

    /// Waits for anything to happen, then tells whether it happened to the leash.
    fn wait(&self, watched: &Watched, leash: BorrowedFd) -> bool {
        let patience = watched.patience();
        let patience = Timespec { tv_sec: patience.as_secs() as i64, tv_nsec: patience.subsec_nanos().into() };
        let mut fds: Vec<PollFd> = [Some(leash), Some(self.says.pipe.as_fd()), self.out.fd(), self.err.fd()]
            .into_iter()
            .flatten()
            .map(|fd| PollFd::from_borrowed_fd(fd, PollFlags::IN))
            .collect();
        poll(&mut fds, Some(&patience)).is_ok_and(|ready| ready > 0) && !fds[0].revents().is_empty()
    }
}

/// `ended <wait status> <microseconds>`.
fn ended(line: &str) -> Result<(Exit, Duration), String> {
    let numbers: Option<Vec<u64>> =
        line.strip_prefix("ended ").and_then(|rest| rest.split(' ').map(|word| word.parse().ok()).collect());
    let Some([status, cpu]) = numbers.as_deref() else { return Err(format!("the process of the session says `{line}`")) };
    let status = ExitStatus::from_raw(i32::try_from(*status).unwrap_or_default());
    let exit = match status.signal() {
        Some(signal) => Exit::Signal(signal),
        None => Exit::Code(status.code().unwrap_or(-1)),
    };
    Ok((exit, Duration::from_micros(*cpu)))
}

/// The limits of one trial, and what it has used of them.
struct Watched<'l> {
    limits: &'l Limits,
    started: Instant,
    usage: Usage,
}

impl<'l> Watched<'l> {
    fn over(limits: &'l Limits) -> Watched<'l> {
        let started = Instant::now();
        Watched { limits, started, usage: Usage::from(started) }
    }

    fn patience(&self) -> Duration {
        let left = self.limits.wall.saturating_sub(self.started.elapsed());
        self.usage.until_next_look().min(left)
    }

    fn over_limit(&mut self, spared: Pid) -> Option<Exit> {
        if self.started.elapsed() >= self.limits.wall {
            return Some(Exit::OverWall);
        }
        self.usage.look_when_due(self.limits, || Duration::ZERO, Some(spared))
    }
}

/// Lines from a pipe, without waiting for them.
struct Lines {
    pipe: File,
    bytes: Vec<u8>,
    ended: bool,
}

impl Lines {
    fn of(pipe: OwnedFd) -> io::Result<Lines> {
        fcntl_setfl(&pipe, OFlags::NONBLOCK)?;
        Ok(Lines { pipe: pipe.into(), bytes: Vec::new(), ended: false })
    }

    fn read(&mut self) -> io::Result<()> {
        let mut chunk = [0; 4096];
        match self.pipe.read(&mut chunk) {
            Ok(0) => self.ended = true,
            Ok(length) => self.bytes.extend_from_slice(&chunk[..length]),
            Err(cause) if matches!(cause.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted) => {}
            Err(cause) => return Err(cause),
        }
        Ok(())
    }

    fn next(&mut self) -> Option<String> {
        let end = self.bytes.iter().position(|byte| *byte == b'\n')?;
        let line: Vec<u8> = self.bytes.drain(..=end).collect();
        Some(String::from_utf8_lossy(&line[..end]).into_owned())
    }
}
