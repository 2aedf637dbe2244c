//! Playwright's test runner.
//!
//! Tests drive a browser, or several, against a server: which of them reaches a mutant cannot be seen from here, so every mutant is
//! shown to all of them, and one trial runs at a time, because the server of the configuration holds a port.
//!
//! `CI` is set: by convention no server that is running already is used then, and that one would serve the unchanged files.

use std::path::{Path, PathBuf};

use serde_json::Value;

use super::arguments::{Dropped, literally, without};
use super::{Setup, own_script};
use crate::error::{Error, Result};
use crate::runner::{Request, Runner, Settings};
use crate::scratch::process::{Command, Ended};
use crate::suite::{TestId, TestRun, TestSelection};
use crate::text::ProjectPath;

const PACKAGE: &str = "@playwright/test";
const PROGRAM: &str = "playwright";
const HELPER: (&str, &str) = ("playwright.cjs", include_str!("helper/playwright.cjs"));
const LIST: &str = "tests.txt";

/// What the script may say and we say otherwise.
const DROPPED: [Dropped; 4] = [
    (&["--reporter", "--add-reporter", "--retries", "--max-failures", "--output", "--shard", "--last-failed-file"], true),
    (&["--test-list", "--test-list-invert", "--ui-host", "--ui-port"], true),
    (&["-x", "--ui", "--headed", "--list", "--last-failed", "--forbid-only", "--fail-on-flaky-tests"], false),
    (&["--only-changed", "--debug", "-u", "--update-snapshots"], false),
];
/// So many ways of reading one name are tried: more groups than this are rare.
const MOST_SEPARATORS: usize = 6;

pub struct Playwright {
    setup: Setup,
    version: String,
    program: PathBuf,
    /// Of the project's own script, after `test`.
    arguments: Vec<String>,
    /// It takes a file of tests to run.
    takes_list: bool,
    /// It can be told never to write a snapshot.
    takes_mode: bool,
}

impl Playwright {
    /// Fails with `Kind::Environment` if it is not installed.
    pub fn new(setup: Setup) -> Result<Playwright> {
        let missing = || setup.packages.missing(PACKAGE);
        let program = setup.packages.installed(PACKAGE).map(|folder| folder.join("cli.js"));
        let program = program.filter(|program| program.is_file()).ok_or_else(missing)?;
        let options = options_known(&setup);
        let script = own_script(&setup.packages, PROGRAM);
        let arguments = script.as_ref().and_then(|script| script.arguments_of(PROGRAM)).unwrap_or_default();
        let arguments = arguments.iter().position(|word| word == "test").map_or(&[][..], |at| &arguments[at + 1..]);
        let version = setup.packages.version(PACKAGE).unwrap_or_default();
        Ok(Playwright {
            version: format!("playwright {version}, {}", setup.node.version_text()),
            arguments: without(arguments, &DROPPED),
            takes_list: options.contains("--test-list <"),
            takes_mode: options.contains("--update-snapshots [mode]"),
            program,
            setup,
        })
    }
}

/// The text of the program that declares the options: they differ between versions.
fn options_known(setup: &Setup) -> String {
    let folder = setup.packages.installed(PROGRAM).unwrap_or_default();
    std::fs::read_to_string(folder.join("lib/program.js")).unwrap_or_default()
}

pub fn open(settings: &Settings, root: &Path, tests: Vec<PathBuf>) -> Result<Box<dyn Runner>> {
    Ok(Box::new(Playwright::new(Setup::new(settings, root, tests, PROGRAM)?)?))
}

impl Runner for Playwright {
    fn name(&self) -> &'static str {
        PROGRAM
    }

    fn version(&self) -> &str {
        &self.version
    }

    fn measures_reach(&self, _language: &str) -> bool {
        false
    }

    fn runs_alone(&self) -> bool {
        true
    }

    fn command(&self, request: &Request) -> Result<Command> {
        let mut command = self.setup.command(request, &[HELPER], HELPER.0, &Value::Null)?;
        let helper = option("--reporter=", &request.folder.join(HELPER.0));
        command.args = vec![self.program.clone().into(), "test".into(), helper, "--retries=0".into()];
        command.args.push(option("--output=", &request.folder.join("output")));
        if self.takes_mode {
            command.args.push("--update-snapshots=none".into());
        }
        if request.bail {
            command.args.push("-x".into());
        }
        command.args.extend(self.arguments.iter().map(Into::into));
        let files =
            self.setup.tests.iter().filter_map(|test| request.root.join(test).to_str().map(|path| format!("^{}", literally(path))));
        command.args.extend(files.map(Into::into));
        if let TestSelection::Only(tests) = request.selection {
            command.args.extend(self.selected(request, tests)?);
        }
        command.env.push(("CI".into(), "1".into()));
        // Else what it makes of the test files stays in the folder for temporary files.
        command.env.push(("PLAYWRIGHT_TRANSFORM_CACHE_DIR".into(), request.folder.join("transformed").into()));
        command.remove.push("NODE_V8_COVERAGE".into());
        Ok(command)
    }

    fn plain_command(&self, _root: &Path, tests: &[TestId]) -> Option<Vec<String>> {
        let parts = tests.iter().filter_map(|test| test.as_str().split_once("::"));
        let (files, names): (Vec<&str>, Vec<String>) = parts.map(|(file, names)| (file, title(names))).unzip();
        let files: std::collections::BTreeSet<&str> = files.into_iter().collect();
        let command = ["npx", PROGRAM, "test"].map(str::to_owned).into_iter().chain(self.arguments.clone());
        Some(command.chain(files.into_iter().map(literally)).chain(["--grep".to_owned(), names.join("|")]).collect())
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

impl Playwright {
    /// Words of the command line that leave at least these tests, and no other where that can be said.
    fn selected(&self, request: &Request, tests: &[TestId]) -> Result<Vec<std::ffi::OsString>> {
        if !self.takes_list {
            let mut files: Vec<String> = tests.iter().map(|test| format!("{}$", literally(test.file()))).collect();
            files.dedup();
            return Ok(files.into_iter().map(Into::into).collect());
        }
        let path = request.folder.join(LIST);
        let lines: Vec<String> = tests.iter().flat_map(|test| lines(test.as_str())).collect();
        std::fs::write(&path, lines.join("\n") + "\n")
            .map_err(|why| Error::environment("the list of tests cannot be written").at(path.display()).cause(why))?;
        Ok(vec![option("--test-list=", &path)])
    }
}

fn option(name: &str, value: &Path) -> std::ffi::OsString {
    let mut option = std::ffi::OsString::from(name);
    option.push(value);
    option
}

/// Lines of a list that select a test: `[project] › file › group › name`, the file as seen from the folder of tests.
///
/// An id does not tell a separator from the same characters in a name, nor where the folder of tests is. So all readings are there: the
/// ones that are wrong select nothing, but in odd cases.
fn lines(id: &str) -> Vec<String> {
    let Some((file, names)) = id.split_once("::") else { return Vec::new() };
    let files: Vec<&str> = std::iter::once(file).chain(file.match_indices('/').map(|(at, _)| &file[at + 1..])).collect();
    let names = readings(names);
    files.iter().flat_map(|file| names.iter().map(move |(project, names)| format!("{project}{file}{names}"))).collect()
}

/// The project and the groups with the name, as far as they can be told. A line cannot say every name: then it names the file only.
fn readings(names: &str) -> Vec<(String, String)> {
    let whole_file = || vec![(String::new(), String::new())];
    if names.contains(['›', '\n', '\r']) || names.trim() != names || names.matches(" > ").count() > MOST_SEPARATORS {
        return whole_file();
    }
    let split = |names: &str| {
        let parts: Vec<&str> = names.split(" > ").collect();
        (0..1_usize << (parts.len() - 1)).map(|choice| joined(&parts, choice)).collect::<Vec<String>>()
    };
    let mut readings: Vec<(String, String)> = split(names).into_iter().map(|names| (String::new(), names)).collect();
    if let Some((project, rest)) = names.strip_prefix('[').and_then(|rest| rest.split_once("] ")) {
        let project = format!("[{project}] › ");
        readings.extend(split(rest).into_iter().map(|names| (project.clone(), names)));
    }
    readings
}

/// Each bit of the choice says whether a separator is one.
fn joined(parts: &[&str], choice: usize) -> String {
    let (first, rest) = parts.split_first().unwrap_or((&"", &[]));
    let separator = |at: usize| if choice >> at & 1 == 1 { " > " } else { " › " };
    rest.iter().enumerate().fold(format!(" › {first}"), |text, (at, part)| format!("{text}{}{part}", separator(at)))
}

/// A pattern for the full title of a test, in which groups are joined by spaces.
fn title(names: &str) -> String {
    let names = names.strip_prefix('[').and_then(|rest| rest.split_once("] ")).map_or(names, |(_, names)| names);
    literally(names).replace(" > ", "( > | )")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_there_for_every_reading_of_an_id() {
        assert_eq!(lines("a.spec.ts::b"), ["a.spec.ts › b"]);
        assert_eq!(
            lines("e2e/a.spec.ts::b > c"),
            ["e2e/a.spec.ts › b › c", "e2e/a.spec.ts › b > c", "a.spec.ts › b › c", "a.spec.ts › b > c"]
        );
        assert_eq!(lines("a.spec.ts::[chromium] b"), ["a.spec.ts › [chromium] b", "[chromium] › a.spec.ts › b"]);
    }

    #[test]
    fn a_name_that_a_line_cannot_say_selects_its_file() {
        assert_eq!(lines("a.spec.ts::b › c"), ["a.spec.ts"]);
        assert_eq!(lines("a.spec.ts::b\nc"), ["a.spec.ts"]);
        assert_eq!(lines("a.spec.ts::b "), ["a.spec.ts"]);
    }
}
