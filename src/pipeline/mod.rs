//! The run as a whole: Source → Mutant → Plan → Outcome → Verdict → Report.

mod packages;
mod round;
mod settings;
mod weave;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::baseline::{self, Baseline};
use crate::config::{Config, RuleSettings};
use crate::error::{Error, Kind, Result};
use crate::execute::added::AddedTest;
use crate::execute::event::Event;
use crate::execute::outcome::Measured;
use crate::mutant::discover::discover_all;
use crate::mutant::{Mutant, select};
use crate::report::{BaselineReport, FileReport, Report, SourceSet, Took};
use crate::rule::Catalogue;
use crate::rule::catalogue::Choice;
use crate::runner::harness::Harness;
use crate::runner::{self, Runner};
use crate::scratch::{Scratch, Stop};
use crate::source::find::{self, Chosen};
use crate::source::{ProjectPath, Source};
use crate::suite::{NamedTest, TestId};
use crate::text::Digest;
use packages::Part;
use round::{Ran, Round};

/// All mutants of the targets; nothing was run.
pub struct Discovery {
    pub root: PathBuf,
    pub sources: Vec<Source>,
    pub rules: Digest,
    /// In order of path, then of position.
    pub mutants: Vec<Mutant>,
    /// Tests whose answers are wanted by name, by position of the mutant.
    pub named: BTreeMap<usize, NamedTest>,
    /// Tests that the project does not have, to be tried on a mutant by position.
    pub added: BTreeMap<usize, AddedTest>,
    pub not_generated: BTreeMap<String, usize>,
    pub files_left_out: BTreeMap<String, usize>,
    pub notices: Vec<String>,
}

impl Discovery {
    /// Positions of the mutants of a file.
    fn positions_in<'d>(&'d self, path: &'d ProjectPath) -> impl Iterator<Item = usize> + 'd {
        self.mutants.iter().enumerate().filter(move |(_, mutant)| mutant.path == *path).map(|(at, _)| at)
    }

    /// The tests among these whose answers are wanted about a mutant.
    fn named_tests(&self, at: usize, tests: &[TestId]) -> Vec<TestId> {
        self.named.get(&at).map(|named| named.among(tests).into_iter().cloned().collect()).unwrap_or_default()
    }
}

/// Finds the mutants that the user asked for; runs no project code.
pub fn discover(config: &Config) -> Result<Discovery> {
    let found = find::find(&config.source)?;
    let catalogue = catalogue(&config.rule, &found.root)?;
    let sources: Vec<&Source> = found.files.iter().map(|file| &file.source).collect();
    let discovered = discover_all(&sources, &catalogue, &settings::options(&config.rule)?)?;
    let mut not_generated = BTreeMap::new();
    let mut notices = Vec::new();
    let mut mutants = Vec::new();
    for file in discovered {
        for (reason, count) in file.not_generated {
            *not_generated.entry(reason).or_insert(0) += count;
        }
        notices.extend(file.notices);
        mutants.extend(file.mutants);
    }
    let mutants = select::wanted(&found.files, mutants)?;
    if found.files.iter().any(|file| !(file.lines.is_empty() && file.functions.is_empty())) {
        // Counted for whole files; the user asked about parts.
        not_generated.clear();
    }
    Ok(Discovery {
        root: found.root,
        sources: found.files.into_iter().map(|Chosen { source, .. }| source).collect(),
        rules: catalogue.digest(),
        mutants,
        named: BTreeMap::new(),
        added: BTreeMap::new(),
        not_generated,
        files_left_out: found.left_out,
        notices,
    })
}

/// Finds the mutants, runs the tests on each, and says which ones no test noticed.
pub fn run(config: &Config, stop: &Stop, watch: &(dyn Fn(Event) + Sync)) -> Result<Report> {
    let clock = Clock::start();
    measure(config, discover(config)?, clock, stop, watch)
}

/// The same for mutants that were found before, however that was.
pub fn measure(
    config: &Config,
    discovery: Discovery,
    mut clock: Clock,
    stop: &Stop,
    watch: &(dyn Fn(Event) + Sync),
) -> Result<Report> {
    watch(Event::Discovered { mutants: discovery.mutants.len() });
    let before = find::source_set(&discovery.root)?;
    let discover = clock.lap();
    if discovery.mutants.is_empty() {
        return Ok(report(discovery, Ran::default(), &before, Took { discover, ..Took::default() }));
    }

    let parts = packages::parts(config, &discovery)?;
    let mut scratch = Scratch::new(&discovery.root, config.execute.scratch.map(settings::mode), before.clone())?;
    if !config.execute.network {
        scratch = scratch.without_network()?;
    }
    let woven = weave::all(&discovery);
    let mut measure = |part: &Part| {
        watch(Event::Baseline { runner: part.harness.title() });
        baseline::measure(&part.harness, &mut scratch, &woven.probed(&discovery, part), part.is_home, stop)
            .map_err(|error| with_notices(error, &discovery.notices))
    };
    let own = parts.own.iter().map(&mut measure).collect::<Result<Vec<Baseline>>>()?;
    let also = parts.also.iter().map(&mut measure).collect::<Result<Vec<Baseline>>>()?;
    let baseline = clock.lap();

    let deadline = config.execute.budget.map(|budget| Instant::now() + budget);
    let round = Round { config, discovery: &discovery, woven: &woven, scratch: &scratch, stop, watch, deadline };
    let mut ran = Ran { notices: parts.notices.clone(), ..Ran::default() };
    round.first(&parts, &own, &mut ran)?;
    round.others(&parts, &also, &mut ran)?;
    round.added(&parts, &own, &mut ran)?;
    watch(Event::Finished);
    for (part, baseline) in parts.own.iter().zip(&own).chain(parts.also.iter().zip(&also)) {
        ran.baselines.push(baseline_report(baseline, &part.harness, &scratch));
        ran.notices.extend(baseline_notices(baseline));
    }
    Ok(report(discovery, ran, &before, Took { discover, baseline, trials: clock.lap() }))
}

/// What was odd about the sources may well be why the baseline fails.
fn with_notices(error: Error, notices: &[String]) -> Error {
    match error.cause.is_none() && error.kind == Kind::Baseline && !notices.is_empty() {
        true => error.cause(notices.join("\n")),
        false => error,
    }
}

/// The runner for a project of this ecosystem.
pub fn runner(config: &Config, root: &Path, ecosystem: &str) -> Result<Box<dyn Runner>> {
    runner::choose(&settings::runner(config), root, ecosystem)
}

fn report(discovery: Discovery, ran: Ran, before: &[(ProjectPath, Digest)], took: Took) -> Report {
    let Ran { measured, complete, baselines, audit, notices } = ran;
    let measured: Vec<Measured> = measured.into_values().collect();
    // What cannot be read any more counts as changed.
    let after = find::source_set(&discovery.root).unwrap_or_default();
    let with_mutants = |source: &Source| measured.iter().any(|measured| measured.mutant.path == source.path);
    let files = discovery.sources.iter().filter(|source| with_mutants(source)).map(|source| FileReport {
        path: source.path.clone(),
        language: source.language.manifest.highlighter.clone(),
        text: source.text.clone(),
        before: Digest::of(&source.text),
        // A file that cannot be read any more is not the one that we started with.
        after: Digest::of_file(&source.path.under(&discovery.root)).unwrap_or(Digest::of(b"")),
    });
    Report {
        tool_version: env!("CARGO_PKG_VERSION").to_owned(),
        rules: discovery.rules,
        files: files.collect(),
        mutants: measured,
        baselines,
        audit,
        not_generated: discovery.not_generated,
        files_left_out: discovery.files_left_out,
        notices: [discovery.notices, notices].concat(),
        sources: SourceSet::compare(before, &after),
        complete,
        took,
        root: discovery.root,
    }
}

fn baseline_report(baseline: &Baseline, harness: &Harness, scratch: &Scratch) -> BaselineReport {
    BaselineReport {
        runner: harness.runner.name().to_owned(),
        version: harness.runner.version().to_owned(),
        package: harness.package.clone(),
        tests: baseline.tests.clone(),
        passed: baseline.steady.len(),
        skipped: baseline.skipped,
        flickering: baseline.flickering.clone(),
        unsteady: baseline.tests.iter().filter(|test| !baseline.steady.contains(*test)).cloned().collect(),
        scratch: format!("{} ({})", scratch.mode(), scratch.why()),
        wiring: baseline.wiring.clone(),
    }
}

fn baseline_notices(baseline: &Baseline) -> Vec<String> {
    let mut notices = baseline.notices.clone();
    if !baseline.flickering.is_empty() {
        let named: Vec<&str> = baseline.flickering.iter().take(3).map(TestId::as_str).collect();
        let tests = baseline::counted(baseline.flickering.len());
        notices.push(format!("not always the same result without any mutant, so it cannot kill: {tests} ({})", named.join(", ")));
    }
    notices
}

/// The rules that the user wants, the project's own among them.
pub fn catalogue(wanted: &RuleSettings, root: &Path) -> Result<Catalogue> {
    let choice = Choice {
        tier: Some(settings::tier(wanted.tier)),
        select: wanted.select.clone(),
        ignore: wanted.ignore.clone(),
        extend_select: wanted.extend_select.clone(),
    };
    every_rule(wanted, root)?.chosen(&choice)
}

/// All rules that are known, built in and of the project.
pub fn every_rule(settings: &RuleSettings, root: &Path) -> Result<Catalogue> {
    let folder = root.join(&settings.project_rules);
    if folder.is_dir() { Catalogue::with_project(&folder) } else { Ok(Catalogue::built_in()) }
}

/// Tells how long each part of a run took.
pub struct Clock(Instant);

impl Clock {
    pub fn start() -> Clock {
        Clock(Instant::now())
    }

    fn lap(&mut self) -> Duration {
        let now = Instant::now();
        now.duration_since(std::mem::replace(&mut self.0, now))
    }
}
