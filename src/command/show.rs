//! `mutate show ID`: all that is known about one mutant of the last run.

use clap::Args;
use serde_json::{Value, json};

use super::flags::GlobalFlags;
use super::{print, wiring};
use crate::analysis::Kind;
use crate::error::{Error, Result};
use crate::execute::outcome::{Certificate, Measured};
use crate::mutant::Verdict;
use crate::report::style::{DIM, paint};
use crate::report::{Report, diff, single, store, words};

#[derive(Args, Clone, Debug, Default)]
pub struct ShowFlags {
    /// The id as printed with the mutant; its first digits are enough
    #[arg(value_name = "ID")]
    pub id: String,
}

pub fn run(flags: &ShowFlags, global: &GlobalFlags) -> Result<u8> {
    let json = global.wants_json()?;
    let report = store::last(&global.folder()?)?;
    let measured = find(&report, &flags.id)?;
    let summary = wiring::rule_summary(&measured.mutant.rule);
    match json {
        true => print::json(&document(&report, measured, summary.as_deref()))?,
        false => print::styled(&text(&report, measured, summary.as_deref()), global.color.unwrap_or_default())?,
    }
    Ok(0)
}

/// The mutant whose id begins so.
pub fn find<'a>(report: &'a Report, id: &str) -> Result<&'a Measured> {
    let wanted = id.to_lowercase();
    let found: Vec<&Measured> =
        report.mutants.iter().filter(|measured| measured.mutant.id.to_string().starts_with(&wanted)).collect();
    match found.as_slice() {
        [one] => Ok(one),
        [] => Err(unknown(report, &wanted)),
        [exact, ..] if exact.mutant.id.to_string() == wanted => Ok(exact),
        many => {
            let places: Vec<String> = many.iter().map(|m| format!("{} {}", m.mutant.id, single::place(&m.mutant))).collect();
            Err(Error::usage(format!("`{id}` begins the ids of {} mutants", many.len()))
                .at(places.join("\n"))
                .mend("write more digits"))
        }
    }
}

fn unknown(report: &Report, id: &str) -> Error {
    let error = Error::usage(format!("the last run has no mutant `{}`", words::escape(id)));
    let ids: Vec<String> = report.mutants.iter().map(|measured| measured.mutant.id.to_string()).collect();
    match crate::config::nearest(id, ids.iter().map(String::as_str)) {
        Some(nearest) => {
            error.mend(format!("did you mean `{nearest}`? ids stand at the end of each mutant; `--show all` prints all"))
        }
        None => error.mend("ids stand at the end of each mutant; `mutate run --show all` prints all"),
    }
}

pub fn text(report: &Report, measured: &Measured, rule_summary: Option<&str>) -> String {
    let blocks = [
        head(report, measured, rule_summary),
        the_diff(report, measured),
        tests(measured),
        by_hand(measured),
        certificate(report, measured),
    ];
    let blocks: Vec<String> = blocks.into_iter().filter(|block| !block.is_empty()).map(|block| block.join("\n")).collect();
    blocks.join("\n\n") + "\n"
}

fn head(report: &Report, measured: &Measured, rule_summary: Option<&str>) -> Vec<String> {
    let mutant = &measured.mutant;
    let mut lines = vec![format!("{}  {}", single::heading(mutant), single::id(mutant))];
    let mut line = |name: &str, value: &str| {
        if !value.is_empty() {
            lines.push(format!("{name}: {}", words::escape(value)));
        }
    };
    line("function", &mutant.scope);
    line("rule", rule_summary.unwrap_or_default());
    line("hint", &mutant.hint);
    line("verdict", &verdict(report, measured));
    lines
}

fn verdict(report: &Report, measured: &Measured) -> String {
    let word = Kind::of(&measured.verdict).words();
    let killers = match &measured.verdict {
        Verdict::Killed { by, .. } if !by.is_empty() => format!(" by {}", words::few(&texts(by), 3)),
        _ => String::new(),
    };
    let reason = words::steady(&single::reason(&measured.verdict), &report.root);
    let reason = match measured.verdict {
        Verdict::Survived => "tests that reach it ran, and all passed".to_string(),
        Verdict::NoCoverage => "no test reaches it".to_string(),
        _ => reason,
    };
    format!("{word}{killers}: {}", reason.trim())
}

fn texts(tests: &[crate::suite::TestId]) -> Vec<&str> {
    tests.iter().map(|test| test.as_str()).collect()
}

fn the_diff(report: &Report, measured: &Measured) -> Vec<String> {
    unified(report, measured).iter().map(|line| diff::painted(line)).collect()
}

fn unified(report: &Report, measured: &Measured) -> Vec<String> {
    let mutant = &measured.mutant;
    report.file(&mutant.path).map(|file| diff::unified(mutant.path.as_str(), &file.text, &mutant.edit)).unwrap_or_default()
}

fn tests(measured: &Measured) -> Vec<String> {
    let names = measured.covered_by.iter().map(|test| format!("  {}", words::escape(test.as_str())));
    let title = match (measured.import_time, measured.covered_by.len()) {
        (true, _) => "runs on import, so every test may notice it:".to_string(),
        (false, 0) => return Vec::new(),
        (false, count) => format!("covered by {}:", words::counted(count, "test")),
    };
    std::iter::once(title).chain(names).collect()
}

fn by_hand(measured: &Measured) -> Vec<String> {
    let Some(certificate) = &measured.certificate else { return Vec::new() };
    vec!["to see it by hand, make the change and run:".to_string(), format!("  {}", words::escape(&certificate.command))]
}

fn path(certificate: &Certificate) -> String {
    match &certificate.cold_because {
        Some(why) => format!("{} ({why})", certificate.path),
        None => certificate.path.clone(),
    }
}

fn certificate(report: &Report, measured: &Measured) -> Vec<String> {
    let Some(certificate) = &measured.certificate else { return vec!["certificate: none, it was not run".to_string()] };
    let reached = match certificate.reached {
        Some(true) => "yes, in the run without mutants",
        Some(false) => "no",
        None => "could not be measured",
    };
    let mut lines = vec![
        "certificate:".to_string(),
        format!("  mutated file  blake3 {}, as the test process saw it", certificate.mutated_bytes),
        format!("  reached       {reached}"),
        format!("  tests         {}", tests_run(certificate)),
        format!("  path          {}", words::escape(&path(certificate))),
        format!("  ended         {}", words::escape(&single::exit(&certificate.ended.exit))),
    ];
    lines.extend(original(report, measured));
    lines.extend(tail("standard output", &certificate.ended.stdout_tail));
    lines.extend(tail("standard error", &certificate.ended.stderr_tail));
    lines
}

fn tests_run(certificate: &Certificate) -> String {
    match certificate.tests_selected {
        Some(selected) => format!("{} of {selected} selected ran", certificate.tests_run),
        None => format!("{} ran, all were selected", certificate.tests_run),
    }
}

fn original(report: &Report, measured: &Measured) -> Option<String> {
    let file = report.file(&measured.mutant.path)?;
    Some(match file.before == file.after {
        true => format!("  your file     blake3 {}, the same before and after", file.before),
        false => format!("  your file     CHANGED during the run: blake3 {} before, {} after", file.before, file.after),
    })
}

fn tail(name: &str, text: &str) -> Vec<String> {
    if text.trim().is_empty() {
        return Vec::new();
    }
    let lines = text.trim_end().lines().map(|line| format!("    {}", paint(DIM, words::escape_code(line))));
    std::iter::once(format!("  end of {name}:")).chain(lines).collect()
}

pub fn document(report: &Report, measured: &Measured, rule_summary: Option<&str>) -> Value {
    let mutant = &measured.mutant;
    let file = report.file(&mutant.path);
    let killers = match &measured.verdict {
        Verdict::Killed { by, .. } => texts(by),
        _ => Vec::new(),
    };
    without_nulls(json!({
        "id": mutant.id,
        "path": mutant.path,
        "line": mutant.position.line,
        "column": mutant.position.column,
        "function": mutant.scope,
        "rule": mutant.rule,
        "ruleSummary": rule_summary,
        "mutator": mutant.mutator,
        "kind": mutant.kind,
        "hint": mutant.hint,
        "original": String::from_utf8_lossy(&mutant.original),
        "replacement": String::from_utf8_lossy(&mutant.edit.replacement),
        "diff": unified(report, measured).join("\n"),
        "verdict": Kind::of(&measured.verdict),
        "reason": single::reason(&measured.verdict),
        "killedBy": killers,
        "coveredBy": texts(&measured.covered_by),
        "onImport": measured.import_time,
        "file": file.map(|file| json!({ "before": file.before, "after": file.after })),
        "certificate": measured.certificate.as_ref().map(certificate_document),
    }))
}

fn certificate_document(certificate: &Certificate) -> Value {
    without_nulls(json!({
        "mutatedBytes": certificate.mutated_bytes,
        "reached": certificate.reached,
        "testsSelected": certificate.tests_selected,
        "testsRun": certificate.tests_run,
        "path": certificate.path,
        "ended": single::exit(&certificate.ended.exit),
        "command": certificate.command,
        "stdoutTail": certificate.ended.stdout_tail,
        "stderrTail": certificate.ended.stderr_tail,
    }))
}

/// What is unknown is left out, as in the other documents.
fn without_nulls(document: Value) -> Value {
    match document {
        Value::Object(fields) => fields.into_iter().filter(|(_, value)| !value.is_null()).collect(),
        other => other,
    }
}
