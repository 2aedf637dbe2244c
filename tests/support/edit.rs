//! A change as a person writes it (`total > 100 → total >= 100`, at a line and column), made by hand.
//!
//! Shares no code with the engine on purpose: this is what the engine is held against.

/// A text as characters; files that are not UTF-8 are read and written as Latin-1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text {
    characters: Vec<char>,
    latin_1: bool,
}

const BYTE_ORDER_MARK: char = '\u{feff}';

impl Text {
    pub fn of(bytes: &[u8]) -> Text {
        match std::str::from_utf8(bytes) {
            Ok(text) => Text { characters: text.chars().collect(), latin_1: false },
            Err(_) => Text { characters: bytes.iter().map(|byte| char::from(*byte)).collect(), latin_1: true },
        }
    }

    pub fn bytes(&self) -> Vec<u8> {
        if self.latin_1 {
            return self.characters.iter().map(|character| u8::try_from(*character).expect("a Latin-1 character")).collect();
        }
        self.characters.iter().collect::<String>().into_bytes()
    }

    /// Index of a line and column (both from 1). A byte order mark takes no column.
    pub fn index(&self, line: usize, column: usize, width: fn(char) -> usize) -> Option<usize> {
        let breaks = self.characters.iter().enumerate().filter(|(_, character)| **character == '\n').map(|(at, _)| at + 1);
        let mut index = std::iter::once(0).chain(breaks).nth(line.checked_sub(1)?)?;
        if line == 1 && self.characters.first() == Some(&BYTE_ORDER_MARK) {
            index += 1;
        }
        let mut missing = column.checked_sub(1)?;
        while missing > 0 {
            missing = missing.checked_sub(width(*self.characters.get(index)?))?;
            index += 1;
        }
        Some(index)
    }

    pub fn replaced(&self, from: usize, to: usize, replacement: &str) -> Text {
        let characters = self.characters[..from]
            .iter()
            .copied()
            .chain(replacement.chars())
            .chain(self.characters[to..].iter().copied())
            .collect();
        Text { characters, latin_1: self.latin_1 }
    }

    /// The text with `change` made where `before` stands around the line and column (in characters).
    pub fn changed(&self, line: usize, column: usize, change: &str) -> Option<Text> {
        let (before, after) = change.split_once(" → ")?;
        let before: Vec<char> = before.chars().collect();
        let at = self.index(line, column, |_| 1)?;
        let starts = (at.saturating_sub(before.len())..=at).rev();
        let start = starts.into_iter().find(|start| self.characters[*start..].starts_with(&before))?;
        Some(self.replaced(start, start + before.len(), after))
    }
}
