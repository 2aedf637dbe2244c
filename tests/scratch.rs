//! Scratch trees on real processes: what the tests of a project may do to us, and what they may not.

use std::ffi::OsString;
use std::fs;
use std::io::Write;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};

use mutate::error::{Kind, Result};
use mutate::scratch::process::{Command, Exit, Limits};
use mutate::scratch::{Change, Mode, Ran, RunSpec, Scratch, Stop, Tree, probe};
use mutate::text::{Digest, ProjectPath};

const KEEPER: &str = env!("CARGO_BIN_EXE_mutate");
const PYTHON: &str = "/usr/bin/python3";
const BOTH: [Mode; 2] = [Mode::Overlay, Mode::Copy];
const ORIGINAL: &str = "def add(a, b): return a + b\n";
const MUTANT: &str = "def add(a, b): return a - b\n";

/// A small project in a folder of its own.
struct Project {
    _dir: tempfile::TempDir,
    root: PathBuf,
}

impl Project {
    fn new() -> Project {
        Project::named("project")
    }

    fn named(name: &str) -> Project {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap().join(name);
        fs::create_dir_all(root.join("pkg")).unwrap();
        fs::write(root.join("pkg/calc.py"), ORIGINAL).unwrap();
        fs::write(root.join("pkg/data.txt"), "data\n").unwrap();
        Project { _dir: dir, root }
    }

    fn scratch(&self, mode: Mode) -> Scratch {
        scratch(&self.root, mode).unwrap()
    }

    fn with_tree(self, mode: Mode) -> (Project, Tree) {
        let tree = self.scratch(mode).tree().unwrap();
        (self, tree)
    }

    /// Every path with its kind, rights, time and bytes.
    fn picture(&self) -> Vec<(PathBuf, u32, i64, i64, Vec<u8>)> {
        let (mut picture, mut open) = (Vec::new(), vec![self.root.clone()]);
        while let Some(dir) = open.pop() {
            for entry in fs::read_dir(&dir).unwrap().flatten() {
                let found = entry.metadata().unwrap();
                let bytes = if found.is_file() { fs::read(entry.path()).unwrap() } else { Vec::new() };
                picture.push((entry.path(), found.mode(), found.mtime(), found.mtime_nsec(), bytes));
                open.extend(found.is_dir().then(|| entry.path()));
            }
        }
        picture.sort();
        picture
    }
}

fn scratch(root: &Path, mode: Mode) -> Result<Scratch> {
    let guarded = vec![(path("pkg/calc.py"), Digest::of(ORIGINAL.as_bytes()))];
    Scratch::with_keeper(Path::new(KEEPER), root, Some(mode), guarded)
}

fn path(path: &str) -> ProjectPath {
    ProjectPath::new(Path::new(path)).unwrap()
}

fn mutant() -> Vec<Change> {
    vec![Change { path: path("pkg/calc.py"), bytes: MUTANT.into() }]
}

fn command(program: &str, args: &[&str], dir: &Path) -> Command {
    Command {
        program: program.into(),
        args: args.iter().map(OsString::from).collect(),
        dir: dir.into(),
        env: vec![],
        remove: vec![],
    }
}

fn generous() -> Limits {
    Limits { wall: Duration::from_secs(60), cpu: Duration::from_secs(60), memory: 4 << 30 }
}

fn try_run(tree: &mut Tree, limits: &Limits, changes: &[Change], command: &Command) -> Result<Ran> {
    let spec = RunSpec { changes, stale: &[], caches: &["__pycache__"], keep_caches: false, command, limits };
    tree.run(&spec, &Stop::new())
}

fn run(tree: &mut Tree, limits: &Limits, changes: &[Change], command: &Command) -> Ran {
    try_run(tree, limits, changes, command).unwrap()
}

/// Runs a shell script at the root of the tree, with the mutant in place.
fn sh(tree: &mut Tree, script: &str) -> Ran {
    let command = command("/bin/sh", &["-c", script], tree.root());
    run(tree, &generous(), &mutant(), &command)
}

fn python(tree: &mut Tree, script: &str, limits: &Limits) -> Ran {
    let command = command(PYTHON, &["-c", script], tree.root());
    run(tree, limits, &mutant(), &command)
}

fn is_alive(pid: &str) -> bool {
    fs::read_to_string(format!("/proc/{pid}/stat")).is_ok_and(|stat| !stat.contains(") Z "))
}

fn wait_for(file: &Path) -> String {
    let start = Instant::now();
    while !file.exists() && start.elapsed() < Duration::from_secs(20) {
        std::thread::sleep(Duration::from_millis(10));
    }
    fs::read_to_string(file).unwrap()
}

// What the test process sees.

#[test]
fn the_test_process_sees_the_mutant_and_the_original_stays() {
    for mode in BOTH {
        let project = Project::new();
        let before = project.picture();
        let mut tree = project.scratch(mode).tree().unwrap();
        let ran = sh(&mut tree, "cat pkg/calc.py; exit 3");
        assert_eq!((ran.ended.stdout_tail.as_str(), ran.ended.exit), (MUTANT, Exit::Code(3)), "{mode}");
        assert_eq!(ran.in_place, [Digest::of(MUTANT.as_bytes())]);
        assert_eq!(project.picture(), before);
    }
}

#[test]
fn an_overlay_shows_the_mutant_at_the_projects_real_path() {
    let (project, mut tree) = Project::new().with_tree(Mode::Overlay);
    assert_eq!(tree.root(), project.root);
    let absolute = project.root.join("pkg/calc.py");
    let cat = command("cat", &[absolute.to_str().unwrap()], Path::new("/"));
    assert_eq!(run(&mut tree, &generous(), &mutant(), &cat).ended.stdout_tail, MUTANT);
}

#[test]
fn a_copy_stands_elsewhere_under_the_same_name() {
    let (project, tree) = Project::new().with_tree(Mode::Copy);
    assert_ne!(tree.root(), project.root);
    assert_eq!(tree.root().file_name(), project.root.file_name());
}

#[test]
fn a_file_that_the_project_does_not_have_is_there_for_one_run() {
    for mode in BOTH {
        let (project, mut tree) = Project::new().with_tree(mode);
        let new = [Change { path: path("tests/extra/planted.py"), bytes: b"boom".to_vec() }];
        let cat = command("cat", &["tests/extra/planted.py"], tree.root());
        assert_eq!(run(&mut tree, &generous(), &new, &cat).ended.stdout_tail, "boom", "{mode}");
        assert_eq!(run(&mut tree, &generous(), &[], &cat).ended.exit, Exit::Code(1), "{mode}");
        assert!(!project.root.join("tests").exists());
    }
}

/// Same size, same second, bytecode of the original at hand: left alone, CPython would run the original.
#[test]
fn stale_bytecode_of_the_original_is_not_run() {
    let add = "import sys; sys.path.insert(0, '.'); import pkg.calc; print(pkg.calc.add(5, 2))";
    for mode in BOTH {
        let project = Project::new();
        let compile =
            std::process::Command::new(PYTHON).args(["-m", "compileall", "-q", "pkg"]).current_dir(&project.root).status();
        assert!(compile.unwrap().success() && project.root.join("pkg/__pycache__").exists());
        let mut tree = project.scratch(mode).tree().unwrap();
        assert_eq!(python(&mut tree, add, &generous()).ended.stdout_tail, "3\n", "{mode}");
        let original = command(PYTHON, &["-c", add], tree.root());
        assert_eq!(run(&mut tree, &generous(), &[], &original).ended.stdout_tail, "7\n", "{mode}");
    }
}

/// For bytecode that CPython never checks against its source.
#[test]
fn stale_forms_are_hidden_for_the_run_and_back_after_it() {
    for mode in BOTH {
        let project = Project::new();
        fs::create_dir(project.root.join("pkg/__pycache__")).unwrap();
        fs::write(project.root.join("pkg/__pycache__/calc.pyc"), "old").unwrap();
        let mut tree = project.scratch(mode).tree().unwrap();
        let list = command("ls", &["pkg/__pycache__"], tree.root());
        let stale = [path("pkg/__pycache__/calc.pyc"), path("pkg/__pycache__/never.pyc")];
        let limits = generous();
        let spec = RunSpec { changes: &mutant(), stale: &stale, caches: &[], keep_caches: false, command: &list, limits: &limits };
        let ran = tree.run(&spec, &Stop::new()).unwrap();
        assert_eq!((ran.ended.stdout_tail.as_str(), ran.wrote), ("", vec![]), "{mode}");
        assert_eq!(run(&mut tree, &limits, &[], &list).ended.stdout_tail, "calc.pyc\n", "{mode}");
    }
}

#[test]
fn two_trees_do_not_see_each_other() {
    for mode in BOTH {
        let project = Project::new();
        let scratch = project.scratch(mode);
        let trees = [scratch.tree().unwrap(), scratch.tree().unwrap()];
        let cat = |(at, mut tree): (usize, Tree)| {
            let change = [Change { path: path("pkg/calc.py"), bytes: format!("mutant {at}").into() }];
            let command = command("/bin/sh", &["-c", "sleep 0.3; cat pkg/calc.py"], tree.root());
            run(&mut tree, &generous(), &change, &command).ended.stdout_tail
        };
        let seen: Vec<String> = std::thread::scope(|scope| {
            let running: Vec<_> = trees.into_iter().enumerate().map(|tree| scope.spawn(move || cat(tree))).collect();
            running.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        assert_eq!(seen, ["mutant 0", "mutant 1"], "{mode}");
    }
}

#[test]
fn a_test_process_has_three_descriptors_and_reads_nothing() {
    let leaked = fs::File::open("/dev/null").unwrap();
    rustix::io::fcntl_setfd(&leaked, rustix::io::FdFlags::empty()).unwrap();
    let list =
        "import os; print(sorted(f for f in os.listdir('/proc/self/fd') if os.path.exists('/proc/self/fd/' + f)), os.read(0, 1))";
    for mode in BOTH {
        let (_project, mut tree) = Project::new().with_tree(mode);
        assert_eq!(python(&mut tree, list, &generous()).ended.stdout_tail, "['0', '1', '2'] b''\n", "{mode}");
    }
}

#[test]
fn a_test_process_has_a_session_that_is_not_ours_and_knows_its_run() {
    let (_project, mut tree) = Project::new().with_tree(Mode::Overlay);
    let tell = "import os; print(os.getsid(0), os.getpgrp() == os.getpid(), bool(os.environ['MUTATE_RUN']))";
    let told = python(&mut tree, tell, &generous()).ended.stdout_tail;
    // As a number: in a container our session can be led from outside, and then it is 0.
    let own = fs::read_to_string("/proc/self/stat").unwrap().rsplit(") ").next().unwrap().split(' ').nth(3).unwrap().to_owned();
    let (session, rest) = told.trim().split_once(' ').unwrap();
    assert_ne!(session, own);
    assert_eq!(rest, "True True");
}

// What a run leaves.

/// Everything that a run can do to files: the next run must find nothing of it.
#[test]
fn whatever_a_run_does_to_the_project_is_gone_in_the_next() {
    let mess = "echo x >> pkg/data.txt; rm pkg/calc.py; mkdir -p new/deep; echo n > new/deep/file; mv pkg/data.txt moved; \
                mkdir pkg/__pycache__; echo c > pkg/__pycache__/calc.pyc; chmod 000 new; chmod 700 pkg";
    let look = "find . -type f | LC_ALL=C sort; cat pkg/data.txt; stat -c %a pkg pkg/data.txt";
    for mode in BOTH {
        let project = Project::new();
        fs::set_permissions(project.root.join("pkg"), fs::Permissions::from_mode(0o755)).unwrap();
        fs::set_permissions(project.root.join("pkg/data.txt"), fs::Permissions::from_mode(0o644)).unwrap();
        let before = project.picture();
        let mut tree = project.scratch(mode).tree().unwrap();
        let messy = sh(&mut tree, mess);
        assert_eq!(messy.ended.exit, Exit::Code(0), "{mode}: {}", messy.ended.stderr_tail);
        let next = sh(&mut tree, look);
        assert_eq!(next.ended.stdout_tail, "./pkg/calc.py\n./pkg/data.txt\ndata\n755\n644\n", "{mode}");
        assert_eq!(project.picture(), before, "{mode}");
    }
}

#[test]
fn a_folder_of_the_project_can_be_renamed_and_is_back_in_the_next_run() {
    for mode in BOTH {
        let (project, mut tree) = Project::new().with_tree(mode);
        let before = project.picture();
        assert_eq!(sh(&mut tree, "mv pkg moved && cat moved/calc.py && mkdir pkg && ls pkg").ended.stdout_tail, MUTANT, "{mode}");
        assert_eq!(sh(&mut tree, "ls . pkg").ended.stdout_tail, ".:\npkg\n\npkg:\ncalc.py\ndata.txt\n", "{mode}");
        assert_eq!(project.picture(), before, "{mode}");
    }
}

#[test]
fn what_a_run_writes_into_the_project_is_reported_without_its_caches() {
    for mode in BOTH {
        let (_project, mut tree) = Project::new().with_tree(mode);
        let ran = sh(&mut tree, "echo n > new.txt; rm pkg/data.txt; mkdir pkg/__pycache__; echo c > pkg/__pycache__/c.pyc");
        assert_eq!(ran.wrote, [path("new.txt"), path("pkg/data.txt")], "{mode}");
        assert!(sh(&mut tree, "true").wrote.is_empty());
    }
}

#[test]
fn kept_caches_are_there_for_later_trees_and_nothing_else_is() {
    for mode in BOTH {
        let project = Project::new();
        let before = project.picture();
        let mut scratch = project.scratch(mode);
        let mut tree = scratch.tree().unwrap();
        let warm = command(
            "/bin/sh",
            &["-c", "mkdir pkg/__pycache__; echo warm > pkg/__pycache__/c.pyc; echo no > pkg/other"],
            tree.root(),
        );
        let limits = generous();
        let spec =
            RunSpec { changes: &[], stale: &[], caches: &["__pycache__"], keep_caches: true, command: &warm, limits: &limits };
        tree.run(&spec, &Stop::new()).unwrap();
        scratch.keep_caches(&mut tree);

        let mut later = scratch.tree().unwrap();
        for _ in 0..2 {
            let ran = sh(&mut later, "cat pkg/__pycache__/c.pyc; ls pkg; echo changed > pkg/__pycache__/c.pyc");
            assert_eq!(ran.ended.stdout_tail, "warm\n__pycache__\ncalc.py\ndata.txt\n", "{mode}");
        }
        assert!(later.layers().any(|layer| layer.join("pkg/__pycache__/c.pyc").exists()));
        assert_eq!(project.picture(), before);
    }
}

#[test]
fn the_caches_of_a_mutant_are_never_kept() {
    let (_project, mut tree) = Project::new().with_tree(Mode::Copy);
    let (command, limits) = (command("true", &[], tree.root()), generous());
    let spec =
        RunSpec { changes: &mutant(), stale: &[], caches: &["__pycache__"], keep_caches: true, command: &command, limits: &limits };
    assert_eq!(tree.run(&spec, &Stop::new()).unwrap_err().kind, Kind::Internal);
}

#[test]
fn no_mount_and_no_file_is_left() {
    let mounts = || fs::read_to_string("/proc/self/mountinfo").unwrap();
    for mode in BOTH {
        let project = Project::new();
        let scratch = project.scratch(mode);
        let folder = scratch.folder().unwrap();
        let base = folder.path().parent().unwrap().to_path_buf();
        let mut tree = scratch.tree().unwrap();
        sh(&mut tree, "chmod 000 pkg; true");
        assert!(!mounts().contains(project.root.to_str().unwrap()) && base.exists());
        drop((folder, tree, scratch));
        assert!(!base.exists(), "{mode}");
    }
}

#[test]
fn a_folder_for_a_request_is_empty_private_and_outside_of_the_project() {
    let project = Project::new();
    let scratch = project.scratch(Mode::Overlay);
    let (one, two) = (scratch.folder().unwrap(), scratch.folder().unwrap());
    assert_ne!(one.path(), two.path());
    assert!(!one.path().starts_with(&project.root) && fs::read_dir(one.path()).unwrap().next().is_none());
    assert_eq!(fs::metadata(one.path()).unwrap().mode() & 0o777, 0o700);
}

// Processes that do not want to end.

/// Forks twice, starts a session of its own, clears its environment and ignores SIGTERM: nothing ties it to the test process.
const DAEMON: &str = "
import os, signal, time, sys
reader, writer = os.pipe()
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        for fd in (0, 1, 2): os.close(fd)
        os.write(writer, str(os.getpid()).encode())
        os.execve('/bin/sleep', ['sleep', '600'], {})
    os._exit(0)
print(os.read(reader, 20).decode())
";

#[test]
fn a_daemon_is_gone_after_the_run_and_counted() {
    for mode in BOTH {
        let (_project, mut tree) = Project::new().with_tree(mode);
        let ended = python(&mut tree, DAEMON, &generous()).ended;
        let pid = ended.stdout_tail.trim();
        assert!(pid.parse::<u32>().is_ok(), "{ended:?}");
        assert!(!is_alive(pid), "{mode}");
        assert_eq!((&ended.exit, ended.left_behind), (&Exit::Code(0), 1), "{mode}");
    }
}

#[test]
fn a_run_that_ends_in_good_order_leaves_nothing_behind() {
    let (_project, mut tree) = Project::new().with_tree(Mode::Overlay);
    assert_eq!(sh(&mut tree, "sleep 0.05 & wait").ended.left_behind, 0);
}

#[test]
fn a_sleeper_is_over_wall_even_if_it_ignores_sigterm() {
    let (_project, mut tree) = Project::new().with_tree(Mode::Overlay);
    let limits = Limits { wall: Duration::from_secs(1), ..generous() };
    let sleep = "import signal, time, os; signal.signal(15, signal.SIG_IGN); print(os.getpid(), flush=True); time.sleep(600)";
    let start = Instant::now();
    let ended = python(&mut tree, sleep, &limits).ended;
    assert_eq!(ended.exit, Exit::OverWall);
    assert!(ended.wall >= limits.wall && start.elapsed() < Duration::from_secs(6), "{ended:?}");
    let pid = ended.stdout_tail.trim();
    assert!(pid.parse::<u32>().is_ok() && !is_alive(pid), "{ended:?}");
}

#[test]
fn a_busy_loop_is_over_cpu_also_in_a_grandchild() {
    for script in ["while True: pass", "import os\nif os.fork() == 0:\n  while True: pass\nos.wait()"] {
        let (_project, mut tree) = Project::new().with_tree(Mode::Copy);
        let ended = python(&mut tree, script, &Limits { cpu: Duration::from_millis(300), ..generous() }).ended;
        assert_eq!(ended.exit, Exit::OverCpu, "{script}");
        assert!(ended.cpu >= Duration::from_millis(300));
    }
}

#[test]
fn processor_time_of_children_that_have_ended_counts() {
    let (_project, mut tree) = Project::new().with_tree(Mode::Copy);
    let many = "import subprocess, sys\nwhile True: subprocess.run([sys.executable, '-S', '-c', 'sum(range(10**6))'])";
    let ended = python(&mut tree, many, &Limits { cpu: Duration::from_millis(500), ..generous() }).ended;
    assert_eq!(ended.exit, Exit::OverCpu);
}

/// Orphans are reaped by the keeper and not by the test process.
#[test]
fn processor_time_of_orphans_that_have_ended_counts() {
    let (_project, mut tree) = Project::new().with_tree(Mode::Copy);
    let many = "
import os, time
while True:
    if os.fork() == 0:
        if os.fork() == 0: sum(range(2 * 10**6))
        os._exit(0)
    os.wait()
    time.sleep(0.1)
";
    let limits = Limits { cpu: Duration::from_millis(500), wall: Duration::from_secs(20), ..generous() };
    assert_eq!(python(&mut tree, many, &limits).ended.exit, Exit::OverCpu);
}

#[test]
fn memory_without_end_is_over_memory() {
    let (_project, mut tree) = Project::new().with_tree(Mode::Overlay);
    let eat = "import time\nkept = []\nwhile True:\n  kept.append(b'x' * (1 << 20)); time.sleep(0.0005)";
    let limits = Limits { memory: 200 << 20, ..generous() };
    let ended = python(&mut tree, eat, &limits).ended;
    assert_eq!(ended.exit, Exit::OverMemory);
    assert!(ended.peak_memory > limits.memory && ended.peak_memory < 2 << 30, "{}", ended.peak_memory);
}

/// Five processes show the same 120 MiB as their own.
#[test]
fn memory_that_forked_processes_share_counts_once() {
    let (_project, mut tree) = Project::new().with_tree(Mode::Overlay);
    let fork = "
import os, time
kept = b'x' * (120 << 20)
for _ in range(4):
    if os.fork() == 0:
        time.sleep(1)
        os._exit(0)
time.sleep(1.2)
";
    let limits = Limits { memory: 350 << 20, ..generous() };
    let ended = python(&mut tree, fork, &limits).ended;
    assert_eq!(ended.exit, Exit::Code(0), "peak {}", ended.peak_memory);
    assert!(ended.peak_memory > limits.memory, "the plain sum is over: {}", ended.peak_memory);
}

#[test]
fn a_flood_of_output_is_bounded_and_its_end_is_kept() {
    let (_project, mut tree) = Project::new().with_tree(Mode::Overlay);
    let ended = sh(&mut tree, "head -c 200000000 /dev/zero | tr '\\0' x; echo; echo the end; echo to stderr >&2").ended;
    assert_eq!(ended.exit, Exit::Code(0));
    assert!(ended.stdout_tail.len() <= 4096 && ended.stdout_tail.ends_with("xxx\nthe end\n"));
    assert_eq!(ended.stderr_tail, "to stderr\n");
    assert!(ended.peak_memory < 100 << 20);
}

#[test]
fn output_that_is_no_text_is_no_problem() {
    let (_project, mut tree) = Project::new().with_tree(Mode::Copy);
    assert_eq!(sh(&mut tree, "printf 'a\\377b'").ended.stdout_tail, "a\u{fffd}b");
}

#[test]
fn a_test_that_signals_its_parent_does_no_harm_and_one_that_kills_it_proves_nothing() {
    let (project, mut tree) = Project::new().with_tree(Mode::Overlay);
    assert_eq!(sh(&mut tree, "kill -TERM $PPID; kill -INT $PPID; sleep 0.1; exit 5").ended.exit, Exit::Code(5));
    let marker = project.root.with_file_name("pid");
    let ran = sh(&mut tree, &format!("echo $$ > {}; kill -KILL $PPID; sleep 600", marker.display()));
    assert!(matches!(ran.ended.exit, Exit::NotStarted { .. }), "{:?}", ran.ended);
    assert!(ran.in_place.is_empty());
    assert!(!is_alive(fs::read_to_string(marker).unwrap().trim()));
    assert_eq!(sh(&mut tree, "cat pkg/calc.py").ended.stdout_tail, MUTANT);
}

#[test]
fn a_program_that_does_not_exist_was_not_started() {
    for mode in BOTH {
        let (_project, mut tree) = Project::new().with_tree(mode);
        let missing = command("/no/such/program", &[], tree.root());
        let ended = run(&mut tree, &generous(), &mutant(), &missing).ended;
        assert!(matches!(ended.exit, Exit::NotStarted { ref why } if why.contains("No such file")), "{ended:?}");
    }
}

#[test]
fn a_crash_is_a_signal() {
    let (_project, mut tree) = Project::new().with_tree(Mode::Copy);
    assert_eq!(sh(&mut tree, "kill -SEGV $$").ended.exit, Exit::Signal(11));
}

#[test]
fn a_stop_request_ends_a_run_at_once() {
    let (_project, mut tree) = Project::new().with_tree(Mode::Overlay);
    let stop = Stop::new();
    let setter = stop.clone();
    let thread = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(700));
        setter.set();
        Instant::now()
    });
    let (command, limits) = (command("/bin/sh", &["-c", "echo $$; sleep 600"], tree.root()), generous());
    let spec = RunSpec { changes: &mutant(), stale: &[], caches: &[], keep_caches: false, command: &command, limits: &limits };
    let ended = tree.run(&spec, &stop).unwrap().ended;
    assert_eq!(ended.exit, Exit::Interrupted);
    assert!(thread.join().unwrap().elapsed() < Duration::from_millis(700));
    assert!(!is_alive(ended.stdout_tail.trim()));
}

/// What kill -9 of the engine does to a keeper: the leash closes, and nobody will read the answer.
#[test]
fn a_keeper_whose_engine_dies_ends_everything_and_goes() {
    let project = Project::new();
    let marker = project.root.with_file_name("pid");
    let script = format!("setsid sleep 600 & echo $! > {0}.tmp; mv {0}.tmp {0}; sleep 600", marker.display());
    let [sh, c, script, dir] = ["/bin/sh", "-c", &script, "/"].map(|text| serde_json::to_value(OsString::from(text)).unwrap());
    let limits = serde_json::to_value(generous()).unwrap();
    let errand = serde_json::json!({ "program": sh, "args": [c, script], "dir": dir, "env": [], "remove": [], "limits": limits });
    let order = serde_json::json!({ "run": "test", "mount": null, "look_at": [], "hidden": [], "errand": errand });
    let mut keeper =
        std::process::Command::new(KEEPER).arg("__keeper").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut leash = keeper.stdin.take().unwrap();
    writeln!(leash, "{order}").unwrap();
    let sleeper = wait_for(&marker);
    assert!(is_alive(sleeper.trim()));

    drop(keeper.stdout.take());
    drop(leash);

    let start = Instant::now();
    keeper.wait().unwrap();
    assert!(start.elapsed() < Duration::from_secs(2));
    assert!(!is_alive(sleeper.trim()));
}

/// The whole thing: this test program, as an engine in mid-run, is killed with -9.
#[test]
fn kill_9_of_an_engine_leaves_no_process_no_mount_and_the_same_tree() {
    for mode in BOTH {
        let project = Project::new();
        let before = project.picture();
        let marker = project.root.with_file_name("pid");
        let temp = tempfile::tempdir().unwrap();
        let mut engine = inner("an_engine_that_will_be_killed", &project.root, mode).env("TMPDIR", temp.path()).spawn().unwrap();
        let test_process = wait_for(&marker);
        assert!(is_alive(test_process.trim()));

        engine.kill().unwrap();
        engine.wait().unwrap();

        let start = Instant::now();
        while is_alive(test_process.trim()) && start.elapsed() < Duration::from_secs(2) {
            std::thread::sleep(Duration::from_millis(5));
        }
        assert!(!is_alive(test_process.trim()), "{mode}");
        assert!(!fs::read_to_string("/proc/self/mountinfo").unwrap().contains(project.root.to_str().unwrap()));
        assert_eq!(project.picture(), before, "{mode}");
        assert_eq!(fs::read_dir(temp.path()).unwrap().count(), 1, "the killed engine could not tidy up");
        next_engine_tidies_up(&project, temp.path(), mode);
    }
}

fn next_engine_tidies_up(project: &Project, temp: &Path, mode: Mode) {
    let next = inner("an_engine_as_another_process", &project.root, mode).env("TMPDIR", temp).output().unwrap();
    assert!(next.status.success(), "{}", String::from_utf8_lossy(&next.stdout));
    assert_eq!(fs::read_dir(temp).unwrap().count(), 0);
}

/// This test program again, running one of the tests below in the project of the outer test.
fn inner(test: &str, root: &Path, mode: Mode) -> std::process::Command {
    let mut command = std::process::Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", test, "--nocapture"]).env("SCRATCH_TEST_ROOT", root).env("SCRATCH_TEST_MODE", mode.to_string());
    command
}

/// Root and mode, in a process started by [`inner`].
fn outer() -> Option<(PathBuf, Mode)> {
    let root = std::env::var_os("SCRATCH_TEST_ROOT")?;
    let mode = if std::env::var_os("SCRATCH_TEST_MODE")? == "overlay" { Mode::Overlay } else { Mode::Copy };
    Some((root.into(), mode))
}

/// Only of use to `kill_9_of_an_engine_leaves_no_process_no_mount_and_the_same_tree`.
#[test]
fn an_engine_that_will_be_killed() {
    let Some((root, mode)) = outer() else { return };
    let mut tree = scratch(&root, mode).unwrap().tree().unwrap();
    let marker = root.with_file_name("pid");
    sh(&mut tree, &format!("echo junk > pkg/calc.py; echo $$ > {0}.tmp; mv {0}.tmp {0}; sleep 600", marker.display()));
}

/// What an engine must be able to do, whoever runs it.
#[test]
fn an_engine_as_another_process() {
    let Some((root, mode)) = outer() else { return };
    let mut tree = scratch(&root, mode).unwrap().tree().unwrap();
    for _ in 0..2 {
        let ended = sh(&mut tree, "cat pkg/calc.py; echo junk >> pkg/calc.py; chmod 000 pkg").ended;
        assert_eq!((ended.stdout_tail.as_str(), ended.left_behind), (MUTANT, 0), "{}", ended.stderr_tail);
    }
}

/// The project belongs to root and nobody else may write it, or, where the tests are not run by root, not even its owner.
#[test]
fn a_tree_that_the_user_may_not_write_can_be_mutated() {
    for mode in BOTH {
        let project = Project::new();
        close(&project.root.join("pkg"), 0o555);
        close(&project.root.join("pkg/calc.py"), 0o444);
        close(&project.root, 0o555);
        close(project.root.parent().unwrap(), 0o755);
        let before = project.picture();
        let temp = tempfile::tempdir().unwrap();
        close(temp.path(), 0o1777);
        let inner =
            as_nobody(&inner("an_engine_as_another_process", &project.root, mode)).env("TMPDIR", temp.path()).output().unwrap();
        assert!(inner.status.success(), "{mode}: {}", String::from_utf8_lossy(&inner.stdout));
        assert_eq!(project.picture(), before, "{mode}");
        assert_eq!(fs::read_dir(temp.path()).unwrap().count(), 0, "{mode}");
        close(&project.root, 0o755);
        close(&project.root.join("pkg"), 0o755);
    }
}

fn close(path: &Path, rights: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(rights)).unwrap();
}

/// The same command without root's rights.
fn as_nobody(command: &std::process::Command) -> std::process::Command {
    if !rustix::process::geteuid().is_root() {
        return rebuilt(command, std::process::Command::new(command.get_program()));
    }
    let mut nobody = std::process::Command::new("setpriv");
    nobody.args(["--reuid=65534", "--regid=65534", "--clear-groups"]).arg(command.get_program());
    rebuilt(command, nobody)
}

fn rebuilt(from: &std::process::Command, mut to: std::process::Command) -> std::process::Command {
    to.args(from.get_args()).envs(from.get_envs().filter_map(|(name, value)| Some((name, value?))));
    to
}

// Odd projects.

#[test]
fn any_name_of_a_project_folder_will_do() {
    for name in ["with space", "ünïcödé 🎉", "co:lon", "com,ma", "back\\slash", "quo\"te'", "per%cent=x", "line\nfeed"] {
        for mode in BOTH {
            let (project, mut tree) = Project::named(name).with_tree(mode);
            assert_eq!(sh(&mut tree, "cat pkg/calc.py; echo junk > junk").ended.stdout_tail, MUTANT, "{name:?} {mode}");
            assert!(!project.root.join("junk").exists());
        }
    }
}

#[test]
fn link_loops_are_harmless() {
    for mode in BOTH {
        let project = Project::new();
        symlink("..", project.root.join("pkg/up")).unwrap();
        symlink("loop", project.root.join("loop")).unwrap();
        let mut tree = project.scratch(mode).tree().unwrap();
        assert_eq!(sh(&mut tree, "cat pkg/up/pkg/calc.py").ended.stdout_tail, MUTANT, "{mode}");
    }
}

#[test]
fn a_mutant_in_a_linked_folder_inside_the_project_is_seen_at_both_names() {
    for mode in BOTH {
        let project = Project::new();
        symlink("pkg", project.root.join("alias")).unwrap();
        let mut tree = project.scratch(mode).tree().unwrap();
        let change = [Change { path: path("alias/calc.py"), bytes: MUTANT.into() }];
        let cat = command("cat", &["alias/calc.py", "pkg/calc.py"], tree.root());
        assert_eq!(run(&mut tree, &generous(), &change, &cat).ended.stdout_tail, [MUTANT, MUTANT].concat(), "{mode}");
        assert!(fs::symlink_metadata(project.root.join("alias")).unwrap().is_symlink());
    }
}

/// In a copy the dependencies are the user's own folders: nothing may be written through the link.
#[test]
fn a_file_among_linked_dependencies_is_never_written() {
    let project = Project::new();
    fs::create_dir_all(project.root.join("node_modules/dep")).unwrap();
    fs::write(project.root.join("node_modules/dep/index.js"), "dep").unwrap();
    let mut tree = project.scratch(Mode::Copy).tree().unwrap();
    let change = [Change { path: path("node_modules/dep/index.js"), bytes: b"mutant".to_vec() }];
    let cat = command("true", &[], tree.root());
    assert_eq!(try_run(&mut tree, &generous(), &change, &cat).unwrap_err().kind, Kind::Usage);
    assert_eq!(fs::read(project.root.join("node_modules/dep/index.js")).unwrap(), b"dep");
}

#[test]
fn a_source_that_changed_before_the_first_use_is_an_integrity_error() {
    for mode in BOTH {
        let project = Project::new();
        let scratch = project.scratch(mode);
        fs::write(project.root.join("pkg/calc.py"), "changed\n").unwrap();
        assert_eq!(scratch.tree().unwrap_err().kind, Kind::Integrity, "{mode}");
    }
}

#[test]
fn a_source_that_changes_while_trees_are_in_use_is_an_integrity_error() {
    for mode in BOTH {
        let (project, mut tree) = Project::new().with_tree(mode);
        fs::write(project.root.join("pkg/calc.py"), "changed\n").unwrap();
        let command = command("true", &[], tree.root());
        assert_eq!(try_run(&mut tree, &generous(), &mutant(), &command).unwrap_err().kind, Kind::Integrity, "{mode}");
    }
}

#[test]
fn a_mount_below_the_root_means_no_overlay_and_the_reason_names_it() {
    let error = scratch(Path::new("/dev"), Mode::Overlay).unwrap_err();
    assert_eq!(error.kind, Kind::Environment);
    assert!(error.to_string().contains("mounted inside the project, at /dev/"), "{error}");
}

#[test]
fn the_doctor_finds_what_works_here() {
    let project = Project::new();
    let findings = probe::all(&project.root, Path::new(KEEPER));
    assert_eq!(findings.iter().map(|finding| finding.mode).collect::<Vec<_>>(), BOTH);
    assert!(findings.iter().all(|finding| finding.works.is_ok()), "{findings:?}");
    let nowhere = probe::all(Path::new("/"), Path::new(KEEPER));
    assert!(nowhere.iter().all(|finding| finding.works.is_err()), "{nowhere:?}");
}
