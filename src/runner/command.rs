//! Any command (`--test-cmd`): the whole command is one test, and its exit code the result.
//!
//! The command is split into words and started as it is, never by a shell: what a shell would make of a mutant's path is nobody's
//! business. Interpreters that the command starts still record what they reach, by `sitecustomize`.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::python::{helper, prelude, stale};
use super::{Request, Runner};
use crate::error::{Error, Result};
use crate::scratch::process::{Command, Ended, Exit};
use crate::suite::{Failure, ProbeId, TestId, TestResult, TestRun, TestStatus};
use crate::text::ProjectPath;

/// Stands for the paths given with `--tests`.
const PLACEHOLDER: &str = "{tests}";
/// With these codes shells and `env` say that they could not start a program: nothing was tested.
const NOT_STARTED: [i32; 2] = [126, 127];

pub struct AnyCommand {
    /// As the user wrote it; also the id of the only test.
    text: String,
    words: Vec<String>,
}

impl AnyCommand {
    /// Fails with `Kind::Usage` if the text has an open quote, no word, or leaves out paths that were given.
    pub fn new(text: &str, tests: &[PathBuf]) -> Result<AnyCommand> {
        let usage = |what: &str| Error::usage(what).at(format!("--test-cmd {text:?}"));
        let words = shell_words::split(text).map_err(|why| usage("the test command cannot be split into words").cause(why))?;
        if words.is_empty() {
            return Err(usage("the test command is empty").mend("for example `--test-cmd \"make test\"`"));
        }
        if !tests.is_empty() && !words.iter().any(|word| word.contains(PLACEHOLDER)) {
            return Err(usage("the test command says nothing about the tests that were named")
                .mend(format!("put {PLACEHOLDER} where their paths belong, or leave `--tests` out")));
        }
        let words = words.into_iter().flat_map(|word| with_tests(word, tests)).collect();
        Ok(AnyCommand { text: text.to_owned(), words })
    }
}

/// A word that is the placeholder becomes one word per path; one that holds it gets them with spaces.
fn with_tests(word: String, tests: &[PathBuf]) -> Vec<String> {
    let paths: Vec<String> = tests.iter().map(|path| path.to_string_lossy().into_owned()).collect();
    match word == PLACEHOLDER {
        true => paths,
        false => vec![word.replace(PLACEHOLDER, &paths.join(" "))],
    }
}

impl Runner for AnyCommand {
    fn name(&self) -> &'static str {
        "command"
    }

    fn version(&self) -> &str {
        &self.text
    }

    fn measures_reach(&self, language: &str) -> bool {
        language == "python"
    }

    fn command(&self, request: &Request) -> Result<Command> {
        helper::prepare_wires(request)?;
        let (program, args) = self.words.split_first().ok_or_else(|| Error::internal("the test command is empty"))?;
        let env = helper::environment_of_stranger(request);
        Ok(Command {
            program: program.into(),
            args: args.iter().map(Into::into).collect(),
            dir: request.root.to_owned(),
            remove: helper::removed(&env),
            env,
        })
    }

    fn probe_prelude(&self, request: &Request) -> Option<String> {
        prelude::prelude(request)
    }

    fn plain_command(&self, _root: &Path, _tests: &[TestId]) -> Option<Vec<String>> {
        Some(self.words.clone())
    }

    fn read(&self, request: &Request, ended: &Ended) -> Result<TestRun> {
        let id = TestId::new(self.text.as_str());
        let mut run = TestRun { collected: vec![id.clone()], ..TestRun::default() };
        run.outside.extend(helper::outside(request.folder)?);
        if request.reach {
            run.reach.by_test.insert(id.clone(), hits(&super::asked::hits_folder(request.folder))?);
        }
        match &ended.exit {
            Exit::Code(code) if NOT_STARTED.contains(code) => return Err(self.not_started(&ended.stderr_tail, Some(*code))),
            Exit::NotStarted { why } => return Err(self.not_started(why, None)),
            Exit::Code(code) => {
                run.results.push(TestResult { id, status: status(*code, ended), took: ended.wall });
                run.finished = true;
            }
            _ => run.unfinished = Some(id),
        }
        Ok(run)
    }

    fn cache_folders(&self) -> &'static [&'static str] {
        &[stale::CACHE_FOLDER]
    }

    fn stale_forms(&self, root: &Path, source: &ProjectPath) -> Vec<ProjectPath> {
        stale::stale_forms(root, source)
    }
}

impl AnyCommand {
    fn not_started(&self, why: &str, code: Option<i32>) -> Error {
        let code = code.map_or(String::new(), |code| format!(" (exit code {code})"));
        Error::environment(format!("the test command could not be started{code}"))
            .at(&self.text)
            .cause(why.trim())
            .mend("give a program that can be found; shell syntax needs `sh -c '…'`")
    }
}

fn status(code: i32, ended: &Ended) -> TestStatus {
    match code {
        0 => TestStatus::Passed,
        code => {
            let tail = if ended.stderr_tail.trim().is_empty() { &ended.stdout_tail } else { &ended.stderr_tail };
            let last_line = tail.trim().lines().next_back().unwrap_or_default();
            let message = last_line.chars().take(500).collect();
            TestStatus::Failed(Failure { kind: format!("exit code {code}"), message, ..Failure::default() })
        }
    }
}

/// What all interpreters together have reached. A file may end in a number that was cut: such a file is damaged.
fn hits(folder: &Path) -> Result<BTreeSet<ProbeId>> {
    let damaged = |path: &Path, why: &dyn std::fmt::Display| {
        Error::internal("what the tests reached cannot be read").at(path.display()).cause(why)
    };
    let mut hits = BTreeSet::new();
    for entry in std::fs::read_dir(folder).map_err(|why| damaged(folder, &why))? {
        let path = entry.map_err(|why| damaged(folder, &why))?.path();
        let text = std::fs::read_to_string(&path).map_err(|why| damaged(&path, &why))?;
        for line in text.lines() {
            hits.insert(line.parse().map_err(|why| damaged(&path, &why))?);
        }
    }
    Ok(hits)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Kind;
    use std::time::Duration;

    fn ended(exit: Exit) -> Ended {
        let none = Duration::ZERO;
        Ended {
            exit,
            wall: none,
            cpu: none,
            peak_memory: 0,
            left_behind: 0,
            stdout_tail: "1 test failed\n".into(),
            stderr_tail: String::new(),
        }
    }

    fn read(exit: Exit) -> Result<TestRun> {
        let folder = tempfile::tempdir().unwrap();
        let selection = crate::suite::TestSelection::All;
        let request = Request {
            root: folder.path(),
            original_root: folder.path(),
            folder: folder.path(),
            selection: &selection,
            bail: true,
            reach: false,
            rounds: 0,
            built: None,
            active: 0,
        };
        AnyCommand::new("make test", &[]).unwrap().read(&request, &ended(exit))
    }

    #[test]
    fn words_are_split_as_a_shell_would_but_nothing_is_expanded() {
        let command = AnyCommand::new("make 'a b' $HOME; rm *", &[]).unwrap();
        assert_eq!(command.words, ["make", "a b", "$HOME;", "rm", "*"]);
    }

    #[test]
    fn named_tests_take_the_place_that_is_kept_for_them() {
        let tests = ["a b.py".into(), "c.py".into()];
        assert_eq!(AnyCommand::new("run {tests} -v", &tests).unwrap().words, ["run", "a b.py", "c.py", "-v"]);
        assert_eq!(AnyCommand::new("run --only={tests}", &tests[1..]).unwrap().words, ["run", "--only=c.py"]);
    }

    #[test]
    fn named_tests_that_the_command_would_not_see_are_an_error() {
        assert_eq!(AnyCommand::new("make test", &["a.py".into()]).err().unwrap().kind, Kind::Usage);
    }

    #[test]
    fn an_open_quote_and_no_word_are_errors() {
        assert_eq!(AnyCommand::new("make 'test", &[]).err().unwrap().kind, Kind::Usage);
        assert_eq!(AnyCommand::new("  ", &[]).err().unwrap().kind, Kind::Usage);
    }

    #[test]
    fn exit_code_zero_is_one_passed_test() {
        let run = read(Exit::Code(0)).unwrap();
        assert_eq!(run.passed().map(TestId::as_str).collect::<Vec<_>>(), ["make test"]);
        assert!(run.finished);
    }

    #[test]
    fn another_exit_code_is_a_failure_with_the_last_line() {
        let run = read(Exit::Code(2)).unwrap();
        let (_, failure) = run.failed().next().unwrap();
        assert_eq!((failure.kind.as_str(), failure.message.as_str()), ("exit code 2", "1 test failed"));
    }

    #[test]
    fn a_command_that_did_not_start_has_tested_nothing() {
        for exit in [Exit::Code(126), Exit::Code(127), Exit::NotStarted { why: "no such file".into() }] {
            assert_eq!(read(exit).unwrap_err().kind, Kind::Environment);
        }
    }

    #[test]
    fn a_command_that_was_stopped_has_an_unfinished_test() {
        for exit in [Exit::Signal(11), Exit::OverWall, Exit::OverMemory] {
            let run = read(exit).unwrap();
            assert_eq!(run.unfinished.as_ref().map(TestId::as_str), Some("make test"));
            assert!(run.results.is_empty() && !run.finished);
        }
    }
}
