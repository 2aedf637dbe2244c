//! pytest: what happened, in every way in which it can.

use crate::scene::{Asked, Scene};
use mutate::scratch::process::Exit;

#[test]
fn every_way_a_test_can_end_is_told_apart() {
    let scene = Scene::pytest(&[(
        "test_a.py",
        r#"
import pytest
def test_pass(): pass
def test_fail(): assert 1 == 2
def test_skip(): pytest.skip("not here")
@pytest.mark.xfail
def test_expected_failure(): assert False
@pytest.mark.xfail(run=False)
def test_never_run(): assert False
@pytest.mark.xfail
def test_surprise(): pass
@pytest.mark.xfail(strict=True)
def test_strict_surprise(): pass
@pytest.fixture
def broken(): raise KeyError("no set-up")
def test_setup_fails(broken): pass
@pytest.fixture
def late():
    yield
    raise OSError("no tear-down")
def test_teardown_fails(late): pass
def test_exit(): raise SystemExit(0)
"#,
    )]);
    let told = scene.all();
    told.is_finished().has_lines(&[
        "test_a.py::test_pass passed",
        "test_a.py::test_fail failed AssertionError",
        "test_a.py::test_skip skipped",
        "test_a.py::test_expected_failure passed",
        "test_a.py::test_never_run skipped",
        "test_a.py::test_surprise passed",
        "test_a.py::test_strict_surprise failed XPASS(strict)",
        "test_a.py::test_setup_fails failed KeyError",
        "test_a.py::test_teardown_fails failed OSError",
        "test_a.py::test_exit failed SystemExit",
    ]);
    assert_eq!(told.failure("test_a.py::test_fail").message, "assert 1 == 2");
    assert_eq!(told.failure("test_a.py::test_setup_fails").message, "in set-up: 'no set-up'");
    assert_eq!(told.failure("test_a.py::test_teardown_fails").message, "in tear-down: no tear-down");
}

#[test]
fn ids_with_any_character_come_back_and_can_be_selected() {
    let scene = Scene::pytest(&[
        ("pytest.ini", "[pytest]\ndisable_test_id_escaping_and_forfeit_all_rights_to_community_support = true\n"),
        (
            "test_a.py",
            r#"
import pytest
@pytest.mark.parametrize("text", ["a b", "x > y", "q'\"", "[1]", "a::b", "é😀", "\0", "new\nline", "back\\slash", "/"])
def test_p(text): pass
"#,
        ),
    ]);
    let all = scene.all();
    let ids: Vec<String> = all.run.results.iter().map(|result| result.id.to_string()).collect();
    assert_eq!(ids.len(), 10, "{all:#?}");
    assert!(ids.contains(&"test_a.py::test_p[\0]".to_owned()) && ids.contains(&"test_a.py::test_p[é😀]".to_owned()), "{ids:?}");
    for id in &ids {
        let told = scene.only(&[id]);
        assert_eq!(told.lines(), [format!("{id} passed")], "{told:#?}");
        assert_eq!(told.missing(), Vec::<&str>::new());
    }
}

#[test]
fn classes_and_unittest_cases_are_named_as_pytest_names_them() {
    let scene = Scene::pytest(&[(
        "tests/test_a.py",
        r#"
import unittest
class TestPlain:
    def test_a(self): pass
class Case(unittest.TestCase):
    def test_b(self): self.assertEqual(1, 2)
    def test_c(self):
        for n in range(3):
            with self.subTest(n=n):
                self.assertNotEqual(n, 1)
    @unittest.skip("no")
    def test_d(self): pass
"#,
    )]);
    scene.all().is_finished().has_lines(&[
        "tests/test_a.py::TestPlain::test_a passed",
        "tests/test_a.py::Case::test_b failed AssertionError",
        "tests/test_a.py::Case::test_c failed AssertionError",
        "tests/test_a.py::Case::test_d skipped",
    ]);
}

#[test]
fn a_failed_part_fails_its_test_and_a_skipped_part_does_not() {
    let scene = Scene::pytest(&[(
        "test_a.py",
        r#"
import pytest
def test_parts(subtests):
    with subtests.test(msg="good"): pass
    with subtests.test(msg="bad"): assert 0, "a part"
    with subtests.test(msg="skipped"): pytest.skip("later")
def test_skipped_part(subtests):
    with subtests.test(msg="skipped"): pytest.skip("later")
"#,
    )]);
    let told = scene.all();
    told.has_lines(&["test_a.py::test_parts failed AssertionError", "test_a.py::test_skipped_part passed"]);
}

#[test]
fn a_file_that_does_not_load_is_no_failed_test() {
    let scene = Scene::pytest(&[("test_a.py", "import not_there\ndef test_a(): pass\n"), ("test_b.py", "def test_b(): pass\n")]);
    let told = scene.all();
    told.has_lines(&[]);
    let (id, failure) = told.load_failure();
    assert_eq!((id, failure.kind.as_str()), ("test_a.py", "ModuleNotFoundError"));
    assert_eq!(failure.file.as_deref(), scene.root().join("test_a.py").to_str());
}

#[test]
fn a_syntax_error_points_at_the_broken_file() {
    let scene = Scene::pytest(&[("test_a.py", "import shop\ndef test_a(): pass\n"), ("shop.py", "def total(:\n")]);
    let told = scene.only(&["test_a.py::test_a"]);
    let (id, failure) = told.load_failure();
    assert_eq!((id, failure.kind.as_str()), ("test_a.py", "SyntaxError"));
    assert_eq!(failure.file.as_deref(), scene.root().join("shop.py").to_str());
    assert_eq!(told.missing(), Vec::<&str>::new(), "it is no wonder that the tests of a broken file are missing");
}

#[test]
fn a_syntax_error_inside_a_test_points_at_the_broken_file_too() {
    let scene = Scene::pytest(&[("test_a.py", "def test_a():\n    import shop\n"), ("shop.py", "def total(:\n")]);
    let told = scene.all();
    assert_eq!(told.failure("test_a.py::test_a").file.as_deref(), scene.root().join("shop.py").to_str());
}

#[test]
fn a_conftest_that_does_not_load_is_a_load_failure_wherever_it_stands() {
    let broken = ("shop.py", "LIMIT = 1 / 0\n");
    let scene = Scene::pytest(&[("conftest.py", "import shop\n"), broken, ("test_a.py", "def test_a(): pass\n")]);
    let told = scene.all();
    let (id, failure) = told.load_failure();
    assert!(id.ends_with("conftest.py"), "{id}");
    assert_eq!(failure.kind, "ZeroDivisionError");
    assert_eq!(failure.file.as_deref(), scene.root().join("shop.py").to_str());

    let files = [("deep/er/conftest.py", "import shop\n"), broken, ("deep/er/test_a.py", "def test_a(): pass\n")];
    let scene = Scene::pytest(&files);
    let told = scene.all();
    let (id, failure) = told.load_failure();
    assert!(id.ends_with("deep/er/conftest.py"), "{id}");
    assert_eq!(failure.kind, "ZeroDivisionError");
}

#[test]
fn an_error_of_a_hook_is_an_internal_error_and_the_run_is_not_finished() {
    let scene = Scene::pytest(&[
        ("conftest.py", "def pytest_runtest_logreport(report):\n    raise LookupError('hook')\n"),
        ("test_a.py", "def test_a(): pass\n"),
    ]);
    let told = scene.all();
    let (_, failure) = told.load_failure();
    assert_eq!((failure.kind.as_str(), told.run.finished), ("LookupError", false));
}

#[test]
fn an_option_that_pytest_does_not_know_is_a_usage_error() {
    let scene = Scene::pytest(&[("pytest.ini", "[pytest]\naddopts = --no-such-option\n"), ("test_a.py", "def test_a(): pass\n")]);
    let told = scene.all();
    let (_, failure) = told.load_failure();
    assert_eq!(failure.kind, "UsageError");
    assert!(failure.message.contains("--no-such-option"), "{failure:?}");
    assert!(!told.run.finished);
}

#[test]
fn zero_selected_tests_are_zero_results() {
    let scene = Scene::pytest(&[("test_a.py", "def test_a(): pass\n")]);
    let told = scene.only(&[]);
    told.is_finished().has_lines(&[]);
    assert_eq!(told.run.ran(), 0);
}

#[test]
fn a_selected_test_that_is_not_there_is_missing() {
    let scene = Scene::pytest(&[("test_a.py", "def test_a(): pass\n")]);
    let told = scene.only(&["test_a.py::test_gone", "test_a.py::test_a", "test_gone.py::test_b"]);
    told.is_finished().has_lines(&["test_a.py::test_a passed"]);
    assert_eq!(told.missing(), ["test_a.py::test_gone", "test_gone.py::test_b"]);
}

#[test]
fn the_run_stops_at_the_first_failure_only_if_asked() {
    let scene = Scene::pytest(&[
        ("pytest.ini", "[pytest]\naddopts = -x\n"),
        ("test_a.py", "def test_a(): assert 0\ndef test_b(): assert 0\n"),
    ]);
    scene.run(Asked { bail: true, ..Asked::default() }).is_finished().has_lines(&["test_a.py::test_a failed AssertionError"]);
    assert_eq!(scene.all().lines().len(), 2);
}

#[test]
fn files_come_in_the_order_of_the_selection_and_tests_in_the_order_of_their_file() {
    let two = "def test_1(): pass\ndef test_2(): pass\n";
    let scene = Scene::pytest(&[("test_a.py", two), ("test_b.py", two), ("test_c.py", two)]);
    let told = scene.only(&["test_c.py::test_2", "test_a.py::test_2", "test_c.py::test_1", "test_a.py::test_1"]);
    told.has_lines(&[
        "test_c.py::test_1 passed",
        "test_c.py::test_2 passed",
        "test_a.py::test_1 passed",
        "test_a.py::test_2 passed",
    ]);
    let collected: Vec<&str> = told.run.collected.iter().map(|id| id.as_str()).collect();
    assert_eq!(collected, ["test_c.py::test_1", "test_c.py::test_2", "test_a.py::test_1", "test_a.py::test_2"]);
}

#[test]
fn files_without_a_selected_test_are_not_even_imported() {
    let mut scene = Scene::pytest(&[("test_a.py", "def test_a(): pass\n"), ("test_b.py", "raise SystemExit('imported')\n")]);
    scene.only(&["test_a.py::test_a"]).is_finished().has_lines(&["test_a.py::test_a passed"]);
    scene.settings.tests = vec!["test_a.py".into(), "test_b.py".into()];
    scene.only(&["test_a.py::test_a"]).is_finished().has_lines(&["test_a.py::test_a passed"]);
}

#[test]
fn named_files_are_the_only_ones_that_run() {
    let mut scene = Scene::pytest(&[("test_a.py", "def test_a(): pass\n"), ("checks/b.py", "def test_b(): pass\n")]);
    scene.settings.tests = vec!["checks/b.py".into()];
    scene.all().is_finished().has_lines(&["checks/b.py::test_b passed"]);
}

#[test]
fn a_deselected_test_never_runs() {
    let mut scene = Scene::pytest(&[("test_a.py", "def test_a(): pass\ndef test_b(): pass\n")]);
    scene.settings.deselect = vec![mutate::suite::TestId::new("test_a.py::test_a")];
    scene.all().has_lines(&["test_a.py::test_b passed"]);
    scene.only(&["test_a.py::test_a"]).has_lines(&[]);
}

#[test]
fn a_file_of_tests_is_deselected_as_a_whole() {
    let mut scene = Scene::pytest(&[("test_a.py", "def test_a(): pass\n"), ("test_ab.py", "def test_b(): pass\n")]);
    scene.settings.deselect = vec![mutate::suite::TestId::new("test_a.py")];
    scene.all().has_lines(&["test_ab.py::test_b passed"]);
}

#[test]
fn doctests_are_tests() {
    let scene = Scene::pytest(&[
        ("pytest.ini", "[pytest]\naddopts = --doctest-modules\n"),
        ("shop.py", "def one():\n    \"\"\"\n    >>> one()\n    2\n    \"\"\"\n    return 1\n"),
    ]);
    scene.all().has_lines(&["shop.py::shop.one failed DocTestFailure"]);
    assert_eq!(scene.only(&["shop.py::shop.one"]).lines().len(), 1);
}

#[test]
fn a_process_that_dies_in_a_test_leaves_it_unfinished() {
    let scene = Scene::pytest(&[("test_a.py", "import os\ndef test_a(): pass\ndef test_b(): os._exit(0)\ndef test_c(): pass\n")]);
    let told = scene.all();
    told.has_lines(&["test_a.py::test_a passed"]);
    assert_eq!(told.run.unfinished.as_ref().map(|id| id.as_str()), Some("test_a.py::test_b"));
    assert!(!told.run.finished);
    assert_eq!(told.ended.exit, Exit::Code(0), "the exit code alone would say that all is well");
}

#[test]
fn an_interrupt_from_the_code_leaves_the_test_unfinished() {
    let scene = Scene::pytest(&[("test_a.py", "def test_a(): raise KeyboardInterrupt\n")]);
    let told = scene.all();
    assert_eq!(told.run.unfinished.as_ref().map(|id| id.as_str()), Some("test_a.py::test_a"));
    told.is_noticed("KeyboardInterrupt");
    assert!(!told.run.finished);
}

#[test]
fn a_forked_child_that_comes_back_reports_nothing() {
    let scene = Scene::pytest(&[(
        "test_a.py",
        r#"
import os
def test_a():
    child = os.fork()
    if child == 0:
        raise RuntimeError("in the child")
    os.waitpid(child, 0)
def test_b(): pass
"#,
    )]);
    scene.all().is_finished().has_lines(&["test_a.py::test_a passed", "test_a.py::test_b passed"]);
}

#[test]
fn a_test_that_closes_all_descriptors_and_stops_the_clock_does_no_harm() {
    let scene = Scene::pytest(&[
        ("pytest.ini", "[pytest]\naddopts = -s -p no:logging -p no:faulthandler\n"),
        (
            "test_a.py",
            r#"
import os, json, time
from unittest import mock
def test_a(monkeypatch):
    os.closerange(3, 60)
    for place in ("os.open", "os.write", "os.getpid", "json.dumps", "time.perf_counter"):
        monkeypatch.setattr(place, lambda *args: 0)
"#,
        ),
    ]);
    scene.all().is_finished().has_lines(&["test_a.py::test_a passed"]);
}

#[test]
fn options_that_would_change_the_run_are_switched_off_and_named() {
    let scene = Scene::pytest(&[
        (
            "pytest.ini",
            "[pytest]\naddopts = -n 2 --dist loadfile --cov=shop --cov-fail-under=100 --random-order --reruns 2 --lf --maxfail=1 --junitxml=out.xml --strict-markers\n",
        ),
        ("shop.py", "def one(): return 1\n"),
        (
            "test_a.py",
            r#"
import os, pytest, shop
@pytest.mark.flaky(reruns=3)
def test_fail(): assert 0
def test_worker(): assert "PYTEST_XDIST_WORKER" not in os.environ
"#,
        ),
        ("test_b.py", &(0..30).map(|n| format!("def test_{n}(): pass\n")).collect::<String>()),
    ]);
    let told = scene.all();
    let mut expected = vec!["test_a.py::test_fail failed AssertionError".to_owned(), "test_a.py::test_worker passed".to_owned()];
    expected.extend((0..30).map(|n| format!("test_b.py::test_{n} passed")));
    assert_eq!(told.lines(), expected, "{told:#?}");
    told.is_finished();
    assert_eq!(told.run.retried, told.run.collected[..1], "--reruns is for all and says nothing about any");
    for words in ["xdist", "cov:", "random-order", "randomly: tests keep", "rerunfailures", "cacheprovider", "maxfail", "junitxml"]
    {
        told.is_noticed(words);
    }
    for left in [".coverage", "out.xml", ".pytest_cache"] {
        assert!(!scene.root().join(left).exists(), "{left} was written");
    }
}

#[test]
fn a_project_without_such_options_gets_no_such_notice() {
    let scene = Scene::pytest(&[("pytest.ini", "[pytest]\naddopts = -p no:randomly\n"), ("test_a.py", "def test_a(): pass\n")]);
    let notices = scene.all().run.notices;
    // Loaded plug-ins are switched off even if nothing asks for them now: a mark in a test could.
    assert_eq!(notices, ["rerunfailures: a failed test is not run again"]);
}

#[test]
fn tests_see_a_clean_environment() {
    let ci = std::env::var("CI").unwrap_or_default();
    let scene = Scene::pytest(&[(
        "test_a.py",
        &r#"
import os, sys
def test_a():
    assert os.environ.get("CI", "") == "[CI]", "as the user has it"
    assert os.environ["PYTHONHASHSEED"] == "0"
    assert not [name for name in os.environ if name.startswith("MUTATE")]
    assert "PYTHONPATH" not in os.environ and "PYTHONDONTWRITEBYTECODE" not in os.environ
    assert not [entry for entry in sys.path if os.path.exists(os.path.join(entry, "request.json"))]
    assert "sitecustomize" not in sys.modules or "request" not in (sys.modules["sitecustomize"].__file__ or "")
"#
        .replace("[CI]", &ci),
    )]);
    let told = scene.all();
    assert_eq!(told.lines(), ["test_a.py::test_a passed"], "{told:#?}");
}
