//! Counts of verdicts, and the mutation score.
//!
//! The words and formulas are those of the shared report schema. Unknown is `None`, never 0: without a valid mutant there is no
//! score, and nothing that a run could not prove is counted as detected.

use serde::{Deserialize, Serialize};

use crate::mutant::Verdict;

/// A verdict without its evidence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    Killed,
    TimedOut,
    Survived,
    NoCoverage,
    Invalid,
    Inconclusive,
    Ignored,
}

impl Kind {
    /// In the order of the summary line.
    pub const ALL: [Kind; 7] =
        [Kind::Killed, Kind::TimedOut, Kind::Survived, Kind::NoCoverage, Kind::Invalid, Kind::Inconclusive, Kind::Ignored];

    pub fn of(verdict: &Verdict) -> Kind {
        match verdict {
            Verdict::Killed { .. } => Kind::Killed,
            Verdict::TimedOut { .. } => Kind::TimedOut,
            Verdict::Survived => Kind::Survived,
            Verdict::NoCoverage => Kind::NoCoverage,
            Verdict::Invalid { .. } => Kind::Invalid,
            Verdict::Inconclusive { .. } => Kind::Inconclusive,
            Verdict::Ignored { .. } => Kind::Ignored,
        }
    }

    /// As people read it, for example in `31 killed, 2 not covered`.
    pub fn words(self) -> &'static str {
        match self {
            Kind::Killed => "killed",
            Kind::TimedOut => "timed out",
            Kind::Survived => "survived",
            Kind::NoCoverage => "not covered",
            Kind::Invalid => "invalid",
            Kind::Inconclusive => "inconclusive",
            Kind::Ignored => "not run",
        }
    }
}

/// How many mutants got which verdict.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Score {
    counts: [usize; Kind::ALL.len()],
}

impl Score {
    pub fn of<'a>(verdicts: impl IntoIterator<Item = &'a Verdict>) -> Score {
        let mut score = Score::default();
        for verdict in verdicts {
            score.add(Kind::of(verdict));
        }
        score
    }

    pub fn add(&mut self, kind: Kind) {
        self.counts[kind as usize] += 1;
    }

    pub fn count(&self, kind: Kind) -> usize {
        self.counts[kind as usize]
    }

    pub fn total(&self) -> usize {
        self.counts.iter().sum()
    }

    pub fn detected(&self) -> usize {
        self.count(Kind::Killed) + self.count(Kind::TimedOut)
    }

    pub fn undetected(&self) -> usize {
        self.count(Kind::Survived) + self.count(Kind::NoCoverage)
    }

    pub fn valid(&self) -> usize {
        self.detected() + self.undetected()
    }

    pub fn covered(&self) -> usize {
        self.detected() + self.count(Kind::Survived)
    }

    /// Detected ÷ valid, in percent.
    pub fn score(&self) -> Option<f64> {
        percent(self.detected(), self.valid())
    }

    /// Detected ÷ covered, in percent: how strong the tests are where they look at all.
    pub fn covered_score(&self) -> Option<f64> {
        percent(self.detected(), self.covered())
    }

    /// What the run says about the tests, in the word of the agents' contract.
    pub fn word(&self) -> &'static str {
        if self.undetected() > 0 {
            return "WEAK";
        }
        if self.detected() > 0 {
            return "MEANINGFUL";
        }
        "TRIVIAL"
    }
}

fn percent(part: usize, whole: usize) -> Option<f64> {
    (whole > 0).then(|| 100.0 * part as f64 / whole as f64)
}

/// One decimal, or `n/a`. A score that is not full never reads `100.0 %`.
pub fn shown(percent: Option<f64>) -> String {
    const LARGEST_THAT_IS_NOT_FULL: f64 = 99.9;
    match percent {
        None => "n/a".to_string(),
        Some(value) if value < 100.0 => format!("{:.1} %", value.min(LARGEST_THAT_IS_NOT_FULL)),
        Some(value) => format!("{value:.1} %"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn score(counts: [usize; 7]) -> Score {
        Score { counts }
    }

    #[test]
    fn kinds_are_counted_where_they_belong() {
        for kind in Kind::ALL {
            let mut one = Score::default();
            one.add(kind);
            assert_eq!(one.count(kind), 1, "{kind:?}");
            assert_eq!(one.total(), 1);
        }
    }

    #[test]
    fn a_time_out_is_detected_and_no_coverage_is_not() {
        let score = score([31, 1, 5, 2, 3, 0, 0]);
        assert_eq!((score.detected(), score.undetected(), score.valid(), score.covered()), (32, 7, 39, 37));
        assert_eq!(shown(score.score()), "82.1 %");
        assert_eq!(shown(score.covered_score()), "86.5 %");
    }

    #[test]
    fn what_proves_nothing_changes_no_score() {
        assert_eq!(score([1, 0, 1, 0, 7, 8, 9]).score(), Some(50.0));
    }

    #[test]
    fn no_valid_mutant_means_no_score() {
        assert_eq!(shown(score([0, 0, 0, 0, 1, 1, 1]).score()), "n/a");
        assert_eq!(score([0, 0, 0, 3, 0, 0, 0]).score(), Some(0.0));
        assert_eq!(score([0, 0, 0, 3, 0, 0, 0]).covered_score(), None);
    }

    #[test]
    fn one_survivor_among_thousands_is_not_a_full_score() {
        assert_eq!(shown(score([99_999, 0, 1, 0, 0, 0, 0]).score()), "99.9 %");
        assert_eq!(shown(score([3, 0, 0, 0, 0, 0, 0]).score()), "100.0 %");
    }

    #[test]
    fn the_word_is_weak_as_soon_as_something_goes_unnoticed() {
        assert_eq!(score([9, 0, 1, 0, 0, 0, 0]).word(), "WEAK");
        assert_eq!(score([9, 0, 0, 1, 0, 0, 0]).word(), "WEAK");
        assert_eq!(score([0, 1, 0, 0, 0, 0, 0]).word(), "MEANINGFUL");
        assert_eq!(score([0, 0, 0, 0, 2, 2, 2]).word(), "TRIVIAL");
    }
}
