//! Where the sub-commands meet the stages below: each function gives what one sub-command prints.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::doctor::{Finding, State};
use super::grammars::{Captured, Grammar};
use super::rules::{Example, ExampleResult, Rule};
use crate::config::{Config, RuleSettings};
use crate::error::{Error, Kind, Result};
use crate::execute::event::Event;
use crate::language::vocabulary::{Role, WORDS};
use crate::language::{self, Language, Tree};
use crate::mutant::Mutant;
use crate::mutant::discover::discover as mutants_of;
use crate::pipeline;
use crate::proposal::offer::{self, Offer};
use crate::proposal::{self, Verified};
use crate::report::{Report, store};
use crate::rule::{self, Catalogue};
use crate::scratch::{self, Stop, probe};
use crate::source::{ProjectPath, Source, manifest};
use crate::text::Lines;

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

pub fn measure(config: &Config, watch: &(dyn Fn(Event) + Sync)) -> Result<Run> {
    let stop = Stop::on_signals()?;
    match pipeline::run(config, &stop, watch) {
        Ok(report) => Ok(Run { report, signal: stop.signal() }),
        Err(error) => Err(why_it_ended(error, stop.signal())),
    }
}

/// Mutants for an agent; a project without a kept run is no less worth a look.
pub fn offer(config: &Config, limit: usize) -> Result<Offer> {
    let discovery = pipeline::discover(config)?;
    let last = store::last(&discovery.root).ok();
    Ok(offer::offer(&discovery, last.as_ref(), limit))
}

/// Measures proposals, with the signal that stopped it, if any.
pub fn verify(config: &Config, input: &[u8], watch: &(dyn Fn(Event) + Sync)) -> Result<(Verified, Option<u8>)> {
    let stop = Stop::on_signals()?;
    match proposal::verify(config, input, &stop, watch) {
        Ok(verified) => Ok((verified, stop.signal())),
        Err(error) => Err(why_it_ended(error, stop.signal())),
    }
}

/// What goes wrong after a signal goes wrong because of it, except where a file of the user has changed.
fn why_it_ended(error: Error, signal: Option<u8>) -> Error {
    match signal {
        Some(signal) if error.kind != Kind::Integrity => Error::stopped(signal),
        _ => error,
    }
}

pub fn discover(config: &Config) -> Result<Discovered> {
    let found = pipeline::discover(config)?;
    Ok(Discovered {
        mutants: found.mutants,
        not_generated: found.not_generated,
        files_left_out: found.files_left_out,
        notices: found.notices,
    })
}

/// All rules that are known, built-in and the project's own, whatever the tier.
pub fn rules(settings: &RuleSettings, root: Option<&PathBuf>) -> Result<Vec<Rule>> {
    let built_in = Catalogue::built_in();
    let all = every_rule(settings, root)?;
    Ok(all.rules().iter().map(|rule| shown(rule, &built_in, settings)).collect())
}

fn every_rule(settings: &RuleSettings, root: Option<&PathBuf>) -> Result<Catalogue> {
    pipeline::every_rule(settings, root.map_or(Path::new("."), PathBuf::as_path))
}

fn shown(rule: &rule::Rule, built_in: &Catalogue, settings: &RuleSettings) -> Rule {
    let has = |language: &&Language| {
        let captures = language.captures();
        rule.captures.iter().any(|role| captures.contains(&role.name()))
    };
    Rule {
        id: rule.id.clone(),
        summary: rule.summary.clone(),
        tier: match rule.tier {
            rule::Tier::Default => crate::config::Tier::Default,
            rule::Tier::Thorough => crate::config::Tier::Thorough,
            rule::Tier::All => crate::config::Tier::All,
        },
        kind: rule.kind.clone(),
        mutator: rule.mutator.clone(),
        hint: rule.hint.clone(),
        languages: language::all().iter().filter(has).map(|language| language.name().to_owned()).collect(),
        origin: match built_in.is_on(&rule.id) {
            true => "built in".to_owned(),
            false => settings.project_rules.display().to_string(),
        },
        examples: rule.examples.iter().map(example).collect(),
    }
}

fn example(example: &rule::Example) -> Example {
    Example { language: example.language.clone(), before: example.before.clone(), after: example.after.clone() }
}

/// Runs the examples of the rules whose id starts with `prefix`.
pub fn try_rules(settings: &RuleSettings, root: Option<&PathBuf>, prefix: &str) -> Result<Vec<ExampleResult>> {
    let all = every_rule(settings, root)?;
    let mut results = Vec::new();
    for rule in all.rules().iter().filter(|rule| rule.id.starts_with(prefix)) {
        for case in &rule.examples {
            let problem = try_example(rule, case, &all)?;
            results.push(ExampleResult { rule: rule.id.clone(), example: example(case), problem });
        }
    }
    Ok(results)
}

/// What is wrong with an example, if anything.
fn try_example(rule: &rule::Rule, example: &rule::Example, all: &Catalogue) -> Result<Option<String>> {
    let Some(language) = language::by_name(&example.language) else {
        return Ok(Some(format!("there is no language `{}`", example.language)));
    };
    let source = source_of("example", language, example.before.clone().into_bytes())?;
    let mutants = mutants_of(&source, all)?.mutants;
    let made: Vec<String> = mutants
        .iter()
        .filter(|mutant| mutant.rule == rule.id || mutant.also.contains(&rule.id))
        .map(|mutant| String::from_utf8_lossy(&mutant.edit.apply(&source.text)).into_owned())
        .collect();
    Ok((made != example.after).then(|| format!("it makes {made:?}")))
}

fn source_of(name: &str, language: &'static Language, text: Vec<u8>) -> Result<Source> {
    let path = ProjectPath::new(Path::new(name)).ok_or_else(|| Error::usage("not a path in a project").at(name))?;
    Ok(Source { path, language, text })
}

pub fn grammars() -> Result<Vec<Grammar>> {
    let grammar = |language: &'static Language| Grammar {
        language: language.name().to_owned(),
        extensions: language.manifest.extensions.clone(),
        captures: language.captures().into_iter().map(str::to_owned).collect(),
    };
    Ok(language::all().iter().map(grammar).collect())
}

/// The named places of a file.
pub fn captures(file: &Path) -> Result<Vec<Captured>> {
    let language =
        language::by_path(file).ok_or_else(|| Error::usage("the file is in no language that can be mutated").at(file.display()))?;
    let text = std::fs::read(file).map_err(|cause| Error::usage("the file cannot be read").at(file.display()).cause(cause))?;
    let tree = Tree::parse(language, &text);
    let lines = Lines::of(&text);
    let mut found: Vec<(usize, Captured)> = Vec::new();
    for role in WORDS.iter().filter_map(|word| Role::named(word)) {
        for place in tree.places(role) {
            let start = tree.span(place.at).start;
            let position = lines.position(&text, start);
            let text = String::from_utf8_lossy(tree.text(place.at, &text)).into_owned();
            let captured = Captured { line: position.line, column: position.column, capture: role.name().to_owned(), text };
            found.push((start, captured));
        }
    }
    found.sort_by(|(one, a), (other, b)| (one, &a.capture, &a.text).cmp(&(other, &b.capture, &b.text)));
    found.dedup_by(|(one, a), (other, b)| one == other && a.capture == b.capture && a.text == b.text);
    Ok(found.into_iter().map(|(_, captured)| captured).collect())
}

/// What works on this machine; never runs project code.
pub fn examine(config: &Config) -> Result<Vec<Finding>> {
    let root = config.source.root.clone().unwrap_or_else(|| config.source.working.clone());
    let root = root.canonicalize().map_err(|cause| Error::usage("there is no such project").at(root.display()).cause(cause))?;
    let mut findings: Vec<Finding> = probe::all(&root, Path::new(scratch::OWN_PROGRAM)).into_iter().map(scratch_finding).collect();
    findings.extend(runner_findings(config, &root));
    Ok(findings)
}

fn scratch_finding(found: probe::Finding) -> Finding {
    let name = format!("scratch {}", found.mode);
    match found.works {
        Ok(place) => Finding { name, state: State::Works, detail: format!("temporary files in {}", place.display()), mend: None },
        Err(why) => Finding { name, state: State::Lacking, detail: why, mend: None },
    }
}

/// One for each ecosystem that the folder is a package of; for a folder that is none, what an unknown project would get.
fn runner_findings(config: &Config, root: &Path) -> Vec<Finding> {
    let mut ecosystems: Vec<&str> = language::all().iter().map(|language| language.manifest.ecosystem.as_str()).collect();
    ecosystems.dedup();
    let manifests = |ecosystem: &str| {
        let of_it = language::all().iter().filter(move |language| language.manifest.ecosystem == ecosystem);
        of_it.flat_map(|language| language.manifest.files.manifests.iter().cloned()).collect::<Vec<_>>()
    };
    let present: Vec<&str> = ecosystems.into_iter().filter(|ecosystem| manifest::is_in(root, &manifests(ecosystem))).collect();
    let looked_at = if present.is_empty() { vec!["python"] } else { present };
    looked_at.into_iter().map(|ecosystem| runner_finding(config, root, ecosystem)).collect()
}

fn runner_finding(config: &Config, root: &Path, ecosystem: &str) -> Finding {
    let name = format!("tests ({ecosystem})");
    match pipeline::runner(config, root, ecosystem) {
        Ok(runner) => {
            let detail = format!("{} ({})", runner.name(), runner.version());
            Finding { name, state: State::Works, detail, mend: None }
        }
        Err(error) => Finding { name, state: State::Broken, detail: error.what, mend: error.mend },
    }
}

/// Scratch trees that a killed run left behind; those that are gone.
pub fn clean_scratch() -> Result<Vec<PathBuf>> {
    Ok(scratch::folder::sweep_everywhere())
}

/// The sentence of a rule, for `mutate show`.
pub fn rule_summary(id: &str) -> Option<String> {
    Catalogue::built_in().rules().iter().find(|rule| rule.id == id).map(|rule| rule.summary.clone())
}
