//! Interpreters with what a suite needs: the virtual environments that `tests/run` makes.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The `bin` folder of `target/<name>`, made from `tests/requirements/<name>.txt`.
pub fn environment(name: &str) -> PathBuf {
    let bin = super::repository().join("target").join(name).join("bin");
    assert!(bin.join("python3").exists(), "target/{name} is missing: run `tests/run` once, it makes all environments");
    bin
}

/// `PATH` with a folder in front.
pub fn path_with(bin: &Path) -> OsString {
    let rest = env::var_os("PATH").unwrap_or_default();
    env::join_paths(std::iter::once(bin.to_owned()).chain(env::split_paths(&rest))).expect("a path without colons")
}

/// A new virtual environment beside the project, with the project installed by `pip install --editable`. Returns its `bin`.
///
/// pytest, pip and setuptools are lent by `target/test-venv`, so nothing is fetched.
pub fn editable_install(project: &Path, venv: &Path) -> PathBuf {
    let lender = environment("test-venv").join("python3");
    run(Command::new(&lender).args(["-m", "venv", "--without-pip"]).arg(venv));
    let bin = venv.join("bin");
    let python = bin.join("python3");
    fs::write(Path::new(&site_packages(&python)).join("lent.pth"), site_packages(&lender)).expect("a .pth file");
    let pip = ["-m", "pip", "install", "--quiet", "--no-index", "--no-build-isolation", "--no-deps", "--editable"];
    run(Command::new(&python).args(pip).arg(project));
    bin
}

fn site_packages(python: &Path) -> String {
    let out = Command::new(python).args(["-c", "import site; print(site.getsitepackages()[0])"]).output().expect("an interpreter");
    String::from_utf8(out.stdout).expect("a Unicode path").trim().to_owned()
}

fn run(command: &mut Command) {
    let out = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(out.status.success(), "{command:?}: {}", String::from_utf8_lossy(&out.stderr));
}
