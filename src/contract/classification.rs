//! Fences around what an agent may claim about a failed run, computed from the facts of the run alone.
//!
//! The agent judges; but no judgement is let through that the facts forbid, and none is more certain than they allow.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::result::{ExecutionStatus, Outcome, TestResult};
use super::stability::{self, StabilityEvidence};
use crate::error::{Error, Result};
use crate::suite::Phase;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub enum Category {
    ProductBug,
    TestBug,
    EnvFailure,
    ContractMismatch,
    FlakyTest,
    Unknown,
}

/// What the agent wrote.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Classification {
    pub category: Category,
    /// At least one; each names a field of the result, for example `failures[0].message`.
    pub evidence: Vec<String>,
    /// From 0 to 1.
    pub confidence: f64,
    #[serde(default)]
    pub notes: String,
}

/// What the facts allow.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Fences {
    pub forbidden: Vec<Category>,
    pub confidence_cap: f64,
    /// Why, one for each fence.
    pub reasons: Vec<String>,
}

/// What becomes of a classification.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ClassificationDecision {
    pub accepted: bool,
    pub category: Category,
    /// The agent's, but never above the cap; null if it is refused.
    pub confidence: Option<f64>,
    /// Why it is refused.
    pub refusals: Vec<String>,
}

/// Without a completed run little is known of the product.
const CAP_INCOMPLETE: f64 = 0.6;
/// An assertion may be wrong just as well as the code.
const CAP_ASSERTION: f64 = 0.75;

pub fn fences(result: &TestResult, stability: Option<&StabilityEvidence>) -> Fences {
    let mut fences = Fences { forbidden: Vec::new(), confidence_cap: 1.0, reasons: Vec::new() };
    if result.outcome == Outcome::Passed {
        let all = [Category::ProductBug, Category::TestBug, Category::EnvFailure, Category::ContractMismatch, Category::FlakyTest];
        fences.forbid(&all, "all tests passed: there is no failure to explain");
        return fences;
    }
    if result.execution_status != ExecutionStatus::Completed {
        fences.forbid(&[Category::ProductBug], "the run was not completed: it says nothing about the product");
        fences.cap(CAP_INCOMPLETE, "the run was not completed");
    }
    if result.failures.iter().any(|failure| failure.phase == Phase::Call) {
        fences.cap(CAP_ASSERTION, "an assertion failed: test or code may be wrong");
    }
    match stability {
        Some(evidence) if evidence.status == stability::Status::Available && !evidence.flaky.is_empty() => {}
        Some(evidence) if evidence.status == stability::Status::Available => {
            fences.forbid(&[Category::FlakyTest], "every test ended alike in all runs");
        }
        _ => fences.forbid(&[Category::FlakyTest], "one run cannot show that a test is flaky"),
    }
    fences
}

impl Fences {
    fn forbid(&mut self, categories: &[Category], why: &str) {
        self.forbidden.extend(categories.iter().filter(|category| !self.forbidden.contains(category)).copied().collect::<Vec<_>>());
        self.reasons.push(why.to_owned());
    }

    fn cap(&mut self, cap: f64, why: &str) {
        self.confidence_cap = self.confidence_cap.min(cap);
        self.reasons.push(format!("{why} (confidence at most {cap})"));
    }

    /// Lets a classification through, or says why not.
    pub fn decide(&self, classification: &Classification, result: &TestResult) -> Result<ClassificationDecision> {
        if !(0.0..=1.0).contains(&classification.confidence) {
            return Err(Error::usage("the confidence of a classification is not between 0 and 1"));
        }
        let facts = serde_json::to_value(result).map_err(|cause| Error::internal("a result has no JSON form").cause(cause))?;
        let mut refusals = Vec::new();
        if self.forbidden.contains(&classification.category) {
            refusals.push(format!("{:?} is forbidden: {}", classification.category, self.reasons.join("; ")));
        }
        if classification.evidence.is_empty() {
            refusals.push("there is no evidence".to_owned());
        }
        let uncited = classification.evidence.iter().filter(|evidence| !cites(&facts, evidence));
        refusals.extend(uncited.map(|evidence| format!("this names no field of the result: {evidence}")));
        let accepted = refusals.is_empty();
        let confidence = accepted.then(|| classification.confidence.min(self.confidence_cap));
        Ok(ClassificationDecision { accepted, category: classification.category, confidence, refusals })
    }
}

/// True if one of its words is the path of a field that is there.
fn cites(facts: &Value, evidence: &str) -> bool {
    let word = |char: char| !(char.is_ascii_alphanumeric() || ".[]".contains(char));
    evidence.split(word).map(|word| word.trim_matches('.')).any(|path| !path.is_empty() && is_there(facts, path))
}

fn is_there(facts: &Value, path: &str) -> bool {
    let pointer: String = path.replace('[', ".").replace(']', "").split('.').map(|part| format!("/{part}")).collect();
    facts.pointer(&pointer).is_some_and(|value| !value.is_null())
}
