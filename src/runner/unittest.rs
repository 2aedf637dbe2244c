//! unittest of the standard library: needs nothing but Python.
//!
//! Our helper looks for tests as `python -m unittest discover` does, and also in `tests` and `test` where these are no packages.

use std::path::Path;

use super::python::{self, Setup, helper, prelude, stale};
use super::{Changed, Request, Runner};
use crate::error::Result;
use crate::scratch::process::{Command, Ended};
use crate::suite::{TestId, TestRun};
use crate::text::ProjectPath;

pub struct Unittest {
    setup: Setup,
    version: String,
}

impl Unittest {
    pub fn new(setup: Setup) -> Unittest {
        let version = format!("unittest of {}", setup.interpreter.version_text());
        Unittest { setup, version }
    }
}

impl Runner for Unittest {
    fn name(&self) -> &'static str {
        "unittest"
    }

    fn version(&self) -> &str {
        &self.version
    }

    fn command(&self, request: &Request) -> Result<Command> {
        self.setup.command(request, &["mutate_hypothesis", "mutate_memo", "mutate_unittest"], &["-m", "mutate_unittest"])
    }

    fn probe_prelude(&self, request: &Request) -> Option<String> {
        prelude::prelude(request)
    }

    fn plain_command(&self, root: &Path, tests: &[TestId]) -> Option<Vec<String>> {
        let names = tests.iter().map(|test| importable(root, test.as_str()));
        Some([self.setup.interpreter.module(root, "unittest"), names.collect()].concat())
    }

    fn session(&self, request: &Request) -> Option<Result<Command>> {
        Some(self.command(request))
    }

    fn turn(&self, request: &Request, changed: &[Changed]) -> Result<()> {
        helper::prepare_turn(request, &self.setup, changed)
    }

    fn read(&self, request: &Request, ended: &Ended) -> Result<TestRun> {
        python::read(request, ended, None)
    }

    fn cache_folders(&self) -> &'static [&'static str] {
        &[stale::CACHE_FOLDER]
    }

    fn stale_forms(&self, root: &Path, source: &ProjectPath) -> Vec<ProjectPath> {
        stale::stale_forms(root, source)
    }
}

/// Our helper names a test after the folder in which it looked, but a person starts from the root.
fn importable(root: &Path, test: &str) -> String {
    let module = test.split('.').next().unwrap_or_default();
    let stands_in = |folder: &Path| folder.join(module).is_dir() || folder.join(format!("{module}.py")).is_file();
    let folder = ["tests", "test"].into_iter().find(|folder| !stands_in(root) && stands_in(&root.join(folder)));
    folder.map_or(test.to_owned(), |folder| format!("{folder}.{test}"))
}
