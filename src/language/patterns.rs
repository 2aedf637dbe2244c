//! Splits a grammar's `nodes.scm` into what needs a query and what a look at the node's kind can tell.
//!
//! About half of all patterns say no more than "a node of this kind is called that": `(comment) @comment`, or a list of such in
//! brackets. Asking the query machine for them costs more than parsing; a table does the same for nothing. What a pattern means is not
//! changed: a test in `load.rs` reads every grammar both ways.

/// One top-level pattern that only names a kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ByKind {
    pub kind: String,
    pub capture: String,
}

/// The two halves of a `nodes.scm`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Patterns {
    pub by_kind: Vec<ByKind>,
    /// The text of all other patterns.
    pub query: String,
}

pub fn split(text: &str) -> Patterns {
    let mut patterns = Patterns::default();
    for pattern in top_level(&without_comments(text)) {
        match kinds_only(pattern) {
            Some(by_kind) => patterns.by_kind.extend(by_kind),
            None => {
                patterns.query.push_str(pattern);
                patterns.query.push('\n');
            }
        }
    }
    patterns
}

/// Comments become blanks; a `;` in a string is none.
fn without_comments(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let (mut in_string, mut in_comment, mut escaped) = (false, false, false);
    for char in text.chars() {
        match char {
            '\n' => in_comment = false,
            '"' if !in_comment && !escaped => in_string = !in_string,
            ';' if !in_string => in_comment = true,
            _ => {}
        }
        escaped = char == '\\' && !escaped;
        out.push(if in_comment { ' ' } else { char });
    }
    out
}

/// The patterns of a text, each with the captures behind it.
fn top_level(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let (mut depth, mut in_string, mut escaped) = (0usize, false, false);
    let mut start = None;
    for (at, char) in text.char_indices() {
        match char {
            '"' if !escaped => in_string = !in_string,
            '(' | '[' if !in_string => {
                if depth == 0
                    && let Some(start) = start.replace(at)
                {
                    found.push(text[start..at].trim());
                }
                depth += 1;
            }
            ')' | ']' if !in_string => depth = depth.saturating_sub(1),
            _ => {}
        }
        escaped = char == '\\' && !escaped;
    }
    found.extend(start.map(|start| text[start..].trim()));
    found
}

/// `(kind) @capture` or `[(kind) (kind)] @capture`, and nothing else.
fn kinds_only(pattern: &str) -> Option<Vec<ByKind>> {
    let (nodes, capture) = pattern.rsplit_once('@')?;
    let nodes = nodes.trim();
    let is_name = |text: &str| !text.is_empty() && text.chars().all(|char| char.is_alphanumeric() || "._-".contains(char));
    if !is_name(capture) || capture.starts_with('_') {
        return None;
    }
    let list = nodes.strip_prefix('[').and_then(|nodes| nodes.strip_suffix(']')).unwrap_or(nodes);
    let by_kind = list.split_whitespace().flat_map(|words| words.split_inclusive(')')).map(|node| {
        let kind = node.strip_prefix('(')?.strip_suffix(')')?;
        let is_kind = is_name(kind) && kind != "_" && kind != "ERROR" && kind != "MISSING";
        is_kind.then(|| ByKind { kind: kind.to_owned(), capture: capture.to_owned() })
    });
    by_kind.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn by_kind(pairs: &[(&str, &str)]) -> Vec<ByKind> {
        pairs.iter().map(|(kind, capture)| ByKind { kind: (*kind).to_owned(), capture: (*capture).to_owned() }).collect()
    }

    #[test]
    fn a_bare_kind_needs_no_query() {
        let text = "; words\n(comment) @comment\n[\n  (true)\n  (false)\n] @literal.boolean ; both\n(a (b)) @c\n";
        let patterns = split(text);
        assert_eq!(patterns.by_kind, by_kind(&[("comment", "comment"), ("true", "literal.boolean"), ("false", "literal.boolean")]));
        assert_eq!(patterns.query.trim(), "(a (b)) @c");
    }

    #[test]
    fn predicates_fields_anchors_and_supertypes_need_the_query() {
        for text in [
            "((identifier) @name (#eq? @name \"f\"))",
            "(a field: (b) @c)",
            "(a . \"b\" .) @c",
            "\"return\" @return",
            "(a) @b @c",
            "[(a) (b (c))] @d",
            "(_) @any",
            "(a !field) @b",
        ] {
            assert_eq!(split(text).by_kind, [], "{text}");
        }
    }

    #[test]
    fn a_semicolon_or_bracket_in_a_string_is_text() {
        let text = "((a) @b (#match? @b \"^[;(]\\\"$\"))\n(c) @d";
        let patterns = split(text);
        assert_eq!(patterns.by_kind, by_kind(&[("c", "d")]));
        assert!(patterns.query.contains("^[;(]"));
    }
}
