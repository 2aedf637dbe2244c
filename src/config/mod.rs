//! `mutate.toml`, variables and flags become one small settings struct per stage.
//!
//! Layers, weakest first: built-in, file, `MUTATE_*` variables, flags. A stronger layer replaces single values and whole lists.
//! Settings flow down, never up: nothing below sees the whole of [`Config`].

pub mod environment;
pub mod file;
pub mod layer;
pub mod value;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};

pub use crate::analysis::gate::Gates as GateSettings;
use crate::error::{Error, Result};
use crate::report::formats::{self, Look};
use crate::report::progress;
use crate::report::style::When;
use crate::source::target::Target;
use layer::{Layer, Show};
use value::Amount;

/// How eager a rule set is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Tier {
    #[default]
    Default,
    Thorough,
    All,
}

impl Tier {
    pub const WORDS: [&'static str; 3] = ["default", "thorough", "all"];
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ScratchMode {
    Overlay,
    Copy,
}

impl ScratchMode {
    pub const WORDS: [&'static str; 2] = ["overlay", "copy"];
}

/// Where a value comes from, in words: `built-in`, a path, `environment`, `command line`.
pub type Origin = String;

/// All settings of one call.
#[derive(Clone, Debug, PartialEq)]
pub struct Config {
    pub source: SourceSettings,
    pub rule: RuleSettings,
    pub runner: RunnerSettings,
    pub execute: ExecuteSettings,
    pub gate: GateSettings,
    pub output: OutputSettings,
    /// Every value that holds, with its origin, in order of the key.
    pub merged: BTreeMap<String, (toml::Value, Origin)>,
    /// The file that was read.
    pub file: Option<PathBuf>,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct SourceSettings {
    /// Where the user stands; relative targets start here.
    pub working: PathBuf,
    /// The project's folder, if the user named it.
    pub root: Option<PathBuf>,
    pub targets: Vec<Target>,
    /// Names of functions; nothing means all.
    pub functions: Vec<String>,
    /// Globs of files to mutate; nothing means all.
    pub include: Vec<String>,
    pub exclude: Vec<String>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct RuleSettings {
    pub tier: Tier,
    pub select: Vec<String>,
    pub ignore: Vec<String>,
    pub extend_select: Vec<String>,
    pub arid: bool,
    pub arid_calls: Vec<String>,
    pub require_ignore_reason: bool,
    /// Folder of the project's own rules, relative to the root.
    pub project_rules: PathBuf,
}

#[derive(Clone, Debug, PartialEq)]
pub struct RunnerSettings {
    /// `auto`, or the name of a runner.
    pub framework: String,
    pub test_cmd: Option<String>,
    pub python: Option<PathBuf>,
    /// Files or folders of tests; nothing means all that the framework finds.
    pub tests: Vec<String>,
    pub deselect: Vec<String>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct ExecuteSettings {
    /// At least 1.
    pub jobs: usize,
    /// Seconds for one trial, in place of the formula.
    pub timeout: Option<f64>,
    pub timeout_factor: f64,
    pub timeout_const: Duration,
    /// Bytes for one trial.
    pub memory: Option<u64>,
    pub scratch: Option<ScratchMode>,
    /// Stop a trial at its first failing test.
    pub bail: bool,
    /// Wall clock for all trials.
    pub budget: Option<Duration>,
    pub max_mutants: Option<usize>,
    pub sample: Option<Amount>,
    pub seed: u64,
}

#[derive(Clone, Debug, PartialEq)]
pub struct OutputSettings {
    /// One of [`formats::ALL`].
    pub format: String,
    pub file: Option<PathBuf>,
    pub reports: Vec<formats::Target>,
    pub look: Look,
    pub quiet: bool,
    pub color: When,
    pub progress: progress::Style,
}

/// What one call brings along.
#[derive(Clone, Debug, Default)]
pub struct Call {
    pub working: PathBuf,
    pub root: Option<PathBuf>,
    pub targets: Vec<Target>,
    pub functions: Vec<String>,
    /// `--config`: files and `KEY=VALUE`.
    pub config: Vec<String>,
    /// Read no file.
    pub isolated: bool,
    pub flags: Layer,
}

pub fn load(call: Call) -> Result<Config> {
    load_with(call, &|name| std::env::var(name).ok())
}

/// The same with the variables given.
pub fn load_with(call: Call, variable: &dyn Fn(&str) -> Option<String>) -> Result<Config> {
    let mut merged = BTreeMap::new();
    merge(&mut merged, table(&Layer::built_in())?, "built-in");
    let (named, lines): (Vec<&String>, Vec<&String>) =
        call.config.iter().partition(|text| !text.contains('=') || Path::new(text).is_file());
    let file = config_file(&call, &named)?;
    if let Some((path, layer)) = &file {
        merge(&mut merged, table(layer)?, &path.display().to_string());
    }
    merge(&mut merged, environment::read(variable)?, "environment");
    for line in lines {
        merge(&mut merged, table(&file::read_line(line)?)?, "command line");
    }
    merge(&mut merged, table(&call.flags)?, "command line");
    let values: toml::Table = merged.iter().map(|(key, (value, _))| (key.clone(), value.clone())).collect();
    let layer: Layer = values.try_into().map_err(|error| Error::internal("settings do not merge").cause(error))?;
    config(call, layer, merged, file.map(|(path, _)| path))
}

fn config_file(call: &Call, named: &[&String]) -> Result<Option<(PathBuf, Layer)>> {
    match named {
        [] if call.isolated => Ok(None),
        [] => file::find(&nearest_to(call), &call.working),
        [path] => {
            let path = call.working.join(path);
            let layer = file::read(&path)?;
            Ok(Some((path, layer)))
        }
        _ => Err(Error::usage("`--config` names more than one file").mend("name one file; single settings are written KEY=VALUE")),
    }
}

fn nearest_to(call: &Call) -> PathBuf {
    match (&call.root, call.targets.first()) {
        (Some(root), _) => call.working.join(root),
        (None, Some(target)) => call.working.join(&target.path),
        (None, None) => call.working.clone(),
    }
}

fn table(layer: &Layer) -> Result<toml::Table> {
    toml::Table::try_from(layer).map_err(|error| Error::internal("settings cannot be written as TOML").cause(error))
}

fn merge(merged: &mut BTreeMap<String, (toml::Value, Origin)>, table: toml::Table, origin: &str) {
    merged.extend(table.into_iter().map(|(key, value)| (key, (value, origin.to_string()))));
}

fn config(call: Call, layer: Layer, merged: BTreeMap<String, (toml::Value, Origin)>, file: Option<PathBuf>) -> Result<Config> {
    check(&layer)?;
    let source = SourceSettings {
        working: call.working,
        root: call.root,
        targets: call.targets,
        functions: call.functions,
        include: layer.file.clone().unwrap_or_default(),
        exclude: layer.exclude.clone().unwrap_or_default(),
    };
    Ok(Config {
        source,
        rule: rule(&layer),
        runner: runner(&layer),
        execute: execute(&layer),
        gate: gate(&layer),
        output: output(&layer)?,
        merged,
        file,
    })
}

fn rule(layer: &Layer) -> RuleSettings {
    RuleSettings {
        tier: layer.tier.unwrap_or_default(),
        select: layer.select.clone().unwrap_or_default(),
        ignore: layer.ignore.clone().unwrap_or_default(),
        extend_select: layer.extend_select.clone().unwrap_or_default(),
        arid: layer.arid.unwrap_or_default(),
        arid_calls: layer.arid_calls.clone().unwrap_or_default(),
        require_ignore_reason: layer.require_ignore_reason.unwrap_or_default(),
        project_rules: layer.rules.clone().unwrap_or_default(),
    }
}

fn runner(layer: &Layer) -> RunnerSettings {
    RunnerSettings {
        framework: layer.framework.clone().unwrap_or_default(),
        test_cmd: layer.test_cmd.clone(),
        python: layer.python.clone(),
        tests: layer.tests.clone().unwrap_or_default(),
        deselect: layer.deselect.clone().unwrap_or_default(),
    }
}

fn execute(layer: &Layer) -> ExecuteSettings {
    ExecuteSettings {
        jobs: jobs(layer.jobs),
        timeout: layer.timeout.map(|time| time.0.as_secs_f64()),
        timeout_factor: layer.timeout_factor.unwrap_or_default(),
        timeout_const: layer.timeout_const.map(|time| time.0).unwrap_or_default(),
        memory: layer.memory.map(|size| size.0),
        scratch: layer.scratch,
        bail: layer.bail.unwrap_or_default(),
        budget: layer.budget.map(|time| time.0),
        max_mutants: layer.max_mutants,
        sample: layer.sample,
        seed: layer.seed.unwrap_or_default(),
    }
}

/// One processor is left to the user, where there is more than one.
fn jobs(said: Option<Amount>) -> usize {
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    said.map_or(processors.saturating_sub(1), |amount| amount.of(processors)).max(1)
}

fn gate(layer: &Layer) -> GateSettings {
    GateSettings {
        min_score: layer.min_score,
        min_covered_score: layer.min_covered_score,
        max_survived: layer.max_survived,
        fail_on: layer.fail_on.clone(),
        allow_empty: layer.allow_empty.unwrap_or_default(),
        require_complete: layer.require_complete.unwrap_or_default(),
        exit_zero: layer.exit_zero.unwrap_or_default(),
    }
}

fn output(layer: &Layer) -> Result<OutputSettings> {
    let format = formats::find(layer.output_format.as_deref().unwrap_or_default())?;
    let reports = layer.report.iter().flatten().map(|text| formats::parse_target(text)).collect::<Result<_>>()?;
    Ok(OutputSettings {
        format: format.name.to_string(),
        file: layer.output_file.clone(),
        reports,
        look: Look { all: layer.show == Some(Show::All), timings: layer.timings.unwrap_or_default() },
        quiet: layer.quiet.unwrap_or_default(),
        color: layer.color.unwrap_or_default(),
        progress: layer.progress.unwrap_or_default(),
    })
}

/// Values that are well written and still make no sense.
fn check(layer: &Layer) -> Result<()> {
    let percent = |name: &str, value: Option<f64>| match value {
        Some(value) if !(0.0..=100.0).contains(&value) => {
            Err(Error::usage(format!("`{name}` is a percentage, and {value} is none")).mend("use a number from 0 to 100"))
        }
        _ => Ok(()),
    };
    percent("min-score", layer.min_score)?;
    percent("min-covered-score", layer.min_covered_score)?;
    if layer.jobs == Some(Amount::Count(0)) {
        return Err(Error::usage("`jobs` is 0: nobody would do the work").mend("use 1 or more, or a share such as 50%"));
    }
    if layer.timeout_factor.is_some_and(|factor| !(factor >= 1.0 && factor.is_finite())) {
        return Err(Error::usage("`timeout-factor` is below 1: healthy tests would time out").mend("use 1 or more"));
    }
    if layer.timeout.is_some_and(|time| time.0.is_zero()) {
        return Err(Error::usage("`timeout` is 0: every trial would time out").mend("use more than 0 seconds"));
    }
    Ok(())
}

/// The known word that somebody probably meant.
pub fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    /// Below this likeness a guess confuses more than it helps.
    const LIKE_ENOUGH: f64 = 0.75;
    let scored = known.into_iter().map(|known| (strsim::jaro_winkler(word, known), known));
    scored.filter(|(likeness, _)| *likeness >= LIKE_ENOUGH).max_by(|left, right| left.0.total_cmp(&right.0)).map(|(_, known)| known)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn load_from(file: &str, variables: &[(&str, &str)], flags: Layer) -> Result<Config> {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("mutate.toml"), file).unwrap();
        let variable = |name: &str| variables.iter().find(|(key, _)| *key == name).map(|(_, value)| value.to_string());
        load_with(Call { working: folder.path().to_path_buf(), flags, ..Call::default() }, &variable)
    }

    #[test]
    fn a_stronger_layer_replaces_a_value() {
        let file = "timeout-factor = 2.0\njobs = 2\nseed = 2\n";
        let flags = Layer { seed: Some(4), ..Layer::default() };
        let config = load_from(file, &[("MUTATE_JOBS", "3")], flags).unwrap();
        assert_eq!((config.execute.timeout_factor, config.execute.jobs, config.execute.seed), (2.0, 3, 4));
        assert_eq!(config.execute.timeout_const, Duration::from_secs(3));
        let origin = |key: &str| config.merged[key].1.clone();
        assert!(origin("timeout-factor").ends_with("mutate.toml"));
        assert_eq!(
            (origin("jobs"), origin("seed"), origin("tier")),
            ("environment".into(), "command line".into(), "built-in".into())
        );
    }

    #[test]
    fn nothing_said_means_the_documented_values() {
        let config = load_from("", &[], Layer::default()).unwrap();
        assert_eq!(config.rule.tier, Tier::Default);
        assert_eq!(config.execute.timeout_factor, 5.0);
        assert!(config.rule.arid && config.execute.bail && config.execute.jobs >= 1);
        assert_eq!(config.gate, GateSettings::default());
        assert_eq!(config.output.format, "human");
    }

    #[test]
    fn a_list_is_replaced_and_not_joined() {
        let flags = Layer { select: Some(vec!["b".into()]), ..Layer::default() };
        let config = load_from("select = [\"a\"]\nextend-select = [\"c\"]", &[], flags).unwrap();
        assert_eq!((config.rule.select, config.rule.extend_select), (vec!["b".to_string()], vec!["c".to_string()]));
    }

    #[test]
    fn an_isolated_run_reads_no_file() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("mutate.toml"), "nonsense = 1").unwrap();
        let call = Call { working: folder.path().to_path_buf(), isolated: true, ..Call::default() };
        assert_eq!(load_with(call, &|_| None).unwrap().file, None);
    }

    #[test]
    fn a_value_that_makes_no_sense_is_refused() {
        for wrong in [
            "jobs = 0",
            "timeout = 0",
            "timeout-factor = 0.5",
            "timeout-factor = nan",
            "min-score = 101",
            "output-format = \"pdf\"",
        ] {
            let error = load_from(wrong, &[], Layer::default()).unwrap_err();
            assert_eq!(error.kind.exit_code(), 2, "{wrong}");
            assert!(error.mend.is_some(), "{wrong}");
        }
    }

    #[test]
    fn an_empty_fail_on_is_not_the_same_as_none_said() {
        assert_eq!(load_from("fail-on = []", &[], Layer::default()).unwrap().gate.fail_on, Some(vec![]));
        assert_eq!(load_from("", &[], Layer::default()).unwrap().gate.fail_on, None);
    }

    #[test]
    fn a_word_like_no_other_has_no_nearest() {
        assert_eq!(nearest("timout", ["tier", "timeout"]), Some("timeout"));
        assert_eq!(nearest("zzz", ["tier", "timeout"]), None);
    }
}
