//! `backend-test-result-v1`: the published, closed shape of pytest's results, made from ours.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::result::{CollectionStatus, FailureKind, SourceKind, TestResult};
use crate::error::{Error, Result};

pub const SCHEMA_ID: &str = "backend-test-result-v1";

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ExecutionStatus {
    Completed,
    CollectionError,
    CommandError,
    ReportError,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    Passed,
    CompletedWithFailures,
    CollectionError,
    CommandError,
    ReportError,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Junit {
    pub relative_path: String,
    pub sha256: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Failure {
    pub classname: String,
    pub name: String,
    pub message: String,
    pub kind: FailureKind,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct BackendTestResult {
    /// 1.
    pub schema_version: u32,
    pub execution_status: ExecutionStatus,
    pub pytest_exit_code: u8,
    pub collection_status: CollectionStatus,
    pub tests: usize,
    pub passed: usize,
    pub failed: usize,
    pub error: usize,
    pub skipped: usize,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub duration_ms: Option<u64>,
    pub junit: Junit,
    pub command_summary: String,
    pub failures: Vec<Failure>,
    pub outcome: Outcome,
}

/// The same facts in the published shape. It has no words for broken set-up and tear-down: they are errors among the failures.
///
/// Fails with `Kind::Usage` for another framework, and where there is no exit code or no report to name.
pub fn of(result: &TestResult) -> Result<BackendTestResult> {
    let refuse = |why: &str| Err(Error::usage(format!("this result has no form as {SCHEMA_ID}")).cause(why.to_owned()));
    if result.framework != "pytest" {
        return refuse(&format!("the tests were run by {}, and it speaks of pytest only", result.framework));
    }
    let Some(pytest_exit_code) = result.runner_exit_code.and_then(|code| u8::try_from(code).ok()) else {
        return refuse("pytest has no exit code: it was not started, or was stopped");
    };
    let Some(source) = result.report_source.as_ref().filter(|source| source.kind == SourceKind::Junit) else {
        return refuse("there is no report");
    };
    use super::result::Outcome as Ours;
    let (execution_status, outcome) = match result.outcome {
        Ours::Passed => (ExecutionStatus::Completed, Outcome::Passed),
        Ours::CompletedWithFailures | Ours::SetupError | Ours::TeardownError => {
            (ExecutionStatus::Completed, Outcome::CompletedWithFailures)
        }
        Ours::CollectionError => (ExecutionStatus::CollectionError, Outcome::CollectionError),
        Ours::CommandError => (ExecutionStatus::CommandError, Outcome::CommandError),
        Ours::ReportError => (ExecutionStatus::ReportError, Outcome::ReportError),
    };
    let failure = |failure: &super::result::Failure| Failure {
        classname: failure.classname.clone(),
        name: failure.name.clone(),
        message: failure.message.clone(),
        kind: failure.kind,
    };
    Ok(BackendTestResult {
        schema_version: 1,
        execution_status,
        pytest_exit_code,
        collection_status: result.collection_status,
        tests: result.tests,
        passed: result.passed,
        failed: result.failed,
        error: result.error,
        skipped: result.skipped,
        duration_ms: result.duration_ms,
        junit: Junit { relative_path: source.relative_path.clone(), sha256: source.sha256.clone() },
        command_summary: result.command_summary.clone(),
        failures: result.failures.iter().map(failure).collect(),
        outcome,
    })
}
