//! The report for a person: survivors as small diffs, then one summary line, then what must not stay unsaid.

use std::collections::BTreeMap;

use super::formats::Look;
use super::style::{WARNING, paint};
use super::survivors::{Shown, most_useful_first};
use super::{Report, diff, short, single, words};
use crate::analysis::{Conclusion, Kind};
use crate::execute::audit::Audit;
use crate::execute::outcome::Measured;
use crate::mutant::Verdict;

/// Covering tests that are named before the rest is counted.
const MOST_TESTS: usize = 3;
/// Reasons that are named before the rest is counted.
const MOST_REASONS: usize = 5;

pub fn render(report: &Report, conclusion: &Conclusion, look: Look) -> String {
    let blocks = [
        void(report),
        survivors(report, look),
        not_covered(report),
        inconclusive(report),
        if look.all { others(report) } else { Vec::new() },
        ending(report, conclusion),
    ];
    let blocks: Vec<String> = blocks.into_iter().filter(|block| !block.is_empty()).map(|block| block.join("\n")).collect();
    blocks.join("\n\n") + "\n"
}

fn void(report: &Report) -> Vec<String> {
    let changed: Vec<&str> = report.tampered().map(|path| path.as_str()).collect();
    if changed.is_empty() {
        return Vec::new();
    }
    vec![paint(WARNING, format!("this report is void: changed during the run: {}", words::few(&changed, MOST_REASONS)))]
}

fn survivors(report: &Report, look: Look) -> Vec<String> {
    let shown: Vec<Shown> = match look.all {
        true => report.of_kind(Kind::Survived).map(|measured| Shown { measured, stands_for: 0 }).collect(),
        false => most_useful_first(report),
    };
    let blocks: Vec<String> = shown.into_iter().map(|shown| survivor(report, shown).join("\n")).collect();
    if blocks.is_empty() { Vec::new() } else { vec![blocks.join("\n\n")] }
}

fn survivor(report: &Report, shown: Shown) -> Vec<String> {
    let mutant = &shown.measured.mutant;
    let mut lines = vec![single::heading(mutant)];
    if let Some(file) = report.file(&mutant.path) {
        lines.extend(diff::small(&file.text, &short::edit(mutant)).iter().map(|line| format!("  {}", diff::painted(line))));
    }
    lines.push(format!("  {}", covering_tests(shown.measured)));
    if !mutant.hint.is_empty() {
        lines.push(format!("  hint: {}", words::escape(&mutant.hint)));
    }
    if shown.stands_for > 0 {
        lines.push(format!("  and {} more in this function", shown.stands_for));
    }
    lines.push(format!("  {}", single::id(mutant)));
    lines
}

fn covering_tests(measured: &Measured) -> String {
    let names: Vec<&str> = measured.covered_by.iter().map(|test| test.as_str()).collect();
    match (measured.import_time, names.is_empty()) {
        (true, true) => "covered by: every test, because it runs on import".to_string(),
        (true, false) => {
            format!("covered by: every test that runs, because it runs on import; for example {}", words::few(&names, MOST_TESTS))
        }
        (false, _) => format!("covered by: {}", words::few(&names, MOST_TESTS)),
    }
}

/// One line per function: a list of all its mutants would say the same thing again and again.
fn not_covered(report: &Report) -> Vec<String> {
    let mut functions: BTreeMap<(&str, &str), (usize, usize, usize)> = BTreeMap::new();
    for measured in report.of_kind(Kind::NoCoverage) {
        let mutant = &measured.mutant;
        let line = mutant.position.line;
        let function = functions.entry((mutant.path.as_str(), &mutant.scope)).or_insert((line, line, 0));
        *function = (function.0.min(line), function.1.max(line), function.2 + 1);
    }
    let mut functions: Vec<_> = functions.into_iter().collect();
    functions.sort_by_key(|((path, _), (first, ..))| (*path, *first));
    let lines = functions.into_iter().map(|((path, scope), (first, last, count))| {
        let range = if first == last { first.to_string() } else { format!("{first}-{last}") };
        let scope = if scope.is_empty() { String::new() } else { format!("{}: ", words::escape(scope)) };
        format!("  {}:{range}  {scope}{}", words::escape(path), words::counted(count, "mutant"))
    });
    titled("no test reaches:", lines.collect())
}

fn inconclusive(report: &Report) -> Vec<String> {
    let lines = report.of_kind(Kind::Inconclusive).map(|measured| with_reason(report, measured)).collect();
    titled("inconclusive, nothing is proved about:", lines)
}

fn others(report: &Report) -> Vec<String> {
    let kinds = [Kind::Killed, Kind::TimedOut, Kind::Invalid, Kind::Ignored];
    let lines = |kind| titled(&format!("{}:", Kind::words(kind)), report.of_kind(kind).map(|m| with_reason(report, m)).collect());
    kinds.into_iter().flat_map(lines).collect()
}

fn with_reason(report: &Report, measured: &Measured) -> String {
    let mutant = &measured.mutant;
    let by = match &measured.verdict {
        Verdict::Killed { by, .. } => by.first().map(|test| format!("by {}: ", words::escape(test.as_str()))),
        _ => None,
    };
    let reason = by.unwrap_or_default() + &single::short_reason(report, measured);
    format!("  {}  {}  {reason}  {}", single::heading(mutant), single::change(mutant), single::id(mutant))
}

fn titled(title: &str, lines: Vec<String>) -> Vec<String> {
    if lines.is_empty() { lines } else { std::iter::once(title.to_string()).chain(lines).collect() }
}

fn ending(report: &Report, conclusion: &Conclusion) -> Vec<String> {
    let mut lines = vec![single::summary(&conclusion.score)];
    lines.extend(reasons(report, Kind::Invalid));
    lines.extend(reasons(report, Kind::Ignored));
    lines.extend(single::named_counts("not generated", &report.not_generated));
    lines.extend(single::named_counts("files left out", &report.files_left_out));
    lines.extend(audit(&report.audit));
    if !report.complete {
        lines.push(paint(WARNING, "incomplete: not every mutant was run"));
    }
    lines.extend(report.notices.iter().map(|notice| format!("note: {}", words::escape(&words::steady(notice, &report.root)))));
    lines.push(gate(conclusion));
    lines
}

/// `3 invalid: 2 SyntaxError: invalid syntax, 1 does not load`.
fn reasons(report: &Report, kind: Kind) -> Option<String> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for measured in report.of_kind(kind) {
        *counts.entry(single::short_reason(report, measured)).or_default() += 1;
    }
    single::named_counts(kind.words(), &counts)
}

/// `warm: 39 verdicts came from processes that had loaded the tests; 5 were tried again in new ones, all the same`.
fn audit(audit: &Audit) -> Option<String> {
    let Audit { warm, again, wrong } = *audit;
    let outcome = if wrong == 0 { "all the same".to_owned() } else { format!("{wrong} were wrong") };
    let tried = if again == 0 { String::new() } else { format!("; {again} were tried again in new ones, {outcome}") };
    (warm > 0).then(|| format!("warm: {} from processes that had loaded the tests{tried}", words::counted(warm, "verdict")))
}

fn gate(conclusion: &Conclusion) -> String {
    let word = conclusion.score.word();
    let failed: Vec<&str> = conclusion.failed().map(|check| check.words.as_str()).collect();
    match failed.is_empty() {
        true if conclusion.score.valid() == 0 => format!("gate: nothing was measured ({word})"),
        true => "gate: holds".to_owned(),
        false => format!("gate: fails ({word}): {}", failed.join("; ")),
    }
}
