//! Can the suite run beside itself?
//!
//! Tests that share a port, a file in the home folder or a clock with short limits fail when several of them run at once, and each
//! such failure would be taken for a kill. So before the first trial as many unchanged suites as there are workers run side by side.
//! If a test minds, there is one worker; a runner may know that without trying.

use super::{Bench, in_parallel, pool};
use crate::error::Result;
use crate::suite::TestSelection;

/// The workers for this suite, and what the user should know about their number.
pub(super) fn workers(bench: &Bench, trials: usize) -> Result<(rayon::ThreadPool, Vec<String>)> {
    let jobs = if bench.harness.runner.runs_alone() { 1 } else { bench.settings.jobs };
    let wanted = jobs.clamp(1, trials.max(1));
    let pool_wanted = pool(wanted)?;
    if wanted == 1 {
        return Ok((pool_wanted, Vec::new()));
    }
    let copies: Vec<usize> = (0..wanted).collect();
    let minds = in_parallel(&pool_wanted, bench, &copies, |worker, _| {
        let outcome = worker.run_cold(&[], &TestSelection::All, &bench.whole_suite, false);
        let passed = outcome.ok().and_then(|outcome| outcome.run.ok()).map(|run| run.passed().cloned().collect::<Vec<_>>());
        bench.steady.iter().find(|test| !passed.as_ref().is_some_and(|passed| passed.contains(test))).cloned()
    });
    match minds.into_iter().flatten().flatten().min() {
        None => Ok((pool_wanted, Vec::new())),
        Some(test) => {
            let notice = format!("one worker is used: tests disturb each other when they run side by side ({test} for one)");
            Ok((pool(1)?, vec![notice]))
        }
    }
}
