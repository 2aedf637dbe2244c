//! JUnit, on real builds: by the build tool, and without it.

use std::fs;
use std::path::{Path, PathBuf};

use crate::scene::{Told, spawn};
use mutate::runner::{self, Request, Runner, Settings};
use mutate::scratch::process::Ended;
use mutate::suite::{TestId, TestRun, TestSelection};

/// A tiny project and one runner for all its runs: what the first one learns decides how the others are made.
struct Scene {
    _folder: tempfile::TempDir,
    root: PathBuf,
    runner: Box<dyn Runner>,
}

#[derive(Default)]
struct Asked<'a> {
    only: Option<&'a [&'a str]>,
    bail: bool,
    reach: bool,
}

impl Scene {
    fn new(files: &[(&str, &str)]) -> Scene {
        Scene::with(Settings::default(), files)
    }

    fn with(settings: Settings, files: &[(&str, &str)]) -> Scene {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap().join("project");
        files.iter().for_each(|(path, text)| write(&root, path, text));
        let runner = runner::choose(&settings, &root, "jvm").unwrap();
        Scene { _folder: folder, root, runner }
    }

    /// A Maven project with JUnit 5.
    fn maven(files: &[(&str, &str)]) -> Scene {
        Scene::new(&[&[("pom.xml", POM)], files].concat())
    }

    fn write(&self, path: &str, text: &str) {
        write(&self.root, path, text);
    }

    fn all(&self) -> Told {
        self.run(Asked::default())
    }

    fn only(&self, tests: &[&str]) -> Told {
        self.run(Asked { only: Some(tests), ..Asked::default() })
    }

    fn run(&self, asked: Asked) -> Told {
        let (run, ended, log) = self.try_run(asked);
        match run {
            Ok(run) => Told { run, ended },
            Err(error) => panic!("{error}\n{ended:#?}\n{log}"),
        }
    }

    fn try_run(&self, asked: Asked) -> (mutate::error::Result<TestRun>, Ended, String) {
        let selection = match asked.only {
            None => TestSelection::All,
            Some(tests) => TestSelection::Only(tests.iter().map(|test| TestId::new(*test)).collect()),
        };
        let folder = tempfile::tempdir().unwrap();
        let request = Request {
            root: &self.root,
            original_root: &self.root,
            folder: folder.path(),
            selection: &selection,
            bail: asked.bail,
            reach: asked.reach,
        };
        let ended = spawn(&self.runner.command(&request).unwrap(), &[]);
        let log = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap_or_default();
        let logs = [log("build.log"), log("direct/log")].concat();
        (self.runner.read(&request, &ended), ended, logs)
    }
}

fn write(root: &Path, path: &str, text: &str) {
    let path = root.join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

/// With the artifacts that `tests/run` has fetched.
const POM: &str = include_str!("../projects/java-maven/pom.xml");

const CART: &str = r#"package shop;
public class Cart {
    public static final int LIMIT = 100;
    public int total(int a, int b) { return a + b; }
}
"#;

const EVERY_WAY: &str = r#"package shop;
import static org.junit.jupiter.api.Assertions.*;
import org.junit.jupiter.api.*;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import java.util.stream.Stream;
class WaysTest {
    @Test void passes() { assertEquals(3, new Cart().total(1, 2)); }
    @Disabled @Test void disabled() { fail(); }
    @Test void assumes() { Assumptions.assumeTrue(false); }
    @ParameterizedTest @ValueSource(ints = {1, 2}) void cases(int n) { assertEquals(n, new Cart().total(n, 0)); }
    @RepeatedTest(2) void again() { }
    @TestFactory Stream<DynamicTest> made() { return Stream.of(DynamicTest.dynamicTest("x", () -> {})); }
    @Nested class Inner { @Test void nested() { } }
}
"#;

#[test]
fn every_kind_of_test_is_run_without_maven_as_with_it() {
    let scene = Scene::maven(&[("src/main/java/shop/Cart.java", CART), ("src/test/java/shop/WaysTest.java", EVERY_WAY)]);
    let by_maven = scene.all();
    by_maven.is_finished();
    assert_eq!(by_maven.run.notices, Vec::<String>::new());
    let mut lines = by_maven.lines();
    lines.sort();
    assert_eq!(
        lines,
        [
            "shop.WaysTest$Inner::nested() passed",
            "shop.WaysTest::again()[1] passed",
            "shop.WaysTest::again()[2] passed",
            "shop.WaysTest::assumes() skipped",
            "shop.WaysTest::cases(int)[1] passed",
            "shop.WaysTest::cases(int)[2] passed",
            "shop.WaysTest::disabled() skipped",
            "shop.WaysTest::made()[1] passed",
            "shop.WaysTest::passes() passed",
        ]
    );
    let directly = scene.all();
    assert_eq!(directly.is_finished().lines(), by_maven.lines());
    assert!(directly.ended.stdout_tail.is_empty(), "{directly:#?}");
}
