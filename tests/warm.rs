//! Trials from a process that has loaded the tests: the same verdicts as from new ones, or none.

use std::collections::BTreeMap;

use serde_json::Value;
use support::project::Project;
use support::python;
use support::run::{Finished, Run};

pub mod support;

/// What a run says about one mutant: status, killers, path, and why the path was cold.
type Verdicts = BTreeMap<String, (String, String, String, String)>;

fn finished(project: &Project, venv: &str, arguments: &[&str]) -> Finished {
    let path = python::path_with(&python::environment(venv));
    let run = Run::of(project).env("PATH", path).args(["--output-format", "json", "--jobs", "2", "--scratch", "overlay"]);
    run.args(arguments).finish()
}

fn verdicts(finished: &Finished) -> Verdicts {
    let report = finished.report();
    let own = &report["config"]["mutate"];
    assert_eq!(own["audit"]["wrong"], 0, "{finished}");
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let mut found = Verdicts::new();
    for file in report["files"].as_object().expect("files").values() {
        for mutant in file["mutants"].as_array().expect("mutants") {
            let id = text(&mutant["id"]);
            let evidence = &own["mutants"][&id];
            let place = format!("{} {} {}", id, mutant["location"]["start"], text(&mutant["replacement"]));
            let verdict =
                (text(&mutant["status"]), mutant["killedBy"].to_string(), text(&evidence["path"]), text(&evidence["coldBecause"]));
            found.insert(place, verdict);
        }
    }
    found
}

/// Both ways, and the warm one once more: verdicts and killers are the same. Gives those of the warm run.
fn both(project: &Project, venv: &str, arguments: &[&str]) -> Verdicts {
    let warm = verdicts(&finished(project, venv, arguments));
    let cold = verdicts(&finished(project, venv, &[arguments, &["--cold"]].concat()));
    let bare = |verdicts: &Verdicts| -> BTreeMap<String, (String, String)> {
        verdicts.iter().map(|(id, (status, by, ..))| (id.clone(), (status.clone(), by.clone()))).collect()
    };
    assert_eq!(bare(&warm), bare(&cold));
    assert!(cold.values().all(|(_, _, path, _)| !path.starts_with("warm")), "{cold:#?}");
    warm
}

fn warm(verdicts: &Verdicts) -> usize {
    verdicts.values().filter(|(_, _, path, _)| path.starts_with("warm")).count()
}

/// Why mutants were cold, each reason once.
fn reasons(verdicts: &Verdicts) -> Vec<&str> {
    let mut reasons: Vec<&str> = verdicts.values().map(|(.., why)| why.as_str()).filter(|why| !why.is_empty()).collect();
    reasons.sort();
    reasons.dedup();
    reasons
}

#[test]
fn every_version_of_pytest_gives_the_same_verdicts_warm_and_cold() {
    for venv in ["test-venv", "test-venv-pytest8", "test-venv-pytest7"] {
        let verdicts = both(&Project::copy_of("python-pytest"), venv, &["."]);
        assert!(warm(&verdicts) * 2 > verdicts.len(), "{venv}: {verdicts:#?}");
    }
}

#[test]
fn unittest_gives_the_same_verdicts_warm_and_cold() {
    let verdicts = both(&Project::copy_of("python-unittest"), "test-venv", &["."]);
    assert!(warm(&verdicts) * 2 > verdicts.len(), "{verdicts:#?}");
}

#[test]
fn a_program_that_the_tests_start_is_the_mutant_as_well() {
    let verdicts = both(&Project::copy_of("python-cli-subprocess"), "test-venv", &["."]);
    assert!(verdicts.values().any(|(status, ..)| status == "Killed"));
}

/// Functions that others have taken, wrapped or made when the mutant comes.
const MADE: &str = r#"
import asyncio
import contextlib
import functools


def twice(function):
    @functools.wraps(function)
    def call(value):
        return function(function(value)) + 1
    return call


@twice
def double(value):
    return value * 2


def adder(step):
    def add(value):
        return value + step
    return add


add_three = adder(3)
smaller, larger = lambda a, b: a < b, lambda a, b: a > b


class Shelf:
    limit = 3

    def __init__(self, items):
        self.items = list(items)

    @property
    def full(self):
        return len(self.items) >= self.limit

    @staticmethod
    def price(count):
        return count * 5

    @classmethod
    def of(cls, count):
        return cls(range(count))

    def __iter__(self):
        for item in self.items:
            yield item + 1

    def __mangled(self):
        return self.limit - 1

    def mangled(self):
        return self.__mangled()


@functools.lru_cache(maxsize=None)
def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)


@contextlib.contextmanager
def opened(log):
    log.append(1)
    try:
        yield len(log) + 1
    finally:
        log.append(2)


async def fetch(value):
    await asyncio.sleep(0)
    return value + 10


def loop(n):
    total = 0
    while n > 0:
        total += n
        n -= 1
    return total


def parity(n):
    def even(k):
        return k == 0 or odd(k - 1)

    def odd(k):
        return k != 0 and even(k - 1)
    return even(n)


def squares(n):
    return [i * i for i in range(n) if i % 2]
"#;

const TESTS_OF_MADE: &str = r#"
import asyncio
import inspect
import made
import pytest
from made import add_three, double as renamed

TABLE = {"double": made.double, "price": made.Shelf.price}


@pytest.fixture(scope="session")
def shelf():
    return made.Shelf([1, 2, 3])


def test_wrapped():
    assert renamed(3) == 13 and TABLE["double"](0) == 1


def test_closure():
    assert add_three(4) == 7


def test_twins():
    assert made.smaller(1, 2) and not made.smaller(2, 2) and made.larger(2, 1) and not made.larger(1, 1)


def test_shelf(shelf):
    assert shelf.full and TABLE["price"](2) == 10 and list(made.Shelf.of(2)) == [1, 2]
    assert shelf.mangled() == 2


def test_session_fixture_again(shelf):
    assert list(shelf) == [2, 3, 4]


def test_memo():
    assert made.fib(10) == 55


def test_context():
    log = []
    with made.opened(log) as size:
        assert size == 2
    assert log == [1, 2]


def test_async():
    assert asyncio.run(made.fetch(1)) == 11


def test_loop():
    assert made.loop(4) == 10 and made.loop(-1) == 0


def test_parity():
    assert made.parity(4) and not made.parity(3)


def test_squares():
    assert made.squares(6) == [1, 9, 25]


def test_source():
    assert "value * 2" in inspect.getsource(made.double)
"#;

#[test]
fn functions_that_were_taken_before_the_mutant_came_run_the_mutant() {
    let project = Project::of(&[("pyproject.toml", ""), ("made.py", MADE), ("test_made.py", TESTS_OF_MADE)]);
    let verdicts = both(&project, "test-venv", &["made.py"]);
    assert!(warm(&verdicts) * 3 > verdicts.len() * 2, "{verdicts:#?}");
}

#[test]
fn an_endless_loop_is_ended_by_its_rounds() {
    let project = Project::of(&[("pyproject.toml", ""), ("made.py", MADE), ("test_made.py", TESTS_OF_MADE)]);
    let finished = finished(&project, "test-venv", &["made.py::loop"]);
    let report = finished.report();
    let mutants = report["files"]["made.py"]["mutants"].as_array().expect("mutants");
    let ended = |mutant: &&Value| mutant["statusReason"].as_str().is_some_and(|why| why.contains("rounds of the functions"));
    let endless: Vec<&Value> = mutants.iter().filter(ended).collect();
    assert!(!endless.is_empty() && endless.iter().all(|mutant| mutant["status"] == "Timeout"), "{finished}");
}

/// Tests that do to their process what tests do.
const ROUGH: &str = r#"
import atexit
import multiprocessing
import os
import random
import shutil
import subprocess
import sys
import tempfile
import threading
import warnings

import pytest
import shop

FOLDER = tempfile.mkdtemp()
atexit.register(shutil.rmtree, FOLDER)
random.seed(7)
FIRST = [2, 1, 2]


def test_plain():
    assert shop.total(2, 5) == 10


def in_child(queue):
    queue.put(shop.total(2, 3))


def test_process():
    queue = multiprocessing.get_context("fork").Queue()
    child = multiprocessing.get_context("fork").Process(target=in_child, args=(queue,))
    child.start()
    assert queue.get(timeout=20) == 6
    child.join()


def test_fork():
    child = os.fork()
    if child == 0:
        os._exit(0 if shop.fee(1) == 3 else 1)
    assert os.waitpid(child, 0)[1] == 0


def test_thread():
    found = []
    worker = threading.Thread(target=lambda: found.append(shop.fee(5)))
    worker.start()
    worker.join()
    assert found == [7]


def test_started_program():
    code = "import shop; print(shop.total(4, 5))"
    assert subprocess.check_output([sys.executable, "-c", code], text=True).strip() == "20"


def test_state_of_random():
    assert [random.randint(1, 3) for _ in range(3)] == FIRST and shop.fee(0) == 2


def test_folder_of_the_module():
    assert os.path.isdir(FOLDER) and shop.total(1, 1) == 1


def test_warnings_are_errors(recwarn):
    warnings.simplefilter("error")
    assert shop.fee(2) == 4


def test_lazy_import():
    import late
    assert late.sign(-3) == -1 and late.sign(3) == 1


def test_output(capfd):
    print(shop.total(3, 3))
    assert capfd.readouterr().out == "9\n"


@pytest.mark.xfail(strict=True)
def test_expected_to_fail():
    assert shop.fee(1) == 4
"#;

#[test]
fn rough_tests_give_the_same_verdicts_warm_and_cold() {
    let files = [
        ("pyproject.toml", "[tool.pytest.ini_options]\naddopts = '-p no:randomly'\nfilterwarnings = ['error']\n"),
        ("shop.py", "def total(a, b):\n    return a * b\n\n\ndef fee(a):\n    return a + 2\n"),
        ("late.py", "def sign(n):\n    if n < 0:\n        return -1\n    return 1\n"),
        ("test_rough.py", ROUGH),
    ];
    let verdicts = both(&Project::of(&files), "test-venv", &["shop.py", "late.py"]);
    // What only other processes run, or what is loaded later, proves nothing in a warm one.
    assert!(warm(&verdicts) > 0 && reasons(&verdicts) == ["the functions that it changes did not begin"], "{verdicts:#?}");
}

const SHOP: (&str, &str) = ("shop.py", "def fee(a):\n    return a + 2\n");

/// A project whose tests are loaded with this beside them.
fn with_import(code: &str) -> Project {
    let tests = format!("{code}\nimport shop\n\n\ndef test_fee():\n    assert shop.fee(2) == 4\n");
    Project::of(&[("pyproject.toml", ""), SHOP, ("test_shop.py", &tests), ("data.txt", "one\ntwo\n")])
}

#[test]
fn what_children_would_share_makes_every_trial_cold() {
    let cases = [
        ("import threading, time\nthreading.Thread(target=time.sleep, args=(3,), daemon=True).start()", "a thread"),
        ("import socket\nPAIR = socket.socketpair()", "a socket"),
        ("import subprocess\nCHILD = subprocess.Popen(['sleep', '30'])", "a process"),
        ("DATA = open('data.txt')", "the file"),
        ("import select\nEVENTS = select.epoll()", "an event loop"),
    ];
    for (code, why) in cases {
        let verdicts = both(&with_import(code), "test-venv", &["shop.py"]);
        let reasons = reasons(&verdicts);
        assert!(warm(&verdicts) == 0 && reasons.iter().all(|reason| reason.contains(why)), "{code}: {reasons:?}");
    }
}

#[test]
fn tests_that_change_files_of_the_project_do_not_see_each_others_changes() {
    let write = "def test_data():\n    with open('data.txt') as file:\n        assert file.read() == 'one\\ntwo\\n'\n    \
                 with open('data.txt', 'w') as file:\n        file.write(str(shop.fee(1)))\n    assert shop.fee(1) == 3\n";
    let project = with_import("");
    project.write("test_data.py", format!("import shop\n\n\n{write}"));
    let verdicts = both(&project, "test-venv", &["shop.py"]);
    assert_eq!(reasons(&verdicts), ["a test has changed data.txt"], "{verdicts:#?}");
}

#[test]
fn new_files_of_a_test_are_gone_when_the_next_one_comes() {
    let write = "import os\nimport shop\n\n\ndef test_new():\n    assert not os.path.exists('new') and not os.path.exists('made.txt')\n    \
                 os.makedirs('new/er')\n    open('new/er/file', 'w').close()\n    open('made.txt', 'w').close()\n    assert shop.fee(1) == 3\n";
    let project = with_import("");
    project.write("test_new.py", write);
    let verdicts = both(&project, "test-venv", &["shop.py"]);
    assert!(warm(&verdicts) > 0, "{verdicts:#?}");
}

/// In company the second test finds what the first has computed; only alone it runs the sum.
#[test]
fn a_test_that_reaches_a_mutant_only_alone_is_asked_too() {
    let code = |n| format!("\n\ndef rate_{n}():\n    if {n} not in KNOWN:\n        KNOWN[{n}] = {n} + 4\n    return KNOWN[{n}]\n");
    let tests = |n| {
        format!(
            "\n\ndef test_runs_{n}():\n    rates.rate_{n}()\n\n\ndef test_looks_{n}():\n    assert rates.rate_{n}() == {n} + 4\n"
        )
    };
    let text = |part: &dyn Fn(usize) -> String| (1..10).map(part).collect::<String>();
    let code = format!("KNOWN = {{}}\n{}", text(&code));
    let tests = format!("import rates\n{}", text(&tests));
    let project = Project::of(&[("pyproject.toml", ""), ("rates.py", &code), ("test_rates.py", &tests)]);
    let verdicts = both(&project, "test-venv", &["rates.py"]);
    let sums: Vec<_> = verdicts.iter().filter(|(place, _)| place.ends_with(" -")).map(|(_, verdict)| verdict).collect();
    assert_eq!(sums.len(), 9);
    assert!(sums.iter().all(|(status, _, path, _)| status == "Killed" && path == "warm"), "{verdicts:#?}");
}

/// What a trial has emptied must not be missing in the next one, which is another tree then.
#[test]
fn a_folder_that_a_test_empties_is_whole_again_for_the_next_mutant() {
    let test = "import os\nimport shutil\nimport shop\n\n\ndef test_folder():\n    assert os.path.exists('data/one.txt') and shop.fee(1) == 3\n    \
                shutil.rmtree('data')\n    os.mkdir('data')\n";
    let project = with_import("");
    project.write("data/one.txt", "one");
    project.write("test_folder.py", test);
    project.write("shop.py", "def fee(a):\n    if a > 100:\n        a += 0\n    return a + 2\n");
    let path = python::path_with(&python::environment("test-venv"));
    // One worker: each trial follows another one.
    let run =
        Run::of(&project).env("PATH", path).args(["--output-format", "json", "--jobs", "1", "--scratch", "overlay", "shop.py"]);
    let verdicts = verdicts(&run.finish());
    assert!(verdicts.values().any(|(status, ..)| status == "Survived"), "{verdicts:#?}");
    assert_eq!(reasons(&verdicts), ["a test has changed data/one.txt"], "{verdicts:#?}");
}

/// Code that was taken out of a function before the mutant came is not the mutant's: a warm trial does not see that, the audit does.
#[test]
fn a_wrong_warm_verdict_is_found_and_takes_its_file_back_to_cold() {
    let code = "def fee(a):\n    return a + 2\n\n\ndef total(a):\n    return a * 3\n";
    let tests = "import types\nimport shop\n\nCODE = shop.fee.__code__\n\n\ndef test_fee():\n    shop.fee(1)\n    \
                 assert types.FunctionType(CODE, vars(shop))(1) == 3\n\n\ndef test_total():\n    assert shop.total(2) == 6\n";
    let project = Project::of(&[("pyproject.toml", ""), ("shop.py", code), ("test_shop.py", tests)]);
    let warm = finished(&project, "test-venv", &["shop.py"]).report();
    let cold = finished(&project, "test-venv", &["shop.py", "--cold"]).report();
    let own = &warm["config"]["mutate"];
    assert!(own["audit"]["wrong"].as_u64().is_some_and(|wrong| wrong > 0), "{own}");
    assert!(own["notices"].to_string().contains("were wrong, so the mutants of shop.py were tried in new ones"), "{own}");
    let statuses = |report: &Value| -> Vec<String> {
        let mutants = report["files"]["shop.py"]["mutants"].as_array().expect("mutants");
        mutants.iter().map(|mutant| mutant["status"].to_string()).collect()
    };
    assert_eq!(statuses(&warm), statuses(&cold));
}

#[test]
fn what_only_a_mutant_destroys_is_there_for_the_next_one() {
    let test = "import os\nimport shop\n\n\ndef test_data():\n    assert os.path.exists('data.txt')\n    if shop.fee(1) != 3:\n        \
                os.remove('data.txt')\n    shop.fee(2)\n";
    let project = with_import("");
    project.write("test_data.py", test);
    project.write("test_shop.py", "import shop\n\n\ndef test_late():\n    assert shop.fee(2) is not None\n");
    let path = python::path_with(&python::environment("test-venv"));
    let run = |more: &[&str]| {
        let run = Run::of(&project).env("PATH", &path).args([
            "--output-format",
            "json",
            "--jobs",
            "1",
            "--scratch",
            "overlay",
            "shop.py",
        ]);
        verdicts(&run.args(more.iter().copied()).finish())
    };
    let (warmly, coldly) = (run(&[]), run(&["--cold"]));
    let statuses = |verdicts: &Verdicts| verdicts.values().map(|(status, ..)| status.clone()).collect::<Vec<_>>();
    assert_eq!(statuses(&warmly), statuses(&coldly));
    assert!(warm(&warmly) == warmly.len() && statuses(&warmly).iter().any(|status| status == "Survived"), "{warmly:#?}");
}

/// Passes on the original, minds probes, and fails on every other text once and never again.
const FAILS_ONCE: &str = r#"
import hashlib
import os
import pathlib
import shop

ORIGINAL = "def price(count):\n    return count * 5\n\n\ndef stock(count):\n    return count - 1\n"


def test_price():
    assert shop.price(2) == 10


def test_text():
    text = pathlib.Path(shop.__file__).read_text()
    assert "_mu_" not in text
    if text != ORIGINAL:
        seen = pathlib.Path(os.environ["SEEN"], hashlib.sha256(text.encode()).hexdigest())
        first = not seen.exists()
        seen.touch()
        assert not first
"#;

#[test]
fn a_test_whose_reach_is_not_known_kills_only_what_it_fails_on_every_time() {
    let original = "def price(count):\n    return count * 5\n\n\ndef stock(count):\n    return count - 1\n";
    for way in [&["--cold"][..], &[]] {
        let project = Project::of(&[("shop.py", original), ("tests/test_shop.py", FAILS_ONCE), ("conftest.py", "")]);
        let seen = project.beside().join("seen");
        std::fs::create_dir(&seen).expect("a folder");
        let path = python::path_with(&python::environment("test-venv"));
        let run = Run::of(&project).env("PATH", path).env("SEEN", &seen).args(["shop.py", "--output-format", "json"]);
        let finished = run.args(way.iter().copied()).finish();
        let report = finished.report();
        let mutants = report["files"]["shop.py"]["mutants"].as_array().expect("mutants");
        let status = |line: u64| -> Vec<&str> {
            let of_line = mutants.iter().filter(|mutant| mutant["location"]["start"]["line"] == line);
            of_line.map(|mutant| mutant["status"].as_str().expect("a status")).collect()
        };
        assert!(!status(2).is_empty() && status(2).iter().all(|status| *status == "Killed"), "{finished}");
        assert!(!status(6).is_empty() && status(6).iter().all(|status| *status == "RuntimeError"), "{finished}");
        assert!(!mutants.iter().any(|mutant| mutant["killedBy"].to_string().contains("test_text")), "{finished}");
    }
}
