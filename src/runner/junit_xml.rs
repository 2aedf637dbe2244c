//! Reads JUnit XML, which many frameworks write, each a little differently.
//!
//! A report that was cut, or whose root counts other numbers than it holds, proves nothing and is refused as a whole.

use std::time::Duration;

use serde::Deserialize;

use crate::error::{Error, Result};
use crate::suite::{Failure, LoadFailure, Phase, TestId, TestResult, TestRun, TestStatus};

#[derive(Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Root {
    Testsuites(Suite),
    Testsuite(Suite),
}

#[derive(Debug, Default, Deserialize)]
struct Suite {
    #[serde(rename = "@tests")]
    tests: Option<usize>,
    #[serde(rename = "@failures")]
    failures: Option<usize>,
    #[serde(rename = "@errors")]
    errors: Option<usize>,
    #[serde(rename = "@skipped")]
    skipped: Option<usize>,
    #[serde(default)]
    testcase: Vec<Case>,
    #[serde(default)]
    testsuite: Vec<Suite>,
}

#[derive(Debug, Deserialize)]
struct Case {
    #[serde(rename = "@classname", default)]
    classname: String,
    #[serde(rename = "@name", default)]
    name: String,
    #[serde(rename = "@file")]
    file: Option<String>,
    /// Seconds; some write a comma among the thousands.
    #[serde(rename = "@time", default)]
    time: String,
    #[serde(default)]
    failure: Vec<Problem>,
    #[serde(default)]
    error: Vec<Problem>,
    #[serde(default)]
    skipped: Vec<Problem>,
}

#[derive(Debug, Default, Deserialize)]
struct Problem {
    #[serde(rename = "@message")]
    message: Option<String>,
    #[serde(rename = "@type")]
    kind: Option<String>,
    #[serde(rename = "$text")]
    text: Option<String>,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
struct Counts {
    tests: usize,
    failures: usize,
    errors: usize,
    skipped: usize,
}

/// The tests of a report. Fails if it is no JUnit XML, was cut, holds no test, or counts wrongly.
pub fn parse(text: &str) -> Result<TestRun> {
    let damaged = |why: &dyn std::fmt::Display| Error::internal("the JUnit report is damaged").cause(why);
    if text.contains("<!DOCTYPE") || text.contains("<!ENTITY") {
        return Err(damaged(&"it declares a document type, and reports have none"));
    }
    let root: Root = quick_xml::de::from_str(text).map_err(|why| damaged(&why))?;
    let (Root::Testsuites(suite) | Root::Testsuite(suite)) = root;
    let counts = suite.counts();
    suite.check(counts).map_err(|why| damaged(&why))?;
    let mut run = TestRun { finished: true, ..TestRun::default() };
    suite.into_cases().into_iter().for_each(|case| case.add_to(&mut run));
    if run.results.is_empty() && run.load_failures.is_empty() {
        return Err(damaged(&"it holds no test"));
    }
    run.collected = run.results.iter().map(|result| result.id.clone()).collect();
    Ok(run)
}

impl Suite {
    fn counts(&self) -> Counts {
        let mut counts = Counts::default();
        for case in &self.testcase {
            counts.tests += 1;
            counts.failures += usize::from(!case.failure.is_empty());
            counts.errors += usize::from(!case.error.is_empty());
            counts.skipped += usize::from(!case.skipped.is_empty());
        }
        for inner in self.testsuite.iter().map(Suite::counts) {
            counts.tests += inner.tests;
            counts.failures += inner.failures;
            counts.errors += inner.errors;
            counts.skipped += inner.skipped;
        }
        counts
    }

    /// What the root says must be what it holds. Files that cannot be collected are errors, and no tests.
    fn check(&self, held: Counts) -> Result<(), String> {
        let uncollected = self.tests == Some(0) && held.errors == held.tests;
        let pairs = [
            ("tests", self.tests.filter(|_| !uncollected), held.tests),
            ("failures", self.failures, held.failures),
            ("errors", self.errors, held.errors),
            ("skipped", self.skipped, held.skipped),
        ];
        match pairs.into_iter().find(|(_, said, held)| said.is_some_and(|said| said != *held)) {
            None => Ok(()),
            Some((what, said, held)) => Err(format!("its root says {what}=\"{}\", but it holds {held}", said.unwrap_or_default())),
        }
    }

    fn into_cases(self) -> Vec<Case> {
        let inner = self.testsuite.into_iter().flat_map(Suite::into_cases);
        self.testcase.into_iter().chain(inner).collect()
    }
}

impl Case {
    fn add_to(self, run: &mut TestRun) {
        let place = self.file.as_deref().filter(|file| !file.is_empty()).unwrap_or(&self.classname);
        let id = TestId::new(if place.is_empty() { self.name.clone() } else { format!("{place}::{}", self.name) });
        let status = if let Some(failure) = self.failure.first() {
            TestStatus::Failed(failure.failure(Phase::Call))
        } else if let Some(error) = self.error.first() {
            let failure = error.failure(error.phase());
            if failure.phase == Phase::Collection {
                run.load_failures.push(LoadFailure { id, failure, refused: false });
                return;
            }
            TestStatus::Failed(failure)
        } else if self.skipped.is_empty() {
            TestStatus::Passed
        } else {
            TestStatus::Skipped
        };
        let seconds: f64 = self.time.replace(',', "").parse().unwrap_or_default();
        let took = Duration::try_from_secs_f64(seconds).unwrap_or_default();
        // A test whose tear-down fails may be told twice: what is worse counts.
        match run.results.iter_mut().rev().take(1).find(|result| result.id == id) {
            Some(last) if matches!(status, TestStatus::Failed(_)) => *last = TestResult { id, status, took: last.took + took },
            _ => run.results.push(TestResult { id, status, took }),
        }
    }
}

impl Problem {
    fn failure(&self, phase: Phase) -> Failure {
        let message = self.message.as_deref().or(self.text.as_deref()).unwrap_or_default().trim();
        Failure { kind: self.kind.clone().unwrap_or_default(), message: message.to_owned(), file: None, phase }
    }

    /// As far as the words tell; pytest's do.
    fn phase(&self) -> Phase {
        let message = self.message.as_deref().unwrap_or_default().to_ascii_lowercase();
        let says = |words: &[&str]| words.iter().any(|word| message.contains(word));
        match () {
            () if says(&["collection failure", "error during collection"]) => Phase::Collection,
            () if says(&["failed on setup", "error at setup"]) => Phase::Setup,
            () if says(&["failed on teardown", "error at teardown"]) => Phase::Teardown,
            () => Phase::Unknown,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SUITE: &str = r#"<?xml version="1.0" encoding="utf-8"?>
<testsuites name="pytest tests"><testsuite name="pytest" errors="1" failures="1" skipped="1" tests="4" time="0.1">
<testcase classname="tests.test_a" name="test_ok" time="0.001" />
<testcase classname="tests.test_a" name="test_bad" time="1,234.5"><failure message="assert 1 == 2">text</failure></testcase>
<testcase classname="tests.test_a" name="test_fixture" time="0.0"><error message="failed on setup with &quot;KeyError&quot;">x</error></testcase>
<testcase classname="tests.test_a" name="test_later" time="0"><skipped type="pytest.skip" message="later" /></testcase>
</testsuite></testsuites>"#;

    #[test]
    fn every_kind_of_result_is_read() {
        let run = parse(SUITE).unwrap();
        let told: Vec<(&str, &TestStatus)> = run.results.iter().map(|result| (result.id.as_str(), &result.status)).collect();
        assert_eq!(told[0], ("tests.test_a::test_ok", &TestStatus::Passed));
        let TestStatus::Failed(failure) = told[1].1 else { panic!("{told:?}") };
        assert_eq!((failure.message.as_str(), failure.phase), ("assert 1 == 2", Phase::Call));
        let TestStatus::Failed(failure) = told[2].1 else { panic!("{told:?}") };
        assert_eq!((failure.message.as_str(), failure.phase), ("failed on setup with \"KeyError\"", Phase::Setup));
        assert_eq!(told[3].1, &TestStatus::Skipped);
        assert_eq!(run.results[1].took, Duration::from_millis(1_234_500));
    }

    #[test]
    fn a_report_that_was_cut_is_refused_wherever_that_was() {
        for end in (1..SUITE.len()).filter(|end| SUITE.is_char_boundary(*end)) {
            assert!(parse(&SUITE[..end]).is_err(), "{}", &SUITE[..end]);
        }
    }

    #[test]
    fn counters_of_the_root_must_be_those_of_its_children() {
        let root = r#"<testsuite tests="2" failures="0"><testcase name="a"/></testsuite>"#;
        assert!(parse(root).unwrap_err().to_string().contains("tests=\"2\""));
        assert!(parse(&root.replace('2', "1")).is_ok());
        let failures = r#"<testsuite tests="1" failures="0"><testcase name="a"><failure/></testcase></testsuite>"#;
        assert!(parse(failures).is_err());
    }

    #[test]
    fn files_that_cannot_be_collected_are_errors_and_no_tests() {
        let root = r#"<testsuite tests="0" errors="1"><testcase name="t"><error message="collection failure">no</error></testcase></testsuite>"#;
        let run = parse(root).unwrap();
        assert_eq!((run.results.len(), run.load_failures.len()), (0, 1));
    }

    #[test]
    fn a_report_without_tests_and_one_with_a_document_type_are_refused() {
        assert!(parse("<testsuites/>").is_err());
        assert!(parse("").is_err());
        assert!(parse("<html/>").is_err());
        assert!(parse("<!DOCTYPE a [<!ENTITY b \"c\">]><testsuite><testcase name=\"a\"/></testsuite>").is_err());
    }
}
