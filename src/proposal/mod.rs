//! Mutants that somebody else proposes, measured like our own.
//!
//! An agent's idea of what might break is text from outside: it is bounded ([`given`]), checked against the project ([`check`]), and
//! only then one mutant among others for the pipeline below. What comes out is told in the words of the agents' contract
//! ([`execution`], [`verdict`]); every number in it was measured.
//!
//! Each trial has processes of its own, and every test that reaches the mutant is asked, also after the first that fails: a proposal is
//! somebody else's program, and its author wants to know what the test said that he had in mind.

mod assertion;
pub mod check;
pub mod execution;
pub mod given;
pub mod offer;
mod place;
pub mod refusal;
pub mod verdict;

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use crate::config::Config;
use crate::error::{Error, Kind, Result};
use crate::execute::event::Event;
use crate::mutant::MutantId;
use crate::pipeline::{self, Clock, Discovery};
use crate::report::Report;
use crate::scratch::Stop;
use crate::source::{Source, find};
use check::{Checked, check};
use execution::Execution;
use given::{Given, Proposal};
use refusal::{Refusal, Why};
use verdict::{Facts, MutationVerdict};

/// The answer to an input, and the run behind it, if there was one.
pub struct Verified {
    pub verdict: MutationVerdict,
    pub report: Option<Report>,
    /// Why nothing could be measured, for people.
    pub error: Option<Error>,
}

/// Measures proposals. Fails if they cannot be read, or if nothing can be run here.
pub fn verify(config: &Config, input: &[u8], stop: &Stop, watch: &(dyn Fn(Event) + Sync)) -> Result<Verified> {
    let clock = Clock::start();
    let Given { proposals, limits, dropped } = given::read(input)?;
    let root = find::root(&config.source)?;
    let checked = without_duplicates(proposals.iter().enumerate().map(|(at, proposal)| check(&root, proposal, at)).collect());
    let config = settings(config, &limits);
    let facts = Facts { input: input.to_vec(), dropped, ..Facts::default() };
    let discovery = discovery(&config, &root, &proposals, &checked)?;
    if discovery.mutants.is_empty() {
        return without_a_run(&proposals, &checked, Error::nothing("there is nothing to measure"), facts);
    }
    match pipeline::measure(&config, discovery, clock, stop, watch) {
        Ok(report) => Ok(told(&config, &proposals, &checked, report, facts)),
        Err(error) => without_a_run(&proposals, &checked, error, facts),
    }
}

/// Cold, and without an end at the first failure; the input may only make its limits smaller.
fn settings(config: &Config, limits: &given::Limits) -> Config {
    let mut config = config.clone();
    let execute = &mut config.execute;
    (execute.cold, execute.bail) = (true, false);
    if let Some(budget) = limits.budget_ms.map(Duration::from_millis) {
        execute.budget = Some(execute.budget.map_or(budget, |own| own.min(budget)));
    }
    if let Some(time) = limits.per_mutant_ms.filter(|time| *time > 0).map(|time| time as f64 / 1000.0) {
        execute.timeout = Some(execute.timeout.map_or(time, |own| own.min(time)));
    }
    config
}

type Outcome = Result<Checked, Refusal>;

/// The same change twice is one mutant; the first is measured.
fn without_duplicates(checked: Vec<Outcome>) -> Vec<Outcome> {
    let mut seen: Vec<(String, Vec<u8>)> = Vec::new();
    let mut ids: Vec<MutantId> = Vec::new();
    let once = |outcome: Outcome| {
        let checked = outcome?;
        let change = (checked.source.path.to_string(), checked.mutant.edit.apply(&checked.source.text));
        match seen.iter().position(|known| *known == change) {
            Some(at) => Err(Refusal::of(Why::DuplicateOf(ids[at].to_string()), "")),
            None => {
                seen.push(change);
                ids.push(checked.mutant.id);
                Ok(checked)
            }
        }
    };
    checked.into_iter().map(once).collect()
}

/// The proposals as mutants that were found, in order of path and position.
fn discovery(config: &Config, root: &Path, proposals: &[Proposal], checked: &[Outcome]) -> Result<Discovery> {
    let mut sources: BTreeMap<_, &Source> = BTreeMap::new();
    let measurable = proposals.iter().zip(checked).filter_map(|(proposal, checked)| Some((proposal, checked.as_ref().ok()?)));
    let mut measurable: Vec<(&Proposal, &Checked)> = measurable.collect();
    measurable.sort_by_key(|(_, Checked { mutant, .. })| (&mutant.path, mutant.edit.span, &mutant.edit.replacement));
    for (_, Checked { source, .. }) in &measurable {
        sources.entry(source.path.clone()).or_insert(source);
    }
    let test = |(at, (_, checked)): (usize, &(&Proposal, &Checked))| Some((at, checked.assertion.clone()?.ok()?));
    Ok(Discovery {
        root: root.to_owned(),
        sources: sources.into_values().cloned().collect(),
        rules: pipeline::catalogue(&config.rule, root)?.digest(),
        mutants: measurable.iter().map(|(_, checked)| checked.mutant.clone()).collect(),
        named: measurable.iter().map(|(proposal, _)| execution::named(proposal)).enumerate().collect(),
        added: measurable.iter().enumerate().filter_map(test).collect(),
        not_generated: BTreeMap::new(),
        files_left_out: BTreeMap::new(),
        notices: Vec::new(),
    })
}

fn told(config: &Config, proposals: &[Proposal], checked: &[Outcome], report: Report, facts: Facts) -> Verified {
    let timings = config.output.look.timings;
    let all = executions(proposals, checked, |proposal, checked| {
        let measured = report.mutants.iter().find(|measured| measured.mutant.id == checked.mutant.id);
        let missing = || execution::without_a_run(proposal, checked, &Refusal::of(Why::NoTest, "it was not run"));
        measured.map_or_else(missing, |measured| execution::measured(proposal, checked, measured, &report, timings))
    });
    let tampering = report.tampered().map(ToString::to_string).collect();
    let facts = Facts { baseline: Some("green"), tampering, ..facts };
    Verified { verdict: MutationVerdict::of(all, facts), report: Some(report), error: None }
}

/// A red baseline and a project without tests are answers too; anything else is none.
fn without_a_run(proposals: &[Proposal], checked: &[Outcome], error: Error, facts: Facts) -> Result<Verified> {
    let (why, baseline) = match error.kind {
        Kind::Baseline => (Why::BaselineRed, Some("red")),
        Kind::NothingToMeasure => (Why::NoTest, None),
        _ => return Err(error),
    };
    let refusal = Refusal::of(why, error.what.clone());
    let all = executions(proposals, checked, |proposal, checked| execution::without_a_run(proposal, checked, &refusal));
    let verdict = MutationVerdict::of(all, Facts { baseline, ..facts });
    Ok(Verified { verdict, report: None, error: Some(error) })
}

/// One for every proposal, in their order; `of` tells about those that could be measured.
fn executions(proposals: &[Proposal], checked: &[Outcome], of: impl Fn(&Proposal, &Checked) -> Execution) -> Vec<Execution> {
    let one = |(proposal, outcome): (&Proposal, &Outcome)| match outcome {
        Ok(checked) => of(proposal, checked),
        Err(refusal) => execution::refused(proposal, refusal),
    };
    proposals.iter().zip(checked).map(one).collect()
}
