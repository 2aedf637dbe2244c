//! The settings of one layer: built-in values, a file, variables, or flags. What a layer does not say is `None`.
//!
//! The names of the fields, in kebab case, are the keys of `mutate.toml`.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::value::{Amount, Size, Time};
use super::{ScratchMode, Tier};
use crate::analysis::gate::FailOn;
use crate::report::progress;
use crate::report::style::When;

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct Layer {
    /// Globs of files to mutate, relative to the root; nothing means all.
    pub file: Option<Vec<String>>,
    pub exclude: Option<Vec<String>>,

    pub tier: Option<Tier>,
    pub select: Option<Vec<String>>,
    pub ignore: Option<Vec<String>>,
    pub extend_select: Option<Vec<String>>,
    /// Whether code not worth mutating is left alone.
    pub arid: Option<bool>,
    /// Names of callees that are arid too, for example `audit.*`.
    pub arid_calls: Option<Vec<String>>,
    pub require_ignore_reason: Option<bool>,
    /// Folder of the project's own rules.
    pub rules: Option<PathBuf>,

    pub framework: Option<String>,
    pub test_cmd: Option<String>,
    pub python: Option<PathBuf>,
    pub tests: Option<Vec<String>>,
    pub deselect: Option<Vec<String>>,
    pub tests_also_in: Option<Vec<String>>,

    pub jobs: Option<Amount>,
    pub timeout: Option<Time>,
    pub timeout_factor: Option<f64>,
    pub timeout_const: Option<Time>,
    pub memory: Option<Size>,
    pub scratch: Option<ScratchMode>,
    pub bail: Option<bool>,
    pub verify_survivors: Option<bool>,
    pub cold: Option<bool>,
    pub network: Option<bool>,
    pub audit: Option<Amount>,
    pub budget: Option<Time>,
    pub max_mutants: Option<usize>,
    pub sample: Option<Amount>,
    pub seed: Option<u64>,

    pub min_score: Option<f64>,
    pub min_covered_score: Option<f64>,
    pub max_survived: Option<usize>,
    pub fail_on: Option<Vec<FailOn>>,
    pub allow_empty: Option<bool>,
    pub require_complete: Option<bool>,
    pub exit_zero: Option<bool>,

    pub output_format: Option<String>,
    pub output_file: Option<PathBuf>,
    /// `FORMAT=PATH`, as many as wanted.
    pub report: Option<Vec<String>>,
    pub show: Option<Show>,
    pub timings: Option<bool>,
    pub quiet: Option<bool>,
    pub color: Option<When>,
    pub progress: Option<progress::Style>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Show {
    #[default]
    Survived,
    All,
}

impl Show {
    pub const WORDS: [&'static str; 2] = ["survived", "all"];
}

impl Layer {
    /// What holds where nobody says anything.
    pub fn built_in() -> Layer {
        Layer {
            tier: Some(Tier::Default),
            arid: Some(true),
            require_ignore_reason: Some(false),
            rules: Some("mutation-rules".into()),
            framework: Some("auto".into()),
            timeout_factor: Some(5.0),
            timeout_const: Some(Time(std::time::Duration::from_secs(3))),
            bail: Some(true),
            verify_survivors: Some(true),
            cold: Some(false),
            network: Some(true),
            audit: Some(Amount::Percent(2.0)),
            seed: Some(0),
            allow_empty: Some(false),
            require_complete: Some(false),
            exit_zero: Some(false),
            output_format: Some("human".into()),
            show: Some(Show::Survived),
            timings: Some(false),
            quiet: Some(false),
            color: Some(When::Auto),
            progress: Some(progress::Style::Auto),
            ..Layer::default()
        }
    }
}
