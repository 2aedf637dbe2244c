//! Where the sub-commands meet the stages below: each function gives what one sub-command prints.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::doctor::Finding;
use super::grammars::{Captured, Grammar};
use super::rules::{ExampleResult, Rule};
use crate::config::{Config, RuleSettings};
use crate::error::{Error, Result};
use crate::execute::event::Event;
use crate::mutant::Mutant;
use crate::report::Report;

/// A run that came to its end, or was stopped.
pub struct Run {
    pub report: Report,
    /// The signal that stopped it, for example 2 for Ctrl-C.
    pub signal: Option<u8>,
}

/// All mutants of the targets, without running anything.
#[derive(Default)]
pub struct Discovered {
    pub mutants: Vec<Mutant>,
    pub not_generated: BTreeMap<String, usize>,
    pub files_left_out: BTreeMap<String, usize>,
    pub notices: Vec<String>,
}

fn missing(what: &str) -> Error {
    Error::internal(format!("{what} is not part of this build"))
}

pub fn measure(_config: &Config, _watch: &(dyn Fn(Event) + Sync)) -> Result<Run> {
    Err(missing("running mutants"))
}

pub fn discover(_config: &Config) -> Result<Discovered> {
    Err(missing("finding mutants"))
}

/// All rules that are known, built-in and the project's own, whatever the tier.
pub fn rules(_settings: &RuleSettings, _root: Option<&PathBuf>) -> Result<Vec<Rule>> {
    Err(missing("the list of rules"))
}

/// Runs the examples of the rules whose id starts with `prefix`.
pub fn try_rules(_settings: &RuleSettings, _root: Option<&PathBuf>, _prefix: &str) -> Result<Vec<ExampleResult>> {
    Err(missing("trying rules"))
}

pub fn grammars() -> Result<Vec<Grammar>> {
    Err(missing("the list of grammars"))
}

/// The named places of a file.
pub fn captures(_file: &std::path::Path) -> Result<Vec<Captured>> {
    Err(missing("showing captures"))
}

/// What works on this machine; never runs project code.
pub fn examine(_config: &Config) -> Result<Vec<Finding>> {
    Err(missing("examining this machine"))
}

/// Scratch trees that a killed run left behind; those that are gone.
pub fn clean_scratch() -> Result<Vec<PathBuf>> {
    Ok(Vec::new())
}

/// The sentence of a rule, for `mutate show`.
pub fn rule_summary(_rule: &str) -> Option<String> {
    None
}
