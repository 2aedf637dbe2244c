//! The lines that several formats share: one mutant, one summary.

use std::collections::BTreeMap;

use super::style::{DIM, PATH, RULE, paint};
use super::{Report, short, words};
use crate::analysis::score::shown;
use crate::analysis::{Kind, Score};
use crate::execute::outcome::Measured;
use crate::mutant::{Mutant, Reason, Verdict};
use crate::scratch::process::Exit;

/// Characters of a piece of source inside a line.
const MOST_OF_A_CHANGE: usize = 40;
/// Characters of a reason inside a line.
const MOST_OF_A_REASON: usize = 160;

/// Reasons that are named before the rest is counted.
const MOST_REASONS: usize = 5;

/// `path:line:column`, which terminals and editors can open.
pub fn place(mutant: &Mutant) -> String {
    let (path, at) = (words::escape(mutant.path.as_str()), mutant.position);
    format!("{path}:{}:{}", at.line, at.column)
}

/// `path:line:column  rule`.
pub fn heading(mutant: &Mutant) -> String {
    format!("{}  {}", paint(PATH, place(mutant)), paint(RULE, words::escape(&mutant.rule)))
}

/// `old → new` on one line, in the short form.
pub fn change(mutant: &Mutant) -> String {
    let edit = short::edit(mutant);
    format!("{} → {}", piece(short::original(mutant, &edit)), piece(&edit.replacement))
}

fn piece(bytes: &[u8]) -> String {
    let one_line = String::from_utf8_lossy(bytes).split_whitespace().collect::<Vec<_>>().join(" ");
    match one_line.is_empty() {
        true => "(nothing)".to_string(),
        false => words::escape(&words::cut(&one_line, MOST_OF_A_CHANGE)),
    }
}

pub fn id(mutant: &Mutant) -> String {
    paint(DIM, mutant.id)
}

/// Why a mutant got its verdict, whole; empty where the verdict says it all.
pub fn reason(verdict: &Verdict) -> String {
    match verdict {
        Verdict::Killed { why, .. } | Verdict::TimedOut { why } | Verdict::Invalid { why } | Verdict::Inconclusive { why } => {
            why.clone()
        }
        Verdict::Ignored { why } => ignore_reason(why),
        Verdict::Survived | Verdict::NoCoverage => String::new(),
    }
}

fn ignore_reason(why: &Reason) -> String {
    match why {
        Reason::Comment { text } => format!("comment: {text}"),
        Reason::NotChosen { why } => why.clone(),
        Reason::Interrupted => "the run was stopped first".to_string(),
    }
}

/// How a process ended, without durations.
pub fn exit(exit: &Exit) -> String {
    match exit {
        Exit::Code(code) => format!("exit code {code}"),
        Exit::Signal(signal) => format!("signal {signal}"),
        Exit::OverWall => "stopped: over its limit of wall time".to_string(),
        Exit::OverCpu => "stopped: over its limit of processor time".to_string(),
        Exit::OverMemory => "stopped: over its limit of memory".to_string(),
        Exit::Interrupted => "stopped by the user".to_string(),
        Exit::NotStarted { why } => format!("not started: {why}"),
    }
}

/// The reason on one line, the same on every machine.
pub fn short_reason(report: &Report, measured: &Measured) -> String {
    let steady = words::steady(&reason(&measured.verdict), &report.root);
    words::escape(&words::cut(steady.trim(), MOST_OF_A_REASON))
}

/// `42 mutants: 31 killed, 1 timed out, 5 survived, 2 not covered, 3 invalid: score 82.1 %`.
pub fn summary(score: &Score) -> String {
    let counts: Vec<String> = Kind::ALL
        .iter()
        .filter(|kind| score.count(**kind) > 0)
        .map(|kind| format!("{} {}", score.count(*kind), kind.words()))
        .collect();
    let counts = if counts.is_empty() { "none".to_string() } else { counts.join(", ") };
    format!("{}: {counts}: score {}", words::counted(score.total(), "mutant"), shown(score.score()))
}

/// `212 not generated: 150 logging, 40 text-form`, the most frequent first; nothing where there is nothing to count.
pub fn named_counts(what: &str, counts: &BTreeMap<String, usize>) -> Option<String> {
    let mut counts: Vec<(&str, usize)> = counts.iter().map(|(name, count)| (without_family(name), *count)).collect();
    counts.retain(|(_, count)| *count > 0);
    counts.sort_by_key(|(name, count)| (std::cmp::Reverse(*count), *name));
    let total: usize = counts.iter().map(|(_, count)| count).sum();
    let names: Vec<String> = counts.iter().map(|(name, count)| format!("{count} {name}")).collect();
    (total > 0).then(|| paint(DIM, format!("{total} {what}: {}", words::few(&names, MOST_REASONS))))
}

/// `arid/logging` reads as `logging`.
fn without_family(name: &str) -> &str {
    name.strip_prefix("arid/").unwrap_or(name)
}
