//! `mutate-test-result-v1`: what one isolated run of tests was, in numbers that the engine has counted.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};
use crate::suite::Phase;

pub const SCHEMA_ID: &str = "mutate-test-result-v1";
/// So many failures are told, and so many characters of each message.
pub const MOST_FAILURES: usize = 50;
pub const LONGEST_MESSAGE: usize = 500;

/// How far the run came.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ExecutionStatus {
    Completed,
    CollectionError,
    CommandError,
    ReportError,
    SetupError,
    TeardownError,
}

/// What the run came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    Passed,
    CompletedWithFailures,
    CollectionError,
    CommandError,
    ReportError,
    SetupError,
    TeardownError,
}

impl Outcome {
    pub fn execution_status(self) -> ExecutionStatus {
        match self {
            Outcome::Passed | Outcome::CompletedWithFailures => ExecutionStatus::Completed,
            Outcome::CollectionError => ExecutionStatus::CollectionError,
            Outcome::CommandError => ExecutionStatus::CommandError,
            Outcome::ReportError => ExecutionStatus::ReportError,
            Outcome::SetupError => ExecutionStatus::SetupError,
            Outcome::TeardownError => ExecutionStatus::TeardownError,
        }
    }
}

/// Whether the tests could be found and loaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum CollectionStatus {
    Ok,
    Error,
    Unknown,
    /// Nothing was started.
    Skipped,
}

/// What the counts were read from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum SourceKind {
    Junit,
    Json,
    Stdout,
}

/// The kept evidence: a report beside the result, secrets taken out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ReportSource {
    pub kind: SourceKind,
    /// Relative to the folder of the result, with `/`; never leaves it.
    pub relative_path: String,
    /// 64 hexadecimal digits.
    pub sha256: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum FailureKind {
    /// The test said that something is wrong.
    Failure,
    /// The test could not say anything: what is around it broke.
    Error,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Failure {
    pub classname: String,
    pub name: String,
    /// At most 500 characters.
    pub message: String,
    pub kind: FailureKind,
    /// As the framework names the test.
    pub node_id: String,
    pub phase: Phase,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub case_id: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tp_id: Option<String>,
}

/// Numbers of tests; milliseconds for durations.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TestResult {
    pub schema_id: String,
    pub schema_version: u32,
    /// The runner, for example `pytest`; `unknown` where only the output is known.
    pub framework: String,
    pub execution_status: ExecutionStatus,
    /// As the process ended, 128 + number after a signal; null if it was not started or was stopped at a limit.
    pub runner_exit_code: Option<i32>,
    pub collection_status: CollectionStatus,
    /// `passed` + `failed` + `error` + `skipped`.
    pub tests: usize,
    pub passed: usize,
    pub failed: usize,
    pub error: usize,
    pub skipped: usize,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub duration_ms: Option<u64>,
    /// Null where no report could be read.
    pub report_source: Option<ReportSource>,
    /// The command, without secrets.
    pub command_summary: String,
    pub spawned: bool,
    pub collected_item_count: usize,
    pub setup_started_count: usize,
    pub business_test_body_executed_count: usize,
    pub setup_error_count: usize,
    pub test_failure_count: usize,
    pub teardown_error_count: usize,
    /// At most 50.
    pub failures: Vec<Failure>,
    pub outcome: Outcome,
    /// Why there is nothing to read, in the words of the failure record.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<super::run_report::FailureRecord>,
}

impl TestResult {
    /// What must hold whoever wrote it. Fails with `Kind::Usage`.
    pub fn check(&self) -> Result<()> {
        let parts = self.passed + self.failed + self.error + self.skipped;
        let counted = self.failed + self.error;
        let long = self.failures.iter().any(|failure| failure.message.chars().count() > LONGEST_MESSAGE);
        let wrong = [
            (self.schema_id != SCHEMA_ID || self.schema_version != 1, "schemaId or schemaVersion is another one".to_owned()),
            (self.tests != parts, format!("tests is {}, but passed + failed + error + skipped is {parts}", self.tests)),
            (self.failures.len() > MOST_FAILURES, format!("more than {MOST_FAILURES} failures")),
            (self.failures.len() != counted.min(MOST_FAILURES), format!("{counted} failed, {} are told", self.failures.len())),
            (long, format!("a message has more than {LONGEST_MESSAGE} characters")),
            (
                self.outcome.execution_status() != self.execution_status,
                "executionStatus and outcome contradict each other".to_owned(),
            ),
            (self.outcome == Outcome::Passed && (counted > 0 || self.passed == 0), "nothing has passed".to_owned()),
            (self.outcome == Outcome::Passed && self.report_source.is_none(), "it has passed, but names no report".to_owned()),
        ];
        match wrong.into_iter().find(|(is_wrong, _)| *is_wrong) {
            None => Ok(()),
            Some((_, why)) => Err(Error::usage("the result contradicts itself").cause(why).mend("run the tests again")),
        }
    }
}
