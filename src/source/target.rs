//! What the user points at: `FILE`, `DIR`, `FILE:LINE`, `FILE:FIRST-LAST`, `FILE::Class.method`.
//!
//! A colon may be part of a file's name, so whatever exists is taken by its name first. A place as we print it,
//! `FILE:LINE:COLUMN`, means its line.

use std::path::{Path, PathBuf};

use crate::error::{Error, Result};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// As the user wrote it, perhaps relative to the working folder.
    pub path: PathBuf,
    /// First and last line, from 1.
    pub lines: Option<(usize, usize)>,
    /// Qualified name of a function or class.
    pub function: Option<String>,
}

impl Target {
    pub fn whole(path: impl Into<PathBuf>) -> Target {
        Target { path: path.into(), lines: None, function: None }
    }
}

/// `exists` tells whether there is a file or folder of that name.
pub fn parse(text: &str, exists: &dyn Fn(&Path) -> bool) -> Result<Target> {
    if text.is_empty() {
        return Err(Error::usage("a target is empty").mend("name a file or a folder"));
    }
    if exists(Path::new(text)) {
        return Ok(Target::whole(text));
    }
    if let Some((path, function)) = split_function(text, exists) {
        return Ok(Target { function: Some(function.to_string()), ..Target::whole(path) });
    }
    match text.rsplit_once(':') {
        Some((path, end)) if !path.is_empty() && is_range(end) => in_lines(text, path, end, exists),
        _ => Ok(Target::whole(text)),
    }
}

/// `FILE::NAME`, where the name may hold `::` too: then the file that exists decides.
fn split_function<'t>(text: &'t str, exists: &dyn Fn(&Path) -> bool) -> Option<(&'t str, &'t str)> {
    let mut splits = text.match_indices("::").map(|(at, _)| (&text[..at], &text[at + 2..]));
    let known = splits.find(|(path, function)| exists(Path::new(path)) && is_name(&function.replace("::", "")));
    known.or_else(|| text.rsplit_once("::").filter(|(path, function)| is_name(function) && !path.is_empty()))
}

/// `FILE:LINE`, `FILE:FIRST-LAST` or `FILE:LINE:COLUMN`.
fn in_lines(text: &str, path: &str, end: &str, exists: &dyn Fn(&Path) -> bool) -> Result<Target> {
    let before = path.rsplit_once(':').filter(|(shorter, line)| !shorter.is_empty() && is_number(line) && is_number(end));
    match before {
        Some((shorter, line)) if !exists(Path::new(path)) => {
            Ok(Target { lines: Some(range(text, line)?), ..Target::whole(shorter) })
        }
        _ => Ok(Target { lines: Some(range(text, end)?), ..Target::whole(path) }),
    }
}

fn range(text: &str, lines: &str) -> Result<(usize, usize)> {
    let (first, last) = lines.split_once('-').unwrap_or((lines, lines));
    let number = |digits: &str| digits.parse::<usize>().map_err(|_| wrong(text, "a line number is too large"));
    let (first, last) = (number(first)?, number(last)?);
    if first == 0 {
        return Err(wrong(text, "lines are counted from 1"));
    }
    if first > last {
        return Err(wrong(text, "the first line comes after the last"));
    }
    Ok((first, last))
}

fn wrong(text: &str, why: &str) -> Error {
    Error::usage(format!("`{text}` names no lines: {why}")).mend("write FILE:LINE or FILE:FIRST-LAST")
}

fn is_range(text: &str) -> bool {
    text.split_once('-').map_or(is_number(text), |(first, last)| is_number(first) && is_number(last))
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// A name has no `/` in it, so `a::b/c.py` stays a path.
fn is_name(text: &str) -> bool {
    !text.is_empty() && !text.contains(['/', '\\', ':'])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str, files: &[&str]) -> Target {
        parse(text, &|path| files.contains(&path.to_str().unwrap())).unwrap()
    }

    fn lines(path: &str, first: usize, last: usize) -> Target {
        Target { lines: Some((first, last)), ..Target::whole(path) }
    }

    fn function(path: &str, name: &str) -> Target {
        Target { function: Some(name.to_string()), ..Target::whole(path) }
    }

    #[test]
    fn a_name_may_hold_colons_behind_a_file_that_exists() {
        assert_eq!(parsed("a.rb::A::B#c", &["a.rb"]), function("a.rb", "A::B#c"));
        assert_eq!(parsed("a.rb::A.c", &[]), function("a.rb", "A.c"));
    }

    #[test]
    fn a_target_is_a_file_or_a_part_of_it() {
        let files = ["a.py", "src"];
        assert_eq!(parsed("a.py", &files), Target::whole("a.py"));
        assert_eq!(parsed("src", &files), Target::whole("src"));
        assert_eq!(parsed("a.py:40", &files), lines("a.py", 40, 40));
        assert_eq!(parsed("a.py:40-60", &files), lines("a.py", 40, 60));
        assert_eq!(parsed("a.py::Cart.total", &files), function("a.py", "Cart.total"));
    }

    #[test]
    fn a_place_as_we_print_it_means_its_line() {
        assert_eq!(parsed("a.py:40:7", &["a.py"]), lines("a.py", 40, 40));
    }

    #[test]
    fn a_colon_may_be_part_of_a_name() {
        assert_eq!(parsed("a:1", &["a:1"]), Target::whole("a:1"));
        assert_eq!(parsed("a:1:2", &["a:1"]), lines("a:1", 2, 2));
        assert_eq!(parsed("a::b.py", &["a::b.py"]), Target::whole("a::b.py"));
        assert_eq!(parsed("a::b.py::f", &["a::b.py"]), function("a::b.py", "f"));
        assert_eq!(parsed("x::y/a.py", &[]), Target::whole("x::y/a.py"));
    }

    #[test]
    fn what_does_not_exist_keeps_its_shape_for_the_complaint() {
        assert_eq!(parsed("gone.py:3", &[]), lines("gone.py", 3, 3));
        assert_eq!(parsed("gone.py::f", &[]), function("gone.py", "f"));
        assert_eq!(parsed("gone.py:", &[]), Target::whole("gone.py:"));
        assert_eq!(parsed("gone.py::", &[]), Target::whole("gone.py::"));
        assert_eq!(parsed("gone.py:a-b", &[]), Target::whole("gone.py:a-b"));
    }

    #[test]
    fn lines_that_cannot_be_are_refused() {
        for wrong in ["a.py:0", "a.py:0-3", "a.py:9-3", "a.py:99999999999999999999999", ""] {
            let error = parse(wrong, &|path| path == Path::new("a.py")).unwrap_err();
            assert_eq!(error.kind.exit_code(), 2, "{wrong}");
        }
    }
}
