//! Which files `node --test` would run.
//!
//! Node has no way to ask. Without arguments it looks for names; an argument is a file, a folder (in which it looks for names), or,
//! since Node 21, a pattern, which before that the shell resolved.

use std::path::{Path, PathBuf};

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use ignore::WalkBuilder;

use crate::error::{Error, Result};

const JAVASCRIPT: &str = "js,cjs,mjs";
const WITH_TYPESCRIPT: &str = "js,cjs,mjs,ts,cts,mts";
/// As its documentation says.
const NAMES: [&str; 6] = ["*.test.{}", "*-test.{}", "*_test.{}", "test-*.{}", "test.{}", "test/**/*.{}"];

/// Files of tests, relative to the root and sorted. Those that the user has named stand in place of the script's.
pub fn find(root: &Path, named: &[PathBuf], patterns: &[String], typescript: bool) -> Result<Vec<String>> {
    let named: Vec<String> = named.iter().filter_map(|path| path.to_str().map(str::to_owned)).collect();
    let patterns = globs(root, if named.is_empty() { patterns } else { &named }, typescript);
    let wanted = set(&patterns)?;
    let foreign = |name: &std::ffi::OsStr| name == "node_modules" || name == ".git";
    let walk = WalkBuilder::new(root).standard_filters(false).filter_entry(move |entry| !foreign(entry.file_name())).build();
    let files = walk.filter_map(|entry| entry.ok()).filter(|entry| entry.path().is_file());
    let mut files: Vec<String> = files
        .filter_map(|entry| entry.path().strip_prefix(root).ok()?.to_str().map(str::to_owned))
        .filter(|file| wanted.is_match(file))
        .collect();
    files.sort();
    Ok(files)
}

/// For people.
pub fn looked_for(patterns: &[String], typescript: bool) -> String {
    if patterns.is_empty() { names_under("**/", typescript).join(", ") } else { patterns.join(", ") }
}

fn globs(root: &Path, patterns: &[String], typescript: bool) -> Vec<String> {
    if patterns.is_empty() {
        return names_under("**/", typescript);
    }
    patterns.iter().flat_map(|pattern| globs_of(root, pattern, typescript)).collect()
}

fn globs_of(root: &Path, pattern: &str, typescript: bool) -> Vec<String> {
    let pattern = pattern.strip_prefix("./").unwrap_or(pattern).trim_end_matches('/');
    let path = root.join(pattern);
    let escaped = globset::escape(pattern);
    if path.is_file() {
        return vec![escaped];
    }
    if !path.is_dir() {
        return vec![pattern.to_owned()];
    }
    let mut globs = names_under(&format!("{escaped}/**/"), typescript);
    if path.file_name().is_some_and(|name| name == "test") {
        globs.push(format!("{escaped}/**/*.{{{}}}", extensions(typescript)));
    }
    globs
}

fn names_under(folder: &str, typescript: bool) -> Vec<String> {
    NAMES.map(|name| format!("{folder}{}", name.replace("{}", &format!("{{{}}}", extensions(typescript))))).to_vec()
}

fn extensions(typescript: bool) -> &'static str {
    if typescript { WITH_TYPESCRIPT } else { JAVASCRIPT }
}

fn set(patterns: &[String]) -> Result<GlobSet> {
    let mut set = GlobSetBuilder::new();
    for pattern in patterns {
        let glob = GlobBuilder::new(pattern).literal_separator(true).build();
        set.add(glob.map_err(|cause| Error::usage("a pattern of the test script cannot be read").at(pattern).cause(cause))?);
    }
    set.build().map_err(|cause| Error::internal("patterns of test files cannot be joined").cause(cause))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn found(files: &[&str], patterns: &[&str]) -> Vec<String> {
        let scene = tempfile::tempdir().unwrap();
        for file in files {
            fs::create_dir_all(scene.path().join(file).parent().unwrap()).unwrap();
            fs::write(scene.path().join(file), "").unwrap();
        }
        let patterns: Vec<String> = patterns.iter().map(|pattern| pattern.to_string()).collect();
        find(scene.path(), &[], &patterns, false).unwrap()
    }

    #[test]
    fn without_arguments_names_decide() {
        let files = [
            "a.test.js",
            "lib/b-test.mjs",
            "lib/test.cjs",
            "test/any/thing.js",
            "lib/c.js",
            "d.test.ts",
            "node_modules/a/a.test.js",
        ];
        assert_eq!(found(&files, &[]), ["a.test.js", "lib/b-test.mjs", "lib/test.cjs", "test/any/thing.js"]);
    }

    #[test]
    fn a_file_is_itself_and_a_pattern_what_it_matches() {
        let files = ["spec/a.js", "spec/in/b.js", "[x].js", "x.js"];
        assert_eq!(found(&files, &["./spec/*.js"]), ["spec/a.js"]);
        assert_eq!(found(&files, &["spec/**/*.js"]), ["spec/a.js", "spec/in/b.js"]);
        assert_eq!(found(&files, &["[x].js"]), ["[x].js"]);
    }

    #[test]
    fn in_a_folder_names_decide_unless_it_is_called_test() {
        assert_eq!(found(&["spec/a.js", "spec/b.test.js"], &["spec/"]), ["spec/b.test.js"]);
        assert_eq!(found(&["test/a.js", "test/b.test.js"], &["test"]), ["test/a.js", "test/b.test.js"]);
    }
}
