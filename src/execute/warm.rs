//! Trials from a process that has loaded the tests already.
//!
//! Cold is the reference. Warm only makes a verdict quicker: whatever a warm trial cannot prove is asked again cold, and a sample of what
//! it proved as well ([`super::audit`]).

use std::collections::BTreeSet;
use std::sync::{Mutex, OnceLock};

use super::Bench;
use super::outcome::Outcome;
use super::prebuilt::{self, Prebuilt};
use super::worker::{digest_of_first, in_one_line, shown};
use crate::baseline::Probed;
use crate::error::{Error, Result};
use crate::plan::Trial;
use crate::runner::{Changed, Request};
use crate::scratch::process::{Command, Limits};
use crate::scratch::session::{Lasting, Session, Turn, changed_of, original_of};
use crate::scratch::{Change, Folder, Tree};
use crate::suite::{TestId, TestRun, TestSelection};
use crate::text::ProjectPath;

/// What all workers know about warm trials.
#[derive(Debug, Default)]
pub struct WarmState {
    known: Mutex<Known>,
    /// Programs that hold all mutants; for runners that have no sessions.
    prebuilt: OnceLock<Prebuilt>,
}

#[derive(Debug, Default)]
struct Known {
    /// Why every trial is cold.
    off: Option<String>,
    /// Files whose warm verdicts were wrong.
    demoted: BTreeSet<ProjectPath>,
}

impl WarmState {
    /// Every trial is cold, because the user wants it.
    pub fn cold() -> WarmState {
        let state = WarmState::default();
        state.turn_off("asked for");
        state
    }

    pub fn turn_off(&self, why: impl Into<String>) {
        self.known().off.get_or_insert(why.into());
    }

    /// Builds what trials are run with, where the runner can do that, else tries a session; what the user should know.
    pub(super) fn prepare(&self, bench: &Bench, trials: &[Trial]) -> Vec<String> {
        if self.known().off.is_some() || trials.iter().all(|trial| trial.import_time) {
            return Vec::new();
        }
        match prebuilt::build(bench, trials) {
            Ok(None) => {
                self.try_unchanged(bench);
                Vec::new()
            }
            Ok(Some(prebuilt)) => {
                let notices = prebuilt.notices();
                let _ = self.prebuilt.set(prebuilt);
                notices
            }
            Err(why) => {
                let notice = format!("every mutant was built by itself, because they could not be built together: {why}");
                self.turn_off(why);
                vec![notice]
            }
        }
    }

    /// Without a mutant, all must be in a session as it is in a new process, and the tree must stay as it is: else every trial is cold.
    fn try_unchanged(&self, bench: &Bench) {
        let mut warm = Warm::default();
        let wish = Wish { changes: &[], mutant: None, selection: &TestSelection::All, limits: &bench.whole_suite, bail: false };
        let passed: BTreeSet<TestId> = match warm.turn(bench, &wish, u64::MAX, true) {
            Ok(outcome) => outcome.run.iter().flat_map(TestRun::passed).cloned().collect(),
            Err(why) => return self.turn_off(why),
        };
        if let Some(test) = bench.steady.difference(&passed).next() {
            self.turn_off(format!("{test} does not pass in a process that has loaded all tests before"));
        } else if let Some(why) = warm.spent {
            self.turn_off(why);
        }
    }

    /// Trials run in programs that were built beforehand, not in sessions.
    pub(super) fn is_prebuilt(&self) -> bool {
        self.prebuilt.get().is_some()
    }

    pub fn demote(&self, path: &ProjectPath) {
        self.known().demoted.insert(path.clone());
    }

    /// Why a trial with these changes must be cold.
    fn objection(&self, changes: &[Change]) -> Option<String> {
        let known = self.known();
        let demoted = changes.iter().find(|change| known.demoted.contains(&change.path));
        known.off.clone().or_else(|| demoted.map(|change| format!("a warm verdict on {} was wrong", change.path)))
    }

    fn known(&self) -> std::sync::MutexGuard<'_, Known> {
        self.known.lock().expect("no worker panics")
    }
}

/// So often the functions that a mutant changes may begin and their loops go round before we ask what is usual.
const FEW_ROUNDS: u64 = 1_000_000;
/// More than so many times the usual number is an endless loop.
const MANY_TIMES: u64 = 100;

/// One run of a session, asked for by a worker.
#[derive(Clone, Copy)]
pub(super) struct Wish<'w> {
    pub changes: &'w [Change],
    /// Position of the mutant that the changes make.
    pub mutant: Option<usize>,
    pub selection: &'w TestSelection,
    pub limits: &'w Limits,
    pub bail: bool,
}

/// The session of one worker.
#[derive(Default)]
pub(super) struct Warm {
    open: Option<Open>,
    /// Why the last session came to its end.
    spent: Option<String>,
    /// Over sources with probes, to learn who reaches what.
    probed: bool,
    /// For programs that were built beforehand.
    tree: Option<Tree>,
}

struct Open {
    session: Session,
    command: Command,
    reach: bool,
    /// Holds the helper programs.
    _folder: Folder,
}

impl Warm {
    pub fn with_probes() -> Warm {
        Warm { probed: true, ..Warm::default() }
    }

    /// One trial in a child of the session; an error says why it has to be cold.
    pub fn run(&mut self, bench: &Bench, wish: &Wish) -> Result<Outcome, String> {
        let outcome = self.turn(bench, wish, FEW_ROUNDS, true)?;
        match rounds_over(&outcome) {
            None => Ok(outcome),
            Some(_) => self.with_fair_rounds(bench, wish, outcome),
        }
    }

    /// A limit of rounds that follows from what the same functions need without the mutant.
    fn with_fair_rounds(&mut self, bench: &Bench, wish: &Wish, over: Outcome) -> Result<Outcome, String> {
        let unchanged = self.turn(bench, &Wish { bail: false, limits: &bench.whole_suite, ..*wish }, u64::MAX, false)?;
        let usual = unchanged.run.as_ref().ok().and_then(|run| run.rounds);
        let fair = usual.ok_or("the usual number of rounds is not known")?.saturating_mul(MANY_TIMES);
        if fair <= FEW_ROUNDS { Ok(over) } else { self.turn(bench, wish, fair, true) }
    }

    pub fn turn(&mut self, bench: &Bench, wish: &Wish, rounds: u64, mutant: bool) -> Result<Outcome, String> {
        if let Some(why) = bench.warm.objection(wish.changes) {
            return Err(why);
        }
        if let Some(prebuilt) = bench.warm.prebuilt.get() {
            return prebuilt.run(bench, &mut self.tree, wish, rounds, mutant);
        }
        let mut open = match self.open.take() {
            Some(open) => open,
            None => open(bench, self.probed).inspect_err(|why| bench.warm.turn_off(why))?,
        };
        let ran = open.run(bench, wish, rounds, mutant).map_err(|error| in_one_line(&error));
        self.spent = ran.as_ref().map_or_else(|why| Some(why.clone()), |_| open.session.spent().map(str::to_owned));
        if self.spent.is_none() {
            self.open = Some(open);
        }
        // What could not be swapped in was not run at all.
        let outcome = ran?;
        match outcome.run.as_ref().map(|run| run.swapped.clone()) {
            Ok(Some(Err(why))) => Err(why),
            Ok(Some(Ok(_))) => Ok(outcome),
            _ => Err("the trial did not get as far as the mutant".into()),
        }
    }
}

fn rounds_over(outcome: &Outcome) -> Option<u64> {
    outcome.run.as_ref().ok().and_then(|run| run.over_rounds)
}

/// An error says why there are no sessions here.
fn open(bench: &Bench, probed: bool) -> Result<Open, String> {
    let open = try_open(bench, probed).map_err(|error| in_one_line(&error))?;
    open.ok_or_else(|| format!("{} has no sessions here", bench.harness.runner.name()))
}

/// `None` where the runner, or the way in which trees are made, has no sessions.
fn try_open(bench: &Bench, probed: bool) -> Result<Option<Open>> {
    let Bench { harness, scratch, stop, .. } = *bench;
    let folder = scratch.folder()?;
    let root = scratch.root();
    let selection = &TestSelection::All;
    let asked = Request { reach: probed, ..Request::new(root, root, folder.path(), selection) };
    let Some(command) = harness.request(&asked, |request| harness.runner.session(request)).transpose()? else { return Ok(None) };
    let prelude = harness.request(&asked, |request| harness.runner.probe_prelude(request));
    let with_probes = |probed: &Probed| Change { path: probed.source.path.clone(), bytes: probed.woven.text(prelude.as_deref()) };
    let changes: Vec<Change> = if probed { bench.probed.iter().map(with_probes).collect() } else { Vec::new() };
    let stale = crate::runner::stale_forms(&*harness.runner, scratch.layers(), changes.iter().map(|change| &change.path));
    let lasting = Lasting { changes: &changes, stale: &stale, command: &command, limits: &bench.whole_suite };
    let session = scratch.session(&lasting, stop)?;
    Ok(session.map(|session| Open { session, command, reach: probed, _folder: folder }))
}

impl Open {
    fn run(&mut self, bench: &Bench, wish: &Wish, rounds: u64, mutant: bool) -> Result<Outcome> {
        let Bench { harness, scratch, stop, .. } = *bench;
        let Wish { changes, selection, limits, bail, .. } = *wish;
        let runner = &*harness.runner;
        let folder = scratch.folder()?;
        let root = self.session.root().to_owned();
        let new = Request::new(&root, scratch.root(), folder.path(), selection);
        let asked = Request { bail, reach: self.reach, rounds, ..new };
        let changed = |change: &Change| Changed {
            file: change.path.under(&root),
            original: original_of(folder.path(), &change.path),
            changed: changed_of(folder.path(), &change.path),
            mutant,
        };
        let changed: Vec<Changed> = changes.iter().map(changed).collect();
        harness.request(&asked, |request| runner.turn(request, &changed))?;
        let stale = crate::runner::stale_forms(runner, self.session.layers(), changes.iter().map(|change| &change.path));
        let ran = self.session.run(&Turn { changes, stale: &stale, folder: folder.path(), limits }, stop)?;
        let run = harness.request(&asked, |request| runner.read(request, &ran.ended));
        let run = run.map(|run| harness.in_workspace(run)).map_err(|error: Error| in_one_line(&error));
        let in_place = ran.in_place.first().copied();
        Ok(Outcome { ended: ran.ended, run, in_place, intended: digest_of_first(changes), command: shown(&self.command) })
    }
}
