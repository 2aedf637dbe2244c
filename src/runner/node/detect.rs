//! Finds the framework of a JavaScript project from its files; runs nothing.
//!
//! What `npm test` runs is what the authors mean. Where that names none or several, the packages that are asked for and the
//! configuration files decide, from the package upwards; two of them are never guessed between.

use std::path::{Path, PathBuf};

use super::package::{Package, Packages};
use crate::error::{Error, Result};

/// How a framework shows itself.
struct Sign {
    name: &'static str,
    /// The program that a script runs.
    program: &'static str,
    /// The package that brings it; empty: Node itself.
    package: &'static str,
    /// Its own entry in `package.json`.
    entry: &'static str,
    /// How the names of its configuration files begin.
    config: &'static str,
    /// It drives a program from outside, and stands beside the one that tests units.
    from_outside: bool,
}

const SIGNS: [Sign; 5] = [
    Sign { name: "jest", program: "jest", package: "jest", entry: "jest", config: "jest.config.", from_outside: false },
    Sign { name: "vitest", program: "vitest", package: "vitest", entry: "", config: "vitest.config.", from_outside: false },
    Sign { name: "mocha", program: "mocha", package: "mocha", entry: "mocha", config: ".mocharc.", from_outside: false },
    Sign { name: "node-test", program: "", package: "", entry: "", config: "", from_outside: false },
    Sign {
        name: "playwright",
        program: "playwright",
        package: "@playwright/test",
        entry: "",
        config: "playwright.config.",
        from_outside: true,
    },
];

/// The framework of a project. Fails with `Kind::Usage` if there are several, with `Kind::NothingToMeasure` if there is none.
pub fn framework(root: &Path, named: &[PathBuf]) -> Result<&'static str> {
    let packages = Packages::of(root)?;
    for package in packages.iter() {
        match only(&named_by_script(package)) {
            Some(name) => return Ok(name),
            None => match shown_by(package).as_slice() {
                [] => {}
                [one] => return Ok(one),
                several => return Err(ambiguous(package, several)),
            },
        }
    }
    if uses_node_test(root, named) {
        return Ok("node-test");
    }
    Err(Error::nothing("no test framework found")
        .at(root.display())
        .cause(format!("looked in package.json for {}", SIGNS.map(|sign| sign.name).join(", ")))
        .mend(mend(&packages)))
}

/// What the project's script runs is the command, where it has one.
fn mend(packages: &Packages) -> &'static str {
    match packages.nearest().and_then(|package| package.script("test")) {
        Some(_) => "name it with `--framework`, or say how to run the tests, for example `--test-cmd \"npm test\"`",
        None => "name it with `--framework`, or say how to run the tests with `--test-cmd`",
    }
}

fn only(names: &[&'static str]) -> Option<&'static str> {
    match names {
        [one] => Some(one),
        _ => None,
    }
}

/// What the test script runs; a framework that works from outside only if it is alone.
fn named_by_script(package: &Package) -> Vec<&'static str> {
    let commands = package.test_commands();
    let runs_it = |sign: &&Sign| {
        commands.iter().any(|command| match sign.name {
            "node-test" => super::nodetest::runs_node_test(command),
            _ => command.runs(sign.program),
        })
    };
    units_first(SIGNS.iter().filter(runs_it))
}

/// Whose package or configuration is there.
fn shown_by(package: &Package) -> Vec<&'static str> {
    let dependencies = package.dependencies();
    let files = names_in(&package.folder);
    let is_there = |sign: &&Sign| {
        !sign.package.is_empty()
            && (dependencies.contains(sign.package)
                || !sign.entry.is_empty() && package.entry(sign.entry).is_some()
                || files.iter().any(|file| file.starts_with(sign.config)))
    };
    units_first(SIGNS.iter().filter(is_there))
}

fn units_first<'s>(signs: impl Iterator<Item = &'s Sign>) -> Vec<&'static str> {
    let (outside, units): (Vec<&Sign>, Vec<&Sign>) = signs.partition(|sign| sign.from_outside);
    let chosen = if units.is_empty() { outside } else { units };
    chosen.iter().map(|sign| sign.name).collect()
}

fn names_in(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.file_name().into_string().ok()).collect()
}

fn ambiguous(package: &Package, names: &[&str]) -> Error {
    let choices: Vec<String> = names.iter().map(|name| format!("`--framework {name}`")).collect();
    Error::usage(format!("the project uses {}", names.join(" and ")))
        .at(package.folder.join("package.json").display())
        .mend(format!("say which one runs the tests of these files: {}", choices.join(" or ")))
}

/// Whether a file of tests uses what Node brings itself.
fn uses_node_test(root: &Path, named: &[PathBuf]) -> bool {
    let places: Vec<PathBuf> =
        if named.is_empty() { vec![root.to_owned()] } else { named.iter().map(|path| root.join(path)).collect() };
    let is_code = |path: &Path| {
        let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
        ["js", "mjs", "cjs", "ts", "mts", "cts"].contains(&extension)
    };
    let foreign = |path: &Path| path.file_name().is_some_and(|name| name == "node_modules");
    places.iter().any(|place| {
        let walk = ignore::WalkBuilder::new(place).require_git(false).filter_entry(move |entry| !foreign(entry.path())).build();
        let files =
            walk.filter_map(|entry| entry.ok()).map(|entry| entry.into_path()).filter(|path| path.is_file() && is_code(path));
        files
            .filter_map(|path| std::fs::read_to_string(path).ok())
            .any(|text| text.contains("'node:test'") || text.contains("\"node:test\""))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Kind;
    use std::fs;

    fn project(files: &[(&str, &str)]) -> tempfile::TempDir {
        let scene = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let path = scene.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        scene
    }

    fn found(files: &[(&str, &str)]) -> Result<&'static str> {
        framework(project(files).path(), &[])
    }

    fn asks_for(packages: &str, test: &str) -> String {
        format!("{{\"devDependencies\": {{{packages}}}, \"scripts\": {{\"test\": {test:?}}}}}")
    }

    #[test]
    fn each_framework_is_known_by_its_package() {
        for (package, name) in [("jest", "jest"), ("vitest", "vitest"), ("mocha", "mocha"), ("@playwright/test", "playwright")] {
            let json = asks_for(&format!("{package:?}: \"1\""), "make test");
            assert_eq!(found(&[("package.json", &json)]).unwrap(), name);
        }
    }

    #[test]
    fn each_framework_is_known_by_its_configuration() {
        assert_eq!(found(&[("package.json", "{}"), ("vitest.config.ts", "")]).unwrap(), "vitest");
        assert_eq!(found(&[("package.json", r#"{"jest": {}}"#)]).unwrap(), "jest");
        assert_eq!(found(&[("package.json", "{}"), (".mocharc.yml", "")]).unwrap(), "mocha");
    }

    #[test]
    fn two_frameworks_are_never_guessed_between() {
        let both = asks_for(r#""jest": "1", "vitest": "1""#, "make test");
        let error = found(&[("package.json", &both)]).unwrap_err();
        assert_eq!(error.kind, Kind::Usage);
        assert_eq!(error.what, "the project uses jest and vitest");
        assert!(error.mend.unwrap().contains("`--framework jest` or `--framework vitest`"));
    }

    #[test]
    fn the_test_script_decides_if_it_names_exactly_one() {
        let both = |test: &str| asks_for(r#""jest": "1", "vitest": "1""#, test);
        assert_eq!(found(&[("package.json", &both("vitest run"))]).unwrap(), "vitest");
        assert_eq!(found(&[("package.json", &both("tsc && jest"))]).unwrap(), "jest");
        assert_eq!(found(&[("package.json", &both("jest && vitest run"))]).unwrap_err().kind, Kind::Usage);
    }

    #[test]
    fn tests_of_units_come_before_tests_from_outside() {
        let both = asks_for(r#""vitest": "1", "@playwright/test": "1""#, "vitest run && playwright test");
        assert_eq!(found(&[("package.json", &both)]).unwrap(), "vitest");
    }

    #[test]
    fn a_package_without_signs_is_tested_as_the_workspace_says() {
        let scene = project(&[
            (".git/HEAD", ""),
            ("package.json", &asks_for(r#""jest": "1""#, "jest")),
            ("packages/a/package.json", "{\"name\": \"a\"}"),
        ]);
        assert_eq!(framework(&scene.path().join("packages/a"), &[]).unwrap(), "jest");
    }

    #[test]
    fn what_node_brings_itself_needs_no_package() {
        assert_eq!(found(&[("a.test.mjs", "import test from 'node:test';\n")]).unwrap(), "node-test");
        assert_eq!(found(&[("package.json", &asks_for("", "node --test"))]).unwrap(), "node-test");
    }

    #[test]
    fn no_framework_is_an_error_that_says_what_was_looked_for() {
        let error = found(&[("package.json", "{}")]).unwrap_err();
        assert_eq!(error.kind, Kind::NothingToMeasure);
        assert!(error.to_string().contains("vitest") && error.to_string().contains("--test-cmd"), "{error}");
    }

    #[test]
    fn an_unknown_framework_can_be_run_as_the_script_does() {
        let error = found(&[("package.json", &asks_for(r#""tape": "5""#, "tape 'test/*.js'"))]).unwrap_err();
        assert!(error.to_string().contains("--test-cmd \"npm test\""), "{error}");
    }
}
