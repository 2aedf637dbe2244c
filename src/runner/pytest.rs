//! pytest, from version 6.2 on.
//!
//! The command line is the same for every request, so that baseline and trials differ in nothing but the tests that run: selection,
//! order, and the stop at the first failure happen inside, in our plug-in.

use std::path::Path;

use super::python::interpreter::Interpreter;
use super::python::{self, Setup, helper, prelude, stale};
use super::{Changed, Request, Runner};
use crate::error::{Error, Result};
use crate::scratch::process::{Command, Ended};
use crate::suite::{TestId, TestRun};
use crate::text::ProjectPath;

const HELPERS: [&str; 6] =
    ["mutate_hypothesis", "mutate_memo", "mutate_pytest", "mutate_pytest_hooks", "mutate_pytest_quiet", "mutate_pytest_reach"];
/// With this exit code pytest says that it did not understand its options or did not find a file.
const USAGE_ERROR: i32 = 4;
/// Older ones lack hooks that the plug-in needs.
const OLDEST: (u32, u32) = (6, 2);

pub struct Pytest {
    setup: Setup,
    version: String,
}

impl Pytest {
    /// Fails with `Kind::Environment` if the interpreter cannot import pytest, or only one that is too old.
    pub fn new(setup: Setup) -> Result<Pytest> {
        let interpreter = &setup.interpreter;
        let Some(version) = &interpreter.pytest else {
            return Err(Error::environment("pytest is not installed for the interpreter that runs the tests")
                .at(interpreter.program.display())
                .mend(format!("run `{}`, or name another interpreter with `--python PATH`", interpreter.install("pytest"))));
        };
        if release(version) < OLDEST {
            return Err(Error::environment(format!("pytest {version} is too old, {}.{} is needed", OLDEST.0, OLDEST.1))
                .at(interpreter.program.display())
                .mend(format!("run `{}`", interpreter.install("'pytest>=6.2'"))));
        }
        let version = describe(interpreter, version);
        Ok(Pytest { setup, version })
    }
}

fn describe(interpreter: &Interpreter, version: &str) -> String {
    format!("pytest {version}, {}", interpreter.version_text())
}

/// Major and minor number; an odd version text counts as new.
fn release(version: &str) -> (u32, u32) {
    let mut numbers = version.split('.').map(|part| part.parse::<u32>());
    match (numbers.next(), numbers.next()) {
        (Some(Ok(major)), Some(Ok(minor))) => (major, minor),
        _ => (u32::MAX, 0),
    }
}

impl Runner for Pytest {
    fn name(&self) -> &'static str {
        "pytest"
    }

    fn version(&self) -> &str {
        &self.version
    }

    fn command(&self, request: &Request) -> Result<Command> {
        let mut command = self.setup.command(request, &HELPERS, &["-m", "pytest", "-p", "mutate_pytest"])?;
        let mut cache = std::ffi::OsString::from("cache_dir=");
        cache.push(request.folder.join("pytest-cache"));
        command.args.extend(["-o".into(), cache]);
        command.args.extend(self.setup.tests.iter().map(Into::into));
        Ok(command)
    }

    fn probe_prelude(&self, request: &Request) -> Option<String> {
        prelude::prelude(request)
    }

    fn plain_command(&self, root: &Path, tests: &[TestId]) -> Option<Vec<String>> {
        let ids = tests.iter().map(TestId::to_string);
        Some([self.setup.interpreter.module(root, "pytest"), ids.collect()].concat())
    }

    fn session(&self, request: &Request) -> Option<Result<Command>> {
        Some(self.command(request))
    }

    fn turn(&self, request: &Request, changed: &[Changed]) -> Result<()> {
        helper::prepare_turn(request, &self.setup, changed)
    }

    fn read(&self, request: &Request, ended: &Ended) -> Result<TestRun> {
        python::read(request, ended, Some(USAGE_ERROR))
    }

    fn cache_folders(&self) -> &'static [&'static str] {
        &[stale::CACHE_FOLDER]
    }

    fn stale_forms(&self, root: &Path, source: &ProjectPath) -> Vec<ProjectPath> {
        stale::stale_forms(root, source)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_compared_as_numbers() {
        assert!(release("6.1.2") < OLDEST);
        assert!(release("10.0.0") > OLDEST);
        assert!(release("6.2.0rc1") >= OLDEST);
        assert!(release("unknown") > OLDEST);
    }
}
