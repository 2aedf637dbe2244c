//! A mutant: the program with one edit.

pub mod arid;
pub mod discover;
pub mod id;
pub mod ignore;
pub mod probe;
pub mod schemata;
pub mod select;

use serde::{Deserialize, Serialize};

use crate::source::ProjectPath;
use crate::suite::TestId;
use crate::text::Edit;
use crate::text::columns::Position;

pub use id::{Identity, MutantId};

/// Path of a rule file without its ending, for example `condition/boundary`.
pub type RuleId = String;

/// One edit of one file. Two rules that make the same edit make one mutant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mutant {
    pub id: MutantId,
    pub path: ProjectPath,
    /// Qualified name of the enclosing function or class, empty at module level.
    pub scope: String,
    /// Line and column (characters) of the first byte of the edit.
    pub position: Position,
    pub original: Vec<u8>,
    pub edit: Edit,
    pub rule: RuleId,
    /// Other rules that make the same edit.
    pub also: Vec<RuleId>,
    /// Name in the shared report schema, for example `EqualityOperator`.
    pub mutator: String,
    /// Kind in the agents' contract, for example `boundary-off-by-one`.
    pub kind: String,
    /// What a test would have to do, from the rule.
    pub hint: String,
    /// Bytes of the whole expression or statement that the edit changes: where a probe belongs.
    pub place: crate::text::Span,
    /// Whether it is left out, and why: an ignore comment or the user's selection.
    pub ignored: Option<Reason>,
}

/// Why a mutant was not run, on purpose.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reason {
    /// A comment in the source.
    Comment { text: String },
    /// Left out by `--max-mutants`, `--sample` or `--budget`.
    NotChosen { why: String },
    /// The run was stopped first.
    Interrupted,
}

/// What we conclude about a mutant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// These tests failed on it (the first one only, unless the run was told not to stop).
    Killed { by: Vec<TestId>, why: String },
    /// Tests that reach it ran, and all passed.
    Survived,
    /// The test process went over a limit; `why` names it.
    TimedOut { why: String },
    /// No test reaches it.
    NoCoverage,
    /// It does not compile or load.
    Invalid { why: String },
    /// The run proves nothing.
    Inconclusive { why: String },
    /// Not run, on purpose.
    Ignored { why: Reason },
}
