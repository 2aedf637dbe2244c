//! Turns what happened into a verdict.
//!
//! Stage 5 of the pipeline; input is one [`Trial`] with its [`Outcome`], output one [`Verdict`]. Pure.
//!
//! Why so strict: a wrong "killed" hides a missing test for ever, while "inconclusive" costs one look. So a kill needs a named test that
//! failed, a file that no longer loads, or a crash in the middle of a named test; a survivor needs every selected test accounted for and
//! at least one that reaches the mutant and passed. Exit codes alone prove nothing.

use std::collections::BTreeSet;

use super::outcome::Outcome;
use crate::mutant::Verdict;
use crate::plan::Trial;
use crate::scratch::process::Exit;
use crate::suite::{Failure, TestId, TestRun};

pub fn judge(trial: &Trial, outcome: &Outcome) -> Verdict {
    match &outcome.ended.exit {
        Exit::NotStarted { why } => return inconclusive(format!("the test process did not run: {why}")),
        Exit::Interrupted => return inconclusive("the run was stopped"),
        _ => {}
    }
    if outcome.in_place != Some(outcome.intended) {
        return inconclusive("the mutated file was not in place");
    }
    let run = match &outcome.run {
        Ok(run) => run,
        Err(why) => return inconclusive(format!("the report of the tests cannot be read: {why}")),
    };
    if !run.outside.is_empty() {
        return inconclusive(format!("the tests loaded {} in place of the mutant", run.outside.join(", ")));
    }
    failure(trial, run)
        .or_else(|| over_limit(&outcome.ended.exit))
        .or_else(|| over_rounds(run))
        .or_else(|| crash(run, &outcome.ended.exit))
        .unwrap_or_else(|| passed(trial, run))
}

/// A failing test kills; a file that does not load kills, or shows that the mutant is no program.
fn failure(trial: &Trial, run: &TestRun) -> Option<Verdict> {
    if let Some(load) = run.load_failures.first() {
        let why = told(&load.failure);
        if load.refused || is_no_program(trial, &load.failure) {
            return Some(Verdict::Invalid { why });
        }
        return Some(Verdict::Killed { by: run.load_failures.iter().map(|load| load.id.clone()).collect(), why });
    }
    let (_, first) = run.failed().next()?;
    let by = run.failed().map(|(test, _)| test.clone()).collect();
    Some(Verdict::Killed { by, why: told(first) })
}

/// The language refuses the mutated file itself.
fn is_no_program(trial: &Trial, failure: &Failure) -> bool {
    const REFUSALS: [&str; 3] = ["SyntaxError", "IndentationError", "TabError"];
    let is_mutated = |file: &String| std::path::Path::new(file).ends_with(trial.mutant.path.as_str());
    REFUSALS.contains(&failure.kind.as_str()) && failure.file.as_ref().is_some_and(is_mutated)
}

fn over_limit(exit: &Exit) -> Option<Verdict> {
    let why = match exit {
        Exit::OverWall => "over its wall clock limit",
        Exit::OverCpu => "over its processor time limit",
        Exit::OverMemory => "over its memory limit",
        _ => return None,
    };
    Some(Verdict::TimedOut { why: why.to_owned() })
}

fn over_rounds(run: &TestRun) -> Option<Verdict> {
    let rounds = run.over_rounds?;
    Some(Verdict::TimedOut { why: format!("more than {} rounds of the functions that it changes", rounds.saturating_sub(1)) })
}

/// The process died while a named test ran.
fn crash(run: &TestRun, exit: &Exit) -> Option<Verdict> {
    let test = run.unfinished.clone().filter(|_| !run.finished)?;
    let why = match exit {
        Exit::Signal(signal) => format!("the test process died of signal {signal}"),
        Exit::Code(code) if *code != 0 => format!("the test process ended in the middle of the test with exit code {code}"),
        _ => return None,
    };
    Some(Verdict::Killed { by: vec![test], why })
}

fn passed(trial: &Trial, run: &TestRun) -> Verdict {
    if !run.finished {
        return inconclusive("the test process ended before its end and reported no failing test");
    }
    if let Some(missing) = run.missing.first() {
        return inconclusive(format!("{} of the selected tests were not found, {missing} for one", run.missing.len()));
    }
    if run.ran() == 0 {
        return inconclusive("no test ran");
    }
    let passed: BTreeSet<&TestId> = run.passed().collect();
    let anyone_may = trial.import_time || trial.probe.is_none();
    let reaches = anyone_may && !passed.is_empty() || trial.reached_by.iter().any(|test| passed.contains(test));
    if !reaches {
        return inconclusive("no test that is known to reach the mutant ran and passed");
    }
    Verdict::Survived
}

fn told(failure: &Failure) -> String {
    match (failure.kind.is_empty(), failure.message.is_empty()) {
        (true, _) => failure.message.clone(),
        (_, true) => failure.kind.clone(),
        _ if failure.message.starts_with(&failure.kind) => failure.message.clone(),
        _ => format!("{}: {}", failure.kind, failure.message),
    }
}

fn inconclusive(why: impl Into<String>) -> Verdict {
    Verdict::Inconclusive { why: why.into() }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::mutant::{Mutant, MutantId};
    use crate::scratch::process::{Ended, Limits};
    use crate::suite::{LoadFailure, TestResult, TestStatus};
    use crate::text::columns::Position;
    use crate::text::{Digest, Edit, ProjectPath, Span};

    fn id(name: &str) -> TestId {
        TestId::new(name)
    }

    /// A mutant of `shop.py` that `test_a` reaches; `test_b` is selected as well.
    fn trial() -> Trial {
        let mutant = Mutant {
            id: MutantId(1),
            path: ProjectPath::new("shop.py".as_ref()).unwrap(),
            scope: String::new(),
            position: Position { line: 1, column: 1 },
            original: b"<".to_vec(),
            edit: Edit::new(Span::new(0, 1), "<="),
            rule: "condition/boundary".to_owned(),
            also: Vec::new(),
            mutator: String::new(),
            kind: String::new(),
            hint: String::new(),
            place: Span::new(0, 1),
            ignored: None,
        };
        let limits = Limits { wall: Duration::from_secs(1), cpu: Duration::from_secs(1), memory: 1 };
        let tests = vec![id("test_a"), id("test_b")];
        Trial {
            index: 0,
            mutant,
            tests,
            reached_by: vec![id("test_a")],
            import_time: false,
            probe: Some(1),
            named: Vec::new(),
            limits,
        }
    }

    fn failed(message: &str) -> TestStatus {
        TestStatus::Failed(Failure { kind: "AssertionError".into(), message: message.into(), ..Failure::default() })
    }

    fn run(results: &[(&str, TestStatus)]) -> TestRun {
        let result =
            |(name, status): &(&str, TestStatus)| TestResult { id: id(name), status: status.clone(), took: Duration::ZERO };
        TestRun { results: results.iter().map(result).collect(), finished: true, ..TestRun::default() }
    }

    fn outcome(exit: Exit, run: TestRun) -> Outcome {
        let ended = Ended {
            exit,
            wall: Duration::ZERO,
            cpu: Duration::ZERO,
            peak_memory: 0,
            left_behind: 0,
            stdout_tail: String::new(),
            stderr_tail: String::new(),
        };
        let digest = Digest::of(b"mutated");
        Outcome { ended, run: Ok(run), in_place: Some(digest), intended: digest, command: String::new() }
    }

    fn verdict(exit: Exit, run: TestRun) -> Verdict {
        judge(&trial(), &outcome(exit, run))
    }

    fn is_inconclusive(verdict: &Verdict) -> bool {
        matches!(verdict, Verdict::Inconclusive { .. })
    }

    fn killed_by(names: &[&str], why: &str) -> Verdict {
        Verdict::Killed { by: names.iter().map(|name| id(name)).collect(), why: why.into() }
    }

    fn not_loaded(kind: &str, file: &str) -> TestRun {
        let failure = Failure { kind: kind.into(), message: "bad".into(), file: Some(file.into()), ..Failure::default() };
        TestRun {
            load_failures: vec![LoadFailure { id: id("test_shop.py"), failure, refused: false }],
            finished: true,
            ..TestRun::default()
        }
    }

    const PASSED: TestStatus = TestStatus::Passed;
    const SKIPPED: TestStatus = TestStatus::Skipped;

    #[test]
    fn a_failing_test_kills() {
        let run = run(&[("test_a", failed("3 != 4"))]);
        assert_eq!(verdict(Exit::Code(1), run), killed_by(&["test_a"], "AssertionError: 3 != 4"));
    }

    #[test]
    fn a_failing_test_kills_whatever_the_exit_code() {
        assert_eq!(verdict(Exit::Code(0), run(&[("test_a", failed("x"))])), killed_by(&["test_a"], "AssertionError: x"));
    }

    #[test]
    fn a_failing_exit_code_alone_does_not_kill() {
        assert_eq!(verdict(Exit::Code(1), run(&[("test_a", PASSED), ("test_b", PASSED)])), Verdict::Survived);
        assert!(is_inconclusive(&verdict(Exit::Code(1), TestRun::default())));
    }

    #[test]
    fn a_survivor_needs_at_least_one_test_that_ran() {
        assert!(is_inconclusive(&verdict(Exit::Code(0), run(&[]))));
        assert!(is_inconclusive(&verdict(Exit::Code(0), run(&[("test_a", SKIPPED)]))));
    }

    #[test]
    fn a_survivor_needs_a_passing_test_that_reaches_the_mutant() {
        assert!(is_inconclusive(&verdict(Exit::Code(0), run(&[("test_b", PASSED)]))));
        assert!(is_inconclusive(&verdict(Exit::Code(0), run(&[("test_a", SKIPPED), ("test_b", PASSED)]))));
        assert_eq!(verdict(Exit::Code(0), run(&[("test_a", PASSED), ("test_b", SKIPPED)])), Verdict::Survived);
    }

    #[test]
    fn any_passing_test_reaches_what_runs_at_import() {
        let trial = Trial { import_time: true, reached_by: Vec::new(), ..trial() };
        assert_eq!(judge(&trial, &outcome(Exit::Code(0), run(&[("test_b", PASSED)]))), Verdict::Survived);
    }

    #[test]
    fn any_passing_test_may_reach_what_has_no_probe() {
        let trial = Trial { probe: None, reached_by: Vec::new(), ..trial() };
        assert_eq!(judge(&trial, &outcome(Exit::Code(0), run(&[("test_b", PASSED)]))), Verdict::Survived);
        assert!(is_inconclusive(&judge(&trial, &outcome(Exit::Code(0), run(&[("test_b", SKIPPED)])))));
    }

    #[test]
    fn a_mutant_that_the_compiler_refuses_is_invalid() {
        let mut run = not_loaded("CompileError", "other.go");
        run.load_failures[0].refused = true;
        assert_eq!(verdict(Exit::Code(1), run), Verdict::Invalid { why: "CompileError: bad".into() });
    }

    #[test]
    fn a_test_that_was_not_found_proves_nothing() {
        let run = TestRun { missing: vec![id("test_b")], ..run(&[("test_a", PASSED)]) };
        assert!(is_inconclusive(&verdict(Exit::Code(0), run)));
    }

    #[test]
    fn a_run_that_was_cut_short_proves_nothing() {
        let cut = TestRun { finished: false, ..run(&[("test_a", PASSED), ("test_b", PASSED)]) };
        assert!(is_inconclusive(&verdict(Exit::Code(0), cut)));
    }

    #[test]
    fn an_exit_0_in_the_middle_of_a_test_is_neither_killed_nor_survived() {
        let left = TestRun { finished: false, unfinished: Some(id("test_a")), ..TestRun::default() };
        assert!(is_inconclusive(&verdict(Exit::Code(0), left.clone())));
        assert!(matches!(verdict(Exit::Code(3), left), Verdict::Killed { .. }));
    }

    #[test]
    fn a_crash_in_a_named_test_kills() {
        let crashed = TestRun { finished: false, unfinished: Some(id("test_a")), ..TestRun::default() };
        assert_eq!(verdict(Exit::Signal(11), crashed), killed_by(&["test_a"], "the test process died of signal 11"));
    }

    #[test]
    fn a_crash_outside_of_any_test_proves_nothing() {
        assert!(is_inconclusive(&verdict(Exit::Signal(11), TestRun::default())));
    }

    #[test]
    fn a_slow_run_is_not_a_kill() {
        let slow = TestRun { finished: false, unfinished: Some(id("test_a")), ..TestRun::default() };
        for exit in [Exit::OverWall, Exit::OverCpu, Exit::OverMemory] {
            assert!(matches!(verdict(exit, slow.clone()), Verdict::TimedOut { .. }));
        }
    }

    #[test]
    fn a_failure_before_the_limit_is_a_kill() {
        let run = TestRun { finished: false, ..run(&[("test_a", failed("x"))]) };
        assert!(matches!(verdict(Exit::OverWall, run), Verdict::Killed { .. }));
    }

    #[test]
    fn a_file_that_no_longer_loads_kills() {
        let run = not_loaded("ValueError", "/project/shop.py");
        assert_eq!(verdict(Exit::Code(2), run), killed_by(&["test_shop.py"], "ValueError: bad"));
    }

    #[test]
    fn a_mutant_that_the_language_refuses_is_invalid() {
        assert!(matches!(verdict(Exit::Code(2), not_loaded("SyntaxError", "/project/shop.py")), Verdict::Invalid { .. }));
        assert!(matches!(verdict(Exit::Code(2), not_loaded("SyntaxError", "/project/other.py")), Verdict::Killed { .. }));
    }

    #[test]
    fn other_bytes_in_place_prove_nothing() {
        let killed = outcome(Exit::Code(1), run(&[("test_a", failed("x"))]));
        assert!(is_inconclusive(&judge(&trial(), &Outcome { in_place: Some(Digest::of(b"other")), ..killed.clone() })));
        assert!(is_inconclusive(&judge(&trial(), &Outcome { in_place: None, ..killed })));
    }

    #[test]
    fn an_unreadable_report_proves_nothing() {
        let killed = outcome(Exit::Code(1), run(&[]));
        assert!(is_inconclusive(&judge(&trial(), &Outcome { run: Err("cut".into()), ..killed })));
    }

    #[test]
    fn a_run_that_did_not_start_or_was_stopped_proves_nothing() {
        let why = "no such file".to_owned();
        assert!(is_inconclusive(&verdict(Exit::NotStarted { why }, TestRun::default())));
        assert!(is_inconclusive(&verdict(Exit::Interrupted, run(&[("test_a", failed("x"))]))));
    }

    #[test]
    fn modules_from_outside_of_the_copy_prove_nothing() {
        let astray = TestRun { outside: vec!["shop.py".into()], ..run(&[("test_a", PASSED), ("test_b", PASSED)]) };
        assert!(is_inconclusive(&verdict(Exit::Code(0), astray)));
    }
}
