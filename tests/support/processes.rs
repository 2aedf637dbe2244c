//! Processes that were left behind, found by a mark in their environment.

use std::fs;
use std::thread::sleep;
use std::time::{Duration, Instant};

/// Set this variable to a value of your own for the program under test; all its descendants inherit it.
pub const MARK: &str = "MUTATE_TEST_MARK";

/// A value for [`MARK`] that no other test uses.
pub fn new_mark() -> String {
    use std::sync::atomic::{AtomicU32, Ordering};
    static NEXT: AtomicU32 = AtomicU32::new(0);
    format!("{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed))
}

/// Number and command line of each living process with this mark.
pub fn with_mark(mark: &str) -> Vec<(u32, String)> {
    let wanted = format!("{MARK}={mark}");
    let numbers = fs::read_dir("/proc").expect("/proc").filter_map(|entry| entry.ok()?.file_name().to_str()?.parse::<u32>().ok());
    numbers.filter(|number| has_variable(*number, &wanted)).map(|number| (number, command_line(number))).collect()
}

/// Fails if a process with this mark is still there after `patience`.
pub fn assert_gone(mark: &str, patience: Duration) {
    let deadline = Instant::now() + patience;
    while !with_mark(mark).is_empty() && Instant::now() < deadline {
        sleep(Duration::from_millis(20));
    }
    assert_eq!(with_mark(mark), [], "processes were left behind");
}

/// False too for a process that is gone meanwhile, belongs to somebody else, or is a zombie (it has no environment any more).
fn has_variable(number: u32, wanted: &str) -> bool {
    let environment = fs::read(format!("/proc/{number}/environ")).unwrap_or_default();
    environment.split(|byte| *byte == 0).any(|variable| variable == wanted.as_bytes())
}

fn command_line(number: u32) -> String {
    let bytes = fs::read(format!("/proc/{number}/cmdline")).unwrap_or_default();
    String::from_utf8_lossy(&bytes).replace('\0', " ")
}
