//! The line that brings the word of the probes where our wires do not reach.

use crate::scene::Scene;
use mutate::runner::Request;
use mutate::suite::TestSelection;

#[test]
fn code_that_runs_without_our_environment_is_reached_all_the_same() {
    let scene = Scene::pytest(&[(
        "test_a.py",
        r#"
import subprocess, sys
def test_empty(): assert subprocess.run([sys.executable, "tool.py"], env={}).returncode == 2
def test_isolated():
    code = "import sys; sys.path.insert(0, '.'); import tool"
    assert subprocess.run([sys.executable, "-I", "-c", code]).returncode == 2
def test_fork(): assert subprocess.run([sys.executable, "fork.py"], env={}).returncode == 2
def test_patched(): assert subprocess.run([sys.executable, "patched.py"], env={}).returncode == 2
def test_usual(): assert subprocess.run([sys.executable, "tool.py"]).returncode == 2
def test_none(): pass
"#,
    )]);
    let told = scene.reach_woven(&[
        ("tool.py", "(_mu_(1) or (0)); (_mu_(1) or (0)); exit((_mu_(2) or (2)))\n"),
        ("fork.py", "import os; _mu_(3); _ = (os.fork() or (_mu_(3) or (_mu_(4) or (os._exit(0))))); os.wait(); exit(2)\n"),
        (
            "patched.py",
            "import builtins, os, sys; del builtins._mu_; os.open = os.write = sys.modules['os'] = None; import other\n",
        ),
        ("other.py", "_mu_(5); exit(2)\n"),
    ]);
    told.is_finished();
    let failed: Vec<_> = told.run.failed().collect();
    assert_eq!(failed, []);
    assert_eq!(told.reached("test_a.py::test_empty"), [1, 2]);
    assert_eq!(told.reached("test_a.py::test_isolated"), [1, 2]);
    assert_eq!(told.reached("test_a.py::test_fork"), [3, 4]);
    assert_eq!(told.reached("test_a.py::test_patched"), [5]);
    assert_eq!(told.reached("test_a.py::test_usual"), [1, 2]);
    assert_eq!(told.reached("test_a.py::test_none"), Vec::<u32>::new());
}

#[test]
fn the_line_leaves_no_name_and_no_descriptor_behind() {
    let scene = Scene::pytest(&[(
        "test_a.py",
        "import subprocess, sys\ndef test_a(): assert subprocess.run([sys.executable, 'tool.py'], env={}).returncode == 0\n",
    )]);
    let told = scene.reach_woven(&[("tool.py", "names = set(globals()); import os; before = os.listdir('/proc/self/fd'); _mu_(1); assert os.listdir('/proc/self/fd') == before; assert not {'install', 'folder', 'posix', 'record'} & names\n")]);
    told.is_finished().has_lines(&["test_a.py::test_a passed"]);
    assert_eq!(told.reached("test_a.py::test_a"), [1]);
}

#[test]
fn a_command_that_empties_the_environment_is_reached_too() {
    let mut scene = Scene::pytest(&[]);
    let text = format!("env -i {} tool.py", crate::scene::python().display());
    scene.settings.test_cmd = Some(text.clone());
    assert_eq!(scene.reach_woven(&[("tool.py", "_mu_(9)\n")]).reached(&text), [9]);
}

#[test]
fn without_reach_there_is_no_such_line() {
    let scene = Scene::pytest(&[("test_a.py", "")]);
    let folder = tempfile::tempdir().unwrap();
    let selection = TestSelection::All;
    let (root, folder) = (scene.root(), folder.path());
    let request = Request {
        root,
        original_root: root,
        folder,
        selection: &selection,
        bail: false,
        reach: false,
        rounds: 0,
        built: None,
        active: 0,
    };
    assert_eq!(scene.runner().probe_prelude(&request), None);
}
