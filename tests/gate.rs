//! `mutate gate`: a result passes only with its evidence, and no claim moves it.

use std::fs;

use assert_cmd::Command;
use serde_json::{Value, json};

const REPORT: &str = r#"<testsuite tests="1"><testcase classname="t" name="a"/></testsuite>"#;
/// SHA-256 of the report, by another program.
const DIGEST: &str = "007737e69715094894067125bdb6ffc5fd2df30e4d344b033dd068fb59aa8209";

struct Scene(tempfile::TempDir);

impl Scene {
    fn new(outcome: &str) -> Scene {
        let scene = Scene(tempfile::tempdir().expect("a folder"));
        scene.write("report.xml", REPORT);
        let failed = usize::from(outcome != "passed");
        let failure =
            json!({"classname": "t", "name": "a", "message": "1 != 2", "kind": "failure", "nodeId": "t::a", "phase": "call"});
        let result = json!({
            "schemaId": "mutate-test-result-v1", "schemaVersion": 1, "framework": "pytest", "executionStatus": "completed",
            "runnerExitCode": failed, "collectionStatus": "ok", "tests": 1, "passed": 1 - failed, "failed": failed, "error": 0,
            "skipped": 0, "reportSource": {"kind": "junit", "relativePath": "report.xml", "sha256": DIGEST},
            "commandSummary": "pytest", "spawned": true, "collectedItemCount": 1, "setupStartedCount": 1,
            "businessTestBodyExecutedCount": 1, "setupErrorCount": 0, "testFailureCount": failed, "teardownErrorCount": 0,
            "failures": vec![failure; failed], "outcome": outcome,
        });
        scene.write("result.json", &result.to_string());
        scene
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.0.path().join(name), text).expect("a file");
    }

    /// Changes one text of the result.
    fn forge(&self, old: &str, new: &str) {
        let text = fs::read_to_string(self.0.path().join("result.json")).expect("the result");
        assert!(text.contains(old), "{text}");
        self.write("result.json", &text.replace(old, new));
    }

    fn gate(&self, arguments: &[&str]) -> (i32, Value) {
        let output = Command::cargo_bin("mutate").expect("mutate").current_dir(self.0.path()).arg("gate").args(arguments).output();
        let output = output.expect("an answer");
        (output.status.code().expect("a code"), serde_json::from_slice(&output.stdout).unwrap_or_default())
    }

    fn code(&self) -> i32 {
        self.gate(&["result.json"]).0
    }
}

#[test]
fn facts_decide() {
    assert_eq!(Scene::new("passed").code(), 0);
    assert_eq!(Scene::new("completed-with-failures").code(), 1);
}

#[test]
fn without_its_evidence_nothing_passes() {
    let scene = Scene::new("passed");
    scene.write("report.xml", "<testsuite/>");
    assert_eq!(scene.code(), 2);
    fs::remove_file(scene.0.path().join("report.xml")).expect("it was there");
    assert_eq!(scene.code(), 2);
    let elsewhere = Scene::new("passed");
    elsewhere.forge("report.xml", "../report.xml");
    assert_eq!(elsewhere.code(), 2);
    assert_eq!(elsewhere.gate(&["nothing.json"]).0, 2);
}

#[test]
fn a_forged_result_is_refused() {
    for (old, new) in [
        (r#""outcome":"completed-with-failures""#, r#""outcome":"passed""#),
        (r#""failed":1"#, r#""failed":0"#),
        (r#""spawned":true"#, r#""spawned":true,"note":"all is well""#),
        (r#""schemaVersion":1"#, r#""schemaVersion":2"#),
    ] {
        let scene = Scene::new("completed-with-failures");
        scene.forge(old, new);
        assert_eq!(scene.code(), 2, "{new}");
    }
}

#[test]
fn a_claim_is_held_within_the_facts_and_cannot_pass_a_gate() {
    let scene = Scene::new("completed-with-failures");
    let arguments = ["result.json", "--classification", "claim.json"];
    scene.write(
        "claim.json",
        "```json\n{\"category\": \"ProductBug\", \"evidence\": [\"failures[0].message\"], \"confidence\": 0.99}\n```\n",
    );
    let (code, answer) = scene.gate(&arguments);
    assert_eq!((code, &answer["classification"]["confidence"]), (1, &json!(0.75)));
    scene.write("claim.json", r#"{"category": "FlakyTest", "evidence": ["outcome"], "confidence": 1}"#);
    let (code, answer) = scene.gate(&arguments);
    assert_eq!((code, &answer["classification"]["accepted"]), (1, &json!(false)));
    scene.write("claim.json", r#"{"category": "Unknown", "evidence": ["outcome"], "confidence": 1, "score": 100}"#);
    assert_eq!(scene.gate(&arguments).0, 2);
}

#[test]
fn what_is_said_is_as_its_schema_says() {
    let schema = Command::cargo_bin("mutate").expect("mutate").args(["schema", "outcome-gate-v1"]).output().expect("a schema");
    let schema: Value = serde_json::from_slice(&schema.stdout).expect("JSON");
    for outcome in ["passed", "completed-with-failures"] {
        let (_, answer) = Scene::new(outcome).gate(&["result.json"]);
        jsonschema::validate(&schema, &answer).unwrap_or_else(|why| panic!("{why}: {answer}"));
    }
}
