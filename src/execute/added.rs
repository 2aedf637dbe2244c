//! Runs a test that the project does not have, with and without a mutant.
//!
//! It stands in scratch trees only. A test that is worth adding passes on the project as it is, in the company of the suite and alone,
//! and fails on the mutant.

use serde::{Deserialize, Serialize};

use super::outcome::{Answer, Outcome};
use super::worker::{Worker, in_one_line};
use super::{Bench, in_parallel};
use crate::error::Result;
use crate::mutant::Mutant;
use crate::scratch::Change;
use crate::suite::{NamedTest, TestId, TestSelection, TestStatus};
use crate::text::ProjectPath;

/// A test in a file of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AddedTest {
    pub path: ProjectPath,
    pub text: Vec<u8>,
    /// How it will be called.
    pub named: NamedTest,
}

impl AddedTest {
    fn change(&self) -> Change {
        Change { path: self.path.clone(), bytes: self.text.clone() }
    }
}

/// What an added test said.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Said {
    /// In company, then alone.
    pub on_original: [Answer; 2],
    /// Only where it passed twice.
    pub on_mutant: Option<Answer>,
    /// The message of its failure, on whichever of them.
    pub why: Option<String>,
}

/// Runs every test with its mutant; why one could not be run, in words. `None` for those that were stopped.
pub fn run(bench: &Bench, pairs: &[(&AddedTest, &Mutant)]) -> Result<Vec<Option<Result<Said, String>>>> {
    let pool = super::pool(if bench.harness.runner.runs_alone() { 1 } else { bench.settings.jobs })?;
    let mut worker = Worker::new(bench);
    let together = Company::of(&mut worker, pairs.iter().map(|(test, _)| *test));
    drop(worker);
    Ok(in_parallel(&pool, bench, pairs, |worker, (test, mutant)| {
        // One that does not load may keep all others from running.
        let found = together.find(test).or_else(|_| Company::of(worker, [*test].into_iter()).find(test))?;
        said(worker, test, mutant, found)
    }))
}

type Found = (TestId, Answer, Option<String>);

/// The suite with added tests, on the unchanged program.
struct Company<'t> {
    tests: Vec<&'t AddedTest>,
    outcome: Result<Outcome, String>,
}

impl<'t> Company<'t> {
    /// Of several in one file only the first.
    fn of(worker: &mut Worker, tests: impl Iterator<Item = &'t AddedTest>) -> Company<'t> {
        let mut chosen: Vec<&AddedTest> = Vec::new();
        for test in tests {
            if chosen.iter().all(|known| known.path != test.path) {
                chosen.push(test);
            }
        }
        let changes: Vec<Change> = chosen.iter().map(|test| test.change()).collect();
        let outcome = worker.run_plain(&changes, &TestSelection::All).map_err(|error| in_one_line(&error));
        Company { tests: chosen, outcome }
    }

    fn find(&self, test: &AddedTest) -> Result<Found, String> {
        if !self.tests.contains(&test) {
            return Err("another one stands in its file".to_owned());
        }
        let run = self.outcome.as_ref().map_err(Clone::clone)?.run.as_ref().map_err(Clone::clone)?;
        let ids: Vec<TestId> = run.results.iter().map(|result| result.id.clone()).collect();
        let found = test.named.among(&ids).first().copied().and_then(|id| run.results.iter().find(|result| result.id == *id));
        match (found, run.load_failures.first()) {
            (Some(result), _) => Ok((result.id.clone(), Answer::of(&result.status), message(&result.status))),
            (None, Some(load)) => Err(format!("it does not load: {}", load.failure.message)),
            (None, None) => Err("the framework does not find it".to_owned()),
        }
    }
}

fn message(status: &TestStatus) -> Option<String> {
    match status {
        TestStatus::Failed(failure) => Some(format!("{}: {}", failure.kind, failure.message).trim_start_matches(": ").to_owned()),
        _ => None,
    }
}

fn said(worker: &mut Worker, test: &AddedTest, mutant: &Mutant, (id, in_company, why): Found) -> Result<Said, String> {
    let selection = TestSelection::Only(vec![id.clone()]);
    let (alone, why_alone) = answer(&worker.run_plain(&[test.change()], &selection).map_err(|error| in_one_line(&error))?, &id)
        .ok_or("alone it does not run")?;
    let on_original = [in_company, alone];
    if on_original != [Answer::Passed; 2] {
        return Ok(Said { on_original, on_mutant: None, why: why.or(why_alone) });
    }
    let changes = [worker.mutated(mutant).map_err(|error| in_one_line(&error))?, test.change()];
    let outcome = worker.run_plain(&changes, &selection).map_err(|error| in_one_line(&error))?;
    let (on_mutant, why) = answer(&outcome, &id).ok_or("on the mutant it does not run")?;
    Ok(Said { on_original, on_mutant: Some(on_mutant), why })
}

/// What it said; a file that the mutant keeps from loading has failed. Nothing, if the changed file was not in place.
fn answer(outcome: &Outcome, id: &TestId) -> Option<(Answer, Option<String>)> {
    let run = outcome.run.as_ref().ok().filter(|_| outcome.in_place == Some(outcome.intended))?;
    let result = run.results.iter().find(|result| result.id == *id);
    let loaded = result.map(|result| (Answer::of(&result.status), message(&result.status)));
    loaded.or_else(|| run.load_failures.first().map(|load| (Answer::Failed, Some(load.failure.message.clone()))))
}
