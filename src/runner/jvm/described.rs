//! How the build compiles and runs the tests, as it was seen to do it, and the proof that we get the same without it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::lines::Lines;
use crate::error::Result;
use crate::runner::{Request, report};
use crate::suite::{TestId, TestRun, TestStatus};

/// Name of the file in a request's folder.
pub const FILE: &str = "described";
/// Where our own run beside that of the build has reported.
const DIRECT: &str = "direct";

#[derive(Clone, Debug)]
pub struct Described {
    lines: Lines,
    /// Where the project stood when this was written.
    root: PathBuf,
    /// All tests, in the order of the build.
    pub tests: Vec<TestId>,
}

impl Described {
    /// What the build has told, or why it is of no use.
    pub fn read(request: &Request, by_build: &TestRun) -> Result<Result<Described, String>> {
        let lines = Lines::read(&request.folder.join(FILE))?;
        for key in ["refused", "differs"] {
            if let Some(why) = lines.value(key) {
                return Ok(Err(why.to_owned()));
            }
        }
        let directly = report::read(&request.folder.join(DIRECT))?.unwrap_or_default();
        if let Some(why) = difference(by_build, &directly) {
            return Ok(Err(why));
        }
        let tests = by_build.results.iter().map(|result| result.id.clone()).collect();
        Ok(Ok(Described { lines, root: request.root.to_owned(), tests }))
    }

    /// For a tree that may stand somewhere else.
    pub fn at(&self, root: &Path) -> Lines {
        let (Some(from), Some(to)) = (self.root.to_str(), root.to_str()) else { return self.lines.clone() };
        if from == to { self.lines.clone() } else { self.lines.mapped(|text| moved(text, from, to)) }
    }
}

/// Paths that begin with `from`, wherever they stand in the text.
fn moved(text: &str, from: &str, to: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(from) {
        let (head, tail) = rest.split_at(at);
        let tail = &tail[from.len()..];
        let whole = tail.chars().next().is_none_or(|next| "/:;,".contains(next));
        out.push_str(head);
        out.push_str(if whole { to } else { from });
        rest = tail;
    }
    out + rest
}

/// What is not the same in both runs.
fn difference(by_build: &TestRun, directly: &TestRun) -> Option<String> {
    let (left, right) = (outcomes(by_build), outcomes(directly));
    let missing = left.keys().find(|id| !right.contains_key(*id)).map(|id| format!("without it, {id} is not run"));
    let other = || {
        let differs = |(id, how): &(&&TestId, &&str)| left.get(**id) != Some(*how);
        right.iter().find(differs).map(|(id, how)| format!("without it, {id} {how}"))
    };
    let broken = (!directly.finished || !directly.load_failures.is_empty()).then(|| "without it, the tests do not run".to_owned());
    missing.or_else(other).or(broken)
}

fn outcomes(run: &TestRun) -> BTreeMap<&TestId, &'static str> {
    let how = |status: &TestStatus| match status {
        TestStatus::Passed => "passes",
        TestStatus::Failed(_) => "fails",
        TestStatus::Skipped => "is skipped",
    };
    run.results.iter().map(|result| (&result.id, how(&result.status))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::suite::TestResult;
    use std::time::Duration;

    fn run(results: &[(&str, TestStatus)]) -> TestRun {
        let result =
            |(id, status): &(&str, TestStatus)| TestResult { id: TestId::new(*id), status: status.clone(), took: Duration::ZERO };
        TestRun { results: results.iter().map(result).collect(), finished: true, ..TestRun::default() }
    }

    #[test]
    fn the_same_tests_must_end_the_same_way() {
        let both = run(&[("a", TestStatus::Passed), ("b", TestStatus::Skipped)]);
        assert_eq!(difference(&both, &both), None);
        let one = run(&[("a", TestStatus::Passed)]);
        assert_eq!(difference(&both, &one).unwrap(), "without it, b is not run");
        assert_eq!(difference(&one, &both).unwrap(), "without it, b is skipped");
        let unfinished = TestRun { finished: false, ..both.clone() };
        assert!(difference(&both, &unfinished).is_some());
    }

    #[test]
    fn only_whole_paths_are_moved() {
        assert_eq!(moved("/a/b/c:/a/bc:-Dx=/a/b", "/a/b", "/z"), "/z/c:/a/bc:-Dx=/z");
    }
}
