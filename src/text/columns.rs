//! Lines and columns of a byte offset, in the unit that a reader wants.
//!
//! Everything inside counts bytes. People count characters, the shared report schema counts UTF-16 code units. A line ends at `\n`
//! only, as it does for the parser.

use serde::{Deserialize, Serialize};

/// A place in a file as people write it: both numbers start at 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Position {
    pub line: usize,
    /// In the unit of the function that made it.
    pub column: usize,
}

/// Where the lines of a text start.
#[derive(Clone, Debug)]
pub struct Lines {
    starts: Vec<usize>,
}

impl Lines {
    pub fn of(text: &[u8]) -> Lines {
        let after_breaks = text.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at + 1);
        Lines { starts: std::iter::once(0).chain(after_breaks).collect() }
    }

    /// The number of lines, where a final line feed starts no new line.
    pub fn count(&self, text: &[u8]) -> usize {
        self.starts.len() - usize::from(self.starts.last() == Some(&text.len()))
    }

    /// The line of an offset, from 1.
    pub fn line(&self, offset: usize) -> usize {
        self.starts.partition_point(|start| *start <= offset)
    }

    /// Byte offset at which a line (from 1) starts; the end of the text for a line past the last.
    pub fn start_of(&self, line: usize, text: &[u8]) -> usize {
        self.starts.get(line - 1).copied().unwrap_or(text.len())
    }

    /// Line and column in characters.
    pub fn position(&self, text: &[u8], offset: usize) -> Position {
        self.position_by(text, offset, |part| part.chars().count())
    }

    /// Line and column in UTF-16 code units.
    pub fn utf16_position(&self, text: &[u8], offset: usize) -> Position {
        self.position_by(text, offset, |part| part.chars().map(char::len_utf16).sum())
    }

    fn position_by(&self, text: &[u8], offset: usize, width: fn(&str) -> usize) -> Position {
        let line = self.line(offset);
        let before = String::from_utf8_lossy(without_byte_order_mark(&text[self.starts[line - 1]..offset], line));
        Position { line, column: width(&before) + 1 }
    }
}

fn without_byte_order_mark(text: &[u8], line: usize) -> &[u8] {
    match line {
        1 => text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text),
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_column_counts_characters_or_utf16_units() {
        let text = "s = \"😀\"; a < b\n".as_bytes();
        let at = text.iter().position(|byte| *byte == b'<').unwrap();
        let lines = Lines::of(text);
        assert_eq!(lines.position(text, at), Position { line: 1, column: 12 });
        assert_eq!(lines.utf16_position(text, at), Position { line: 1, column: 13 });
    }

    #[test]
    fn a_byte_order_mark_takes_no_column() {
        let text = b"\xef\xbb\xbfa < b\nc";
        assert_eq!(Lines::of(text).position(text, 5), Position { line: 1, column: 3 });
        assert_eq!(Lines::of(text).position(text, 9), Position { line: 2, column: 1 });
    }

    #[test]
    fn a_final_line_feed_starts_no_line() {
        assert_eq!(Lines::of(b"a\nb\n").count(b"a\nb\n"), 2);
        assert_eq!(Lines::of(b"a\nb").count(b"a\nb"), 2);
    }
}
