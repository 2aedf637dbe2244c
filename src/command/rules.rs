//! `mutate rules list|show|test`: what is mutated, and how.

use clap::{Args, Subcommand};
use serde::Serialize;

use super::flags::GlobalFlags;
use super::{print, wiring};
use crate::config::{self, Tier};
use crate::error::{Error, Result};
use crate::report::style::{DIM, MINUS, PLUS, RULE, paint};
use crate::report::words;

#[derive(Args, Clone, Debug)]
pub struct RulesFlags {
    #[command(subcommand)]
    pub action: Action,
}

#[derive(Clone, Debug, Subcommand)]
pub enum Action {
    /// All rules, one line each
    List,
    /// One rule with its examples
    Show {
        /// For example condition/boundary
        #[arg(value_name = "RULE")]
        id: String,
    },
    /// Run the examples of the rules
    Test {
        /// A rule, or the start of its name
        #[arg(value_name = "RULE", default_value = "")]
        prefix: String,
    },
}

/// A rule as people read about it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Rule {
    pub id: String,
    pub summary: String,
    pub tier: Tier,
    pub kind: String,
    pub mutator: String,
    pub hint: String,
    /// Names of languages that have what it attacks.
    pub languages: Vec<String>,
    /// `built-in`, or the path of the project's own rule file.
    pub origin: String,
    pub examples: Vec<Example>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Example {
    pub language: String,
    pub before: String,
    /// Empty where the rule must stay silent.
    pub after: Vec<String>,
}

/// What came of one example.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ExampleResult {
    pub rule: String,
    pub example: Example,
    /// What was wrong, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
}

pub fn run(flags: &RulesFlags, global: &GlobalFlags) -> Result<u8> {
    let json = global.wants_json()?;
    let config = config::load(global.call()?)?;
    let (settings, root, color) = (&config.rule, config.source.root.as_ref(), config.output.color);
    match &flags.action {
        Action::List => {
            let rules = wiring::rules(settings, root)?;
            if json {
                print::json(&rules)?
            } else {
                print::styled(&list(&rules), color)?
            }
            Ok(0)
        }
        Action::Show { id } => {
            let rules = wiring::rules(settings, root)?;
            let rule = find(&rules, id)?;
            if json {
                print::json(rule)?
            } else {
                print::styled(&show(rule), color)?
            }
            Ok(0)
        }
        Action::Test { prefix } => {
            let results = wiring::try_rules(settings, root, prefix)?;
            if json {
                print::json(&results)?
            } else {
                print::styled(&tried(&results), color)?
            }
            exit_code(&results, prefix)
        }
    }
}

fn exit_code(results: &[ExampleResult], prefix: &str) -> Result<u8> {
    if results.is_empty() {
        return Err(Error::nothing(format!("no rule begins with `{prefix}`")).mend("`mutate rules list` shows all"));
    }
    Ok(u8::from(results.iter().any(|result| result.problem.is_some())))
}

fn find<'a>(rules: &'a [Rule], id: &str) -> Result<&'a Rule> {
    rules.iter().find(|rule| rule.id == id).ok_or_else(|| {
        let error = Error::usage(format!("there is no rule `{id}`"));
        match config::nearest(id, rules.iter().map(|rule| rule.id.as_str())) {
            Some(nearest) => error.mend(format!("did you mean `{nearest}`?")),
            None => error.mend("`mutate rules list` shows all"),
        }
    })
}

pub fn list(rules: &[Rule]) -> String {
    let width = rules.iter().map(|rule| rule.id.chars().count()).max().unwrap_or(0);
    let lines = rules.iter().map(|rule| {
        let id = format!("{:width$}", rule.id);
        let tier = serde_json::to_value(rule.tier).ok().and_then(|tier| tier.as_str().map(str::to_string)).unwrap_or_default();
        format!("{}  {tier:8}  {}", paint(RULE, words::escape(&id)), words::escape(&rule.summary))
    });
    lines.map(|line| line + "\n").collect()
}

pub fn show(rule: &Rule) -> String {
    let mut lines = vec![paint(RULE, words::escape(&rule.id)), words::escape(&rule.summary), String::new()];
    let mut line = |name: &str, value: String| lines.push(format!("{name:9} {}", words::escape(&value)));
    line("tier", format!("{:?}", rule.tier).to_lowercase());
    line("kind", rule.kind.clone());
    line("mutator", rule.mutator.clone());
    line("languages", rule.languages.join(", "));
    line("from", rule.origin.clone());
    line("hint", rule.hint.clone());
    lines.extend(rule.examples.iter().flat_map(example));
    lines.join("\n") + "\n"
}

fn example(example: &Example) -> Vec<String> {
    let mut lines = vec![String::new(), paint(DIM, words::escape(&example.language))];
    lines.extend(code('-', &example.before).iter().map(|line| paint(MINUS, line)));
    if example.after.is_empty() {
        lines.push("  (nothing: here the rule stays silent)".to_string());
    }
    for after in &example.after {
        lines.extend(code('+', after).iter().map(|line| paint(PLUS, line)));
    }
    lines
}

fn code(sign: char, text: &str) -> Vec<String> {
    text.trim_end().lines().map(|line| format!("  {sign} {}", words::escape_code(line))).collect()
}

pub fn tried(results: &[ExampleResult]) -> String {
    let wrong: Vec<&ExampleResult> = results.iter().filter(|result| result.problem.is_some()).collect();
    let mut lines = Vec::new();
    for result in &wrong {
        let problem = result.problem.as_deref().unwrap_or_default();
        lines.push(format!(
            "{}  {}: {}",
            paint(RULE, words::escape(&result.rule)),
            result.example.language,
            words::escape(problem)
        ));
        lines.extend(code('-', &result.example.before));
    }
    lines.push(format!(
        "{}: {} hold, {} do not",
        words::counted(results.len(), "example"),
        results.len() - wrong.len(),
        wrong.len()
    ));
    lines.join("\n") + "\n"
}
