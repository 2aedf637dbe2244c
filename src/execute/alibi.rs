//! A test that killed a mutant must pass without it, in the same company.
//!
//! A trial runs only some of the tests. One that needs another to run before it fails on every mutant, and every such kill would be
//! false. So each killer is run once more on the unchanged tree, after exactly the tests that ran before it; so is a selection in which
//! a file did not load. Where the alibi fails, the whole suite decides, and that too is checked on the unchanged tree.

use std::collections::{BTreeMap, BTreeSet};

use super::outcome::Measured;
use super::worker::Worker;
use super::{Bench, in_parallel};
use crate::mutant::Verdict;
use crate::plan::Trial;
use crate::suite::{TestId, TestSelection};

/// The tests that ran up to the kill; `None` means the whole suite.
type Company = Option<Vec<TestId>>;

/// Checks every kill; trials that asked the same tests share one run. What the user should know.
pub(super) fn check(pool: &rayon::ThreadPool, bench: &Bench, trials: &[Trial], measured: &mut [Measured]) -> Vec<String> {
    let everyone: Vec<usize> = (0..trials.len()).collect();
    let guilty = without_alibi(pool, bench, trials, measured, &everyone);
    if guilty.is_empty() {
        return Vec::new();
    }
    let (by_whole, by_some): (Vec<usize>, Vec<usize>) = guilty.into_iter().partition(|at| company(trials, measured, *at).is_none());
    let decided = in_parallel(pool, bench, &by_some, |worker, at| worker.measure_by_all(&trials[*at]));
    for (at, decided) in by_some.iter().zip(decided) {
        measured[*at] = decided.unwrap_or_else(|| undecided(&measured[*at]));
    }
    let still_guilty = without_alibi(pool, bench, trials, measured, &by_some);
    for at in by_whole.iter().chain(&still_guilty) {
        measured[*at] = undecided(&measured[*at]);
    }
    notices(by_some.len(), by_whole.len() + still_guilty.len())
}

fn notices(by_some: usize, undecided: usize) -> Vec<String> {
    let dependent = (by_some > 0).then(|| {
        format!("{by_some} kills were decided by the whole suite, because their tests also fail alone without the mutant")
    });
    let unsteady =
        (undecided > 0).then(|| format!("{undecided} mutants are inconclusive: what failed on them also fails without them"));
    dependent.into_iter().chain(unsteady).collect()
}

fn undecided(measured: &Measured) -> Measured {
    let why = "what failed also fails without the mutant".to_owned();
    Measured { verdict: Verdict::Inconclusive { why }, ..measured.clone() }
}

/// Which of these kills cannot be believed, in order.
fn without_alibi(pool: &rayon::ThreadPool, bench: &Bench, trials: &[Trial], measured: &[Measured], which: &[usize]) -> Vec<usize> {
    // The longest company of the same tests is that of all shorter ones.
    let mut groups: BTreeMap<Option<&[TestId]>, (usize, Vec<usize>)> = BTreeMap::new();
    for at in which {
        if matches!(measured[*at].verdict, Verdict::Killed { .. }) {
            let company = company(trials, measured, *at);
            let (tests, length) = (company.as_ref().map(|_| trials[*at].tests.as_slice()), company.map_or(0, |some| some.len()));
            let (longest, members) = groups.entry(tests).or_default();
            *longest = length.max(*longest);
            members.push(*at);
        }
    }
    let groups = groups.into_iter().map(|(tests, (longest, members))| (tests.map(|tests| tests[..longest].to_vec()), members));
    let groups: Vec<(Company, Vec<usize>)> = groups.collect();
    let killers = |at: &usize| match &measured[*at].verdict {
        Verdict::Killed { by, .. } => by.clone(),
        _ => Vec::new(),
    };
    let found = in_parallel(pool, bench, &groups, |worker, (company, members)| {
        let wanted: BTreeSet<TestId> = members.iter().flat_map(killers).collect();
        fails_without(worker, bench, company, &wanted)
    });
    let mut guilty: Vec<usize> = Vec::new();
    for ((_, members), failing) in groups.iter().zip(found) {
        // A check that was cut off leaves the kill as it is: the report of a stopped run says that it is not complete.
        let failing = failing.unwrap_or_default();
        guilty.extend(members.iter().filter(|at| killers(at).iter().any(|killer| failing.contains(killer))));
    }
    guilty.sort();
    guilty
}

/// The tests of the trial up to its first killer; all of them for a file that did not load.
fn company(trials: &[Trial], measured: &[Measured], at: usize) -> Company {
    measured[at].certificate.as_ref()?.tests_selected?;
    let tests = &trials[at].tests;
    let last = match &measured[at].verdict {
        Verdict::Killed { by, .. } => by.iter().filter_map(|killer| tests.iter().position(|test| test == killer)).max(),
        _ => None,
    };
    Some(tests[..last.map_or(tests.len(), |last| last + 1)].to_vec())
}

/// The killers that do not pass on the unchanged tree in this company.
fn fails_without(worker: &mut Worker, bench: &Bench, company: &Company, killers: &BTreeSet<TestId>) -> BTreeSet<TestId> {
    let selection = company.clone().map_or(TestSelection::All, TestSelection::Only);
    let Ok(outcome) = worker.run_unchanged(&selection) else { return killers.clone() };
    let Ok(run) = outcome.run else { return killers.clone() };
    let failed: BTreeSet<&TestId> = run.failed().map(|(test, _)| test).collect();
    let unloaded = |killer: &TestId| run.load_failures.iter().any(|load| load.id == *killer);
    let passes = |killer: &TestId| {
        let must_pass = bench.steady.contains(killer);
        // A file of tests, or a test that only the mutant brings about, must not fail here.
        run.finished && !unloaded(killer) && !failed.contains(killer) && (!must_pass || run.passed().any(|test| test == killer))
    };
    killers.iter().filter(|killer| !passes(killer)).cloned().collect()
}
