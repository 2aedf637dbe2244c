//! Survivors are shown to the tests that only seem not to reach them.
//!
//! Tests run in company: one may find an answer that another one has computed, and so not reach what it depends on. Alone, each in a
//! process that has only loaded the tests, it has to compute the answer itself. So every test runs once alone, and survivors are shown to
//! those that reach them there. A suite in which a test fails alone keeps things from one test to the next: then only the whole suite
//! can tell, as it does where there are no warm processes.

use std::collections::BTreeSet;

use super::outcome::Measured;
use super::{Bench, in_parallel};
use crate::mutant::Verdict;
use crate::plan::Trial;
use crate::suite::{ProbeId, TestId};

/// So many survivors are quicker shown to the whole suite than every test is run alone. No clock decides: the same input gives the same
/// report.
const FEW: usize = 4;

/// What came of the second look.
#[derive(Default)]
pub(super) struct Confirmed {
    pub notices: Vec<String>,
    /// Survivors for which there was no time.
    pub open: Vec<usize>,
}

impl Confirmed {
    fn but(open: Vec<usize>) -> Confirmed {
        Confirmed { open, ..Confirmed::default() }
    }
}

/// The second look at survivors of warm trials; other trials have had theirs.
pub(super) fn survivors(pool: &rayon::ThreadPool, bench: &Bench, trials: &mut [Trial], measured: &mut [Measured]) -> Confirmed {
    let unsure: Vec<usize> = (0..trials.len()).filter(|at| needs_a_look(bench, &trials[*at], &measured[*at])).collect();
    if unsure.is_empty() {
        return Confirmed::default();
    }
    if unsure.len() <= FEW || bench.warm.is_prebuilt() {
        return Confirmed::but(by_the_whole_suite(pool, bench, trials, measured, &unsure));
    }
    let tests: Vec<TestId> = bench.steady.iter().cloned().collect();
    let reach = in_parallel(pool, bench, &tests, |worker, test| worker.reach_alone(test));
    if bench.stop.is_set() {
        return Confirmed::but(unsure);
    }
    let dependent: Vec<&TestId> =
        tests.iter().zip(&reach).filter(|(_, reach)| !matches!(reach, Some(Some(_)))).map(|(test, _)| test).collect();
    if let Some(first) = dependent.first() {
        let tests = crate::baseline::counted(dependent.len());
        let why = format!(
            "survivors were shown to the whole suite, because alone a test gives another result: {tests} ({first} for one)"
        );
        return Confirmed { notices: vec![why], open: by_the_whole_suite(pool, bench, trials, measured, &unsure) };
    }
    let reach: Vec<BTreeSet<ProbeId>> = reach.into_iter().flatten().flatten().collect();
    let more: Vec<usize> = unsure.into_iter().filter(|at| add_tests(bench, &mut trials[*at], &tests, &reach)).collect();
    let again = in_parallel(pool, bench, &more, |worker, at| worker.measure_again(&trials[*at]));
    Confirmed::but(replace(measured, &more, again))
}

fn needs_a_look(bench: &Bench, trial: &Trial, measured: &Measured) -> bool {
    let warm =
        measured.certificate.as_ref().is_some_and(|certificate| certificate.is_warm() && certificate.tests_selected.is_some());
    bench.settings.verify_survivors && warm && measured.verdict == Verdict::Survived && trial.tests.len() < bench.steady.len()
}

fn by_the_whole_suite(
    pool: &rayon::ThreadPool,
    bench: &Bench,
    trials: &[Trial],
    measured: &mut [Measured],
    which: &[usize],
) -> Vec<usize> {
    let again = in_parallel(pool, bench, which, |worker, at| worker.measure_by_all(&trials[*at]));
    replace(measured, which, again)
}

/// Those that were not done.
fn replace(measured: &mut [Measured], which: &[usize], again: Vec<Option<Measured>>) -> Vec<usize> {
    let mut open = Vec::new();
    for (at, again) in which.iter().zip(again) {
        match again {
            Some(again) => measured[*at] = again,
            None => open.push(*at),
        }
    }
    open
}

/// Whether there are tests that reach the mutant alone and were not asked.
fn add_tests(bench: &Bench, trial: &mut Trial, tests: &[TestId], reach: &[BTreeSet<ProbeId>]) -> bool {
    let Some(probe) = trial.probe else { return false };
    let new = |(test, reached): (&TestId, &BTreeSet<ProbeId>)| {
        (reached.contains(&probe) && !trial.tests.contains(test)).then(|| test.clone())
    };
    let more: Vec<TestId> = tests.iter().zip(reach).filter_map(new).collect();
    if more.is_empty() {
        return false;
    }
    trial.limits = bench.whole_suite;
    trial.reached_by.extend(more.iter().cloned());
    trial.tests.extend(more);
    true
}
