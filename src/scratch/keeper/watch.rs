//! Watches one test process and everything that it starts, until it ends or must be ended.

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::process::Child;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, PidfdFlags, Signal, WaitOptions, WaitStatus, pidfd_open, wait};

use super::clear;
use super::table::{self, Process};
use super::tail::Tail;
use crate::scratch::process::{Ended, Exit, Limits};

/// Most test processes live longer than the first pause, few need to be looked at often.
const FIRST_PAUSE: Duration = Duration::from_millis(10);
const LONGEST_PAUSE: Duration = Duration::from_millis(40);

pub struct Watch<'a> {
    limits: &'a Limits,
    /// Readable when the engine wants no more, or is no more.
    leash: BorrowedFd<'a>,
    started: Instant,
    main: Pid,
    handle: OwnedFd,
    status: Option<WaitStatus>,
    out: Tail,
    err: Tail,
    usage: Usage,
}

impl<'a> Watch<'a> {
    pub fn over(child: &mut Child, started: Instant, limits: &'a Limits, leash: BorrowedFd<'a>) -> io::Result<Watch<'a>> {
        let main = table::pid_of(child).ok_or(io::ErrorKind::NotFound)?;
        Ok(Watch {
            limits,
            leash,
            started,
            main,
            handle: pidfd_open(main, PidfdFlags::empty())?,
            status: None,
            out: Tail::of(child.stdout.take().map(Into::into)),
            err: Tail::of(child.stderr.take().map(Into::into)),
            usage: Usage::from(started),
        })
    }

    /// Comes back when the test process and all that it started are gone.
    pub fn until_all_is_gone(mut self) -> Result<Ended, String> {
        let exit = self.until_an_end();
        let wall = self.started.elapsed();
        let ended_alone = self.status.is_some();
        let killed = clear::everything()?;
        self.out.drain();
        self.err.drain();
        Ok(Ended {
            exit,
            wall,
            cpu: self.usage.cpu.max(table::reaped_cpu()),
            peak_memory: self.usage.peak_memory,
            left_behind: if ended_alone { killed } else { 0 },
            stdout_tail: self.out.text(),
            stderr_tail: self.err.text(),
        })
    }

    fn until_an_end(&mut self) -> Exit {
        loop {
            if self.leash_is_gone() {
                return Exit::Interrupted;
            }
            self.out.drain();
            self.err.drain();
            self.reap();
            if let Some(status) = self.status {
                return self.exit(status);
            }
            if self.started.elapsed() >= self.limits.wall {
                return Exit::OverWall;
            }
            if let Some(over) = self.usage.look_when_due(self.limits, table::reaped_cpu, None) {
                return over;
            }
        }
    }

    /// Waits for anything to happen, then tells whether it happened to the leash.
    fn leash_is_gone(&self) -> bool {
        let left = self.limits.wall.saturating_sub(self.started.elapsed());
        let patience = self.usage.until_next_look().min(left);
        let patience = Timespec { tv_sec: patience.as_secs() as i64, tv_nsec: patience.subsec_nanos().into() };
        let mut fds: Vec<PollFd> = [Some(self.leash), Some(self.handle.as_fd()), self.out.fd(), self.err.fd()]
            .into_iter()
            .flatten()
            .map(|fd| PollFd::from_borrowed_fd(fd, PollFlags::IN))
            .collect();
        poll(&mut fds, Some(&patience)).is_ok_and(|ready| ready > 0) && !fds[0].revents().is_empty()
    }

    /// Also reaps strangers: daemons that were given to us.
    fn reap(&mut self) {
        while let Ok(Some((pid, status))) = wait(WaitOptions::NOHANG) {
            if pid == self.main {
                self.status = Some(status);
            }
        }
    }

    fn exit(&self, status: WaitStatus) -> Exit {
        match (status.exit_status(), status.terminating_signal()) {
            (_, Some(signal)) if signal == Signal::XCPU.as_raw() && table::reaped_cpu() >= self.limits.cpu => Exit::OverCpu,
            (_, Some(signal)) => Exit::Signal(signal),
            (code, None) => Exit::Code(code.unwrap_or(-1)),
        }
    }
}

/// What the processes of a run have used until now, looked at from time to time.
pub struct Usage {
    pub cpu: Duration,
    pub peak_memory: u64,
    pause: Duration,
    next_look: Instant,
}

impl Usage {
    pub fn from(started: Instant) -> Usage {
        Usage { cpu: Duration::ZERO, peak_memory: 0, pause: FIRST_PAUSE, next_look: started + FIRST_PAUSE }
    }

    pub fn until_next_look(&self) -> Duration {
        self.next_look.saturating_duration_since(Instant::now())
    }

    /// The limit that is passed; `gone` is the time of processes that are no more, `spared` is none of the run.
    pub fn look_when_due(&mut self, limits: &Limits, gone: impl FnOnce() -> Duration, spared: Option<Pid>) -> Option<Exit> {
        if Instant::now() < self.next_look {
            return None;
        }
        let spared = spared.map(|pid| pid.as_raw_nonzero().get());
        let processes: Vec<Process> = table::descendants().into_iter().filter(|process| Some(process.pid) != spared).collect();
        self.pause = (self.pause * 2).min(LONGEST_PAUSE);
        self.next_look = Instant::now() + self.pause;
        self.cpu = self.cpu.max(gone() + processes.iter().map(Process::cpu).sum::<Duration>());
        let resident = processes.iter().map(|process| process.resident).sum();
        self.peak_memory = self.peak_memory.max(resident);
        if resident > limits.memory && really_used(&processes) > limits.memory {
            return Some(Exit::OverMemory);
        }
        (self.cpu > limits.cpu).then_some(Exit::OverCpu)
    }
}

/// The sum of resident sizes counts memory that a forked process shares with its parent twice. That is good enough to start
/// doubting, but no ground for a verdict.
fn really_used(processes: &[Process]) -> u64 {
    processes.iter().map(|process| process.proportional().unwrap_or(process.resident)).sum()
}
