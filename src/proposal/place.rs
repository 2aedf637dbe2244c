//! Where a proposal means: one text in one function.
//!
//! Pure. A text that could be meant in two places is refused: an agent that guesses must not have the engine guess along.

use super::given::{Location, Proposal};
use super::refusal::{Refusal, Why};
use crate::language::Tree;
use crate::language::vocabulary as v;
use crate::source::Source;
use crate::source::scope::{Scope, Scopes};
use crate::text::{Lines, Span};

/// So many candidates are named in an answer.
const NAMED: usize = 5;

/// The function that is meant.
pub fn function<'s>(source: &Source, tree: &Tree, scopes: &'s Scopes, name: &str) -> Result<&'s Scope, Refusal> {
    let (plain, arity) = match name.rsplit_once('/').map(|(plain, number)| (plain, number.parse::<usize>())) {
        Some((plain, Ok(arity))) => (plain, Some(arity)),
        _ => (name, None),
    };
    let takes = |scope: &&Scope| arity.is_none_or(|arity| parameters(tree, scope) == arity);
    let found: Vec<&Scope> = scopes.named(plain).into_iter().filter(|scope| scope.is_function).filter(takes).collect();
    match found.as_slice() {
        [one] => Ok(one),
        [] => {
            let nearest = scopes.nearest(plain).join(", ");
            let why = format!("there is no function `{name}` in {}; the nearest are {nearest}", source.path);
            Err(Refusal::of(Why::OutOfScope, why))
        }
        many => {
            let names: Vec<&str> = many.iter().take(NAMED).map(|scope| scope.name.as_str()).collect();
            Err(Refusal::of(Why::Ambiguous, format!("`{name}` may be {}", names.join(", "))))
        }
    }
}

fn parameters(tree: &Tree, scope: &Scope) -> usize {
    let list = tree.part(scope.at, v::FUNCTION, v::FUNCTION_PARAMETERS);
    list.map_or(0, |list| tree.named_children(list).filter(|at| !tree.is(*at, v::COMMENT)).count())
}

/// The place of the original text: at the hint, else the only one in the function.
pub fn text(source: &Source, function: &Scope, original: &str, proposal: &Proposal) -> Result<Span, Refusal> {
    let everywhere = occurrences(&source.text, original.as_bytes());
    let inside: Vec<Span> = everywhere.iter().copied().filter(|span| function.span.contains(*span)).collect();
    let lines = Lines::of(&source.text);
    let meant: Vec<Span> = inside.iter().copied().filter(|span| is_at(source, &lines, *span, proposal)).collect();
    match (meant.as_slice(), inside.as_slice()) {
        ([one], _) | (_, [one]) => Ok(*one),
        (_, []) if everywhere.is_empty() => {
            Err(Refusal::of(Why::NoMatch, format!("the original text does not stand in {}", source.path)))
        }
        (_, []) => Err(Refusal::of(Why::OutOfScope, format!("the original text stands only outside of `{}`", function.name))),
        (_, many) => {
            let on: Vec<String> = many.iter().take(NAMED).map(|span| lines.line(span.start).to_string()).collect();
            let why = format!("the original text stands {} times in `{}`: lines {}", many.len(), function.name, on.join(", "));
            Err(Refusal::of(Why::Ambiguous, why))
        }
    }
}

/// Also those that overlap.
fn occurrences(text: &[u8], wanted: &[u8]) -> Vec<Span> {
    if wanted.is_empty() {
        return Vec::new();
    }
    let found = text.windows(wanted.len()).enumerate().filter(|(_, window)| *window == wanted);
    found.map(|(at, _)| Span::new(at, at + wanted.len())).collect()
}

/// Whether the hint means this place. Columns are UTF-16 units, but whoever counts characters is understood too.
fn is_at(source: &Source, lines: &Lines, span: Span, proposal: &Proposal) -> bool {
    let line = lines.line(span.start);
    match (proposal.location, proposal.line) {
        (Some(Location { start, .. }), _) => {
            let columns = [lines.utf16_position(&source.text, span.start), lines.position(&source.text, span.start)];
            line == start.line && columns.iter().any(|at| at.column == start.column)
        }
        (None, Some(hint)) => line == hint,
        (None, None) => false,
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::language;
    use crate::proposal::given;
    use crate::text::ProjectPath;

    fn source(path: &str, text: &str) -> Source {
        let path = Path::new(path);
        Source { path: ProjectPath::new(path).unwrap(), language: language::by_path(path).unwrap(), text: text.into() }
    }

    /// Line and column of what is meant, or why not.
    fn found(source: &Source, function_name: &str, original: &str, hint: &str) -> Result<(usize, usize), String> {
        let line = format!(
            r#"{{{hint}"targetFunction":"f","file":"a","mutationKind":"x-any","original":"a","replacement":"b",
            "expectedCatcherTest":{{"testFile":"t","testName":"n"}}}}"#
        );
        let proposal = given::read(line.as_bytes()).unwrap().proposals.remove(0);
        let tree = Tree::parse(source.language, &source.text);
        let scopes = Scopes::of(source, &tree);
        let span = function(source, &tree, &scopes, function_name).and_then(|scope| text(source, scope, original, &proposal));
        let at = span.map_err(|refusal| refusal.to_string())?;
        let position = Lines::of(&source.text).position(&source.text, at.start);
        Ok((position.line, position.column))
    }

    const TWO: &str = "def f(a):\n    if a > 1:\n        return a > 1\n    return 2\n\n\ndef g(a):\n    return a > 3\n";

    #[test]
    fn a_text_must_stand_once_in_the_function_or_where_the_hint_says() {
        let source = source("a.py", TWO);
        assert_eq!(found(&source, "f", "return 2", ""), Ok((4, 5)));
        assert_eq!(found(&source, "f", "a > 1", r#""line":3,"#), Ok((3, 16)));
        let there = r#""location":{"start":{"line":2,"column":8},"end":{"line":2,"column":13}},"#;
        assert_eq!(found(&source, "f", "a > 1", there), Ok((2, 8)));
        assert!(
            found(&source, "f", "a > 1", "")
                .unwrap_err()
                .starts_with("ambiguous: the original text stands 2 times in `f`: lines 2, 3")
        );
        assert!(found(&source, "f", "a > 1", r#""line":4,"#).unwrap_err().starts_with("ambiguous"));
        assert!(found(&source, "f", "a > 3", "").unwrap_err().starts_with("out-of-scope: the original text stands only outside"));
        assert!(found(&source, "f", "a > 4", "").unwrap_err().starts_with("no-match"));
        assert!(found(&source, "f", "", "").unwrap_err().starts_with("no-match"));
        assert!(found(&source, "h", "a > 3", "").unwrap_err().starts_with("out-of-scope: there is no function `h`"));
    }

    #[test]
    fn of_two_functions_with_one_name_none_is_taken() {
        let source = source("A.java", "class A { int f(int a) { return a + 1; } int f(int a, int b) { return a + b; } }\n");
        assert_eq!(found(&source, "A.f", "a + 1", "").unwrap_err(), "ambiguous: `A.f` may be A.f(int), A.f(int,int)");
        assert_eq!(found(&source, "A.f/2", "a + b", ""), Ok((1, 71)));
        assert_eq!(found(&source, "A.f(int)", "a + 1", ""), Ok((1, 33)));
    }
}
