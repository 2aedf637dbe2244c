//! Weaves probes into a file: which test reaches the place of which mutant?
//!
//! A probe stands round an expression or before a statement, on the same line, so that line numbers stay what they are. It calls a word
//! that the runner's helper provides, and changes nothing else. One place has one probe, however many mutants share it.
//!
//! Where no probe can stand at the very place, it stands at the nearest place that is run whenever this one is: tests may then be
//! counted as reaching a mutant that they do not reach, never the other way round.

use std::collections::BTreeMap;

use crate::language::vocabulary as v;
use crate::language::{At, Tree};
use crate::source::Source;
use crate::suite::ProbeId;
use crate::text::Span;

/// A file with probes.
#[derive(Clone, Debug)]
pub struct Woven {
    pub text: Vec<u8>,
    /// The probe of each place. A place that is missing has no probe: whether it is reached is not known.
    pub probes: BTreeMap<Span, ProbeId>,
}

/// Where a probe stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Site {
    Around(Span),
    Before(Span),
}

/// Weaves a probe for each place; `first` is the number of the first probe.
pub fn weave(source: &Source, places: impl IntoIterator<Item = Span>, first: ProbeId) -> Woven {
    let tree = Tree::parse(source.language, &source.text);
    let mut sites: BTreeMap<Site, ProbeId> = BTreeMap::new();
    let mut probes = BTreeMap::new();
    for place in places {
        let Some(site) = site_of(&tree, tree.smallest_around(place)) else { continue };
        let next = first + sites.len() as ProbeId;
        probes.insert(place, *sites.entry(site).or_insert(next));
    }
    let text = insert(source, &sites);
    if broken(&Tree::parse(source.language, &text)) > broken(&tree) {
        // Not expected; then nothing is known about this file, which is safe.
        return Woven { text: source.text.clone(), probes: BTreeMap::new() };
    }
    Woven { text, probes }
}

fn broken(tree: &Tree) -> usize {
    tree.all().filter(|at| tree.is_broken(*at)).count()
}

fn site_of(tree: &Tree, at: At) -> Option<Site> {
    let within = tree.ancestors(at).filter(|at| tree.is_any(*at, &[v::UNPROBED, v::SKIP])).last();
    let start = within.unwrap_or(at);
    let chain = std::iter::once(start).chain(tree.ancestors(start));
    chain.filter(|at| within != Some(*at)).find_map(|at| site_at(tree, at))
}

fn site_at(tree: &Tree, at: At) -> Option<Site> {
    if is_expression(tree, at) {
        return Some(Site::Around(tree.span(at)));
    }
    if tree.is(at, v::STATEMENT) {
        return Some(Site::Before(tree.span(at)));
    }
    if tree.is(at, v::BLOCK) {
        return first_in_block(tree, at);
    }
    None
}

fn is_expression(tree: &Tree, at: At) -> bool {
    tree.is_any(at, &[v::EXPRESSION, v::CONDITION_BRANCH, v::CONDITION_LOOP, v::CONDITION_FILTER, v::RETURN_VALUE])
}

/// The first thing in a block that is run whenever the block is; not inside of a function or class that is only defined there.
fn first_in_block(tree: &Tree, block: At) -> Option<Site> {
    let defines = |at: At| tree.is_any(at, &[v::FUNCTION, v::CLASS, v::DECORATED]);
    for statement in tree.named_children(block).filter(|at| !tree.is_any(*at, &[v::DOCSTRING, v::COMMENT])) {
        if defines(statement) {
            continue;
        }
        let site = tree.subtree(statement).find_map(|at| match tree.is(at, v::BLOCK) {
            true => None,
            false if is_expression(tree, at) => Some(Site::Around(tree.span(at))),
            false if tree.is(at, v::STATEMENT) => Some(Site::Before(tree.span(at))),
            false => None,
        });
        if site.is_some() {
            return site;
        }
    }
    None
}

/// A piece of text to put in, in the order in which pieces at one offset must stand.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Insertion {
    offset: usize,
    /// What ends here comes before what begins here; the inner end first, the outer begin first.
    order: (bool, isize),
    text: String,
}

fn insert(source: &Source, sites: &BTreeMap<Site, ProbeId>) -> Vec<u8> {
    let mut insertions: Vec<Insertion> = sites.iter().flat_map(|(site, probe)| insertions(source, *site, *probe)).collect();
    insertions.sort();
    let mut text = Vec::with_capacity(source.text.len() + 24 * insertions.len());
    let mut at = 0;
    for insertion in insertions {
        text.extend_from_slice(&source.text[at..insertion.offset]);
        text.extend_from_slice(insertion.text.as_bytes());
        at = insertion.offset;
    }
    text.extend_from_slice(&source.text[at..]);
    text
}

fn insertions(source: &Source, site: Site, probe: ProbeId) -> Vec<Insertion> {
    let spelling = &source.language.manifest.spelling;
    let (form, span) = match site {
        Site::Around(span) => (&spelling.probe_expression, span),
        Site::Before(span) => (&spelling.probe_statement, span),
    };
    let form = form.replace("{id}", &probe.to_string());
    let (before, after) = form.split_once("{}").unwrap_or((&form, ""));
    let length = span.len() as isize;
    // A statement begins before every expression that begins with it.
    let begin = if matches!(site, Site::Before(_)) { isize::MIN } else { -length };
    let mut insertions = vec![Insertion { offset: span.start, order: (true, begin), text: before.to_owned() }];
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

    fn woven(text: &str) -> String {
        let source =
            Source { path: ProjectPath::new("a.py".as_ref()).unwrap(), language: by_name("python").unwrap(), text: text.into() };
        let mutants = discover(&source, &Catalogue::built_in()).unwrap().mutants;
        let woven = weave(&source, mutants.iter().map(|mutant| mutant.place), 1);
        assert!(mutants.iter().all(|mutant| woven.probes.contains_key(&mutant.place)), "a place without a probe in {text}");
        String::from_utf8(woven.text).unwrap()
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
    fn a_body_is_reached_when_its_first_part_is() {
        let text = "def f(a):\n    '''doc'''\n    if a:\n        g(a)\n        h(a)\n";
        let out = woven(text);
        assert!(out.contains("    if (_mu_(1) or (a)):\n"), "{out}");
        assert_eq!(out.lines().count(), text.lines().count());
    }

    #[test]
    fn a_swapped_name_is_probed_at_its_call() {
        assert_eq!(woven("x = y.startswith(z)\n"), "x = (_mu_(1) or (y.startswith(z)))\n");
    }

    #[test]
    fn the_source_of_a_self_documenting_text_is_left_alone() {
        assert_eq!(woven("def f(a):\n    g(f'{a + 1=}')\n    return 2\n").matches("a + 1=").count(), 1);
    }
}
