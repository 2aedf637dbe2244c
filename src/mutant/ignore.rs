//! Comments that leave mutants out.
//!
//! Our own are `mutate: ignore` and its forms; those of mutmut, Stryker and go-mutesting are read as well, so that people can move.
//! A mutant that is ignored keeps its place in the report, outside of the score.

use std::cell::Cell;

use crate::error::{Error, Result};
use crate::language::vocabulary as v;
use crate::language::{At, Tree};
use crate::rule::{Rule, catalogue::names_rule};
use crate::source::Source;
use crate::text::{Lines, Span};

/// A part of the file in which some rules make nothing.
#[derive(Debug)]
pub struct Ignored {
    span: Span,
    /// Names of rules, families or mutators; empty means all.
    rules: Vec<String>,
    /// The comment as written, for the report.
    pub text: String,
    pub line: usize,
    has_reason: bool,
    used: Cell<bool>,
}

/// What a comment asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Directive {
    reach: Reach,
    rules: Vec<String>,
    reason: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reach {
    /// This line if code stands before the comment, else the next statement.
    Here,
    Next,
    NextLine,
    Start,
    End,
    Function,
    File,
}

/// All ignore comments of a file.
#[derive(Debug, Default)]
pub struct IgnoreComments(Vec<Ignored>);

impl IgnoreComments {
    /// Fails for a region of our own that is never closed.
    pub fn of(source: &Source, tree: &Tree) -> Result<IgnoreComments> {
        let lines = Lines::of(&source.text);
        let mut all = Vec::new();
        let mut open: Vec<(Span, Directive, bool)> = Vec::new();
        for comment in tree.places(v::COMMENT).map(|place| place.at) {
            let span = tree.span(comment);
            let text = String::from_utf8_lossy(tree.text(comment, &source.text)).trim_end().to_owned();
            let Some((directive, must_close)) = directive(&text) else { continue };
            let reader = Reader { source, tree, lines: &lines, comment };
            match directive.reach {
                Reach::Start => open.push((span, directive, must_close)),
                Reach::End => {
                    if let Some((start, directive, _)) = open.pop() {
                        all.push(reader.ignored(Span::new(start.start, span.end), directive, start, &text));
                    }
                }
                reach => {
                    if let Some(covered) = reader.covered(reach) {
                        all.push(reader.ignored(covered, directive, span, &text));
                    }
                }
            }
        }
        for (start, directive, must_close) in open {
            let place = format!("{}:{}", source.path, lines.line(start.start));
            if must_close {
                return Err(Error::usage("an ignored region is never closed")
                    .at(place)
                    .mend("add `mutate: ignore-end` where it ends"));
            }
            let text = String::from_utf8_lossy(&source.text[start.range()]).into_owned();
            let reader = Reader { source, tree, lines: &lines, comment: tree.root() };
            all.push(reader.ignored(Span::new(start.start, source.text.len()), directive, start, &text));
        }
        Ok(IgnoreComments(all))
    }

    /// The comment that leaves out what this rule makes at this offset.
    pub fn covering(&self, offset: usize, rule: &Rule) -> Option<&Ignored> {
        let covers = |ignored: &&Ignored| ignored.span.start <= offset && offset < ignored.span.end && ignored.names(rule);
        let found = self.0.iter().find(covers)?;
        found.used.set(true);
        Some(found)
    }

    /// Warnings: comments that ignore nothing, that name rules which do not exist, or that lack a reason where one is wanted.
    pub fn warnings(&self, source: &Source, known: &[Rule], require_reason: bool) -> Vec<String> {
        let mut warnings = Vec::new();
        for ignored in &self.0 {
            let place = format!("{}:{}", source.path, ignored.line);
            let unknown = ignored.rules.iter().find(|name| !known.iter().any(|rule| means(name, rule)));
            if let Some(name) = unknown {
                warnings.push(format!("{place}: the comment `{}` names a rule that does not exist: `{name}`", ignored.text));
            } else if !ignored.used.get() {
                warnings.push(format!("{place}: the comment `{}` ignores nothing", ignored.text));
            }
            if require_reason && !ignored.has_reason {
                warnings.push(format!("{place}: the comment `{}` gives no reason (write it after ` -- `)", ignored.text));
            }
        }
        warnings
    }
}

impl Ignored {
    fn names(&self, rule: &Rule) -> bool {
        self.rules.is_empty() || self.rules.iter().any(|name| means(name, rule))
    }
}

fn means(name: &str, rule: &Rule) -> bool {
    names_rule(name, &rule.id) || name == rule.kind || name == rule.mutator
}

/// One comment in its file.
struct Reader<'t> {
    source: &'t Source,
    tree: &'t Tree,
    lines: &'t Lines,
    comment: At,
}

impl Reader<'_> {
    fn ignored(&self, span: Span, directive: Directive, comment: Span, text: &str) -> Ignored {
        Ignored {
            span,
            has_reason: !directive.reason.is_empty(),
            rules: directive.rules,
            text: text.to_owned(),
            line: self.lines.line(comment.start),
            used: Cell::new(false),
        }
    }

    fn covered(&self, reach: Reach) -> Option<Span> {
        let line = self.lines.line(self.tree.span(self.comment).start);
        match reach {
            Reach::Here if self.stands_alone(line) => self.next_statement(|_| true),
            Reach::Here => Some(self.line_or_statement(line)),
            Reach::Next => self.next_statement(|_| true),
            Reach::NextLine => Some(self.next_line()),
            Reach::Function => self.next_statement(|at| self.tree.is_any(at, &[v::FUNCTION, v::CLASS, v::DECORATED])),
            Reach::File if line <= 20 => Some(Span::new(0, self.source.text.len())),
            Reach::File | Reach::Start | Reach::End => None,
        }
    }

    /// True if nothing but blanks stands before the comment on its line.
    fn stands_alone(&self, line: usize) -> bool {
        let start = self.lines.start_of(line, &self.source.text);
        self.source.text[start..self.tree.span(self.comment).start].iter().all(u8::is_ascii_whitespace)
    }

    /// The line, or the whole of a plain statement over several lines that starts or ends on it.
    fn line_or_statement(&self, line: usize) -> Span {
        let of_line = Span::new(self.lines.start_of(line, &self.source.text), self.lines.start_of(line + 1, &self.source.text));
        let is_plain = |at: &At| !self.tree.subtree(*at).any(|part| self.tree.is(part, v::BLOCK));
        let statements = self.tree.places(v::STATEMENT).map(|place| place.at);
        let statement = statements.filter(is_plain).map(|at| self.tree.span(at)).find(|span| {
            let (first, last) = (self.lines.line(span.start), self.lines.line(span.end.saturating_sub(1)));
            first != last && (first == line || last == line)
        });
        statement.unwrap_or(of_line)
    }

    /// What other tools call the next line is just that, also within a statement.
    fn next_line(&self) -> Span {
        let line = self.lines.line(self.tree.span(self.comment).end.saturating_sub(1)) + 1;
        Span::new(self.lines.start_of(line, &self.source.text), self.lines.start_of(line + 1, &self.source.text))
    }

    fn next_statement(&self, wanted: impl Fn(At) -> bool) -> Option<Span> {
        let end = self.tree.span(self.comment).end;
        let is_statement = |at: &At| {
            self.tree.is_named(*at)
                && !self.tree.is(*at, v::COMMENT)
                && self.tree.parent(*at).is_some_and(|parent| self.tree.is(parent, v::BLOCK) || parent == self.tree.root())
        };
        let next = self.tree.all().filter(is_statement).find(|at| self.tree.span(*at).start >= end)?;
        wanted(next).then(|| self.tree.span(next))
    }
}

/// Reads a comment; also says whether a region that it opens must be closed.
fn directive(comment: &str) -> Option<(Directive, bool)> {
    let text = comment.trim_start_matches(['#', '/', '*', ' ', '\t']).trim_end_matches(['*', '/', ' ', '\t']);
    if let Some(own) = text.strip_prefix("mutate:") {
        return own_directive(own.trim()).map(|directive| (directive, true));
    }
    foreign_directive(text).map(|directive| (directive, false))
}

fn own_directive(text: &str) -> Option<Directive> {
    const FORMS: [(&str, Reach); 8] = [
        ("ignore-function", Reach::Function),
        ("ignore-start", Reach::Start),
        ("ignore-file", Reach::File),
        ("ignore-next", Reach::Next),
        ("ignore-end", Reach::End),
        ("ignore", Reach::Here),
        ("disable", Reach::Start),
        ("enable", Reach::End),
    ];
    let (form, reach) = FORMS.into_iter().find(|(form, _)| text.starts_with(form))?;
    let rest = &text[form.len()..];
    if rest.starts_with(|char: char| char.is_alphanumeric() || char == '-') {
        return None;
    }
    let (rules, rest) = match rest.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        Some((rules, rest)) => (names(rules), rest),
        None => (Vec::new(), rest),
    };
    Some(Directive { reach, rules, reason: rest.trim().trim_start_matches("--").trim().to_owned() })
}

fn foreign_directive(text: &str) -> Option<Directive> {
    let all = |reach, reason: &str| Some(Directive { reach, rules: Vec::new(), reason: reason.trim().to_owned() });
    if let Some(rest) = text.strip_prefix("pragma: no mutate") {
        let word = rest.trim_start_matches([':', ' ']);
        return match word.split_whitespace().next() {
            Some("start") => all(Reach::Start, ""),
            Some("end") => all(Reach::End, ""),
            Some("block") => all(Reach::Next, ""),
            _ => all(Reach::Here, word),
        };
    }
    if let Some(rest) = text.strip_prefix("Stryker ") {
        let (list, reason) = rest.split_once(':').unwrap_or((rest, ""));
        let mut words = list.split([' ', ',']).filter(|word| !word.is_empty());
        let (verb, mut rules) = (words.next()?, words.map(str::to_owned).collect::<Vec<_>>());
        let next_line = rules.first().is_some_and(|word| word == "next-line");
        if next_line {
            rules.remove(0);
        }
        rules.retain(|name| name != "all");
        let reach = match (verb, next_line) {
            ("disable", true) => Reach::NextLine,
            ("disable", false) => Reach::Start,
            ("restore", _) => Reach::End,
            _ => return None,
        };
        return Some(Directive { reach, rules, reason: reason.trim().to_owned() });
    }
    match text.split_whitespace().next() {
        Some("mutator-disable-next-line") => all(Reach::NextLine, ""),
        Some("mutator-disable-func") => all(Reach::Function, ""),
        _ => None,
    }
}

fn names(list: &str) -> Vec<String> {
    list.split(',').map(str::trim).filter(|name| !name.is_empty()).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(comment: &str) -> Option<Directive> {
        directive(comment).map(|(directive, _)| directive)
    }

    #[test]
    fn our_own_forms_are_read_with_rules_and_reason() {
        let found = read("# mutate: ignore[condition/boundary, return] -- tuned by hand").unwrap();
        assert_eq!(found.reach, Reach::Here);
        assert_eq!(found.rules, ["condition/boundary", "return"]);
        assert_eq!(found.reason, "tuned by hand");
        assert_eq!(read("# mutate: ignore-file").unwrap().reach, Reach::File);
        assert_eq!(read("# mutate: ignore-start\r").unwrap().reach, Reach::Start);
    }

    #[test]
    fn forms_of_other_tools_are_read() {
        assert_eq!(read("# pragma: no mutate").unwrap().reach, Reach::Here);
        assert_eq!(read("# pragma: no mutate start").unwrap().reach, Reach::Start);
        let stryker = read("// Stryker disable next-line EqualityOperator: known").unwrap();
        assert_eq!(
            (stryker.reach, stryker.rules, stryker.reason),
            (Reach::NextLine, vec!["EqualityOperator".into()], "known".into())
        );
        assert_eq!(read("// Stryker restore all").unwrap().reach, Reach::End);
    }

    #[test]
    fn other_comments_are_not_directives() {
        for comment in ["# mutate the list", "# pragma: no cover", "# mutate: ignored by design", "# ignore"] {
            assert_eq!(read(comment), None, "{comment}");
        }
    }
}
