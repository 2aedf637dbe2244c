//! jest, from version 29 on.
//!
//! Our helper runs the project's own jest in one process, file after file. The configuration is the project's; what would change a
//! verdict is set right after jest has read it, and selection, order and the stop at the first failure happen inside.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::{Setup, own_script, prelude};
use crate::error::Result;
use crate::runner::{Request, Runner, Settings};
use crate::scratch::process::{Command, Ended};
use crate::suite::{TestId, TestRun};
use crate::text::ProjectPath;

const HELPERS: [(&str, &str); 7] = [
    ("jest_main.cjs", include_str!("helper/jest_main.cjs")),
    ("jest_shared.cjs", include_str!("helper/jest_shared.cjs")),
    ("jest_sequencer.cjs", include_str!("helper/jest_sequencer.cjs")),
    ("jest_reporter.cjs", include_str!("helper/jest_reporter.cjs")),
    ("jest_runtime.cjs", include_str!("helper/jest_runtime.cjs")),
    ("jest_refusal.cjs", include_str!("helper/jest_refusal.cjs")),
    ("jest_file.cjs", include_str!("helper/jest_file.cjs")),
];
/// Older ones lack what the helper needs.
const OLDEST: u32 = 29;
/// Where jest keeps what it has transformed, by content.
const CACHE_FOLDER: &str = ".mutate-jest";
/// Options of the project's own script that stop jest from running tests, or make it run others from time to time.
const LEFT_OUT: [&str; 10] =
    ["--listTests", "--showConfig", "--init", "--clearCache", "--onlyChanged", "-o", "--lastCommit", "--watch", "--watchAll", "-u"];

pub struct Jest {
    setup: Setup,
    version: String,
    framework: Value,
}

impl Jest {
    /// Fails with `Kind::Environment` without Node, or without a jest that is new enough.
    pub fn new(settings: &Settings, root: &Path, tests: Vec<std::path::PathBuf>) -> Result<Jest> {
        let setup = Setup::new(settings, root, tests, "jest")?;
        let (package, version) = setup.packages.at_least("jest", OLDEST)?;
        let framework = json!({ "package": package, "arguments": arguments(&setup), "cache": CACHE_FOLDER });
        let version = format!("jest {version}, {}", setup.node.version_text());
        Ok(Jest { setup, version, framework })
    }
}

pub fn open(settings: &Settings, root: &Path, tests: Vec<PathBuf>) -> Result<Box<dyn Runner>> {
    Ok(Box::new(Jest::new(settings, root, tests)?))
}

/// What the project's own script gives to jest: which configuration, which tests.
fn arguments(setup: &Setup) -> Vec<String> {
    let script = own_script(&setup.packages, "jest").unwrap_or_default();
    let given = script.arguments_of("jest").unwrap_or_default();
    let is_kept = |word: &&String| !LEFT_OUT.contains(&word.as_str()) && !word.starts_with("--changedSince");
    given.iter().filter(is_kept).cloned().collect()
}

impl Runner for Jest {
    fn name(&self) -> &'static str {
        "jest"
    }

    fn version(&self) -> &str {
        &self.version
    }

    fn command(&self, request: &Request) -> Result<Command> {
        self.setup.command(request, &HELPERS, HELPERS[0].0, &self.framework)
    }

    fn probe_prelude(&self, request: &Request) -> Option<String> {
        prelude::prelude(request)
    }

    fn plain_command(&self, _root: &Path, tests: &[TestId]) -> Option<Vec<String>> {
        let mut files: Vec<&str> = tests.iter().map(TestId::file).collect();
        files.dedup();
        let words = ["npx", "jest", "--runTestsByPath"].into_iter().chain(files);
        Some(words.map(str::to_owned).collect())
    }

    fn read(&self, request: &Request, ended: &Ended) -> Result<TestRun> {
        super::read(request, ended)
    }

    fn cache_folders(&self) -> &'static [&'static str] {
        &[CACHE_FOLDER]
    }

    /// What jest keeps it finds by content.
    fn stale_forms(&self, _root: &Path, _source: &ProjectPath) -> Vec<ProjectPath> {
        Vec::new()
    }
}
