//! Puts our helper programs into the folder of a request, and the wires into the environment of its process.
//!
//! The folder comes first on `PYTHONPATH`; the project is asked for nothing. The request itself is a file, because ids of tests hold
//! NUL, line feeds and quotes, and no argument may hold the first and few shells like the others.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::error::{Error, Result};
use crate::runner::Request;
use crate::suite::{TestId, TestSelection};

/// Always needed; those of both frameworks, so that the folder looks the same whoever asks.
const HELPERS: [(&str, &str); 4] = [
    ("mutate_report.py", include_str!("helper/mutate_report.py")),
    ("mutate_pytest.py", include_str!("helper/mutate_pytest.py")),
    ("mutate_pytest_hooks.py", include_str!("helper/mutate_pytest_hooks.py")),
    ("mutate_unittest.py", include_str!("helper/mutate_unittest.py")),
];

/// Only where every interpreter that the tests start has to take part.
const WIRES: [(&str, &str); 2] =
    [("sitecustomize.py", include_str!("helper/sitecustomize.py")), ("mutate_probe.py", include_str!("helper/mutate_probe.py"))];

/// What the helper reads as `request.json`.
#[derive(Serialize)]
struct Asked<'a> {
    /// `null`: all.
    only: Option<&'a [TestId]>,
    deselect: &'a [TestId],
    bail: bool,
    reach: bool,
    root: &'a Path,
    original_root: &'a Path,
    tests: &'a [PathBuf],
}

/// Where started processes append what they reach.
pub fn hits_folder(folder: &Path) -> PathBuf {
    folder.join("hits")
}

/// Writes helpers and request. Fails if the folder cannot be written or a path is not Unicode.
pub fn prepare(request: &Request, tests: &[PathBuf], deselect: &[TestId]) -> Result<()> {
    let asked = Asked {
        only: match request.selection {
            TestSelection::All => None,
            TestSelection::Only(tests) => Some(tests),
        },
        deselect,
        bail: request.bail,
        reach: request.reach,
        root: request.root,
        original_root: request.original_root,
        tests,
    };
    let asked = serde_json::to_vec(&asked).map_err(|why| {
        Error::environment("the project stands at a path that is not Unicode").at(request.root.display()).cause(why)
    })?;
    write(request.folder, "request.json", &asked)?;
    for (name, text) in HELPERS {
        write(request.folder, name, text.as_bytes())?;
    }
    prepare_wires(request)
}

/// Writes only what records reach in any interpreter and sends it to the copy.
pub fn prepare_wires(request: &Request) -> Result<()> {
    if !needs_wires(request) {
        return Ok(());
    }
    let hits = hits_folder(request.folder);
    fs::create_dir_all(&hits).map_err(|why| Error::environment("a folder cannot be made").at(hits.display()).cause(why))?;
    WIRES.iter().try_for_each(|(name, text)| write(request.folder, name, text.as_bytes()))
}

fn needs_wires(request: &Request) -> bool {
    request.reach || request.root != request.original_root
}

fn write(folder: &Path, name: &str, bytes: &[u8]) -> Result<()> {
    let path = folder.join(name);
    fs::write(&path, bytes).map_err(|why| Error::environment("a helper file cannot be written").at(path.display()).cause(why))
}

/// Variables that the test process gets. What the user has set for `CI` and `PYTHONHASHSEED` stays.
pub fn environment(request: &Request) -> Vec<(OsString, OsString)> {
    let mut env: Vec<(OsString, OsString)> = vec![];
    // `CI` keeps snapshot plug-ins from writing; a fixed seed keeps the order of sets the same in every run.
    for (name, value) in [("CI", "1"), ("PYTHONHASHSEED", "0")] {
        if std::env::var_os(name).is_none() {
            env.push((name.into(), value.into()));
        }
    }
    env.push(("MUTATE_FOLDER".into(), request.folder.into()));
    env.push(("PYTHONPATH".into(), python_path(request.folder)));
    if request.reach {
        env.push(("MUTATE_HITS".into(), hits_folder(request.folder).into()));
    }
    if request.root != request.original_root {
        env.push(("MUTATE_ORIGINAL".into(), request.original_root.into()));
        env.push(("MUTATE_COPY".into(), request.root.into()));
    }
    env
}

/// As [`environment`], for a process that is not a helper of ours.
pub fn environment_of_stranger(request: &Request) -> Vec<(OsString, OsString)> {
    let mut env = environment(request);
    env.retain(|(name, _)| name != "MUTATE_FOLDER" && (needs_wires(request) || name != "PYTHONPATH"));
    env
}

fn python_path(folder: &Path) -> OsString {
    let mut path = folder.as_os_str().to_owned();
    if let Some(own) = std::env::var_os("PYTHONPATH").filter(|own| !own.is_empty()) {
        path.push(":");
        path.push(own);
    }
    path
}

/// Variables that the test process must not inherit: bytecode must be kept where we look for it, and our own words come from us.
/// What `env` sets is left alone.
pub fn removed(env: &[(OsString, OsString)]) -> Vec<OsString> {
    let foreign =
        ["PYTHONDONTWRITEBYTECODE", "PYTHONPYCACHEPREFIX", "MUTATE_FOLDER", "MUTATE_HITS", "MUTATE_ORIGINAL", "MUTATE_COPY"];
    foreign.map(OsString::from).into_iter().filter(|name| !env.iter().any(|(set, _)| set == name)).collect()
}
