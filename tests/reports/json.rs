use std::collections::{BTreeMap, BTreeSet};

use mutate::report::Report;
use mutate::report::formats::Look;
use serde_json::{Value, json};

use crate::{rendered, sample};

const SCHEMA: &str = include_str!("../schemas/mutation-testing-report-schema.json");

fn document(report: &Report) -> Value {
    serde_json::from_str(&rendered("json", report, Look::default())).unwrap()
}

fn complaints(document: &Value) -> Vec<String> {
    let schema: Value = serde_json::from_str(SCHEMA).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    validator.iter_errors(document).map(|error| format!("{}: {error}", error.instance_path())).collect()
}

/// File, mutant.
fn mutants(document: &Value) -> Vec<(&str, &Value)> {
    let files = document["files"].as_object().unwrap();
    files
        .iter()
        .flat_map(|(path, file)| file["mutants"].as_array().unwrap().iter().map(move |mutant| (path.as_str(), mutant)))
        .collect()
}

#[test]
fn the_document_is_valid_by_the_official_schema() {
    let timed = Look { all: true, timings: true };
    assert_eq!(complaints(&document(&sample::report(1))), Vec::<String>::new());
    let timed: Value = serde_json::from_str(&rendered("json", &sample::report(1), timed)).unwrap();
    assert_eq!(complaints(&timed), Vec::<String>::new());
    assert_eq!(timed["performance"], json!({ "setup": 1000, "initialRun": 1000, "mutation": 1000 }));
    let empty = Report { files: Vec::new(), mutants: Vec::new(), baselines: Vec::new(), ..sample::report(1) };
    assert_eq!(complaints(&document(&empty)), Vec::<String>::new());
}

#[test]
fn the_check_against_the_schema_can_fail() {
    let mut wrong = document(&sample::report(1));
    wrong["files"]["shop/cart.py"]["mutants"][0]["status"] = json!("survived");
    assert_eq!(complaints(&wrong).len(), 1);
}

#[test]
fn nothing_is_null() {
    fn nulls(value: &Value) -> usize {
        match value {
            Value::Null => 1,
            Value::Array(items) => items.iter().map(nulls).sum(),
            Value::Object(fields) => fields.values().map(nulls).sum(),
            _ => 0,
        }
    }
    assert_eq!(nulls(&document(&sample::report(1))), 0);
}

#[test]
fn every_verdict_has_its_word_of_the_schema() {
    let document = document(&sample::report(1));
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for (_, mutant) in mutants(&document) {
        *counts.entry(mutant["status"].as_str().unwrap()).or_default() += 1;
    }
    let expected = [
        ("CompileError", 1),
        ("Ignored", 1),
        ("Killed", 2),
        ("NoCoverage", 2),
        ("RuntimeError", 1),
        ("Survived", 6),
        ("Timeout", 1),
    ];
    assert_eq!(counts, BTreeMap::from(expected));
}

#[test]
fn ids_are_unique_over_the_whole_report() {
    let document = document(&sample::report(1));
    let ids: BTreeSet<&str> = mutants(&document).iter().map(|(_, mutant)| mutant["id"].as_str().unwrap()).collect();
    assert_eq!(ids.len(), mutants(&document).len());
    let high_and_low = (document["thresholds"]["high"].as_u64(), document["thresholds"]["low"].as_u64());
    assert!(high_and_low.0 >= high_and_low.1);
}

#[test]
fn a_killer_covers_and_every_test_number_has_a_name() {
    let document = document(&sample::report(1));
    let files = document["testFiles"].as_object().unwrap();
    let known: Vec<&str> =
        files.values().flat_map(|file| file["tests"].as_array().unwrap()).map(|test| test["id"].as_str().unwrap()).collect();
    assert_eq!(known.len(), known.iter().collect::<BTreeSet<_>>().len());
    let texts = |value: &Value| -> BTreeSet<String> {
        value.as_array().into_iter().flatten().map(|id| id.as_str().unwrap().to_string()).collect()
    };
    let mut killers = 0;
    for (_, mutant) in mutants(&document) {
        let (covering, killing) = (texts(&mutant["coveredBy"]), texts(&mutant["killedBy"]));
        assert!(killing.is_subset(&covering), "{mutant}");
        assert!(covering.iter().all(|id| known.contains(&id.as_str())), "{mutant}");
        killers += killing.len();
    }
    assert_eq!(killers, 2);
    assert_eq!(files[""]["tests"][0]["name"], "tests/test_old.py");
}

/// As a viewer does it: lines at line feeds, columns in UTF-16 code units.
fn text_at(source: &str, location: &Value) -> String {
    let lines: Vec<Vec<u16>> = source.split('\n').map(|line| line.encode_utf16().collect()).collect();
    let number = |end: &str, name: &str| location[end][name].as_u64().unwrap() as usize;
    let (first, last) = (number("start", "line"), number("end", "line"));
    let mut text = Vec::new();
    for line in first..=last {
        let units = &lines[line - 1];
        let from = if line == first { number("start", "column") - 1 } else { 0 };
        let to = if line == last { number("end", "column") - 1 } else { units.len() };
        text.extend_from_slice(&units[from..to]);
        if line < last {
            text.push(u16::from(b'\n'));
        }
    }
    String::from_utf16(&text).unwrap()
}

#[test]
fn the_text_at_every_location_is_the_original() {
    let document = document(&sample::report(1));
    let own = &document["config"]["mutate"]["mutants"];
    for (path, mutant) in mutants(&document) {
        let source = document["files"][path]["source"].as_str().unwrap();
        let original = own[mutant["id"].as_str().unwrap()]["original"].as_str().unwrap();
        assert_eq!(text_at(source, &mutant["location"]), original, "{path}: {mutant}");
    }
}

#[test]
fn a_file_that_is_not_utf8_keeps_its_columns() {
    let document = document(&sample::report(1));
    let old = &document["files"]["shop/old.py"];
    assert!(old["source"].as_str().unwrap().contains("NAME = '\u{fffd}t\u{fffd}' + 'x'"));
    assert_eq!(old["mutants"][0]["location"]["start"], json!({ "line": 2, "column": 14 }));
}

#[test]
fn two_runs_over_the_same_input_give_the_same_bytes() {
    let one = rendered("json", &sample::report(1), Look::default());
    let other = rendered("json", &sample::report(99), Look::default());
    assert_eq!(one, other);
}

#[test]
fn no_path_of_this_machine_and_no_address_gets_into_a_shared_report() {
    let text = rendered("json", &sample::report(1), Look::default());
    assert!(!text.contains("/home/me"), "{text}");
    assert!(!text.contains("0x7f00deadbeef"));
    assert!(text.contains("AssertionError: <C at 0x…> in shop/cart.py"));
}

#[test]
fn the_proof_stands_beside_every_verdict_that_was_run() {
    let report = sample::report(1);
    let document = document(&report);
    let own = &document["config"]["mutate"];
    let survivor = &own["mutants"][report.mutants[0].mutant.id.to_string()];
    let expected = json!({
        "rule": "condition/boundary",
        "kind": "boundary-off-by-one",
        "function": "total",
        "original": "amount > 100",
        "hint": "add a case where both sides are equal",
        "path": "cold",
        "mutatedBytes": report.mutants[0].certificate.as_ref().unwrap().mutated_bytes.to_string(),
        "reached": true,
        "testsSelected": 2,
        "testsRun": 1,
        "ended": "exit code 0",
    });
    assert_eq!(*survivor, expected);
    let proof = &own["files"]["shop/cart.py"];
    assert_eq!(proof["before"], proof["after"]);
    assert_eq!(own["exitCode"], 1);
    assert_eq!(own["score"]["counts"]["survived"], 6);
    assert_eq!(own["complete"], true);
}
