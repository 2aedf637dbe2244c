//! Evidence of stability: the same tests, run several times on the same code. Without enough runs there is none.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::suite::{TestRun, TestStatus};

pub const SCHEMA_ID: &str = "stability-evidence-v1";
/// Fewer runs show nothing.
pub const REQUIRED_RUNS: usize = 5;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    Available,
    Unavailable,
}

/// How often a test ended in which way.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TestStability {
    pub node_id: String,
    pub passed: usize,
    pub failed: usize,
    pub skipped: usize,
    /// Runs in which it did not come to its end.
    pub missing: usize,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct StabilityEvidence {
    pub schema_id: String,
    pub schema_version: u32,
    pub status: Status,
    pub framework: String,
    pub runs: usize,
    /// 5.
    pub required_runs: usize,
    /// Digest of the files of the project, the same before every run; null if they changed.
    pub sources_sha256: Option<String>,
    pub tests: Vec<TestStability>,
    /// Tests that passed in one run and failed in another.
    pub flaky: Vec<String>,
    /// Flaky tests ÷ tests; null where the evidence is unavailable.
    pub flaky_ratio: Option<f64>,
    /// Why it is unavailable.
    pub reason: Option<String>,
}

/// What several runs say. `None` stands for a run without a report; `sources` are the digests before each run.
pub fn evidence(framework: &str, runs: &[Option<TestRun>], sources: &[String]) -> StabilityEvidence {
    let tests = tests(runs);
    let same = sources.windows(2).all(|pair| pair[0] == pair[1]);
    let flaky: Vec<String> =
        tests.iter().filter(|test| test.passed > 0 && test.failed > 0).map(|test| test.node_id.clone()).collect();
    let reason = match () {
        () if runs.len() < REQUIRED_RUNS => Some(format!("{} of {REQUIRED_RUNS} runs that are needed", runs.len())),
        () if !same => Some("files of the project changed between the runs".to_owned()),
        () if runs.iter().any(Option::is_none) => Some("a run has no report".to_owned()),
        () if tests.is_empty() => Some("no test ran".to_owned()),
        () => None,
    };
    StabilityEvidence {
        schema_id: SCHEMA_ID.to_owned(),
        schema_version: 1,
        status: if reason.is_none() { Status::Available } else { Status::Unavailable },
        framework: framework.to_owned(),
        runs: runs.len(),
        required_runs: REQUIRED_RUNS,
        sources_sha256: sources.first().filter(|_| same).cloned(),
        flaky_ratio: reason.is_none().then(|| flaky.len() as f64 / tests.len() as f64),
        flaky: if reason.is_none() { flaky } else { Vec::new() },
        tests,
        reason,
    }
}

fn tests(runs: &[Option<TestRun>]) -> Vec<TestStability> {
    let mut tests: BTreeMap<&str, TestStability> = BTreeMap::new();
    for result in runs.iter().flatten().flat_map(|run| &run.results) {
        let id = result.id.as_str();
        let test = tests.entry(id).or_insert_with(|| TestStability { node_id: id.to_owned(), ..TestStability::default() });
        match result.status {
            TestStatus::Passed => test.passed += 1,
            TestStatus::Failed(_) => test.failed += 1,
            TestStatus::Skipped => test.skipped += 1,
        }
    }
    let complete = |test: TestStability| {
        let seen = test.passed + test.failed + test.skipped;
        TestStability { missing: runs.len().saturating_sub(seen), ..test }
    };
    tests.into_values().map(complete).collect()
}
