//! RSpec, from version 3.8 on.
//!
//! The helper is the main program: it loads RSpec, takes in hand what `.rspec` and `RSpec.configure` may ask for, and runs exactly the
//! examples that were asked for, by the ids of a file. `rspec` ends with 0 where no example was selected, so its exit code proves nothing.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::toolchain::{Toolchain, is_locked};
use crate::error::{Error, Result};
use crate::runner::asked::{self, Own, hits_folder, make_hits_folder, write_file};
use crate::runner::{Request, Runner, report};
use crate::scratch::process::{Command, Ended, Exit};
use crate::suite::{TestId, TestRun};
use crate::text::ProjectPath;

const HELPER: (&str, &str) = ("mutate_rspec.rb", include_str!("helper/mutate_rspec.rb"));
const PROBE: (&str, &str) = ("mutate_probe.rb", include_str!("helper/mutate_probe.rb"));

/// What would add options of its own, or keep an outdated form of a source.
const REMOVED: [&str; 4] = ["SPEC_OPTS", "MUTATE_FOLDER", "MUTATE_HITS", "COVERAGE"];

pub struct Rspec {
    toolchain: Toolchain,
    version: String,
    /// Relative to the root.
    tests: Vec<PathBuf>,
    deselect: Vec<TestId>,
}

impl Rspec {
    pub fn new(toolchain: Toolchain, tests: Vec<PathBuf>, deselect: Vec<TestId>) -> Rspec {
        let version = format!("rspec {}, Ruby {}", toolchain.rspec, toolchain.ruby);
        Rspec { toolchain, version, tests, deselect }
    }

    fn prepare(&self, request: &Request) -> Result<()> {
        asked::write(request, Own { deselect: &self.deselect, tests: &self.tests, framework: None })?;
        write_file(request.folder, HELPER.0, HELPER.1.as_bytes())?;
        write_file(request.folder, PROBE.0, PROBE.1.as_bytes())?;
        make_hits_folder(request.folder)
    }
}

fn environment(request: &Request) -> Vec<(OsString, OsString)> {
    let mut env: Vec<(OsString, OsString)> = vec![
        ("MUTATE_FOLDER".into(), request.folder.into()),
        // rspec-retry runs an example once; compiled forms of sources are not kept.
        ("RSPEC_RETRY_RETRY_COUNT".into(), "1".into()),
        ("DISABLE_BOOTSNAP".into(), "1".into()),
        ("DISABLE_SPRING".into(), "1".into()),
    ];
    // Without a lock file Bundler has to choose the gems first, as in every library that keeps none; a frozen one refuses to.
    if is_locked(request.root) {
        env.push(("BUNDLE_FROZEN".into(), "true".into()));
    }
    if request.reach {
        env.push(("MUTATE_HITS".into(), hits_folder(request.folder).into()));
        env.push(("RUBYOPT".into(), ruby_options(request.folder)));
    }
    env
}

/// Every Ruby of the run learns the word that probes call, also those that tests start.
fn ruby_options(folder: &Path) -> OsString {
    let mut options = OsString::from("-r");
    options.push(folder.join(PROBE.0));
    if let Some(own) = std::env::var_os("RUBYOPT").filter(|own| !own.is_empty()) {
        options.push(" ");
        options.push(own);
    }
    options
}

impl Runner for Rspec {
    fn name(&self) -> &'static str {
        "rspec"
    }

    fn version(&self) -> &str {
        &self.version
    }

    fn measures_reach(&self, language: &str) -> bool {
        language == "ruby"
    }

    fn command(&self, request: &Request) -> Result<Command> {
        self.prepare(request)?;
        let (program, args) = self.toolchain.words.split_first().ok_or_else(|| Error::internal("no program to start"))?;
        let helper = request.folder.join(HELPER.0).into_os_string();
        let env = environment(request);
        let remove = REMOVED.map(OsString::from).into_iter().filter(|name| !env.iter().any(|(set, _)| set == name)).collect();
        Ok(Command {
            program: program.into(),
            args: args.iter().map(Into::into).chain([helper]).collect(),
            dir: request.root.to_owned(),
            env,
            remove,
        })
    }

    fn plain_command(&self, _root: &Path, tests: &[TestId]) -> Option<Vec<String>> {
        let mut words: Vec<String> = self.toolchain.words.iter().filter(|word| *word != "ruby").cloned().collect();
        words.push("rspec".to_owned());
        let files: BTreeSet<&str> = tests.iter().map(TestId::file).collect();
        words.extend(files.into_iter().map(str::to_owned));
        // A description that stands for one example alone is its name; a place in the file is not.
        for test in tests.iter().filter(|_| tests.len() == 1) {
            let name = test.as_str().split_once("::").map_or("", |(_, name)| name);
            if !name.ends_with(']') && !name.ends_with(')') && !name.is_empty() {
                words.extend(["-e".to_owned(), name.to_owned()]);
            }
        }
        Some(words)
    }

    fn read(&self, request: &Request, ended: &Ended) -> Result<TestRun> {
        let told =
            self.toolchain.without_bundler.iter().map(|why| format!("without Bundler, which cannot set the project up: {why}"));
        match (report::read(request.folder)?, &ended.exit) {
            (Some(mut run), _) => {
                run.notices.extend(told);
                Ok(run)
            }
            (None, Exit::NotStarted { why }) => Err(Error::environment("the test process could not be started").cause(why)),
            (None, Exit::Code(code)) => {
                Err(Error::environment(format!("the test process ended with exit code {code} before our helper said anything"))
                    .cause(ended.stderr_tail.trim()))
            }
            (None, _) => Ok(TestRun::default()),
        }
    }

    fn cache_folders(&self) -> &'static [&'static str] {
        &[]
    }

    /// Ruby compiles anew each time.
    fn stale_forms(&self, _root: &Path, _source: &ProjectPath) -> Vec<ProjectPath> {
        Vec::new()
    }
}
