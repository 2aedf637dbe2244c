//! Mocha, from version 9 on.
//!
//! It is started as the project's own test script starts it, with one more `--require`: our helper takes the place of the reporter and
//! takes out what is not selected. What the configuration adds for people or machines (parallel processes, watching) is switched off;
//! files, hooks, time limits and retries are the project's.

use std::path::{Path, PathBuf};

use serde_json::Value;

use super::arguments::{Dropped, literally, without};
use super::{Setup, own_script, prelude};
use crate::error::{Error, Result};
use crate::runner::{Request, Runner, Settings};
use crate::scratch::process::{Command, Ended};
use crate::suite::{TestId, TestRun};
use crate::text::ProjectPath;

const PROGRAM: &str = "mocha";
const HELPERS: [(&str, &str); 2] =
    [("mocha.cjs", include_str!("helper/mocha.cjs")), ("refusal.cjs", include_str!("helper/refusal.cjs"))];
const OLDEST: u32 = 9;

/// What the script may say and we say otherwise.
const DROPPED: [Dropped; 2] = [
    (&["--reporter", "-R", "--reporter-option", "--reporter-options", "-O", "--jobs", "-j"], true),
    (&["--parallel", "-p", "--watch", "-w", "--bail", "-b"], false),
];
/// Whatever the configuration file says. The helper sees to the rest.
const SWITCHED_OFF: [&str; 2] = ["--no-parallel", "--no-watch"];

pub struct Mocha {
    setup: Setup,
    version: String,
    program: PathBuf,
    /// Of the project's own script.
    arguments: Vec<String>,
}

impl Mocha {
    /// Fails with `Kind::Environment` if Mocha is not installed, or only one that is too old.
    pub fn new(setup: Setup) -> Result<Mocha> {
        let missing = || setup.packages.missing(PROGRAM);
        let folder = setup.packages.installed(PROGRAM).ok_or_else(missing)?;
        let program = ["bin/mocha.js", "bin/mocha"].into_iter().map(|file| folder.join(file)).find(|file| file.is_file());
        let program = program.ok_or_else(missing)?;
        let version = setup.packages.version(PROGRAM).unwrap_or_default();
        if version.split('.').next().and_then(|major| major.parse().ok()).is_some_and(|major: u32| major < OLDEST) {
            return Err(Error::environment(format!("Mocha {version} is too old, {OLDEST} is needed"))
                .at(folder.display())
                .mend("upgrade it, or say how to run the tests with `--test-cmd`"));
        }
        let script = own_script(&setup.packages, PROGRAM);
        let arguments = script.as_ref().and_then(|script| script.arguments_of(PROGRAM)).unwrap_or_default();
        let arguments = without(arguments, &DROPPED);
        let version = format!("mocha {version}, {}", setup.node.version_text());
        Ok(Mocha { setup, version, program, arguments })
    }
}

pub fn open(settings: &Settings, root: &Path, tests: Vec<PathBuf>) -> Result<Box<dyn Runner>> {
    Ok(Box::new(Mocha::new(Setup::new(settings, root, tests, PROGRAM)?)?))
}

impl Runner for Mocha {
    fn name(&self) -> &'static str {
        PROGRAM
    }

    fn version(&self) -> &str {
        &self.version
    }

    fn command(&self, request: &Request) -> Result<Command> {
        let mut command = self.setup.command(request, &HELPERS, "mocha.cjs", &Value::Null)?;
        let helper = std::mem::take(&mut command.args);
        command.args.extend([self.program.clone().into(), "--require".into()]);
        command.args.extend(helper);
        command.args.extend(self.arguments.iter().map(Into::into));
        command.args.extend(SWITCHED_OFF.map(Into::into));
        // Beside the files of the configuration: the helper leaves those out that were not named.
        command.args.extend(self.setup.tests.iter().map(Into::into));
        // What it keeps is keyed by the time of the file, not by its bytes.
        command.env.push(("BABEL_DISABLE_CACHE".into(), "1".into()));
        command.remove.push("NODE_V8_COVERAGE".into());
        Ok(command)
    }

    fn probe_prelude(&self, request: &Request) -> Option<String> {
        prelude::prelude(request)
    }

    fn plain_command(&self, _root: &Path, tests: &[TestId]) -> Option<Vec<String>> {
        let titles: Vec<String> = tests.iter().filter_map(title).collect();
        let pattern = format!("^({})$", titles.join("|"));
        Some(
            ["npx".to_owned(), PROGRAM.to_owned()]
                .into_iter()
                .chain(self.arguments.clone())
                .chain(["--grep".into(), pattern])
                .collect(),
        )
    }

    fn read(&self, request: &Request, ended: &Ended) -> Result<TestRun> {
        super::read(request, ended)
    }

    fn cache_folders(&self) -> &'static [&'static str] {
        &[]
    }

    fn stale_forms(&self, _root: &Path, _source: &ProjectPath) -> Vec<ProjectPath> {
        Vec::new()
    }
}

/// A pattern for the full title of a test, in which groups are joined by spaces.
fn title(test: &TestId) -> Option<String> {
    let (_, names) = test.as_str().split_once("::")?;
    // Tests of one name cannot be told apart by it.
    let is_count = |number: &str| number.strip_suffix(']').is_some_and(|number| number.parse::<usize>().is_ok());
    let names = names.rsplit_once(" [").filter(|(_, number)| is_count(number)).map_or(names, |(names, _)| names);
    Some(literally(names).replace(" > ", "( > | )"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_is_matched_whole_whatever_it_holds() {
        assert_eq!(title(&TestId::new("a.js::group > a.b (c)")).unwrap(), "group( > | )a\\.b \\(c\\)");
        assert_eq!(title(&TestId::new("a.js::b [2]")).unwrap(), "b");
        assert_eq!(title(&TestId::new("a.js::b [c]")).unwrap(), "b \\[c\\]");
    }
}
