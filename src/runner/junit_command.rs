//! A command that writes JUnit XML: any framework that we have no runner for. Only for isolated runs, where nothing is attributed.
//!
//! The command is split into words and started as it is, never by a shell. `{report}` stands for the file that it has to write, which
//! lies outside of the project, and `{tests}` for the paths of the tests.

use std::path::{Path, PathBuf};

use super::command::AnyCommand;
use super::{Request, Runner};
use crate::error::{Error, Result};
use crate::scratch::process::{Command, Ended};
use crate::suite::{TestId, TestRun};
use crate::text::ProjectPath;

const PLACEHOLDER: &str = "{report}";
const REPORT: &str = "report.xml";
/// A larger report is refused.
const LARGEST: u64 = 512 << 20;

pub struct JunitCommand(AnyCommand);

impl JunitCommand {
    /// As [`AnyCommand::new`]; also fails with `Kind::Usage` if the command says nothing about the report.
    pub fn new(text: &str, tests: &[PathBuf]) -> Result<JunitCommand> {
        match text.contains(PLACEHOLDER) {
            true => Ok(JunitCommand(AnyCommand::new(text, tests)?)),
            false => Err(Error::usage("the test command says nothing about its report")
                .at(text)
                .mend(format!("put {PLACEHOLDER} where the path of the JUnit XML belongs"))),
        }
    }
}

impl Runner for JunitCommand {
    fn name(&self) -> &'static str {
        "junit"
    }

    fn version(&self) -> &str {
        self.0.version()
    }

    fn command(&self, request: &Request) -> Result<Command> {
        let report = request.folder.join(REPORT);
        let mut command = self.0.command(request)?;
        for word in &mut command.args {
            if let Some(text) = word.to_str().filter(|text| text.contains(PLACEHOLDER)) {
                *word = text.replace(PLACEHOLDER, &report.to_string_lossy()).into();
            }
        }
        Ok(command)
    }

    fn plain_command(&self, root: &Path, tests: &[TestId]) -> Option<Vec<String>> {
        self.0.plain_command(root, tests)
    }

    fn read(&self, request: &Request, ended: &Ended) -> Result<TestRun> {
        // Whether it could be started at all.
        self.0.read(request, ended)?;
        let path = request.folder.join(REPORT);
        match std::fs::metadata(&path) {
            Err(_) => Ok(TestRun::default()),
            Ok(meta) if meta.len() > LARGEST => Err(Error::internal("the JUnit report is larger than 512 MiB")),
            Ok(_) => {
                let bytes =
                    std::fs::read(&path).map_err(|cause| Error::internal("the JUnit report cannot be read").cause(cause))?;
                super::junit_xml::parse(&String::from_utf8_lossy(&bytes))
            }
        }
    }

    fn cache_folders(&self) -> &'static [&'static str] {
        self.0.cache_folders()
    }

    fn stale_forms(&self, root: &Path, source: &ProjectPath) -> Vec<ProjectPath> {
        self.0.stale_forms(root, source)
    }
}
