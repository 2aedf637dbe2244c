//! The program under test on a copy of a project, and what must hold after every run: tree as before, nothing left behind.

use std::ffi::OsString;
use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::Duration;

use serde_json::Value;

use super::processes;
use super::project::{Project, Tree};

/// One run, marked so that everything it starts can be found, with a place for temporary files of its own.
pub struct Run<'p> {
    project: &'p Project,
    command: Command,
    before: Tree,
    mark: String,
    temporary: PathBuf,
}

/// What came out.
pub struct Finished {
    pub status: ExitStatus,
    pub stdout: String,
    pub stderr: String,
}

/// How long the end of a run may take to become visible in the process table.
const PATIENCE: Duration = Duration::from_secs(2);

impl<'p> Run<'p> {
    pub fn of(project: &'p Project) -> Run<'p> {
        Run::by(project, Path::new(env!("CARGO_BIN_EXE_mutate")), &[])
    }

    /// The program started by another one, or another copy of it.
    pub fn by(project: &'p Project, program: &Path, arguments: &[&str]) -> Run<'p> {
        let mark = processes::new_mark();
        let temporary = project.beside().join(format!("tmp-{mark}"));
        fs::create_dir_all(&temporary).expect("a folder for temporary files");
        let mut command = super::clean(Command::new(program));
        command.args(arguments).current_dir(project.root()).stdin(Stdio::null());
        command.env(processes::MARK, &mark).env("TMPDIR", &temporary).env("FLICKER_FILE", project.beside().join("flicker"));
        command.env("XDG_STATE_HOME", project.beside().join("state"));
        Run { project, command, before: project.tree().without(".mutate"), mark, temporary }
    }

    pub fn args(mut self, arguments: impl IntoIterator<Item = impl Into<OsString>>) -> Run<'p> {
        self.command.args(arguments.into_iter().map(Into::into));
        self
    }

    pub fn env(mut self, name: &str, value: impl Into<OsString>) -> Run<'p> {
        self.command.env(name, value.into());
        self
    }

    /// Where this run keeps temporary files.
    pub fn temporary(&self) -> &Path {
        &self.temporary
    }

    pub fn mark(&self) -> &str {
        &self.mark
    }

    /// In a process group of its own, as a shell starts it.
    pub fn in_own_group(mut self) -> Run<'p> {
        use std::os::unix::process::CommandExt;
        self.command.process_group(0);
        self
    }

    /// Starts it, for a test that does something to it while it runs.
    pub fn start(&mut self) -> Child {
        self.command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program under test")
    }

    /// Runs it to its end.
    pub fn finish(mut self) -> Finished {
        let child = self.start();
        let finished = wait(child);
        self.assert_nothing_left();
        finished
    }

    /// The tree is what it was (but for our own folder), no process is there, and no temporary file.
    pub fn assert_nothing_left(&self) {
        self.assert_untouched();
        let left: Vec<_> = fs::read_dir(&self.temporary).expect("the folder").flatten().map(|entry| entry.path()).collect();
        assert!(left.is_empty(), "temporary files were left behind: {left:?}");
    }

    /// As after a kill: temporary files may be there.
    pub fn assert_untouched(&self) {
        self.before.assert_same(&self.project.tree().without(".mutate"));
        processes::assert_gone(&self.mark, PATIENCE);
    }
}

pub fn wait(child: Child) -> Finished {
    let out = child.wait_with_output().expect("the program under test");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("it prints Unicode");
    Finished { status: out.status, stdout: text(out.stdout), stderr: text(out.stderr) }
}

impl Finished {
    /// The exit code; fails if a signal ended it.
    pub fn code(&self) -> i32 {
        assert_eq!(self.status.signal(), None, "{self}");
        self.status.code().expect("neither code nor signal")
    }

    /// Fails with all that was said if the exit code is another one.
    pub fn assert_code(&self, code: i32) -> &Finished {
        assert_eq!(self.code(), code, "{self}");
        self
    }

    /// The report on standard output, which must be JSON.
    pub fn report(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}\n{self}"))
    }
}

impl std::fmt::Display for Finished {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}\nstdout:\n{}\nstderr:\n{}", self.status, self.stdout, self.stderr)
    }
}
