//! unittest: what happened, in every way in which it can, and who reached what.

use crate::scene::{Asked, Scene};

#[test]
fn every_way_a_test_can_end_is_told_apart() {
    let scene = Scene::unittest(&[(
        "test_a.py",
        r#"
import unittest
class Case(unittest.TestCase):
    def test_a_pass(self): pass
    def test_b_fail(self): self.assertEqual(1, 2)
    def test_c_error(self): {}["key"]
    def test_d_skip(self): self.skipTest("no")
    @unittest.expectedFailure
    def test_e_expected(self): self.fail()
    @unittest.expectedFailure
    def test_f_surprise(self): pass
    def test_g_parts(self):
        for n in range(3):
            with self.subTest(n=n):
                self.assertNotEqual(n, 1)
    def test_h_skipped_part(self):
        with self.subTest(): self.skipTest("later")
    def test_i_cleanup(self): self.addCleanup(lambda: 1 / 0)
class Async(unittest.IsolatedAsyncioTestCase):
    async def asyncSetUp(self): self.one = 1
    async def test_async(self): self.assertEqual(self.one, 2)
"#,
    )]);
    scene.all().is_finished().has_lines(&[
        "test_a.Async.test_async failed AssertionError",
        "test_a.Case.test_a_pass passed",
        "test_a.Case.test_b_fail failed AssertionError",
        "test_a.Case.test_c_error failed KeyError",
        "test_a.Case.test_d_skip skipped",
        "test_a.Case.test_e_expected passed",
        "test_a.Case.test_f_surprise failed UnexpectedSuccess",
        "test_a.Case.test_g_parts failed AssertionError",
        "test_a.Case.test_h_skipped_part passed",
        "test_a.Case.test_i_cleanup failed ZeroDivisionError",
    ]);
}

#[test]
fn a_hook_that_fails_fails_the_selected_tests_of_its_class_or_module() {
    let scene = Scene::unittest(&[
        (
            "test_a.py",
            r#"
import unittest
class A(unittest.TestCase):
    @classmethod
    def setUpClass(cls): raise OSError("no class")
    def test_1(self): pass
    def test_2(self): pass
    def test_3(self): pass
class B(unittest.TestCase):
    @classmethod
    def tearDownClass(cls): raise KeyError("late")
    def test_1(self): pass
    def test_2(self): pass
class C(unittest.TestCase):
    @classmethod
    def setUpClass(cls): raise unittest.SkipTest("not now")
    def test_1(self): pass
"#,
        ),
        (
            "test_b.py",
            "import unittest\ndef setUpModule(): raise OSError('no module')\nclass D(unittest.TestCase):\n    def test_1(self): pass\n",
        ),
        ("test_c.py", "import unittest\nclass E(unittest.TestCase):\n    def test_1(self): pass\n"),
    ]);
    let told = scene.only(&[
        "test_a.A.test_1",
        "test_a.A.test_3",
        "test_a.B.test_1",
        "test_a.B.test_2",
        "test_a.C.test_1",
        "test_b.D.test_1",
        "test_c.E.test_1",
    ]);
    told.is_finished().has_lines(&[
        "test_a.A.test_1 failed OSError",
        "test_a.A.test_3 failed OSError",
        "test_a.B.test_1 passed",
        "test_a.B.test_2 failed KeyError",
        "test_a.C.test_1 skipped",
        "test_b.D.test_1 failed OSError",
        "test_c.E.test_1 passed",
    ]);
    assert_eq!(told.failure("test_a.A.test_1").message, "in setUpClass: no class");
    assert_eq!(told.failure("test_a.B.test_2").message, "in tearDownClass: 'late'");
    assert_eq!(told.failure("test_b.D.test_1").message, "in setUpModule: no module");
}

const ONE: &str = "import unittest\nclass Case(unittest.TestCase):\n    def test_1(self): pass\n    def test_2(self): pass\n";

#[test]
fn tests_are_found_in_packages_and_in_plain_folders() {
    let scene = Scene::unittest(&[("tests/test_a.py", ONE), ("shop/__init__.py", ""), ("shop/test_b.py", ONE)]);
    scene.all().has_lines(&[
        "shop.test_b.Case.test_1 passed",
        "shop.test_b.Case.test_2 passed",
        "test_a.Case.test_1 passed",
        "test_a.Case.test_2 passed",
    ]);
}

#[test]
fn named_files_and_folders_are_the_only_ones_that_run() {
    let files =
        [("tests/__init__.py", ""), ("tests/test_a.py", ONE), ("tests/test_b.py", ONE), ("checks/all.py", ONE), ("test_c.py", ONE)];
    let mut scene = Scene::unittest(&files);
    scene.settings.tests = vec!["tests/test_a.py".into(), "checks/all.py".into()];
    let told = scene.all();
    assert_eq!(told.lines().len(), 4, "{told:#?}");
    told.has_lines(&[
        "tests.test_a.Case.test_1 passed",
        "tests.test_a.Case.test_2 passed",
        "all.Case.test_1 passed",
        "all.Case.test_2 passed",
    ]);
    scene.settings.tests = vec!["tests".into()];
    assert_eq!(scene.all().lines().len(), 4);
}

#[test]
fn modules_come_in_the_order_of_the_selection_and_others_are_not_imported() {
    let scene = Scene::unittest(&[("test_a.py", ONE), ("test_b.py", ONE), ("test_c.py", "raise SystemExit('imported')\n")]);
    let told = scene.only(&["test_b.Case.test_2", "test_a.Case.test_1"]);
    told.is_finished().has_lines(&["test_b.Case.test_2 passed", "test_a.Case.test_1 passed"]);
    assert!(told.run.load_failures.is_empty());
}

#[test]
fn a_selected_test_that_is_not_there_is_missing() {
    let scene = Scene::unittest(&[("test_a.py", ONE)]);
    let told = scene.only(&["test_a.Case.test_9", "test_a.Case.test_1"]);
    told.is_finished().has_lines(&["test_a.Case.test_1 passed"]);
    assert_eq!(told.missing(), ["test_a.Case.test_9"]);
}

#[test]
fn a_test_that_another_module_makes_is_found() {
    let maker = "import unittest, hidden\ndef load_tests(loader, tests, pattern): return loader.loadTestsFromModule(hidden)\n";
    let scene = Scene::unittest(&[("hidden.py", ONE), ("test_a.py", maker)]);
    assert_eq!(scene.all().lines().len(), 2);
    scene.only(&["hidden.Case.test_2"]).is_finished().has_lines(&["hidden.Case.test_2 passed"]);
}

#[test]
fn zero_selected_tests_are_zero_results() {
    Scene::unittest(&[("test_a.py", ONE)]).only(&[]).is_finished().has_lines(&[]);
}

#[test]
fn a_module_that_does_not_load_is_no_failed_test() {
    let scene = Scene::unittest(&[("test_a.py", "import shop\n"), ("shop.py", "def total(:\n"), ("test_b.py", ONE)]);
    let told = scene.all();
    assert_eq!(told.lines().len(), 2);
    let (id, failure) = told.load_failure();
    assert_eq!((id, failure.kind.as_str()), ("test_a", "SyntaxError"));
    assert_eq!(failure.file.as_deref(), scene.root().join("shop.py").to_str());
}

#[test]
fn the_run_stops_at_the_first_failure_if_asked() {
    let fail = "import unittest\nclass Case(unittest.TestCase):\n    def test_1(self): self.fail()\n    def test_2(self): pass\n";
    let scene = Scene::unittest(&[("test_a.py", fail)]);
    scene.run(Asked { bail: true, ..Asked::default() }).is_finished().has_lines(&["test_a.Case.test_1 failed AssertionError"]);
}

#[test]
fn a_process_that_dies_in_a_test_leaves_it_unfinished() {
    let dies = "import os, unittest\nclass Case(unittest.TestCase):\n    def test_1(self): os._exit(0)\n";
    let told = Scene::unittest(&[("test_a.py", dies)]).all();
    assert_eq!(told.run.unfinished.as_ref().map(|id| id.as_str()), Some("test_a.Case.test_1"));
    assert!(!told.run.finished);
}

#[test]
fn a_source_folder_is_put_on_the_path_only_if_it_is_not_installed() {
    let test = "import unittest, shop\nclass Case(unittest.TestCase):\n    def test_1(self): self.assertEqual(shop.ONE, 1)\n";
    let scene = Scene::unittest(&[("src/shop/__init__.py", "ONE = 1\n"), ("tests/test_a.py", test)]);
    scene.all().is_noticed("src").has_lines(&["test_a.Case.test_1 passed"]);
    scene.write("shop.py", "ONE = 1\n");
    let told = scene.all();
    told.has_lines(&["test_a.Case.test_1 passed"]);
    assert_eq!(told.run.notices, Vec::<String>::new());
}

#[test]
fn spawned_processes_find_their_way() {
    let test = r#"
import multiprocessing, unittest, operator
class Case(unittest.TestCase):
    def test_1(self):
        with multiprocessing.get_context("spawn").Pool(1) as pool:
            self.assertEqual(pool.map(operator.neg, [1]), [-1])
"#;
    Scene::unittest(&[("test_a.py", test)]).all().is_finished().has_lines(&["test_a.Case.test_1 passed"]);
}

#[test]
fn hits_of_shared_hooks_belong_to_all_who_share_them() {
    let scene = Scene::unittest(&[
        ("shop.py", "_mu_(1)\ndef hit(n): (_mu_(2) or (_mu_(n)))\n"),
        (
            "test_a.py",
            r#"
import unittest, shop
def setUpModule(): shop.hit(10)
def tearDownModule(): shop.hit(11)
class A(unittest.TestCase):
    @classmethod
    def setUpClass(cls): shop.hit(20)
    @classmethod
    def tearDownClass(cls): shop.hit(21)
    def setUp(self): shop.hit(30)
    def test_1(self): shop.hit(31)
    def test_2(self): shop.hit(32)
class B(unittest.TestCase):
    def test_1(self): shop.hit(33)
"#,
        ),
        ("test_b.py", "import unittest\nclass C(unittest.TestCase):\n    def test_1(self): pass\n"),
    ]);
    let told = scene.reach();
    told.is_finished();
    assert_eq!(told.reached("test_a.A.test_1"), [2, 10, 11, 20, 21, 30, 31]);
    assert_eq!(told.reached("test_a.A.test_2"), [2, 10, 11, 20, 21, 30, 32]);
    assert_eq!(told.reached("test_a.B.test_1"), [2, 10, 11, 33]);
    assert_eq!(told.reached("test_b.C.test_1"), Vec::<u32>::new());
    assert_eq!(told.while_loading(), [1]);
}

#[test]
fn replaced_functions_and_memoised_answers_hide_no_reach() {
    let test = r#"
import os, unittest, shop
from unittest import mock
class A(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.patch = mock.patch("os.listdir", return_value=["a", "c"])
        cls.patch.start()
    @classmethod
    def tearDownClass(cls): cls.patch.stop()
    def test_1(self): shop.rate(5)
    def test_2(self): shop.rate(5)
"#;
    let told = Scene::unittest(&[
        ("shop.py", "import functools\n@functools.lru_cache(maxsize=None)\ndef rate(n): return (_mu_(n) or (n))\n"),
        ("test_a.py", test),
    ])
    .reach();
    told.is_finished().has_lines(&["test_a.A.test_1 passed", "test_a.A.test_2 passed"]);
    assert_eq!((told.reached("test_a.A.test_1"), told.reached("test_a.A.test_2")), (vec![5], vec![5]));
}
