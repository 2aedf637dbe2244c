//! pytest: who reached what.

use crate::scene::{Scene, python_of};

/// `hit(n)` reaches probe n; importing it reaches probe 1.
const SHOP: (&str, &str) = ("shop.py", "_mu_(1)\ndef hit(n):\n    return (_mu_(n) or (n))\n");

#[test]
fn a_hit_belongs_to_the_test_that_made_it() {
    let scene = Scene::pytest(&[
        SHOP,
        (
            "test_a.py",
            "import pytest, shop\n@pytest.fixture\ndef own():\n    shop.hit(5)\n    yield\n    shop.hit(6)\n\
             def test_a(own): shop.hit(7)\ndef test_b(): shop.hit(7)\ndef test_c(): pass\n",
        ),
    ]);
    let told = scene.reach();
    told.is_finished();
    assert_eq!(told.reached("test_a.py::test_a"), [5, 6, 7]);
    assert_eq!(told.reached("test_a.py::test_b"), [7]);
    assert_eq!(told.reached("test_a.py::test_c"), Vec::<u32>::new());
    assert_eq!(told.while_loading(), [1]);
}

#[test]
fn set_up_and_tear_down_of_a_shared_fixture_belong_to_all_who_use_it() {
    let scene = Scene::pytest(&[
        SHOP,
        (
            "conftest.py",
            "import pytest, shop\n@pytest.fixture(scope='session')\ndef shared():\n    shop.hit(20)\n    yield\n    shop.hit(21)\n\
             @pytest.fixture\ndef through(shared): pass\n",
        ),
        ("test_a.py", "def test_a(shared): pass\ndef test_b(): pass\n"),
        ("test_b.py", "import shop\ndef test_c(through): pass\ndef test_d(): shop.hit(9)\n"),
    ]);
    let told = scene.reach();
    assert_eq!(told.reached("test_a.py::test_a"), [20, 21]);
    assert_eq!(told.reached("test_b.py::test_c"), [20, 21]);
    assert_eq!(told.reached("test_a.py::test_b"), Vec::<u32>::new());
    // The fixture ends together with this test, so its end may be mistaken for that of the test, but never the other way round.
    assert_eq!(told.reached("test_b.py::test_d"), [9, 21]);
}

#[test]
fn hooks_of_a_module_and_a_class_belong_to_their_tests() {
    let scene = Scene::pytest(&[
        SHOP,
        (
            "test_a.py",
            r#"
import shop, unittest
def setup_module(): shop.hit(10)
def teardown_module(): shop.hit(11)
class TestOne:
    @classmethod
    def setup_class(cls): shop.hit(12)
    def test_a(self): pass
    def test_b(self): pass
class Case(unittest.TestCase):
    @classmethod
    def setUpClass(cls): shop.hit(13)
    def test_c(self): pass
"#,
        ),
        ("test_b.py", "def test_d(): pass\n"),
    ]);
    let told = scene.reach();
    assert_eq!(told.reached("test_a.py::TestOne::test_a"), [10, 11, 12]);
    assert_eq!(told.reached("test_a.py::TestOne::test_b"), [10, 11, 12]);
    assert_eq!(told.reached("test_a.py::Case::test_c"), [10, 11, 13]);
    assert_eq!(told.reached("test_b.py::test_d"), Vec::<u32>::new());
}

#[test]
fn a_fixture_asked_for_by_name_counts_for_who_asks() {
    let scene = Scene::pytest(&[
        SHOP,
        (
            "test_a.py",
            "import pytest, shop\n@pytest.fixture(scope='module')\ndef shared(): shop.hit(20)\n\
             def test_a(request): request.getfixturevalue('shared')\ndef test_b(request): request.getfixturevalue('shared')\ndef test_c(): pass\n",
        ),
    ]);
    let told = scene.reach();
    assert_eq!(told.reached("test_a.py::test_a"), [20]);
    assert_eq!(told.reached("test_a.py::test_b"), [20], "its set-up ran in the first test, but the second one depends on it");
    assert_eq!(told.reached("test_a.py::test_c"), Vec::<u32>::new());
}

#[test]
fn a_module_that_a_test_imports_first_is_loaded_for_all() {
    let scene = Scene::pytest(&[
        SHOP,
        ("late.py", "import shop\n_mu_(2)\nLIMIT = shop.hit(3)\ndef f():\n    return (_mu_(4) or (1))\n"),
        ("test_a.py", "def test_a():\n    import late\n    late.f()\ndef test_b():\n    import late\n"),
    ]);
    let told = scene.reach();
    assert_eq!(told.while_loading(), [1, 2, 3]);
    assert_eq!(told.reached("test_a.py::test_a"), [4]);
}

#[test]
fn started_interpreters_and_forked_children_count_for_the_test() {
    let scene = Scene::pytest(&[
        SHOP,
        ("cli.py", "import os, shop\nshop.hit(30)\n(os.fork() and os.wait()) or shop.hit(31)\nos._exit(0)\n"),
        (
            "test_a.py",
            r#"
import os, subprocess, sys, shop, multiprocessing
def test_cli(): subprocess.run([sys.executable, "cli.py"], check=True)
def test_fork():
    shop.hit(40)
    child = os.fork()
    if child == 0:
        shop.hit(40)
        shop.hit(41)
        os._exit(0)
    os.waitpid(child, 0)
def test_spawn():
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        pool.map(shop.hit, [50])
def test_none(): pass
"#,
        ),
    ]);
    let told = scene.reach();
    told.is_finished();
    assert_eq!(told.reached("test_a.py::test_cli"), [1, 30, 31]);
    assert_eq!(told.reached("test_a.py::test_fork"), [40, 41]);
    assert_eq!(told.reached("test_a.py::test_spawn"), [1, 50]);
    assert_eq!(told.reached("test_a.py::test_none"), Vec::<u32>::new());
}

#[test]
fn a_server_that_lives_on_counts_for_every_test_of_its_life() {
    let scene = Scene::pytest(&[
        SHOP,
        ("server.py", "import sys, shop\nfor line in sys.stdin:\n    shop.hit(int(line))\n    print('done', flush=True)\n"),
        (
            "test_a.py",
            r#"
import subprocess, sys, pytest
server = None
def ask(n):
    server.stdin.write("%d\n" % n); server.stdin.flush(); server.stdout.readline()
def test_a():
    global server
    server = subprocess.Popen([sys.executable, "server.py"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    ask(60)
def test_b(): ask(60)
def test_c():
    ask(61)
    server.communicate()
def test_d(): pass
"#,
        ),
    ]);
    let told = scene.reach();
    assert_eq!(told.reached("test_a.py::test_a"), [1, 60]);
    assert_eq!(told.reached("test_a.py::test_b"), [1, 60], "the server says only once that it reached 60");
    assert_eq!(told.reached("test_a.py::test_c"), [1, 60, 61]);
    assert_eq!(told.reached("test_a.py::test_d"), Vec::<u32>::new());
}

#[test]
fn a_run_without_reach_knows_of_no_probe() {
    let scene = Scene::pytest(&[("test_a.py", "import builtins\ndef test_a(): assert not hasattr(builtins, '_mu_')\n")]);
    let told = scene.all();
    told.has_lines(&["test_a.py::test_a passed"]);
    assert_eq!(told.run.reach, mutate::suite::Reach::default());
}

#[test]
fn replaced_functions_of_the_system_change_nothing() {
    let test = r#"
import os, builtins, time, pytest, shop
@pytest.fixture(scope="module")
def broken():
    with pytest.MonkeyPatch.context() as patch:
        for place in ("os.listdir", "os.open", "os.read", "os.write", "os.close", "os.unlink", "os.getpid", "time.monotonic_ns", "builtins.open"):
            patch.setattr(place, lambda *args, **named: ["a", "c"])
        shop.hit(20)
        yield
def test_a(broken):
    shop.hit(7)
    child = os.fork()
    if child == 0:
        shop.hit(8)
        os._exit(0)
    os.waitpid(child, 0)
def test_b(broken): assert os.listdir(".") == ["a", "c"]
"#;
    let told = Scene::pytest(&[SHOP, ("test_a.py", test)]).reach();
    told.is_finished().has_lines(&["test_a.py::test_a passed", "test_a.py::test_b passed"]);
    assert_eq!(told.reached("test_a.py::test_a"), [7, 8, 20]);
    assert_eq!(told.reached("test_a.py::test_b"), [20]);
}

#[test]
fn a_fixture_that_asks_for_another_one_by_name_depends_on_it() {
    let fixtures = r#"
import pytest, shop
@pytest.fixture(scope="session")
def inner():
    shop.hit(30)
    yield
    shop.hit(31)
@pytest.fixture(scope="session")
def outer(request):
    shop.hit(32)
    request.getfixturevalue("inner")
@pytest.fixture(scope="session")
def outermost(outer): pass
"#;
    let test = "def test_a(outermost): pass\ndef test_b(outermost): pass\ndef test_c(outer): pass\ndef test_d(): pass\ndef test_e(inner): pass\ndef test_f(): pass\n";
    let mut scene = Scene::pytest(&[SHOP, ("conftest.py", fixtures), ("test_a.py", test)]);
    for environment in ["test-venv-pytest7", "test-venv-pytest8", "test-venv"] {
        scene.settings.python = Some(python_of(environment));
        let told = scene.reach();
        for test in ["test_a", "test_b", "test_c"] {
            assert_eq!(told.reached(&format!("test_a.py::{test}")), [30, 31, 32], "{test} in {environment}");
        }
        assert_eq!(told.reached("test_a.py::test_d"), Vec::<u32>::new());
        assert_eq!(told.reached("test_a.py::test_e"), [30, 31]);
    }

    // The same where the inner one is there before anybody asks for it by name.
    let test = "def test_0(inner): pass\ndef test_a(inner, outer): pass\ndef test_b(outer): pass\ndef test_d(): pass\n";
    let told = Scene::pytest(&[SHOP, ("conftest.py", fixtures), ("test_a.py", test)]).reach();
    assert_eq!(told.reached("test_a.py::test_b"), [30, 31, 32]);
    assert_eq!(told.reached("test_a.py::test_0"), [30, 31]);
}

#[test]
fn a_helper_that_pytest_rewrites_is_loaded_for_all() {
    let told = Scene::pytest(&[
        SHOP,
        ("conftest.py", "import pytest\npytest.register_assert_rewrite('helper')\n"),
        ("helper.py", "import shop\nDATA = shop.hit(5)\n"),
        ("test_a.py", "def test_a():\n    import helper\ndef test_b():\n    from helper import DATA\n"),
    ])
    .reach();
    assert_eq!(told.while_loading(), [1, 5]);
}

#[test]
fn a_memoised_answer_is_reached_by_every_test_that_uses_it() {
    let told = Scene::pytest(&[
        ("shop.py", "import functools, other\n@functools.lru_cache(maxsize=None)\ndef rate(n): return (_mu_(n) or (n))\n"),
        ("other.py", "import functools\n"),
        ("late.py", "import functools\n@functools.lru_cache\ndef late(): return (_mu_(9) or (9))\n"),
        (
            "test_a.py",
            "import shop\ndef test_a(): shop.rate(5)\ndef test_b(): shop.rate(5)\ndef test_c():\n    from late import late\n    late()\n\
             def test_d():\n    from late import late\n    late()\ndef test_e(): pass\n",
        ),
    ])
    .reach();
    assert_eq!((told.reached("test_a.py::test_a"), told.reached("test_a.py::test_b")), (vec![5], vec![5]));
    assert_eq!((told.reached("test_a.py::test_c"), told.reached("test_a.py::test_d")), (vec![9], vec![9]));
    assert_eq!(told.reached("test_a.py::test_e"), Vec::<u32>::new());
}
