//! What happens to the engine and around it: killed, stopped, without rights, without room, on odd trees.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::thread::sleep;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, geteuid, kill_process_group};
use serde_json::Value;
use support::expected::Expected;
use support::project::Project;
use support::run::{Finished, Run, wait};

pub mod support;

const BOTH: [&str; 2] = ["overlay", "copy"];

// Stopped in the middle.

const CODE: &str = "def early(number):\n    return number + 1\n\n\ndef late(number):\n    return number > 1\n";

/// Hangs on one mutant of `late`, deaf to polite signals and with a daemon beside it. Where `HANG` is set it hangs without any.
const TESTS: &str = r#"
import os, signal, time, unittest
from slow import early, late

class Slow(unittest.TestCase):
    def test_early(self):
        self.assertEqual(early(1), 2)

    def test_late(self):
        if late(1) or os.environ.get("HANG"):
            for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
                signal.signal(number, signal.SIG_IGN)
            if os.fork() == 0:
                os.setsid()
                time.sleep(600)
            with open("junk", "w") as file:
                file.write("into the project")
            with open(os.environ["SIGN"], "w") as file:
                file.write("it hangs")
            time.sleep(600)
"#;

fn slow_project() -> Project {
    Project::of(&[("pyproject.toml", ""), ("slow.py", CODE), ("test_slow.py", TESTS)])
}

/// A run that hangs in the middle of a trial.
fn hanging<'p>(project: &'p Project, arguments: &[&str]) -> (Run<'p>, Child) {
    let sign = project.beside().join("sign");
    let mut run = Run::of(project)
        .in_own_group()
        .args(["slow.py", "--output-format", "json", "--jobs", "1", "--timeout", "600"])
        .args(arguments)
        .env("SIGN", &sign);
    let child = run.start();
    let deadline = Instant::now() + Duration::from_secs(60);
    while !sign.exists() {
        assert!(Instant::now() < deadline, "no trial hangs");
        sleep(Duration::from_millis(10));
    }
    (run, child)
}

/// As a terminal sends it: to the whole group.
fn signal(child: &Child, signal: Signal) {
    let group = Pid::from_raw(i32::try_from(child.id()).expect("a process number")).expect("a process number");
    kill_process_group(group, signal).expect("a living group");
}

fn assert_no_mounts(project: &Project) {
    let mounts = fs::read_to_string("/proc/self/mountinfo").expect("the table of mounts");
    let beside = project.beside().to_str().expect("a Unicode path");
    assert!(!mounts.contains(beside), "a mount was left behind: {mounts}");
}

/// The next run, with the same place for temporary files, works and removes what the last one left.
fn assert_next_run_works(project: &Project, temporary: &Path) {
    let next = Run::of(project).args(["slow.py::early", "--jobs", "1"]).env("TMPDIR", temporary).finish();
    next.assert_code(0);
    let left: Vec<PathBuf> = fs::read_dir(temporary).expect("the folder").flatten().map(|entry| entry.path()).collect();
    assert!(left.is_empty(), "not swept: {left:?}");
}

#[test]
fn an_engine_that_is_killed_leaves_the_tree_as_it_was_and_no_process() {
    for scratch in BOTH {
        let project = slow_project();
        let (run, mut child) = hanging(&project, &["--scratch", scratch]);
        child.kill().expect("a living engine");
        child.wait().expect("a dead engine");
        run.assert_untouched();
        assert_no_mounts(&project);
        assert_next_run_works(&project, run.temporary());
    }
}

/// What was measured before the signal is reported, the rest is named as not run.
fn assert_partial_report(project: &Project, finished: &Finished) {
    let report = finished.report();
    assert_eq!(report["config"]["mutate"]["complete"], false, "{finished}");
    let mutants = report["files"]["slow.py"]["mutants"].as_array().expect("mutants");
    let count = |status: &str| mutants.iter().filter(|mutant| mutant["status"] == status).count();
    assert!(count("Killed") >= 1 && count("Ignored") >= 1 && count("Timeout") == 0, "{finished}");
    let kept: Value = serde_json::from_slice(&project.read(".mutate/runs/1/report.json")).expect("the kept run");
    assert_eq!(kept["complete"], false);
    let shown = Run::of(project).args(["show", mutants[0]["id"].as_str().expect("an id")]).finish();
    shown.assert_code(0);
}

#[test]
fn ctrl_c_gives_a_partial_report_and_leaves_nothing() {
    for scratch in BOTH {
        let project = slow_project();
        let (run, child) = hanging(&project, &["--scratch", scratch]);
        signal(&child, Signal::INT);
        let finished = wait(child);
        finished.assert_code(130);
        run.assert_nothing_left();
        assert_no_mounts(&project);
        assert_partial_report(&project, &finished);
    }
}

#[test]
fn a_polite_end_has_its_own_exit_code() {
    let project = slow_project();
    let (run, child) = hanging(&project, &[]);
    signal(&child, Signal::TERM);
    let finished = wait(child);
    finished.assert_code(143);
    run.assert_nothing_left();
    assert_partial_report(&project, &finished);
}

#[test]
fn a_second_ctrl_c_ends_the_engine_at_once() {
    let project = slow_project();
    let (run, child) = hanging(&project, &[]);
    signal(&child, Signal::INT);
    sleep(Duration::from_millis(1));
    // It may be gone already, which is as good.
    let group = Pid::from_raw(i32::try_from(child.id()).expect("a process number")).expect("a process number");
    let _ = kill_process_group(group, Signal::INT);
    wait(child).assert_code(130);
    run.assert_untouched();
    assert_next_run_works(&project, run.temporary());
}

#[test]
fn ctrl_c_before_the_first_mutant_is_no_mistake_of_the_user() {
    let project = slow_project();
    let sign = project.beside().join("sign");
    let mut run = Run::of(&project).in_own_group().args(["slow.py"]).env("HANG", "1").env("SIGN", &sign);
    let child = run.start();
    while !sign.exists() {
        sleep(Duration::from_millis(10));
    }
    signal(&child, Signal::INT);
    let finished = wait(child);
    finished.assert_code(130);
    assert!(finished.stderr.contains("error: stopped before the first mutant was run"), "{finished}");
    run.assert_nothing_left();
}

// Odd trees.

fn assert_expected(project: &Project, fixture: &str, arguments: &[&str]) {
    let finished = Run::of(project).args([".", "--output-format", "json", "--jobs", "1"]).args(arguments).finish();
    assert_report_as_expected(&finished, fixture);
}

fn assert_report_as_expected(finished: &Finished, fixture: &str) {
    assert!([0, 1].contains(&finished.code()), "{finished}");
    let wrong = Expected::of(fixture).disagreements(&finished.report(), |_| true);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_project_may_stand_at_any_path() {
    for scratch in BOTH {
        let project = Project::copy_as("python-unittest", "my project, größer: 😀");
        assert_expected(&project, "python-unittest", &["--scratch", scratch]);
    }
}

#[test]
fn links_that_lead_in_circles_are_not_followed() {
    for scratch in BOTH {
        let project = Project::copy_of("python-unittest");
        symlink(".", project.path("loop")).expect("a link");
        symlink("..", project.path("shop/up")).expect("a link");
        symlink("itself", project.path("itself")).expect("a link");
        symlink("nowhere.py", project.path("shop/dangling.py")).expect("a link");
        assert_expected(&project, "python-unittest", &["--scratch", scratch]);
    }
}

#[test]
fn git_sees_no_change_after_a_run() {
    let project = Project::copy_of("python-unittest").with_git();
    assert_expected(&project, "python-unittest", &[]);
    let status = Command::new("git").args(["status", "--porcelain"]).current_dir(project.root()).output().expect("git");
    assert_eq!(String::from_utf8_lossy(&status.stdout), "");
}

// Without rights.

fn set_rights(folder: &Path, of_folders: u32, of_files: u32) {
    for entry in fs::read_dir(folder).expect("a folder").flatten() {
        match entry.file_type().expect("a kind").is_dir() {
            true => set_rights(&entry.path(), of_folders, of_files),
            false => rights(&entry.path(), of_files),
        }
    }
    rights(folder, of_folders);
}

fn rights(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("rights");
}

/// Somebody without root's rights, in a tree in which nothing may be written. The run is kept elsewhere, and the user is told where.
#[test]
fn a_tree_that_must_not_be_written_is_enough_for_anybody() {
    for scratch in BOTH {
        let project = Project::copy_of("python-unittest");
        rights(project.beside(), 0o755);
        let engine = project.beside().join("engine");
        fs::copy(env!("CARGO_BIN_EXE_mutate"), &engine).expect("a copy of the engine");
        rights(&engine, 0o755);
        let state = project.beside().join("state");
        fs::create_dir(&state).expect("a folder");
        rights(&state, 0o777);
        set_rights(project.root(), 0o555, 0o444);

        let engine = engine.to_str().expect("a Unicode path");
        let nobody = ["--reuid=65534", "--regid=65534", "--clear-groups", engine];
        let run = match geteuid().is_root() {
            true => Run::by(&project, Path::new("setpriv"), &nobody),
            false => Run::by(&project, Path::new(engine), &[]),
        };
        rights(run.temporary(), 0o777);
        let finished = run.args([".", "--output-format", "json", "--jobs", "1", "--scratch", scratch]).finish();
        set_rights(project.root(), 0o755, 0o644);
        assert_report_as_expected(&finished, "python-unittest");
        assert!(finished.stderr.contains("the run is kept in"), "{finished}");
        assert!(!project.path(".mutate").exists());
    }
}

// Without room.

/// Every place for temporary files is as small as `size`.
fn run_in(project: &Project, size: &str, scratch: &str) -> Finished {
    let script = format!(
        "for place in \"$TMPDIR\" /var/tmp /dev/shm; do mount -t tmpfs -o size={size} none \"$place\" || exit 99; done; exec \"$0\" \"$@\""
    );
    let unshare = match geteuid().is_root() {
        true => vec!["--mount", "sh", "-c", &script, env!("CARGO_BIN_EXE_mutate")],
        false => vec!["--map-root-user", "--mount", "sh", "-c", &script, env!("CARGO_BIN_EXE_mutate")],
    };
    let arguments = ["shop/discount.py::discount", "--output-format", "json", "--jobs", "1", "--scratch", scratch];
    Run::by(project, Path::new("unshare"), &unshare).args(arguments).finish()
}

#[test]
fn a_full_disk_ends_in_an_error_or_in_doubt_but_never_in_a_wrong_verdict() {
    let (mut errors, mut reports) = (0, 0);
    for scratch in BOTH {
        for size in ["16k", "64k", "128k", "256k", "16m"] {
            let finished = run_in(&Project::copy_of("python-unittest"), size, scratch);
            match finished.code() {
                2 | 4 | 5 => errors += 1,
                _ => {
                    reports += 1;
                    assert_true_or_doubtful(&finished);
                }
            }
        }
    }
    assert!(errors > 0 && reports > 0, "{errors} errors, {reports} reports: the sizes do not tell anything");
}

fn assert_true_or_doubtful(finished: &Finished) {
    let report = finished.report();
    let mutants = report["files"]["shop/discount.py"]["mutants"].as_array().expect("mutants");
    for mutant in mutants.iter().filter(|mutant| mutant["status"] != "RuntimeError") {
        let boundary = mutant["replacement"].as_str().is_some_and(|text| text.contains(">="));
        assert_eq!(mutant["status"], if boundary { "Survived" } else { "Killed" }, "{finished}");
    }
}
