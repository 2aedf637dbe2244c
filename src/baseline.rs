//! The run without mutants: is the suite green, how long does it take, what reaches what, and is it really our copy that runs?
//!
//! Stage 3 of the pipeline. Three kinds of run, each in a scratch tree:
//!
//! 1. the *neutral run*: the unchanged tree must pass. What fails is run once more; what fails again is a red baseline, what passes
//!    now flickers and will never kill a mutant;
//! 2. the *reach run*: the sources are woven with probes. A test that only fails here minds the probes: what it reaches is not known;
//! 3. the *planted failure*: a source that cannot be loaded must make the tests fail, else they run something else than our copy, or
//!    nothing at all.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::time::Duration;

use crate::error::{Error, Result};
use crate::mutant::probe::Woven;
use crate::runner::harness::Harness;
use crate::runner::{Request, Runner};
use crate::scratch::process::{Ended, Exit, Limits};
use crate::scratch::{Change, RunSpec, Scratch, Stop, Tree};
use crate::source::{ProjectPath, Source};
use crate::suite::{Reach, TestId, TestRun, TestSelection, TestStatus};

/// What the unmutated suite does.
#[derive(Clone, Debug)]
pub struct Baseline {
    /// All tests in the order in which they were announced.
    pub tests: Vec<TestId>,
    /// Tests that passed in every run: the ones that can say something about a mutant.
    pub steady: BTreeSet<TestId>,
    pub skipped: usize,
    pub flickering: Vec<TestId>,
    /// Tests that cannot kill: they flicker, or are meant to be tried again when they fail.
    pub distrusted: BTreeSet<TestId>,
    /// Steady tests whose reach is not known, because the probes disturb them.
    pub unknown_reach: BTreeSet<TestId>,
    pub reach: Reach,
    pub took: BTreeMap<TestId, Duration>,
    /// What a test process takes beside its tests: start, imports, collection.
    pub start_up: Duration,
    /// Processor time per wall clock, at least 1: more for suites that use several processors.
    pub parallelism: f64,
    pub peak_memory: u64,
    pub notices: Vec<String>,
    /// How the wiring was proved, in words.
    pub wiring: String,
    /// Sources that no test loads, as far as was looked.
    pub unloaded: BTreeSet<ProjectPath>,
}

/// A source with its probes.
pub struct Probed<'s> {
    pub source: &'s Source,
    pub woven: &'s Woven,
    /// Numbers of its probes.
    pub probes: std::ops::Range<u32>,
}

/// No baseline takes longer than this.
const LONGEST: Duration = Duration::from_secs(3600);
/// No baseline uses more: the machine would be lost.
const LARGEST: u64 = 64 << 30;
/// So often a test that fails with probes is run with and without them.
const ROUNDS: usize = 3;
/// So many failing tests are named in an error.
const NAMED: usize = 10;

/// Runs the suite without mutants. Fails with `Kind::Baseline` if it is red or does not run our copy, with `Kind::NothingToMeasure` if
/// there is no test. `must_load`: it is an error that the tests load none of the sources.
pub fn measure(harness: &Harness, scratch: &mut Scratch, sources: &[Probed], must_load: bool, stop: &Stop) -> Result<Baseline> {
    let (ended, neutral, wrote) = {
        let mut tree = scratch.tree()?;
        let run = Suite { harness, scratch, must_load, stop }.run(&mut tree, &Wanted { keep_caches: true, ..Wanted::default() })?;
        scratch.keep_caches(&mut tree);
        run
    };
    let suite = Suite { harness, scratch, must_load, stop };
    let mut tree = scratch.tree()?;
    check_ran(harness, &ended, &neutral)?;
    let flickering = suite.flickering(&mut tree, &neutral, &ended.exit)?;
    let mut baseline = Baseline::of(&ended, &neutral, flickering);
    baseline.notices.extend(wrote_notice(&wrote));
    suite.measure_reach(&mut tree, sources, &mut baseline)?;
    suite.prove_wiring(&mut tree, sources, &mut baseline)?;
    Ok(baseline)
}

impl Baseline {
    fn of(ended: &Ended, run: &TestRun, flickering: BTreeSet<TestId>) -> Baseline {
        let passed = run.passed().filter(|test| !flickering.contains(test)).cloned();
        let took: BTreeMap<TestId, Duration> = run.results.iter().map(|result| (result.id.clone(), result.took)).collect();
        Baseline {
            tests: in_order(run),
            steady: passed.filter(|test| !run.retried.contains(test)).collect(),
            skipped: run.results.iter().filter(|result| result.status == TestStatus::Skipped).count(),
            unknown_reach: BTreeSet::new(),
            reach: Reach::default(),
            start_up: overhead(ended, run),
            parallelism: parallelism(ended),
            peak_memory: ended.peak_memory,
            notices: run.notices.iter().cloned().chain(retried_notice(run)).collect(),
            wiring: String::new(),
            unloaded: BTreeSet::new(),
            distrusted: flickering.iter().chain(&run.retried).cloned().collect(),
            flickering: flickering.into_iter().collect(),
            took,
        }
    }

    /// The unchanged suite may find everything built already, but a changed file must be built; so had the woven ones to be.
    fn expect_builds(&mut self, ended: &Ended, run: &TestRun) {
        self.start_up = self.start_up.max(overhead(ended, run));
        self.parallelism = self.parallelism.max(parallelism(ended));
    }

    /// The time that these tests took together, with the start of their process.
    pub fn time_of<'t>(&self, tests: impl IntoIterator<Item = &'t TestId>) -> Duration {
        tests.into_iter().filter_map(|test| self.took.get(test)).sum::<Duration>() + self.start_up
    }
}

/// As the framework announced them: tests that run side by side end in another order every time.
fn in_order(run: &TestRun) -> Vec<TestId> {
    let place: HashMap<&TestId, usize> = run.collected.iter().zip(0..).collect();
    let mut tests: Vec<TestId> = run.results.iter().map(|result| result.id.clone()).collect();
    tests.sort_by_key(|test| place.get(test).copied().unwrap_or(usize::MAX));
    tests
}

/// The time of a run that was not that of its tests, nor of what is done only once.
fn overhead(ended: &Ended, run: &TestRun) -> Duration {
    let in_tests: Duration = run.results.iter().map(|result| result.took).sum();
    ended.wall.saturating_sub(run.prepared + in_tests)
}

/// Processor time per wall clock, at least 1.
fn parallelism(ended: &Ended) -> f64 {
    (ended.cpu.as_secs_f64() / ended.wall.as_secs_f64().max(0.001)).max(1.0)
}

/// What a run of the suite is to be.
#[derive(Default)]
struct Wanted<'w> {
    changes: Vec<Change>,
    /// Sources that are to be run with their probes.
    woven: Vec<&'w Probed<'w>>,
    selection: Option<Vec<TestId>>,
    bail: bool,
    reach: bool,
    keep_caches: bool,
}

/// The suite of one project, to be run in a tree.
struct Suite<'s> {
    harness: &'s Harness,
    scratch: &'s Scratch,
    must_load: bool,
    stop: &'s Stop,
}

impl Suite<'_> {
    fn run(&self, tree: &mut Tree, wanted: &Wanted) -> Result<(Ended, TestRun, Vec<ProjectPath>)> {
        let folder = self.scratch.folder()?;
        let selection = wanted.selection.clone().map_or(TestSelection::All, TestSelection::Only);
        let root = tree.root().to_owned();
        let asked = Request {
            bail: wanted.bail,
            reach: wanted.reach,
            ..Request::new(&root, self.scratch.root(), folder.path(), &selection)
        };
        let runner = &*self.harness.runner;
        let command = self.harness.request(&asked, |request| runner.command(request))?;
        let prelude = self.harness.request(&asked, |request| runner.probe_prelude(request));
        let woven = wanted
            .woven
            .iter()
            .map(|probed| Change { path: probed.source.path.clone(), bytes: probed.woven.text(prelude.as_deref()) });
        let changes: Vec<Change> = wanted.changes.iter().cloned().chain(woven).collect();
        let limits = Limits { wall: LONGEST, cpu: LONGEST * 64, memory: LARGEST };
        let stale = crate::runner::stale_forms(runner, tree.layers(), changes.iter().map(|change| &change.path));
        let spec = RunSpec {
            changes: &changes,
            stale: &stale,
            caches: runner.cache_folders(),
            keep_caches: wanted.keep_caches,
            command: &command,
            limits: &limits,
        };
        let ran = tree.run(&spec, self.stop)?;
        match &ran.ended.exit {
            Exit::Interrupted => return Err(Error::usage("stopped before the first mutant")),
            Exit::NotStarted { why } => {
                let error = Error::environment("the test process could not be started").at(command.program.display()).cause(why);
                return Err(
                    error.mend("correct `--test-cmd` or `--python`; it is started in the project's folder, and not by a shell")
                );
            }
            _ => {}
        }
        let run = self.harness.request(&asked, |request| runner.read(request, &ran.ended))?;
        Ok((ran.ended, self.harness.in_workspace(run), ran.wrote))
    }

    /// Runs again what failed. What fails again is an error; what passes now flickers.
    fn flickering(&self, tree: &mut Tree, neutral: &TestRun, exit: &Exit) -> Result<BTreeSet<TestId>> {
        if !neutral.load_failures.is_empty() || !neutral.finished {
            return Err(red(self.harness, neutral, exit));
        }
        let failed: BTreeSet<TestId> = neutral.failed().map(|(test, _)| test.clone()).collect();
        if failed.is_empty() {
            return Ok(failed);
        }
        let (_, again, _) = self.run(tree, &Wanted::default())?;
        let fails_again = again.failed().any(|(test, _)| failed.contains(test));
        if fails_again || !again.load_failures.is_empty() || !again.finished {
            return Err(red(self.harness, neutral, exit));
        }
        Ok(failed.into_iter().chain(again.failed().map(|(test, _)| test.clone())).collect())
    }

    /// Learns who reaches what; tells tests that mind the probes from tests that flicker.
    fn measure_reach(&self, tree: &mut Tree, sources: &[Probed], baseline: &mut Baseline) -> Result<()> {
        let can_tell = |probed: &&Probed| self.harness.runner.measures_reach(probed.source.language.name());
        let woven: Vec<&Probed> = sources.iter().filter(|probed| !probed.probes.is_empty()).filter(can_tell).collect();
        if woven.is_empty() {
            return Ok(());
        }
        let (ended, run, _) = self.run(tree, &Wanted { woven: woven.clone(), reach: true, ..Wanted::default() })?;
        baseline.expect_builds(&ended, &run);
        if !run.outside.is_empty() {
            return Err(wrong_copy(self.harness, &format!("they load {}", run.outside.join(", "))));
        }
        let passed: BTreeSet<&TestId> = run.passed().collect();
        let disturbed: Vec<TestId> = baseline.steady.iter().filter(|test| !passed.contains(test)).cloned().collect();
        baseline.reach = run.reach;
        self.check_origins(sources, &run.instead, baseline)?;
        if disturbed.is_empty() {
            return Ok(());
        }
        let minding = self.minding(tree, &woven, &disturbed)?;
        for test in disturbed {
            if minding.contains(&test) {
                baseline.unknown_reach.insert(test);
            } else {
                baseline.steady.remove(&test);
                baseline.distrusted.insert(test.clone());
                baseline.flickering.push(test);
            }
        }
        baseline.flickering.sort();
        if !baseline.unknown_reach.is_empty() {
            let tests = counted(baseline.unknown_reach.len());
            baseline.notices.push(format!("what {tests} reach is not known, because probes in the source disturb them"));
        }
        Ok(())
    }

    /// Those of the tests that fail with the probes and pass without them, every time. Anything else flickers.
    fn minding(&self, tree: &mut Tree, woven: &[&Probed], disturbed: &[TestId]) -> Result<BTreeSet<TestId>> {
        let mut minding: BTreeSet<TestId> = disturbed.iter().cloned().collect();
        for _ in 0..ROUNDS {
            let selection = || Some(minding.iter().cloned().collect());
            let with_probes = Wanted { woven: woven.to_vec(), selection: selection(), reach: true, ..Wanted::default() };
            let without = Wanted { selection: selection(), ..Wanted::default() };
            let with_probes: BTreeSet<TestId> = self.run(tree, &with_probes)?.1.passed().cloned().collect();
            let without: BTreeSet<TestId> = self.run(tree, &without)?.1.passed().cloned().collect();
            minding.retain(|test| without.contains(test) && !with_probes.contains(test));
            if minding.is_empty() {
                break;
            }
        }
        Ok(minding)
    }

    /// A file that no test reaches, and of which the tests load another copy, is tested somewhere else.
    fn check_origins(&self, sources: &[Probed], instead: &[(String, String)], baseline: &Baseline) -> Result<()> {
        let silent = |ours: &str| sources.iter().any(|probed| probed.source.path.as_str() == ours && !baseline.reaches_any(probed));
        match instead.iter().find(|(ours, _)| silent(ours)) {
            None => Ok(()),
            Some((ours, theirs)) => {
                let installed = "install the project so that its own files are used: `pip install --editable .`";
                Err(wrong_copy(self.harness, &format!("they load {theirs} in place of {ours}")).mend(installed))
            }
        }
    }

    /// A source that cannot be loaded must make the tests fail: for one file that is reached, and for those that seem not to be.
    fn prove_wiring(&self, tree: &mut Tree, sources: &[Probed], baseline: &mut Baseline) -> Result<()> {
        let (reached, silent): (Vec<&Probed>, Vec<&Probed>) = sources.iter().partition(|probed| baseline.reaches_any(probed));
        let mut proved = Vec::new();
        if !reached.is_empty() {
            // Probes that were reached are proof already: it is our copy that ran.
            proved.push(format!("probes were reached in {} of {} files", reached.len(), sources.len()));
            proved.push(self.planted_failure(tree, &reached, baseline)?);
        }
        for (at, probed) in silent.iter().enumerate() {
            // Where probes tell nothing, only a planted failure tells which files the tests use.
            let only_way = !self.harness.runner.measures_reach(probed.source.language.name());
            if (only_way || at < MOST_PLANTED) && !self.notices_planted(tree, probed.source, baseline)? {
                baseline.unloaded.insert(probed.source.path.clone());
            }
        }
        let unloaded: Vec<&str> = baseline.unloaded.iter().map(ProjectPath::as_str).collect();
        if self.must_load && reached.is_empty() && !unloaded.is_empty() && unloaded.len() >= silent.len().min(MOST_PLANTED) {
            return Err(nothing_loaded(self.harness, &unloaded));
        }
        let advice = "if tests use an installed copy of it, let them use the project's own files";
        baseline.notices.extend(unloaded.iter().map(|path| format!("no test loads {path}; {advice}")));
        proved.insert(0, "the unchanged copy passed".to_owned());
        baseline.wiring = proved.join("; ");
        Ok(())
    }

    /// What came of a failure planted in a file that is reached.
    fn planted_failure(&self, tree: &mut Tree, reached: &[&Probed], baseline: &mut Baseline) -> Result<String> {
        for probed in reached.iter().take(MOST_PLANTED) {
            if self.notices_planted(tree, probed.source, baseline)? {
                return Ok(format!("a failure planted in {} was noticed", probed.source.path));
            }
        }
        // Tests that expect a process to fail are content with one that fails to load.
        let path = &reached[0].source.path;
        baseline.notices.push(format!("the code in {path} is run, but a file in its place that cannot be loaded goes unnoticed"));
        Ok(format!("a failure planted in {path} went unnoticed"))
    }

    fn notices_planted(&self, tree: &mut Tree, source: &Source, baseline: &Baseline) -> Result<bool> {
        let planted = source.language.manifest.spelling.planted.clone().into_bytes();
        let changes = vec![Change { path: source.path.clone(), bytes: planted }];
        let (ended, run, _) = self.run(tree, &Wanted { changes, bail: true, ..Wanted::default() })?;
        let failed = run.failed().any(|(test, _)| baseline.steady.contains(test));
        Ok(failed || !run.load_failures.is_empty() || !run.finished && ended.exit != Exit::Code(0))
    }
}

/// So many files that no test seems to load are tried with a planted failure.
const MOST_PLANTED: usize = 4;

impl Baseline {
    fn reaches_any(&self, probed: &Probed) -> bool {
        let reaches = |probes: &BTreeSet<u32>| probes.range(probed.probes.clone()).next().is_some();
        reaches(&self.reach.while_loading) || self.reach.by_test.values().any(reaches)
    }
}

fn check_ran(harness: &Harness, ended: &Ended, run: &TestRun) -> Result<()> {
    match ended.exit {
        Exit::OverWall | Exit::OverCpu | Exit::OverMemory => {
            let what = format!("the tests without any mutant did not end within {} minutes", LONGEST.as_secs() / 60);
            return Err(Error::baseline(what).mend("choose fewer tests with `--tests`"));
        }
        _ => {}
    }
    let nothing = run.results.is_empty() && run.load_failures.is_empty() && run.finished;
    if nothing {
        return Err(Error::nothing(format!("{} found no test", harness.title()))
            .mend("name the tests with `--tests`, or say how to run them with `--test-cmd`"));
    }
    if run.finished && run.load_failures.is_empty() && run.ran() == 0 {
        return Err(Error::nothing("all tests are skipped").mend("run them where they are not skipped"));
    }
    Ok(())
}

/// The tests fail without any mutant.
fn red(harness: &Harness, run: &TestRun, exit: &Exit) -> Error {
    let failed = run.failed().map(|(test, failure)| format!("{test}: {}", first_line(&failure.kind, &failure.message)));
    let unloaded = run.load_failures.iter().map(|load| {
        let failure = &load.failure;
        // A wrong interpreter is the usual reason for options that are not understood.
        let by = if failure.kind == "UsageError" { format!(" (run by {})", harness.runner.version()) } else { String::new() };
        format!("{} does not load: {}{by}", load.id, first_line(&failure.kind, &failure.message))
    });
    let unfinished = run.unfinished.iter().map(|test| format!("{test} did not end ({exit:?})"));
    let mut places: Vec<String> = failed.chain(unloaded).chain(unfinished).collect();
    let more = places.len().saturating_sub(NAMED);
    places.truncate(NAMED);
    if more > 0 {
        places.push(format!("and {more} more"));
    }
    if places.is_empty() {
        places.push(format!("{} ended before its end ({exit:?})", harness.title()));
    }
    let error = Error::baseline("the tests already fail without any mutant").at(places.join("\n"));
    match run.load_failures.iter().any(|load| load.refused) {
        true => error.mend("make the project load, tests included: it is refused before any test runs"),
        false => error.mend(mend_red(&*harness.runner, !run.load_failures.is_empty())),
    }
}

/// A command is one test: there is nothing to leave out. Nor can a test be left out of a file that does not load.
fn mend_red(runner: &dyn Runner, unloaded: bool) -> String {
    match runner.name() {
        framework if unloaded => {
            format!("make the tests load with {framework}, or name the files that are to run with `--tests`")
        }
        "command" => format!("make `{}` pass", runner.version()),
        framework => format!("make the tests pass with {framework}, or leave a test out with `--deselect`"),
    }
}

fn first_line(kind: &str, message: &str) -> String {
    if kind == "UsageError" {
        // The usage comes first, what is wrong comes last.
        return message.lines().map(str::trim).rfind(|line| !line.is_empty()).unwrap_or(kind).to_owned();
    }
    let mut lines = message.lines().map(str::trim);
    let first = match lines.next().unwrap_or_default() {
        // It only announces what follows: `Transform failed with 1 error:`.
        line if line.ends_with(':') => &format!("{line} {}", lines.next().unwrap_or_default()),
        line => line,
    };
    match first {
        "" => kind.to_owned(),
        line if line.starts_with(kind) => line.to_owned(),
        line => format!("{kind}: {line}"),
    }
}

fn wrong_copy(harness: &Harness, evidence: &str) -> Error {
    Error::baseline("the tests do not run the copy that would be mutated")
        .at(format!("{}: {evidence}", harness.title()))
        .mend("use `--scratch overlay` where it works, or make the tests import the sources from the project's own folder")
}

fn retried_notice(run: &TestRun) -> Option<String> {
    let tests = counted(run.retried.len());
    (!run.retried.is_empty()).then(|| format!("meant to be tried again when it fails, so it cannot kill: {tests}"))
}

/// A failure planted in every file that was asked for went unnoticed.
fn nothing_loaded(harness: &Harness, paths: &[&str]) -> Error {
    Error::baseline("no test loads the code that would be mutated")
        .at(format!("{}: a failure planted in {} went unnoticed", harness.title(), paths.join(", ")))
        .mend(
            "if the tests use an installed copy of it, install it as editable (`pip install -e .`); else choose code that they use",
        )
}

/// `1 test`, `2 tests`.
pub fn counted(tests: usize) -> String {
    format!("{tests} test{}", if tests == 1 { "" } else { "s" })
}

fn wrote_notice(wrote: &[ProjectPath]) -> Option<String> {
    let first = wrote.first()?;
    let more = if wrote.len() > 1 { format!(" and {} more", wrote.len() - 1) } else { String::new() };
    Some(format!("the tests write into the project ({first}{more}); in the scratch tree only"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::suite::TestResult;

    #[test]
    fn tests_that_end_in_another_order_are_told_in_the_same_one() {
        let id = |name: &str| TestId::new(name);
        let result = |name: &str| TestResult { id: id(name), status: TestStatus::Passed, took: Duration::ZERO };
        let run = |ended: [&str; 3]| TestRun {
            collected: vec![id("a"), id("b")],
            results: ended.map(result).to_vec(),
            ..TestRun::default()
        };
        assert_eq!(in_order(&run(["b", "unannounced", "a"])), [id("a"), id("b"), id("unannounced")]);
        assert_eq!(in_order(&run(["a", "b", "unannounced"])), [id("a"), id("b"), id("unannounced")]);
    }
}
