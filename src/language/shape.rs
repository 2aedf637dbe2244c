//! Does an edited text still mean what the edit intends?
//!
//! Replacing text inside an expression can regroup it (`a / b ** c` with `*` is `(a / b) * c`), join two tokens (`a+-b` with `-`), or
//! break the syntax. So the edited text is parsed again, from the old tree, and the new piece must be exactly one node in the place of
//! the old one. [`Shape::holds`] answers for one edit; [`Shape::fit`] tries the parentheses that may help.

use tree_sitter::{InputEdit, Node, Parser, Point};

use super::vocabulary as v;
use super::{At, Language, Tree};
use crate::text::{Edit, Lines, Span};

/// A parser together with the file that is being edited.
pub struct Shape<'t> {
    language: &'static Language,
    tree: &'t Tree,
    text: &'t [u8],
    lines: Lines,
    parser: Parser,
    errors_before: usize,
    /// Without, every edit is parsed; slower, and the measure of what the short cuts must give.
    short_cuts: bool,
}

/// What an edit must leave in place.
struct Intent {
    /// A node must span exactly this, after the edit.
    piece: Span,
    /// A node of this kind must span exactly this: the parent of what was replaced.
    around: Option<(u16, Span)>,
    /// Nodes must span exactly these: the operands of a swapped operator.
    operands: Vec<Span>,
    /// The node of the swapped operator: same kind, exactly this span.
    operation: Option<(u16, Span)>,
}

impl<'t> Shape<'t> {
    pub fn new(language: &'static Language, tree: &'t Tree, text: &'t [u8], short_cuts: bool) -> Shape<'t> {
        let mut parser = Parser::new();
        parser.set_language(&language.knowledge().grammar).expect("the grammar crate fits the parser library");
        Shape { language, tree, text, lines: Lines::of(text), parser, errors_before: errors(tree.parsed.root_node()), short_cuts }
    }

    /// The edit that puts `replacement` in place of a node, with parentheses if it needs them; `None` if it cannot be done.
    pub fn fit_node(&mut self, at: At, replacement: &[u8]) -> Option<Edit> {
        if let Some(edit) = self.plainly_fits(at, replacement) {
            return Some(edit);
        }
        let plain = Edit::new(self.tree.span(at), replacement);
        let parenthesised = Edit::new(self.tree.span(at), in_parentheses(replacement));
        let plain = Some(plain).filter(|_| !self.would_begin_a_statement(at, replacement));
        plain.into_iter().chain([parenthesised]).find(|edit| self.holds(edit, &self.intent_of_node(at, edit)))
    }

    /// The edit that puts `replacement`, which may be any tokens or none, in place of a token; the node around it must stay what it is.
    pub fn fit_token(&mut self, token: At, replacement: &[u8]) -> Option<Edit> {
        let edit = Edit::new(self.tree.span(token), replacement);
        let around = self.tree.parent(token)?;
        let piece = shifted(self.tree.span(around), &edit);
        let intent = Intent { piece, around: Some((self.tree.kind(around), piece)), operands: Vec::new(), operation: None };
        self.holds(&edit, &intent).then_some(edit)
    }

    /// The edit that puts `replacement` in place of several statements.
    pub fn fit_span(&mut self, span: Span, replacement: &[u8]) -> Option<Edit> {
        let edit = Edit::new(span, replacement);
        if self.may_cut_short(&edit) && self.ends_statement(&edit) {
            return Some(edit);
        }
        let piece = Span::new(span.start, span.start + edit.replacement.len());
        let intent = Intent { piece, around: None, operands: Vec::new(), operation: None };
        self.holds(&edit, &intent).then_some(edit)
    }

    /// The edit that swaps an operator token for another, with parentheses round operands or the whole if that is needed.
    pub fn fit_operator(&mut self, token: At, replacement: &[u8]) -> Option<Edit> {
        if let Some(edit) = self.plainly_swaps(token, replacement) {
            return Some(edit);
        }
        let operation = self.tree.parent(token)?;
        let plain = Edit::new(self.tree.span(token), replacement);
        if self.holds(&plain, &self.intent_of_operator(token, operation, &plain)) {
            return Some(plain);
        }
        let swapped = self.swapped(token, operation, replacement);
        swapped.into_iter().find(|(edit, intent)| self.holds(edit, intent)).map(|(edit, _)| edit)
    }

    /// The edit, where it needs no parsing: a statement for a statement, a name for a name, or something that binds as tight as can be
    /// where any expression may stand; and nowhere can a neighbour join with it.
    /// `tests/properties.rs` holds this against the parser over a large body of code.
    fn plainly_fits(&self, at: At, replacement: &[u8]) -> Option<Edit> {
        let edit = Edit::new(self.tree.span(at), replacement);
        let fits = self.is_statement_for_statement(at, &edit)
            || is_word(self.tree.text(at, self.text)) && is_word(replacement)
            || self.is_before_any_end(at) && (is_primary(replacement) || self.is_own_operand(at, replacement));
        let fits = fits && !self.may_begin_a_statement(at, replacement);
        (fits && self.may_cut_short(&edit)).then_some(edit)
    }

    /// The first word of a statement, or a bracket there that could belong to the line above: only the parser can tell.
    fn may_begin_a_statement(&self, at: At, replacement: &[u8]) -> bool {
        let words = &self.language.manifest.precedence.statement_words;
        let is_bracket = replacement.first().is_some_and(|first| b"([`+-/".contains(first));
        !words.is_empty() && (is_bracket || self.begins_with_any(words, replacement)) && self.begins_statement(at)
    }

    /// The parser would take it for another kind of statement, or, worse, would not.
    fn would_begin_a_statement(&self, at: At, replacement: &[u8]) -> bool {
        let words = &self.language.manifest.precedence.statement_words;
        self.begins_with_any(words, replacement) && self.begins_statement(at)
    }

    fn begins_with_any(&self, words: &[String], replacement: &[u8]) -> bool {
        let follows = |length: usize| !replacement.get(length).is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
        words.iter().any(|word| replacement.starts_with(word.as_bytes()) && (!is_word(word.as_bytes()) || follows(word.len())))
    }

    /// True for an expression at the very begin of a statement, or of the expression that is all of a function.
    fn begins_statement(&self, at: At) -> bool {
        if self.tree.is_any(at, &[v::STATEMENT, v::BLOCK]) {
            return false;
        }
        let start = self.tree.span(at).start;
        let chain = std::iter::once(at).chain(self.tree.ancestors(at)).take_while(|at| self.tree.span(*at).start == start);
        let is_body = |at: At| {
            let parent = self.tree.parent(at);
            self.tree.is(at, v::RETURN_VALUE) && parent.is_some_and(|parent| self.tree.is(parent, v::FUNCTION))
        };
        chain.into_iter().any(|at| self.tree.is(at, v::STATEMENT) || is_body(at))
    }

    fn is_statement_for_statement(&self, at: At, edit: &Edit) -> bool {
        self.tree.is_any(at, &[v::STATEMENT, v::BLOCK]) && self.ends_statement(edit)
    }

    /// One line in place of whole statements: nothing but the end of the line or of the statement follows.
    fn ends_statement(&self, edit: &Edit) -> bool {
        let follows = self.text.get(edit.span.end);
        !edit.replacement.contains(&b'\n') && matches!(follows, None | Some(b'\n' | b'\r' | b';' | b' ' | b'\t' | b'}'))
    }

    fn plainly_swaps(&self, token: At, replacement: &[u8]) -> Option<Edit> {
        let edit = Edit::new(self.tree.span(token), replacement);
        let before = std::str::from_utf8(self.tree.text(token, self.text)).ok()?;
        let after = std::str::from_utf8(replacement).ok()?;
        let fits =
            self.language.manifest.precedence.alike(before, after) && !self.joins_neighbours(&edit) && self.errors_before == 0;
        fits.then_some(edit)
    }

    fn may_cut_short(&self, edit: &Edit) -> bool {
        self.short_cuts && self.errors_before == 0 && !self.joins_neighbours(edit)
    }

    /// An operand binds tighter than the operation that holds it, so it fits wherever the operation stood.
    fn is_own_operand(&self, at: At, replacement: &[u8]) -> bool {
        let whole = self.tree.span(at);
        let children: Vec<At> = self.tree.children(at).collect();
        let is_operation = children.iter().any(|child| !self.tree.is_named(*child));
        is_operation
            && children.iter().filter(|child| self.tree.is_named(**child)).any(|child| {
                let span = self.tree.span(*child);
                self.text[span.range()] == *replacement && (span.start == whole.start || span.end == whole.end)
            })
    }

    /// Not before a `.` or bracket that would take hold of it, nor before a string that would be glued on.
    fn is_before_any_end(&self, at: At) -> bool {
        !matches!(self.text.get(self.tree.span(at).end), Some(b'.' | b'(' | b'[' | b'"' | b'\'' | b'`'))
    }

    fn joins_neighbours(&self, edit: &Edit) -> bool {
        let before = edit.span.start.checked_sub(1).map(|at| self.text[at]);
        let after = self.text.get(edit.span.end).copied();
        let joins = |left: Option<u8>, right: Option<u8>| match (left, right) {
            (Some(left), Some(right)) => may_join(left, right),
            _ => false,
        };
        joins(before, edit.replacement.first().copied()) || joins(edit.replacement.last().copied(), after)
    }

    /// Parses the edited text, starting from the old tree, and compares it with what was intended.
    fn holds(&mut self, edit: &Edit, intent: &Intent) -> bool {
        let Some(parsed) = self.parse_edited(edit) else { return false };
        let root = parsed.root_node();
        let errors_now = if root.has_error() { errors(root) } else { 0 };
        errors_now <= self.errors_before
            && node_spanning(root, intent.piece, None)
            && intent.around.is_none_or(|(kind, span)| node_spanning(root, span, Some(kind)))
            && intent.operation.is_none_or(|(kind, span)| node_spanning(root, span, Some(kind)))
            && intent.operands.iter().all(|span| node_spanning(root, *span, None))
    }

    fn parse_edited(&mut self, edit: &Edit) -> Option<tree_sitter::Tree> {
        let mut old = self.tree.parsed.clone();
        let new_end = edit.span.start + edit.replacement.len();
        old.edit(&InputEdit {
            start_byte: edit.span.start,
            old_end_byte: edit.span.end,
            new_end_byte: new_end,
            start_position: self.point(edit.span.start),
            old_end_position: self.point(edit.span.end),
            new_end_position: point_after(self.point(edit.span.start), &edit.replacement),
        });
        let text = self.text;
        let mut read = |offset: usize, _: Point| -> &[u8] {
            if offset < edit.span.start {
                &text[offset..edit.span.start]
            } else if offset < new_end {
                &edit.replacement[offset - edit.span.start..]
            } else {
                text.get(edit.span.end + (offset - new_end)..).unwrap_or_default()
            }
        };
        self.parser.parse_with_options(&mut read, Some(&old), None)
    }

    fn point(&self, offset: usize) -> Point {
        let line = self.lines.line(offset);
        Point::new(line - 1, offset - self.lines.start_of(line, self.text))
    }

    fn intent_of_node(&self, at: At, edit: &Edit) -> Intent {
        let piece = Span::new(edit.span.start, edit.span.start + edit.replacement.len());
        let around = self.tree.parent(at).map(|parent| (self.tree.kind(parent), shifted(self.tree.span(parent), edit)));
        Intent { piece, around, operands: Vec::new(), operation: None }
    }

    fn intent_of_operator(&self, token: At, operation: At, edit: &Edit) -> Intent {
        let operands = self.operands_of(token, operation).into_iter().map(|at| shifted(self.tree.span(at), edit)).collect();
        Intent {
            piece: Span::new(edit.span.start, edit.span.start + edit.replacement.len()),
            around: self.tree.parent(operation).map(|parent| (self.tree.kind(parent), shifted(self.tree.span(parent), edit))),
            operands,
            operation: Some((self.tree.kind(operation), shifted(self.tree.span(operation), edit))),
        }
    }

    /// The named nodes on either side of an operator.
    fn operands_of(&self, token: At, operation: At) -> Vec<At> {
        let children: Vec<At> = self.tree.children(operation).collect();
        let Some(position) = children.iter().position(|child| *child == token) else { return Vec::new() };
        let left = children[..position].iter().rev().find(|child| self.tree.is_named(**child));
        let right = children[position + 1..].iter().find(|child| self.tree.is_named(**child));
        left.into_iter().chain(right).copied().collect()
    }

    /// The swap with parentheses: round the right operand, the left one, both, the whole, and the whole with operands.
    fn swapped(&self, token: At, operation: At, replacement: &[u8]) -> Vec<(Edit, Intent)> {
        let [left, right] = self.operands_of(token, operation)[..] else { return Vec::new() };
        let forms = [(false, false, true), (false, true, false), (false, true, true), (true, false, false), (true, false, true)];
        forms.into_iter().map(|form| self.swapped_as(operation, token, (left, right), replacement, form)).collect()
    }

    fn swapped_as(
        &self,
        operation: At,
        token: At,
        (left, right): (At, At),
        replacement: &[u8],
        (whole, round_left, round_right): (bool, bool, bool),
    ) -> (Edit, Intent) {
        let span = self.tree.span(operation);
        let (left, token, right) = (self.tree.span(left), self.tree.span(token), self.tree.span(right));
        let mut text = Writer { source: self.text, at: span.start, out: Vec::new(), base: span.start };
        if whole {
            text.out.push(b'(');
        }
        let inner_start = span.start + text.out.len();
        let left = text.operand(left, round_left);
        text.copy_to(token.start);
        let piece_start = span.start + text.out.len();
        text.out.extend_from_slice(replacement);
        let piece = Span::new(piece_start, span.start + text.out.len());
        text.at = token.end;
        let right = text.operand(right, round_right);
        text.copy_to(span.end);
        let inner = Span::new(inner_start, span.start + text.out.len());
        if whole {
            text.out.push(b')');
        }
        let edit = Edit::new(span, text.out);
        let around = self.tree.parent(operation).map(|parent| (self.tree.kind(parent), shifted(self.tree.span(parent), &edit)));
        let operation = Some((self.tree.kind(operation), inner));
        (edit, Intent { piece, around, operands: vec![left, right], operation })
    }
}

/// Copies an operation piece by piece and knows where in the edited file each piece lands.
struct Writer<'t> {
    source: &'t [u8],
    at: usize,
    out: Vec<u8>,
    base: usize,
}

impl Writer<'_> {
    fn copy_to(&mut self, end: usize) {
        self.out.extend_from_slice(&self.source[self.at..end]);
        self.at = end;
    }

    fn operand(&mut self, span: Span, parentheses: bool) -> Span {
        self.copy_to(span.start);
        if parentheses {
            self.out.push(b'(');
        }
        let start = self.base + self.out.len();
        self.copy_to(span.end);
        let end = self.base + self.out.len();
        if parentheses {
            self.out.push(b')');
        }
        Span::new(start, end)
    }
}

fn in_parentheses(text: &[u8]) -> Vec<u8> {
    [b"(", text, b")"].concat()
}

/// Where a span that contains the edit ends up.
fn shifted(span: Span, edit: &Edit) -> Span {
    let move_by = |offset: usize| {
        if offset >= edit.span.end { offset + edit.replacement.len() - edit.span.len() } else { offset }
    };
    Span::new(if span.start > edit.span.start { move_by(span.start) } else { span.start }, move_by(span.end))
}

fn node_spanning(root: Node, span: Span, kind: Option<u16>) -> bool {
    let mut found = root.descendant_for_byte_range(span.start, span.end);
    while let Some(node) = found {
        if (node.start_byte(), node.end_byte()) != (span.start, span.end) {
            // The root starts at the first token, whatever blanks stand before it.
            return node.parent().is_none() && kind == Some(node.kind_id());
        }
        if !node.is_error() && kind.is_none_or(|kind| kind == node.kind_id()) {
            return true;
        }
        found = node.parent();
    }
    false
}

/// The number of nodes that do not fit; only broken subtrees are visited.
fn errors(node: Node) -> usize {
    if !node.has_error() {
        return 0;
    }
    let mut cursor = node.walk();
    let below: usize = node.children(&mut cursor).map(errors).sum();
    below + usize::from(node.is_error() || node.is_missing())
}

fn point_after(start: Point, text: &[u8]) -> Point {
    match text.iter().rposition(|byte| *byte == b'\n') {
        Some(last) => Point::new(start.row + text.iter().filter(|byte| **byte == b'\n').count(), text.len() - last - 1),
        None => Point::new(start.row, start.column + text.len()),
    }
}

fn is_word(text: &[u8]) -> bool {
    !text.is_empty() && text.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
}

/// What nothing can take apart: a word or a chain of them (`a.b.c`, `0.0`), an empty pair of brackets or a call of a word without
/// arguments, a text in quotes.
fn is_primary(text: &[u8]) -> bool {
    // What a language knows to be there, `a!`, is as tight.
    let text = text.strip_suffix(b"!").unwrap_or(text);
    let is_chain = |text: &[u8]| text.split(|byte| *byte == b'.').all(is_word);
    let called = text.strip_suffix(b"()").or_else(|| text.strip_suffix(b"[]")).or_else(|| text.strip_suffix(b"{}"));
    is_chain(text) || called.is_some_and(|name| name.is_empty() || is_chain(name)) || is_quoted(text)
}

/// A short text in plain quotes, perhaps as bytes.
fn is_quoted(text: &[u8]) -> bool {
    let text = text.strip_prefix(b"b").unwrap_or(text);
    match text {
        [open @ (b'"' | b'\''), inside @ .., close] => open == close && inside.iter().all(u8::is_ascii_alphanumeric),
        _ => false,
    }
}

/// Two bytes that could become one token, or glue two literals together.
fn may_join(left: u8, right: u8) -> bool {
    let word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80;
    let sign = |byte: u8| b"+-*/%<>=!&|^~@:.".contains(&byte);
    let quote = |byte: u8| byte == b'"' || byte == b'\'';
    word(left) && (word(right) || quote(right))
        || sign(left) && sign(right)
        || quote(left) && (quote(right) || word(right))
        || (word(left) && right == b'.')
}
