//! `mutate schema [NAME]`: the JSON Schemas of the documents that agents and pipelines read and write, made from their types.

use clap::Args;
use schemars::{JsonSchema, Schema, schema_for};

use super::flags::GlobalFlags;
use super::print;
use crate::config::nearest;
use crate::contract::{backend, classification, gate, harness, manifest, request, result, run_report, stability};
use crate::error::{Error, Result};
use crate::proposal::verdict::MutationVerdict;

/// Prints a JSON Schema (2020-12), or without a name the list of all.
#[derive(Args, Clone, Debug, Default)]
pub struct SchemaFlags {
    /// The name of a document
    #[arg(value_name = "NAME")]
    pub name: Option<String>,
}

/// A document by its name.
struct Entry {
    name: &'static str,
    what: &'static str,
    schema: fn() -> Schema,
}

const fn entry<T: JsonSchema>(name: &'static str, what: &'static str) -> Entry {
    Entry { name, what, schema: || schema_for!(T) }
}

const ALL: &[Entry] = &[
    entry::<backend::BackendTestResult>("backend-test-result-v1", "the published shape of pytest's results"),
    entry::<manifest::CaseManifest>("case-manifest-v1", "which case tests which acceptance criterion"),
    entry::<classification::Classification>("classification-v1", "what an agent claims about a failed run"),
    entry::<result::TestResult>("mutate-test-result-v1", "the result of an isolated run of tests"),
    entry::<MutationVerdict>("mutation-verdict-v1", "what `mutate verify` says"),
    entry::<gate::OutcomeGate>("outcome-gate-v1", "what `mutate gate` says"),
    entry::<stability::StabilityEvidence>("stability-evidence-v1", "what several runs of the same tests show"),
    entry::<harness::HarnessRecord>("test-harness-v1", "which test harnesses a project has"),
    entry::<request::TestRequest>("test-request-v1", "a request for an isolated run of tests"),
    entry::<run_report::FailureRecord>("test-run-failure-v1", "why there is no report of an isolated run"),
    entry::<run_report::TestRunReport>("test-run-report-v1", "the report of an isolated run of tests"),
];

pub fn run(flags: &SchemaFlags, global: &GlobalFlags) -> Result<u8> {
    global.wants_json()?;
    match &flags.name {
        None => {
            let width = ALL.iter().map(|entry| entry.name.len()).max().unwrap_or_default();
            print::raw(&ALL.iter().map(|entry| format!("{:width$}  {}\n", entry.name, entry.what)).collect::<String>())?;
        }
        Some(name) => print::json(&(named(name)?.schema)())?,
    }
    Ok(0)
}

fn named(name: &str) -> Result<&'static Entry> {
    ALL.iter().find(|entry| entry.name == name).ok_or_else(|| {
        let error = Error::usage(format!("there is no schema `{name}`"));
        match nearest(name, ALL.iter().map(|entry| entry.name)) {
            Some(meant) => error.mend(format!("did you mean `{meant}`?")),
            None => error.mend("`mutate schema` lists all"),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_schema_is_one_and_has_a_name_of_its_own() {
        let mut names: Vec<&str> = ALL.iter().map(|entry| entry.name).collect();
        assert!(names.is_sorted());
        names.dedup();
        assert_eq!(names.len(), ALL.len());
        for entry in ALL {
            let schema = (entry.schema)().to_value();
            assert_eq!(schema["$schema"], "https://json-schema.org/draft/2020-12/schema", "{}", entry.name);
            jsonschema::meta::validate(&schema).unwrap_or_else(|why| panic!("{}: {why}", entry.name));
        }
    }

    #[test]
    fn a_slip_of_the_pen_is_seen() {
        let error = named("mutate-test-result-v2").err().unwrap();
        assert_eq!(error.mend.as_deref(), Some("did you mean `mutate-test-result-v1`?"));
    }
}
