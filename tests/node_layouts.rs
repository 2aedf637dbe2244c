//! Node projects in the layouts that people have: other names for paths, both kinds of modules, packages behind links, Plug'n'Play.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::PathBuf;

use serde_json::Value;
use support::project::Project;
use support::run::{Finished, Run};

pub mod support;

/// What `tests/run` has installed in `target/<packages>`.
fn installed(packages: &str) -> PathBuf {
    let folder = support::repository().join("target").join(packages).join("node_modules");
    assert!(folder.is_dir(), "{} is missing: run `tests/run` once, it installs the packages", folder.display());
    folder
}

fn project(packages: &str, files: &[(&str, &str)]) -> Project {
    let project = Project::of(files);
    symlink(installed(packages), project.path("node_modules")).unwrap();
    project
}

fn run(project: &Project, arguments: &[&str]) -> Finished {
    Run::of(project).args(["--output-format", "json", "--jobs", "1", "--progress", "none"]).args(arguments).finish()
}

/// The status of every mutant of a file, in their order.
fn statuses(report: &Value, file: &str) -> Vec<String> {
    let mutants = report["files"][file]["mutants"].as_array().unwrap_or_else(|| panic!("no {file} in {report}"));
    mutants.iter().map(|mutant| mutant["status"].as_str().expect("a status").to_owned()).collect()
}

/// One function that a test pins down, and one that a test calls without looking.
fn assert_told_apart(finished: &Finished, file: &str) {
    let report = finished.report();
    let found = statuses(&report, file);
    let count = |status: &str| found.iter().filter(|found| *found == status).count();
    assert!(count("Killed") > 0 && count("Survived") > 0, "{file}: {found:?}\n{finished}");
    assert_eq!(count("Killed") + count("Survived"), found.len(), "{file}: {found:?}\n{finished}");
}

const SHOP_TS: &str = "export const total = (price: number, tax: number): number => price + tax;\n\
                       export const seen = (price: number): number => price * 2;\n";
const SHOP_JS: &str = "export const total = (price, tax) => price + tax;\nexport const seen = (price) => price * 2;\n";

/// Uses `total` and `seen` from there, in the words of `test` and `expect`.
fn expecting(head: &str, from: &str) -> String {
    format!("{head}import {{ total, seen }} from '{from}';\ntest('total', () => {{ expect(total(2, 3)).toBe(5); seen(1); }});\n")
}

/// As [`expecting`], with the assertions of Node.
fn asserting(head: &str, from: &str) -> String {
    format!(
        "{head}import assert from 'node:assert';\nimport {{ total, seen }} from '{from}';\n\
         test('total', () => {{ assert.equal(total(2, 3), 5); seen(1); }});\n"
    )
}

const VITEST: &str = "import { test, expect } from 'vitest';\n";
const ASKS_VITEST: &str =
    r#"{"name": "shop", "type": "module", "devDependencies": {"vitest": "4"}, "scripts": {"test": "vitest run"}}"#;

#[test]
fn vitest_finds_sources_by_the_aliases_of_the_project() {
    let config = "import { fileURLToPath } from 'node:url';\nexport default { resolve: { alias: { '@': fileURLToPath(new URL('./src', import.meta.url)) } } };\n";
    let project = project(
        "node-vitest4",
        &[
            ("package.json", ASKS_VITEST),
            ("vitest.config.js", config),
            ("tsconfig.json", r#"{"compilerOptions": {"paths": {"@/*": ["./src/*"]}}}"#),
            ("src/shop.ts", SHOP_TS),
            ("test/shop.test.ts", &expecting(VITEST, "@/shop")),
        ],
    );
    assert_told_apart(&run(&project, &["src/shop.ts"]), "src/shop.ts");
}

#[test]
fn an_alias_to_the_projects_own_folder_by_its_whole_path_is_no_way_around_the_copy() {
    let project = project("node-vitest4", &[("package.json", ASKS_VITEST), ("src/shop.ts", SHOP_TS)]);
    let alias = format!("export default {{ resolve: {{ alias: {{ '@': {:?} }} }} }};\n", project.path("src"));
    project.write("vitest.config.js", alias);
    project.write("test/shop.test.ts", expecting(VITEST, "@/shop"));
    let finished = run(&project, &["src/shop.ts", "--scratch", "copy"]);
    assert!(finished.assert_code(4).stderr.contains("do not run the copy"), "{finished}");
}

#[test]
fn jest_finds_sources_by_the_names_that_the_project_maps() {
    let json =
        r#"{"name": "shop", "devDependencies": {"jest": "30"}, "jest": {"moduleNameMapper": {"^@/(.*)$": "<rootDir>/src/$1"}}}"#;
    let source = "exports.total = (price, tax) => price + tax;\nexports.seen = (price) => price * 2;\n";
    let test = "const { total, seen } = require('@/shop');\ntest('total', () => { expect(total(2, 3)).toBe(5); seen(1); });\n";
    let project = project("node-jest30", &[("package.json", json), ("src/shop.js", source), ("test/shop.test.js", test)]);
    assert_told_apart(&run(&project, &["src/shop.js"]), "src/shop.js");
}

#[test]
fn sources_with_the_endings_of_modules_are_measured() {
    let project = project(
        "node-vitest4",
        &[("package.json", ASKS_VITEST), ("src/shop.mts", SHOP_TS), ("test/shop.test.mts", &expecting(VITEST, "../src/shop.mts"))],
    );
    assert_told_apart(&run(&project, &["src/shop.mts"]), "src/shop.mts");
}

#[test]
fn typescript_for_require_is_measured_in_a_package_of_modules() {
    let json = r#"{"name": "shop", "type": "module", "scripts": {"test": "mocha --import=tsx 'test/*.mts'"}}"#;
    let test = asserting("const test = it;\n", "../shop.cts").replace("'../shop.cts';", "'../shop.cjs';");
    let project = project("node-mocha", &[("package.json", json), ("shop.cts", SHOP_TS), ("test/shop.mts", &test)]);
    assert_told_apart(&run(&project, &["shop.cts"]), "shop.cts");
}

#[test]
fn a_package_of_modules_alone_is_measured_by_mocha() {
    let json = r#"{"name": "shop", "type": "module", "exports": "./shop.js", "devDependencies": {"mocha": "12"}, "scripts": {"test": "mocha"}}"#;
    // By the package's own name too: it must lead into the copy.
    for from in ["../shop.js", "shop"] {
        let test = asserting("const test = it;\n", from);
        let project = project("node-mocha", &[("package.json", json), ("shop.js", SHOP_JS), ("test/shop.js", &test)]);
        assert_told_apart(&run(&project, &["shop.js"]), "shop.js");
    }
}

#[test]
fn a_package_of_modules_alone_is_measured_by_the_tests_of_node() {
    let json = r#"{"name": "shop", "type": "module", "exports": "./shop.js", "scripts": {"test": "node --test"}}"#;
    for from in ["../shop.js", "shop"] {
        let test = asserting("import { test } from 'node:test';\n", from);
        let project = Project::of(&[("package.json", json), ("shop.js", SHOP_JS), ("test/shop.test.js", &test)]);
        assert_told_apart(&run(&project, &["shop.js"]), "shop.js");
    }
}

/// `node_modules` as pnpm makes it: every package stands in a store inside of it, and links lead there.
fn as_pnpm_does(project: &Project, packages: &str, direct: &[&str]) {
    let store = project.path("node_modules/.pnpm/all@1.0.0/node_modules");
    fs::create_dir_all(store.parent().unwrap()).unwrap();
    let copied = std::process::Command::new("cp").args(["-a", "--link"]).arg(installed(packages)).arg(&store).status().unwrap();
    assert!(copied.success());
    for name in direct {
        symlink(format!(".pnpm/all@1.0.0/node_modules/{name}"), project.path("node_modules").join(name)).unwrap();
    }
}

#[test]
fn packages_that_stand_behind_links_of_pnpm_are_found_from_the_copy() {
    let json = r#"{"name": "shop", "devDependencies": {"mocha": "12"}, "scripts": {"test": "mocha"}}"#;
    let workspace = [
        ("pnpm-lock.yaml", "lockfileVersion: '9.0'\n"),
        ("package.json", json),
        ("shop.js", SHOP_JS),
        ("test/shop.mjs", &asserting("const test = it;\n", "../shop.js")),
    ];
    for scratch in ["overlay", "copy"] {
        let project = Project::of(&workspace);
        project.write("package.json", json.replace("\"name\"", "\"type\": \"module\", \"name\""));
        as_pnpm_does(&project, "node-mocha", &["mocha"]);
        assert_told_apart(&run(&project, &["shop.js", "--scratch", scratch]), "shop.js");
    }
}

#[test]
fn a_package_of_a_workspace_behind_a_link_is_that_of_the_copy() {
    let project = Project::of(&[
        ("package.json", r#"{"name": "root", "private": true}"#),
        ("pnpm-workspace.yaml", "packages: ['packages/*']\n"),
        ("packages/price/package.json", r#"{"name": "price", "type": "module", "exports": "./shop.js"}"#),
        ("packages/price/shop.js", SHOP_JS),
        ("packages/till/package.json", r#"{"name": "till", "type": "module", "scripts": {"test": "node --test"}}"#),
        ("packages/till/test/shop.test.js", &asserting("import { test } from 'node:test';\n", "price")),
    ]);
    fs::create_dir_all(project.path("packages/till/node_modules")).unwrap();
    symlink("../../price", project.path("packages/till/node_modules/price")).unwrap();
    for scratch in ["overlay", "copy"] {
        let arguments = ["packages/price/shop.js", "--scratch", scratch, "--tests-also-in", "packages/till"];
        assert_told_apart(&run(&project, &arguments), "packages/price/shop.js");
    }
}

#[test]
fn packages_in_archives_are_refused_in_one_line_with_a_way_out() {
    let json = r#"{"name": "shop", "devDependencies": {"vitest": "4"}, "scripts": {"test": "vitest run"}}"#;
    let project = Project::of(&[
        ("package.json", json),
        ("yarn.lock", "__metadata:\n  version: 8\n"),
        (".pnp.cjs", "module.exports = {};\n"),
        ("src/shop.ts", SHOP_TS),
        ("test/shop.test.ts", &expecting(VITEST, "../src/shop")),
    ]);
    let finished = Run::of(&project).args(["src/shop.ts"]).finish();
    let stderr = &finished.assert_code(5).stderr;
    for words in ["vitest is not installed", "Plug'n'Play), which is not supported", "nodeLinker: node-modules"] {
        assert!(stderr.contains(words), "{words}: {finished}");
    }
}

#[test]
fn what_is_missing_is_installed_by_the_package_manager_of_the_lock_file() {
    let json = r#"{"name": "shop", "devDependencies": {"vitest": "4"}, "scripts": {"test": "vitest run"}}"#;
    for (lock, command) in [
        ("bun.lock", "bun install --frozen-lockfile"),
        ("bun.lockb", "bun install --frozen-lockfile"),
        ("pnpm-lock.yaml", "pnpm install --frozen-lockfile"),
        ("npm-shrinkwrap.json", "npm ci"),
    ] {
        let project = Project::of(&[("package.json", json), (lock, ""), ("src/shop.ts", SHOP_TS)]);
        let finished = Run::of(&project).args(["src/shop.ts"]).finish();
        assert!(finished.assert_code(5).stderr.contains(&format!("run `{command}`")), "{lock}: {finished}");
    }
}
