//! The processes of this system, as far as they descend from the keeper.
//!
//! Read from `/proc/<pid>/stat`: `/proc/<pid>/task/<tid>/children` would be quicker, but is missing in many kernels.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::time::Duration;

use rustix::param::{clock_ticks_per_second, page_size};
use rustix::process::{Pid, getpid};

/// One living or dead, but not yet reaped process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Process {
    pub pid: i32,
    pub parent: i32,
    pub group: i32,
    /// Clock ticks since boot; with `pid` it names a process for ever.
    pub started: u64,
    pub dead: bool,
    /// Own processor time and that of its reaped children, in clock ticks.
    ticks: u64,
    /// Processor time of reaped children only.
    children_ticks: u64,
    /// Resident bytes.
    pub resident: u64,
}

impl Process {
    pub fn of(pid: i32) -> Option<Process> {
        parse(&fs::read(format!("/proc/{pid}/stat")).ok()?)
    }

    pub fn cpu(&self) -> Duration {
        from_ticks(self.ticks)
    }

    /// Resident bytes, where memory shared by several processes counts once. Slow, and not always allowed.
    pub fn proportional(&self) -> Option<u64> {
        let rollup = fs::read_to_string(format!("/proc/{}/smaps_rollup", self.pid)).ok()?;
        let line = rollup.lines().find_map(|line| line.strip_prefix("Pss:"))?;
        Some(line.trim().strip_suffix(" kB")?.parse::<u64>().ok()? * 1024)
    }
}

/// The name in parentheses may hold anything, so fields are counted from the last `)`.
fn parse(stat: &[u8]) -> Option<Process> {
    let close = stat.iter().rposition(|byte| *byte == b')')?;
    let pid = std::str::from_utf8(stat.split(|byte| *byte == b' ').next()?).ok()?.parse().ok()?;
    let rest = std::str::from_utf8(&stat[close + 1..]).ok()?;
    let field: Vec<&str> = rest.split_ascii_whitespace().collect();
    let number = |at: usize| field.get(at)?.parse::<u64>().ok();
    let children_ticks = number(13)? + number(14)?;
    Some(Process {
        pid,
        parent: field.get(1)?.parse().ok()?,
        group: field.get(2)?.parse().ok()?,
        started: number(19)?,
        dead: matches!(*field.first()?, "Z" | "X"),
        ticks: number(11)? + number(12)? + children_ticks,
        children_ticks,
        resident: number(21)? * page_size() as u64,
    })
}

fn from_ticks(ticks: u64) -> Duration {
    Duration::from_nanos(ticks * 1_000_000_000 / clock_ticks_per_second())
}

/// All processes below this one.
pub fn descendants() -> Vec<Process> {
    below(getpid().as_raw_nonzero().get(), &all())
}

/// Processor time of the children that this process has reaped.
pub fn reaped_cpu() -> Duration {
    Process::of(getpid().as_raw_nonzero().get()).map_or(Duration::ZERO, |own| from_ticks(own.children_ticks))
}

/// Processes that carry `MUTATE_RUN=<run>` in their environment.
pub fn marked(run: &str) -> Vec<Process> {
    let mark = format!("{}={run}", super::RUN);
    let carries = |pid: i32| {
        fs::read(format!("/proc/{pid}/environ"))
            .is_ok_and(|environ| environ.split(|byte| *byte == 0).any(|entry| entry == mark.as_bytes()))
    };
    all().into_iter().filter(|process| !process.dead && carries(process.pid)).collect()
}

fn all() -> Vec<Process> {
    let Ok(entries) = fs::read_dir("/proc") else { return Vec::new() };
    entries.flatten().filter_map(|entry| Process::of(entry.file_name().to_str()?.parse().ok()?)).collect()
}

fn below(top: i32, all: &[Process]) -> Vec<Process> {
    let mut children: HashMap<i32, Vec<&Process>> = HashMap::new();
    for process in all {
        children.entry(process.parent).or_default().push(process);
    }
    let mut seen = HashSet::from([top]);
    let mut open = vec![top];
    let mut found = Vec::new();
    while let Some(parent) = open.pop() {
        for process in children.get(&parent).into_iter().flatten().filter(|process| seen.insert(process.pid)) {
            open.push(process.pid);
            found.push(**process);
        }
    }
    found
}

/// The process id of a child that we spawned.
pub fn pid_of(child: &std::process::Child) -> Option<Pid> {
    Pid::from_raw(child.id().try_into().ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn process(pid: i32, parent: i32) -> Process {
        Process { pid, parent, group: pid, started: 0, dead: false, ticks: 0, children_ticks: 0, resident: 0 }
    }

    #[test]
    fn a_name_with_parentheses_and_blanks_does_not_shift_the_fields() {
        let stat = b"42 (a) R 1 (b) S 7 40 39 0 -1 0 1 2 3 4 100 20 3 4 20 0 1 0 555 9999 12 18446744073709551615";
        let process = parse(stat).unwrap();
        assert_eq!((process.pid, process.parent, process.group, process.started), (42, 7, 40, 555));
        assert_eq!(process.ticks, 127);
        assert_eq!(process.resident, 12 * page_size() as u64);
    }

    #[test]
    fn descendants_are_found_through_several_generations() {
        let all = [process(5, 4), process(3, 1), process(4, 3), process(9, 8)];
        let mut found: Vec<i32> = below(1, &all).iter().map(|process| process.pid).collect();
        found.sort();
        assert_eq!(found, [3, 4, 5]);
    }

    #[test]
    fn this_process_has_a_parent_and_memory() {
        let own = Process::of(getpid().as_raw_nonzero().get()).unwrap();
        assert!(own.parent > 0 && own.resident > 0 && !own.dead);
    }
}
