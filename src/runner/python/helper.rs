//! Puts our helper programs into the folder of a request, and the wires into the environment of its process.
//!
//! The folder comes first on `PYTHONPATH`; the project is asked for nothing. The request itself is a file, because ids of tests hold
//! NUL, line feeds and quotes, and no argument may hold the first and few shells like the others.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::time::Duration;

use super::interpreter::Interpreter;
use super::{Setup, stale};
use crate::error::{Error, Result};
use crate::runner::asked::{self, Own, hits_folder, make_hits_folder, write_file};
use crate::runner::{Changed, Request};
use crate::scratch::capture::capture;
use crate::scratch::process::Command;

/// Programs of the test process itself.
const HELPERS: [(&str, &str); 10] = [
    ("mutate_report", include_str!("helper/mutate_report.py")),
    ("mutate_hypothesis", include_str!("helper/mutate_hypothesis.py")),
    ("mutate_memo", include_str!("helper/mutate_memo.py")),
    ("mutate_pytest", include_str!("helper/mutate_pytest.py")),
    ("mutate_pytest_hooks", include_str!("helper/mutate_pytest_hooks.py")),
    ("mutate_pytest_quiet", include_str!("helper/mutate_pytest_quiet.py")),
    ("mutate_pytest_reach", include_str!("helper/mutate_pytest_reach.py")),
    ("mutate_session", include_str!("helper/mutate_session.py")),
    ("mutate_swap", include_str!("helper/mutate_swap.py")),
    ("mutate_unittest", include_str!("helper/mutate_unittest.py")),
];
/// What all helpers use.
const SHARED: [&str; 3] = ["mutate_report", "mutate_session", "mutate_swap"];

/// Only where every interpreter that the tests start has to take part.
const WIRES: [(&str, &str); 3] = [
    ("sitecustomize", include_str!("helper/sitecustomize.py")),
    ("mutate_probe", include_str!("helper/mutate_probe.py")),
    ("mutate_outside", include_str!("helper/mutate_outside.py")),
];

/// Files of the user's own tree that interpreters ran though they should work on the copy, as far as our `sitecustomize` was there.
pub fn outside(folder: &Path) -> Result<BTreeSet<String>> {
    let path = folder.join("outside");
    let bytes = match fs::read(&path) {
        Ok(bytes) => bytes,
        Err(why) if why.kind() == std::io::ErrorKind::NotFound => return Ok(BTreeSet::new()),
        Err(why) => return Err(Error::internal("what the tests loaded cannot be read").at(path.display()).cause(why)),
    };
    let files = bytes.split(|byte| *byte == 0).filter(|file| !file.is_empty());
    Ok(files.map(|file| String::from_utf8_lossy(file).into_owned()).collect())
}

/// Writes the named helpers and the request. Fails if the folder cannot be written or a path is not Unicode.
pub fn prepare(request: &Request, setup: &Setup, helpers: &[&str]) -> Result<()> {
    asked::write(request, Own { deselect: &setup.deselect, tests: &setup.tests, framework: None })?;
    for (name, text) in HELPERS {
        if SHARED.contains(&name) || helpers.contains(&name) {
            write_program(request.folder, name, text)?;
        }
    }
    prepare_wires(request)?;
    setup.bytecode.write_to(request.folder)
}

/// Tells a child of a session which files are changed, and where their bytes lie. Fails if the folder cannot be written.
pub fn prepare_turn(request: &Request, setup: &Setup, changed: &[Changed]) -> Result<()> {
    asked::write(request, Own { deselect: &setup.deselect, tests: &setup.tests, framework: None })?;
    let changed = serde_json::to_vec(changed);
    let changed =
        changed.map_err(|why| Error::environment("a file of the project stands at a path that is not Unicode").cause(why))?;
    write_file(request.folder, "changed.json", &changed)
}

/// Writes only what records reach in any interpreter and sends it to the copy.
pub fn prepare_wires(request: &Request) -> Result<()> {
    if !needs_wires(request) {
        return Ok(());
    }
    make_hits_folder(request.folder)?;
    WIRES.iter().try_for_each(|(name, text)| write_program(request.folder, name, text))
}

fn make_folder(folder: &Path) -> Result<()> {
    fs::create_dir_all(folder).map_err(|why| Error::environment("a folder cannot be made").at(folder.display()).cause(why))
}

fn write_program(folder: &Path, name: &str, text: &str) -> Result<()> {
    write_file(folder, &format!("{name}.py"), text.as_bytes())
}

/// The helpers, compiled for one interpreter: no trial has to do it again, which is most of what a helper costs.
///
/// Python takes it from `__pycache__` without a look at the source (PEP 552, unchecked); other interpreters, which tests may start,
/// do not see it, because its name holds the version.
#[derive(Clone, Debug, Default)]
pub struct Bytecode {
    /// File name, for example `mutate_report.cpython-312.pyc`, and content.
    files: Vec<(String, Vec<u8>)>,
}

impl Bytecode {
    pub fn compile(interpreter: &Interpreter) -> Result<Bytecode> {
        let folder = tempfile::tempdir().map_err(|why| Error::environment("a temporary folder cannot be made").cause(why))?;
        HELPERS.iter().chain(&WIRES).try_for_each(|(name, text)| write_program(folder.path(), name, text))?;
        let compile = "import glob, py_compile as p\nfor f in glob.glob('*.py'): \
                       p.compile(f, doraise=True, invalidation_mode=p.PycInvalidationMode.UNCHECKED_HASH)";
        let command = Command {
            program: interpreter.program.clone(),
            args: ["-I", "-S", "-c", compile].map(Into::into).to_vec(),
            dir: folder.path().to_owned(),
            env: vec![],
            remove: vec!["PYTHONPYCACHEPREFIX".into()],
        };
        let answer = capture(&command, Duration::from_secs(60))?;
        if answer.code != Some(0) {
            return Err(Error::environment("the helper programs cannot be compiled by this interpreter")
                .at(interpreter.program.display())
                .cause(String::from_utf8_lossy(&answer.stderr).trim()));
        }
        Bytecode::read(&folder.path().join(stale::CACHE_FOLDER))
    }

    fn read(folder: &Path) -> Result<Bytecode> {
        let failed = |why: std::io::Error| Error::environment("compiled helpers cannot be read").at(folder.display()).cause(why);
        let mut files = vec![];
        for entry in fs::read_dir(folder).map_err(failed)? {
            let entry = entry.map_err(failed)?;
            if let Ok(name) = entry.file_name().into_string() {
                files.push((name, fs::read(entry.path()).map_err(failed)?));
            }
        }
        Ok(Bytecode { files })
    }

    /// Only for programs that are there: nothing else is to be importable.
    fn write_to(&self, folder: &Path) -> Result<()> {
        let cache = folder.join(stale::CACHE_FOLDER);
        make_folder(&cache)?;
        for (name, bytes) in &self.files {
            let program = name.split('.').next().unwrap_or_default();
            if folder.join(format!("{program}.py")).exists() {
                write_file(&cache, name, bytes)?;
            }
        }
        Ok(())
    }
}

fn needs_wires(request: &Request) -> bool {
    request.reach || request.root != request.original_root
}

/// Variables that the test process gets. What the user has set for `PYTHONHASHSEED` stays.
pub fn environment(request: &Request) -> Vec<(OsString, OsString)> {
    let mut env: Vec<(OsString, OsString)> = vec![];
    // Keeps the order of sets the same in every run.
    if std::env::var_os("PYTHONHASHSEED").is_none() {
        env.push(("PYTHONHASHSEED".into(), "0".into()));
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
