//! What the shared schema has no word for: the proof behind every verdict, and what was left out.
//!
//! Stands under `config.mutate` of the JSON report. It holds no durations, no paths of this machine and no captured output: the
//! same input gives the same bytes. `mutate show` has the rest.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{BaselineReport, Report, single, words};
use crate::analysis::gate::Check;
use crate::analysis::{Conclusion, Kind};
use crate::execute::audit::Audit;
use crate::execute::outcome::{Certificate, Measured};
use crate::text::Digest;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Own<'a> {
    tool: Tool<'a>,
    /// Digest of all rules and grammars that were in force.
    rules: Digest,
    complete: bool,
    exit_code: u8,
    verdict: &'static str,
    score: Numbers,
    gates: &'a [Check],
    files: BTreeMap<&'a str, Proof>,
    baselines: Vec<Baseline<'a>>,
    audit: &'a Audit,
    not_generated: &'a BTreeMap<String, usize>,
    files_left_out: &'a BTreeMap<String, usize>,
    notices: Vec<String>,
    mutants: BTreeMap<String, Evidence<'a>>,
}

#[derive(Serialize)]
struct Tool<'a> {
    name: &'static str,
    version: &'a str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Numbers {
    total: usize,
    counts: BTreeMap<Kind, usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    score: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    covered_score: Option<f64>,
}

/// blake3 of a source file.
#[derive(Serialize)]
struct Proof {
    before: Digest,
    after: Digest,
}

#[derive(Serialize)]
struct Baseline<'a> {
    runner: &'a str,
    version: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    package: &'a str,
    tests: usize,
    passed: usize,
    skipped: usize,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    flickering: Vec<&'a str>,
    scratch: String,
    wiring: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Evidence<'a> {
    rule: &'a str,
    kind: &'a str,
    function: &'a str,
    original: String,
    hint: &'a str,
    #[serde(skip_serializing_if = "Option::is_none", flatten)]
    certificate: Option<Facts<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Facts<'a> {
    path: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    cold_because: Option<String>,
    mutated_bytes: Digest,
    #[serde(skip_serializing_if = "Option::is_none")]
    reached: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tests_selected: Option<usize>,
    tests_run: usize,
    ended: String,
}

pub fn of<'a>(report: &'a Report, conclusion: &'a Conclusion) -> Own<'a> {
    Own {
        tool: Tool { name: "mutate", version: &report.tool_version },
        rules: report.rules,
        complete: report.complete,
        exit_code: conclusion.exit_code,
        verdict: conclusion.score.word(),
        score: numbers(conclusion),
        gates: &conclusion.checks,
        files: report.files.iter().map(|file| (file.path.as_str(), Proof { before: file.before, after: file.after })).collect(),
        baselines: report.baselines.iter().map(|baseline| baseline_of(report, baseline)).collect(),
        audit: &report.audit,
        not_generated: &report.not_generated,
        files_left_out: &report.files_left_out,
        notices: report.notices.iter().map(|notice| words::steady(notice, &report.root)).collect(),
        mutants: report.mutants.iter().map(|measured| (measured.mutant.id.to_string(), evidence(report, measured))).collect(),
    }
}

fn numbers(conclusion: &Conclusion) -> Numbers {
    let score = &conclusion.score;
    Numbers {
        total: score.total(),
        counts: Kind::ALL.iter().map(|kind| (*kind, score.count(*kind))).collect(),
        score: score.score(),
        covered_score: score.covered_score(),
    }
}

fn baseline_of<'a>(report: &Report, baseline: &'a BaselineReport) -> Baseline<'a> {
    Baseline {
        runner: &baseline.runner,
        version: &baseline.version,
        package: baseline.package.as_str(),
        tests: baseline.tests.len(),
        passed: baseline.passed,
        skipped: baseline.skipped,
        flickering: baseline.flickering.iter().map(|test| test.as_str()).collect(),
        scratch: words::steady(&baseline.scratch, &report.root),
        wiring: words::steady(&baseline.wiring, &report.root),
    }
}

fn evidence<'a>(report: &Report, measured: &'a Measured) -> Evidence<'a> {
    let mutant = &measured.mutant;
    Evidence {
        rule: &mutant.rule,
        kind: &mutant.kind,
        function: &mutant.scope,
        original: String::from_utf8_lossy(&mutant.original).into_owned(),
        hint: &mutant.hint,
        certificate: measured.certificate.as_ref().map(|certificate| facts(report, certificate)),
    }
}

fn facts<'a>(report: &Report, certificate: &'a Certificate) -> Facts<'a> {
    Facts {
        path: &certificate.path,
        cold_because: certificate.cold_because.as_ref().map(|why| words::steady(why, &report.root)),
        mutated_bytes: certificate.mutated_bytes,
        reached: certificate.reached,
        tests_selected: certificate.tests_selected,
        tests_run: certificate.tests_run,
        ended: words::steady(&single::exit(&certificate.ended.exit), &report.root),
    }
}
