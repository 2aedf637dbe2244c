//! The test runner that Node brings itself (`node:test`).
//!
//! `node --test` starts a process for every file and waits for all of them. Our helper does the same, one file after the other, with a
//! second helper in each process that selects and reports the tests. Options of Node are those of the project's own script.

use std::path::{Path, PathBuf};

use serde_json::json;

use super::arguments::{Dropped, literally, without};
use super::package::{Packages, ScriptCommand};
use super::{Setup, prelude, test_files};
use crate::error::{Error, Result};
use crate::runner::{Request, Runner, Settings};
use crate::scratch::process::{Command, Ended};
use crate::suite::{TestId, TestRun};
use crate::text::ProjectPath;

const HELPERS: [(&str, &str); 3] = [
    ("node_test.cjs", include_str!("helper/node_test.cjs")),
    ("node_test_file.cjs", include_str!("helper/node_test_file.cjs")),
    ("refusal.cjs", include_str!("helper/refusal.cjs")),
];

/// What `node --test` says to itself, or what a measurement does not need.
const DROPPED: [Dropped; 3] = [
    (&["--test", "--test-only=false", "--watch", "--experimental-test-coverage", "--test-update-snapshots"], false),
    (&["--watch-path", "--test-reporter", "--test-reporter-destination", "--test-concurrency", "--test-shard"], true),
    (&["--test-isolation", "--experimental-test-isolation", "--test-coverage-include", "--test-coverage-exclude"], true),
];
/// Options of Node whose value may be the next word.
const WITH_VALUE: [&str; 13] = [
    "-r",
    "--require",
    "--import",
    "--loader",
    "--experimental-loader",
    "-C",
    "--conditions",
    "--env-file",
    "--env-file-if-exists",
    "--test-name-pattern",
    "--test-skip-pattern",
    "--test-timeout",
    "--experimental-default-type",
];
/// From these versions on Node takes types out of TypeScript by itself.
const STRIPS_TYPES: [(u32, u32); 2] = [(22, 18), (23, 6)];

pub struct NodeTest {
    setup: Setup,
    version: String,
    /// For Node, before the file.
    options: Vec<String>,
    /// Files, folders and patterns of the script; empty: what `node --test` looks for.
    patterns: Vec<String>,
}

impl NodeTest {
    /// Fails with `Kind::Environment` without a Node.
    pub fn new(settings: &Settings, root: &Path, tests: Vec<PathBuf>) -> Result<NodeTest> {
        let script = own_script(&Packages::of(root)?).unwrap_or_default();
        let (options, patterns) = options_and_patterns(&script);
        // They stand on the command line already.
        let script = ScriptCommand { words: Vec::new(), ..script };
        let setup = Setup::with_script(settings, root, tests, script)?;
        let version = format!("node:test of {}", setup.node.version_text());
        Ok(NodeTest { setup, version, options, patterns })
    }

    fn files(&self, root: &Path) -> Result<Vec<String>> {
        let (major, minor, _) = self.setup.node.version;
        let strips = STRIPS_TYPES.iter().any(|(from, least)| major == *from && minor >= *least) || major > STRIPS_TYPES[1].0;
        let typescript = strips || self.options.iter().any(|option| option.contains("strip-types"));
        let files = test_files::find(root, &self.setup.tests, &self.patterns, typescript)?;
        if files.is_empty() {
            return Err(Error::nothing("no file of tests was found")
                .at(root.display())
                .cause(format!("looked for {}", test_files::looked_for(&self.patterns, typescript)))
                .mend("name the test files with `--tests`, or how to run the tests with `--test-cmd`"));
        }
        Ok(files)
    }
}

/// How the project's own test script runs the files, from the package upwards.
fn own_script(packages: &Packages) -> Option<ScriptCommand> {
    packages.iter().find_map(|package| package.test_commands().into_iter().find(runs_node_test))
}

/// `node --test …`, or `tsx --test …`, which is Node with a loader.
pub fn runs_node_test(command: &ScriptCommand) -> bool {
    let program = command.words.first().map(String::as_str);
    matches!(program, Some("node" | "tsx")) && command.words.iter().any(|word| word == "--test" || word.starts_with("--test="))
}

fn options_and_patterns(script: &ScriptCommand) -> (Vec<String>, Vec<String>) {
    let Some((program, words)) = script.words.split_first() else { return Default::default() };
    let loader = (program == "tsx").then(|| "--import=tsx".to_owned());
    let mut options: Vec<String> = loader.into_iter().collect();
    let mut patterns = Vec::new();
    let words = without(words, &DROPPED);
    let mut words = words.into_iter();
    while let Some(word) = words.next() {
        if !word.starts_with('-') {
            patterns.push(word);
        } else if word != "--" {
            let value = WITH_VALUE.contains(&word.as_str()).then(|| words.next()).flatten();
            options.extend(std::iter::once(word).chain(value));
        }
    }
    (options, patterns)
}

pub fn open(settings: &Settings, root: &Path, tests: Vec<PathBuf>) -> Result<Box<dyn Runner>> {
    Ok(Box::new(NodeTest::new(settings, root, tests)?))
}

impl Runner for NodeTest {
    fn name(&self) -> &'static str {
        "node-test"
    }

    fn version(&self) -> &str {
        &self.version
    }

    fn command(&self, request: &Request) -> Result<Command> {
        let framework = json!({ "files": self.files(request.root)?, "options": self.options });
        let mut command = self.setup.command(request, &HELPERS, "node_test.cjs", &framework)?;
        // The second is there when we are started by a test ourselves.
        command.remove.extend(["NODE_V8_COVERAGE".into(), "NODE_TEST_CONTEXT".into()]);
        Ok(command)
    }

    fn probe_prelude(&self, request: &Request) -> Option<String> {
        prelude::prelude(request)
    }

    fn plain_command(&self, _root: &Path, tests: &[TestId]) -> Option<Vec<String>> {
        let mut files: Vec<String> = Vec::new();
        let mut patterns = Vec::new();
        for test in tests {
            let (file, names) = test.as_str().split_once("::")?;
            if !files.iter().any(|known| known == file) {
                files.push(file.to_owned());
            }
            let name = names.rsplit(" > ").next().unwrap_or(names);
            patterns.push(format!("--test-name-pattern=^{}$", literally(name)));
        }
        let command = ["node".to_owned()].into_iter().chain(self.options.clone()).chain(["--test".to_owned()]);
        Some(command.chain(patterns).chain(files).collect())
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

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> (Vec<String>, Vec<String>) {
        let words = shell_words::split(text).unwrap();
        options_and_patterns(&ScriptCommand { words, ..ScriptCommand::default() })
    }

    #[test]
    fn options_of_node_stay_and_those_of_the_runner_go() {
        let (options, patterns) =
            parsed("node --import tsx --test --test-reporter dot --test-timeout=9 --watch 'test/**/*.ts' a.js");
        assert_eq!(options, ["--import", "tsx", "--test-timeout=9"]);
        assert_eq!(patterns, ["test/**/*.ts", "a.js"]);
    }

    #[test]
    fn tsx_is_a_loader() {
        assert_eq!(parsed("tsx --test a.ts"), (vec!["--import=tsx".to_owned()], vec!["a.ts".to_owned()]));
    }

    #[test]
    fn only_a_script_with_the_option_runs_tests() {
        let runs = |words: &[&str]| {
            runs_node_test(&ScriptCommand {
                words: words.iter().map(|word| word.to_string()).collect(),
                ..ScriptCommand::default()
            })
        };
        assert!(runs(&["node", "--test"]));
        assert!(runs(&["tsx", "--test", "a.ts"]));
        assert!(!runs(&["node", "test.js"]));
    }
}
