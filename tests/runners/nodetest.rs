//! The test runner of Node itself, by the Node that is there.

use mutate::error::Kind;
use mutate::scratch::process::Exit;
use mutate::suite::TestId;

use crate::scene::{Asked, Scene};

fn scene(files: &[(&str, &str)]) -> Scene {
    // For tsx; node:test needs no package.
    Scene::node("node-test", "node-mocha", files)
}

const HEAD: &str = "const assert = require('assert'); const test = require('node:test');\n\
                    const { describe, it, before, after, beforeEach, afterEach } = test;\n";

fn one(text: &str) -> Scene {
    let scene = scene(&[]);
    scene.write("a.test.js", &format!("{HEAD}{text}"));
    scene
}

const NAMES: &str = r#"
import test, { describe, it } from 'node:test';
test('at the top', async (t) => { await t.test('a part of it', () => {}); });
describe('a > "b" \' (x|y)*', () => {
  it('nul \0 and\nline', () => {});
  for (const n of [1, 2]) it('same', () => {});
  describe('inner', () => { it('$1 \\ é', () => {}); });
});
test(function named() {});
"#;
const NAMED: [&str; 6] = [
    "a.test.mjs::at the top",
    "a.test.mjs::a > \"b\" ' (x|y)* > nul \0 and\nline",
    "a.test.mjs::a > \"b\" ' (x|y)* > same",
    "a.test.mjs::a > \"b\" ' (x|y)* > same [2]",
    "a.test.mjs::a > \"b\" ' (x|y)* > inner > $1 \\ é",
    "a.test.mjs::named",
];

fn passed(ids: &[&str]) -> Vec<String> {
    ids.iter().map(|id| format!("{id} passed")).collect()
}

#[test]
fn every_test_has_a_name_of_its_own_and_is_selected_by_it_alone() {
    let scene = scene(&[("a.test.mjs", NAMES)]);
    assert_eq!(scene.all().is_finished().lines(), passed(&NAMED));
    for id in NAMED {
        assert_eq!(scene.only(&[id]).is_finished().lines(), passed(&[id]));
    }
    assert_eq!(scene.only(&NAMED[3..5]).is_finished().lines(), passed(&NAMED[3..5]));
}

#[test]
fn a_selection_that_matches_nothing_exits_0_and_says_what_is_missing() {
    let told = scene(&[("a.test.mjs", NAMES)]).only(&["a.test.mjs::gone", "b.test.js::gone"]);
    assert_eq!(told.ended.exit, Exit::Code(0));
    assert_eq!(told.missing(), ["a.test.mjs::gone", "b.test.js::gone"]);
    told.is_finished().has_lines(&[]);
}

#[test]
fn skipped_tests_and_tests_to_do_are_no_passes() {
    let text =
        "it.skip('a', () => {}); it.todo('b', () => { throw new Error(); }); it('c', (t) => { t.skip(); }); it('d', () => {});";
    one(text).all().is_finished().has_lines(&[
        "a.test.js::a skipped",
        "a.test.js::b skipped",
        "a.test.js::c skipped",
        "a.test.js::d passed",
    ]);
}

#[test]
fn only_counts_where_the_script_says_so() {
    let scene = one("it.only('a', () => {}); it('b', () => {});");
    scene.all().is_finished().has_lines(&["a.test.js::a passed", "a.test.js::b passed"]);
    scene.write("package.json", r#"{"scripts": {"test": "node --test --test-only"}}"#);
    assert_eq!(scene.all().is_finished().run.passed().map(TestId::as_str).collect::<Vec<_>>(), ["a.test.js::a"]);
}

#[test]
fn the_first_failure_ends_the_run_even_if_something_is_left_open() {
    let text = "setInterval(() => {}, 1000);\nit('a', () => { throw new TypeError('no'); });\nit('b', () => {});\n";
    let scene = one(text);
    scene.write("b.test.js", &format!("{HEAD}it('c', () => {{}});"));
    let told = scene.run(Asked { bail: true, ..Asked::default() });
    told.is_finished().has_lines(&["a.test.js::a failed TypeError"]);
    assert_eq!(told.failure("a.test.js::a").message, "no");
}

#[test]
fn a_failing_hook_fails_a_test_that_needs_it() {
    let group = |hook: &str| {
        format!("describe('g', () => {{ {hook}(() => {{ throw new Error('no'); }}); it('a', () => {{}}); it('b', () => {{}}); }});")
    };
    for (hook, told_by) in [("before", "a"), ("beforeEach", "a"), ("afterEach", "a"), ("after", "b")] {
        let told = one(&group(hook)).all();
        assert_eq!(told.failure(&format!("a.test.js::g > {told_by}")).message, format!("in {hook}: no"), "{hook}");
    }
}

#[test]
fn a_failing_part_fails_the_test_that_it_belongs_to() {
    let told = one("it('a', async (t) => { await t.test('part', () => { assert.equal(1, 2); }); });").all();
    told.is_finished();
    assert_eq!(told.failure("a.test.js::a").message, "1 subtest failed");
}

#[test]
fn a_test_that_waits_for_what_never_comes_has_failed() {
    let told = one("it('a', () => new Promise(() => {}));").all();
    told.is_finished();
    assert!(told.failure("a.test.js::a").message.contains("event loop"), "{told:?}");
}

#[test]
fn a_file_that_throws_while_it_loads_is_named_with_its_error() {
    let scene = scene(&[("a.test.js", "throw new RangeError('no');"), ("c.test.mjs", "import './gone.mjs';")]);
    scene.write("b.test.js", &format!("{HEAD}it('a', () => {{}}); throw new RangeError('late');"));
    let told = scene.all();
    let failures: Vec<_> = told.run.load_failures.iter().map(|load| (load.id.as_str(), load.failure.kind.as_str())).collect();
    assert_eq!(failures, [("a.test.js", "RangeError"), ("b.test.js", "RangeError"), ("c.test.mjs", "Error")]);
}

#[test]
fn a_group_that_throws_is_a_file_that_does_not_load() {
    let told = one("describe('g', () => { throw new Error('no'); });").all();
    assert_eq!((told.load_failure().0, told.load_failure().1.message.as_str()), ("a.test.js", "no"));
}

#[test]
fn a_file_that_is_no_program_is_named_in_both_kinds_of_modules() {
    let files: [(&str, &str, &str); 2] =
        [("a.test.js", "require('./lib.js');", "lib.js"), ("a.test.mjs", "import './lib.mjs';", "lib.mjs")];
    for (test, text, file) in files {
        let scene = scene(&[(test, text), (file, "let x = ;\n")]);
        let told = scene.all();
        let (id, failure) = told.load_failure();
        assert_eq!((id, failure.kind.as_str()), (test, "SyntaxError"), "{failure:?}");
        assert_eq!(failure.file.as_deref(), scene.root().join(file).to_str());
    }
}

#[test]
fn a_process_that_ends_itself_in_a_test_leaves_it_unfinished() {
    for (code, exit) in [(0, Exit::Code(0)), (3, Exit::Code(3))] {
        let told = one(&format!("it('a', () => {{ process.exit({code}); }}); it('b', () => {{}});")).all();
        assert_eq!((told.ended.exit.clone(), told.run.finished), (exit, false), "{told:?}");
        assert_eq!(told.run.unfinished.as_ref().map(TestId::as_str), Some("a.test.js::a"));
    }
}

#[test]
fn a_process_that_dies_of_a_signal_takes_the_run_with_it() {
    let told = one("it('a', () => { process.kill(process.pid, 'SIGABRT'); while (true); });").all();
    assert_eq!((told.ended.exit.clone(), told.run.finished), (Exit::Signal(6), false));
    assert_eq!(told.run.unfinished.as_ref().map(TestId::as_str), Some("a.test.js::a"));
}

#[test]
fn an_error_that_nobody_catches_fails_the_test_or_the_file() {
    one("it('a', () => new Promise(() => { setTimeout(() => { throw new Error('late'); }, 1); }));")
        .all()
        .has_lines(&["a.test.js::a failed Error"]);
    let told = one("it('a', () => { setTimeout(() => { throw new Error('later'); }, 20); });").all();
    assert_eq!((told.load_failure().0, told.load_failure().1.message.as_str()), ("a.test.js", "later"));
}

#[test]
fn a_file_without_tests_is_one_test() {
    let scene = scene(&[("a.test.js", "_mu_ && _mu_(1);"), ("b.test.js", "process.exitCode = 2;")]);
    let told = scene.reach();
    told.is_finished().has_lines(&["a.test.js::(the whole file) passed"]);
    assert_eq!(told.load_failure().0, "b.test.js");
    assert_eq!(told.reached("a.test.js::(the whole file)"), [1]);
    scene.write("a.test.js", "");
    scene.only(&["a.test.js::(the whole file)"]).is_finished().has_lines(&["a.test.js::(the whole file) passed"]);
}

#[test]
fn the_test_script_of_the_project_counts_and_its_extras_do_not() {
    let script =
        "npm run lint; WORD=yes c8 node --import tsx --test --test-reporter dot --experimental-test-coverage 'spec/**/*.ts'";
    let scene = scene(&[
        ("package.json", &format!(r#"{{"scripts": {{"test": {script:?}, "lint": "true"}}}}"#)),
        (
            "spec/in/a.ts",
            "import { it } from 'node:test'; import { two } from '../../two.ts';\n\
            it('a', () => { if (two(1 as number) !== 2 || process.env.WORD !== 'yes') throw new Error(); });",
        ),
        ("two.ts", "export const two = (one: number): number => one + one;\n"),
        ("b.test.js", "throw new Error('not meant');"),
    ]);
    scene.all().is_finished().has_lines(&["spec/in/a.ts::a passed"]);
    scene.write("two.ts", "export const two = (one: number): number => ;\n");
    let told = scene.all();
    let (_, failure) = told.load_failure();
    assert_eq!((failure.kind.as_str(), failure.file.as_deref()), ("SyntaxError", scene.root().join("two.ts").to_str()));
}

#[test]
fn named_files_and_deselected_tests_decide_what_runs() {
    let mut scene = one("it('a', () => {}); describe('g', () => { it('b', () => {}); });");
    scene.write("b.test.js", "throw new Error('not named');");
    scene.settings.tests = vec!["a.test.js".into()];
    scene.all().is_finished().has_lines(&["a.test.js::a passed", "a.test.js::g > b passed"]);
    scene.settings.deselect = vec![TestId::new("a.test.js::g")];
    scene.all().is_finished().has_lines(&["a.test.js::a passed"]);
}

#[test]
fn every_hit_belongs_to_the_tests_that_depend_on_it() {
    let lib = "_mu_(1); exports.f = (n) => _mu_(n);";
    let text = "const { f } = require('./lib.js'); const { execFileSync } = require('child_process');\n\
        describe('g', { concurrency: true }, () => { before(() => { f(2); }); beforeEach(() => { f(3); });\n\
          it('a', async (t) => { await t.test('part', () => { f(5); }); });\n\
          it('b', async () => { await new Promise((d) => setTimeout(d, 5)); f(6); }); });\n\
        it('c', () => { execFileSync(process.execPath, ['-e', \"require('./lib.js').f(7)\"]); });\n";
    let scene = one(text);
    scene.write("lib.js", lib);
    scene.write("b.test.js", &format!("{HEAD}it('d', () => {{}});"));
    let told = scene.reach();
    told.is_finished();
    assert!(told.while_loading().is_empty());
    assert_eq!(told.reached("a.test.js::g > a"), [1, 2, 3, 5]);
    assert_eq!(told.reached("a.test.js::g > b"), [1, 2, 3, 6]);
    assert_eq!(told.reached("a.test.js::c"), [1, 2, 7]);
    assert!(told.reached("b.test.js::d").is_empty());
}

#[test]
fn tests_that_run_side_by_side_are_all_reported() {
    let text = "describe('g', { concurrency: true }, () => { for (const n of [1, 2]) it('t' + n, async () => {\n\
        await new Promise((d) => setTimeout(d, 30 / n)); if (n === 1) throw new TypeError(); }); });";
    let told = one(text).all();
    let mut lines = told.is_finished().lines();
    lines.sort();
    assert_eq!(lines, ["a.test.js::g > t1 failed TypeError", "a.test.js::g > t2 passed"]);
}

#[test]
fn code_from_the_original_is_named_where_the_tests_run_in_a_copy() {
    let scene = scene(&[("lib.js", "")]);
    let lib = scene.root().join("lib.js");
    scene.write("a.test.js", &format!("{HEAD}require({lib:?}); it('a', () => {{}});"));
    assert_eq!(scene.copied().all().run.outside, [lib.to_str().unwrap()]);
}

#[test]
fn a_project_without_files_of_tests_has_nothing_to_measure() {
    let scene = scene(&[("a.js", "")]);
    let folder = tempfile::tempdir().unwrap();
    let request = mutate::runner::Request {
        root: scene.root(),
        original_root: scene.root(),
        folder: folder.path(),
        selection: &mutate::suite::TestSelection::All,
        bail: false,
        reach: false,
        rounds: 0,
        built: None,
        active: 0,
    };
    assert_eq!(scene.runner().command(&request).err().map(|error| error.kind), Some(Kind::NothingToMeasure));
}

#[test]
fn a_person_can_run_the_same_tests() {
    let scene = scene(&[("a.test.mjs", NAMES)]);
    let command = scene.runner().plain_command(scene.root(), &[TestId::new(NAMED[4])]).unwrap();
    let out = std::process::Command::new(&command[0])
        .args(&command[1..])
        .env_remove("NODE_TEST_CONTEXT")
        .current_dir(scene.root())
        .output()
        .unwrap();
    assert!(out.status.success() && String::from_utf8_lossy(&out.stdout).contains("$1"), "{command:?} {out:?}");
}
