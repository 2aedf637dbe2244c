//! Weaves probes into a file: which test reaches the place of which mutant?
//!
//! A probe stands round an expression or before a statement, on the same line, so that line numbers stay what they are. It calls a word
//! that the runner's helper provides, and changes nothing else. One place has one probe, however many mutants share it.
//!
//! Where no probe can stand at the very place, it stands at the nearest place that is run whenever this one is: tests may then be
//! counted as reaching a mutant that they do not reach, never the other way round.

use std::collections::BTreeMap;

use crate::language::vocabulary::{self as v, Role};
use crate::language::{At, Tree};
use crate::source::Source;
use crate::suite::ProbeId;
use crate::text::Span;

/// A file with probes.
#[derive(Clone, Debug)]
pub struct Woven {
    text: Vec<u8>,
    /// The probe of each place. A place that is missing has no probe: whether it is reached is not known.
    pub probes: BTreeMap<Span, ProbeId>,
    prelude: Option<Prelude>,
}

/// Where one more statement may stand that is run before everything else, without a new line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Prelude {
    offset: usize,
    before: &'static str,
    after: &'static str,
}

impl Woven {
    /// The file, with a statement that is run before everything else where there is room for one.
    pub fn text(&self, first: Option<&str>) -> Vec<u8> {
        let (Some(prelude), Some(first)) = (self.prelude, first) else { return self.text.clone() };
        let (head, tail) = self.text.split_at(prelude.offset);
        [head, prelude.before.as_bytes(), first.as_bytes(), prelude.after.as_bytes(), tail].concat()
    }
}

/// Where a probe stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Site {
    Around(Span),
    Before(Span),
    /// Before a statement that is a whole body: both in brackets.
    Alone(Span),
    /// First in a block, behind its opening bracket or the directives there.
    At(usize),
}

/// Weaves a probe for each place; `first` is the number of the first probe.
pub fn weave(source: &Source, places: impl IntoIterator<Item = Span>, first: ProbeId) -> Woven {
    let tree = Tree::parse(source.language, &source.text);
    let nothing = || Woven { text: source.text.clone(), probes: BTreeMap::new(), prelude: None };
    if is_hidden(source, &tree) {
        return nothing();
    }
    let mut sites: BTreeMap<Site, ProbeId> = BTreeMap::new();
    let mut probes = BTreeMap::new();
    for place in places {
        let Some(site) = site_of(source, &tree, tree.smallest_around(place)) else { continue };
        let next = first + sites.len() as ProbeId;
        probes.insert(place, *sites.entry(site).or_insert(next));
    }
    let (text, prelude) = insert(source, &sites, room_for_prelude(source, &tree));
    if broken(&Tree::parse(source.language, &text)) > broken(&tree) {
        // Not expected; then nothing is known about this file, which is safe.
        return nothing();
    }
    Woven { text, probes, prelude }
}

/// The file uses the word that a probe begins with for something of its own: not for a call alone.
fn is_hidden(source: &Source, tree: &Tree) -> bool {
    let form = source.language.manifest.spelling.probe_statement.as_str();
    let word = form.split(|char: char| !char.is_alphanumeric() && char != '_').find(|word| !word.is_empty()).unwrap_or_default();
    let is_word = |at: At| tree.text(at, &source.text) == word.as_bytes();
    let is_called = |at: At| source.text.get(tree.span(at).end) == Some(&b'(');
    let somewhere = !word.is_empty() && source.text.windows(word.len()).any(|window| window == word.as_bytes());
    somewhere && tree.all().any(|at| tree.is_named(at) && is_word(at) && !is_called(at))
}

/// Before the first statement, behind what must come first, or on an empty line before the first definition.
fn room_for_prelude(source: &Source, tree: &Tree) -> Option<Prelude> {
    let must_come_first = |at: &At| tree.is_any(*at, &[v::DOCSTRING, v::PREAMBLE]);
    let statements: Vec<At> = tree.named_children(tree.root()).filter(|at| !tree.is(*at, v::COMMENT)).collect();
    let preamble = statements.iter().take_while(|at| must_come_first(at)).last();
    let first = statements.iter().find(|at| !must_come_first(at))?;
    if tree.is(*first, v::STATEMENT) {
        return Some(Prelude { offset: tree.span(*first).start, before: "", after: ";" });
    }
    if let Some(preamble) = preamble {
        return Some(Prelude { offset: tree.span(*preamble).end, before: ";", after: "" });
    }
    let head = &source.text[..tree.span(*first).start];
    let empty_line = head.windows(2).position(|pair| pair == b"\n\n")?;
    Some(Prelude { offset: empty_line + 1, before: "", after: "" })
}

fn broken(tree: &Tree) -> usize {
    tree.all().filter(|at| tree.is_broken(*at)).count()
}

fn site_of(source: &Source, tree: &Tree, at: At) -> Option<Site> {
    let within = tree.ancestors(at).filter(|at| tree.is_any(*at, &[v::UNPROBED, v::SKIP])).last();
    let start = within.and_then(|at| tree.parent(at)).unwrap_or(at);
    let chain: Vec<At> = std::iter::once(start).chain(tree.ancestors(start)).collect();
    for at in chain {
        if is_expression(source, tree, at) {
            return around(source, tree, at);
        }
        if tree.is_any(at, &[v::STATEMENT, v::COMPOUND]) {
            return before(source, tree, at);
        }
        if tree.is_any(at, &[v::BLOCK, v::FUNCTION_BODY]) {
            // Further out stands what is run more often: it would tell of more than this place.
            return if tree.span(at) == tree.span(start) { first_in_block(source, tree, at) } else { None };
        }
        if tree.is(at, v::LAMBDA) && !tree.is(at, v::FUNCTION) {
            // What stands further out is run when the lambda is made, perhaps by another test than the one that calls it.
            return None;
        }
    }
    None
}

/// Round an expression; but a bracket that begins a statement could belong to the line above.
fn around(source: &Source, tree: &Tree, at: At) -> Option<Site> {
    let span = tree.span(at);
    let first = tree.ancestors(at).take_while(|outer| tree.span(*outer).start == span.start);
    let statement = first.into_iter().find(|outer| tree.is(*outer, v::STATEMENT));
    match statement.filter(|_| source.language.manifest.spelling.probe_alone.is_some()) {
        Some(statement) => before(source, tree, statement),
        None => Some(Site::Around(span)),
    }
}

/// Before a statement, if it is one of several or may become so.
fn before(source: &Source, tree: &Tree, at: At) -> Option<Site> {
    let in_list = tree.parent(at).is_none_or(|parent| parent == tree.root() || tree.is(parent, v::BLOCK));
    match (in_list, &source.language.manifest.spelling.probe_alone) {
        (false, Some(_)) => Some(Site::Alone(tree.span(at))),
        _ => Some(Site::Before(tree.span(at))),
    }
}

fn is_expression(source: &Source, tree: &Tree, at: At) -> bool {
    const ROLES: [Role; 6] =
        [v::EXPRESSION, v::CONDITION_BRANCH, v::CONDITION_LOOP, v::CONDITION_FILTER, v::RETURN_VALUE, v::RETURN_TAIL];
    let may_stand = !source.language.manifest.spelling.probe_expression.is_empty();
    may_stand && !is_spine(tree, at) && tree.is_any(at, &ROLES)
}

/// True for what goes on behind its end: `a?.b()` in `a?.b().c`, the target of an assignment, and these in brackets.
fn is_spine(tree: &Tree, at: At) -> bool {
    let in_brackets = || tree.parent(at).filter(|parent| tree.is(*parent, v::PARENTHESES));
    tree.is(at, v::SPINE) || in_brackets().is_some_and(|parent| is_spine(tree, parent))
}

/// The first thing in a block that is run whenever the block is.
fn first_in_block(source: &Source, tree: &Tree, block: At) -> Option<Site> {
    let opening = tree.children(block).next().filter(|first| tree.text(*first, &source.text) == b"{");
    let spelling = &source.language.manifest.spelling;
    // Without expression probes something may have to come first, as the call of another constructor.
    if let Some(opening) = opening.filter(|_| spelling.probe_alone.is_some() && !spelling.probe_expression.is_empty()) {
        let directives = tree.named_children(block).take_while(|at| tree.is_any(*at, &[v::DOCSTRING, v::COMMENT]));
        let last = directives.filter(|at| tree.is(*at, v::DOCSTRING)).last();
        return Some(Site::At(tree.span(last.unwrap_or(opening)).end));
    }
    // The value that a case is compared with comes before what the case does.
    let value = tree.part(block, v::CASE, v::OPERAND);
    let is_silent = |at: &At| tree.is_any(*at, &[v::DOCSTRING, v::COMMENT]) || Some(*at) == value;
    for statement in tree.named_children(block).filter(|at| !is_silent(at)) {
        if tree.is_any(statement, &[v::STATEMENT, v::COMPOUND]) {
            return before(source, tree, statement);
        }
        if tree.is(statement, v::BLOCK) {
            return first_in_block(source, tree, statement);
        }
        // To define a function runs nothing of it; decorators and the bodies of classes are run.
        if !tree.is(statement, v::FUNCTION) {
            let first = || first_in_compound(source, tree, statement);
            return if tree.is_any(statement, &[v::CLASS, v::DECORATED, v::UNPROBED]) { None } else { first() };
        }
    }
    None
}

/// In the head of a compound statement, or else in its first block; what follows is not always run.
fn first_in_compound(source: &Source, tree: &Tree, statement: At) -> Option<Site> {
    for part in tree.named_children(statement) {
        if is_expression(source, tree, part) {
            return Some(Site::Around(tree.span(part)));
        }
        if tree.is(part, v::BLOCK) {
            return first_in_block(source, tree, part);
        }
        if tree.is(part, v::HEADER) {
            return first_in_header(source, tree, part);
        }
    }
    None
}

fn first_in_header(source: &Source, tree: &Tree, header: At) -> Option<Site> {
    tree.subtree(header).find(|at| is_expression(source, tree, *at)).map(|at| Site::Around(tree.span(at)))
}

/// A piece of text to put in, in the order in which pieces at one offset must stand.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Insertion {
    offset: usize,
    /// What ends here comes before what begins here; the inner end first, the outer begin first.
    order: (bool, isize),
    text: String,
}

/// The text with all probes, and where the prelude belongs in it.
fn insert(source: &Source, sites: &BTreeMap<Site, ProbeId>, room: Option<Prelude>) -> (Vec<u8>, Option<Prelude>) {
    let mut insertions: Vec<Insertion> = sites.iter().flat_map(|(site, probe)| insertions(source, *site, *probe)).collect();
    insertions.sort();
    let mut room_in_text = None;
    let mut text = Vec::with_capacity(source.text.len() + 24 * insertions.len());
    let mut at = 0;
    for insertion in insertions {
        if let Some(prelude) = room.filter(|prelude| room_in_text.is_none() && prelude.offset <= insertion.offset) {
            room_in_text = Some(Prelude { offset: text.len() + prelude.offset - at, ..prelude });
        }
        text.extend_from_slice(&source.text[at..insertion.offset]);
        text.extend_from_slice(insertion.text.as_bytes());
        at = insertion.offset;
    }
    let room = room_in_text.or(room.map(|prelude| Prelude { offset: text.len() + prelude.offset - at, ..prelude }));
    text.extend_from_slice(&source.text[at..]);
    (text, room)
}

fn insertions(source: &Source, site: Site, probe: ProbeId) -> Vec<Insertion> {
    let spelling = &source.language.manifest.spelling;
    let (form, span) = match site {
        Site::Around(span) => (&spelling.probe_expression, span),
        Site::Before(span) => (&spelling.probe_statement, span),
        Site::Alone(span) => (spelling.probe_alone.as_ref().unwrap_or(&spelling.probe_statement), span),
        Site::At(offset) => (&spelling.probe_statement, Span::new(offset, offset)),
    };
    let form = form.replace("{id}", &probe.to_string());
    let (before, after) = form.split_once("{}").unwrap_or((&form, ""));
    let length = span.len() as isize;
    // A statement begins before every expression that begins with it.
    let begin = if matches!(site, Site::Before(_) | Site::Alone(_) | Site::At(_)) { isize::MIN } else { -length };
    // A directive may end without a sign of its own.
    let before = if matches!(site, Site::At(_)) && !source.text[..span.start].ends_with(b"{") {
        format!(";{before}")
    } else {
        before.to_owned()
    };
    let mut insertions = vec![Insertion { offset: span.start, order: (true, begin), text: before }];
    if !after.is_empty() {
        insertions.push(Insertion { offset: span.end, order: (false, length), text: after.to_owned() });
    }
    insertions
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::by_name;
    use crate::mutant::discover::discover;
    use crate::rule::Catalogue;
    use crate::text::ProjectPath;

    fn source(text: &str) -> Source {
        Source { path: ProjectPath::new("a.py".as_ref()).unwrap(), language: by_name("python").unwrap(), text: text.into() }
    }

    fn woven(text: &str) -> String {
        woven_in(source(text))
    }

    fn typescript(text: &str) -> String {
        let language = by_name("typescript").unwrap();
        woven_in(Source { path: ProjectPath::new("a.ts".as_ref()).unwrap(), language, text: text.into() })
    }

    fn woven_in(source: Source) -> String {
        let text = String::from_utf8_lossy(&source.text).into_owned();
        let mutants = discover(&source, &Catalogue::built_in()).unwrap().mutants;
        let woven = weave(&source, mutants.iter().map(|mutant| mutant.place), 1);
        assert!(mutants.iter().all(|mutant| woven.probes.contains_key(&mutant.place)), "a place without a probe in {text}");
        String::from_utf8(woven.text(None)).unwrap()
    }

    #[test]
    fn a_probe_stands_round_an_expression_or_before_a_statement() {
        assert_eq!(woven("x = a < b\n"), "x = (_mu_(1) or (a < b))\n");
        assert_eq!(woven("a.b = c\n"), "_mu_(1);a.b = c\n");
    }

    #[test]
    fn nested_places_keep_their_order() {
        assert_eq!(woven("x = a and b < c\n"), "x = (_mu_(1) or (a and (_mu_(2) or (b < c))))\n");
        assert_eq!(woven("x = (a + b) - c\n"), "x = (_mu_(1) or (((_mu_(2) or (a + b))) - c))\n");
    }

    #[test]
    fn a_call_keeps_its_owner_and_a_chain_its_short_cut() {
        let out = typescript("x = a?.b(c < d).e();\n");
        assert!(out.contains("(a?.b((_mu_("), "{out}");
        assert!(out.contains(", (c < d))).e()))"), "{out}");
    }

    #[test]
    fn a_statement_without_brackets_gets_some() {
        assert_eq!(typescript("if (a) f(); else g();\n"), "if ((_mu_(1), (a))) {_mu_(2);f();} else {_mu_(3);g();}\n");
        assert_eq!(typescript("f();\na && b();\n"), "_mu_(1);f();\n_mu_(2);a && b();\n");
    }

    #[test]
    fn a_body_begins_behind_its_directives() {
        let out = typescript("function f(a) {\n  'use strict'\n  for (;;) g(a);\n  h(a);\n}\n");
        assert!(out.contains("'use strict';_mu_(1);\n"), "{out}");
    }

    #[test]
    fn a_body_is_reached_when_its_first_part_is() {
        let text = "def f(a):\n    '''doc'''\n    if a:\n        g(a)\n        h(a)\n";
        let out = woven(text);
        assert!(out.contains("    if (_mu_(1) or (a)):\n"), "{out}");
        assert_eq!(out.lines().count(), text.lines().count());
    }

    #[test]
    fn a_probe_never_stands_where_a_body_may_not_come() {
        let text = "def f(a):\n    try:\n        import json\n    except ImportError:\n        raise E('x')\n    return g(a)\n";
        let source = source(text);
        let tree = Tree::parse(source.language, text.as_bytes());
        let body = tree.places(v::FUNCTION_BODY).next().unwrap();
        let woven = weave(&source, [tree.span(body.at)], 1).text(None);
        assert!(String::from_utf8(woven).unwrap().contains("        _mu_(1);import json\n"));
    }

    #[test]
    fn a_body_that_begins_with_a_decorated_definition_has_no_probe() {
        let text = "def f(a):\n    @d\n    def g(): pass\n    h(g)\n    return a\n";
        let source = source(text);
        let tree = Tree::parse(source.language, text.as_bytes());
        let body = tree.places(v::FUNCTION_BODY).last().unwrap();
        let outer = tree.places(v::FUNCTION_BODY).find(|place| tree.span(place.at).start < tree.span(body.at).start).unwrap();
        assert!(weave(&source, [tree.span(outer.at)], 1).probes.is_empty());
    }

    #[test]
    fn a_first_statement_adds_no_line_and_respects_what_must_come_first() {
        let with = |text: &str| String::from_utf8(weave(&source(text), [], 1).text(Some("P"))).unwrap();
        assert_eq!(with("import a\n"), "P;import a\n");
        assert_eq!(with("'doc'\nfrom __future__ import b\nimport a\n"), "'doc'\nfrom __future__ import b\nP;import a\n");
        assert_eq!(with("'doc'\ndef f(): pass\n"), "'doc';P\ndef f(): pass\n");
        assert_eq!(with("# comment\n\ndef f(): pass\n"), "# comment\nP\ndef f(): pass\n");
        assert_eq!(with("def f(): pass\n"), "def f(): pass\n");
    }

    #[test]
    fn a_swapped_name_is_probed_at_its_call() {
        assert_eq!(woven("x = y.startswith(z)\n"), "x = (_mu_(1) or (y.startswith(z)))\n");
    }

    fn woven_java(text: &str) -> String {
        let source =
            Source { path: ProjectPath::new("T.java".as_ref()).unwrap(), language: by_name("java").unwrap(), text: text.into() };
        let mutants = discover(&source, &Catalogue::built_in()).unwrap().mutants;
        let woven = weave(&source, mutants.iter().map(|mutant| mutant.place), 1);
        String::from_utf8(woven.text(None)).unwrap()
    }

    fn in_method(code: &str) -> String {
        let text = woven_java(&format!("class T {{ void m() {{ first(); {code} }} }}"));
        let text = text.strip_prefix("class T { void m() { mutate.Probe.hit(1);first(); ").unwrap();
        text.strip_suffix(" } }").unwrap().replace("mutate.Probe.hit", "hit")
    }

    #[test]
    fn a_probe_in_java_stands_before_a_statement() {
        assert_eq!(in_method("int x = a + b;"), "hit(2);int x = a + b;");
        assert_eq!(in_method("while ((c = g()) > 0) { h(); }"), "hit(2);while ((c = g()) > 0) { hit(3);h(); }");
    }

    #[test]
    fn a_statement_that_stands_alone_is_put_in_braces_with_its_probe() {
        assert_eq!(in_method("if (a) f(); else if (b) g();"), "hit(2);if (a) {hit(3);f();} else {hit(4);if (b) {hit(5);g();}}");
        assert_eq!(in_method("for (A x : y) if (x.z) h();"), "for (A x : y) {hit(2);if (x.z) {hit(3);h();}}");
    }

    #[test]
    fn a_probe_stays_out_of_heads_labels_and_arrows() {
        assert_eq!(in_method("for (int i = 0 + 1; i < n; i++) { }"), "hit(2);for (int i = 0 + 1; i < n; i++) { }");
        assert_eq!(in_method("x: while (a) { break x; }"), "hit(2);x: while (a) { break x; }");
        assert_eq!(
            in_method("switch (k) { case 1 -> a = b + 1; default -> { f(); } }"),
            "hit(2);switch (k) { case 1 -> a = b + 1; default -> { hit(3);f(); } }"
        );
    }

    #[test]
    fn no_probe_stands_where_it_would_tell_of_another_time() {
        for text in [
            "class T { static { f(); g(); } int x = a + b; static int y = -c; }",
            "class T { T(int a) { super(a + 1); } }",
            "class T { F f() { return x -> x + 1; } F<A> g = x -> x * 2; }",
            "class T { void f(int mutate) { g(mutate + 1); } }",
        ] {
            let own = woven_java(text).replace("mutate.Probe.hit(1);return", "return");
            assert_eq!(own, text);
        }
    }

    #[test]
    fn the_last_value_of_a_method_stays_its_value() {
        let text = "def f(a)\n  @b = a\n  puts -a if a > 1\n  c(a) { |d| d }\nend\n";
        let path = ProjectPath::new("a.rb".as_ref()).unwrap();
        let source = Source { path, language: by_name("ruby").unwrap(), text: text.into() };
        let mutants = discover(&source, &Catalogue::built_in()).unwrap().mutants;
        let woven = String::from_utf8(weave(&source, mutants.iter().map(|mutant| mutant.place), 1).text(None)).unwrap();
        assert!(woven.contains("(_mu_(1) or (@b = a))\n") && woven.ends_with("(_mu_(5) or (c(a) { |d| d }))\nend\n"), "{woven}");
    }

    #[test]
    fn the_source_of_a_self_documenting_text_is_left_alone() {
        assert_eq!(woven("def f(a):\n    g(f'{a + 1=}')\n    return 2\n").matches("a + 1=").count(), 1);
    }
}
