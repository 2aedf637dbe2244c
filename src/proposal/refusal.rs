//! Why a proposal is not measured.

use std::fmt;

/// The reasons of the contract, in the order in which they are looked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Why {
    NotApplicable,
    ForbiddenPath,
    StaleSource,
    OutOfScope,
    NoMatch,
    Ambiguous,
    Identical,
    /// The id of the mutant that another proposal has made already.
    DuplicateOf(String),
    /// It is no program any more; the status says so, before any test.
    SyntaxError,
    BaselineRed,
    NoTest,
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Why::NotApplicable => "not-applicable",
            Why::ForbiddenPath => "forbidden-path",
            Why::StaleSource => "stale-source",
            Why::OutOfScope => "out-of-scope",
            Why::NoMatch => "no-match",
            Why::Ambiguous => "ambiguous",
            Why::Identical => "identical",
            Why::DuplicateOf(id) => return write!(f, "duplicate-of:{id}"),
            Why::SyntaxError => "syntax-error",
            Why::BaselineRed => "baseline-red",
            Why::NoTest => "no-test",
        })
    }
}

/// A reason, and what to look at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    pub why: Why,
    pub detail: String,
}

impl Refusal {
    pub fn of(why: Why, detail: impl Into<String>) -> Refusal {
        Refusal { why, detail: detail.into() }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.detail.is_empty() {
            true => write!(f, "{}", self.why),
            false => write!(f, "{}: {}", self.why, self.detail),
        }
    }
}
