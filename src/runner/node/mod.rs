//! What the Node runners share: the interpreter, what the packages say, the helper programs and their report.

pub mod arguments;
pub mod detect;
pub mod helper;
pub mod interpreter;
pub mod jest;
pub mod mocha;
pub mod nodetest;
pub mod package;
pub mod playwright;
pub mod prelude;
pub mod test_files;
pub mod vitest;

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::error::{Error, Result};
use crate::runner::{Request, Settings, report};
use crate::scratch::process::{Command, Ended, Exit};
use crate::suite::{TestId, TestRun};

use interpreter::Node;
use package::{Packages, ScriptCommand};

/// What a framework of Node is set up with.
#[derive(Clone, Debug)]
pub struct Setup {
    pub node: Node,
    pub packages: Packages,
    /// Files and folders given with `--tests`, relative to the project root.
    pub tests: Vec<PathBuf>,
    /// Tests that never run.
    pub deselect: Vec<TestId>,
    /// What the project's own test script sets.
    env: Vec<(String, String)>,
    node_options: Vec<String>,
}

impl Setup {
    /// For the framework whose program has this name in scripts. Fails with `Kind::Environment` without a Node.
    pub fn new(settings: &Settings, root: &Path, tests: Vec<PathBuf>, program: &str) -> Result<Setup> {
        let script = own_script(&Packages::of(root)?, program).unwrap_or_default();
        Setup::with_script(settings, root, tests, script)
    }

    /// As [`Setup::new`], for a framework whose script is found in another way.
    pub fn with_script(settings: &Settings, root: &Path, tests: Vec<PathBuf>, script: ScriptCommand) -> Result<Setup> {
        let packages = Packages::of(root)?;
        let node = Node::find(root)?;
        let node_options =
            script.node_options().into_iter().filter(|option| !is_of_command_line(option)).map(str::to_owned).collect();
        Ok(Setup {
            node,
            tests,
            deselect: settings.deselect.clone(),
            node_options,
            env: script.env.into_iter().collect(),
            packages,
        })
    }

    /// A Node in the project's root that runs one of these helpers. `framework` is what only they have to know.
    pub(super) fn command(&self, request: &Request, helpers: &[(&str, &str)], program: &str, framework: &Value) -> Result<Command> {
        helper::prepare(request, self, helpers, framework)?;
        let env = helper::environment(request, self);
        Ok(Command {
            program: self.node.program.clone(),
            args: vec![request.folder.join(program).into()],
            dir: request.root.to_owned(),
            remove: helper::removed(&env),
            env,
        })
    }
}

/// Not allowed in `NODE_OPTIONS`.
fn is_of_command_line(option: &str) -> bool {
    ["--test", "--expose-gc", "--expose_gc"].iter().any(|other| option.starts_with(other))
}

/// How the project's own test script runs this program, from the package upwards.
pub fn own_script(packages: &Packages, program: &str) -> Option<ScriptCommand> {
    packages.iter().find_map(|package| package.test_commands().into_iter().find(|command| command.runs(program)))
}

/// The report of a helper, or what its silence means: a process that was stopped reports what it got to; one that ended by itself and
/// said nothing proves nothing.
pub(super) fn read(request: &Request, ended: &Ended) -> Result<TestRun> {
    match (report::read(request.folder)?, &ended.exit) {
        (Some(run), _) => Ok(run),
        (None, Exit::NotStarted { why }) => Err(Error::environment("the test process could not be started").cause(why)),
        (None, Exit::Code(code)) => {
            Err(Error::environment(format!("the test process ended with exit code {code} before our helper was loaded"))
                .cause(without_stack(&ended.stderr_tail))
                .mend("make the project's own test command work, for example `npm test`"))
        }
        (None, _) => Ok(TestRun::default()),
    }
}

/// What went wrong, without the places inside of the framework where it was noticed.
fn without_stack(stderr: &str) -> String {
    let lines = stderr.trim().lines().filter(|line| !line.trim_start().starts_with("at "));
    lines.collect::<Vec<_>>().join("\n")
}
