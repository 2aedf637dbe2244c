//! jest: what happened, in every way in which it can.

use crate::scene::{Asked, Scene};
use mutate::scratch::process::Exit;

const VERSIONS: [&str; 2] = ["node-jest29", "node-jest30"];

fn scene(files: &[(&str, &str)]) -> Scene {
    scene_of("node-jest30", files)
}

fn scene_of(packages: &str, files: &[(&str, &str)]) -> Scene {
    let scene = Scene::node("jest", packages, files);
    if !scene.root().join("package.json").exists() {
        scene.write("package.json", "{\"name\": \"shop\"}");
    }
    scene
}

#[test]
fn every_way_a_test_can_end_is_told_apart() {
    for version in VERSIONS {
        let scene = scene_of(
            version,
            &[(
                "a.test.js",
                r#"
test('pass', () => {});
test('fail', () => expect(1).toBe(2));
test.skip('skip', () => {});
test.todo('todo');
test.failing('expected', () => { throw new Error('as told'); });
test.failing('surprise', () => {});
test('throws no error', () => { throw 'a word'; });
test('late', async () => { await null; throw new TypeError('late'); });
test('assertions', () => { expect.assertions(1); });
describe('each', () => { afterEach(() => { throw new RangeError('no end'); }); test('in', () => {}); });
"#,
            )],
        );
        let told = scene.all();
        told.is_finished().has_lines(&[
            "a.test.js::pass passed",
            "a.test.js::fail failed Error",
            "a.test.js::skip skipped",
            "a.test.js::todo skipped",
            "a.test.js::expected passed",
            "a.test.js::surprise failed Error",
            "a.test.js::throws no error failed ",
            "a.test.js::late failed TypeError",
            "a.test.js::assertions failed Error",
            "a.test.js::each > in failed RangeError",
        ]);
        assert!(told.failure("a.test.js::fail").message.starts_with("expect(received).toBe(expected)"), "{told:#?}");
        assert_eq!(told.failure("a.test.js::each > in").message, "in afterEach: no end");
        assert_eq!(told.failure("a.test.js::throws no error").message, "a word");
    }
}

#[test]
fn ids_with_any_character_come_back_and_can_be_selected() {
    let scene = scene(&[(
        "a.test.js",
        r#"
describe.each(['a b', 'x > y'])('%s', () => {
  test.each(['q\'"', '[1]', 'a::b', 'é😀', '\0', 'new\nline', 'back\\slash', '/', '.*', '^$', '\ud800'])('is %s', () => {});
});
test('Case', () => {});
test('case', () => {});
"#,
    )]);
    let all = scene.all();
    let ids: Vec<String> = all.run.results.iter().map(|result| result.id.to_string()).collect();
    assert_eq!(ids.len(), 24, "{all:#?}");
    assert!(ids.contains(&"a.test.js::x > y > is \0".to_owned()), "{ids:?}");
    for id in ids.iter().step_by(5).chain(&ids[22..]) {
        let told = scene.only(&[id]);
        assert_eq!(told.lines(), [format!("{id} passed")], "{told:#?}");
        assert_eq!(told.missing(), Vec::<&str>::new());
    }
}

#[test]
fn tests_of_one_name_are_run_and_told_together() {
    let scene =
        scene(&[("a.test.js", "test('a', () => {});\ntest('a', () => { throw new Error('second'); });\ntest('b', () => {});\n")]);
    scene.only(&["a.test.js::a"]).is_finished().has_lines(&["a.test.js::a failed Error"]);
}

#[test]
fn only_the_selected_tests_run_and_files_in_the_order_of_the_selection() {
    let scene = scene(&[
        ("a.test.js", "test('one', () => {});\ndescribe('g', () => { beforeAll(() => { throw 1; }); test('two', () => {}); });\n"),
        ("b.test.js", "test('three', () => {});\n"),
        ("c.test.js", "throw new Error('not wanted');\n"),
    ]);
    let told = scene.only(&["b.test.js::three", "a.test.js::one"]);
    told.is_finished().has_lines(&["b.test.js::three passed", "a.test.js::one passed"]);
}

#[test]
fn zero_selected_tests_are_zero_results_and_missing_ones_are_named() {
    let scene = scene(&[("a.test.js", "test('a', () => {});\n")]);
    scene.only(&[]).is_finished().has_lines(&[]);
    let told = scene.only(&["a.test.js::gone", "a.test.js::a", "gone.test.js::b"]);
    told.is_finished().has_lines(&["a.test.js::a passed"]);
    assert_eq!(told.missing(), ["a.test.js::gone", "gone.test.js::b"]);
}

#[test]
fn the_first_failure_is_the_last_test() {
    for version in VERSIONS {
        let scene = scene_of(
            version,
            &[
                (
                    "a.test.js",
                    "test('a', () => { throw 1; });\ndescribe('g', () => { beforeAll(() => { throw 2; }); test('b', () => {}); });\n",
                ),
                ("b.test.js", "test('c', () => {});\n"),
            ],
        );
        let told = scene.run(Asked { bail: true, ..Asked::default() });
        told.is_finished().has_lines(&["a.test.js::a failed "]);
    }
}

#[test]
fn a_file_that_does_not_load_is_no_failed_test() {
    let scene = scene(&[
        ("a.test.js", "require('./none');\ntest('a', () => {});\n"),
        ("b.test.js", "require('./shop');\ntest('b', () => {});\n"),
        ("c.test.js", "describe('g', () => { throw new RangeError('no'); });\n"),
        ("d.test.js", "test('d', () => {});\n"),
        ("e.test.js", "const empty = 1;\n"),
        ("shop.js", "module.exports = missing();\n"),
    ]);
    let told = scene.all();
    told.is_finished().has_lines(&["d.test.js::d passed"]);
    let failures: Vec<_> =
        told.run.load_failures.iter().map(|load| (load.id.as_str(), load.failure.kind.as_str(), load.refused)).collect();
    assert_eq!(
        failures,
        [
            ("a.test.js", "Error", false),
            ("b.test.js", "ReferenceError", false),
            ("c.test.js", "RangeError", false),
            ("e.test.js", "Error", false)
        ]
    );
    assert_eq!(
        scene.only(&["a.test.js::a"]).missing(),
        Vec::<&str>::new(),
        "it is no wonder that the tests of a broken file are missing"
    );
}

#[test]
fn a_file_that_is_no_program_is_refused_wherever_it_is_loaded() {
    for (settings, version) in [("{}", "node-jest29"), ("{}", "node-jest30"), ("{\"transform\": {}}", "node-jest30")] {
        let scene = scene_of(
            version,
            &[
                ("package.json", &format!("{{\"jest\": {settings}}}")),
                ("a.test.js", "require('./shop');\ntest('a', () => {});\n"),
                ("b.test.js", "test('b', () => { require('./shop'); });\n"),
                ("c.test.js", "test('c', () => { JSON.parse('{'); });\n"),
                ("shop.js", "module.exports = (;\n"),
            ],
        );
        let shop = scene.root().join("shop.js");
        for test in ["a.test.js::a", "b.test.js::b"] {
            let told = scene.only(&[test]);
            let load = &told.run.load_failures[0];
            assert!(load.refused && load.failure.file.as_deref() == shop.to_str(), "{settings}: {told:#?}");
        }
        let told = scene.only(&["c.test.js::c"]);
        told.has_lines(&["c.test.js::c failed SyntaxError"]);
        assert!(told.run.load_failures.is_empty(), "{told:#?}");
    }
}

#[test]
fn a_type_error_is_refused_as_ts_jest_is_set_up_to_do() {
    let files = |diagnostics: &str| {
        let settings = format!("{{\"jest\": {{\"transform\": {{\"\\\\.ts$\": [\"ts-jest\", {{{diagnostics}}}]}}}}}}");
        let scene = Scene::node("jest", "node-jest30", &[("package.json", &settings)]);
        scene.write(
            "tsconfig.json",
            "{\"compilerOptions\": {\"strict\": true, \"module\": \"commonjs\", \"target\": \"es2022\", \"types\": []}}",
        );
        scene.write("shop.ts", "export const total: number = 'three';\n");
        let test = "declare const test: any, expect: any;\nimport { total } from './shop';\ntest('a', () => expect(total).toBe('three'));\n";
        scene.write("a.test.ts", test);
        scene
    };
    let told = files("").all();
    assert!(told.run.load_failures[0].refused && told.run.load_failures[0].failure.message.contains("TS2322"), "{told:#?}");
    files("\"diagnostics\": false").all().has_lines(&["a.test.ts::a passed"]);
    files("").reach().has_lines(&["a.test.ts::a passed"]);
}

#[test]
fn a_failing_hook_fails_the_tests_that_need_it() {
    for version in VERSIONS {
        let scene = scene_of(
            version,
            &[(
                "a.test.js",
                r#"
describe('before', () => { beforeAll(() => { throw new Error('no start'); }); test('a', () => {}); test('b', () => {}); });
describe('after', () => { afterAll(() => { throw new Error('no end'); }); test('c', () => {}); });
"#,
            )],
        );
        let told = scene.all();
        told.is_finished().has_lines(&[
            "a.test.js::before > a failed Error",
            "a.test.js::before > b failed Error",
            "a.test.js::after > c failed Error",
        ]);
        assert_eq!(told.failure("a.test.js::before > a").message, "in beforeAll: no start");
        assert_eq!(told.failure("a.test.js::after > c").message, "in afterAll: no end");
    }
}

#[test]
fn a_process_that_ends_in_a_test_leaves_it_unfinished() {
    for (how, exit) in [
        ("process.exit(0)", Exit::Code(0)),
        ("process.exit(3)", Exit::Code(3)),
        ("process.kill(process.pid, 'SIGKILL')", Exit::Signal(9)),
    ] {
        let scene = scene(&[("a.test.js", &format!("test('a', async () => {{ {how}; await new Promise(() => {{}}); }});\n"))]);
        let told = scene.all();
        assert_eq!(told.ended.exit, exit, "{told:#?}");
        assert_eq!(told.run.unfinished.as_ref().map(|test| test.as_str()), Some("a.test.js::a"), "{told:#?}");
        assert!(!told.run.finished && told.run.results.is_empty());
    }
}

#[test]
fn a_rejection_that_nobody_handles_is_a_failure() {
    let scene = scene(&[(
        "a.test.js",
        "test('a', async () => { Promise.reject(new TypeError('lost')); await new Promise((next) => setTimeout(next, 20)); });\n",
    )]);
    scene.all().is_finished().has_lines(&["a.test.js::a failed TypeError"]);
}

#[test]
fn retried_tests_are_named_and_run_once() {
    for version in VERSIONS {
        let scene = scene_of(
            version,
            &[("a.test.js", "jest.retryTimes(2);\nlet n = 0;\ntest('a', () => { if (n++ < 1) throw new Error('at first'); });\n")],
        );
        let told = scene.all();
        told.is_finished().has_lines(&["a.test.js::a failed Error"]);
        assert_eq!(told.run.retried.len(), 1, "{told:#?}");
    }
}

#[test]
fn reach_is_told_by_test_and_what_tests_share_belongs_to_all_of_the_file() {
    for version in VERSIONS {
        for environment in ["node", "jsdom"] {
            if (version, environment) == ("node-jest29", "jsdom") {
                continue;
            }
            let shop = "_mu_(1);\nexports.small = () => { _mu_(2); };\nexports.big = () => { _mu_(3); };\nexports.shared = () => { _mu_(4); };\n";
            let test = "const shop = require('./shop');\nbeforeAll(() => shop.shared());\ntest('a', () => shop.small());\n\
                        test.concurrent('b', async () => { shop.big(); });\ntest('c', () => { require('./late'); });\n";
            let settings = format!("{{\"jest\": {{\"testEnvironment\": \"{environment}\", \"setupFiles\": [\"./setup.js\"]}}}}");
            let scene = scene_of(
                version,
                &[
                    ("package.json", &settings),
                    ("setup.js", "_mu_(6);\n"),
                    ("shop.js", shop),
                    ("late.js", "_mu_(5);\n"),
                    ("a.test.js", test),
                    ("b.test.js", "test('d', () => {});\n"),
                ],
            );
            let told = scene.reach();
            told.is_finished().has_lines(&[
                "a.test.js::a passed",
                "a.test.js::b passed",
                "a.test.js::c passed",
                "b.test.js::d passed",
            ]);
            assert_eq!(told.reached("a.test.js::a"), [1, 2, 4, 5, 6], "{version} {environment}");
            assert_eq!(told.reached("a.test.js::b"), [1, 3, 4, 5, 6]);
            assert_eq!(told.reached("b.test.js::d"), [6]);
            assert_eq!(told.while_loading(), Vec::<u32>::new());
        }
    }
}

#[test]
fn what_a_started_process_reaches_counts_for_the_test() {
    let test = "const { execFileSync } = require('child_process');\ntest('a', () => { execFileSync('node', ['cli.js']); });\n\
                test('b', () => { execFileSync(process.execPath, ['cli.js'], { env: {} }); });\ntest('c', () => {});\n";
    let scene = scene(&[("a.test.js", test)]);
    let told = scene.reach_woven(&[("cli.js", "_mu_(7);\n")]);
    told.is_finished();
    assert_eq!(told.reached("a.test.js::a"), [7], "{told:#?}");
    assert_eq!(told.reached("a.test.js::b"), [7], "{told:#?}");
    assert_eq!(told.reached("a.test.js::c"), Vec::<u32>::new());
}

#[test]
fn the_projects_settings_stay_and_what_changes_verdicts_does_not() {
    let settings = "{\"scripts\": {\"test\": \"jest -c other.js --coverage --watch --ci=false\"}}";
    let other = "module.exports = { testMatch: ['**/*.check.js'], collectCoverage: true, coverageThreshold: { global: { lines: 100 } }, \
                 randomize: true, bail: 3, verbose: true, reporters: ['default'] };\n";
    let check = "test('a', () => { expect(1).toMatchSnapshot(); });\ntest('b', () => {});\n";
    let scene = scene(&[("package.json", settings), ("other.js", other), ("a.check.js", check), ("b.test.js", "throw 1;\n")]);
    let told = scene.all();
    told.is_finished().has_lines(&["a.check.js::a failed Error", "a.check.js::b passed"]);
    assert!(!scene.root().join("__snapshots__").exists() && !scene.root().join("coverage").exists());
}

#[test]
fn modules_of_javascript_are_run_as_the_script_says() {
    let settings = "{\"type\": \"module\", \"scripts\": {\"test\": \"NODE_OPTIONS=--experimental-vm-modules jest\"}, \"jest\": {\"transform\": {}}}";
    for version in VERSIONS {
        let test = "import { jest } from '@jest/globals';\nimport { one } from './shop.js';\ntest('a', () => { one(); });\ntest('b', async () => { await import('./late.js'); });\n";
        let scene = scene_of(
            version,
            &[
                ("package.json", settings),
                ("shop.js", "_mu_(1);\nexport const one = () => { _mu_(2); };\n"),
                ("late.js", "_mu_(3);\nexport const late = 1;\n"),
                ("a.test.js", test),
            ],
        );
        let told = scene.reach();
        told.is_finished().has_lines(&["a.test.js::a passed", "a.test.js::b passed"]);
        assert_eq!(told.reached("a.test.js::a"), [1, 2, 3], "{told:#?}");
        scene.write("shop.js", "export const one = (;\n");
        let told = scene.all();
        assert!(told.run.load_failures[0].refused, "{told:#?}");
    }
}

#[test]
fn projects_of_other_runners_are_left_out_by_name() {
    let settings = "{\"jest\": {\"projects\": [{\"displayName\": \"unit\", \"testMatch\": [\"**/*.test.js\"]}, \
                    {\"displayName\": \"lint\", \"runner\": \"<rootDir>/lint.js\", \"testMatch\": [\"**/*.js\"]}]}}";
    let scene =
        scene(&[("package.json", settings), ("lint.js", "module.exports = class {};\n"), ("a.test.js", "test('a', () => {});\n")]);
    let told = scene.all();
    told.is_finished().has_lines(&["a.test.js::a passed"]).is_noticed("left out: the tests of lint, whose runner is");
}

#[test]
fn code_that_comes_from_the_original_is_named_when_a_copy_is_tested() {
    let scene = scene(&[("shop.js", "exports.one = 1;\n")]);
    scene.write("a.test.js", &format!("require({:?});\ntest('a', () => {{}});\n", scene.root().join("shop.js")));
    let shop = scene.root().join("shop.js");
    assert_eq!(scene.copied().all().run.outside, [shop.to_str().unwrap()]);
}

#[test]
fn a_missing_jest_says_how_to_install_what_the_project_asks_for() {
    let mut scene =
        Scene::new("jest", &[("package.json", "{\"devDependencies\": {\"jest\": \"30\"}}"), ("package-lock.json", "{}")]);
    scene.settings.python = None;
    let error = mutate::runner::choose(&scene.settings, scene.root(), "node").err().unwrap();
    assert_eq!(error.kind, mutate::error::Kind::Environment);
    assert_eq!((error.cause.as_deref(), error.mend.as_deref()), (Some("there is no node_modules folder"), Some("run `npm ci`")));
}

#[test]
fn a_configuration_that_does_not_load_is_told_without_the_insides_of_jest() {
    let scene = scene(&[("jest.config.js", "throw new Error('no such thing');\n"), ("a.test.js", "test('a', () => {});\n")]);
    let error = scene.try_run(Asked::default()).0.unwrap_err();
    assert_eq!(error.kind, mutate::error::Kind::Environment);
    let text = error.to_string();
    assert!(text.contains("no such thing") && text.contains("`npm test`") && !text.contains("    at "), "{text}");
}
