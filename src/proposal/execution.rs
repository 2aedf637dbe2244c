//! One proposal after it was measured: what was done, what came out, and the evidence.
//!
//! The names are those of the agents' contract and of the shared report schema. What nobody has measured is `null`.

use schemars::JsonSchema;
use serde::Serialize;

use super::check::Checked;
use super::given::{Location, Point, Proposal};
use super::refusal::{Refusal, Why};
use crate::execute::added::Said;
use crate::execute::outcome::{Answer, Measured};
use crate::mutant::{Reason, Verdict};
use crate::report::{Report, single, words};
use crate::scratch::process::Exit;
use crate::source::Source;
use crate::suite::{NamedTest, TestId};
use crate::text::{Lines, Span, sha256};

#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Execution {
    /// `null` for what never became a mutant.
    pub id: Option<String>,
    pub proposal_id: Option<String>,
    pub origin: Origin,
    pub file: String,
    pub target_function: String,
    pub mutator_name: Option<String>,
    pub mutation_kind: String,
    pub mutation_description: String,
    pub original: Option<String>,
    pub replacement: Option<String>,
    pub location: Option<Location>,
    pub status: Status,
    pub status_reason: String,
    pub covered_by: Vec<String>,
    pub killed_by: Vec<String>,
    pub tests_completed: Option<usize>,
    /// Milliseconds; only where durations were asked for, because they differ from run to run.
    pub duration: Option<u64>,
    /// Reached while modules are loaded: it concerns every test.
    #[serde(rename = "static")]
    pub on_import: bool,
    pub applied: bool,
    pub caught: bool,
    pub kill_kind: Option<KillKind>,
    /// Killed, but not by the test that was expected to.
    pub caught_by_other: bool,
    /// What a person would type to see it, with the mutant in place.
    pub test_run: Option<String>,
    pub evidence: Option<String>,
    pub expected_catcher_test: Catcher,
    pub predicted_caught: Option<bool>,
    pub prediction_correct: Option<bool>,
    pub rationale: Option<String>,
    pub suggested_assertion: Option<AssertionRun>,
    pub proof: Option<Proof>,
    pub next: Option<Next>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Origin {
    Proposal,
}

/// The words of the shared report schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub enum Status {
    Killed,
    Survived,
    NoCoverage,
    Timeout,
    CompileError,
    RuntimeError,
    Ignored,
    Pending,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum KillKind {
    Assertion,
    Exception,
    /// A file of tests does not load any more.
    Collection,
    Timeout,
    /// The test process ended in the middle of a test.
    Exit,
}

/// The test that was expected to catch the mutant, and what it did.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Catcher {
    pub test_file: String,
    pub test_name: String,
    /// `null` where no test was run at all.
    pub found: Option<bool>,
    pub covers: Option<bool>,
    pub baseline: Option<&'static str>,
    pub under_mutant: Option<&'static str>,
}

/// A suggested assertion and what came of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AssertionRun {
    pub code: String,
    pub source: Origin,
    pub on_original: Option<&'static str>,
    pub on_mutant: Option<&'static str>,
    pub verdict: AssertionVerdict,
    /// Why it was not run, or what it said when it failed.
    pub reason: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum AssertionVerdict {
    Kills,
    FailsOnOriginal,
    PassesOnMutant,
    Flaky,
    NotRun,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Proof {
    /// Of the mutated file as the test process saw it.
    pub mutant_hash: String,
    pub loaded: bool,
    /// How many of the tests reach the mutated place; `null` where that cannot be measured.
    pub reached: Option<usize>,
    /// Whose answer it is.
    pub scope: &'static str,
}

/// What to do about it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Next {
    pub verb: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub test: Option<String>,
}

/// Characters of a piece of evidence.
const MOST_OF_EVIDENCE: usize = 300;
/// So many tests are named.
const MOST_TESTS: usize = 20;

/// A proposal that was refused before anything ran.
pub fn refused(proposal: &Proposal, refusal: &Refusal) -> Execution {
    let status = if refusal.why == Why::SyntaxError { Status::CompileError } else { Status::Ignored };
    unmeasured(proposal, status, refusal.to_string())
}

fn unmeasured(proposal: &Proposal, status: Status, status_reason: String) -> Execution {
    let edit = proposal.edit();
    Execution {
        id: None,
        proposal_id: proposal.proposal_id.clone(),
        origin: Origin::Proposal,
        file: proposal.file.clone(),
        target_function: proposal.target_function.clone(),
        mutator_name: None,
        mutation_kind: proposal.mutation_kind.clone(),
        mutation_description: proposal.mutation_description.clone().unwrap_or_default(),
        original: edit.map(|(original, _)| original.to_owned()),
        replacement: edit.map(|(_, replacement)| replacement.to_owned()),
        location: proposal.location,
        status,
        status_reason,
        covered_by: Vec::new(),
        killed_by: Vec::new(),
        tests_completed: None,
        duration: None,
        on_import: false,
        applied: false,
        caught: false,
        kill_kind: None,
        caught_by_other: false,
        test_run: None,
        evidence: None,
        expected_catcher_test: Catcher {
            test_file: proposal.expected_catcher_test.test_file.clone(),
            test_name: proposal.expected_catcher_test.test_name.clone(),
            found: None,
            covers: None,
            baseline: None,
            under_mutant: None,
        },
        predicted_caught: proposal.predicted_caught,
        prediction_correct: None,
        rationale: proposal.rationale.clone(),
        suggested_assertion: None,
        proof: None,
        next: None,
    }
}

/// A mutant that was not measured because nothing could be.
pub fn without_a_run(proposal: &Proposal, checked: &Checked, refusal: &Refusal) -> Execution {
    placed(proposal, checked, unmeasured(proposal, Status::Ignored, refusal.to_string()))
}

/// What is known of a mutant before it is measured.
fn placed(proposal: &Proposal, checked: &Checked, execution: Execution) -> Execution {
    let Checked { source, mutant, .. } = checked;
    let change = || format!("line {}: `{}`", mutant.position.line, single::change(mutant).replace(" → ", "` → `"));
    Execution {
        id: Some(mutant.id.to_string()),
        mutator_name: Some(mutant.mutator.clone()),
        mutation_description: proposal.mutation_description.clone().unwrap_or_else(change),
        location: Some(location(source, mutant.edit.span)),
        ..execution
    }
}

pub fn location(source: &Source, span: Span) -> Location {
    let lines = Lines::of(&source.text);
    let point = |offset| {
        let position = lines.utf16_position(&source.text, offset);
        Point { line: position.line, column: position.column }
    };
    Location { start: point(span.start), end: point(span.end) }
}

/// A mutant with its verdict.
pub fn measured(proposal: &Proposal, checked: &Checked, measured: &Measured, report: &Report, timings: bool) -> Execution {
    let status = status(&measured.verdict);
    let catcher = Answers { proposal, measured, report };
    let certificate = measured.certificate.as_ref();
    let killers: &[TestId] = match &measured.verdict {
        Verdict::Killed { by, .. } => by,
        _ => &[],
    };
    let (applied, caught) = effects(status);
    let predicted = proposal.predicted_caught.filter(|_| applied);
    let execution = Execution {
        status,
        status_reason: reason(measured, report),
        covered_by: names(&measured.covered_by),
        killed_by: names(killers),
        tests_completed: certificate.map(|certificate| certificate.tests_run),
        duration: certificate.filter(|_| timings).map(|certificate| certificate.ended.wall.as_millis() as u64),
        on_import: measured.import_time,
        applied,
        caught,
        kill_kind: kill_kind(measured, report),
        caught_by_other: status == Status::Killed && !catcher.tests().iter().any(|test| killers.contains(test)),
        test_run: certificate.map(|certificate| words::steady(&certificate.command, &report.root)),
        evidence: certificate.map(|_| evidence(measured, report)),
        expected_catcher_test: catcher.told(),
        prediction_correct: predicted.map(|predicted| predicted == caught),
        proof: certificate.map(|certificate| Proof {
            mutant_hash: sha256::of(&checked.mutant.edit.apply(&checked.source.text)),
            loaded: matches!(status, Status::Killed | Status::Survived | Status::Timeout),
            reached: certificate.reached.filter(|_| !measured.import_time).map(|_| measured.covered_by.len()),
            scope: if certificate.tests_selected.is_some() { "expected+covering" } else { "whole-suite" },
        }),
        next: next(status, measured),
        suggested_assertion: assertion(proposal, checked, measured, report),
        ..unmeasured(proposal, status, String::new())
    };
    placed(proposal, checked, execution)
}

/// Whether it was applied, and whether it was caught.
fn effects(status: Status) -> (bool, bool) {
    match status {
        Status::Killed | Status::Timeout => (true, true),
        Status::Survived | Status::NoCoverage => (true, false),
        _ => (false, false),
    }
}

fn status(verdict: &Verdict) -> Status {
    match verdict {
        Verdict::Killed { .. } => Status::Killed,
        Verdict::Survived => Status::Survived,
        Verdict::TimedOut { .. } => Status::Timeout,
        Verdict::NoCoverage => Status::NoCoverage,
        Verdict::Invalid { .. } => Status::CompileError,
        Verdict::Inconclusive { .. } => Status::RuntimeError,
        Verdict::Ignored { why: Reason::NotChosen { .. } | Reason::Interrupted } => Status::Pending,
        Verdict::Ignored { .. } => Status::Ignored,
    }
}

fn reason(measured: &Measured, report: &Report) -> String {
    let count = measured.covered_by.len();
    match &measured.verdict {
        Verdict::Survived if measured.import_time => "it runs while modules are loaded; all tests ran and passed".to_owned(),
        Verdict::Survived if count == 0 => "which tests reach it is not known; all of them ran and passed".to_owned(),
        Verdict::Survived => format!("{} that reach it ran, and all passed", words::counted(count, "test")),
        Verdict::NoCoverage => "not reached".to_owned(),
        verdict => words::cut(&words::steady(&single::reason(verdict), &report.root), MOST_OF_EVIDENCE),
    }
}

fn evidence(measured: &Measured, report: &Report) -> String {
    let Some(certificate) = &measured.certificate else { return String::new() };
    let ran = words::counted(certificate.tests_run, "test");
    let ended = words::steady(&single::exit(&certificate.ended.exit), &report.root);
    match &measured.verdict {
        Verdict::Killed { by, why } => {
            let why = words::cut(&words::steady(why, &report.root), MOST_OF_EVIDENCE);
            format!("{ran} ran, {} failed; {ended}; {why}", by.len())
        }
        _ => format!("{ran} ran; {ended}"),
    }
}

fn names(tests: &[TestId]) -> Vec<String> {
    tests.iter().take(MOST_TESTS).map(TestId::to_string).collect()
}

/// Names of what frameworks throw when an assertion does not hold.
const ASSERTIONS: [&str; 10] = [
    "AssertionError",
    "AssertionFailedError",
    "AssertionFailedException",
    "ComparisonFailure",
    "MultipleFailuresError",
    "ExpectationNotMetError",
    "RSpec::Expectations::ExpectationNotMetError",
    "JestAssertionError",
    "Failed",
    "Error: expect(",
];

fn kill_kind(measured: &Measured, report: &Report) -> Option<KillKind> {
    let (by, why) = match &measured.verdict {
        Verdict::TimedOut { .. } => return Some(KillKind::Timeout),
        Verdict::Killed { by, why } => (by, why),
        _ => return None,
    };
    let known = |test: &TestId| report.baselines.iter().any(|baseline| baseline.tests.contains(test));
    if !by.iter().any(known) {
        return Some(KillKind::Collection);
    }
    let died = matches!(&measured.certificate, Some(proof) if matches!(proof.ended.exit, Exit::Signal(_)));
    if died || why.starts_with("the test process ") {
        return Some(KillKind::Exit);
    }
    let is_assertion = ASSERTIONS.iter().any(|name| why.starts_with(name)) || why.contains("_test.go:") && !why.contains("panic:");
    Some(if is_assertion { KillKind::Assertion } else { KillKind::Exception })
}

fn assertion(proposal: &Proposal, checked: &Checked, measured: &Measured, report: &Report) -> Option<AssertionRun> {
    let code = proposal.suggested_assertion.as_ref()?.code().to_owned();
    let not_run = |why: &str| (None, None, AssertionVerdict::NotRun, Some(why.to_owned()));
    let (on_original, on_mutant, verdict, reason) = match (&checked.assertion, &measured.added) {
        (_, Some(Ok(said))) => told_of(said),
        (Some(Err(why)), _) | (_, Some(Err(why))) => not_run(why),
        _ => not_run("the mutant was not measured, or went over a limit"),
    };
    let reason = reason.map(|why| words::cut(&words::steady(&why, &report.root), MOST_OF_EVIDENCE));
    Some(AssertionRun { code, source: Origin::Proposal, on_original, on_mutant, verdict, reason })
}

type Told = (Option<&'static str>, Option<&'static str>, AssertionVerdict, Option<String>);

/// It must pass twice on the original and fail on the mutant.
fn told_of(said: &Said) -> Told {
    let why = said.why.clone();
    let word = |answer: Answer| match answer {
        Answer::Passed => "passed",
        Answer::Failed => "failed",
        Answer::Skipped => "skipped",
    };
    let on_mutant = said.on_mutant.map(word);
    match said.on_original {
        [Answer::Passed, Answer::Passed] => match said.on_mutant {
            Some(Answer::Failed) => (Some("passed"), on_mutant, AssertionVerdict::Kills, why),
            Some(Answer::Passed) => (Some("passed"), on_mutant, AssertionVerdict::PassesOnMutant, why),
            _ => (Some("passed"), on_mutant, AssertionVerdict::NotRun, Some("it is skipped on the mutant".to_owned())),
        },
        [Answer::Failed, Answer::Failed] => (Some("failed"), None, AssertionVerdict::FailsOnOriginal, why),
        [Answer::Skipped, Answer::Skipped] => (Some("skipped"), None, AssertionVerdict::NotRun, Some("it is skipped".to_owned())),
        [first, _] => (Some(word(first)), None, AssertionVerdict::Flaky, why),
    }
}

fn next(status: Status, measured: &Measured) -> Option<Next> {
    match status {
        Status::Survived => Some(Next { verb: "add-assertion", test: measured.covered_by.first().map(TestId::to_string) }),
        Status::NoCoverage => Some(Next { verb: "add-test", test: None }),
        _ => None,
    }
}

/// What the expected test said.
struct Answers<'a> {
    proposal: &'a Proposal,
    measured: &'a Measured,
    report: &'a Report,
}

impl Answers<'_> {
    fn tests(&self) -> Vec<&TestId> {
        let named = named(self.proposal);
        self.report.baselines.iter().flat_map(|baseline| named.among(&baseline.tests)).collect()
    }

    fn told(&self) -> Catcher {
        let tests = self.tests();
        let expected = &self.proposal.expected_catcher_test;
        let was_run = !self.report.baselines.is_empty();
        Catcher {
            test_file: expected.test_file.clone(),
            test_name: expected.test_name.clone(),
            found: was_run.then_some(!tests.is_empty()),
            covers: (!tests.is_empty())
                .then(|| self.measured.import_time || tests.iter().any(|test| self.measured.covered_by.contains(test))),
            baseline: (!tests.is_empty()).then(|| self.on_baseline(&tests)),
            under_mutant: self.under_mutant(&tests),
        }
    }

    fn on_baseline(&self, tests: &[&TestId]) -> &'static str {
        let is = |list: fn(&crate::report::BaselineReport) -> &Vec<TestId>| {
            tests.iter().any(|test| self.report.baselines.iter().any(|baseline| list(baseline).contains(test)))
        };
        if is(|baseline| &baseline.flickering) {
            return "flickering";
        }
        if is(|baseline| &baseline.unsteady) { "skipped" } else { "passed" }
    }

    /// Failed if any of its cases failed, passed if all of them passed.
    fn under_mutant(&self, tests: &[&TestId]) -> Option<&'static str> {
        let answers = &self.measured.certificate.as_ref()?.answers;
        let told: Vec<Answer> = tests.iter().filter_map(|test| answers.get(*test)).copied().collect();
        if told.contains(&Answer::Failed) {
            return Some("failed");
        }
        if told.is_empty() || told.len() < tests.len() {
            return None;
        }
        Some(if told.contains(&Answer::Passed) { "passed" } else { "skipped" })
    }
}

/// The test that a proposal expects to catch its mutant.
pub fn named(proposal: &Proposal) -> NamedTest {
    let expected = &proposal.expected_catcher_test;
    NamedTest { file: expected.test_file.clone(), name: expected.test_name.clone() }
}
