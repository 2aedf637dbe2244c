//! A short question to a program, and its answer.
//!
//! For an interpreter's version and the like: no scratch tree and no keeper.

use std::io::Read;
use std::os::unix::process::CommandExt;
use std::process::{Child, ExitStatus, Stdio};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use super::process::Command;
use crate::error::{Error, Result};

/// What a short question to a program gave.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// Exit code; `None` after a signal.
    pub code: Option<i32>,
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
}

/// Asks a program a short question, for example an interpreter for its version.
///
/// Not for tests: no scratch tree, no limits but `wall`. The process stands in a group of its own, which is killed when the wall
/// clock runs out. Fails (`Kind::Environment`) if the program cannot be started or takes too long.
pub fn capture(command: &Command, wall: Duration) -> Result<Answer> {
    let mut asked = std::process::Command::new(&command.program);
    asked.args(&command.args).current_dir(&command.dir).envs(command.env.iter().cloned());
    for name in &command.remove {
        asked.env_remove(name);
    }
    asked.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).process_group(0);
    let shown = || command.program.display().to_string();
    let mut child =
        asked.spawn().map_err(|why| Error::environment("a program could not be started").at(shown()).cause(why.to_string()))?;
    let stdout = drain(child.stdout.take());
    let stderr = drain(child.stderr.take());
    let status = wait_until(&mut child, Instant::now() + wall);
    if let Some(group) = i32::try_from(child.id()).ok().and_then(rustix::process::Pid::from_raw) {
        // Whatever the program has started ends with it; the group may already be empty.
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
    let Some(status) = status else {
        let _ = child.wait();
        return Err(Error::environment(format!("a program did not answer within {} s", wall.as_secs())).at(shown()));
    };
    Ok(Answer { code: status.code(), stdout: stdout.join().unwrap_or_default(), stderr: stderr.join().unwrap_or_default() })
}

fn drain(pipe: Option<impl Read + Send + 'static>) -> JoinHandle<Vec<u8>> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut pipe) = pipe {
            // A pipe that breaks ends the answer; what came before is kept.
            let _ = pipe.read_to_end(&mut bytes);
        }
        bytes
    })
}

fn wait_until(child: &mut Child, deadline: Instant) -> Option<ExitStatus> {
    loop {
        if let Ok(Some(status)) = child.try_wait() {
            return Some(status);
        }
        if Instant::now() >= deadline {
            return None;
        }
        std::thread::sleep(Duration::from_millis(2));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str) -> Command {
        Command { program: "/bin/sh".into(), args: vec!["-c".into(), script.into()], dir: "/".into(), env: vec![], remove: vec![] }
    }

    #[test]
    fn an_answer_holds_code_and_both_streams() {
        let answer = capture(&shell("echo out; echo err >&2; exit 3"), Duration::from_secs(10)).unwrap();
        assert_eq!(answer, Answer { code: Some(3), stdout: b"out\n".to_vec(), stderr: b"err\n".to_vec() });
    }

    #[test]
    fn a_program_that_does_not_answer_is_killed_with_its_children() {
        let before = Instant::now();
        let error = capture(&shell("sleep 60 & sleep 60"), Duration::from_millis(200)).unwrap_err();
        assert_eq!(error.kind, crate::error::Kind::Environment);
        assert!(before.elapsed() < Duration::from_secs(20), "{:?}", before.elapsed());
    }
}
