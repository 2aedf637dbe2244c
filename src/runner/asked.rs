//! The request as our helper programs read it, and the files that they share.
//!
//! It is a file, because names of tests hold NUL, line feeds and quotes: no argument may hold the first, and few shells like the others.

use std::fs;
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde_json::Value;

use super::Request;
use crate::error::{Error, Result};
use crate::suite::{TestId, TestSelection};

/// What a runner adds to the request of the engine.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Own<'a> {
    /// Tests that never run.
    pub deselect: &'a [TestId],
    /// Files and folders of tests, relative to the project root. None: what the framework finds.
    pub tests: &'a [PathBuf],
    /// What only this framework has to know.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub framework: Option<&'a Value>,
}

#[derive(Serialize)]
struct Asked<'a> {
    /// `null`: all.
    only: Option<&'a [TestId]>,
    bail: bool,
    reach: bool,
    rounds: u64,
    root: &'a Path,
    original_root: &'a Path,
    #[serde(flatten)]
    own: Own<'a>,
}

/// Writes `request.json`. Fails if the folder cannot be written or a path is not Unicode.
pub fn write(request: &Request, own: Own) -> Result<()> {
    let Request { folder, root, original_root, selection, bail, reach, rounds, .. } = *request;
    let only = match selection {
        TestSelection::All => None,
        TestSelection::Only(tests) => Some(tests.as_slice()),
    };
    let asked = serde_json::to_vec(&Asked { only, bail, reach, rounds, root, original_root, own });
    let asked = asked
        .map_err(|why| Error::environment("the project stands at a path that is not Unicode").at(root.display()).cause(why))?;
    write_file(folder, "request.json", &asked)
}

/// Puts a file beside the request.
pub fn write_file(folder: &Path, name: &str, bytes: &[u8]) -> Result<()> {
    let path = folder.join(name);
    fs::write(&path, bytes).map_err(|why| Error::environment("a helper file cannot be written").at(path.display()).cause(why))
}

/// Where started processes append what they reach.
pub fn hits_folder(folder: &Path) -> PathBuf {
    folder.join("hits")
}

pub fn make_hits_folder(folder: &Path) -> Result<()> {
    let hits = hits_folder(folder);
    fs::create_dir_all(&hits).map_err(|why| Error::environment("a folder cannot be made").at(hits.display()).cause(why))
}
