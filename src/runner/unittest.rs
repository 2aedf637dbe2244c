//! unittest of the standard library: needs nothing but Python.
//!
//! Our helper looks for tests as `python -m unittest discover` does, and also in `tests` and `test` where these are no packages.

use std::path::Path;

use super::python::{self, Setup, stale};
use super::{Request, Runner};
use crate::error::Result;
use crate::scratch::process::{Command, Ended};
use crate::suite::TestRun;
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
        self.setup.command(request, &["mutate_unittest"], &["-m", "mutate_unittest"])
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
