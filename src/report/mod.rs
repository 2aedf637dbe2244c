//! The finished report, and its forms.
//!
//! [`Report`] is plain data; every format is one function of it.

pub mod bytes;
pub mod concise;
pub mod diff;
pub mod formats;
pub mod json;
pub mod own;
pub mod progress;
pub mod short;
pub mod single;
pub mod store;
pub mod style;
pub mod survivors;
pub mod terminal;
pub mod words;

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::analysis::{Kind, Score};
use crate::execute::audit::Audit;
use crate::execute::outcome::Measured;
use crate::source::ProjectPath;
use crate::suite::TestId;
use crate::text::Digest;

/// Everything a run has to say.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Report {
    /// Absolute; never written into a shared artifact.
    pub root: PathBuf,
    pub tool_version: String,
    /// Digest of all rules and grammars that were in force.
    pub rules: Digest,
    /// In path order.
    pub files: Vec<FileReport>,
    /// In order of path, then of position.
    pub mutants: Vec<Measured>,
    /// One per runner.
    pub baselines: Vec<BaselineReport>,
    /// What came of trying verdicts from warm processes again in new ones.
    #[serde(default)]
    pub audit: Audit,
    /// How many mutants were not generated, by the name of the reason, for example `arid/logging`.
    pub not_generated: BTreeMap<String, usize>,
    /// How many files were left out, by reason, for example `test file`.
    pub files_left_out: BTreeMap<String, usize>,
    /// What the user should know, in words, in a fixed order.
    pub notices: Vec<String>,
    /// All sources of the project, tests included.
    pub sources: SourceSet,
    /// False if the budget ran out or the user stopped the run.
    pub complete: bool,
    pub took: Took,
}

impl Report {
    pub fn score(&self) -> Score {
        Score::of(self.mutants.iter().map(|measured| &measured.verdict))
    }

    pub fn file(&self, path: &ProjectPath) -> Option<&FileReport> {
        self.files.iter().find(|file| file.path == *path)
    }

    /// Files that are not what they were before the run.
    pub fn tampered(&self) -> impl Iterator<Item = &ProjectPath> {
        self.sources.changed.iter()
    }

    pub fn of_kind(&self, kind: Kind) -> impl Iterator<Item = &Measured> {
        self.mutants.iter().filter(move |measured| Kind::of(&measured.verdict) == kind)
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileReport {
    pub path: ProjectPath,
    pub language: String,
    #[serde(with = "bytes")]
    pub text: Vec<u8>,
    /// blake3 before and after the run; the report is void where they differ.
    pub before: Digest,
    pub after: Digest,
}

/// The sources of a project before and after a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceSet {
    pub files: usize,
    /// blake3 over the paths and digests of all files.
    pub before: Digest,
    pub after: Digest,
    /// Files that changed, came or went while we ran: whoever did it, the report is void.
    pub changed: Vec<ProjectPath>,
}

impl SourceSet {
    pub fn compare(before: &[(ProjectPath, Digest)], after: &[(ProjectPath, Digest)]) -> SourceSet {
        let old: BTreeMap<&ProjectPath, &Digest> = before.iter().map(|(path, digest)| (path, digest)).collect();
        let new: BTreeMap<&ProjectPath, &Digest> = after.iter().map(|(path, digest)| (path, digest)).collect();
        let paths: BTreeSet<&ProjectPath> = old.keys().chain(new.keys()).copied().collect();
        let changed = paths.into_iter().filter(|path| old.get(path) != new.get(path)).cloned().collect();
        SourceSet { files: before.len(), before: SourceSet::digest(before), after: SourceSet::digest(after), changed }
    }

    fn digest(files: &[(ProjectPath, Digest)]) -> Digest {
        Digest::of_parts(files.iter().flat_map(|(path, digest)| [path.as_str().as_bytes(), digest.bytes().as_slice()]))
    }
}

/// The unmutated run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BaselineReport {
    pub runner: String,
    pub version: String,
    /// The folder of the workspace in which the tests were started; empty for its root.
    pub package: ProjectPath,
    /// All tests of the project in the order of the run.
    pub tests: Vec<TestId>,
    pub passed: usize,
    pub skipped: usize,
    /// Tests that failed in one of several runs without a mutant; they cannot kill.
    pub flickering: Vec<TestId>,
    /// All tests that say nothing about a mutant: skipped, flickering, or meant to be tried again when they fail.
    #[serde(default)]
    pub unsteady: Vec<TestId>,
    /// `overlay` or `copy`, and why.
    pub scratch: String,
    /// How the wiring was proved, in words.
    pub wiring: String,
}

/// Durations; left out of anything that must be the same for the same input.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Took {
    pub discover: Duration,
    pub baseline: Duration,
    pub trials: Duration,
}
