//! A tiny project in a temporary folder, and real test processes on it.

use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use mutate::runner::{self, Request, Runner, Settings};
use mutate::scratch::process::{Command, Ended, Exit};
use mutate::suite::{Failure, ProbeId, TestId, TestRun, TestSelection, TestStatus};

/// The environment that `tests/run` makes.
pub fn python() -> PathBuf {
    python_of("test-venv")
}

/// The interpreter of one of these environments.
pub fn python_of(environment: &str) -> PathBuf {
    let python = Path::new(env!("CARGO_MANIFEST_DIR")).join("target").join(environment).join("bin/python");
    assert!(python.exists(), "{} is missing: run `tests/run` once, it makes the environment of these tests", python.display());
    python
}

pub struct Scene {
    folder: tempfile::TempDir,
    pub settings: Settings,
    ecosystem: &'static str,
    /// Where the tests run; the project itself unless a copy was made.
    root: PathBuf,
}

impl Scene {
    pub fn new(framework: &str, files: &[(&str, &str)]) -> Scene {
        let settings = Settings { framework: Some(framework.to_owned()), python: Some(python()), ..Settings::default() };
        Scene::of("python", settings, files)
    }

    pub fn of(ecosystem: &'static str, settings: Settings, files: &[(&str, &str)]) -> Scene {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap().join("project");
        fs::create_dir(&root).unwrap();
        let scene = Scene { folder, settings, ecosystem, root };
        files.iter().for_each(|(path, text)| scene.write(path, text));
        scene
    }

    pub fn pytest(files: &[(&str, &str)]) -> Scene {
        Scene::new("pytest", files)
    }

    pub fn go(files: &[(&str, &str)]) -> Scene {
        Scene::of("go", Settings::default(), files)
    }

    pub fn unittest(files: &[(&str, &str)]) -> Scene {
        Scene::new("unittest", files)
    }

    /// A project that has what `tests/run` has installed in `target/<packages>`.
    pub fn node(framework: &str, packages: &str, files: &[(&str, &str)]) -> Scene {
        let scene = Scene::new(framework, files);
        let installed = Path::new(env!("CARGO_MANIFEST_DIR")).join("target").join(packages).join("node_modules");
        assert!(installed.is_dir(), "{} is missing: run `tests/run` once, it installs the packages", installed.display());
        std::os::unix::fs::symlink(installed, scene.root.join("node_modules")).unwrap();
        scene
    }

    pub fn write(&self, path: &str, text: &str) {
        let path = self.root.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    pub fn root(&self) -> &Path {
        &self.root
    }

    pub fn original_root(&self) -> PathBuf {
        self.folder.path().canonicalize().unwrap().join("project")
    }

    /// From now on tests run in a copy.
    pub fn copied(mut self) -> Scene {
        let copy = self.root.with_file_name("copy");
        let copied = std::process::Command::new("cp").arg("-r").args([&self.root, &copy]).status().unwrap();
        assert!(copied.success());
        self.root = copy;
        self
    }

    pub fn runner(&self) -> Box<dyn Runner> {
        self.try_runner().unwrap_or_else(|error| panic!("{error}"))
    }

    pub fn try_runner(&self) -> mutate::error::Result<Box<dyn Runner>> {
        let named = self.settings.framework.as_deref().and_then(runner::ecosystem_of);
        runner::choose(&self.settings, &self.original_root(), named.unwrap_or(self.ecosystem))
    }

    pub fn all(&self) -> Told {
        self.run(Asked::default())
    }

    pub fn only(&self, tests: &[&str]) -> Told {
        self.run(Asked { only: Some(tests), ..Asked::default() })
    }

    pub fn reach(&self) -> Told {
        self.run(Asked { reach: true, ..Asked::default() })
    }

    /// Reach with files that begin with the prelude.
    pub fn reach_woven(&self, woven: &[(&str, &str)]) -> Told {
        self.run(Asked { reach: true, woven, ..Asked::default() })
    }

    pub fn run(&self, asked: Asked) -> Told {
        self.run_with(&*self.runner(), asked)
    }

    /// By a runner that was made before, as an engine keeps it.
    pub fn run_with(&self, runner: &dyn Runner, asked: Asked) -> Told {
        let (run, ended) = self.try_run_with(runner, asked);
        match run {
            Ok(run) => Told { run, ended },
            Err(error) => panic!("{error}\n{ended:#?}"),
        }
    }

    pub fn try_run(&self, asked: Asked) -> (mutate::error::Result<TestRun>, Ended) {
        self.try_run_with(&*self.runner(), asked)
    }

    fn try_run_with(&self, runner: &dyn Runner, asked: Asked) -> (mutate::error::Result<TestRun>, Ended) {
        let selection = match asked.only {
            None => TestSelection::All,
            Some(tests) => TestSelection::Only(tests.iter().map(|test| TestId::new(*test)).collect()),
        };
        let folder = tempfile::tempdir().unwrap();
        let request = Request {
            root: &self.root,
            original_root: &self.original_root(),
            folder: folder.path(),
            selection: &selection,
            bail: asked.bail,
            reach: asked.reach,
            rounds: 0,
            built: None,
            active: 0,
        };
        let prelude = runner.probe_prelude(&request);
        asked.woven.iter().for_each(|(path, text)| self.write(path, &format!("{}; {text}", prelude.as_deref().unwrap_or("pass"))));
        let ended = spawn(&runner.command(&request).unwrap(), asked.env);
        (runner.read(&request, &ended), ended)
    }
}

#[derive(Default)]
pub struct Asked<'a> {
    pub only: Option<&'a [&'a str]>,
    pub bail: bool,
    pub reach: bool,
    pub env: &'a [(&'a str, &'a str)],
    /// Files that are written with the prelude before their text.
    pub woven: &'a [(&'a str, &'a str)],
}

pub fn spawn(command: &Command, env: &[(&str, &str)]) -> Ended {
    let before = Instant::now();
    let mut process = std::process::Command::new(&command.program);
    process.args(&command.args).current_dir(&command.dir).envs(command.env.iter().map(|(name, value)| (name, value)));
    for name in &command.remove {
        process.env_remove(name);
    }
    process.envs(env.iter().copied());
    let tail = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    let (exit, stdout, stderr) = match process.output() {
        Err(why) => (Exit::NotStarted { why: why.to_string() }, vec![], vec![]),
        Ok(output) => {
            let exit = output.status.code().map_or_else(|| Exit::Signal(output.status.signal().unwrap_or(0)), Exit::Code);
            (exit, output.stdout, output.stderr)
        }
    };
    Ended { wall: before.elapsed(), stdout_tail: tail(stdout), stderr_tail: tail(stderr), ..ended(exit) }
}

/// An end of which nothing else is known.
pub fn ended(exit: Exit) -> Ended {
    let (wall, cpu) = (Duration::ZERO, Duration::ZERO);
    Ended { exit, wall, cpu, peak_memory: 0, left_behind: 0, stdout_tail: String::new(), stderr_tail: String::new() }
}

/// What a run told us.
#[derive(Debug)]
pub struct Told {
    pub run: TestRun,
    pub ended: Ended,
}

impl Told {
    /// `id status` of every test in the order of the run; a failure with its exception.
    pub fn lines(&self) -> Vec<String> {
        let line = |result: &mutate::suite::TestResult| match &result.status {
            TestStatus::Passed => format!("{} passed", result.id),
            TestStatus::Skipped => format!("{} skipped", result.id),
            TestStatus::Failed(Failure { kind, .. }) => format!("{} failed {kind}", result.id),
        };
        self.run.results.iter().map(line).collect()
    }

    #[track_caller]
    pub fn has_lines(&self, expected: &[&str]) -> &Told {
        assert_eq!(self.lines(), expected, "{self:#?}");
        self
    }

    #[track_caller]
    pub fn is_finished(&self) -> &Told {
        assert!(self.run.finished && self.run.unfinished.is_none(), "{self:#?}");
        self
    }

    pub fn failure(&self, test: &str) -> &Failure {
        let found = self.run.failed().find(|(id, _)| id.as_str() == test);
        found.map(|(_, failure)| failure).unwrap_or_else(|| panic!("{test} has not failed: {self:#?}"))
    }

    #[track_caller]
    pub fn load_failure(&self) -> (&str, &Failure) {
        assert_eq!(self.run.load_failures.len(), 1, "{self:#?}");
        let only = &self.run.load_failures[0];
        (only.id.as_str(), &only.failure)
    }

    pub fn missing(&self) -> Vec<&str> {
        self.run.missing.iter().map(TestId::as_str).collect()
    }

    /// What one test reached.
    pub fn reached(&self, test: &str) -> Vec<ProbeId> {
        self.run.reach.by_test.get(&TestId::new(test)).into_iter().flatten().copied().collect()
    }

    pub fn while_loading(&self) -> Vec<ProbeId> {
        self.run.reach.while_loading.iter().copied().collect()
    }

    #[track_caller]
    pub fn is_noticed(&self, words: &str) -> &Told {
        assert!(self.run.notices.iter().any(|notice| notice.contains(words)), "{self:#?}");
        self
    }
}
