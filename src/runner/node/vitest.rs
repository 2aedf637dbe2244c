//! vitest, from version 3 on.
//!
//! Our helper runs the project's own vitest, file after file. The configuration is the project's; what would change a verdict is set
//! before the first file, and selection and the stop at the first failure happen inside, in a runner of our own.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::{Setup, own_script, prelude};
use crate::error::Result;
use crate::runner::{Request, Runner, Settings};
use crate::scratch::process::{Command, Ended};
use crate::suite::{TestId, TestRun};
use crate::text::ProjectPath;

const HELPERS: [(&str, &str); 2] =
    [("vitest_main.mjs", include_str!("helper/vitest_main.mjs")), ("vitest_runner.mjs", include_str!("helper/vitest_runner.mjs"))];
/// Older ones lack what the helper needs.
const OLDEST: u32 = 3;
/// Words of the project's own script that choose what vitest is to do, which is ours to say.
const LEFT_OUT: [&str; 11] = ["run", "watch", "dev", "related", "bench", "list", "-w", "--watch", "--ui", "-u", "--update"];

pub struct Vitest {
    setup: Setup,
    version: String,
    framework: Value,
}

impl Vitest {
    /// Fails with `Kind::Environment` without Node, or without a vitest that is new enough.
    pub fn new(settings: &Settings, root: &Path, tests: Vec<PathBuf>) -> Result<Vitest> {
        let setup = Setup::new(settings, root, tests, "vitest")?;
        let (package, version) = setup.packages.at_least("vitest", OLDEST)?;
        let framework = json!({ "package": package, "arguments": arguments(&setup) });
        let version = format!("vitest {version}, {}", setup.node.version_text());
        Ok(Vitest { setup, version, framework })
    }
}

pub fn open(settings: &Settings, root: &Path, tests: Vec<PathBuf>) -> Result<Box<dyn Runner>> {
    Ok(Box::new(Vitest::new(settings, root, tests)?))
}

/// What the project's own script gives to vitest: which configuration, which tests.
fn arguments(setup: &Setup) -> Vec<String> {
    let script = own_script(&setup.packages, "vitest").unwrap_or_default();
    let given = script.arguments_of("vitest").unwrap_or_default();
    given.iter().filter(|word| !LEFT_OUT.contains(&word.as_str()) && !word.starts_with("--changed")).cloned().collect()
}

impl Runner for Vitest {
    fn name(&self) -> &'static str {
        "vitest"
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
        Some(["npx", "vitest", "run"].into_iter().chain(files).map(str::to_owned).collect())
    }

    fn read(&self, request: &Request, ended: &Ended) -> Result<TestRun> {
        super::read(request, ended)
    }

    /// Where Vite bundles its own configuration for a moment.
    fn cache_folders(&self) -> &'static [&'static str] {
        &[".vite", ".vite-temp"]
    }

    /// vitest transforms every file anew.
    fn stale_forms(&self, _root: &Path, _source: &ProjectPath) -> Vec<ProjectPath> {
        Vec::new()
    }
}
