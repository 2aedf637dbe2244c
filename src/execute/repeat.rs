//! A kill by a test whose reach is not known must be there every time.
//!
//! Such a test is shown to every mutant, also to those that it never runs. If it fails now and then, it will sooner or later fail on some
//! of them, and an alibi would not tell: that is one run for many kills, and most likely passes.

use super::outcome::{Measured, selection_of};
use super::worker::Worker;
use super::{Bench, in_parallel};
use crate::baseline::counted;
use crate::mutant::Verdict;
use crate::plan::Trial;
use crate::suite::TestSelection;

/// So often a mutant is tried again.
const TIMES: usize = 2;

/// Tries again what only such tests have killed; a kill that is not repeated proves nothing. What the user should know.
pub(super) fn check(pool: &rayon::ThreadPool, bench: &Bench, trials: &[Trial], measured: &mut [Measured]) -> Option<String> {
    let is_doubtful = |measured: &Measured| match &measured.verdict {
        Verdict::Killed { by, .. } => !by.is_empty() && by.iter().all(|test| bench.unknown_reach.contains(test)),
        _ => false,
    };
    let doubtful: Vec<usize> = (0..trials.len()).filter(|at| is_doubtful(&measured[*at])).collect();
    let repeated = in_parallel(pool, bench, &doubtful, |worker, at| is_repeated(worker, bench, &trials[*at], &measured[*at]));
    let single: Vec<usize> = doubtful.into_iter().zip(repeated).filter(|(_, is)| *is == Some(false)).map(|(at, _)| at).collect();
    for at in &single {
        let why = "a test failed on it that does not fail when it is tried again".to_owned();
        measured[*at].verdict = Verdict::Inconclusive { why };
    }
    let tests = counted(bench.unknown_reach.len());
    (!single.is_empty()).then(|| format!("{} mutants are inconclusive: {tests} failed on them only once", single.len()))
}

fn is_repeated(worker: &mut Worker, bench: &Bench, trial: &Trial, measured: &Measured) -> bool {
    let (Verdict::Killed { by, .. }, Some(selection)) = (&measured.verdict, selection_of(trial, measured)) else { return false };
    let limits = if selection == TestSelection::All { bench.whole_suite } else { trial.limits };
    (0..TIMES).all(|_| match worker.measure_cold(trial, &selection, limits).verdict {
        Verdict::Killed { by: again, .. } => again.iter().any(|test| by.contains(test)),
        _ => false,
    })
}
