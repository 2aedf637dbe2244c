//! One worker with its scratch tree.

use std::collections::{BTreeMap, BTreeSet};

use super::Bench;
use super::event::Event;
use super::judge::judge;
use super::outcome::{Answer, Certificate, Measured, Outcome};
use super::warm::{Warm, Wish};
use crate::analysis::Kind;
use crate::error::{Error, Result};
use crate::mutant::{Mutant, Verdict};
use crate::plan::Trial;
use crate::runner::Request;
use crate::scratch::process::{Command, Limits};
use crate::scratch::{Change, RunSpec, Tree};
use crate::suite::{ProbeId, Reach, TestId, TestRun, TestSelection};
use crate::text::Digest;

pub(super) struct Worker<'b> {
    bench: &'b Bench<'b>,
    /// Made when it is first needed, and again after anything went wrong with it.
    tree: Option<Tree>,
    warm: Warm,
    /// A warm process over sources with probes.
    probed: Warm,
}

/// A child of a process that has loaded the tests.
const WARM: &str = "warm";
/// One fresh process.
const COLD: &str = "cold";

/// A command with more tests than this is no help.
const MOST_BY_HAND: usize = 5;

impl<'b> Worker<'b> {
    pub fn new(bench: &'b Bench<'b>) -> Worker<'b> {
        Worker { bench, tree: None, warm: Warm::default(), probed: Warm::with_probes() }
    }

    /// Asks the tests that reach the mutant, and the whole suite where they have nothing to say against it.
    pub fn measure(&mut self, trial: &Trial) -> Measured {
        let measured = if trial.tests.is_empty() { self.measure_by_all(trial) } else { self.measure_by_reaching(trial) };
        (self.bench.watch)(Event::Done { kind: Kind::of(&measured.verdict) });
        measured
    }

    fn measure_by_reaching(&mut self, trial: &Trial) -> Measured {
        let measured = self.measure_by(trial, &TestSelection::Only(trial.tests.clone()), trial.limits);
        self.confirmed(trial, measured)
    }

    /// What some of the tests say, or the whole suite where they have nothing to say against the mutant.
    pub fn confirmed(&mut self, trial: &Trial, measured: Measured) -> Measured {
        // The mutant may have changed which tests there are.
        let lost = measured.certificate.as_ref().is_some_and(|certificate| certificate.tests_missing > 0);
        let some_were_left_out = trial.tests.len() < self.bench.steady.len();
        // Warm ones are looked at together, later.
        let warm = measured.certificate.as_ref().is_some_and(Certificate::is_warm);
        let unsure = trial.import_time || !warm && self.bench.settings.verify_survivors && some_were_left_out;
        match &measured.verdict {
            Verdict::Survived if unsure => self.measure_by_all(trial),
            Verdict::Inconclusive { .. } if lost || trial.reached_by.is_empty() => self.measure_by_all(trial),
            _ => measured,
        }
    }

    /// Asks tests that have become more since the first time.
    pub fn measure_again(&mut self, trial: &Trial) -> Measured {
        self.measure_by(trial, &TestSelection::Only(trial.tests.clone()), trial.limits)
    }

    /// What a test reaches that runs alone; `None` if it does not pass then, or that cannot be seen.
    pub fn reach_alone(&mut self, test: &TestId) -> Option<BTreeSet<ProbeId>> {
        let selection = TestSelection::Only(vec![test.clone()]);
        let wish = Wish { changes: &[], mutant: None, selection: &selection, limits: &self.bench.whole_suite, bail: false };
        let run = self.probed.turn(self.bench, &wish, u64::MAX, true).ok()?.run.ok()?;
        let passed = run.finished && run.load_failures.is_empty() && run.passed().eq([test]);
        let Reach { while_loading, by_test } = run.reach;
        passed.then(|| while_loading.into_iter().chain(by_test.into_values().flatten()).collect())
    }

    /// Runs the whole suite on a mutant, whatever reaches it.
    pub fn measure_by_all(&mut self, trial: &Trial) -> Measured {
        self.measure_by(trial, &TestSelection::All, self.bench.whole_suite)
    }

    /// Warm where that proves anything, else cold.
    fn measure_by(&mut self, trial: &Trial, selection: &TestSelection, limits: Limits) -> Measured {
        self.measure_warm(trial, selection, limits).unwrap_or_else(|why| {
            let mut measured = self.measure_cold(trial, selection, limits);
            if let Some(certificate) = &mut measured.certificate {
                certificate.cold_because = Some(why);
            }
            measured
        })
    }

    /// An error says why it has to be cold.
    fn measure_warm(&mut self, trial: &Trial, selection: &TestSelection, limits: Limits) -> Result<Measured, String> {
        if trial.import_time {
            return Err("it is reached while modules are loaded".into());
        }
        let (change, bail) = self.change(trial, selection).map_err(|error| in_one_line(&error))?;
        let outcome =
            self.warm.run(self.bench, &Wish { changes: &[change], mutant: Some(trial.index), selection, limits: &limits, bail })?;
        let rounds = outcome.run.as_ref().ok().and_then(|run| run.rounds);
        let measured = self.measured(trial, selection, &self.trusted(outcome, selection), WARM);
        match measured.verdict {
            Verdict::Inconclusive { why } => Err(why),
            // A process that a test starts may have run it; only a new one proves that.
            _ if rounds == Some(0) => Err("the functions that it changes did not begin".into()),
            _ => Ok(measured),
        }
    }

    pub fn measure_cold(&mut self, trial: &Trial, selection: &TestSelection, limits: Limits) -> Measured {
        let outcome = self.change(trial, selection).and_then(|(change, bail)| self.run_cold(&[change], selection, &limits, bail));
        match outcome {
            Ok(outcome) => self.measured(trial, selection, &self.trusted(outcome, selection), COLD),
            Err(error) => {
                let why = format!("the trial could not be run: {}", in_one_line(&error));
                Measured::without_run(trial, Verdict::Inconclusive { why })
            }
        }
    }

    fn measured(&self, trial: &Trial, selection: &TestSelection, outcome: &Outcome, path: &str) -> Measured {
        let verdict = judge(trial, outcome);
        let path = if *selection == TestSelection::All { format!("{path}, whole suite") } else { path.to_owned() };
        let certificate = Certificate {
            command: self.by_hand(trial, &verdict).unwrap_or_else(|| outcome.command.clone()),
            ..certificate(trial, selection, outcome, path)
        };
        Measured { certificate: Some(certificate), ..Measured::without_run(trial, verdict) }
    }

    /// What a person would type to see the verdict: the tests that killed, or some of those that should have.
    fn by_hand(&self, trial: &Trial, verdict: &Verdict) -> Option<String> {
        let tests = match verdict {
            Verdict::Killed { by, .. } => by,
            _ => &trial.reached_by,
        };
        let some = &tests[..tests.len().min(MOST_BY_HAND)];
        let Bench { harness, scratch, .. } = *self.bench;
        let command = harness.runner.plain_command(&harness.place(scratch.root()), some).map(shell_words::join)?;
        Some(match harness.package.as_str() {
            "" => command,
            package => format!("cd {} && {command}", shell_words::quote(package)),
        })
    }

    /// The change of a trial, and whether the first failure ends it.
    fn change(&self, trial: &Trial, selection: &TestSelection) -> Result<(Change, bool)> {
        let change = self.mutated(&trial.mutant)?;
        // Among all tests may be some that cannot kill: then the first failure need not be the one that counts.
        let all_count = *selection != TestSelection::All || self.bench.distrusted.is_empty();
        Ok((change, self.bench.settings.bail && all_count))
    }

    /// The file with the mutant in it.
    pub fn mutated(&self, mutant: &Mutant) -> Result<Change> {
        let source = self.bench.sources.iter().find(|source| source.path == mutant.path);
        let source = source.ok_or_else(|| Error::internal("a mutant without its source"))?;
        Ok(Change { path: source.path.clone(), bytes: mutant.edit.apply(&source.text) })
    }

    /// One new test process over the tree with these changes, to its end.
    pub fn run_plain(&mut self, changes: &[Change], selection: &TestSelection) -> Result<Outcome> {
        let limits = self.bench.whole_suite;
        self.run_cold(changes, selection, &limits, false)
    }

    /// Without tests that cannot kill.
    fn trusted(&self, mut outcome: Outcome, selection: &TestSelection) -> Outcome {
        if let (Ok(run), TestSelection::All) = (&mut outcome.run, selection) {
            run.results.retain(|result| !self.bench.distrusted.contains(&result.id));
        }
        outcome
    }

    /// The unchanged tree, warm where that is possible.
    pub fn run_unchanged(&mut self, selection: &TestSelection) -> Result<Outcome> {
        let limits = self.bench.whole_suite;
        match self.warm.run(self.bench, &Wish { changes: &[], mutant: None, selection, limits: &limits, bail: false }) {
            Ok(outcome) => Ok(outcome),
            Err(_) => self.run_cold(&[], selection, &limits, false),
        }
    }

    /// One new test process over the tree with these changes.
    pub fn run_cold(&mut self, changes: &[Change], selection: &TestSelection, limits: &Limits, bail: bool) -> Result<Outcome> {
        let Bench { harness, scratch, stop, .. } = *self.bench;
        let runner = &*harness.runner;
        // Taken out, and put back only after everything went well: a tree that failed is not used again.
        let mut tree = match self.tree.take() {
            Some(tree) => tree,
            None => scratch.tree()?,
        };
        let folder = scratch.folder()?;
        let root = tree.root().to_owned();
        let original_root = scratch.root();
        let asked = Request { bail, ..Request::new(&root, original_root, folder.path(), selection) };
        let command = harness.request(&asked, |request| runner.command(request))?;
        let stale = crate::runner::stale_forms(runner, tree.layers(), changes.iter().map(|change| &change.path));
        let caches = runner.cache_folders();
        let spec = RunSpec { changes, stale: &stale, caches, keep_caches: false, command: &command, limits };
        let ran = tree.run(&spec, stop)?;
        self.tree = Some(tree);
        let run = harness.request(&asked, |request| runner.read(request, &ran.ended));
        let run = run.map(|run| harness.in_workspace(run)).map_err(|error| in_one_line(&error));
        let in_place = ran.in_place.first().copied();
        Ok(Outcome { ended: ran.ended, run, in_place, intended: digest_of_first(changes), command: shown(&command) })
    }
}

pub(super) fn digest_of_first(changes: &[Change]) -> Digest {
    changes.first().map_or(Digest::of(b""), |change| Digest::of(&change.bytes))
}

fn certificate(trial: &Trial, selection: &TestSelection, outcome: &Outcome, path: String) -> Certificate {
    let run = outcome.run.as_ref().ok();
    Certificate {
        mutated_bytes: outcome.in_place.unwrap_or(outcome.intended),
        reached: (trial.import_time || !trial.reached_by.is_empty()).then_some(true),
        tests_selected: selection.len(),
        tests_run: run.map_or(0, |run| run.ran()),
        tests_missing: run.map_or(0, |run| run.missing.len()),
        path,
        cold_because: None,
        answers: run.map(|run| answers(run, &trial.named)).unwrap_or_default(),
        ended: outcome.ended.clone(),
        command: outcome.command.clone(),
    }
}

fn answers(run: &TestRun, named: &[TestId]) -> BTreeMap<TestId, Answer> {
    let wanted = run.results.iter().filter(|result| named.contains(&result.id));
    wanted.map(|result| (result.id.clone(), Answer::of(&result.status))).collect()
}

pub(super) fn in_one_line(error: &Error) -> String {
    error.to_string().split('\n').map(str::trim).collect::<Vec<_>>().join("; ")
}

/// The command as one would type it.
pub(super) fn shown(command: &Command) -> String {
    let words = std::iter::once(command.program.as_os_str()).chain(command.args.iter().map(|arg| arg.as_os_str()));
    let words: Vec<String> = words.map(|word| word.to_string_lossy().into_owned()).collect();
    shell_words::join(words)
}
