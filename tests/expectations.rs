//! The expectations beside the fixture projects are true: each edit is made by hand, and the whole suite says what was expected.
//!
//! No part of the engine takes part; what is held against these files must not have written them.

use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::json;
use support::edit::Text;
use support::expected::{Expected, ExpectedMutant};
use support::project::{Project, fixture, fixtures};
use support::{processes, python};

pub mod support;

/// Long enough for any suite of a fixture on a busy machine.
const PATIENCE: Duration = Duration::from_secs(240);
/// A suite that runs into this one is endless, or as good as.
const IMPATIENCE: Duration = Duration::from_secs(4);

#[test]
fn each_expectation_holds_when_the_edit_is_made_by_hand() {
    let names = fixtures();
    let cases: Vec<_> =
        names.iter().flat_map(|name| Expected::of(name).mutant.into_iter().map(move |mutant| (name, mutant))).collect();
    assert!(cases.len() > 100, "only {} expectations were found", cases.len());
    let next = AtomicUsize::new(0);
    let take = || cases.get(next.fetch_add(1, Ordering::Relaxed));
    let work = || std::iter::from_fn(take).filter_map(|(name, mutant)| disproof(name, mutant)).collect::<Vec<_>>();
    let wrong: Vec<String> = thread::scope(|scope| {
        let workers: Vec<_> = (0..4).map(|_| scope.spawn(work)).collect();
        workers.into_iter().flat_map(|worker| worker.join().expect("a worker")).collect()
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn each_suite_passes_without_any_edit_except_the_red_one() {
    for name in fixtures() {
        let passed = suite_passes(&Project::copy_of(&name), &Expected::of(&name), None, PATIENCE);
        let wanted = !["python-red", "python-empty"].contains(&name.as_str());
        assert!(name == "python-empty" || passed == wanted, "{name}: the suite passes: {passed}");
    }
}

/// Why the expectation is wrong, if it is.
fn disproof(name: &str, mutant: &ExpectedMutant) -> Option<String> {
    let project = Project::copy_of(name);
    let (path, ..) = mutant.place();
    project.write(path, mutant.applied_to(&Text::of(&project.read(path))).bytes());
    let (should_pass, patience) = match mutant.verdict.as_deref() {
        Some("killed") => (false, PATIENCE),
        Some("timed out") => (false, IMPATIENCE),
        Some("survived" | "no coverage") => (true, PATIENCE),
        _ => return None,
    };
    let passed = suite_passes(&project, &Expected::of(name), mutant.tests.as_deref(), patience);
    (passed != should_pass).then(|| format!("{name}: {}  {}: the suite passes: {passed}", mutant.at, mutant.change))
}

/// Runs the suite in a fresh copy, under a cap on memory, and kills what it leaves behind.
fn suite_passes(project: &Project, expected: &Expected, tests: Option<&str>, patience: Duration) -> bool {
    let mark = processes::new_mark();
    let mut child = Command::new("sh")
        .args(["-c", &format!("{}exec {} {}", cap_on_memory(project), expected.suite, tests.unwrap_or_default())])
        .current_dir(project.root())
        .env("PATH", python::path_with(&interpreter(project)))
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .env("CART_PORT", free_port().to_string())
        .env("FLICKER_FILE", project.beside().join("flicker"))
        .env(processes::MARK, &mark)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("sh");
    let deadline = Instant::now() + patience;
    let passed = loop {
        match child.try_wait().expect("a child") {
            Some(status) => break status.success(),
            None if Instant::now() > deadline => break false,
            None => thread::sleep(Duration::from_millis(10)),
        }
    };
    for (number, _) in processes::with_mark(&mark) {
        Command::new("kill").args(["-KILL", &number.to_string()]).status().expect("kill");
    }
    child.wait().expect("a child that was killed or has ended");
    passed
}

/// Node and Java reserve far more addresses than they use.
fn cap_on_memory(project: &Project) -> &'static str {
    let reserves = ["package.json", "pom.xml", "build.gradle"].iter().any(|manifest| project.path(manifest).is_file());
    if reserves { "" } else { "ulimit -v 1048576; " }
}

/// Fixtures with a server run side by side.
fn free_port() -> u16 {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    listener.local_addr().expect("an address").port()
}

/// A suite that imports the installed name gets it installed. Without plug-ins, a pytest starts in half the time.
fn interpreter(project: &Project) -> std::path::PathBuf {
    if project.path("src").is_dir() && project.path("pyproject.toml").is_file() {
        return python::editable_install(project.root(), &project.beside().join("venv"));
    }
    python::environment("test-venv-pytest8")
}

/// A report over one line, with one mutant.
fn report(status: &str, replacement: &str) -> serde_json::Value {
    json!({"files": {"shop/discount.py": {
        "source": "\u{feff}face = \"😀\"; ok = a > b\n",
        "mutants": [{
            "status": status,
            "replacement": replacement,
            "location": {"start": {"line": 1, "column": 21}, "end": {"line": 1, "column": 22}},
        }],
    }}})
}

fn expected(verdict: &str) -> Expected {
    let mutant = format!("[[mutant]]\nat = \"shop/discount.py:1:20\"\nchange = \"a > b → a >= b\"\n{verdict}\n");
    toml::from_str(&format!("suite = \"\"\n{mutant}\n[counts]\nsurvived = 1\n")).expect("a valid expectation")
}

#[test]
fn a_report_agrees_if_it_makes_the_same_text_and_says_the_same() {
    let nothing: [String; 0] = [];
    assert_eq!(expected("verdict = \"survived\"").disagreements(&report("Survived", ">="), |_| true), nothing);
}

#[test]
fn a_report_disagrees_by_a_missing_mutant_another_verdict_or_another_count() {
    let wrong = |verdict, status, replacement| expected(verdict).disagreements(&report(status, replacement), |_| true).len();
    assert_eq!(wrong("verdict = \"survived\"", "Survived", "<"), 1);
    assert_eq!(wrong("verdict = \"killed\"", "Survived", ">="), 1);
    assert_eq!(wrong("never = \"survived\"", "Survived", ">="), 1);
    assert_eq!(wrong("never = \"survived\"", "Killed", ">="), 1, "the count of survivors");
}

#[test]
fn a_process_that_outlives_its_parent_is_found_by_its_mark() {
    let mark = processes::new_mark();
    let script = "(trap '' TERM HUP; sleep 30) & exit 0";
    Command::new("sh").args(["-c", script]).env(processes::MARK, &mark).status().expect("sh");
    // While it becomes `sleep`, its environment cannot be read.
    let start = Instant::now();
    while processes::with_mark(&mark).is_empty() && start.elapsed() < Duration::from_secs(5) {
        std::thread::sleep(Duration::from_millis(5));
    }
    let left = processes::with_mark(&mark);
    assert!(!left.is_empty());
    for (number, _) in left {
        Command::new("kill").args(["-KILL", &number.to_string()]).status().expect("kill");
    }
    processes::assert_gone(&mark, Duration::from_secs(5));
}

#[test]
fn a_tree_tells_changed_bytes_modes_and_new_files() {
    let project = Project::copy_of("python-odd-files");
    let before = project.tree();
    before.assert_same(&project.tree());
    project.write("odd/crlf.py", "changed");
    assert_ne!(before, project.tree());
    project.write("odd/crlf.py", std::fs::read(fixture("python-odd-files").join("odd/crlf.py")).expect("the fixture"));
    before.assert_same(&project.tree());
    project.write("odd/__pycache__/new.pyc", "");
    assert_ne!(before, project.tree());
    before.assert_same(&project.tree().without("__pycache__"));
}
