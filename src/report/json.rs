//! The shared mutation-testing report, schema version 2: what viewers, dashboards and other tools read.
//!
//! What the schema has no word for stands under `config.mutate` (see [`super::own`]). Columns are UTF-16 code units, a field
//! without a value is left out (the schema forbids `null`), and nothing in it depends on the clock unless asked for.

use std::collections::{BTreeMap, HashMap, HashSet};

use serde::Serialize;

use super::formats::Look;
use super::own::{self, Own};
use super::{FileReport, Report, single, words};
use crate::analysis::{Conclusion, Kind};
use crate::execute::outcome::Measured;
use crate::mutant::Verdict;
use crate::suite::TestId;
use crate::text::Lines;
use crate::text::columns::Position;

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Document<'a> {
    schema_version: &'static str,
    thresholds: Thresholds,
    framework: Framework<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    performance: Option<Performance>,
    files: BTreeMap<&'a str, File<'a>>,
    test_files: BTreeMap<&'a str, TestFile<'a>>,
    config: Config<'a>,
}

/// Percent from which a viewer paints green, and below which red; the habit of the schema's family.
#[derive(Serialize)]
struct Thresholds {
    high: u8,
    low: u8,
}

#[derive(Serialize)]
struct Framework<'a> {
    name: &'static str,
    version: &'a str,
}

/// Milliseconds.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Performance {
    setup: u64,
    initial_run: u64,
    mutation: u64,
}

#[derive(Serialize)]
struct File<'a> {
    language: &'a str,
    source: String,
    mutants: Vec<MutantResult<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct MutantResult<'a> {
    id: String,
    mutator_name: &'a str,
    description: String,
    location: Location,
    replacement: String,
    status: &'static str,
    #[serde(skip_serializing_if = "String::is_empty")]
    status_reason: String,
    #[serde(rename = "static", skip_serializing_if = "std::ops::Not::not")]
    on_import: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    covered_by: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    killed_by: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tests_completed: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    duration: Option<u64>,
}

#[derive(Serialize)]
struct Location {
    start: Position,
    end: Position,
}

#[derive(Default, Serialize)]
struct TestFile<'a> {
    tests: Vec<Test<'a>>,
}

#[derive(Serialize)]
struct Test<'a> {
    id: String,
    name: &'a str,
}

#[derive(Serialize)]
struct Config<'a> {
    mutate: Own<'a>,
}

pub fn render(report: &Report, conclusion: &Conclusion, look: Look) -> String {
    let tests = Tests::of(report);
    let mut mutants: HashMap<&str, Vec<&Measured>> = HashMap::new();
    report.mutants.iter().for_each(|measured| mutants.entry(measured.mutant.path.as_str()).or_default().push(measured));
    let of_file = |file: &FileReport| mutants.get(file.path.as_str()).map(Vec::as_slice).unwrap_or_default();
    let document = Document {
        schema_version: "2",
        thresholds: Thresholds { high: 80, low: 60 },
        framework: Framework { name: "mutate", version: &report.tool_version },
        performance: look.timings.then(|| performance(report)),
        files: report
            .files
            .iter()
            .map(|file| (file.path.as_str(), file_result(report, file, of_file(file), &tests, look)))
            .collect(),
        test_files: tests.by_file(),
        config: Config { mutate: own::of(report, conclusion) },
    };
    // Plain data with text keys: there is nothing in it that could fail to become JSON.
    serde_json::to_string_pretty(&document).unwrap_or_default() + "\n"
}

fn performance(report: &Report) -> Performance {
    let milliseconds = |duration: std::time::Duration| duration.as_millis() as u64;
    Performance {
        setup: milliseconds(report.took.discover),
        initial_run: milliseconds(report.took.baseline),
        mutation: milliseconds(report.took.trials),
    }
}

fn file_result<'a>(report: &Report, file: &'a FileReport, mutants: &[&'a Measured], tests: &Tests, look: Look) -> File<'a> {
    let lines = Lines::of(&file.text);
    File {
        language: &file.language,
        source: source(&file.text),
        mutants: mutants
            .iter()
            .map(|measured| mutant_result(report, measured, &location(measured, file, &lines), tests, look))
            .collect(),
    }
}

/// The text as a viewer sees it: columns do not count a byte order mark, so it is not there.
fn source(text: &[u8]) -> String {
    String::from_utf8_lossy(text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text)).into_owned()
}

fn location(measured: &Measured, file: &FileReport, lines: &Lines) -> (Position, Position) {
    let span = measured.mutant.edit.span;
    (lines.utf16_position(&file.text, span.start), lines.utf16_position(&file.text, span.end))
}

fn mutant_result<'a>(
    report: &Report,
    measured: &'a Measured,
    (start, end): &(Position, Position),
    tests: &Tests,
    look: Look,
) -> MutantResult<'a> {
    let mutant = &measured.mutant;
    let killers = killers(&measured.verdict);
    MutantResult {
        id: mutant.id.to_string(),
        mutator_name: &mutant.mutator,
        description: format!("{}: {}", mutant.rule, single::change(mutant)),
        location: Location { start: *start, end: *end },
        replacement: String::from_utf8_lossy(&mutant.edit.replacement).into_owned(),
        status: status(Kind::of(&measured.verdict)),
        status_reason: words::steady(&single::reason(&measured.verdict), &report.root),
        on_import: measured.import_time,
        covered_by: tests.numbers(measured.covered_by.iter().chain(killers)),
        killed_by: tests.numbers(killers),
        tests_completed: measured.certificate.as_ref().map(|certificate| certificate.tests_run),
        duration: measured.certificate.as_ref().filter(|_| look.timings).map(|proof| proof.ended.wall.as_millis() as u64),
    }
}

fn status(kind: Kind) -> &'static str {
    match kind {
        Kind::Killed => "Killed",
        Kind::TimedOut => "Timeout",
        Kind::Survived => "Survived",
        Kind::NoCoverage => "NoCoverage",
        Kind::Invalid => "CompileError",
        Kind::Inconclusive => "RuntimeError",
        Kind::Ignored => "Ignored",
    }
}

fn killers(verdict: &Verdict) -> &[TestId] {
    match verdict {
        Verdict::Killed { by, .. } => by,
        _ => &[],
    }
}

/// Small numbers for long test names, in the order of the baseline.
struct Tests<'a> {
    names: Vec<&'a TestId>,
    numbers: HashMap<&'a TestId, usize>,
}

impl<'a> Tests<'a> {
    fn of(report: &'a Report) -> Tests<'a> {
        let mut tests = Tests { names: Vec::new(), numbers: HashMap::new() };
        let known = report.baselines.iter().flat_map(|baseline| &baseline.tests);
        // A file of tests that no longer loads is a killer too, though the baseline has no test of that name.
        let named = report.mutants.iter().flat_map(|measured| measured.covered_by.iter().chain(killers(&measured.verdict)));
        known.chain(named).for_each(|test| tests.add(test));
        tests
    }

    fn add(&mut self, test: &'a TestId) {
        let next = self.names.len();
        if *self.numbers.entry(test).or_insert(next) == next {
            self.names.push(test);
        }
    }

    fn numbers<'b>(&self, tests: impl IntoIterator<Item = &'b TestId>) -> Vec<String> {
        let mut seen = HashSet::new();
        let numbers = tests.into_iter().filter_map(|test| self.numbers.get(test).copied());
        numbers.filter(|number| seen.insert(*number)).map(|number| number.to_string()).collect()
    }

    fn by_file(&self) -> BTreeMap<&'a str, TestFile<'a>> {
        let mut files: BTreeMap<&str, TestFile> = BTreeMap::new();
        for (number, test) in self.names.iter().enumerate() {
            let file = files.entry(file_of(test.as_str())).or_default();
            file.tests.push(Test { id: number.to_string(), name: test.as_str() });
        }
        files
    }
}

/// `tests/test_shop.py` of `tests/test_shop.py::test_total`; empty where the name shows no file, as the schema has it.
fn file_of(test: &str) -> &str {
    test.split_once("::").map_or("", |(file, _)| file)
}
