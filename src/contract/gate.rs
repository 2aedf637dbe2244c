//! The outcome gate: a result passes if its facts say so. No words of an agent can change that.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::classification::{Classification, ClassificationDecision, Fences, fences};
use super::result::{Outcome, TestResult};
use super::stability::StabilityEvidence;
use crate::error::Result;

/// What `mutate gate` says about a result.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct OutcomeGate {
    /// The outcome is `passed`, and nothing failed.
    pub passed: bool,
    pub outcome: Outcome,
    pub failed: usize,
    pub error: usize,
    /// What an agent may not claim about the result.
    pub fences: Fences,
    /// What becomes of the classification that was given; null without one. It never changes `passed`.
    pub classification: Option<ClassificationDecision>,
}

/// Fails with `Kind::Usage` for a result that contradicts itself.
pub fn outcome_gate(
    result: &TestResult,
    stability: Option<&StabilityEvidence>,
    classification: Option<&Classification>,
) -> Result<OutcomeGate> {
    result.check()?;
    let fences = fences(result, stability);
    let classification = classification.map(|classification| fences.decide(classification, result)).transpose()?;
    Ok(OutcomeGate {
        passed: result.outcome == Outcome::Passed && result.failed == 0 && result.error == 0,
        outcome: result.outcome,
        failed: result.failed,
        error: result.error,
        fences,
        classification,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::classification::Category;
    use crate::contract::document;
    use crate::contract::result::{ReportSource, SourceKind};

    const RESULT: &str = r#"{"schemaId": "mutate-test-result-v1", "schemaVersion": 1, "framework": "pytest", "executionStatus": "completed",
        "runnerExitCode": 1, "collectionStatus": "ok", "tests": 2, "passed": 1, "failed": 1, "error": 0, "skipped": 0,
        "reportSource": null, "commandSummary": "pytest", "spawned": true, "collectedItemCount": 2, "setupStartedCount": 2,
        "businessTestBodyExecutedCount": 2, "setupErrorCount": 0, "testFailureCount": 1, "teardownErrorCount": 0,
        "failures": [{"classname": "t.py", "name": "test_a", "message": "assert 1 == 2", "kind": "failure", "nodeId": "t.py::test_a", "phase": "call"}],
        "outcome": "completed-with-failures"}"#;

    fn result(changes: &[(&str, &str)]) -> TestResult {
        let text = changes.iter().fold(RESULT.to_owned(), |text, (old, new)| text.replace(old, new));
        document::parse(&text).unwrap()
    }

    fn passed() -> TestResult {
        let mut result = result(&[]);
        (result.failed, result.passed, result.outcome) = (0, 2, Outcome::Passed);
        result.failures.clear();
        result.report_source =
            Some(ReportSource { kind: SourceKind::Junit, relative_path: "report.xml".to_owned(), sha256: "00".repeat(32) });
        result
    }

    fn claim(category: Category, evidence: &str) -> Classification {
        Classification { category, evidence: vec![evidence.to_owned()], confidence: 0.9, notes: String::new() }
    }

    fn decision(result: &TestResult, claim: &Classification) -> ClassificationDecision {
        outcome_gate(result, None, Some(claim)).unwrap().classification.unwrap()
    }

    #[test]
    fn only_a_clean_result_passes() {
        assert!(outcome_gate(&passed(), None, None).unwrap().passed);
        assert!(!outcome_gate(&result(&[]), None, None).unwrap().passed);
        assert!(outcome_gate(&TestResult { report_source: None, ..passed() }, None, None).is_err());
    }

    #[test]
    fn numbers_that_contradict_each_other_are_refused() {
        for (old, new) in [
            (r#""tests": 2"#, r#""tests": 3"#),
            (r#""outcome": "completed-with-failures""#, r#""outcome": "passed""#),
            (r#""executionStatus": "completed""#, r#""executionStatus": "command-error""#),
            ("mutate-test-result-v1", "mutate-test-result-v2"),
        ] {
            assert!(outcome_gate(&result(&[(old, new)]), None, None).is_err(), "{new}");
        }
    }

    #[test]
    fn a_claim_goes_no_further_than_the_facts() {
        let failed = result(&[]);
        let bug = decision(&failed, &claim(Category::ProductBug, "failures[0].message says so"));
        assert_eq!((bug.accepted, bug.confidence), (true, Some(0.75)));
        assert!(!decision(&failed, &claim(Category::FlakyTest, "failures[0].message")).accepted);
        assert!(!decision(&failed, &claim(Category::ProductBug, "I feel it")).accepted);
        assert!(!decision(&failed, &claim(Category::ProductBug, "failures[7].message")).accepted);
        assert!(!decision(&passed(), &claim(Category::TestBug, "outcome")).accepted);
        assert!(decision(&passed(), &claim(Category::Unknown, "outcome")).accepted);
    }

    #[test]
    fn a_run_that_was_not_completed_says_nothing_about_the_product() {
        let broken = result(&[
            (r#""executionStatus": "completed""#, r#""executionStatus": "setup-error""#),
            (r#""outcome": "completed-with-failures""#, r#""outcome": "setup-error""#),
        ]);
        assert!(!decision(&broken, &claim(Category::ProductBug, "outcome")).accepted);
        assert_eq!(decision(&broken, &claim(Category::EnvFailure, "outcome")).confidence, Some(0.6));
    }
}
