//! What each stage gets to see, and how it is taken from the merged layers.

use std::path::PathBuf;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::layer::{Layer, Show};
use super::value::Amount;
pub use crate::analysis::gate::Gates as GateSettings;
use crate::error::{Error, Result};
use crate::report::formats::{self, Look};
use crate::report::progress;
use crate::report::style::When;
pub use crate::source::find::Settings as SourceSettings;

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
    /// Other packages of the workspace whose tests count too.
    pub tests_also_in: Vec<String>,
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
    /// Show the whole suite what the tests that reach a mutant did not notice.
    pub verify_survivors: bool,
    /// A new process for every trial, also where one that has loaded the tests could be used.
    pub cold: bool,
    /// Tests may use the network.
    pub network: bool,
    /// How many of the warm verdicts are tried again cold.
    pub audit: Amount,
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

pub(super) fn rule(layer: &Layer) -> RuleSettings {
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

pub(super) fn runner(layer: &Layer) -> RunnerSettings {
    RunnerSettings {
        framework: layer.framework.clone().unwrap_or_default(),
        test_cmd: layer.test_cmd.clone(),
        python: layer.python.clone(),
        tests: layer.tests.clone().unwrap_or_default(),
        deselect: layer.deselect.clone().unwrap_or_default(),
        tests_also_in: layer.tests_also_in.clone().unwrap_or_default(),
    }
}

pub(super) fn execute(layer: &Layer) -> ExecuteSettings {
    ExecuteSettings {
        jobs: jobs(layer.jobs),
        timeout: layer.timeout.map(|time| time.0.as_secs_f64()),
        timeout_factor: layer.timeout_factor.unwrap_or_default(),
        timeout_const: layer.timeout_const.map(|time| time.0).unwrap_or_default(),
        memory: layer.memory.map(|size| size.0),
        scratch: layer.scratch,
        bail: layer.bail.unwrap_or_default(),
        verify_survivors: layer.verify_survivors.unwrap_or_default(),
        cold: layer.cold.unwrap_or_default(),
        network: layer.network.unwrap_or_default(),
        audit: layer.audit.unwrap_or(Amount::Count(0)),
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

pub(super) fn gate(layer: &Layer) -> GateSettings {
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

pub(super) fn output(layer: &Layer) -> Result<OutputSettings> {
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
pub(super) fn check(layer: &Layer) -> Result<()> {
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
