//! The run as a whole: Source → Mutant → Plan → Outcome → Verdict → Report.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use crate::baseline::{self, Baseline, Probed};
use crate::config::value::Amount;
use crate::config::{Config, RuleSettings, ScratchMode, Tier};
use crate::error::{Error, Kind, Result};
use crate::execute::event::Event;
use crate::execute::{self, Bench, Executed};
use crate::mutant::arid::AridCalls;
use crate::mutant::discover::{Options, discover_all};
use crate::mutant::probe::{Woven, weave};
use crate::mutant::{Mutant, select};
use crate::plan;
use crate::report::{BaselineReport, FileReport, Report, SourceSet, Took};
use crate::rule::catalogue::Choice;
use crate::rule::{self, Catalogue};
use crate::runner::{self, Runner};
use crate::scratch::{Mode, Scratch, Stop};
use crate::source::find::{self, Chosen};
use crate::source::{ProjectPath, Source};
use crate::suite::{ProbeId, TestId};
use crate::text::Digest;

/// All mutants of the targets; nothing was run.
pub struct Discovery {
    pub root: PathBuf,
    pub sources: Vec<Source>,
    pub rules: Digest,
    /// In order of path, then of position.
    pub mutants: Vec<Mutant>,
    pub not_generated: BTreeMap<String, usize>,
    pub files_left_out: BTreeMap<String, usize>,
    pub notices: Vec<String>,
}

/// Finds the mutants that the user asked for; runs no project code.
pub fn discover(config: &Config) -> Result<Discovery> {
    let found = find::find(&config.source)?;
    let catalogue = catalogue(&config.rule, &found.root)?;
    let sources: Vec<&Source> = found.files.iter().map(|file| &file.source).collect();
    let discovered = discover_all(&sources, &catalogue, &options(&config.rule)?)?;
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
        not_generated,
        files_left_out: found.left_out,
        notices,
    })
}

/// Finds the mutants, runs the tests on each, and says which ones no test noticed.
pub fn run(config: &Config, stop: &Stop, watch: &(dyn Fn(Event) + Sync)) -> Result<Report> {
    let mut clock = Clock::start();
    let discovery = discover(config)?;
    watch(Event::Discovered { mutants: discovery.mutants.len() });
    let before = find::source_set(&discovery.root)?;
    let discover = clock.lap();
    if discovery.mutants.is_empty() {
        return Ok(report(discovery, None, &before, Took { discover, ..Took::default() }));
    }

    let runner = runner(config, &discovery.root, &discovery.sources[0].language.manifest.ecosystem)?;
    let mut scratch = Scratch::new(&discovery.root, config.execute.scratch.map(mode), before.clone())?;
    watch(Event::Baseline { runner: runner.name().to_owned() });
    let (woven, probes) = weave_all(&discovery);
    let baseline = baseline::measure(&*runner, &mut scratch, &probed(&discovery.sources, &woven), stop)
        .map_err(|error| with_notices(error, &discovery.notices))?;
    let baseline_took = clock.lap();

    let planned = plan_settings(config);
    let plan = plan::make(discovery.mutants.clone(), &probes, &baseline, &planned);
    let bench = Bench {
        runner: &*runner,
        scratch: &scratch,
        sources: &discovery.sources,
        settings: &execute_settings(config),
        planned: &planned,
        steady: &baseline.steady,
        distrusted: &baseline.distrusted,
        whole_suite: plan.whole_suite,
        stop,
        watch,
    };
    let executed = execute::run(plan, &bench)?;
    let trials = clock.lap();
    let took = Took { discover, baseline: baseline_took, trials };
    let ran = Ran { executed, baseline: baseline_report(&baseline, &*runner, &scratch) };
    let notices = baseline_notices(&baseline);
    let notices = [discovery.notices.clone(), notices].concat();
    Ok(report(Discovery { notices, ..discovery }, Some(ran), &before, took))
}

/// What was odd about the sources may well be why the baseline fails.
fn with_notices(error: Error, notices: &[String]) -> Error {
    match error.cause.is_none() && error.kind == Kind::Baseline && !notices.is_empty() {
        true => error.cause(notices.join("\n")),
        false => error,
    }
}

/// The runner for a project of this ecosystem.
pub fn runner(config: &Config, root: &std::path::Path, ecosystem: &str) -> Result<Box<dyn Runner>> {
    runner::choose(&runner_settings(config), root, ecosystem)
}

/// What came of the part of a run that runs tests.
struct Ran {
    executed: Executed,
    baseline: BaselineReport,
}

fn report(discovery: Discovery, ran: Option<Ran>, before: &[(ProjectPath, Digest)], took: Took) -> Report {
    let (measured, complete, baselines, more) = match ran {
        Some(Ran { executed, baseline }) => (executed.measured, executed.complete, vec![baseline], executed.notices),
        None => (Vec::new(), true, Vec::new(), Vec::new()),
    };
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
        not_generated: discovery.not_generated,
        files_left_out: discovery.files_left_out,
        notices: [discovery.notices, more].concat(),
        sources: SourceSet::compare(before, &after),
        complete,
        took,
        root: discovery.root,
    }
}

/// Weaves probes into every file; the probe of each mutant, in the order of the mutants.
fn weave_all(discovery: &Discovery) -> (Vec<(Woven, std::ops::Range<ProbeId>)>, plan::Probes) {
    let mut next: ProbeId = 1;
    let mut woven = Vec::new();
    for source in &discovery.sources {
        let places = discovery.mutants.iter().filter(|mutant| mutant.path == source.path).map(|mutant| mutant.place);
        let file = weave(source, places, next);
        let end = file.probes.values().max().map_or(next, |last| last + 1);
        woven.push((file, next..end));
        next = end;
    }
    let probe = |mutant: &Mutant| {
        let at = discovery.sources.iter().position(|source| source.path == mutant.path)?;
        woven[at].0.probes.get(&mutant.place).copied()
    };
    let probes = discovery.mutants.iter().map(probe).collect();
    (woven, probes)
}

fn probed<'s>(sources: &'s [Source], woven: &'s [(Woven, std::ops::Range<ProbeId>)]) -> Vec<Probed<'s>> {
    let with_mutants = sources.iter().zip(woven).filter(|(_, (_, probes))| !probes.is_empty());
    with_mutants.map(|(source, (file, probes))| Probed { source, woven: file, probes: probes.clone() }).collect()
}

fn baseline_report(baseline: &Baseline, runner: &dyn Runner, scratch: &Scratch) -> BaselineReport {
    BaselineReport {
        runner: runner.name().to_owned(),
        version: runner.version().to_owned(),
        tests: baseline.tests.clone(),
        passed: baseline.steady.len(),
        skipped: baseline.skipped,
        flickering: baseline.flickering.clone(),
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
pub fn catalogue(settings: &RuleSettings, root: &std::path::Path) -> Result<Catalogue> {
    let choice = Choice {
        tier: Some(tier(settings.tier)),
        select: settings.select.clone(),
        ignore: settings.ignore.clone(),
        extend_select: settings.extend_select.clone(),
    };
    every_rule(settings, root)?.chosen(&choice)
}

/// All rules that are known, built in and of the project.
pub fn every_rule(settings: &RuleSettings, root: &std::path::Path) -> Result<Catalogue> {
    let folder = root.join(&settings.project_rules);
    if folder.is_dir() { Catalogue::with_project(&folder) } else { Ok(Catalogue::built_in()) }
}

fn options(settings: &RuleSettings) -> Result<Options> {
    let arid = settings.arid.then(|| AridCalls::new(&settings.arid_calls)).transpose()?;
    Ok(Options { arid, require_ignore_reason: settings.require_ignore_reason, ..Options::default() })
}

fn runner_settings(config: &Config) -> runner::Settings {
    let settings = &config.runner;
    runner::Settings {
        framework: Some(settings.framework.clone()).filter(|name| name != "auto"),
        test_cmd: settings.test_cmd.clone(),
        python: settings.python.clone(),
        tests: settings.tests.iter().map(|path| config.source.working.join(path)).collect(),
        deselect: settings.deselect.iter().map(|test| TestId::new(test.as_str())).collect(),
    }
}

fn plan_settings(config: &Config) -> plan::Settings {
    let execute = &config.execute;
    plan::Settings {
        timeout: execute.timeout.map(Duration::from_secs_f64),
        timeout_factor: execute.timeout_factor,
        timeout_constant: execute.timeout_const,
        memory: execute.memory,
        max_mutants: execute.max_mutants,
        sample: execute.sample.map(|amount| match amount {
            Amount::Count(count) => plan::Sample::Count(count),
            Amount::Percent(percent) => plan::Sample::Percent(percent),
        }),
        seed: execute.seed,
    }
}

fn execute_settings(config: &Config) -> execute::Settings {
    let execute = &config.execute;
    execute::Settings { jobs: execute.jobs, bail: execute.bail, budget: execute.budget, verify_survivors: execute.verify_survivors }
}

fn tier(tier: Tier) -> rule::Tier {
    match tier {
        Tier::Default => rule::Tier::Default,
        Tier::Thorough => rule::Tier::Thorough,
        Tier::All => rule::Tier::All,
    }
}

fn mode(mode: ScratchMode) -> Mode {
    match mode {
        ScratchMode::Overlay => Mode::Overlay,
        ScratchMode::Copy => Mode::Copy,
    }
}

struct Clock(Instant);

impl Clock {
    fn start() -> Clock {
        Clock(Instant::now())
    }

    fn lap(&mut self) -> Duration {
        let now = Instant::now();
        now.duration_since(std::mem::replace(&mut self.0, now))
    }
}
