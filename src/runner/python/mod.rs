//! What the Python runners share: the interpreter, the helper programs and their report.

pub mod detect;
pub mod helper;
pub mod interpreter;
pub mod prelude;
pub mod stale;

use std::collections::BTreeSet;
use std::path::PathBuf;

use crate::error::{Error, Result};
use crate::runner::{Request, report};
use crate::scratch::process::{Command, Ended, Exit};
use crate::suite::{Failure, LoadFailure, Phase, TestId, TestRun};

use helper::Bytecode;
use interpreter::Interpreter;

/// What a Python framework is set up with.
#[derive(Clone, Debug)]
pub struct Setup {
    pub interpreter: Interpreter,
    pub bytecode: Bytecode,
    /// Files and folders given with `--tests`, relative to the project root.
    pub tests: Vec<PathBuf>,
    /// Tests that never run.
    pub deselect: Vec<TestId>,
}

impl Setup {
    /// A process of our interpreter in the project's root, with these helpers injected.
    pub(super) fn command(&self, request: &Request, helpers: &[&str], args: &[&str]) -> Result<Command> {
        helper::prepare(request, self, helpers)?;
        let env = helper::environment(request);
        Ok(Command {
            program: self.interpreter.program.clone(),
            args: args.iter().map(Into::into).collect(),
            dir: request.root.to_owned(),
            remove: helper::removed(&env),
            env,
        })
    }
}

/// The report of a helper, or what its silence means.
///
/// `refused` is the exit code with which the framework says that it did not even begin. A process that was stopped reports what it
/// got to; one that ended by itself and said nothing proves nothing.
pub(super) fn read(request: &Request, ended: &Ended, refused: Option<i32>) -> Result<TestRun> {
    let mut run = report::read(request.folder)?;
    if let Some(run) = &mut run {
        let files: BTreeSet<String> = run.outside.drain(..).chain(helper::outside(request.folder)?).collect();
        run.outside.extend(files);
    }
    let own_end = match ended.exit {
        Exit::Code(code) => Some(code),
        _ => None,
    };
    if own_end.is_some() && own_end == refused {
        let mut run = run.unwrap_or_default();
        if run.load_failures.is_empty() && run.collected.is_empty() {
            run.load_failures.push(usage_error(ended));
        }
        return Ok(run);
    }
    match (run, &ended.exit) {
        (Some(run), _) => Ok(run),
        (None, Exit::NotStarted { why }) => Err(Error::environment("the test process could not be started").cause(why)),
        (None, Exit::Code(code)) => {
            Err(Error::environment(format!("the test process ended with exit code {code} before our helper was loaded"))
                .cause(ended.stderr_tail.trim()))
        }
        (None, _) => Ok(TestRun::default()),
    }
}

fn usage_error(ended: &Ended) -> LoadFailure {
    let message = ended.stderr_tail.trim().chars().take(500).collect();
    LoadFailure {
        id: TestId::new("pytest"),
        failure: Failure { kind: "UsageError".into(), message, file: None, phase: Phase::Collection },
        refused: false,
    }
}
