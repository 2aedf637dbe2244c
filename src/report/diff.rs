//! A mutant as lines: what stood there, and what stands there instead.

use similar::{ChangeTag, TextDiff};

use super::style::{DIM, MINUS, PLUS, paint};
use super::words;
use crate::text::{Edit, Lines, Span};

/// Lines of one side that are shown before the rest is only counted.
const MOST_LINES: usize = 6;
/// Characters of a line that are shown.
const MOST_CHARACTERS: usize = 100;
/// Characters that stay before the change where a long line is cut.
const BEFORE_THE_CHANGE: usize = 40;

/// The changed lines, `-` and `+`, without the indentation that they share.
pub fn small(text: &[u8], edit: &Edit) -> Vec<String> {
    let (before, after) = changed_lines(text, edit);
    let margin =
        before.iter().chain(&after).filter(|line| !line.trim().is_empty()).map(|line| indentation(line)).min().unwrap_or(0);
    let from = first_difference(&before, &after).map(|at| at.saturating_sub(margin));
    let mut lines = side('-', &before, margin, from);
    lines.extend(side('+', &after, margin, from));
    lines
}

/// The same with colours.
pub fn painted(line: &str) -> String {
    match line.chars().next() {
        Some('-') => paint(MINUS, line),
        Some('+') => paint(PLUS, line),
        _ => paint(DIM, line),
    }
}

/// The whole diff in the unified form, with three lines around it.
pub fn unified(path: &str, text: &[u8], edit: &Edit) -> Vec<String> {
    let (before, after) = (decoded(text), decoded(&edit.apply(text)));
    let diff = TextDiff::from_lines(before.as_str(), after.as_str());
    let mut unified = diff.unified_diff();
    unified.context_radius(3).missing_newline_hint(false).header(path, path);
    unified.to_string().lines().map(words::escape_code).collect()
}

/// A byte order mark is no part of a line that anybody wants to read.
fn decoded(text: &[u8]) -> String {
    String::from_utf8_lossy(text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text)).into_owned()
}

/// Whole lines, before and after, without those that are equal.
fn changed_lines(text: &[u8], edit: &Edit) -> (Vec<String>, Vec<String>) {
    let span = whole_lines(text, edit.span);
    let local = Edit::new(Span::new(edit.span.start - span.start, edit.span.end - span.start), edit.replacement.clone());
    let before = decoded(&text[span.range()]);
    let after = decoded(&local.apply(&text[span.range()]));
    let diff = TextDiff::from_lines(before.as_str(), after.as_str());
    let of = |tag| diff.iter_all_changes().filter(move |change| change.tag() == tag).map(|change| line(change.value()));
    // What goes away leaves no line that is worth showing.
    let is_worth_it = |line: &String| !edit.replacement.is_empty() || !line.trim().is_empty();
    (of(ChangeTag::Delete).collect(), of(ChangeTag::Insert).filter(is_worth_it).collect())
}

fn line(text: &str) -> String {
    text.trim_end_matches(['\r', '\n']).replace('\t', "    ")
}

/// From the start of the first line that is touched to the end of the last.
fn whole_lines(text: &[u8], span: Span) -> Span {
    let lines = Lines::of(text);
    let last = lines.line(span.end.max(span.start + 1) - 1);
    Span::new(lines.start_of(lines.line(span.start), text), lines.start_of(last + 1, text).max(span.end))
}

fn indentation(line: &str) -> usize {
    line.chars().take_while(|character| *character == ' ').count()
}

/// The character at which two single lines part.
fn first_difference(before: &[String], after: &[String]) -> Option<usize> {
    let ([before], [after]) = (before, after) else { return None };
    Some(before.chars().zip(after.chars()).take_while(|(left, right)| left == right).count())
}

fn side(sign: char, lines: &[String], margin: usize, from: Option<usize>) -> Vec<String> {
    let shown = lines.iter().take(MOST_LINES).map(|line| {
        let line: String = line.chars().skip(margin).collect();
        format!("{sign} {}", words::escape(&window(&line, from.unwrap_or(0)))).trim_end().to_string()
    });
    let more = lines.len().saturating_sub(MOST_LINES);
    shown.chain((more > 0).then(|| format!("{sign} … {more} more lines"))).collect()
}

/// The part of a long line that holds the change.
fn window(line: &str, change: usize) -> String {
    let length = line.chars().count();
    if length <= MOST_CHARACTERS {
        return line.to_string();
    }
    let start = change.saturating_sub(BEFORE_THE_CHANGE).min(length - MOST_CHARACTERS);
    let part: String = line.chars().skip(start).take(MOST_CHARACTERS).collect();
    let (head, tail) = (if start > 0 { "…" } else { "" }, if start + MOST_CHARACTERS < length { "…" } else { "" });
    format!("{head}{part}{tail}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn small_of(text: &[u8], original: &str, replacement: &str) -> Vec<String> {
        let at = text.windows(original.len()).position(|part| part == original.as_bytes()).unwrap();
        small(text, &Edit::new(Span::new(at, at + original.len()), replacement))
    }

    #[test]
    fn a_change_inside_a_line_shows_two_whole_lines() {
        let text = b"def f(a):\r\n    if a < 1:\r\n        pass\r\n";
        assert_eq!(small_of(text, "<", "<="), ["- if a < 1:", "+ if a <= 1:"]);
    }

    #[test]
    fn several_lines_may_become_one() {
        let text = b"def f(a):\n    b = a\n    return b\n\nx = 1\n";
        assert_eq!(small_of(text, "b = a\n    return b", "pass"), ["- b = a", "- return b", "+ pass"]);
    }

    #[test]
    fn a_statement_that_goes_away_with_its_line_shows_no_plus() {
        assert_eq!(small_of(b"a()\nb()\nc()\n", "b()\n", ""), ["- b()"]);
    }

    #[test]
    fn a_statement_that_goes_away_without_its_line_shows_no_empty_line() {
        assert_eq!(small_of(b"{\n  a()\n  b()\n}\n", "b()", ""), ["- b()"]);
    }

    #[test]
    fn equal_lines_inside_the_edit_are_left_out() {
        assert_eq!(small_of(b"f(1,\n  2,\n  3)\n", "1,\n  2", "9,\n  2"), ["- f(1,", "+ f(9,"]);
    }

    #[test]
    fn a_long_body_is_counted_and_not_printed() {
        let body: String = (0..40).map(|n| format!("    call({n})\n")).collect();
        let text = format!("def f():\n{body}");
        let lines = small(text.as_bytes(), &Edit::new(Span::new(13, text.len() - 1), "pass"));
        assert_eq!(lines.len(), 8);
        assert_eq!(lines[6..], ["- … 34 more lines", "+ pass"]);
    }

    #[test]
    fn a_long_line_is_cut_around_the_change() {
        let text = format!("{}a < b{}\n", "x".repeat(200), "y".repeat(200));
        let lines = small_of(text.as_bytes(), "<", "<=");
        assert!(lines[0].starts_with("- …x") && lines[0].ends_with("y…"), "{lines:?}");
        assert!(lines[0].contains("a < b") && lines[1].contains("a <= b"));
        assert_eq!(lines[0].chars().count(), "- ……".chars().count() + MOST_CHARACTERS);
    }

    #[test]
    fn a_file_that_is_not_utf8_has_a_diff() {
        assert_eq!(small_of(b"n = '\xe9' < b\n", "<", ">"), ["- n = '\u{fffd}' < b", "+ n = '\u{fffd}' > b"]);
    }

    #[test]
    fn control_characters_of_a_source_are_escaped() {
        assert_eq!(small_of(b"a < '\x1b[2J'\n", "<", ">"), ["- a < '\\u{1b}[2J'", "+ a > '\\u{1b}[2J'"]);
    }

    #[test]
    fn a_byte_order_mark_is_not_shown() {
        assert_eq!(small_of(b"\xef\xbb\xbfa < b\n", "<", ">"), ["- a < b", "+ a > b"]);
    }

    #[test]
    fn an_edit_at_the_end_of_a_file_without_line_feed_is_shown() {
        assert_eq!(small_of(b"a = 1", "1", "2"), ["- a = 1", "+ a = 2"]);
    }
}
