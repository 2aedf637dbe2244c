//! Mocha, the pinned version and an old one.

use mutate::scratch::process::Exit;

use crate::scene::{Asked, Scene};

fn scene(files: &[(&str, &str)]) -> Scene {
    let scene = Scene::node("mocha", "node-mocha", files);
    if !files.iter().any(|(path, _)| *path == "package.json") {
        scene.write("package.json", r#"{"devDependencies": {"mocha": "12"}, "scripts": {"test": "mocha"}}"#);
    }
    scene
}

fn one(text: &str) -> Scene {
    scene(&[("test/a.js", text)])
}

const NAMES: &str = r#"
const assert = require('assert');
describe('a > "b" \' (x|y)*', () => {
  it('nul \0 and\nline', () => {});
  for (const n of [1, 2]) it('same', () => { assert.notEqual(n, 3); });
  describe('inner', () => { it('$1 \\ é', () => {}); });
});
it('at the top', () => {});
"#;
const NAMED: [&str; 5] = [
    "test/a.js::at the top",
    "test/a.js::a > \"b\" ' (x|y)* > nul \0 and\nline",
    "test/a.js::a > \"b\" ' (x|y)* > same",
    "test/a.js::a > \"b\" ' (x|y)* > same [2]",
    "test/a.js::a > \"b\" ' (x|y)* > inner > $1 \\ é",
];

fn passed(ids: &[&str]) -> Vec<String> {
    ids.iter().map(|id| format!("{id} passed")).collect()
}

#[test]
fn every_test_has_a_name_of_its_own_and_is_selected_by_it_alone() {
    let scene = one(NAMES);
    assert_eq!(scene.all().is_finished().lines(), passed(&NAMED));
    for id in NAMED {
        assert_eq!(scene.only(&[id]).is_finished().lines(), passed(&[id]));
    }
    assert_eq!(scene.only(&NAMED[2..4]).is_finished().lines(), passed(&NAMED[2..4]));
}

#[test]
fn an_old_version_tells_the_same() {
    let scene = one(NAMES);
    let packages = std::fs::read_link(scene.root().join("node_modules")).unwrap();
    std::fs::remove_file(scene.root().join("node_modules")).unwrap();
    std::fs::create_dir(scene.root().join("node_modules")).unwrap();
    std::os::unix::fs::symlink(packages.join("mocha-10"), scene.root().join("node_modules/mocha")).unwrap();
    assert!(scene.runner().version().starts_with("mocha 10.8.2, Node.js "), "{}", scene.runner().version());
    assert_eq!(scene.all().is_finished().lines(), passed(&NAMED));
    assert_eq!(scene.only(&NAMED[3..4]).is_finished().lines(), passed(&NAMED[3..4]));
}

#[test]
fn a_selection_that_matches_nothing_exits_0_and_says_what_is_missing() {
    let told = one(NAMES).only(&["test/a.js::gone"]);
    assert_eq!((told.ended.exit.clone(), told.missing()), (Exit::Code(0), vec!["test/a.js::gone"]));
    told.is_finished().has_lines(&[]);
}

#[test]
fn skipped_and_pending_tests_are_no_passes_and_only_is_respected() {
    one("it.skip('a', () => {}); it('b'); it('c', function () { this.skip(); }); it('d', () => {});")
        .all()
        .is_finished()
        .has_lines(&["test/a.js::a skipped", "test/a.js::b skipped", "test/a.js::c skipped", "test/a.js::d passed"]);
    one("it.only('a', () => {}); it('b', () => {});").all().is_finished().has_lines(&["test/a.js::a passed"]);
}

#[test]
fn the_first_failure_ends_the_run_even_if_something_is_left_open() {
    let text = "setInterval(() => {}, 1000);\nit('a', () => { throw new TypeError('no'); });\nit('b', () => {});\n";
    let scene = one(text);
    let told = scene.run(Asked { bail: true, ..Asked::default() });
    told.is_finished().has_lines(&["test/a.js::a failed TypeError"]);
    assert_eq!(told.failure("test/a.js::a").message, "no");
}

#[test]
fn a_failing_hook_fails_a_test_that_needs_it() {
    let group = |hook: &str| {
        format!("describe('g', () => {{ {hook}(() => {{ throw new Error('no'); }}); it('a', () => {{}}); it('b', () => {{}}); }});")
    };
    for (hook, told_by, phase) in [
        ("before", "a", "before all"),
        ("beforeEach", "a", "before each"),
        ("afterEach", "a", "after each"),
        ("after", "b", "after all"),
    ] {
        let told = one(&group(hook)).all();
        assert_eq!(told.failure(&format!("test/a.js::g > {told_by}")).message, format!("in {phase}: no"), "{hook}");
    }
}

#[test]
fn a_file_that_throws_while_it_loads_is_named_with_its_error() {
    let scene = scene(&[("test/a.js", "it('a', () => {});"), ("test/b.js", "throw new RangeError('no');")]);
    let told = scene.all();
    let (id, failure) = told.load_failure();
    assert_eq!((id, failure.kind.as_str(), failure.message.as_str()), ("test/b.js", "RangeError", "no"));
    assert!(!told.run.finished && told.run.results.is_empty());
}

#[test]
fn a_file_that_is_no_program_is_named_in_both_kinds_of_modules() {
    let files: [(&str, &str, &str, &str); 2] = [
        ("test/a.js", "require('../lib.js'); it('a', () => {});", "lib.js", "let x = ;\n"),
        ("test/a.mjs", "import '../lib.mjs'; it('a', () => {});", "lib.mjs", "let x = ;\n"),
    ];
    for (test, text, file, broken) in files {
        let scene = scene(&[(test, text), (file, broken)]);
        let told = scene.all();
        let (id, failure) = told.load_failure();
        assert_eq!((id, failure.kind.as_str()), (test, "SyntaxError"), "{failure:?}");
        assert_eq!(failure.file.as_deref(), scene.root().join(file).to_str());
    }
}

#[test]
fn a_syntax_error_that_code_throws_is_not_taken_for_a_broken_program() {
    let told = scene(&[("test/a.js", "JSON.parse('{');")]).all();
    assert_eq!(told.load_failure().1.file, None);
}

#[test]
fn what_is_required_first_and_does_not_load_is_a_load_failure() {
    let scene = scene(&[("test/a.js", "it('a', () => {});"), (".mocharc.json", r#"{"require": ["./setup.js"]}"#)]);
    scene.write("setup.js", "throw new Error('no set-up');");
    let told = scene.all();
    assert_eq!((told.load_failure().0, told.load_failure().1.message.as_str()), ("mocha", "no set-up"));
}

#[test]
fn a_process_that_ends_itself_in_a_test_leaves_it_unfinished() {
    for (code, exit) in [(0, Exit::Code(0)), (3, Exit::Code(3))] {
        let told = one(&format!("it('a', () => {{ process.exit({code}); }});")).all();
        assert_eq!(told.ended.exit, exit);
        assert!(!told.run.finished);
        assert_eq!(told.run.unfinished.as_ref().map(|test| test.as_str()), Some("test/a.js::a"));
    }
}

#[test]
fn what_is_thrown_after_the_last_test_is_no_end_in_good_order() {
    let told = one("it('a', () => { setTimeout(() => { throw new Error('late'); }, 50); });").all();
    told.has_lines(&["test/a.js::a passed"]);
    assert!(!told.run.finished);
}

#[test]
fn an_error_that_nobody_catches_fails_the_test_that_runs() {
    let told = one("it('a', (done) => { setTimeout(() => { throw new Error('late'); }, 1); });").all();
    told.is_finished().has_lines(&["test/a.js::a failed Error"]);
}

#[test]
fn the_configuration_of_the_project_counts_and_its_extras_do_not() {
    let config = r#"{"spec": ["spec/**/*.js"], "parallel": true, "watch": true, "bail": true, "forbidOnly": true, "forbidPending": true,
        "reporter": "json", "dryRun": true, "timeout": 100}"#;
    let scene = scene(&[
        ("spec/a.js", "it('a', () => { throw new Error('x'); }); it('b'); it('c', () => {});"),
        ("spec/b.js", "it.skip('d', () => {}); it('slow', () => new Promise((done) => setTimeout(done, 5000)));"),
        ("test/c.js", "it('not meant', () => {});"),
        (".mocharc.json", config),
    ]);
    scene.all().is_finished().has_lines(&[
        "spec/a.js::a failed Error",
        "spec/a.js::b skipped",
        "spec/a.js::c passed",
        "spec/b.js::d skipped",
        "spec/b.js::slow failed Error",
    ]);
}

#[test]
fn the_test_script_of_the_project_counts_too() {
    let package = r#"{"scripts": {"test": "npm run lint && c8 npm run unit", "lint": "true",
        "unit": "WORD=yes mocha --reporter dot --parallel --require ./setup.js 'spec/*.js'"}}"#;
    let scene = scene(&[
        ("package.json", package),
        ("setup.js", "global.ready = true;"),
        ("spec/a.js", "it('a', () => { if (!ready || process.env.WORD !== 'yes') throw new Error(); });"),
    ]);
    scene.all().is_finished().has_lines(&["spec/a.js::a passed"]);
}

#[test]
fn retries_of_the_project_stay_and_are_told() {
    let text = "let n = 0; describe('g', function () { this.retries(2); it('a', () => { if (n++ < 1) throw new Error('first'); }); \
                it('b', () => { throw new Error('always'); }); });";
    let told = one(text).all();
    told.is_finished().has_lines(&["test/a.js::g > a passed", "test/a.js::g > b failed Error"]);
    assert_eq!(told.run.retried.iter().map(|test| test.as_str()).collect::<std::collections::BTreeSet<_>>().len(), 2);
}

#[test]
fn named_files_and_deselected_tests_decide_what_runs() {
    let mut scene = scene(&[
        ("test/a.js", "it('a', () => {}); describe('g', () => { it('b', () => {}); });"),
        ("test/b.js", "it('c', () => {});"),
    ]);
    scene.settings.tests = vec!["test/a.js".into()];
    scene.all().is_finished().has_lines(&["test/a.js::a passed", "test/a.js::g > b passed"]);
    scene.settings.deselect = vec![mutate::suite::TestId::new("test/a.js::g")];
    scene.all().is_finished().has_lines(&["test/a.js::a passed"]);
}

#[test]
fn files_run_in_the_order_that_is_asked_for() {
    let scene = scene(&[
        ("test/a.js", "describe('g', () => { it('a', () => {}); });"),
        ("test/b.js", "describe('g', () => { it('b', () => {}); });"),
    ]);
    scene.only(&["test/b.js::g > b", "test/a.js::g > a"]).has_lines(&["test/b.js::g > b passed", "test/a.js::g > a passed"]);
}

#[test]
fn typescript_runs_as_the_project_says() {
    let scene = scene(&[
        (".mocharc.json", r#"{"spec": ["test/*.ts"], "node-option": ["import=tsx"]}"#),
        ("test/a.ts", "import { two } from '../src/two.ts'; it('a', () => { if (two(1 as number) !== 2) throw new Error(); });"),
        ("src/two.ts", "export const two = (one: number): number => one + one;\n"),
    ]);
    scene.all().is_finished().has_lines(&["test/a.ts::a passed"]);
    scene.write("src/two.ts", "export const two = (one: number): number => ;\n");
    let told = scene.all();
    let (_, failure) = told.load_failure();
    assert_eq!((failure.kind.as_str(), failure.file.as_deref()), ("SyntaxError", scene.root().join("src/two.ts").to_str()));
}

#[test]
fn every_hit_belongs_to_the_tests_that_depend_on_it() {
    let lib = "_mu_(1); exports.f = (n) => _mu_(n);";
    let text = "const { f } = require('../lib.js'); const { execFileSync } = require('child_process');\n\
        describe('g', () => { before(() => { f(2); }); beforeEach(() => { f(3); }); after(() => { f(4); });\n\
          it('a', () => { f(5); }); it('b', async () => { await new Promise((d) => setTimeout(d, 5)); f(6); }); });\n\
        it('c', () => { execFileSync(process.execPath, ['-e', \"require('./lib.js').f(7)\"]); });\n";
    let told = scene(&[("lib.js", lib), ("test/a.js", text)]).reach();
    told.is_finished();
    assert_eq!(told.while_loading(), [1]);
    assert_eq!(told.reached("test/a.js::g > a"), [2, 3, 4, 5]);
    assert_eq!(told.reached("test/a.js::g > b"), [2, 3, 4, 6]);
    assert_eq!(told.reached("test/a.js::c"), [1, 7]);
}

#[test]
fn code_from_the_original_is_named_where_the_tests_run_in_a_copy() {
    let scene = scene(&[("lib.js", "")]);
    let lib = scene.root().join("lib.js");
    scene.write("test/a.js", &format!("require({lib:?}); it('a', () => {{}});"));
    assert_eq!(scene.copied().all().run.outside, [lib.to_str().unwrap()]);
}

#[test]
fn a_missing_framework_says_how_to_install_it() {
    let scene = scene(&[]);
    std::fs::remove_file(scene.root().join("node_modules")).unwrap();
    let error = mutate::runner::choose(&scene.settings, scene.root(), "node").err().unwrap();
    assert_eq!(error.kind, mutate::error::Kind::Environment);
    assert!(error.to_string().contains("npm install"), "{error}");
}

#[test]
fn a_person_can_run_the_same_tests() {
    let scene = one(NAMES);
    let tests = [mutate::suite::TestId::new(NAMED[3]), mutate::suite::TestId::new(NAMED[4])];
    let command = scene.runner().plain_command(scene.root(), &tests[1..]).unwrap();
    assert_eq!(command[..2], ["npx", "mocha"]);
    let out = std::process::Command::new("npx")
        .args(["--no-install", "mocha"])
        .args(&command[2..])
        .current_dir(scene.root())
        .output()
        .unwrap();
    assert!(String::from_utf8_lossy(&out.stdout).contains("1 passing"), "{out:?}");
}
