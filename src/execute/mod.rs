//! Runs the plan: a queue of trials, one scratch tree per worker, one verdict per mutant.
//!
//! A trial runs the tests that reach its mutant. What they do not notice is shown to the whole suite, in its usual order: a test may
//! see what another one has computed and kept ([`confirm`] has a quicker way). Then come the doubts, each of which costs little: a time-out is tried again alone
//! ([`again`]), a kill by a test whose reach is not known must repeat itself ([`repeat`]), whoever killed must pass without the mutant in the very company in which it killed ([`alibi`]), and some of what came
//! from warm processes is tried in new ones ([`audit`]).

pub mod added;
mod again;
mod alibi;
pub mod audit;
mod confirm;
pub mod event;
pub mod judge;
pub mod outcome;
mod prebuilt;
mod rehearsal;
mod repeat;
pub mod warm;
mod worker;

use std::collections::BTreeSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use crate::baseline::Probed;
use crate::error::{Error, Result};
use crate::mutant::{Reason, Verdict};
use crate::plan::{self, Plan, Trial};
use crate::runner::harness::Harness;
use crate::scratch::process::Limits;
use crate::scratch::{Scratch, Stop};
use crate::source::Source;
use crate::suite::TestId;
use audit::Audit;
use event::Event;
use outcome::Measured;
use warm::WarmState;
use worker::Worker;

/// How trials are run.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Workers, at least 1.
    pub jobs: usize,
    /// Stop a trial at its first failing test.
    pub bail: bool,
    /// No trial starts after this much time, and what runs then is left over.
    pub budget: Option<Duration>,
    /// Show the whole suite what the tests that reach a mutant did not notice.
    pub verify_survivors: bool,
    /// How many of the warm verdicts are tried again cold.
    pub audit: audit::Share,
}

/// Everything that a trial needs.
#[derive(Clone, Copy)]
pub struct Bench<'b> {
    pub harness: &'b Harness,
    pub scratch: &'b Scratch,
    pub sources: &'b [Source],
    /// Those of them that hold mutants of the plan, with their probes.
    pub probed: &'b [Probed<'b>],
    pub settings: &'b Settings,
    pub planned: &'b plan::Settings,
    /// Tests that passed in every run without a mutant.
    pub steady: &'b BTreeSet<TestId>,
    /// Tests that cannot kill, wherever they come to run.
    pub distrusted: &'b BTreeSet<TestId>,
    /// Steady tests that are shown to every mutant, because nobody knows what they reach.
    pub unknown_reach: &'b BTreeSet<TestId>,
    /// For a run of all tests.
    pub whole_suite: Limits,
    /// No trial starts after this moment.
    pub deadline: Option<Instant>,
    pub warm: &'b WarmState,
    pub stop: &'b Stop,
    pub watch: &'b (dyn Fn(Event) + Sync),
}

/// Verdicts, each with the position of its mutant in the whole list; `complete` is false if some were left over.
pub struct Executed {
    pub measured: Vec<(usize, Measured)>,
    pub complete: bool,
    pub audit: Audit,
    pub notices: Vec<String>,
}

/// Runs every trial of a plan. Fails only if nothing can be run at all; what goes wrong in a trial makes that one inconclusive.
pub fn run(plan: Plan, bench: &Bench) -> Result<Executed> {
    let in_time = bench.stop.or_at(bench.deadline);
    let (pool, mut notices) = rehearsal::workers(bench, plan.trials.len())?;
    let Plan { mut trials, settled, .. } = plan;
    notices.extend(bench.warm.prepare(bench, &trials));
    let first = in_parallel(&pool, &Bench { stop: &in_time, ..*bench }, &trials, |worker, trial| worker.measure(trial));
    let (mut measured, complete) = with_leftovers(&trials, first, bench);
    let confirmed = confirm::survivors(&pool, &Bench { stop: &in_time, ..*bench }, &mut trials, &mut measured);
    notices.extend(confirmed.notices);
    // A survivor that is not confirmed is none.
    let complete = complete && confirmed.open.is_empty();
    confirmed.open.iter().for_each(|at| measured[*at] = left_over(&trials[*at], bench));
    let (audit, doubts) = audit::check(&pool, &Bench { stop: &in_time, ..*bench }, &trials, &mut measured);
    notices.extend(doubts);
    again::alone(bench, &trials, &mut measured);
    notices.extend(repeat::check(&pool, bench, &trials, &mut measured));
    notices.extend(alibi::check(&pool, bench, &trials, &mut measured));
    let complete = complete && !bench.stop.is_set();

    let settled = settled.into_iter().map(|(index, mutant, verdict)| (index, Measured::untried(mutant, verdict)));
    let measured = settled.chain(trials.iter().map(|trial| trial.index).zip(measured)).collect();
    Ok(Executed { measured, complete, audit, notices })
}

fn pool(workers: usize) -> Result<rayon::ThreadPool> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(workers.max(1)).build();
    pool.map_err(|cause| Error::environment("the workers cannot be started").cause(cause))
}

/// Lets the workers take one item after the other; `None` for what was not done when they had to stop.
fn in_parallel<T: Sync, R: Send>(
    pool: &rayon::ThreadPool,
    bench: &Bench,
    items: &[T],
    work: impl Fn(&mut Worker, &T) -> R + Sync,
) -> Vec<Option<R>> {
    let next = AtomicUsize::new(0);
    let results: Mutex<Vec<Option<R>>> = Mutex::new(items.iter().map(|_| None).collect());
    pool.broadcast(|_| {
        let mut worker = Worker::new(bench);
        while !bench.stop.is_set() {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(at) else { return };
            let result = work(&mut worker, item);
            if !bench.stop.is_set() {
                results.lock().expect("no worker panics")[at] = Some(result);
            }
        }
    });
    results.into_inner().expect("no worker panics")
}

/// The results, and a verdict for what was not run.
fn with_leftovers(trials: &[Trial], results: Vec<Option<Measured>>, bench: &Bench) -> (Vec<Measured>, bool) {
    let complete = results.iter().all(Option::is_some);
    let all = results.into_iter().zip(trials).map(|(result, trial)| result.unwrap_or_else(|| left_over(trial, bench)));
    (all.collect(), complete)
}

/// For a trial that was stopped by the user or by the budget.
fn left_over(trial: &Trial, bench: &Bench) -> Measured {
    let why = match bench.stop.is_set() {
        true => Reason::Interrupted,
        false => {
            let budget = bench.settings.budget.unwrap_or_default();
            Reason::NotChosen { why: format!("the budget of {} s was used up", budget.as_secs_f64()) }
        }
    };
    Measured::without_run(trial, Verdict::Ignored { why })
}
