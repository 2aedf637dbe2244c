//! Recorded reports of many versions: the facts are the same whatever the version.

use std::fs;
use std::path::{Path, PathBuf};

use mutate::runner::report::parse;
use mutate::scratch::process::Exit;
use mutate::suite::TestRun;

use crate::scene::Told;

/// All recordings whose name starts so. At least as many as are known, so that none can get lost.
fn recordings(start: &str, known: usize) -> Vec<(PathBuf, Told)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/recordings");
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let recorded = |file: &PathBuf| {
        let name = file.file_name().unwrap().to_str().unwrap();
        name.starts_with(start) && name.ends_with(".jsonl")
    };
    let found: Vec<_> =
        files.filter(recorded).map(|file| (file.clone(), told(parse(&fs::read(&file).unwrap()).unwrap()))).collect();
    assert!(found.len() >= known, "only {} recordings of {start}", found.len());
    found
}

fn told(run: TestRun) -> Told {
    Told { run, ended: crate::scene::ended(Exit::Code(1)) }
}

#[test]
fn every_pytest_tells_the_same_facts() {
    for (file, told) in recordings("pytest-suite", 4) {
        assert_eq!(
            told.lines(),
            [
                "test_shop.py::test_total[a b > \"c\" [d] \\xe9 \\x00] passed",
                "test_shop.py::test_wrong_total failed AssertionError",
                "test_shop.py::test_with_fixture passed",
                "test_shop.py::test_broken_set_up failed KeyError",
                "test_shop.py::test_skipped skipped",
                "test_shop.py::test_expected_failure passed",
                "test_shop.py::test_strict_surprise failed XPASS(strict)",
                "test_shop.py::CaseTest::test_case failed AssertionError",
            ],
            "{file:?}"
        );
        told.is_finished();
        assert_eq!(told.while_loading(), [1], "{file:?}");
        assert_eq!(told.reached("test_shop.py::test_wrong_total"), [2, 3], "{file:?}");
        assert_eq!(told.reached("test_shop.py::test_with_fixture"), [2, 3], "{file:?}");
        assert_eq!(told.run.reach.by_test.len(), 3, "{file:?}: {:?}", told.run.reach);
    }
}

#[test]
fn every_pytest_names_the_file_that_does_not_load() {
    for (file, told) in recordings("pytest-broken", 4) {
        let (id, failure) = told.load_failure();
        assert_eq!((id, failure.kind.as_str()), ("test_shop.py", "SyntaxError"), "{file:?}");
        assert_eq!(failure.file.as_deref(), Some("/project/shop.py"), "{file:?}");
        told.is_finished().has_lines(&[]);
    }
}

#[test]
fn unittest_of_every_python_tells_the_same_facts() {
    for (file, told) in recordings("unittest", 3) {
        assert_eq!(
            told.lines(),
            [
                "test_shop.AsyncTest.test_async passed",
                "test_shop.BrokenTest.test_one failed OSError",
                "test_shop.ShopTest.test_a_total passed",
                "test_shop.ShopTest.test_b_wrong failed AssertionError",
                "test_shop.ShopTest.test_c_parts failed AssertionError",
                "test_shop.ShopTest.test_d_expected passed",
                "test_shop.ShopTest.test_e_skipped skipped",
            ],
            "{file:?}"
        );
        told.is_finished();
        let (id, failure) = told.load_failure();
        assert_eq!((id, failure.kind.as_str()), ("test_broken", "ModuleNotFoundError"), "{file:?}");
        assert_eq!(told.while_loading(), [1], "{file:?}");
        assert_eq!(told.reached("test_shop.ShopTest.test_e_skipped"), [2, 3], "{file:?}: set-up of its class");
        assert_eq!(told.run.reach.by_test.len(), 6, "{file:?}: {:?}", told.run.reach);
    }
}

#[test]
fn a_recording_cut_anywhere_is_read_up_to_the_cut() {
    let (file, whole) = recordings("pytest-suite", 4).remove(0);
    let bytes = fs::read(file).unwrap();
    for end in 0..bytes.len() {
        let run = parse(&bytes[..end]).unwrap();
        assert!(!run.finished, "cut at {end}");
        assert!(whole.run.results.starts_with(&run.results), "cut at {end}");
    }
}
