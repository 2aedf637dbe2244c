//! Code that is not worth a mutant: logging, text forms, guards of debug output.
//!
//! The grammar names what is arid by itself. What is made only of arid parts is arid too: a statement that is one arid call, a block of
//! such statements, and the `if` that holds only such a block, with its condition. So is code behind a constant.

use globset::{Glob, GlobSet, GlobSetBuilder};

use crate::error::{Error, Result};
use crate::language::vocabulary as v;
use crate::language::{At, Tree};
use crate::source::Source;
use crate::text::Span;

/// Calls that the user wants to leave alone, for example `audit.*`.
#[derive(Clone, Debug, Default)]
pub struct AridCalls(GlobSet);

impl AridCalls {
    /// Fails if a pattern is malformed.
    pub fn new(patterns: &[String]) -> Result<AridCalls> {
        let mut set = GlobSetBuilder::new();
        for pattern in patterns {
            set.add(
                Glob::new(pattern).map_err(|error| Error::usage(format!("`{pattern}` is not a pattern for calls")).cause(error))?,
            );
        }
        set.build().map(AridCalls).map_err(|error| Error::usage("the patterns for calls cannot be used").cause(error))
    }
}

/// For each node the name of the reason for which it is left out.
pub struct LeftOut<'t>(Vec<Option<&'t str>>);

/// Syntax that no rule may touch; not counted.
pub const NEVER: &str = "syntax";
/// What the parser could not make sense of.
pub const BROKEN: &str = "syntax error";

impl<'t> LeftOut<'t> {
    pub fn of(source: &'t Source, tree: &'t Tree, arid: Option<&AridCalls>) -> LeftOut<'t> {
        let mut left_out = LeftOut(vec![None; tree.len()]);
        if let Some(calls) = arid {
            left_out.mark_arid(source, tree, calls);
        }
        for at in tree.all().filter(|at| tree.is(*at, v::SKIP)) {
            left_out.0[at.index()] = Some(NEVER);
        }
        for at in broken_statements(source, tree) {
            left_out.0[at.index()] = Some(BROKEN);
        }
        left_out.hand_down(tree);
        left_out
    }

    pub fn reason(&self, at: At) -> Option<&'t str> {
        self.0[at.index()]
    }

    fn mark_arid(&mut self, source: &'t Source, tree: &'t Tree, calls: &AridCalls) {
        for (at, name) in tree.arid(source.language) {
            self.0[at.index()] = Some(name);
        }
        for place in tree.places(v::CALL) {
            // With what it is called on, wherever the grammar puts that.
            let span = |callee: At| Span::new(tree.span(place.at).start, tree.span(callee).end);
            let callee = place.part(v::CALLEE).map(|at| String::from_utf8_lossy(&source.text[span(at).range()]));
            if callee.is_some_and(|callee| calls.0.is_match(&*callee)) {
                self.0[place.at.index()] = Some("arid.configured");
            }
        }
        for at in behind_constants(source, tree) {
            self.0[at.index()] = Some("arid.constant");
        }
        // Children stand after their parents, so in reverse order the parts are known before the whole.
        for at in tree.all().rev() {
            if self.0[at.index()].is_none() {
                self.0[at.index()] = self.composed(tree, at);
            }
        }
    }

    /// The reason of a whole whose parts are all arid.
    fn composed(&self, tree: &'t Tree, at: At) -> Option<&'t str> {
        if tree.is(at, v::STATEMENT) && !tree.is_any(at, &[v::RETURN_ANY, v::THROW]) {
            let mut parts = tree.named_children(at);
            let only = parts.next().filter(|_| parts.next().is_none());
            return only.and_then(|only| self.reason(only));
        }
        // A grammar may keep the statements of a body in a list of their own.
        if tree.is_any(at, &[v::BLOCK, v::FUNCTION_BODY]) {
            let statements = tree.named_children(at).filter(|at| !tree.is_any(*at, &[v::COMMENT, v::NOTHING, v::DOCSTRING]));
            return self.reason_of_all(statements);
        }
        if tree.is_any(at, &[v::BRANCH, v::BRANCH_PART]) {
            let parts = [v::BLOCK, v::BRANCH, v::BRANCH_PART, v::STATEMENT];
            return self.reason_of_all(tree.children(at).filter(|at| tree.is_any(*at, &parts)));
        }
        None
    }

    fn reason_of_all(&self, parts: impl Iterator<Item = At>) -> Option<&'t str> {
        let reasons: Vec<Option<&str>> = parts.map(|at| self.reason(at)).collect();
        if reasons.iter().all(Option::is_some) { reasons.first().copied().flatten() } else { None }
    }

    fn hand_down(&mut self, tree: &Tree) {
        for at in tree.all() {
            let from_parent = tree.parent(at).and_then(|parent| self.0[parent.index()]);
            self.0[at.index()] = from_parent.or(self.0[at.index()]);
        }
    }
}

/// Conditions that are false for ever, and the blocks that they guard.
fn behind_constants(source: &Source, tree: &Tree) -> Vec<At> {
    let names: Vec<&[u8]> = switches(source, tree);
    let mut found = Vec::new();
    for condition in tree.places(v::CONDITION_BRANCH).map(|place| place.at) {
        if is_never(source, tree, condition, &names) {
            found.push(condition);
            let around = tree.ancestors(condition).find(|at| !tree.is(*at, v::PARENTHESES));
            let is_part = |at: &At| tree.is_any(*at, &[v::BLOCK, v::BRANCH_PART, v::STATEMENT]);
            let guarded = around.and_then(|around| tree.children(around).find(is_part));
            found.extend(guarded);
        }
    }
    found
}

/// Module constants that are switched off and set nowhere else.
fn switches<'s>(source: &'s Source, tree: &Tree) -> Vec<&'s [u8]> {
    let text = |at: At| tree.text(at, &source.text);
    let set: Vec<&[u8]> = tree.places(v::SWITCH_SET).map(|place| text(place.at)).collect();
    let off = tree.places(v::SWITCH_OFF).map(|place| text(place.at));
    off.filter(|name| set.iter().filter(|other| *other == name).count() == 1).collect()
}

fn is_never(source: &Source, tree: &Tree, condition: At, switches: &[&[u8]]) -> bool {
    if tree.is(condition, v::CONSTANT_FALSE) || switches.contains(&tree.text(condition, &source.text)) {
        return true;
    }
    let first = tree.place(condition, v::LOGICAL_AND).and_then(|place| place.part(v::LEFT));
    let inside = tree.place(condition, v::PARENTHESES).and_then(|place| place.part(v::INSIDE));
    first.or(inside).is_some_and(|part| is_never(source, tree, part, switches))
}

/// The smallest statements that hold something the parser could not fit in, and what is left of a broken one behind it.
fn broken_statements(source: &Source, tree: &Tree) -> Vec<At> {
    let mut found = Vec::new();
    // A token that is only missing at the very end, such as a last line feed, breaks nothing.
    let end = source.text.trim_ascii_end().len();
    let breaks = |at: &At| tree.is_broken(*at) && (!tree.span(*at).is_empty() || tree.span(*at).start < end);
    for broken in tree.all().filter(breaks) {
        let holds_statements = |at: At| tree.is(at, v::BLOCK) || at == tree.root();
        let statement = std::iter::once(broken)
            .chain(tree.ancestors(broken))
            .find(|at| tree.parent(*at).is_none_or(holds_statements))
            .unwrap_or(broken);
        found.push(statement);
        found.extend(remains_behind(source, tree, statement));
    }
    found
}

/// Siblings that are indented deeper than the line on which the broken statement starts belong to it.
fn remains_behind(source: &Source, tree: &Tree, statement: At) -> Vec<At> {
    let Some(parent) = tree.parent(statement) else { return Vec::new() };
    let column = |at: At| {
        let start = tree.span(at).start;
        start - source.text[..start].iter().rposition(|byte| *byte == b'\n').map_or(0, |feed| feed + 1)
    };
    let behind = tree.children(parent).skip_while(|at| *at <= statement);
    behind.take_while(|at| column(*at) > column(statement)).collect()
}
