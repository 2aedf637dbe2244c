//! Whether the user's gates hold, and the exit code that a finished run leads to.
//!
//! Runs that do not finish end with an [`crate::error::Error`], whose kind has its own code. Here stand the codes of a run that
//! came to an end: 8 > signal > 3 > 7 > 1 > 0.

use serde::{Deserialize, Serialize};

use super::score::{Kind, Score};

/// What makes a run fail.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Gates {
    /// Percent.
    pub min_score: Option<f64>,
    /// Percent.
    pub min_covered_score: Option<f64>,
    pub max_survived: Option<usize>,
    /// `None`: not said. Empty: nothing fails.
    pub fail_on: Option<Vec<FailOn>>,
    /// A run that measured nothing is fine.
    pub allow_empty: bool,
    pub require_complete: bool,
    /// A gate that fails is shown and forgiven.
    pub exit_zero: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FailOn {
    Survived,
    NoCoverage,
    /// Survived or not covered.
    Weak,
    Timeout,
    Inconclusive,
    None,
}

impl FailOn {
    pub const WORDS: [&'static str; 6] = ["survived", "no-coverage", "weak", "timeout", "inconclusive", "none"];

    fn count(self, score: &Score) -> usize {
        match self {
            FailOn::Survived => score.count(Kind::Survived),
            FailOn::NoCoverage => score.count(Kind::NoCoverage),
            FailOn::Weak => score.undetected(),
            FailOn::Timeout => score.count(Kind::TimedOut),
            FailOn::Inconclusive => score.count(Kind::Inconclusive),
            FailOn::None => 0,
        }
    }

    fn words(self) -> &'static str {
        match self {
            FailOn::Survived => Kind::Survived.words(),
            FailOn::NoCoverage => Kind::NoCoverage.words(),
            FailOn::Weak => "survived or not covered",
            FailOn::Timeout => Kind::TimedOut.words(),
            FailOn::Inconclusive => Kind::Inconclusive.words(),
            FailOn::None => "nothing",
        }
    }
}

/// One gate against what was measured.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Check {
    pub name: String,
    pub passed: bool,
    /// In words, for example `5 survived, 0 allowed`.
    pub words: String,
}

/// What the gates need to know beside the verdicts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    /// A file of the user is not what it was before the run.
    pub tampered: bool,
    /// False if the budget ran out or the user stopped the run.
    pub complete: bool,
    /// The signal that stopped the run, for example 2 for Ctrl-C.
    pub signal: Option<u8>,
}

/// The end of a run: its score, its gates, its exit code.
#[derive(Clone, Debug, PartialEq)]
pub struct Conclusion {
    pub score: Score,
    pub checks: Vec<Check>,
    pub exit_code: u8,
}

impl Conclusion {
    pub fn of(score: Score, facts: Facts, gates: &Gates) -> Conclusion {
        let checks = checks(&score, gates);
        let exit_code = exit_code(&score, facts, gates, checks.iter().all(|check| check.passed));
        Conclusion { score, checks, exit_code }
    }

    pub fn failed(&self) -> impl Iterator<Item = &Check> {
        self.checks.iter().filter(|check| !check.passed)
    }
}

/// Base of the exit codes of a process that a signal ended, by the habit of shells.
const SIGNAL_BASE: u8 = 128;

fn exit_code(score: &Score, facts: Facts, gates: &Gates, hold: bool) -> u8 {
    if facts.tampered {
        return 8;
    }
    if let Some(signal) = facts.signal {
        return SIGNAL_BASE + signal;
    }
    // Ignored, invalid and inconclusive mutants measure nothing: a run of only those must not look like a good one.
    if score.valid() == 0 && !gates.allow_empty {
        return 3;
    }
    if gates.require_complete && !facts.complete {
        return 7;
    }
    if !hold && !gates.exit_zero {
        return 1;
    }
    0
}

fn checks(score: &Score, gates: &Gates) -> Vec<Check> {
    let empty = score.valid() == 0;
    let mut checks = Vec::new();
    checks.extend(gates.min_score.map(|least| at_least("min-score", "score", score.score(), least, empty)));
    checks.extend(
        gates.min_covered_score.map(|least| at_least("min-covered-score", "covered score", score.covered_score(), least, empty)),
    );
    checks.extend(gates.max_survived.map(|most| at_most("max-survived", FailOn::Survived, score, most)));
    // Any threshold of the user replaces the default gate.
    let fail_on = match &gates.fail_on {
        Some(fail_on) => fail_on.as_slice(),
        None if checks.is_empty() => &[FailOn::Survived],
        None => &[],
    };
    checks.extend(fail_on.iter().filter(|what| **what != FailOn::None).map(|what| at_most("fail-on", *what, score, 0)));
    checks
}

/// An unknown value holds no promise, except in a run without any valid mutant, for which `allow_empty` decides.
fn at_least(name: &str, what: &str, value: Option<f64>, least: f64, empty: bool) -> Check {
    let Some(value) = value else {
        return Check { name: name.to_string(), passed: empty, words: format!("no {what}, at least {least} % asked") };
    };
    Check { name: name.to_string(), passed: value >= least, words: format!("{what} {value:.2} %, at least {least} % asked") }
}

fn at_most(name: &str, what: FailOn, score: &Score, most: usize) -> Check {
    let count = what.count(score);
    Check { name: name.to_string(), passed: count <= most, words: format!("{count} {}, {most} allowed", what.words()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn score(killed: usize, survived: usize, not_covered: usize) -> Score {
        let mut score = Score::default();
        (0..killed).for_each(|_| score.add(Kind::Killed));
        (0..survived).for_each(|_| score.add(Kind::Survived));
        (0..not_covered).for_each(|_| score.add(Kind::NoCoverage));
        score
    }

    const WELL: Facts = Facts { tampered: false, complete: true, signal: None };

    fn code(score: Score, facts: Facts, gates: Gates) -> u8 {
        Conclusion::of(score, facts, &gates).exit_code
    }

    #[test]
    fn by_default_a_survivor_fails_the_run_and_no_coverage_does_not() {
        assert_eq!(code(score(9, 1, 0), WELL, Gates::default()), 1);
        assert_eq!(code(score(9, 0, 3), WELL, Gates::default()), 0);
    }

    #[test]
    fn a_threshold_replaces_the_default_gate() {
        let gates = |min_score| Gates { min_score: Some(min_score), ..Gates::default() };
        assert_eq!(code(score(8, 2, 0), WELL, gates(80.0)), 0);
        assert_eq!(code(score(8, 2, 0), WELL, gates(80.1)), 1);
        assert_eq!(code(score(8, 2, 0), WELL, Gates { max_survived: Some(2), ..Gates::default() }), 0);
        assert_eq!(code(score(8, 2, 0), WELL, Gates { max_survived: Some(1), ..Gates::default() }), 1);
        assert_eq!(code(score(8, 2, 9), WELL, Gates { min_covered_score: Some(80.0), ..Gates::default() }), 0);
    }

    #[test]
    fn an_unknown_covered_score_is_not_a_good_one() {
        let gates = Gates { min_covered_score: Some(80.0), allow_empty: true, ..Gates::default() };
        assert_eq!(code(score(0, 0, 4), WELL, gates.clone()), 1);
        assert_eq!(code(score(0, 0, 0), WELL, gates), 0);
    }

    #[test]
    fn fail_on_names_what_fails_and_an_empty_list_fails_nothing() {
        let gates = |fail_on: &[FailOn]| Gates { fail_on: Some(fail_on.to_vec()), ..Gates::default() };
        assert_eq!(code(score(1, 1, 1), WELL, gates(&[])), 0);
        assert_eq!(code(score(1, 1, 1), WELL, gates(&[FailOn::None])), 0);
        assert_eq!(code(score(1, 1, 0), WELL, gates(&[FailOn::NoCoverage])), 0);
        assert_eq!(code(score(1, 0, 1), WELL, gates(&[FailOn::NoCoverage])), 1);
        assert_eq!(code(score(1, 0, 1), WELL, gates(&[FailOn::Weak])), 1);
        assert_eq!(code(score(1, 0, 0), WELL, gates(&[FailOn::Timeout, FailOn::Inconclusive])), 0);
    }

    #[test]
    fn a_run_that_measured_nothing_is_not_a_good_run() {
        let mut inconclusive = Score::default();
        inconclusive.add(Kind::Inconclusive);
        assert_eq!(code(inconclusive, WELL, Gates::default()), 3);
        assert_eq!(code(Score::default(), WELL, Gates::default()), 3);
        assert_eq!(code(Score::default(), WELL, Gates { allow_empty: true, min_score: Some(80.0), ..Gates::default() }), 0);
    }

    /// 8 > signal > 3 > 7 > 1 > 0: each row takes away the strongest reason of the row above.
    #[test]
    fn the_strongest_reason_decides_the_exit_code() {
        let strict = Gates { require_complete: true, ..Gates::default() };
        let all = Facts { tampered: true, complete: false, signal: Some(15) };
        let empty = Score::default();
        let table = [
            (empty, all, &strict, 8),
            (empty, Facts { tampered: false, ..all }, &strict, 143),
            (empty, Facts { complete: false, ..WELL }, &strict, 3),
            (score(1, 1, 0), Facts { complete: false, ..WELL }, &strict, 7),
            (score(1, 1, 0), WELL, &strict, 1),
            (score(1, 0, 0), WELL, &strict, 0),
        ];
        for (score, facts, gates, expected) in table {
            assert_eq!(Conclusion::of(score, facts, gates).exit_code, expected, "{facts:?}");
        }
    }

    #[test]
    fn exit_zero_forgives_gates_and_nothing_else() {
        let gates = || Gates { exit_zero: true, require_complete: true, ..Gates::default() };
        assert_eq!(code(score(1, 1, 0), WELL, gates()), 0);
        assert_eq!(code(score(1, 1, 0), Facts { complete: false, ..WELL }, gates()), 7);
        assert_eq!(code(Score::default(), WELL, gates()), 3);
        assert_eq!(code(score(1, 1, 0), Facts { tampered: true, ..WELL }, gates()), 8);
    }

    #[test]
    fn every_word_of_fail_on_is_known() {
        for word in FailOn::WORDS {
            let parsed: Result<FailOn, _> = serde_json::from_value(word.into());
            assert!(parsed.is_ok(), "{word}");
        }
    }
}
