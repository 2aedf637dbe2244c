//! Tests that run in a copy of the project, and projects with wires of their own.

use std::fs;

use crate::scene::{Scene, python};

/// A virtual environment of its own in the scene's folder, able to see the packages of the shared one.
fn environment(scene: &Scene) -> std::path::PathBuf {
    let folder = scene.original_root().with_file_name("env");
    let made = std::process::Command::new(python()).args(["-m", "venv", "--without-pip"]).arg(&folder).status().unwrap();
    assert!(made.success());
    let packages = site_packages(&folder);
    let shared = site_packages(python().parent().unwrap().parent().unwrap());
    fs::write(packages.join("shared.pth"), shared.to_str().unwrap()).unwrap();
    folder
}

fn site_packages(environment: &std::path::Path) -> std::path::PathBuf {
    let lib = fs::read_dir(environment.join("lib")).unwrap().next().unwrap().unwrap().path();
    lib.join("site-packages")
}

const TEST: &str =
    "import os, shop\ndef test_a(): assert os.path.dirname(os.path.dirname(shop.__file__)) == os.path.join(os.getcwd(), 'src')\n";
const FILES: [(&str, &str); 2] = [("src/shop/__init__.py", "ONE = 1\n"), ("tests/test_a.py", TEST)];

#[test]
fn an_editable_install_by_path_is_sent_to_the_copy() {
    let mut scene = Scene::pytest(&FILES);
    let environment = environment(&scene);
    fs::write(site_packages(&environment).join("__editable__.shop.pth"), scene.root().join("src").to_str().unwrap()).unwrap();
    scene.settings.python = Some(environment.join("bin/python"));
    let told = scene.copied().all();
    told.is_finished().has_lines(&["tests/test_a.py::test_a passed"]);
    assert_eq!(told.run.outside, Vec::<String>::new());
}

#[test]
fn an_editable_install_by_finder_is_sent_to_the_copy() {
    let mut scene = Scene::pytest(&FILES);
    let environment = environment(&scene);
    let packages = site_packages(&environment);
    // The form that setuptools writes.
    let finder = format!(
        "import sys\nfrom importlib.util import spec_from_file_location\nfrom pathlib import Path\nMAPPING = {{'shop': {:?}}}\nNAMESPACES = {{}}\n\
         class _EditableFinder:\n    @classmethod\n    def find_spec(cls, fullname, path=None, target=None):\n        \
         if fullname in MAPPING:\n            return spec_from_file_location(fullname, Path(MAPPING[fullname], '__init__.py'))\n\
         def install():\n    sys.meta_path.append(_EditableFinder)\n",
        scene.root().join("src/shop").to_str().unwrap()
    );
    fs::write(packages.join("__editable___shop_finder.py"), finder).unwrap();
    fs::write(packages.join("__editable__.shop.pth"), "import __editable___shop_finder; __editable___shop_finder.install()\n")
        .unwrap();
    scene.settings.python = Some(environment.join("bin/python"));
    let told = scene.copied().all();
    told.is_finished().has_lines(&["tests/test_a.py::test_a passed"]);
    assert_eq!(told.run.outside, Vec::<String>::new());
}

#[test]
fn code_that_comes_from_the_original_all_the_same_is_named() {
    let scene = Scene::pytest(&[("shop.py", "ONE = 1\n")]);
    let insert = format!("import sys\nsys.path.insert(0, {:?})\nimport shop\ndef test_a(): pass\n", scene.root().to_str().unwrap());
    scene.write("tests/test_a.py", &insert);
    let shop = scene.root().join("shop.py");
    assert_eq!(scene.copied().all().run.outside, [shop.to_str().unwrap()]);
}

#[test]
fn unittest_names_code_from_the_original_too() {
    let scene = Scene::unittest(&[("shop.py", "ONE = 1\n")]);
    let insert = format!(
        "import sys, unittest\nsys.path.insert(0, {:?})\nimport shop\nclass T(unittest.TestCase):\n    def test_a(self): pass\n",
        scene.root().to_str().unwrap()
    );
    scene.write("tests/test_a.py", &insert);
    let shop = scene.root().join("shop.py");
    assert_eq!(scene.copied().all().run.outside, [shop.to_str().unwrap()]);
}

#[test]
fn an_installed_copy_that_is_loaded_in_place_of_a_file_is_named() {
    for framework in ["pytest", "unittest"] {
        let test = "import unittest\nimport shop.price\nclass T(unittest.TestCase):\n    def test_a(self): pass\n";
        let mut scene = Scene::new(framework, &[("src/shop/__init__.py", ""), ("src/shop/price.py", ""), ("test_a.py", test)]);
        let environment = environment(&scene);
        let installed = site_packages(&environment).join("shop");
        fs::create_dir(&installed).unwrap();
        fs::write(installed.join("__init__.py"), "").unwrap();
        fs::write(installed.join("price.py"), "").unwrap();
        scene.settings.python = Some(environment.join("bin/python"));
        let both =
            ["__init__.py", "price.py"].map(|file| (format!("src/shop/{file}"), installed.join(file).to_str().unwrap().to_owned()));
        assert_eq!(scene.reach().is_finished().run.instead, both);
        assert_eq!(scene.all().run.instead, []);
    }
}

#[test]
fn the_sitecustomize_of_the_environment_still_runs() {
    let test = "import sitecustomize, sys\ndef test_a(): assert sys.project_was_here == 1 and sitecustomize.WORD == 'own'\n";
    let mut scene = Scene::pytest(&[("test_a.py", test)]);
    let environment = environment(&scene);
    fs::write(site_packages(&environment).join("sitecustomize.py"), "import sys\nWORD = 'own'\nsys.project_was_here = 1\n")
        .unwrap();
    scene.settings.python = Some(environment.join("bin/python"));
    scene.reach().is_finished().has_lines(&["test_a.py::test_a passed"]);
    scene.all().is_finished().has_lines(&["test_a.py::test_a passed"]);
}

#[test]
fn a_missing_framework_is_an_error_that_says_how_to_install_it() {
    let mut scene = Scene::pytest(&[("test_a.py", "def test_a(): pass\n")]);
    let environment = environment(&scene);
    fs::remove_file(site_packages(&environment).join("shared.pth")).unwrap();
    scene.settings.python = Some(environment.join("bin/python"));
    let error = mutate::runner::choose(&scene.settings, scene.root(), "python").err().unwrap();
    assert_eq!(error.kind, mutate::error::Kind::Environment);
    let program = environment.join("bin/python");
    assert!(error.to_string().contains(&format!("--python {} pytest", program.display())), "{error}");
}

#[test]
fn helpers_are_compiled_once_and_only_those_that_are_needed_are_there() {
    let scene = Scene::unittest(&[("test_a.py", "import unittest\nclass T(unittest.TestCase):\n    def test_a(self): pass\n")]);
    let folder = tempfile::tempdir().unwrap();
    let request = mutate::runner::Request {
        root: scene.root(),
        original_root: scene.root(),
        folder: folder.path(),
        selection: &mutate::suite::TestSelection::All,
        bail: false,
        reach: false,
        rounds: 0,
        built: None,
        active: 0,
    };
    scene.runner().command(&request).unwrap();
    let names = |folder: &std::path::Path| {
        let mut names: Vec<String> =
            fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    };
    assert_eq!(
        names(folder.path()),
        [
            "__pycache__",
            "mutate_hypothesis.py",
            "mutate_memo.py",
            "mutate_report.py",
            "mutate_session.py",
            "mutate_swap.py",
            "mutate_unittest.py",
            "request.json"
        ]
    );
    let compiled = names(&folder.path().join("__pycache__"));
    let stems: Vec<&str> = compiled.iter().map(|name| name.split('.').next().unwrap()).collect();
    assert_eq!(stems, ["mutate_hypothesis", "mutate_memo", "mutate_report", "mutate_session", "mutate_swap", "mutate_unittest"]);
}

#[test]
fn what_started_interpreters_load_from_the_original_is_named_too() {
    let scene =
        Scene::pytest(&[("shop.py", "ONE = 1\n"), ("tool.py", "import os\n"), ("loader.py", "import os, shop\nos._exit(0)\n")]);
    let original = scene.root().to_str().unwrap().to_owned();
    scene.write(
        "test_a.py",
        &format!(
            "import os, subprocess, sys\nROOT = {original:?}\ndef test_a():\n    subprocess.run([sys.executable, 'loader.py'], cwd=ROOT, check=True)\n    \
             subprocess.run([sys.executable, os.path.join(ROOT, 'tool.py')], check=True)\n    subprocess.run([sys.executable, 'tool.py'], check=True)\n"
        ),
    );
    let mut scene = scene.copied();
    let expected = [format!("{original}/shop.py"), format!("{original}/tool.py")];
    let told = scene.all();
    told.has_lines(&["test_a.py::test_a passed"]);
    assert_eq!(told.run.outside, expected);
    let text = format!("{0} {original}/tool.py", python().display());
    scene.settings.test_cmd = Some(text);
    assert_eq!(scene.all().run.outside, expected[1..]);
}

#[test]
fn a_person_gets_a_command_to_type() {
    let id = |text: &str| [mutate::suite::TestId::new(text)];
    let mut scene = Scene::pytest(&[("tests/test_a.py", "def test_a(): pass\n")]);
    let plain = |scene: &Scene, tests: &[mutate::suite::TestId]| scene.runner().plain_command(scene.root(), tests).unwrap();
    let program = python().to_str().unwrap().to_owned();
    assert_eq!(plain(&scene, &id("tests/test_a.py::test_a")), [&program, "-m", "pytest", "tests/test_a.py::test_a"]);

    scene.settings.framework = Some("unittest".into());
    // Our helper looks in `tests` by itself; a person starts from the root.
    assert_eq!(plain(&scene, &id("test_a.T.test_a")), [&program, "-m", "unittest", "tests.test_a.T.test_a"]);
    assert_eq!(plain(&scene, &id("tests.test_a.T.test_a")), [&program, "-m", "unittest", "tests.test_a.T.test_a"]);

    scene.settings.test_cmd = Some("make 'a b'".into());
    assert_eq!(plain(&scene, &id("make 'a b'")), ["make", "a b"]);
}

#[test]
fn an_interpreter_of_the_project_is_named_from_its_root() {
    let mut scene = Scene::unittest(&[("test_a.py", "")]);
    let made = std::process::Command::new(python()).args(["-m", "venv", "--without-pip"]).arg(scene.root().join(".venv")).status();
    assert!(made.unwrap().success());
    scene.settings.python = Some(".venv/bin/python".into());
    assert_eq!(scene.runner().plain_command(scene.root(), &[]).unwrap(), [".venv/bin/python", "-m", "unittest"]);
}
