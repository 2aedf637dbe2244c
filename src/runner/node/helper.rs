//! Puts our helper programs into the folder of a request, and the wires into the environment of its process.
//!
//! The request itself is a file: names of tests hold NUL, line feeds and quotes, and no argument may hold the first and few shells
//! like the others. Where reach is recorded, every Node process that the tests start loads the probe, by `NODE_OPTIONS`.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde_json::Value;

use super::Setup;
use crate::error::{Error, Result};
use crate::runner::Request;
use crate::suite::{TestId, TestSelection};

/// What all helpers use.
const REPORT: (&str, &str) = ("report.cjs", include_str!("helper/report.cjs"));
/// Only where every process that the tests start has to take part.
const PROBE: (&str, &str) = ("probe.cjs", include_str!("helper/probe.cjs"));

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
    /// What only this framework has to know.
    framework: &'a Value,
}

/// Where started processes append what they reach.
pub fn hits_folder(folder: &Path) -> PathBuf {
    folder.join("hits")
}

/// Writes these helpers, the ones that they share, and the request. Fails if the folder cannot be written or a path is not Unicode.
pub fn prepare(request: &Request, setup: &Setup, helpers: &[(&str, &str)], framework: &Value) -> Result<()> {
    let asked = Asked {
        only: match request.selection {
            TestSelection::All => None,
            TestSelection::Only(tests) => Some(tests),
        },
        deselect: &setup.deselect,
        bail: request.bail,
        reach: request.reach,
        root: request.root,
        original_root: request.original_root,
        tests: &setup.tests,
        framework,
    };
    let asked = serde_json::to_vec(&asked).map_err(|why| {
        Error::environment("the project stands at a path that is not Unicode").at(request.root.display()).cause(why)
    })?;
    write(request.folder, "request.json", &asked)?;
    std::iter::once(&REPORT).chain(helpers).try_for_each(|(name, text)| write(request.folder, name, text.as_bytes()))?;
    if request.reach {
        let hits = hits_folder(request.folder);
        fs::create_dir_all(&hits).map_err(|why| Error::environment("a folder cannot be made").at(hits.display()).cause(why))?;
        write(request.folder, PROBE.0, PROBE.1.as_bytes())?;
    }
    Ok(())
}

fn write(folder: &Path, name: &str, bytes: &[u8]) -> Result<()> {
    let path = folder.join(name);
    fs::write(&path, bytes).map_err(|why| Error::environment("a helper file cannot be written").at(path.display()).cause(why))
}

/// Variables that the test process gets: those of the project's own test script, and our wires.
///
/// `NODE_OPTIONS` is the user's, then the script's, then ours.
pub fn environment(request: &Request, setup: &Setup) -> Vec<(OsString, OsString)> {
    let mut env: Vec<(OsString, OsString)> =
        setup.env.iter().filter(|(name, _)| *name != NODE_OPTIONS).map(|(name, value)| (name.into(), value.into())).collect();
    env.push(("MUTATE_FOLDER".into(), request.folder.into()));
    let mut options: Vec<OsString> = std::env::var_os(NODE_OPTIONS).into_iter().filter(|own| !own.is_empty()).collect();
    options.extend(setup.node_options.iter().map(OsString::from));
    if request.reach {
        options.push("--require".into());
        options.push(quoted(&request.folder.join(PROBE.0)));
        env.push(("MUTATE_HITS".into(), hits_folder(request.folder).into()));
    }
    if !options.is_empty() {
        env.push((NODE_OPTIONS.into(), options.join(" ".as_ref())));
    }
    env
}

const NODE_OPTIONS: &str = "NODE_OPTIONS";

/// As `NODE_OPTIONS` wants a word with spaces.
fn quoted(path: &Path) -> OsString {
    let text = path.to_string_lossy().replace('\\', "\\\\").replace('"', "\\\"");
    format!("\"{text}\"").into()
}

/// Variables that the test process must not inherit: our own words come from us. What `env` sets is left alone.
pub fn removed(env: &[(OsString, OsString)]) -> Vec<OsString> {
    let foreign = ["MUTATE_FOLDER", "MUTATE_HITS"];
    foreign.map(OsString::from).into_iter().filter(|name| !env.iter().any(|(set, _)| set == name)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_in_node_options_may_hold_spaces_and_quotes() {
        assert_eq!(quoted(Path::new("/a b/\"c\\")), "\"/a b/\\\"c\\\\\"");
    }
}
