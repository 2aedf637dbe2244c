//! Cold is the reference: some of the warm verdicts are tried again cold, with the same tests in the same order.
//!
//! One that is wrong takes its whole file back to cold; a second file, the whole run. Zero of `n` wrong bounds the share of wrong ones
//! by about `3/n` (95 %).

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::outcome::{Measured, selection_of};
use super::{Bench, in_parallel};
use crate::analysis::Kind;
use crate::mutant::Verdict;
use crate::plan::Trial;
use crate::suite::TestSelection;
use crate::text::Digest;

/// Of the warm verdicts of a run, how many were tried again, and how many of those were wrong.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Audit {
    pub warm: usize,
    pub again: usize,
    pub wrong: usize,
}

/// How many warm verdicts are tried again.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Share {
    Count(usize),
    /// In percent; of few verdicts more, of many fewer.
    Percent(f64),
}

const LEAST: usize = 5;
const MOST: usize = 60;

impl Share {
    fn of(self, warm: usize) -> usize {
        let wanted = match self {
            Share::Count(count) => count,
            Share::Percent(percent) => ((warm as f64 * percent / 100.0).ceil() as usize).clamp(LEAST, MOST),
        };
        wanted.min(warm)
    }
}

impl std::ops::AddAssign for Audit {
    fn add_assign(&mut self, other: Audit) {
        self.warm += other.warm;
        self.again += other.again;
        self.wrong += other.wrong;
    }
}

/// Tries a sample again. What was wrong is cold afterwards, with all that it casts a doubt on.
pub(super) fn check(pool: &rayon::ThreadPool, bench: &Bench, trials: &[Trial], measured: &mut [Measured]) -> (Audit, Vec<String>) {
    let warm: Vec<usize> = (0..trials.len()).filter(|at| is_warm(&measured[*at])).collect();
    let sample = sample(trials, measured, &warm, bench);
    let doubted = in_parallel(pool, bench, &sample, |worker, at| {
        let trial = &trials[*at];
        let selection = selection_of(trial, &measured[*at])?;
        let limits = if selection == TestSelection::All { bench.whole_suite } else { trial.limits };
        let warm = &measured[*at].verdict;
        let mut differs = || differs(warm, &worker.measure_cold(trial, &selection, limits).verdict);
        // A busy machine can make one trial odd, but hardly two.
        differs().and_then(|first| if first { differs() } else { Some(false) })
    });
    let told: Vec<Option<bool>> = doubted.into_iter().map(Option::flatten).collect();
    let wrong: Vec<usize> = sample.iter().zip(&told).filter(|(_, told)| **told == Some(true)).map(|(at, _)| *at).collect();
    let audit = Audit { warm: warm.len(), again: told.iter().flatten().count(), wrong: wrong.len() };
    (audit, demote(pool, bench, trials, measured, &warm, &wrong))
}

fn is_warm(measured: &Measured) -> bool {
    measured.certificate.as_ref().is_some_and(|certificate| certificate.is_warm())
}

/// `None`: what a trial could not decide proves nothing about another one.
fn differs(warm: &Verdict, cold: &Verdict) -> Option<bool> {
    (!matches!(cold, Verdict::Inconclusive { .. })).then(|| Kind::of(warm) != Kind::of(cold))
}

/// Half of them survivors, as far as there are enough.
fn sample(trials: &[Trial], measured: &[Measured], warm: &[usize], bench: &Bench) -> Vec<usize> {
    let wanted = bench.settings.audit.of(warm.len());
    let ticket =
        |at: &usize| *Digest::of_parts([&bench.planned.seed.to_le_bytes()[..], &trials[*at].mutant.id.0.to_le_bytes()]).bytes();
    let mut drawn = warm.to_vec();
    drawn.sort_by_key(ticket);
    let (survivors, others): (Vec<usize>, Vec<usize>) =
        drawn.into_iter().partition(|at| measured[*at].verdict == Verdict::Survived);
    let of_survivors = (wanted / 2).max(wanted.saturating_sub(others.len())).min(survivors.len());
    survivors.into_iter().take(of_survivors).chain(others.into_iter().take(wanted - of_survivors)).collect()
}

fn demote(
    pool: &rayon::ThreadPool,
    bench: &Bench,
    trials: &[Trial],
    measured: &mut [Measured],
    warm: &[usize],
    wrong: &[usize],
) -> Vec<String> {
    let files: BTreeSet<_> = wrong.iter().map(|at| &trials[*at].mutant.path).collect();
    let Some(first) = files.first() else { return Vec::new() };
    files.iter().for_each(|file| bench.warm.demote(file));
    let all = files.len() > 1;
    if all {
        bench.warm.turn_off("warm verdicts on several files were wrong");
    }
    let again: Vec<usize> = warm.iter().copied().filter(|at| all || files.contains(&trials[*at].mutant.path)).collect();
    let cold = in_parallel(pool, bench, &again, |worker, at| worker.measure(&trials[*at]));
    for (at, cold) in again.iter().zip(cold) {
        if let Some(cold) = cold {
            measured[*at] = cold;
        }
    }
    let where_to = if all { "all mutants".to_owned() } else { format!("the mutants of {first}") };
    vec![format!("{} of the verdicts from warm processes were wrong, so {where_to} were tried in new ones", wrong.len())]
}
