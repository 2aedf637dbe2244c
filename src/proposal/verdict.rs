//! What the executions amount to: score, weak tests, one word, and the exit code.
//!
//! Pure. A total order, so that nothing is a matter of taste: anything weak makes it WEAK, else anything meaningful makes it
//! MEANINGFUL, else it is TRIVIAL. What an agent has predicted is compared and never counted.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};

use super::execution::{AssertionVerdict, Execution, Status};
use super::given::{Dropped, SCHEMA_VERSION};
use crate::text::sha256;

#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct MutationVerdict {
    pub schema_version: &'static str,
    pub kind: &'static str,
    pub verdict: Word,
    pub summary: String,
    pub score: Score,
    pub executions: Vec<Execution>,
    pub weak_tests: Vec<WeakTest>,
    /// False if something was left out or the time was up.
    pub complete: bool,
    /// False if no proposal was measured: then the verdict says nothing about the tests.
    pub measured: bool,
    pub dropped: Vec<Dropped>,
    pub calibration: Calibration,
    pub integrity: Integrity,
    pub attest: Attest,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "UPPERCASE")]
pub enum Word {
    Meaningful,
    Weak,
    Trivial,
}

impl Word {
    fn of(score: &Score) -> Word {
        if score.weak > 0 {
            return Word::Weak;
        }
        if score.meaningful > 0 { Word::Meaningful } else { Word::Trivial }
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Score {
    pub meaningful: usize,
    pub weak: usize,
    pub skipped: usize,
    pub total_scored: usize,
    /// Part of `weak`.
    pub no_coverage: usize,
    /// Part of `meaningful`.
    pub timeouts: usize,
}

impl Score {
    pub fn of(executions: &[Execution]) -> Score {
        let count = |status: Status| executions.iter().filter(|execution| execution.status == status).count();
        let (no_coverage, timeouts) = (count(Status::NoCoverage), count(Status::Timeout));
        let (meaningful, weak) = (count(Status::Killed) + timeouts, count(Status::Survived) + no_coverage);
        let total_scored = meaningful + weak;
        Score { meaningful, weak, skipped: executions.len() - total_scored, total_scored, no_coverage, timeouts }
    }
}

/// A test that has let a mutant through.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct WeakTest {
    pub test: String,
    pub target_function: String,
    pub reason: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub suggested_assertion: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub assertion_verdict: Option<AssertionVerdict>,
}

/// How good the predictions were, of mutants that were measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Calibration {
    pub predicted: usize,
    pub correct: usize,
}

/// What else must hold. `null` is what this command does not look at.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Integrity {
    /// `green` or `red`; `null` if no test was run.
    pub baseline: Option<&'static str>,
    pub tests_removed: Option<usize>,
    pub tests_skipped: Option<usize>,
    pub ignores_added: Option<usize>,
    pub config_changed: Option<bool>,
    /// Verdicts that were not measured in this call: there are none.
    pub cache_used: usize,
    /// Files of the project that changed while it was measured.
    pub tampering: Vec<String>,
    /// Mutants on which the run proved nothing, by id.
    pub errors: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Attest {
    pub tool: String,
    pub inputs: String,
    pub result: String,
    pub mac: Option<String>,
}

/// What the stages above know beside the executions.
#[derive(Clone, Debug, Default)]
pub struct Facts {
    pub input: Vec<u8>,
    pub dropped: Vec<Dropped>,
    pub baseline: Option<&'static str>,
    pub tampering: Vec<String>,
}

impl MutationVerdict {
    pub fn of(executions: Vec<Execution>, facts: Facts) -> MutationVerdict {
        let score = Score::of(&executions);
        let pending = executions.iter().any(|execution| execution.status == Status::Pending);
        let predicted = executions.iter().filter_map(|execution| execution.prediction_correct);
        let calibration =
            Calibration { predicted: predicted.clone().count(), correct: predicted.filter(|correct| *correct).count() };
        let errors = executions.iter().filter(|execution| execution.status == Status::RuntimeError);
        let errors = errors.filter_map(|execution| execution.id.clone()).collect();
        // Plain data with text keys: there is nothing in it that could fail to become JSON.
        let result = sha256::of(&serde_json::to_vec(&executions).unwrap_or_default());
        MutationVerdict {
            schema_version: SCHEMA_VERSION,
            kind: "mutation-verdict",
            verdict: Word::of(&score),
            summary: summary(&score, executions.len()),
            weak_tests: executions.iter().filter_map(weak_test).collect(),
            complete: !pending && facts.dropped.is_empty(),
            measured: score.total_scored > 0,
            dropped: facts.dropped,
            calibration,
            integrity: Integrity {
                baseline: facts.baseline,
                tests_removed: None,
                tests_skipped: None,
                ignores_added: None,
                config_changed: None,
                cache_used: 0,
                tampering: facts.tampering,
                errors,
            },
            attest: Attest {
                tool: format!("mutate {}", env!("CARGO_PKG_VERSION")),
                inputs: sha256::of(&facts.input),
                result,
                mac: None,
            },
            score,
            executions,
        }
    }

    /// 8 > 5 > 4 > 2 > 3 > 7 > 1 > 0: what makes the answer worth less comes before what the answer is.
    pub fn exit_code(&self) -> u8 {
        let is_stale = |execution: &Execution| execution.status_reason.starts_with("stale-source");
        if !self.integrity.tampering.is_empty() {
            return 8;
        }
        if !self.integrity.errors.is_empty() {
            return 5;
        }
        if self.integrity.baseline == Some("red") {
            return 4;
        }
        if self.executions.iter().any(is_stale) {
            return 2;
        }
        if !self.measured {
            return 3;
        }
        if !self.complete {
            return 7;
        }
        u8::from(self.verdict == Word::Weak)
    }

    /// The form of the workflow that proposes: its fields and no others. There, what no test reaches counts as skipped.
    pub fn for_workflow(&self) -> Value {
        let is_applied = |execution: &Execution| execution.applied && execution.status != Status::NoCoverage;
        let score = Score {
            weak: self.score.weak - self.score.no_coverage,
            skipped: self.score.skipped + self.score.no_coverage,
            total_scored: self.score.total_scored - self.score.no_coverage,
            ..self.score
        };
        let execution = |execution: &Execution| {
            json!({
                "targetFunction": execution.target_function,
                "applied": is_applied(execution),
                "caught": execution.caught,
                "testRun": execution.test_run.clone().unwrap_or_default(),
                "file": execution.file,
                "mutationKind": execution.mutation_kind,
                "mutationDescription": execution.mutation_description,
                "evidence": execution.evidence.clone().unwrap_or_else(|| execution.status_reason.clone()),
            })
        };
        let weak = self.executions.iter().filter(|execution| execution.status == Status::Survived).filter_map(weak_test);
        let weak_test = |weak: WeakTest| {
            let mut test = json!({ "test": weak.test, "targetFunction": weak.target_function, "reason": weak.reason });
            if let Some(assertion) = weak.suggested_assertion {
                test["suggestedAssertion"] = assertion.into();
            }
            test
        };
        json!({
            "verdict": Word::of(&score),
            "executions": self.executions.iter().map(execution).collect::<Vec<_>>(),
            "weakTests": weak.map(weak_test).collect::<Vec<_>>(),
            "score": {
                "meaningful": score.meaningful,
                "weak": score.weak,
                "skipped": score.skipped,
                "totalScored": score.total_scored,
            },
            "summary": summary(&score, self.executions.len()),
        })
    }
}

fn summary(score: &Score, all: usize) -> String {
    format!("{} meaningful, {} weak, {} skipped of {all}", score.meaningful, score.weak, score.skipped)
}

fn weak_test(execution: &Execution) -> Option<WeakTest> {
    if !matches!(execution.status, Status::Survived | Status::NoCoverage) {
        return None;
    }
    let assertion = execution.suggested_assertion.as_ref();
    Some(WeakTest {
        test: execution.expected_catcher_test.test_name.clone(),
        target_function: execution.target_function.clone(),
        reason: execution.status_reason.clone(),
        suggested_assertion: assertion.map(|assertion| assertion.code.clone()),
        assertion_verdict: assertion.map(|assertion| assertion.verdict),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::proposal::execution::refused;
    use crate::proposal::given;
    use crate::proposal::refusal::{Refusal, Why};

    fn execution(status: Status) -> Execution {
        let line = r#"{"targetFunction":"f","file":"a.py","mutationKind":"x-any","original":"a","replacement":"b",
            "expectedCatcherTest":{"testFile":"t.py","testName":"n"},"predictedCaught":true}"#;
        let proposal = given::read(line.as_bytes()).unwrap().proposals.remove(0);
        let refused = refused(&proposal, &Refusal::of(Why::NoMatch, ""));
        let (applied, caught) = (
            matches!(status, Status::Killed | Status::Timeout | Status::Survived | Status::NoCoverage),
            matches!(status, Status::Killed | Status::Timeout),
        );
        Execution { id: Some("00000001".into()), status, applied, caught, ..refused }
    }

    fn verdict(statuses: &[Status]) -> MutationVerdict {
        MutationVerdict::of(statuses.iter().map(|status| execution(*status)).collect(), Facts::default())
    }

    use Status::*;

    #[test]
    fn anything_weak_is_weak_and_nothing_is_trivial() {
        let word = |statuses: &[Status]| verdict(statuses).verdict;
        assert_eq!(word(&[Killed, Survived]), Word::Weak);
        assert_eq!(word(&[Killed, NoCoverage]), Word::Weak);
        assert_eq!(word(&[Killed, Ignored, CompileError]), Word::Meaningful);
        assert_eq!(word(&[Timeout]), Word::Meaningful);
        assert_eq!(word(&[Ignored, Pending, RuntimeError]), Word::Trivial);
        assert_eq!(word(&[]), Word::Trivial);
    }

    #[test]
    fn every_execution_is_in_one_bucket() {
        let found = verdict(&[Killed, Timeout, Survived, NoCoverage, CompileError, RuntimeError, Ignored, Pending]);
        let expected = Score { meaningful: 2, weak: 2, skipped: 4, total_scored: 4, no_coverage: 1, timeouts: 1 };
        assert_eq!(found.score, expected);
        assert_eq!(found.summary, "2 meaningful, 2 weak, 4 skipped of 8");
    }

    #[test]
    fn what_makes_the_answer_worth_less_decides_the_exit_code() {
        let code = |statuses: &[Status]| verdict(statuses).exit_code();
        assert_eq!(code(&[Killed]), 0);
        assert_eq!(code(&[Killed, Survived]), 1);
        assert_eq!(code(&[Killed, Ignored]), 0);
        assert_eq!(code(&[Ignored]), 3);
        assert_eq!(code(&[Survived, Pending]), 7);
        assert_eq!(code(&[Killed, RuntimeError]), 5);
        let with = |facts: Facts| MutationVerdict::of(vec![execution(Killed)], facts).exit_code();
        assert_eq!(with(Facts { baseline: Some("red"), ..Facts::default() }), 4);
        assert_eq!(with(Facts { baseline: Some("red"), tampering: vec!["a.py".into()], ..Facts::default() }), 8);
    }

    #[test]
    fn the_workflow_gets_its_own_fields_and_skips_what_is_not_reached() {
        let found = verdict(&[Killed, NoCoverage]).for_workflow();
        assert_eq!(found["verdict"], "MEANINGFUL");
        assert_eq!(found["score"], json!({ "meaningful": 1, "weak": 0, "skipped": 1, "totalScored": 1 }));
        assert_eq!(found["executions"][1]["applied"], false);
        assert_eq!(found["weakTests"], json!([]));
    }
}
