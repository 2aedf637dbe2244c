//! One change of a text: a span and what stands there instead.

use serde::{Deserialize, Serialize};

use super::Span;

/// A replacement of `span`, in bytes: sources need not be UTF-8.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Edit {
    pub span: Span,
    pub replacement: Vec<u8>,
}

impl Edit {
    pub fn new(span: Span, replacement: impl Into<Vec<u8>>) -> Edit {
        Edit { span, replacement: replacement.into() }
    }

    /// The whole text with this edit made; every byte outside the span is kept.
    pub fn apply(&self, text: &[u8]) -> Vec<u8> {
        let mut out = Vec::with_capacity(text.len() - self.span.len() + self.replacement.len());
        out.extend_from_slice(&text[..self.span.start]);
        out.extend_from_slice(&self.replacement);
        out.extend_from_slice(&text[self.span.end..]);
        out
    }

    /// The same change written in one way: without what it shares with the original at either end, and as far to the right as it can
    /// go.
    ///
    /// Removing the first or the second of two equal words gives one text, so it is one change.
    pub fn canonical(&self, text: &[u8]) -> Edit {
        let original = &text[self.span.range()];
        let prefix = original.iter().zip(&self.replacement).take_while(|(a, b)| a == b).count();
        let (original, replacement) = (&original[prefix..], &self.replacement[prefix..]);
        let suffix = original.iter().rev().zip(replacement.iter().rev()).take_while(|(a, b)| a == b).count();
        let mut span = Span::new(self.span.start + prefix, self.span.end - suffix);
        let replacement = &replacement[..replacement.len() - suffix];
        if replacement.is_empty() {
            while span.end < text.len() && text[span.start] == text[span.end] {
                span = Span::new(span.start + 1, span.end + 1);
            }
        }
        Edit::new(span, replacement)
    }

    /// The edit that brings the original text back, to be applied to what [`Edit::apply`] gave.
    pub fn undo(&self, text: &[u8]) -> Edit {
        let start = self.span.start;
        Edit::new(Span::new(start, start + self.replacement.len()), &text[self.span.range()])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn undoing_an_edit_gives_the_same_bytes() {
        let text = b"if a < b:\r\n  f(\xe9)\r\n";
        let edit = Edit::new(Span::new(5, 6), "<=");
        let mutated = edit.apply(text);
        assert_eq!(mutated, b"if a <= b:\r\n  f(\xe9)\r\n");
        assert_eq!(edit.undo(text).apply(&mutated), text);
    }

    #[test]
    fn one_change_has_one_canonical_form() {
        let text = b"x = not not a\n";
        let outer = Edit::new(Span::new(4, 13), "not a");
        let inner = Edit::new(Span::new(8, 13), "a");
        assert_eq!(outer.canonical(text), inner.canonical(text));
    }
}
