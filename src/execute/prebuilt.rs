//! Trials in programs that are built once and hold all mutants.
//!
//! The mutated bytes are in the tree as in any other trial, for whatever reads or builds them there; only the tests are not built again:
//! they run from a program in which the same mutant is active ([`crate::mutant::schemata`]). What holds for warm trials holds here: a
//! verdict needs a proof that the function of the mutant began with the mutant in it, and what has no proof is cold.
//!
//! The compiler decides which mutants can be in the program. Without an active one it must behave as the project does: tests that do
//! not pass then are never asked in it.

use std::collections::{BTreeSet, HashMap};
use std::fs;
use std::path::{Path, PathBuf};

use super::Bench;
use super::outcome::Outcome;
use super::warm::Wish;
use super::worker::{digest_of_first, in_one_line, shown};
use crate::mutant::Mutant;
use crate::mutant::schemata::{Schemata, SwitchId, weave};
use crate::plan::Trial;
use crate::runner::Request;
use crate::scratch::process::{Ended, Exit, Limits};
use crate::scratch::{Change, Folder, Mode, RunSpec, Tree};
use crate::source::Source;
use crate::suite::{Refused, TestId, TestRun, TestSelection};

/// A build costs as much as so many trials.
const FEWEST_TRIALS: usize = 3;
/// So often the compiler is asked which mutants are programs. It says all at once, but of a text of the wrong shape only that.
const MOST_CHECKS: usize = 5;

/// What was built for a run, in folders that go with this value.
#[derive(Debug)]
pub(super) struct Prebuilt {
    builds: Vec<Folder>,
    switched: HashMap<usize, Switched>,
    /// Mutants that are in no program, by position, and why.
    cold: HashMap<usize, String>,
    /// Tests that do not pass in a program without an active mutant.
    disturbed: BTreeSet<TestId>,
}

#[derive(Clone, Copy, Debug)]
struct Switched {
    id: SwitchId,
    build: usize,
    /// The unchanged body, with its rounds counted.
    twin: SwitchId,
}

/// `None` where the runner builds nothing beforehand, or it does not pay. An error says why it cannot be done.
pub(super) fn build(bench: &Bench, trials: &[Trial]) -> Result<Option<Prebuilt>, String> {
    let of_source = |source: &Source| -> Vec<(SwitchId, &Mutant)> {
        let numbered = trials.iter().zip(1..).filter(|(trial, _)| trial.mutant.path == source.path);
        numbered.map(|(trial, id)| (id, &trial.mutant)).collect()
    };
    let sources = bench.sources.iter().filter(|source| bench.harness.runner.switches(source.language.name()));
    let sources: Vec<_> = sources.map(|source| (source, of_source(source))).filter(|(_, mutants)| !mutants.is_empty()).collect();
    if sources.is_empty() || trials.len() < FEWEST_TRIALS {
        return Ok(None);
    }
    if bench.scratch.mode() == Mode::Copy {
        return Err("a program knows the paths of its sources, and every worker has a copy elsewhere".into());
    }
    let mut next_twin = trials.len() as SwitchId + 1;
    let files: Vec<_> = sources.iter().map(|(source, mutants)| (*source, weave(source, mutants, &mut next_twin))).collect();
    let mut builder = Builder { bench, files: &files, tree: None };
    let refused = builder.refused()?;
    let count = files.iter().map(|(_, schemata)| schemata.builds()).max().unwrap_or_default();
    let builds = (0..count).map(|at| builder.build(at, &refused)).collect::<Result<Vec<Folder>, String>>()?;
    let mut prebuilt = Prebuilt { builds, switched: HashMap::new(), cold: HashMap::new(), disturbed: BTreeSet::new() };
    let position = |id: SwitchId| trials[id as usize - 1].index;
    for (_, schemata) in &files {
        prebuilt.cold.extend(schemata.left_out.iter().map(|(id, why)| (position(*id), (*why).to_owned())));
        for (id, build, twin) in schemata.switched() {
            match refused.contains(&id) {
                true => drop(prebuilt.cold.insert(position(id), "the compiler refuses it".to_owned())),
                false => drop(prebuilt.switched.insert(position(id), Switched { id, build, twin })),
            }
        }
    }
    prebuilt.disturbed = prebuilt.disturbed_tests(bench, &mut builder.tree)?;
    Ok(Some(prebuilt))
}

/// Asks the runner to build, in a tree of its own.
struct Builder<'b> {
    bench: &'b Bench<'b>,
    files: &'b [(&'b Source, Schemata<'b>)],
    tree: Option<Tree>,
}

impl Builder<'_> {
    /// The mutants that are no programs.
    fn refused(&mut self) -> Result<BTreeSet<SwitchId>, String> {
        let mut refused = BTreeSet::new();
        for _ in 0..MOST_CHECKS {
            let texts: Vec<_> = self.files.iter().map(|(source, schemata)| (*source, schemata.to_check(&refused))).collect();
            let (_, said) = self.ask(texts, true)?;
            if !said.other.is_empty() {
                return Err(said.other);
            }
            let before = refused.len();
            refused.extend(said.mutants);
            if refused.len() == before || !said.syntax {
                return Ok(refused);
            }
        }
        Err("the compiler found no end of errors".into())
    }

    fn build(&mut self, build: usize, refused: &BTreeSet<SwitchId>) -> Result<Folder, String> {
        let texts = self.files.iter().map(|(source, schemata)| (*source, schemata.text(build, refused)));
        let texts: Vec<_> = texts.filter(|(source, text)| *text != source.text).collect();
        let (folder, said) = self.ask(texts, false)?;
        if said.other.is_empty() { Ok(folder) } else { Err(said.other) }
    }

    fn ask(&mut self, texts: Vec<(&Source, Vec<u8>)>, check: bool) -> Result<(Folder, Refused), String> {
        let Bench { scratch, .. } = *self.bench;
        let folder = scratch.folder().map_err(|error| in_one_line(&error))?;
        let mut files: Vec<(PathBuf, PathBuf)> = Vec::new();
        let tree = tree(self.bench, &mut self.tree)?;
        for (at, (source, text)) in texts.into_iter().enumerate() {
            let path = folder.path().join(format!("woven-{at}-{}", name_of(source)));
            fs::write(&path, text).map_err(|why| format!("a woven file cannot be written: {why}"))?;
            files.push((source.path.under(tree.root()), path));
        }
        let asked =
            Wanted { folder: folder.path(), selection: &TestSelection::All, bail: false, built: None, active: 0, rounds: 0 };
        let what = What::Build(&files, check);
        let limits = Limits { wall: LONGEST, cpu: LONGEST * 64, ..self.bench.whole_suite };
        let limits = Limits { memory: limits.memory.max(MOST_MEMORY), ..limits };
        let (ended, run, _) = run(self.bench, &mut self.tree, &asked, what, &[], &limits)?;
        let run = run.filter(|run| run.finished);
        let run = run.ok_or_else(|| format!("the build did not end well ({:?}): {}", ended.exit, ended.stderr_tail.trim()))?;
        Ok((folder, run.refused))
    }
}

const LONGEST: std::time::Duration = std::time::Duration::from_secs(1800);
/// A compiler that needs more would be a nuisance.
const MOST_MEMORY: u64 = 8 << 30;

impl Prebuilt {
    /// What the user should know.
    pub fn notices(&self) -> Vec<String> {
        let Some(first) = self.disturbed.first() else { return Vec::new() };
        let count = self.disturbed.len();
        vec![format!(
            "{count} tests do not pass in a program that holds all mutants, so what they see is built by itself ({first} for one)"
        )]
    }

    /// One trial; an error says why it has to be cold.
    pub fn run(&self, bench: &Bench, kept: &mut Option<Tree>, wish: &Wish, rounds: u64, mutant: bool) -> Result<Outcome, String> {
        let Wish { changes, selection, limits, bail, .. } = *wish;
        self.objection(selection)?;
        let (id, build) = match wish.mutant {
            None if changes.is_empty() => (0, 0),
            None => return Err("it is not one of the mutants that were built".into()),
            Some(at) => {
                let unknown =
                    || self.cold.get(&at).cloned().unwrap_or_else(|| "it is not one of the mutants that were built".into());
                let switched = self.switched.get(&at).ok_or_else(unknown)?;
                (if mutant { switched.id } else { switched.twin }, switched.build)
            }
        };
        // The twin is the project as it is.
        let changes = if mutant { changes } else { &[] };
        let built = self.builds.get(build).ok_or("nothing was built")?;
        let folder = bench.scratch.folder().map_err(|error| in_one_line(&error))?;
        let asked = Wanted { folder: folder.path(), selection, bail, built: Some(built.path()), active: id, rounds };
        let (ended, report, outcome) = run(bench, kept, &asked, What::Run, changes, limits)?;
        let report = report.ok_or_else(|| format!("the tests did not run: {}", ended.stderr_tail.trim()))?;
        if let Some(missing) = report.missing.first() {
            return Err(format!("not every test was found, {missing} for one"));
        }
        match report.rounds {
            Some(0) if id != 0 => Err("the function of the mutant did not begin".into()),
            None => Err("the rounds were not counted".into()),
            Some(_) => Ok(outcome),
        }
    }

    fn objection(&self, selection: &TestSelection) -> Result<(), String> {
        let disturbed = match selection {
            TestSelection::All => self.disturbed.first(),
            TestSelection::Only(tests) => tests.iter().find(|test| self.disturbed.contains(*test)),
        };
        disturbed.map_or(Ok(()), |test| Err(format!("{test} does not pass in a program that holds all mutants")))
    }

    /// Runs everything in every program with no mutant active.
    fn disturbed_tests(&self, bench: &Bench, tree: &mut Option<Tree>) -> Result<BTreeSet<TestId>, String> {
        let mut disturbed = BTreeSet::new();
        for built in &self.builds {
            let folder = bench.scratch.folder().map_err(|error| in_one_line(&error))?;
            let (selection, built) = (&TestSelection::All, Some(built.path()));
            let asked = Wanted { folder: folder.path(), selection, bail: false, built, active: 0, rounds: 0 };
            let (_, report, _) = run(bench, tree, &asked, What::Run, &[], &bench.whole_suite)?;
            let passed: BTreeSet<TestId> = report.iter().flat_map(TestRun::passed).cloned().collect();
            disturbed.extend(bench.steady.difference(&passed).cloned());
        }
        Ok(disturbed)
    }
}

/// What is asked of the runner, but for the paths.
struct Wanted<'r> {
    folder: &'r Path,
    selection: &'r TestSelection,
    bail: bool,
    built: Option<&'r Path>,
    active: SwitchId,
    rounds: u64,
}

enum What<'w> {
    /// Files in the place of others; only to check them?
    Build(&'w [(PathBuf, PathBuf)], bool),
    Run,
}

/// One process in a tree with these changes: how it ended, what it reported if that can be read, and both as an outcome.
fn run(
    bench: &Bench,
    kept: &mut Option<Tree>,
    request: &Wanted,
    what: What,
    changes: &[Change],
    limits: &Limits,
) -> Result<(Ended, Option<TestRun>, Outcome), String> {
    let Bench { harness, scratch, stop, .. } = *bench;
    let runner = &*harness.runner;
    tree(bench, kept)?;
    // Put back only after everything went well: a tree that failed is not used again.
    let mut tree = kept.take().ok_or("there is no tree")?;
    let root = tree.root().to_owned();
    let Wanted { folder, selection, bail, built, active, rounds } = *request;
    let asked = Request { bail, rounds, built, active, ..Request::new(&root, scratch.root(), folder, selection) };
    let command = harness.request(&asked, |request| match what {
        What::Build(files, check) => runner.prebuild(request, files, check),
        What::Run => runner.command(request),
    });
    let command = command.map_err(|error| in_one_line(&error))?;
    let stale = crate::runner::stale_forms(runner, tree.layers(), changes.iter().map(|change| &change.path));
    let caches = runner.cache_folders();
    let spec = RunSpec { changes, stale: &stale, caches, keep_caches: false, command: &command, limits };
    let ran = tree.run(&spec, stop).map_err(|error| in_one_line(&error))?;
    *kept = Some(tree);
    if ran.ended.exit == Exit::Interrupted {
        return Err("the run was stopped".into());
    }
    let run = harness.request(&asked, |request| runner.read(request, &ran.ended));
    let run = run.map(|run| harness.in_workspace(run)).map_err(|error| in_one_line(&error));
    let in_place = ran.in_place.first().copied();
    let intended = digest_of_first(changes);
    let outcome = Outcome { ended: ran.ended.clone(), run: run.clone(), in_place, intended, command: shown(&command) };
    Ok((ran.ended, run.ok(), outcome))
}

fn tree<'t>(bench: &Bench, kept: &'t mut Option<Tree>) -> Result<&'t mut Tree, String> {
    if kept.is_none() {
        *kept = Some(bench.scratch.tree().map_err(|error| in_one_line(&error))?);
    }
    kept.as_mut().ok_or_else(|| "there is no tree".into())
}

fn name_of(source: &Source) -> &str {
    source.path.as_str().rsplit('/').next().unwrap_or_default()
}
