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
            rounds: 0,
            built: None,
            active: 0,
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

#[test]
fn a_test_is_selected_to_the_case_and_no_other_is_told() {
    let scene = Scene::maven(&[("src/main/java/shop/Cart.java", CART), ("src/test/java/shop/WaysTest.java", EVERY_WAY)]);
    let wanted = ["shop.WaysTest$Inner::nested()", "shop.WaysTest::cases(int)[2]", "shop.WaysTest::gone()"];
    // By Maven, and directly.
    for by_maven in [true, false] {
        let told = scene.only(&wanted);
        let mut lines = told.is_finished().lines();
        lines.sort();
        assert_eq!(lines, ["shop.WaysTest$Inner::nested() passed", "shop.WaysTest::cases(int)[2] passed"], "{told:#?}");
        assert_eq!(told.missing(), ["shop.WaysTest::gone()"]);
        if by_maven {
            scene.all().is_finished();
        }
    }
    let nothing = scene.only(&[]);
    assert_eq!((nothing.lines().len(), nothing.run.ran()), (0, 0));
}

const BROKEN_CONSTANT: &str = r#"package shop;
import static org.junit.jupiter.api.Assertions.*;
import org.junit.jupiter.api.*;
class LimitTest {
    @Test void knowsTheLimit() { assertEquals(Cart.LIMIT, Limits.limit()); }
    @Test void isAHundred() { assertEquals(100, Limits.limit()); }
}
"#;

#[test]
fn a_changed_constant_changes_every_class_that_holds_a_copy() {
    let limits = "package shop;\nclass Limits { static int limit() { return Cart.LIMIT; } }\n";
    let scene = Scene::maven(&[
        ("src/main/java/shop/Cart.java", CART),
        ("src/main/java/shop/Limits.java", limits),
        ("src/test/java/shop/LimitTest.java", BROKEN_CONSTANT),
    ]);
    scene.all().is_finished();
    scene.write("src/main/java/shop/Cart.java", &CART.replace("100", "101"));
    let mut lines = scene.all().lines();
    lines.sort();
    assert_eq!(lines, ["shop.LimitTest::isAHundred() failed AssertionFailedError", "shop.LimitTest::knowsTheLimit() passed"]);
}

#[test]
fn what_the_compiler_refuses_is_told_with_its_place() {
    let scene = Scene::maven(&[("src/main/java/shop/Cart.java", CART), ("src/test/java/shop/WaysTest.java", EVERY_WAY)]);
    scene.all().is_finished();
    {
        scene.write("src/main/java/shop/Cart.java", &CART.replace("a + b", "\"text\""));
        let told = scene.all();
        let (id, failure) = told.load_failure();
        assert_eq!(id, "src/main/java/shop/Cart.java:4");
        assert!(failure.message.contains("incompatible types"), "{failure:?}");
        assert!(told.run.load_failures[0].refused && told.run.finished);
        let by_maven = Scene::maven(&[("src/main/java/shop/Cart.java", &CART.replace("a + b", "\"text\""))]).all();
        assert_eq!(by_maven.load_failure().0, id);
        assert!(by_maven.run.load_failures[0].refused);
    }
}

const CLASSES_THAT_FAIL: &str = r#"package shop;
import static org.junit.jupiter.api.Assertions.*;
import org.junit.jupiter.api.*;
class SetUpTest {
    static boolean broken() { return Boolean.getBoolean("x") || new Cart().total(1, 1) != 2; }
    @BeforeAll static void all() { if (broken()) { throw new IllegalStateException("no set-up"); } }
    @Test void a() { }
    @Test void b() { }
}
class LoadsTest {
    static final int TOTAL = SetUpTest.broken() ? 1 / 0 : 1;
    @Test void a() { assertEquals(1, TOTAL); }
}
class ExitTest {
    @Test void a() { if (SetUpTest.broken()) { System.exit(0); } }
}
"#;

#[test]
fn classes_that_cannot_be_set_up_fail_with_all_their_tests_and_an_exit_is_no_pass() {
    let scene = Scene::maven(&[
        ("src/main/java/shop/Cart.java", CART),
        ("src/test/java/shop/SetUpTest.java", CLASSES_THAT_FAIL),
        ("src/test/java/shop/WaysTest.java", EVERY_WAY),
    ]);
    scene.all().is_finished();
    scene.write("src/main/java/shop/Cart.java", &CART.replace("a + b", "a - b"));
    let told = scene.only(&["shop.SetUpTest::a()", "shop.SetUpTest::b()"]);
    told.is_finished();
    assert_eq!(told.lines().len(), 2);
    assert_eq!(told.failure("shop.SetUpTest::b()").message, "in set-up: no set-up");
    let bailed = scene.run(Asked { bail: true, ..Asked::default() });
    assert_eq!(bailed.failure("shop.ExitTest::a()").kind, "Exit");
    assert_eq!(bailed.run.failed().count(), 1, "{bailed:#?}");
}

#[test]
fn reach_is_told_by_test_by_class_and_for_what_is_only_initialised_once() {
    let scene = Scene::maven(&[
        ("src/main/java/shop/Cart.java", CART),
        ("src/test/java/shop/WaysTest.java", EVERY_WAY),
        (
            "src/test/java/shop/ClassTest.java",
            "package shop;\nimport org.junit.jupiter.api.*;\nclass ClassTest {\n    @BeforeAll static void all() { new Cart().total(1, 1); }\n    \
             @Test void a() { }\n    @Test void b() { new Cart(); }\n}\n",
        ),
    ]);
    let woven = CART
        .replace("return", "mutate.Probe.hit(2); return")
        .replace("LIMIT = 100;", "LIMIT = 100; static { mutate.Probe.hit(1); } public Cart() { mutate.Probe.hit(3); }");
    scene.all().is_finished();
    scene.write("src/main/java/shop/Cart.java", &woven);
    let told = scene.run(Asked { reach: true, ..Asked::default() });
    told.is_finished();
    assert_eq!(told.while_loading(), [1]);
    // Whoever comes first initialises the class; that it matters to all is said above.
    assert_eq!(told.reached("shop.WaysTest::assumes()"), Vec::<u32>::new());
    let by_class = told.reached("shop.ClassTest::a()");
    assert!(by_class.ends_with(&[2, 3]), "{by_class:?}");
    assert_eq!(told.reached("shop.WaysTest$Inner::nested()"), Vec::<u32>::new());
}

/// A project of JUnit 4, which has no listener that could be found.
fn junit4(name: &str) -> Scene {
    let project = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/projects").join(name);
    let read = |path: &str| fs::read_to_string(project.join(path)).unwrap();
    let build = if name.contains("gradle") { "build.gradle" } else { "pom.xml" };
    let (source, test) = ("src/main/java/shop/Discount.java", "src/test/java/shop/DiscountTest.java");
    Scene::new(&[(build, &read(build)), (source, &read(source)), (test, &read(test))])
}

fn junit_4_works_with_and_without(name: &str) {
    let scene = junit4(name);
    let by_build = scene.all();
    assert_eq!(by_build.run.notices, Vec::<String>::new());
    let mut lines = by_build.is_finished().lines();
    lines.sort();
    let (discount, none) = ("shop.DiscountTest::aMemberGetsADiscountForALargeTotal", "shop.DiscountTest::anybodyElseGetsNone");
    assert_eq!(lines, [format!("{discount} passed"), format!("{none} passed")]);
    let source = fs::read_to_string(scene.root.join("src/main/java/shop/Discount.java")).unwrap();
    scene.write("src/main/java/shop/Discount.java", &source.replace("> 100", "> 10"));
    assert_eq!(scene.only(&[none]).is_finished().lines(), [format!("{none} failed AssertionError")]);
    assert_eq!(scene.only(&[discount]).is_finished().lines(), [format!("{discount} passed")]);
    scene.write("src/main/java/shop/Discount.java", &source.replace("return 10", "mutate.Probe.hit(7); return 10"));
    let told = scene.run(Asked { reach: true, ..Asked::default() });
    assert_eq!((told.reached(discount), told.reached(none)), (vec![7], vec![]), "{told:#?}");
    // By the build alone.
    let fresh = junit4(name);
    fresh.write("src/main/java/shop/Discount.java", &source.replace("> 100", "> 10"));
    assert_eq!(fresh.only(&[none]).is_finished().lines(), [format!("{none} failed AssertionError")]);
}

#[test]
fn junit_4_is_run_by_maven_and_without_it() {
    junit_4_works_with_and_without("java-maven-junit4");
}

#[test]
fn junit_4_is_run_by_gradle_and_without_it() {
    junit_4_works_with_and_without("java-gradle");
}

#[test]
fn the_first_error_of_the_compiler_is_told_by_gradle() {
    // Gradle 4 writes it behind the name of the task, in the same line.
    let scene = junit4("java-gradle");
    scene.write("src/main/java/shop/Discount.java", "package shop;\nclass Discount { int a = \"one\"; int b = none; }\n");
    let told = scene.all();
    let first = &told.run.load_failures[0];
    assert!(first.refused, "{told:#?}");
    assert_eq!(first.id.as_str(), "src/main/java/shop/Discount.java:2");
    assert!(first.failure.message.contains("incompatible types"), "{first:?}");
}

#[test]
fn a_build_that_lacks_something_says_what_to_do() {
    let pom = POM.replace("5.14.4", "5.0.0-no-such-version");
    let (run, ..) = Scene::new(&[("pom.xml", &pom), ("src/test/java/shop/WaysTest.java", EVERY_WAY)]).try_run(Asked::default());
    let error = run.unwrap_err();
    assert_eq!(error.kind, mutate::error::Kind::Environment);
    assert!(error.to_string().contains("run `mvn test` once"), "{error}");
}

/// Its tests run on the class path: on a module path nothing that we bring in would be found.
#[test]
fn a_java_module_is_tested_by_maven() {
    let scene = Scene::maven(&[
        ("src/main/java/module-info.java", "module shop {\n    exports shop;\n}\n"),
        (
            "src/main/java/shop/Cart.java",
            "package shop;\n\npublic class Cart {\n    public static int twice(int n) {\n        return n * 2;\n    }\n}\n",
        ),
        (
            "src/test/java/shop/CartTest.java",
            "package shop;\n\nimport static org.junit.jupiter.api.Assertions.assertEquals;\n\nimport org.junit.jupiter.api.Test;\n\n\
             class CartTest {\n    @Test\n    void doubles() {\n        assertEquals(4, Cart.twice(2));\n    }\n}\n",
        ),
    ]);
    scene.all().is_finished().has_lines(&["shop.CartTest::doubles() passed"]);
    scene.write(
        "src/main/java/shop/Cart.java",
        "package shop;\n\npublic class Cart {\n    public static int twice(int n) {\n        return n / 2;\n    }\n}\n",
    );
    scene.only(&["shop.CartTest::doubles()"]).has_lines(&["shop.CartTest::doubles() failed AssertionFailedError"]);
}
