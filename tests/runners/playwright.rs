//! Playwright, with the Chromium of the system.

use mutate::scratch::process::Exit;

use crate::scene::{Asked, Scene};

/// Tests that need no page need no browser either.
fn scene(files: &[(&str, &str)]) -> Scene {
    let scene = Scene::node("playwright", "node-playwright", files);
    if !files.iter().any(|(path, _)| path.starts_with("playwright.config")) {
        scene
            .write("playwright.config.js", "module.exports = { testDir: 'e2e', retries: 2, reporter: 'html', forbidOnly: false };");
    }
    scene
}

fn one(text: &str) -> Scene {
    let scene = scene(&[]);
    scene.write("e2e/a.spec.js", &format!("const {{ test, expect }} = require('@playwright/test');\n{text}"));
    scene
}

const NAMES: &str = r#"
test.describe('a > "b" \' (x|y)*', () => {
  for (const n of [1, 2]) test('case ' + n, () => {});
  test.describe('inner', () => { test('$1 \\ é', () => {}); });
});
test('a › b', () => {});
test('at the top', () => {});
"#;
const NAMED: [&str; 5] = [
    "e2e/a.spec.js::a > \"b\" ' (x|y)* > case 1",
    "e2e/a.spec.js::a > \"b\" ' (x|y)* > case 2",
    "e2e/a.spec.js::a > \"b\" ' (x|y)* > inner > $1 \\ é",
    "e2e/a.spec.js::a › b",
    "e2e/a.spec.js::at the top",
];

fn passed(ids: &[&str]) -> Vec<String> {
    ids.iter().map(|id| format!("{id} passed")).collect()
}

#[test]
fn tests_are_selected_by_their_names() {
    let scene = one(NAMES);
    assert_eq!(scene.all().is_finished().lines(), passed(&NAMED));
    assert_eq!(scene.only(&[NAMED[4], NAMED[1], NAMED[2]]).is_finished().lines(), passed(&[NAMED[1], NAMED[2], NAMED[4]]));
}

#[test]
fn a_name_that_cannot_be_said_selects_its_file() {
    assert_eq!(one(NAMES).only(&NAMED[3..4]).is_finished().lines(), passed(&NAMED));
}

#[test]
fn a_selection_that_matches_nothing_says_what_is_missing() {
    let told = one(NAMES).only(&["e2e/a.spec.js::gone"]);
    assert_eq!(told.missing(), ["e2e/a.spec.js::gone"]);
    told.has_lines(&[]);
}

#[test]
fn the_first_failure_ends_the_run_without_a_second_try() {
    let scene = one("test('a', () => { expect(1).toBe(2); }); test('b', () => {});");
    let told = scene.run(Asked { bail: true, ..Asked::default() });
    told.is_finished().has_lines(&["e2e/a.spec.js::a failed Error"]);
    assert!(told.failure("e2e/a.spec.js::a").message.starts_with("expect(received).toBe(expected)"), "{told:?}");
    assert_eq!((told.run.retried.len(), told.run.load_failures.len()), (0, 0));
}

#[test]
fn skipped_tests_are_no_passes_and_expected_failures_are() {
    one("test.skip('a', () => {}); test.fixme('b', () => {}); test.fail('c', () => { throw new Error(); }); test.fail('d', () => {});")
        .all()
        .is_finished()
        .has_lines(&["e2e/a.spec.js::a skipped", "e2e/a.spec.js::b skipped", "e2e/a.spec.js::c passed", "e2e/a.spec.js::d failed "]);
}

#[test]
fn a_test_in_two_projects_has_two_names() {
    let scene = one("test('a', () => {});");
    scene.write("playwright.config.js", "module.exports = { testDir: 'e2e', projects: [{ name: 'one' }, { name: 'two' }] };");
    scene.all().has_lines(&["e2e/a.spec.js::[one] a passed", "e2e/a.spec.js::[two] a passed"]);
    scene.only(&["e2e/a.spec.js::[two] a"]).is_finished().has_lines(&["e2e/a.spec.js::[two] a passed"]);
}

#[test]
fn a_failing_hook_fails_the_test() {
    let told = one("test.beforeAll(() => { throw new TypeError('no'); }); test('a', () => {});").all();
    assert_eq!(told.failure("e2e/a.spec.js::a").message, "no");
}

#[test]
fn a_file_that_does_not_load_is_named() {
    let told = one("throw new RangeError('no');").all();
    let (id, failure) = told.load_failure();
    assert_eq!((id, failure.kind.as_str(), failure.message.as_str()), ("e2e/a.spec.js", "RangeError", "no"));
}

#[test]
fn a_file_that_is_no_program_is_named() {
    let scene = one("require('../lib');");
    scene.write("lib.ts", "let x = ;\n");
    let told = scene.all();
    let (_, failure) = told.load_failure();
    assert_eq!((failure.kind.as_str(), failure.file.as_deref()), ("SyntaxError", scene.root().join("lib.ts").to_str()));
}

#[test]
fn a_process_that_ends_itself_in_a_test_is_no_pass() {
    for code in [0, 3] {
        let told = one(&format!("test('a', () => {{ process.exit({code}); }});")).all();
        assert_eq!(told.run.passed().count(), 0, "{told:?}");
        assert!(told.run.failed().count() == 1 || !told.run.load_failures.is_empty(), "{told:?}");
    }
}

#[test]
fn snapshots_are_never_written() {
    let scene = one("test('a', () => { expect('text').toMatchSnapshot('a.txt'); });");
    scene.all().has_lines(&["e2e/a.spec.js::a failed Error"]);
    assert!(!scene.root().join("e2e/a.spec.js-snapshots").exists());
}

fn with_server(port: u16, command: &str) -> String {
    let server = format!("{{ command: {command:?}, url: 'http://127.0.0.1:{port}', reuseExistingServer: !process.env.CI }}");
    format!("module.exports = {{ testDir: 'e2e', webServer: {server} }};")
}

#[test]
fn a_server_that_does_not_start_is_a_load_failure() {
    let scene = one("test('a', () => {});");
    scene.write("playwright.config.js", &with_server(free_port(), "node -e 'process.exit(3)'"));
    assert_eq!(scene.all().load_failure().0, "playwright");
}

#[test]
fn a_port_that_somebody_else_holds_proves_nothing() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    std::thread::spawn({
        let taken = taken.try_clone().unwrap();
        move || {
            taken.incoming().flatten().for_each(|mut stream| {
                drop(std::io::Write::write_all(&mut stream, b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n"))
            })
        }
    });
    let scene = one("test('a', () => {});");
    scene.write("playwright.config.js", &with_server(taken.local_addr().unwrap().port(), "node -e 'setInterval(() => {}, 1000)'"));
    let told = scene.all();
    told.is_noticed("is already used").has_lines(&[]);
    assert!(!told.run.finished && told.run.load_failures.is_empty() && told.ended.exit == Exit::Code(1), "{told:?}");
}

fn free_port() -> u16 {
    std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

#[test]
fn a_real_page_is_tested_in_a_real_browser() {
    let scene = scene(&[("page.html", "<h1>Hello</h1>")]);
    let page = scene.root().join("page.html");
    scene.write(
        "e2e/a.spec.js",
        &format!(
            "const {{ test, expect }} = require('@playwright/test');\n\
             test.use({{ launchOptions: {{ executablePath: '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'] }} }});\n\
             test('a', async ({{ page }}) => {{ await page.goto('file://{}'); await expect(page.locator('h1')).toHaveText('Hello'); }});\n",
            page.display()
        ),
    );
    scene.all().is_finished().has_lines(&["e2e/a.spec.js::a passed"]);
}
