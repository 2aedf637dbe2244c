//! A second look at what ended badly, with nothing beside it.
//!
//! A busy machine must not look like an endless loop, nor its memory shortage like a crash. And the tests of a trial may be slow on
//! their own, because others that were left out warm something up for them: the unchanged tree tells how long they really take.

use std::collections::HashMap;
use std::time::Duration;

use super::outcome::{Measured, selection_of};
use super::worker::Worker;
use super::{Bench, Verdict};
use crate::plan::Trial;
use crate::scratch::process::{Exit, Limits};
use crate::suite::{TestId, TestSelection};

/// Repeats crashes and what went over a clock; the second result stands.
pub(super) fn alone(bench: &Bench, trials: &[Trial], measured: &mut [Measured]) {
    let mut worker = Worker::new(bench);
    let mut known: HashMap<Option<Vec<TestId>>, Option<Duration>> = HashMap::new();
    for (trial, measured) in trials.iter().zip(measured) {
        let Some(certificate) = measured.certificate.as_ref().filter(|_| !bench.stop.is_set()) else { continue };
        let Some(selection) = selection_of(trial, measured) else { continue };
        let had = if selection == TestSelection::All { bench.whole_suite } else { trial.limits };
        let limits = match (&measured.verdict, &certificate.ended.exit) {
            (Verdict::TimedOut { .. }, Exit::OverWall | Exit::OverCpu) => {
                let key = match &selection {
                    TestSelection::Only(tests) => Some(tests.clone()),
                    TestSelection::All => None,
                };
                let takes = *known.entry(key).or_insert_with(|| time_without(&mut worker, &selection, bench));
                let Some(takes) = takes else {
                    let why = "the same tests do not end in time without the mutant either".to_owned();
                    measured.verdict = Verdict::Inconclusive { why };
                    continue;
                };
                let fair = bench.planned.time_for(takes);
                if certificate.ended.exit == Exit::OverCpu && fair <= had.cpu {
                    continue;
                }
                Limits { wall: had.wall.max(fair * 2) * 2, cpu: had.cpu.max(fair) * 2, ..had }
            }
            (Verdict::Killed { .. }, Exit::Signal(_)) => had,
            _ => continue,
        };
        let again = worker.measure_cold(trial, &selection, limits);
        let again = if selection == TestSelection::All { again } else { worker.confirmed(trial, again) };
        if !bench.stop.is_set() {
            *measured = again;
        }
    }
}

/// How long these tests take on the unchanged tree; `None` if they do not even end there.
fn time_without(worker: &mut Worker, selection: &TestSelection, bench: &Bench) -> Option<Duration> {
    let outcome = worker.run_cold(&[], selection, &bench.whole_suite, false).ok()?;
    matches!(outcome.ended.exit, Exit::Code(_)).then_some(outcome.ended.wall)
}
