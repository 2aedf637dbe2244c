//! Reads the report that our helper programs write, whatever their language: one JSON event per line.
//!
//! The helpers write every event at once, so the report of a process that died is complete up to its death. Only its last line may
//! be cut; anything else that cannot be read makes the whole report void.

use std::collections::HashMap;
use std::path::Path;
use std::time::Duration;

use serde::Deserialize;

use crate::error::{Error, Result};
use crate::suite::{Failure, LoadFailure, Phase, ProbeId, Refused, TestId, TestResult, TestRun, TestStatus};

/// Name of the report in the request's folder.
pub const FILE: &str = "report.jsonl";

#[derive(Debug, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case", deny_unknown_fields)]
enum Event {
    Collected {
        ids: Vec<TestId>,
    },
    Start {
        id: TestId,
    },
    Result {
        id: TestId,
        status: Status,
        us: u64,
        failure: Option<Detail>,
    },
    LoadFailure {
        id: TestId,
        kind: String,
        message: String,
        file: Option<String>,
        #[serde(default)]
        refused: bool,
    },
    Retried {
        ids: Vec<TestId>,
    },
    Missing {
        ids: Vec<TestId>,
    },
    Notice {
        text: String,
    },
    /// Without tests: reached while loading.
    Reach {
        tests: Option<Vec<TestId>>,
        probes: Vec<ProbeId>,
    },
    /// The mutant was put in place of so many functions that were loaded already.
    Swapped {
        functions: usize,
    },
    Unswapped {
        why: String,
    },
    Entered {
        rounds: u64,
    },
    OverRounds {
        rounds: u64,
    },
    Outside {
        files: Vec<String>,
    },
    Instead {
        ours: String,
        theirs: String,
    },
    /// What was done only once, such as filling a compiler's cache.
    Prepared {
        us: u64,
    },
    /// Mutants that are no programs.
    Refused {
        mutants: Vec<u32>,
        syntax: bool,
        other: String,
    },
    Finished {},
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Status {
    Passed,
    Failed,
    Skipped,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Detail {
    kind: String,
    message: String,
    file: Option<String>,
    phase: String,
}

impl Detail {
    /// The phase is told only where it is not the test itself.
    fn failure(self) -> Failure {
        let phase = Phase::of_word(&self.phase);
        let message = match self.phase.as_str() {
            "call" => self.message,
            "setup" => format!("in set-up: {}", self.message),
            "teardown" => format!("in tear-down: {}", self.message),
            hook => format!("in {hook}: {}", self.message),
        };
        Failure { kind: self.kind, message, file: self.file, phase }
    }
}

/// The report in this folder; `None` if the helper never wrote one.
pub fn read(folder: &Path) -> Result<Option<TestRun>> {
    let path = folder.join(FILE);
    match std::fs::read(&path) {
        Ok(bytes) => parse(&bytes).map(Some).map_err(|error| error.at(path.display())),
        Err(why) if why.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(why) => Err(Error::internal("the report of the test process cannot be read").at(path.display()).cause(why)),
    }
}

/// Events to facts.
pub fn parse(bytes: &[u8]) -> Result<TestRun> {
    let mut reading = Reading::default();
    // What follows the last line feed was cut by the death of the process.
    let whole = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    for (at, line) in bytes[..whole].split(|byte| *byte == b'\n').enumerate() {
        if line.is_empty() {
            continue;
        }
        let event = serde_json::from_slice(line)
            .map_err(|why| Error::internal("the report of the test process is damaged").cause(format!("line {}: {why}", at + 1)))?;
        reading.take(event);
    }
    Ok(reading.end())
}

#[derive(Default)]
struct Reading {
    run: TestRun,
    /// Where the result of a test stands: some tests report more than once.
    place: HashMap<TestId, usize>,
    running: Option<TestId>,
}

impl Reading {
    fn take(&mut self, event: Event) {
        match event {
            Event::Collected { ids } => self.run.collected.extend(ids),
            Event::Start { id } => self.running = Some(id),
            Event::Result { id, status, us, failure } => self.result(id, status, Duration::from_micros(us), failure),
            Event::LoadFailure { id, kind, message, file, refused } => {
                let failure = Failure { kind, message, file, phase: Phase::Collection };
                self.run.load_failures.push(LoadFailure { id, failure, refused });
            }
            Event::Retried { ids } => self.run.retried.extend(ids),
            Event::Missing { ids } => self.run.missing.extend(ids),
            Event::Notice { text } => self.run.notices.push(text),
            Event::Reach { tests: None, probes } => self.run.reach.while_loading.extend(probes),
            Event::Reach { tests: Some(tests), probes } => {
                for test in tests {
                    self.run.reach.by_test.entry(test).or_default().extend(probes.iter().copied());
                }
            }
            Event::Swapped { functions } => self.run.swapped = Some(Ok(functions)),
            Event::Unswapped { why } => self.run.swapped = Some(Err(why)),
            Event::Entered { rounds } => self.run.rounds = Some(rounds),
            Event::OverRounds { rounds } => self.run.over_rounds = Some(rounds),
            Event::Outside { files } => self.run.outside.extend(files),
            Event::Instead { ours, theirs } => self.run.instead.push((ours, theirs)),
            Event::Prepared { us } => self.run.prepared += Duration::from_micros(us),
            Event::Refused { mutants, syntax, other } => self.run.refused = Refused { mutants, syntax, other },
            Event::Finished {} => self.run.finished = true,
        }
    }

    fn result(&mut self, id: TestId, status: Status, took: Duration, failure: Option<Detail>) {
        if self.running.as_ref() == Some(&id) {
            self.running = None;
        }
        let status = match (status, failure) {
            (Status::Failed, Some(detail)) => TestStatus::Failed(detail.failure()),
            (Status::Failed, None) => TestStatus::Failed(Failure::default()),
            (Status::Passed, _) => TestStatus::Passed,
            (Status::Skipped, _) => TestStatus::Skipped,
        };
        match self.place.get(&id) {
            Some(&at) => self.run.results[at].add(status, took),
            None => {
                self.place.insert(id.clone(), self.run.results.len());
                self.run.results.push(TestResult { id, status, took });
            }
        }
    }

    fn end(mut self) -> TestRun {
        if !self.run.finished {
            self.run.unfinished = self.running;
        }
        self.run
    }
}

impl TestResult {
    /// A second report of the same test: several tests may share a name, and the tear-down of a class may fail after its last test
    /// has passed. A failure outweighs all, then a pass.
    fn add(&mut self, status: TestStatus, took: Duration) {
        self.took += took;
        match (&self.status, &status) {
            (TestStatus::Failed(_), _) | (TestStatus::Passed, TestStatus::Skipped) => {}
            _ => self.status = status,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(lines: &[&str]) -> TestRun {
        parse((lines.join("\n") + "\n").as_bytes()).unwrap()
    }

    const START: &str = r#"{"event":"start","id":"t.py::test_a"}"#;
    const PASSED: &str = r#"{"event":"result","id":"t.py::test_a","status":"passed","us":1500,"failure":null}"#;
    const FAILED_LATE: &str = r#"{"event":"result","id":"t.py::test_a","status":"failed","us":0,"failure":{"kind":"ValueError","message":"no","file":null,"phase":"tearDownClass"}}"#;

    #[test]
    fn a_test_that_never_ended_is_named() {
        assert_eq!(run(&[START]).unfinished, Some(TestId::new("t.py::test_a")));
        assert_eq!(run(&[START, PASSED]).unfinished, None);
    }

    #[test]
    fn a_last_line_that_was_cut_is_left_out() {
        let cut = format!("{START}\n{PASSED}\n{}", &PASSED[..30]);
        let run = parse(cut.as_bytes()).unwrap();
        assert_eq!((run.results.len(), run.finished), (1, false));
    }

    #[test]
    fn a_damaged_line_makes_the_report_void() {
        let damaged = format!("{}\n{PASSED}\n", &PASSED[..30]);
        assert_eq!(parse(damaged.as_bytes()).unwrap_err().kind, crate::error::Kind::Internal);
    }

    #[test]
    fn an_unknown_event_makes_the_report_void() {
        assert!(parse(b"{\"event\":\"surprise\"}\n").is_err());
    }

    #[test]
    fn a_failure_after_the_pass_makes_the_test_fail_and_names_the_hook() {
        let run = run(&[START, PASSED, FAILED_LATE]);
        assert_eq!(run.results.len(), 1);
        let failure =
            Failure { kind: "ValueError".into(), message: "in tearDownClass: no".into(), file: None, phase: Phase::Teardown };
        assert_eq!(run.results[0].status, TestStatus::Failed(failure));
        assert_eq!(run.results[0].took, Duration::from_micros(1500));
    }

    #[test]
    fn reach_without_tests_is_reach_while_loading() {
        let run = run(&[r#"{"event":"reach","tests":null,"probes":[3]}"#, r#"{"event":"reach","tests":["a","b"],"probes":[1,2]}"#]);
        assert_eq!(run.reach.while_loading, [3].into());
        assert_eq!(run.reach.by_test[&TestId::new("b")], [1, 2].into());
    }
}
