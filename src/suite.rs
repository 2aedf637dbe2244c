//! The words for a test suite: a test, what happened to it, which tests to run, which test reaches what.
//!
//! Plain data shared by the runners below and the stages above.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A test as its own framework names it, for example `tests/test_shop.py::test_total[3]`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct TestId(Arc<str>);

impl TestId {
    pub fn new(id: impl Into<Arc<str>>) -> TestId {
        TestId(id.into())
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The file or class that the framework sets up as a whole: `tests/test_a.py` of `tests/test_a.py::test_b[1]`, `pkg.Case` of
    /// `pkg.Case.test_b`.
    pub fn file(&self) -> &str {
        match self.0.split_once("::") {
            Some((file, _)) => file,
            None => self.0.rsplit_once('.').map_or(&self.0, |(class, _)| class),
        }
    }
}

impl fmt::Display for TestId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for TestId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", &*self.0)
    }
}

/// A test as somebody names it who does not know how its framework does: a file, and what stands there as the test's name.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct NamedTest {
    /// Relative to the root of the project.
    pub file: String,
    pub name: String,
}

impl NamedTest {
    /// The tests that are meant: one, or every case of one that is run with several parameters.
    pub fn among<'t>(&self, tests: &'t [TestId]) -> Vec<&'t TestId> {
        tests.iter().filter(|test| self.is_name_of(test) && self.is_file_of(test)).collect()
    }

    fn is_name_of(&self, test: &TestId) -> bool {
        let name = self.name.replace("::", ".");
        let id = test.as_str().replace("::", ".");
        let id = id.as_str();
        let plain = [id, without_end(id, '(', ')'), without_end(id, '[', ']'), without_end(without_end(id, '[', ']'), '(', ')')];
        let begins_so = name.starts_with(['.', '#']);
        let ends_so = |id: &str| {
            let before = id.strip_suffix(&name);
            before.is_some_and(|before| begins_so || before.is_empty() || before.ends_with(['.', ' ', '$', '/', '#']))
        };
        plain.into_iter().any(ends_so)
    }

    /// A framework names the file, the module, the class or the package that the test stands in.
    fn is_file_of(&self, test: &TestId) -> bool {
        let file = self.file.trim_start_matches("./");
        let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem).replace('/', ".");
        let folder = file.rsplit_once('/').map_or(".", |(folder, _)| folder);
        let place = test.file();
        let ends_so = |whole: &str, end: &str| {
            whole.strip_suffix(end).is_some_and(|before| before.is_empty() || before.ends_with(['.', '/']))
        };
        let outer = place.split_once('$').map_or(place, |(outer, _)| outer);
        // `tests/test_a.py`, the folder of a Go package, `shop.CartTest` of `src/test/java/shop/CartTest.java`, `tests.test_a.Case`.
        ends_so(file, place) || folder == place && file.ends_with(".go") || ends_so(&stem, outer) || {
            let module = outer.rsplit_once('.').map_or("", |(module, _)| module);
            !module.is_empty() && ends_so(&stem, module)
        }
    }
}

/// `f[1]` → `f`.
fn without_end(id: &str, open: char, close: char) -> &str {
    id.strip_suffix(close).and_then(|id| id.split_once(open)).map_or(id, |(plain, _)| plain)
}

/// Why something failed, as the framework saw it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failure {
    /// The name of the exception, for example `AssertionError`; empty if unknown.
    pub kind: String,
    /// Its text, cut to a few hundred characters.
    pub message: String,
    /// The file that the failure points at, for a file that does not load: absolute, as the test process saw it.
    pub file: Option<String>,
    #[serde(default)]
    pub phase: Phase,
}

/// What was going on when something failed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Phase {
    /// A file of tests was being loaded.
    Collection,
    Setup,
    /// The body of the test.
    #[default]
    Call,
    Teardown,
    Unknown,
}

impl Phase {
    /// By the word of a framework: `call`, `setup`, `tearDownClass`, `before each`, `afterAll` …
    pub fn of_word(word: &str) -> Phase {
        let word = word.to_ascii_lowercase();
        match () {
            () if word == "call" => Phase::Call,
            () if word.starts_with("teardown") || word.contains("after") => Phase::Teardown,
            () if word.starts_with("setup") || word.contains("before") => Phase::Setup,
            () => Phase::Unknown,
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum TestStatus {
    Passed,
    Failed(Failure),
    Skipped,
}

/// What happened to one test.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TestResult {
    pub id: TestId,
    pub status: TestStatus,
    /// Set-up, call and tear-down together.
    pub took: Duration,
}

/// A file of tests (or a `conftest.py`) that could not be loaded.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LoadFailure {
    /// Named as the framework names it, for example `tests/test_shop.py`.
    pub id: TestId,
    pub failure: Failure,
    /// The compiler of the language refuses the program: it could not be built, so nothing of it ran.
    #[serde(default)]
    pub refused: bool,
}

/// What a test process reported through our own helper.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TestRun {
    /// What the framework was about to run, in order.
    pub collected: Vec<TestId>,
    /// Those of them that somebody has marked to be run again when they fail. Each runs once here, so its failure proves nothing.
    #[serde(default)]
    pub retried: Vec<TestId>,
    /// In the order in which they ran.
    pub results: Vec<TestResult>,
    pub load_failures: Vec<LoadFailure>,
    /// The test that had started and never ended.
    pub unfinished: Option<TestId>,
    /// Selected tests that the framework did not find.
    pub missing: Vec<TestId>,
    /// The helper saw the run end in good order. False after a crash or a kill.
    pub finished: bool,
    /// Who reached which probe; only filled when the request asked for it.
    pub reach: Reach,
    /// Only in a session: how many functions run the mutant now, or why it could not be put in place of them.
    #[serde(default)]
    pub swapped: Option<Result<usize, String>>,
    /// Only in a session that ran to its end: how often the functions of the mutant began, and their loops went round.
    #[serde(default)]
    pub rounds: Option<u64>,
    /// Only in a session: it was stopped after so many rounds.
    #[serde(default)]
    pub over_rounds: Option<u64>,
    /// Files of the user's own tree that were loaded though the tests ran in a copy: the copy is not what was tested.
    pub outside: Vec<String>,
    /// Files of the project, relative to its root, whose place a file from elsewhere has taken, with that file: an installed copy is
    /// what was tested. Only filled when the request asked for reach.
    pub instead: Vec<(String, String)>,
    /// What this run did once for all that follow, such as filling a compiler's cache: part of its time, but not of theirs.
    #[serde(default)]
    pub prepared: Duration,
    /// Mutants that the compiler refuses, when it was shown all of them at once.
    #[serde(default)]
    pub refused: Refused,
    /// What the framework or the helper wants the user to know, for example "xdist was switched off".
    pub notices: Vec<String>,
}

/// What a compiler has against a program that holds many mutants.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refused {
    pub mutants: Vec<u32>,
    /// It has not looked any further than at the shape of the text.
    pub syntax: bool,
    /// What it says about none of them; empty if nothing.
    pub other: String,
}

impl TestRun {
    pub fn failed(&self) -> impl Iterator<Item = (&TestId, &Failure)> {
        self.results.iter().filter_map(|result| match &result.status {
            TestStatus::Failed(failure) => Some((&result.id, failure)),
            _ => None,
        })
    }

    pub fn passed(&self) -> impl Iterator<Item = &TestId> {
        self.results.iter().filter(|result| result.status == TestStatus::Passed).map(|result| &result.id)
    }

    /// Tests that really ran: passed or failed, not skipped.
    pub fn ran(&self) -> usize {
        self.results.iter().filter(|result| result.status != TestStatus::Skipped).count()
    }
}

/// The number of a probe, unique in a run.
pub type ProbeId = u32;

/// Which probes were reached, by whom.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reach {
    /// Reached while modules were imported or test files loaded: any test may depend on it.
    pub while_loading: BTreeSet<ProbeId>,
    /// Reached by one test, its fixtures and the processes that it started.
    pub by_test: BTreeMap<TestId, BTreeSet<ProbeId>>,
}

/// Which tests a process is to run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum TestSelection {
    /// All that the framework finds.
    All,
    /// Exactly these, files in this order.
    Only(Vec<TestId>),
}

impl TestSelection {
    pub fn len(&self) -> Option<usize> {
        match self {
            TestSelection::All => None,
            TestSelection::Only(tests) => Some(tests.len()),
        }
    }

    pub fn is_empty(&self) -> bool {
        self.len() == Some(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How many of these tests are meant by a name in a file.
    fn meant(file: &str, name: &str, tests: &[&str]) -> usize {
        let tests: Vec<TestId> = tests.iter().map(|test| TestId::new(*test)).collect();
        NamedTest { file: file.into(), name: name.into() }.among(&tests).len()
    }

    #[test]
    fn a_test_is_found_by_the_file_and_name_that_a_person_would_write() {
        assert_eq!(meant("tests/test_a.py", "test_b", &["tests/test_a.py::test_b", "tests/test_c.py::test_b"]), 1);
        assert_eq!(meant("tests/test_a.py", "Case.test_b", &["tests/test_a.py::Case::test_b", "tests/test_a.py::test_b"]), 1);
        assert_eq!(meant("tests/test_a.py", "test_b", &["tests.test_a.Case.test_b", "tests.test_a2.Case.test_b"]), 1);
        assert_eq!(meant("test/a.test.js", "is free", &["test/a.test.js::shipping > is free", "test/a.test.js::is not free"]), 1);
        assert_eq!(meant("till/till_test.go", "TestTotal", &["till::TestTotal", "till::TestTotals"]), 1);
        assert_eq!(meant("src/test/java/shop/CartTest.java", "total", &["shop.CartTest::total()", "shop.CartTest::total2()"]), 1);
        assert_eq!(meant("spec/cart_spec.rb", "costs nothing", &["spec/cart_spec.rb::Cart costs nothing"]), 1);
        assert_eq!(meant("spec/cart_spec.rb", "#total is nothing", &["spec/cart_spec.rb::Cart#total is nothing"]), 1);
    }

    #[test]
    fn every_case_of_a_test_with_parameters_is_meant() {
        assert_eq!(meant("test_a.py", "test_b", &["test_a.py::test_b[1]", "test_a.py::test_b[x.y]", "test_a.py::test_bc[1]"]), 2);
        assert_eq!(meant("test_a.py", "test_b[1]", &["test_a.py::test_b[1]", "test_a.py::test_b[2]"]), 1);
        assert_eq!(meant("src/test/java/A.java", "cases", &["A::cases(java.lang.String)[1]", "A::cases(java.lang.String)[2]"]), 2);
    }
}
