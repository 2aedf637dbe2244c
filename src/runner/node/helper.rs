//! Puts our helper programs into the folder of a request, and the wires into the environment of its process.
//!
//! The request itself is a file: names of tests hold NUL, line feeds and quotes, and no argument may hold the first and few shells
//! like the others. Where reach is recorded, every Node process that the tests start loads the probe, by `NODE_OPTIONS`.

use std::ffi::OsString;
use std::path::Path;

use serde_json::Value;

use super::Setup;
use crate::error::Result;
use crate::runner::Request;
use crate::runner::asked::{self, Own, hits_folder, make_hits_folder, write_file};

/// What all helpers use.
const REPORT: (&str, &str) = ("report.cjs", include_str!("helper/report.cjs"));
/// Only where every process that the tests start has to take part.
const PROBE: (&str, &str) = ("probe.cjs", include_str!("helper/probe.cjs"));

/// Writes these helpers, the ones that they share, and the request. Fails if the folder cannot be written or a path is not Unicode.
pub fn prepare(request: &Request, setup: &Setup, helpers: &[(&str, &str)], framework: &Value) -> Result<()> {
    let own = Own { deselect: &setup.deselect, tests: &setup.tests, framework: Some(framework) };
    asked::write(request, own)?;
    std::iter::once(&REPORT).chain(helpers).try_for_each(|(name, text)| write_file(request.folder, name, text.as_bytes()))?;
    if request.reach {
        make_hits_folder(request.folder)?;
        write_file(request.folder, PROBE.0, PROBE.1.as_bytes())?;
    }
    Ok(())
}

/// Variables that the test process gets: those of the project's own test script, and our wires.
///
/// `NODE_OPTIONS` is the user's, then the script's, then ours.
pub fn environment(request: &Request, setup: &Setup) -> Vec<(OsString, OsString)> {
    let mut env: Vec<(OsString, OsString)> =
        setup.env.iter().filter(|(name, _)| *name != NODE_OPTIONS).map(|(name, value)| (name.into(), value.into())).collect();
    env.push(("MUTATE_FOLDER".into(), request.folder.into()));
    // tsx would keep the transformed form of every mutant in the system's folder for temporary files.
    env.push(("TSX_DISABLE_CACHE".into(), "1".into()));
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
