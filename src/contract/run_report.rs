//! The report of an isolated run for people and agents: YAML, with every test. It interprets nothing.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    Passed,
    /// Also a test that could not say anything, because what is around it broke.
    Failed,
    Skipped,
}

/// Numbers of tests; `total` is the sum of the next three.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Summary {
    pub total: usize,
    pub passed: usize,
    pub failed: usize,
    pub skipped: usize,
    pub duration_ms: u64,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PerTest {
    pub file: String,
    pub name: String,
    pub status: Status,
    pub duration_ms: u64,
    /// Null unless it failed.
    pub failure_message: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ParserStatus {
    Ok,
    /// Not everything is known: the run ended before its end, or nobody can read its output.
    Partial,
    Failed,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TestRunReport {
    /// RFC 3339.
    pub run_at: String,
    pub harness_id: String,
    pub codebase_root: String,
    pub test_files: Vec<String>,
    pub summary: Summary,
    pub per_test: Vec<PerTest>,
    /// As the process ended; the results, not this, say whether tests passed. Null if it was stopped.
    pub runner_exit_code: Option<i32>,
    /// The last 4 KiB, without secrets.
    pub stdout_tail: String,
    pub stderr_tail: String,
    pub parser_status: ParserStatus,
}

/// Why there is no report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum WhatFailed {
    InstallFailed,
    RunnerTimeout,
    RunnerUnreachable,
    ParseFailure,
    UnsafePaths,
    /// No harness was found, by `mutate detect`.
    NoHarnessDetectable,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Evidence {
    pub exit_code: Option<i32>,
    pub stderr_tail: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub offending_path: Option<String>,
}

/// Always `failure`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum FailureStatus {
    #[default]
    Failure,
}

/// In place of a report.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FailureRecord {
    pub status: FailureStatus,
    pub what_failed: WhatFailed,
    pub detail: String,
    pub evidence: Evidence,
}

impl FailureRecord {
    pub fn new(what_failed: WhatFailed, detail: impl Into<String>) -> FailureRecord {
        FailureRecord { status: FailureStatus::Failure, what_failed, detail: detail.into(), evidence: Evidence::default() }
    }
}
