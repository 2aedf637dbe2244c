//! pytest with plug-ins that patch, generate, repeat or stop tests.

use crate::scene::{Asked, Scene, python_of};
use mutate::suite::TestId;

fn scene(files: &[(&str, &str)]) -> Scene {
    let mut scene = Scene::pytest(files);
    scene.settings.python = Some(python_of("test-venv-plugins"));
    scene
}

#[test]
fn a_fake_file_system_hides_neither_report_nor_hits() {
    for marks in ["", "import pytest\nfrom pyfakefs.fake_filesystem_unittest import Patcher\n"] {
        let test = "import os, shop\ndef test_a(fs):\n    open('/x.txt', 'w').close()\n    shop.hit(7)\n    assert os.listdir('/') and os.path.exists('/x.txt')\ndef test_b(): shop.hit(8)\n";
        let scene = scene(&[
            ("shop.py", "import os\ndef hit(n): (_mu_(n) or (os.getpid()))\n"),
            (
                "conftest.py",
                &match marks {
                    "" => String::new(),
                    marks => format!(
                        "{marks}@pytest.fixture\ndef fs():\n    with Patcher(patch_default_args=True) as p:\n        yield p.fs\n"
                    ),
                },
            ),
            ("test_a.py", test),
        ]);
        let told = scene.reach();
        told.is_finished().has_lines(&["test_a.py::test_a passed", "test_a.py::test_b passed"]);
        assert_eq!(told.reached("test_a.py::test_a"), [7]);
        assert_eq!(told.reached("test_a.py::test_b"), [8]);
    }
}

/// Fails with what it has tried, so that two runs can be compared.
const GENERATED: &str = r#"
import json, time
from hypothesis import given, settings, strategies as st, seed
from hypothesis.stateful import RuleBasedStateMachine, rule
def tell(name, tried):
    with open(name + ".txt", "a") as file: file.write(json.dumps(tried) + "\n")
TRIED = []
@given(st.integers())
def test_default(x): TRIED.append(x)
OWN = []
@settings(max_examples=7)
@given(st.integers())
def test_own(x):
    OWN.append(x)
    time.sleep(0.25 if len(OWN) == 3 else 0)
class Machine(RuleBasedStateMachine):
    tried = []
    @rule(x=st.integers())
    def step(self, x): self.tried.append(x)
TestMachine = Machine.TestCase
def test_tell():
    with open("tried.txt", "w") as file: json.dump([TRIED, OWN, Machine.tried], file)
"#;

fn examples(scene: &Scene, env: &[(&str, &str)]) -> Vec<Vec<serde_json::Value>> {
    let told = scene.run(Asked { env, ..Asked::default() });
    told.is_finished();
    assert_eq!(told.run.failed().count(), 0, "{told:#?}");
    serde_json::from_str(&std::fs::read_to_string(scene.root().join("tried.txt")).unwrap()).unwrap()
}

#[test]
fn hypothesis_tries_the_same_examples_in_every_run_and_as_many_as_the_project_wants() {
    let profile =
        "from hypothesis import settings\nsettings.register_profile('own', max_examples=23)\nsettings.load_profile('own')\n";
    let scene = scene(&[("conftest.py", profile), ("test_a.py", GENERATED)]);
    let first = examples(&scene, &[]);
    assert_eq!(first, examples(&scene, &[]));
    assert_eq!((first[0].len(), first[1].len()), (23, 7));
    assert!(!scene.root().join(".hypothesis/examples").exists(), "no example is kept for the next run");
}

#[test]
fn a_seed_of_the_user_still_decides() {
    // The profile that Hypothesis itself chooses where `CI` is set takes no seed.
    let seeded = |seed: u32| format!("[pytest]\naddopts = --hypothesis-profile=default --hypothesis-seed={seed}\n");
    let scene = scene(&[("test_a.py", GENERATED), ("pytest.ini", &seeded(1))]);
    let first = examples(&scene, &[]);
    assert_eq!(first, examples(&scene, &[]));
    scene.write("pytest.ini", &seeded(2));
    assert_ne!(first, examples(&scene, &[]));
}

#[test]
fn hypothesis_in_unittest_is_the_same_in_every_run_too() {
    let test = r#"
import json, unittest
from hypothesis import given, settings, strategies as st
class Case(unittest.TestCase):
    tried = []
    @settings(max_examples=9)
    @given(st.integers())
    def test_a(self, x): self.tried.append(x)
    @classmethod
    def tearDownClass(cls):
        with open("tried.txt", "w") as file: json.dump([cls.tried], file)
"#;
    let mut scene = Scene::unittest(&[("test_a.py", test)]);
    scene.settings.python = Some(python_of("test-venv-plugins"));
    let first = examples(&scene, &[]);
    assert_eq!((first[0].len(), &first), (9, &examples(&scene, &[])));
}

#[test]
fn a_time_limit_of_a_plug_in_stops_no_test() {
    let scene = scene(&[
        ("pytest.ini", "[pytest]\ntimeout = 0.2\naddopts = --strict-markers\n"),
        (
            "test_a.py",
            "import time, pytest\ndef test_a(): time.sleep(0.4)\n@pytest.mark.timeout(0.1, method='thread')\ndef test_b(): time.sleep(0.3)\n",
        ),
    ]);
    let told = scene.all();
    told.is_finished().has_lines(&["test_a.py::test_a passed", "test_a.py::test_b passed"]);
    told.is_noticed("timeout: a test has no time limit of its own");
}

#[test]
fn tests_that_are_run_again_when_they_fail_are_named() {
    let test = "import pytest\n@pytest.mark.flaky(reruns=3)\ndef test_a(): pass\ndef test_b(): pass\n";
    let scene = scene(&[("test_a.py", test)]);
    assert_eq!(scene.all().run.retried, [TestId::new("test_a.py::test_a")]);
    // A count for all tests says nothing about any of them.
    scene.write("pytest.ini", "[pytest]\nreruns = 2\n");
    let told = scene.all();
    assert_eq!(told.run.retried, [TestId::new("test_a.py::test_a")]);
    told.is_noticed("a failed test is not run again");
    // Without the plug-in the mark means nothing.
    scene.write("pytest.ini", "[pytest]\naddopts = -p no:rerunfailures\n");
    assert_eq!(scene.all().run.retried, []);
}

#[test]
fn a_snapshot_in_a_source_is_compared_and_never_written() {
    let test =
        "from inline_snapshot import snapshot\ndef test_a(): assert 1 + 1 == snapshot(3)\ndef test_b(): assert 2 == snapshot(2)\n";
    for options in ["", "[tool.inline-snapshot]\ndefault-flags = ['fix', 'create']\n"] {
        let scene = scene(&[("test_a.py", test), ("pyproject.toml", options)]);
        scene.all().is_finished().has_lines(&["test_a.py::test_a failed AssertionError", "test_a.py::test_b passed"]);
        assert_eq!(std::fs::read_to_string(scene.root().join("test_a.py")).unwrap(), test);
    }
}
