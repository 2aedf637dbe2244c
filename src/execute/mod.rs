//! Runs the plan: a queue of trials, one scratch tree per worker, one verdict per mutant.
//!
//! Three rounds. First every trial, as many at once as there are workers. Then, alone, what went over its wall clock: a busy machine must
//! not look like an endless loop. Last the *alibi* of every killer: the test that killed must pass on the unchanged tree in the very
//! company in which it killed, else it depends on tests that were left out, and its kills are decided by the whole suite.

mod alibi;
pub mod event;
pub mod judge;
pub mod outcome;

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use crate::analysis::Kind;
use crate::error::{Error, Result};
use crate::mutant::{Reason, Verdict};
use crate::plan::{Plan, Trial};
use crate::runner::{Request, Runner};
use crate::scratch::process::{Command, Exit, Limits};
use crate::scratch::{Change, RunSpec, Scratch, Stop, Tree};
use crate::source::Source;
use crate::suite::{TestId, TestSelection};
use crate::text::Digest;
use event::Event;
use judge::judge;
use outcome::{Certificate, Measured, Outcome};

/// How trials are run.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Workers, at least 1.
    pub jobs: usize,
    /// Stop a trial at its first failing test.
    pub bail: bool,
    /// No trial starts after this much time.
    pub budget: Option<Duration>,
}

/// Everything that a trial needs.
pub struct Bench<'b> {
    pub runner: &'b dyn Runner,
    pub scratch: &'b Scratch,
    pub sources: &'b [Source],
    pub settings: &'b Settings,
    /// Tests that cannot kill, wherever they come to run.
    pub flickering: &'b [TestId],
    pub stop: &'b Stop,
    pub watch: &'b (dyn Fn(Event) + Sync),
}

/// Verdicts in the order of the mutants; false if some were left over.
pub struct Executed {
    pub measured: Vec<Measured>,
    pub complete: bool,
    pub notices: Vec<String>,
}

/// Runs every trial of a plan. Fails only if nothing can be run at all; what goes wrong in a trial makes that one inconclusive.
pub fn run(plan: Plan, bench: &Bench) -> Result<Executed> {
    (bench.watch)(Event::Started { trials: plan.trials.len() });
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(bench.settings.jobs.max(1))
        .build()
        .map_err(|cause| Error::environment("the workers cannot be started").cause(cause))?;
    let Plan { trials, settled } = plan;
    let unsettled = settled.into_iter().map(|(index, mutant, verdict)| {
        (index, Measured { mutant, verdict, covered_by: Vec::new(), import_time: false, certificate: None })
    });
    let mut all: Vec<(usize, Measured)> = unsettled.collect();
    let deadline = bench.settings.budget.map(|budget| Instant::now() + budget);
    let first = in_parallel(&pool, bench, &trials, deadline, |worker, trial| worker.measure(trial));
    let (mut measured, complete) = with_leftovers(&trials, first, bench);
    again_alone(bench, &trials, &mut measured)?;
    let notices = alibi::check(&pool, bench, &trials, &mut measured)?;
    all.extend(trials.iter().map(|trial| trial.index).zip(measured));
    all.sort_by_key(|(index, _)| *index);
    (bench.watch)(Event::Finished);
    Ok(Executed { measured: all.into_iter().map(|(_, measured)| measured).collect(), complete, notices })
}

/// Lets the workers take one item after the other; `None` for what was not started in time.
fn in_parallel<T: Sync, R: Send>(
    pool: &rayon::ThreadPool,
    bench: &Bench,
    items: &[T],
    deadline: Option<Instant>,
    work: impl Fn(&mut Worker, &T) -> R + Sync,
) -> Vec<Option<R>> {
    let next = AtomicUsize::new(0);
    let results: Mutex<Vec<Option<R>>> = Mutex::new(items.iter().map(|_| None).collect());
    let over = AtomicBool::new(false);
    pool.broadcast(|_| {
        let mut worker = Worker { bench, tree: None };
        loop {
            let late = deadline.is_some_and(|deadline| Instant::now() >= deadline);
            if late || bench.stop.is_set() || over.load(Ordering::Relaxed) {
                over.store(true, Ordering::Relaxed);
                return;
            }
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(at) else { return };
            let result = work(&mut worker, item);
            // What was cut off in the middle proves nothing and is reported as left over.
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
    let left_over = |trial: &Trial| {
        let why = match bench.stop.is_set() {
            true => Reason::Interrupted,
            false => {
                let budget = bench.settings.budget.unwrap_or_default();
                Reason::NotChosen { why: format!("the budget of {} s was used up", budget.as_secs_f64()) }
            }
        };
        without_run(trial, Verdict::Ignored { why })
    };
    (results.into_iter().zip(trials).map(|(result, trial)| result.unwrap_or_else(|| left_over(trial))).collect(), complete)
}

fn without_run(trial: &Trial, verdict: Verdict) -> Measured {
    Measured {
        mutant: trial.mutant.clone(),
        verdict,
        covered_by: trial.reached_by.clone(),
        import_time: trial.import_time,
        certificate: None,
    }
}

/// Repeats, alone and with twice the time, what went over its wall clock.
fn again_alone(bench: &Bench, trials: &[Trial], measured: &mut [Measured]) -> Result<()> {
    let mut worker = Worker { bench, tree: None };
    for (trial, measured) in trials.iter().zip(measured) {
        let over_wall = measured.certificate.as_ref().is_some_and(|certificate| certificate.ended.exit == Exit::OverWall);
        if !over_wall || !matches!(measured.verdict, Verdict::TimedOut { .. }) || bench.stop.is_set() {
            continue;
        }
        let limits = Limits { wall: trial.limits.wall * 2, cpu: trial.limits.cpu * 2, ..trial.limits };
        let again = worker.measure_as(&Trial { limits, ..trial.clone() }, "cold, alone");
        if !bench.stop.is_set() {
            *measured = again;
        }
    }
    Ok(())
}

/// One worker with its scratch tree.
struct Worker<'b> {
    bench: &'b Bench<'b>,
    /// Made when it is first needed, and again after anything went wrong with it.
    tree: Option<Tree>,
}

/// The path that gives all verdicts: one fresh process per trial.
const COLD: &str = "cold";

impl Worker<'_> {
    fn measure(&mut self, trial: &Trial) -> Measured {
        let measured = self.measure_as(trial, COLD);
        // The mutant may have changed which tests there are: then all of the suite decides.
        let lost = measured.certificate.as_ref().is_some_and(|certificate| certificate.tests_missing > 0);
        let measured = match (&measured.verdict, lost) {
            (Verdict::Inconclusive { .. }, true) => self.measure_by_all(trial),
            _ => measured,
        };
        (self.bench.watch)(Event::Done { kind: Kind::of(&measured.verdict) });
        measured
    }

    /// Runs the whole suite on a mutant, whatever reaches it.
    fn measure_by_all(&mut self, trial: &Trial) -> Measured {
        let limits = Limits { wall: trial.limits.wall * 8, cpu: trial.limits.cpu * 8, ..trial.limits };
        self.measure_with(&Trial { limits, ..trial.clone() }, &TestSelection::All, "cold, whole suite")
    }

    fn measure_as(&mut self, trial: &Trial, path: &str) -> Measured {
        self.measure_with(trial, &TestSelection::Only(trial.tests.clone()), path)
    }

    fn measure_with(&mut self, trial: &Trial, selection: &TestSelection, path: &str) -> Measured {
        match self.try_trial(trial, selection) {
            Ok(outcome) => {
                let verdict = judge(trial, &outcome);
                let certificate = certificate(trial, selection, &outcome, path);
                Measured { certificate: Some(certificate), ..without_run(trial, verdict) }
            }
            Err(error) => {
                self.tree = None;
                without_run(trial, Verdict::Inconclusive { why: format!("the trial could not be run: {}", in_one_line(&error)) })
            }
        }
    }

    fn try_trial(&mut self, trial: &Trial, selection: &TestSelection) -> Result<Outcome> {
        let source = self.bench.sources.iter().find(|source| source.path == trial.mutant.path);
        let source = source.ok_or_else(|| Error::internal("a mutant without its source"))?;
        let bytes = trial.mutant.edit.apply(&source.text);
        let intended = Digest::of(&bytes);
        let change = Change { path: source.path.clone(), bytes };
        // Among all tests there are some that flicker: the first failure need not be the one that counts.
        let bail = self.bench.settings.bail && *selection != TestSelection::All;
        let mut outcome = self.run(&[change], selection, &trial.limits, bail)?;
        if let Ok(run) = &mut outcome.run {
            run.results.retain(|result| !self.bench.flickering.contains(&result.id));
        }
        Ok(Outcome { intended, ..outcome })
    }

    /// One test process over the tree with these changes.
    fn run(&mut self, changes: &[Change], selection: &TestSelection, limits: &Limits, bail: bool) -> Result<Outcome> {
        let Bench { runner, scratch, stop, .. } = *self.bench;
        let mut tree = match self.tree.take() {
            Some(tree) => tree,
            None => scratch.tree()?,
        };
        let folder = scratch.folder()?;
        let root = tree.root().to_owned();
        let original_root = scratch.root();
        let request = Request { root: &root, original_root, folder: folder.path(), selection, bail, reach: false };
        let command = runner.command(&request)?;
        let stale = crate::runner::stale_forms(runner, tree.layers(), changes.iter().map(|change| &change.path));
        let caches = runner.cache_folders();
        let spec = RunSpec { changes, stale: &stale, caches, keep_caches: false, command: &command, limits };
        let ran = tree.run(&spec, stop)?;
        self.tree = Some(tree);
        let run = runner.read(&request, &ran.ended).map_err(|error| in_one_line(&error));
        let in_place = ran.in_place.first().copied();
        let intended = changes.first().map_or(Digest::of(b""), |change| Digest::of(&change.bytes));
        Ok(Outcome { ended: ran.ended, run, in_place, intended, command: shown(&command) })
    }
}

fn certificate(trial: &Trial, selection: &TestSelection, outcome: &Outcome, path: &str) -> Certificate {
    let run = outcome.run.as_ref().ok();
    Certificate {
        mutated_bytes: outcome.in_place.unwrap_or(outcome.intended),
        reached: (trial.import_time || !trial.reached_by.is_empty()).then_some(true),
        tests_selected: selection.len(),
        tests_run: run.map_or(0, |run| run.ran()),
        tests_missing: run.map_or(0, |run| run.missing.len()),
        path: path.to_owned(),
        ended: outcome.ended.clone(),
        command: outcome.command.clone(),
    }
}

fn in_one_line(error: &Error) -> String {
    error.to_string().split('\n').map(str::trim).collect::<Vec<_>>().join("; ")
}

/// The command as one would type it.
fn shown(command: &Command) -> String {
    let words = std::iter::once(command.program.as_os_str()).chain(command.args.iter().map(|arg| arg.as_os_str()));
    let words: Vec<String> = words.map(|word| word.to_string_lossy().into_owned()).collect();
    shell_words::join(words)
}
