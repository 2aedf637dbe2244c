//! The house plan, held: the module map in the crate doc names what exists, a module uses only what stands below it, and some
//! things are done behind one door only.
//!
//! The sources are read as text without comments and strings; every path in them is seen, also in nested `use` groups.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use support::rust::{code, ends_in_name, paths};

pub mod support;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

#[test]
fn the_map_names_exactly_the_modules_that_exist() {
    let map: BTreeSet<String> = module_map().into_iter().collect();
    let lib = code(&fs::read_to_string(Path::new(ROOT).join("src/lib.rs")).expect("src/lib.rs"));
    let declared: BTreeSet<String> =
        lib.split(';').filter_map(|item| Some(item.trim().rsplit_once("mod ")?.1.to_owned())).collect();
    assert_eq!(map, declared, "left: the map in the crate doc, right: the `mod` lines");
    let rest = ["lib.rs", "main.rs"].map(String::from);
    let listed: BTreeSet<String> =
        list("src").iter().map(|path| top_module(path)).filter(|name| !rest.contains(&format!("{name}.rs"))).collect();
    assert_eq!(map, listed, "left: the map in the crate doc, right: files and folders of src/");
}

#[test]
fn a_module_uses_only_what_stands_below_it() {
    let map = module_map();
    let height = |name: &str| map.iter().position(|entry| entry == name);
    let mut wrong = Vec::new();
    for file in sources(&["src"]) {
        let own = top_module(&file.path);
        for used in crate_modules(&file, &map) {
            match (height(&own), height(&used)) {
                (Some(mine), Some(theirs)) if theirs < mine => {
                    wrong.push(format!("{}: `{used}` stands above `{own}`", file.name()))
                }
                (Some(_), None) if own != used => wrong.push(format!("{}: `crate::{used}` is not in the map", file.name())),
                _ => {}
            }
        }
    }
    assert_none(wrong);
}

#[test]
fn some_things_are_done_behind_one_door() {
    let out: &[&str] = &["src/report/", "src/command/"];
    let out_or_main: &[&str] = &["src/report/", "src/command/", "src/main.rs"];
    let out_main_or_keeper: &[&str] = &["src/report/", "src/command/", "src/main.rs", "src/scratch/keeper/"];
    let doors: [(&str, Looks, &[&str]); 9] = [
        ("tree_sitter", |file| file.names_crate("tree_sitter"), &["src/language/"]),
        ("blake3", |file| file.names_crate("blake3"), &["src/text/digest.rs"]),
        ("clap", |file| file.names_crate("clap"), &["src/cli.rs", "src/command/", "src/main.rs"]),
        ("rayon", |file| file.names_crate("rayon"), &["src/mutant/discover.rs", "src/execute/"]),
        ("std::process::Command", SourceFile::spawns, &["src/scratch/"]),
        ("print!", |file| file.calls(&["print!", "println!"]), out),
        ("eprint!", |file| file.calls(&["eprint!", "eprintln!"]), out_or_main),
        // The keeper's standard output is the pipe on which it answers.
        ("stdout or stderr", |file| file.names_in("io", &["stdout", "stderr"]), out_main_or_keeper),
        ("anstream", |file| file.names_crate("anstream"), out_or_main),
    ];
    let files = sources(&["src"]);
    let through_the_wall = doors.iter().flat_map(|(what, looks, allowed)| {
        let outside = files.iter().filter(|file| looks(file) && !allowed.iter().any(|door| file.name().starts_with(door)));
        outside.map(move |file| format!("{}: {what} belongs into {}", file.name(), allowed.join(", ")))
    });
    assert_none(through_the_wall.collect());
}

#[test]
fn nothing_is_silenced_or_left_undone() {
    let forbidden = ["#[allow(", "#![allow(", "#[expect(", "#[ignore", "todo!", "unimplemented!", "dbg!"];
    let files = sources(&["src", "tests", "benches"]);
    let found = files.iter().flat_map(|file| {
        let there = forbidden.iter().filter(|word| file.code.contains(**word));
        there.map(|word| format!("{}: `{word}`", file.name()))
    });
    assert_none(found.collect());
}

#[test]
fn paths_are_seen_in_groups_and_outside_of_use_but_not_in_comments_and_strings() {
    let text = r##"
        use crate::{error::Result, text::{Span, digest::{self, Digest}}};
        pub use std::process::{Command as Process, exit};
        /// [`crate::report::Report`]
        fn f<'a>(x: &'a crate::plan::Plan) -> char { let _ = ("crate::cli", r#"crate::"config"#, b'"'); '"' } // crate::execute
        /* crate::mutant /* nested */ crate::rule */
    "##;
    let found = paths(&code(text));
    let from_crate: Vec<_> = found.iter().filter(|path| path[0] == "crate").map(|path| path[1..].join("::")).collect();
    assert_eq!(from_crate, ["error::Result", "text::Span", "text::digest::self", "text::digest::Digest", "plan::Plan"]);
    assert!(found.contains(&["std", "process", "Command"].map(String::from).to_vec()));
}

#[test]
fn our_own_description_of_a_command_is_not_taken_for_a_spawn() {
    let spawns = |text: &str| SourceFile { path: PathBuf::from("src/x.rs"), code: code(text) }.spawns();
    assert!(spawns("use std::process::{Command, Stdio};"));
    assert!(spawns("use std::process; fn f() { process::Command::new(\"x\"); }"));
    assert!(!spawns("use crate::scratch::process::Command; fn f() -> Command {}"));
}

type Looks = fn(&SourceFile) -> bool;

fn assert_none(wrong: Vec<String>) {
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

/// First words of the lines in the crate doc's map, top to bottom.
fn module_map() -> Vec<String> {
    let lib = fs::read_to_string(Path::new(ROOT).join("src/lib.rs")).expect("src/lib.rs");
    let lines = lib.lines().skip_while(|line| *line != "//! # Module map").skip_while(|line| *line != "//! ```text").skip(1);
    let map: Vec<String> = lines
        .take_while(|line| *line != "//! ```")
        .filter_map(|line| Some(line.trim_start_matches("//!").split_whitespace().next()?.to_owned()))
        .collect();
    assert!(map.len() > 10, "no module map in the crate doc");
    map
}

struct SourceFile {
    path: PathBuf,
    /// Without comments and the insides of literals.
    code: String,
}

impl SourceFile {
    /// Relative to the repository.
    fn name(&self) -> String {
        self.path.strip_prefix(ROOT).unwrap_or(&self.path).to_string_lossy().into_owned()
    }

    /// Also crates whose name begins so, as `tree_sitter_python` does.
    fn names_crate(&self, name: &str) -> bool {
        paths(&self.code).iter().any(|path| path.len() > 1 && path[0].starts_with(name))
    }

    /// For example `io::stdout`, from wherever `io` comes.
    fn names_in(&self, module: &str, names: &[&str]) -> bool {
        let found = paths(&self.code);
        found.iter().any(|path| path.windows(2).any(|pair| pair[0] == module && names.contains(&pair[1].as_str())))
    }

    fn spawns(&self) -> bool {
        let found = paths(&self.code);
        let is = |path: &[String], wanted: &[&str]| path.iter().map(String::as_str).take(wanted.len()).eq(wanted.iter().copied());
        let imports_process = found.iter().any(|path| *path == ["std", "process"] || *path == ["std", "process", "self"]);
        found.iter().any(|path| is(path, &["std", "process", "Command"]) || imports_process && is(path, &["process", "Command"]))
    }

    fn calls(&self, macros: &[&str]) -> bool {
        macros.iter().any(|name| self.code.match_indices(name).any(|(at, _)| !ends_in_name(&self.code[..at])))
    }
}

/// Modules of this crate that a file names, by `crate::` or, right below the root, by `super::`.
fn crate_modules(file: &SourceFile, map: &[String]) -> BTreeSet<String> {
    let found = paths(&file.code);
    let depth = file.path.strip_prefix(Path::new(ROOT).join("src")).map_or(0, |path| path.components().count());
    let is_top = depth == 1 || depth == 2 && file.path.ends_with("mod.rs");
    let by_super = |path: &[String]| is_top && path[0] == "super" && map.contains(&path[1]);
    let far_up = found.iter().find(|path| path.len() > 1 && path[0] == "super" && path[1] == "super");
    assert!(far_up.is_none(), "{}: write `crate::` instead of {far_up:?}", file.name());
    let named = found.into_iter().filter(|path| path.len() > 1 && (path[0] == "crate" || by_super(path)));
    named.map(|path| path[1].clone()).collect()
}

/// `src/report/json.rs` belongs to `report`, `src/plan.rs` to `plan`.
fn top_module(path: &Path) -> String {
    let inside = path.strip_prefix(Path::new(ROOT).join("src")).expect("a path in src/");
    let first = inside.components().next().expect("a name").as_os_str().to_string_lossy();
    first.trim_end_matches(".rs").to_owned()
}

fn sources(folders: &[&str]) -> Vec<SourceFile> {
    let mut files = Vec::new();
    let mut waiting: Vec<PathBuf> = folders.iter().flat_map(|folder| list(folder)).collect();
    while let Some(path) = waiting.pop() {
        if path.is_dir() {
            waiting.extend(list(path.to_str().expect("a Unicode path")));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let code = code(&fs::read_to_string(&path).expect("a readable source"));
            files.push(SourceFile { path, code });
        }
    }
    files.sort_by(|a, b| a.path.cmp(&b.path));
    files
}

/// Empty if there is no such folder.
fn list(folder: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(Path::new(ROOT).join(folder)).into_iter().flatten();
    entries.map(|entry| entry.expect("an entry").path()).collect()
}
