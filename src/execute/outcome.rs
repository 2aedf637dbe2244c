//! What happened in a trial, before anybody concludes anything, and the certificate that goes with a verdict.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::added::Said;
use crate::mutant::{Mutant, Verdict};
use crate::plan::Trial;
use crate::scratch::process::Ended;
use crate::suite::{TestId, TestRun, TestSelection, TestStatus};
use crate::text::Digest;

/// The facts of one trial.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    pub ended: Ended,
    /// What the runner's helper reported; an error if the report could not be read.
    pub run: Result<TestRun, String>,
    /// Digest of the mutated file as the test process saw it; `None` if nobody looked.
    pub in_place: Option<Digest>,
    /// Digest that it should have had.
    pub intended: Digest,
    pub command: String,
}

/// The evidence for a verdict, printed by `mutate show`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Certificate {
    /// blake3 of the mutated file as the test process saw it.
    pub mutated_bytes: Digest,
    /// Whether a test reached the mutated place in the baseline; `None` if that could not be measured.
    pub reached: Option<bool>,
    /// Tests that were asked for; `None` means all of the project.
    pub tests_selected: Option<usize>,
    /// Tests that really ran.
    pub tests_run: usize,
    /// Selected tests that the framework did not find.
    pub tests_missing: usize,
    /// Which path gave the verdict: `cold` (a new process) or `warm` (a child of a process that had loaded the tests), with the words
    /// `whole suite` where all tests were asked.
    pub path: String,
    /// Why it was not warm.
    #[serde(default)]
    pub cold_because: Option<String>,
    /// What tests said that were asked for by name; those that said nothing are missing.
    #[serde(default)]
    pub answers: BTreeMap<TestId, Answer>,
    pub ended: Ended,
    /// What a person would type to see the verdict by hand, with the mutant in place.
    pub command: String,
}

/// What one test said.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Answer {
    Passed,
    Failed,
    Skipped,
}

impl Answer {
    pub fn of(status: &TestStatus) -> Answer {
        match status {
            TestStatus::Passed => Answer::Passed,
            TestStatus::Failed(_) => Answer::Failed,
            TestStatus::Skipped => Answer::Skipped,
        }
    }
}

impl Certificate {
    pub fn is_warm(&self) -> bool {
        self.path.starts_with("warm")
    }
}

/// The tests that were asked about a mutant; `None` if it was not run.
pub fn selection_of(trial: &Trial, measured: &Measured) -> Option<TestSelection> {
    Some(match measured.certificate.as_ref()?.tests_selected {
        Some(_) => TestSelection::Only(trial.tests.clone()),
        None => TestSelection::All,
    })
}

/// A mutant with its verdict and the evidence.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Measured {
    pub mutant: Mutant,
    pub verdict: Verdict,
    /// Tests that reach the mutant, in the order of the run.
    pub covered_by: Vec<TestId>,
    /// Reached while modules are imported: every test is a candidate.
    pub import_time: bool,
    /// Absent for mutants that were not run.
    pub certificate: Option<Certificate>,
    /// What a test said that the project does not have, where somebody suggests one; or why it could not be run.
    #[serde(default)]
    pub added: Option<Result<Said, String>>,
}

impl Measured {
    /// A mutant that was never about to run.
    pub fn untried(mutant: Mutant, verdict: Verdict) -> Measured {
        Measured { mutant, verdict, covered_by: Vec::new(), import_time: false, certificate: None, added: None }
    }

    /// A mutant whose verdict needs, or got, no run.
    pub fn without_run(trial: &Trial, verdict: Verdict) -> Measured {
        Measured {
            mutant: trial.mutant.clone(),
            verdict,
            covered_by: trial.reached_by.clone(),
            import_time: trial.import_time,
            certificate: None,
            added: None,
        }
    }
}
