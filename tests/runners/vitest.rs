//! vitest: what happened, in every way in which it can.

use crate::scene::{Asked, Scene};

const VERSIONS: [&str; 2] = ["node-vitest3", "node-vitest4"];

fn scene(files: &[(&str, &str)]) -> Scene {
    scene_of("node-vitest4", files)
}

fn scene_of(packages: &str, files: &[(&str, &str)]) -> Scene {
    let scene = Scene::node("vitest", packages, files);
    if !scene.root().join("package.json").exists() {
        scene.write("package.json", "{\"name\": \"shop\", \"type\": \"module\"}");
    }
    scene
}

const IMPORT: &str = "import { test, expect, describe, beforeAll, afterAll, afterEach } from 'vitest';\n";

fn with_import(text: &str) -> String {
    format!("{IMPORT}{text}")
}

#[test]
fn every_way_a_test_can_end_is_told_apart() {
    for version in VERSIONS {
        let text = with_import(
            r#"
test('pass', () => {});
test('fail', () => expect(1).toBe(2));
test.skip('skip', () => {});
test.todo('todo');
test('skips itself', (context) => context.skip());
test.fails('expected', () => { throw new Error('as told'); });
test.fails('surprise', () => {});
test('late', async () => { await null; throw new TypeError('late'); });
test('assertions', () => { expect.assertions(1); });
describe('each', () => { afterEach(() => { throw new RangeError('no end'); }); test('in', () => {}); });
"#,
        );
        let told = scene_of(version, &[("a.test.ts", &text)]).all();
        told.is_finished().has_lines(&[
            "a.test.ts::pass passed",
            "a.test.ts::fail failed AssertionError",
            "a.test.ts::skip skipped",
            "a.test.ts::todo skipped",
            "a.test.ts::skips itself skipped",
            "a.test.ts::expected passed",
            "a.test.ts::surprise failed Error",
            "a.test.ts::late failed TypeError",
            "a.test.ts::assertions failed Error",
            "a.test.ts::each > in failed RangeError",
        ]);
        assert_eq!(told.failure("a.test.ts::fail").message, "expected 1 to be 2 // Object.is equality");
    }
}

#[test]
fn ids_with_any_character_come_back_and_can_be_selected() {
    let text = with_import(
        r#"
describe.each(['a b', 'x > y'])('%s', () => {
  test.each(['q\'"', '[1]', 'a::b', 'é😀', '\0', 'new\nline', 'back\\slash', '/', '.*', '^$'])('is %s', () => {});
});
test('Case', () => {});
test('case', () => {});
"#,
    );
    let scene = scene(&[("a.test.ts", &text)]);
    let all = scene.all();
    let ids: Vec<String> = all.run.results.iter().map(|result| result.id.to_string()).collect();
    assert_eq!(ids.len(), 22, "{all:#?}");
    for id in ids.iter().step_by(5).chain(&ids[20..]) {
        let told = scene.only(&[id]);
        assert_eq!(told.lines(), [format!("{id} passed")], "{told:#?}");
        assert_eq!(told.missing(), Vec::<&str>::new());
    }
}

#[test]
fn only_the_selected_tests_run_and_files_in_the_order_of_the_selection() {
    for version in VERSIONS {
        let scene = scene_of(
            version,
            &[
                (
                    "a.test.ts",
                    &with_import(
                        "test('one', () => {});\ndescribe('g', () => { beforeAll(() => { throw 1; }); test('two', () => {}); });\n",
                    ),
                ),
                ("b.test.ts", &with_import("test('three', () => {});\n")),
                ("c.test.ts", "throw new Error('not wanted');\n"),
            ],
        );
        let told = scene.only(&["b.test.ts::three", "a.test.ts::one"]);
        told.is_finished().has_lines(&["b.test.ts::three passed", "a.test.ts::one passed"]);
    }
}

#[test]
fn zero_selected_tests_are_zero_results_and_missing_ones_are_named() {
    let scene = scene(&[("a.test.ts", &with_import("test('a', () => {});\n"))]);
    scene.only(&[]).is_finished().has_lines(&[]);
    let told = scene.only(&["a.test.ts::gone", "a.test.ts::a", "gone.test.ts::b"]);
    told.is_finished().has_lines(&["a.test.ts::a passed"]);
    assert_eq!(told.missing(), ["a.test.ts::gone", "gone.test.ts::b"]);
}

#[test]
fn the_first_failure_is_the_last_test() {
    for version in VERSIONS {
        let first = "test('a', () => { throw new Error('first'); });\ndescribe('g', () => { beforeAll(() => { throw new Error('hook'); }); test('b', () => {}); });\n";
        let scene = scene_of(version, &[("a.test.ts", &with_import(first)), ("b.test.ts", &with_import("test('c', () => {});\n"))]);
        let told = scene.run(Asked { bail: true, ..Asked::default() });
        told.is_finished().has_lines(&["a.test.ts::a failed Error"]);
    }
}

#[test]
fn a_file_that_does_not_load_is_no_failed_test() {
    for version in VERSIONS {
        let scene = scene_of(
            version,
            &[
                ("a.test.ts", &with_import("import { none } from './none';\ntest('a', () => { none; });\n")),
                ("b.test.ts", &with_import("import { one } from './shop';\ntest('b', () => { one; });\n")),
                ("c.test.ts", &with_import("describe('g', () => { throw new RangeError('no'); });\n")),
                ("d.test.ts", &with_import("test('d', () => {});\n")),
                ("shop.ts", "export const one = missing();\n"),
            ],
        );
        let told = scene.all();
        told.is_finished().has_lines(&["d.test.ts::d passed"]);
        let failures: Vec<_> =
            told.run.load_failures.iter().map(|load| (load.id.as_str(), load.failure.kind.as_str(), load.refused)).collect();
        let expected = [("a.test.ts", "Error", false), ("b.test.ts", "ReferenceError", false), ("c.test.ts", "RangeError", false)];
        assert_eq!(failures, expected);
        assert_eq!(scene.only(&["a.test.ts::a"]).missing(), Vec::<&str>::new());
    }
}

#[test]
fn a_file_that_is_no_program_is_refused_wherever_it_is_loaded() {
    for version in VERSIONS {
        for (shop, text) in [("shop.ts", "export const one: number = (;\n"), ("shop.js", "export const one = (;\n")] {
            let scene = scene_of(
                version,
                &[
                    ("a.test.ts", &with_import(&format!("import {{ one }} from './{shop}';\ntest('a', () => {{ one; }});\n"))),
                    ("b.test.ts", &with_import(&format!("test('b', async () => {{ await import('./{shop}'); }});\n"))),
                    ("c.test.ts", &with_import("test('c', () => { JSON.parse('{'); });\n")),
                    (shop, text),
                ],
            );
            let file = scene.root().join(shop);
            for test in ["a.test.ts::a", "b.test.ts::b"] {
                let told = scene.only(&[test]);
                let load = told.run.load_failures.first().unwrap_or_else(|| panic!("{version} {shop} {told:#?}"));
                assert!(load.refused && load.failure.file.as_deref() == file.to_str(), "{version} {shop} {told:#?}");
            }
            let told = scene.only(&["c.test.ts::c"]);
            told.has_lines(&["c.test.ts::c failed SyntaxError"]);
            assert!(told.run.load_failures.is_empty(), "{told:#?}");
        }
    }
}

#[test]
fn a_failing_hook_fails_the_tests_that_need_it() {
    for version in VERSIONS {
        let text = with_import(
            "describe('before', () => { beforeAll(() => { throw new Error('no start'); }); test('a', () => {}); test('b', () => {}); });\n\
             describe('after', () => { afterAll(() => { throw new Error('no end'); }); test('c', () => {}); });\n",
        );
        let told = scene_of(version, &[("a.test.ts", &text)]).all();
        told.is_finished();
        assert_eq!(told.failure("a.test.ts::before > a").message, "in beforeAll: no start");
        assert_eq!(told.failure("a.test.ts::before > b").message, "in beforeAll: no start");
        assert_eq!(told.failure("a.test.ts::after > c").message, "in afterAll: no end");
    }
}

#[test]
fn what_goes_wrong_outside_of_a_test_is_a_failure_of_its_file() {
    for version in VERSIONS {
        for wrong in ["Promise.reject(new TypeError('lost'));", "setTimeout(() => { throw new TypeError('lost'); });"] {
            let text =
                with_import(&format!("test('a', async () => {{ {wrong} await new Promise((next) => setTimeout(next, 20)); }});\n"));
            let told = scene_of(version, &[("a.test.ts", &text)]).all();
            told.is_finished().has_lines(&["a.test.ts::a failed TypeError"]);
            assert!(told.failure("a.test.ts::a").message.ends_with("lost"), "{told:#?}");
        }
    }
}

#[test]
fn a_process_that_ends_in_a_test_fails_that_test() {
    for version in VERSIONS {
        for pool in ["forks", "threads"] {
            let config = format!("export default {{ test: {{ pool: '{pool}' }} }};\n");
            let text = with_import("test('a', () => { process.exit(0); });\n");
            let told = scene_of(version, &[("vitest.config.js", &config), ("a.test.ts", &text)]).all();
            told.is_finished().has_lines(&["a.test.ts::a failed Error"]);
        }
        let text = with_import("test('a', async () => { process.kill(process.pid, 'SIGKILL'); await new Promise(() => {}); });\n");
        let told = scene_of(version, &[("a.test.ts", &text)]).all();
        told.is_finished().has_lines(&["a.test.ts::a failed WorkerExit"]);
    }
}

#[test]
fn retried_tests_are_named_and_run_once() {
    for version in VERSIONS {
        for (config, options, retried) in
            [("{ test: { retry: 2 } }", "", 0), ("{}", "{ retry: 2 }, ", 1), ("{ test: { retry: 2 } }", "{ retry: 2 }, ", 1)]
        {
            let text =
                with_import(&format!("let n = 0;\ntest('a', {options}() => {{ if (n++ < 1) throw new Error('at first'); }});\n"));
            let scene = scene_of(version, &[("vitest.config.js", &format!("export default {config};\n")), ("a.test.ts", &text)]);
            let told = scene.all();
            told.is_finished().has_lines(&["a.test.ts::a failed Error"]);
            assert_eq!(told.run.retried.len(), retried, "a count for all says nothing about one: {told:#?}");
            if config != "{}" {
                told.is_noticed("retry: a failed test is not run again");
            }
        }
    }
}

#[test]
fn reach_is_told_by_test_and_what_tests_share_belongs_to_all_of_the_file() {
    for version in VERSIONS {
        for pool in ["forks", "threads", "vmThreads"] {
            let config = format!("export default {{ test: {{ pool: '{pool}', setupFiles: ['./setup.ts'] }} }};\n");
            let shop = "_mu_(1);\nexport const small = () => { _mu_(2); };\nexport const big = () => { _mu_(3); };\nexport const shared = () => { _mu_(4); };\n";
            let test = with_import(
                "import * as shop from './shop';\nbeforeAll(() => shop.shared());\ntest('a', () => shop.small());\n\
                 test.concurrent('b', async () => { shop.big(); });\ntest('c', async () => { await import('./late'); });\n",
            );
            let scene = scene_of(
                version,
                &[
                    ("vitest.config.js", &config),
                    ("setup.ts", "_mu_(6);\n"),
                    ("shop.ts", shop),
                    ("late.ts", "_mu_(5);\nexport const late = 1;\n"),
                    ("a.test.ts", &test),
                    ("b.test.ts", &with_import("test('d', () => {});\n")),
                ],
            );
            let told = scene.reach();
            told.is_finished().has_lines(&[
                "a.test.ts::a passed",
                "a.test.ts::b passed",
                "a.test.ts::c passed",
                "b.test.ts::d passed",
            ]);
            let of = |test: &str| -> Vec<u32> {
                let all: std::collections::BTreeSet<u32> = told.reached(test).into_iter().chain(told.while_loading()).collect();
                all.into_iter().collect()
            };
            assert_eq!(of("a.test.ts::a"), [1, 2, 4, 5, 6], "{version} {pool} {told:#?}");
            assert_eq!(of("a.test.ts::b"), [1, 3, 4, 5, 6], "{version} {pool}");
            // Where all files share one realm, what is loaded belongs to everybody.
            let shared = version == "node-vitest4" && pool == "vmThreads";
            assert_eq!(of("b.test.ts::d"), if shared { vec![1, 4, 5, 6] } else { vec![6] }, "{version} {pool}");
        }
    }
}

#[test]
fn modules_that_files_share_belong_to_everybody() {
    for version in VERSIONS {
        let test = |name: &str| with_import(&format!("import {{ one }} from './shop';\ntest('{name}', () => {{ one; }});\n"));
        let scene = scene_of(
            version,
            &[
                ("vitest.config.js", "export default { test: { isolate: false } };\n"),
                ("shop.ts", "_mu_(1);\nexport const one = 1;\n"),
                ("a.test.ts", &test("a")),
                ("b.test.ts", &test("b")),
            ],
        );
        assert_eq!(scene.reach().while_loading(), [1], "{version}");
    }
}

#[test]
fn what_a_started_process_reaches_counts_for_the_test() {
    let test = with_import(
        "import { execFileSync } from 'node:child_process';\ntest('a', () => { execFileSync('node', ['cli.cjs']); });\n\
         test('b', () => { execFileSync(process.execPath, ['cli.cjs'], { env: {} }); });\ntest('c', () => {});\n",
    );
    let scene = scene(&[("a.test.ts", &test)]);
    let told = scene.reach_woven(&[("cli.cjs", "_mu_(7);\n")]);
    told.is_finished();
    assert_eq!(told.reached("a.test.ts::a"), [7], "{told:#?}");
    assert_eq!(told.reached("a.test.ts::b"), [7], "{told:#?}");
    assert_eq!(told.reached("a.test.ts::c"), Vec::<u32>::new());
}

#[test]
fn the_projects_settings_stay_and_what_changes_verdicts_does_not() {
    let settings = "{\"type\": \"module\", \"scripts\": {\"test\": \"vitest run --config other.js --coverage --update\"}}";
    let other = "export default { test: { include: ['**/*.check.ts'], coverage: { enabled: true }, sequence: { shuffle: true }, globals: true } };\n";
    let check = "test('a', () => { expect(1).toMatchSnapshot(); });\ntest('b', () => {});\ntest('c', () => {});\n";
    for version in VERSIONS {
        let scene = scene_of(
            version,
            &[("package.json", settings), ("other.js", other), ("a.check.ts", check), ("b.test.ts", "throw 1;\n")],
        );
        let told = scene.all();
        told.is_finished().has_lines(&["a.check.ts::a failed Error", "a.check.ts::b passed", "a.check.ts::c passed"]);
        assert!(!scene.root().join("__snapshots__").exists() && !scene.root().join("coverage").exists());
    }
}

#[test]
fn projects_of_a_workspace_run_and_those_in_a_browser_are_left_out_by_name() {
    let config = "export default { test: { projects: [{ test: { name: 'unit', include: ['a.test.ts'] } }, \
                  { test: { name: 'page', include: ['b.test.ts'], runner: './own.js' } }] } };\n";
    for version in VERSIONS {
        let scene = scene_of(
            version,
            &[
                ("vitest.config.js", config),
                ("own.js", "export default class {}\n"),
                ("a.test.ts", &with_import("test('a', () => {});\n")),
                ("b.test.ts", &with_import("test('b', () => {});\n")),
            ],
        );
        let told = scene.all();
        told.is_finished().has_lines(&["a.test.ts::a passed"]).is_noticed("left out: the tests of page, because it sets `runner`");
    }
}

#[test]
fn code_that_comes_from_the_original_is_named_when_a_copy_is_tested() {
    for version in VERSIONS {
        let scene = scene_of(version, &[("shop.ts", "export const one = 1;\n")]);
        let shop = scene.root().join("shop.ts");
        scene.write("a.test.ts", &with_import(&format!("import {{ one }} from {shop:?};\ntest('a', () => {{ one; }});\n")));
        assert_eq!(scene.copied().all().run.outside, [shop.to_str().unwrap()], "{version}");
    }
}
