//! A test that killed a mutant must pass without it, in the same company.
//!
//! A trial runs only some of the tests. One that needs another to run before it would fail on every mutant, and every such kill would be
//! false. So each test that killed is run once more on the unchanged tree, after exactly the tests that ran before it. If it fails
//! there, what it killed is decided by the whole suite in its usual order.

use std::collections::BTreeMap;

use super::{Bench, Worker, in_parallel};
use crate::error::Result;
use crate::execute::outcome::Measured;
use crate::mutant::Verdict;
use crate::plan::Trial;
use crate::suite::{TestId, TestSelection};

/// Checks every killer once, with the first mutant that it killed; the same ones whatever the number of workers.
pub(super) fn check(pool: &rayon::ThreadPool, bench: &Bench, trials: &[Trial], measured: &mut [Measured]) -> Result<Vec<String>> {
    let mut killers: BTreeMap<TestId, usize> = BTreeMap::new();
    let mut order: Vec<usize> = (0..trials.len()).collect();
    order.sort_by_key(|at| trials[*at].index);
    for at in order {
        if let Verdict::Killed { by, .. } = &measured[at].verdict
            && let Some(killer) = by.first()
            && trials[at].tests.contains(killer)
        {
            killers.entry(killer.clone()).or_insert(at);
        }
    }
    let suspects: Vec<(TestId, usize)> = killers.into_iter().collect();
    let innocent = in_parallel(pool, bench, &suspects, None, |worker, (killer, at)| passes_without(worker, &trials[*at], killer));
    // A check that was cut off leaves the kill as it is: the report of a stopped run says that it is not complete.
    let guilty: Vec<TestId> =
        suspects.into_iter().zip(innocent).filter(|(_, passes)| *passes == Some(false)).map(|((killer, _), _)| killer).collect();
    if guilty.is_empty() {
        return Ok(Vec::new());
    }
    decide_by_all(pool, bench, trials, measured, &guilty);
    let named: Vec<&str> = guilty.iter().take(3).map(TestId::as_str).collect();
    Ok(vec![format!(
        "{} tests fail without any mutant when only some tests run ({}); what they killed was decided by the whole suite",
        guilty.len(),
        named.join(", ")
    )])
}

/// True if the test passes on the unchanged tree, after the tests that ran before it in the trial.
fn passes_without(worker: &mut Worker, trial: &Trial, killer: &TestId) -> bool {
    let before = trial.tests.iter().position(|test| test == killer).map_or(0, |at| at + 1);
    let selection = TestSelection::Only(trial.tests[..before].to_vec());
    match worker.run(&[], &selection, &trial.limits, false) {
        Ok(outcome) => outcome.run.is_ok_and(|run| run.passed().any(|test| test == killer)),
        Err(_) => {
            worker.tree = None;
            false
        }
    }
}

fn decide_by_all(pool: &rayon::ThreadPool, bench: &Bench, trials: &[Trial], measured: &mut [Measured], guilty: &[TestId]) {
    let by_guilty =
        |verdict: &Verdict| matches!(verdict, Verdict::Killed { by, .. } if by.iter().any(|test| guilty.contains(test)));
    let again: Vec<usize> = (0..trials.len()).filter(|at| by_guilty(&measured[*at].verdict)).collect();
    let decided = in_parallel(pool, bench, &again, None, |worker, at| worker.measure_by_all(&trials[*at]));
    for (at, decided) in again.into_iter().zip(decided) {
        let why = "the test that failed also fails without the mutant when it runs alone".to_owned();
        let undecided = Measured { verdict: Verdict::Inconclusive { why }, ..measured[at].clone() };
        measured[at] = decided.unwrap_or(undecided);
    }
}
