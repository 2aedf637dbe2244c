//! A parsed file as plain data: nodes with their roles, and the matches of the grammar's query.
//!
//! Nodes stand in pre-order, so a parent comes before its children and a property is handed down in one pass. tree-sitter's own
//! `parent()` walks from the root each time; here it is a number.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use streaming_iterator::StreamingIterator;
use tree_sitter::{Node, Parser, QueryCursor, TreeCursor};

use super::Language;
use super::vocabulary::{Role, Roles, WORDS};
use crate::text::Span;

/// The number of a node in its tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct At(u32);

impl At {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

#[derive(Clone, Debug)]
struct NodeData {
    span: Span,
    parent: At,
    /// One past the last descendant.
    end: At,
    kind: u16,
    named: bool,
    broken: bool,
    roles: Roles,
}

/// A node captured by the query, in one match.
#[derive(Clone, Copy, Debug)]
pub struct Capture {
    pub role: Role,
    pub at: At,
}

/// A captured node together with the other captures of its match.
#[derive(Clone, Copy, Debug)]
pub struct Place<'t> {
    pub role: Role,
    pub at: At,
    pub parts: &'t [Capture],
}

impl Place<'_> {
    /// The other node of the match that has this role.
    pub fn part(&self, role: Role) -> Option<At> {
        self.parts.iter().find(|capture| capture.role == role).map(|capture| capture.at)
    }
}

/// A parsed file.
#[derive(Debug)]
pub struct Tree {
    nodes: Vec<NodeData>,
    captures: Vec<Capture>,
    /// For each role, the captures that have it: index of the capture and range of its match.
    places: Vec<Vec<(u32, u32, u32)>>,
    /// Nodes that an `arid.…` pattern names.
    arid: Vec<(At, u16)>,
    pub(super) parsed: tree_sitter::Tree,
}

impl Tree {
    /// Parses a text and runs the grammar's query over it, once.
    pub fn parse(language: &'static Language, text: &[u8]) -> Tree {
        let parsed = parse(&language.knowledge().grammar, text);
        let (nodes, by_id) = nodes_of(&parsed);
        let mut found = Found { nodes, captures: Vec::new(), places: vec![Vec::new(); WORDS.len()], arid: Vec::new() };
        found.by_kind(language);
        found.by_query(language, &parsed, text, &by_id);
        let Found { nodes, captures, mut places, arid } = found;
        for of_role in &mut places {
            // By node, the match that says most first: `place` searches for it.
            of_role.sort_by_key(|(at, first, end)| (captures[*at as usize].at, u32::MAX - (end - first)));
        }
        Tree { nodes, captures, places, arid, parsed }
    }

    /// All nodes in pre-order.
    pub fn all(&self) -> impl DoubleEndedIterator<Item = At> + use<> {
        (0..self.nodes.len() as u32).map(At)
    }

    pub fn root(&self) -> At {
        At(0)
    }

    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    pub fn span(&self, at: At) -> Span {
        self.nodes[at.index()].span
    }

    pub fn text<'s>(&self, at: At, source: &'s [u8]) -> &'s [u8] {
        &source[self.span(at).range()]
    }

    pub fn is(&self, at: At, role: Role) -> bool {
        self.nodes[at.index()].roles.has(role)
    }

    pub fn is_any(&self, at: At, roles: &[Role]) -> bool {
        roles.iter().any(|role| self.is(at, *role))
    }

    pub fn is_named(&self, at: At) -> bool {
        self.nodes[at.index()].named
    }

    /// True for a node that the parser made up or could not fit in.
    pub fn is_broken(&self, at: At) -> bool {
        self.nodes[at.index()].broken
    }

    pub fn parent(&self, at: At) -> Option<At> {
        (at.0 != 0).then(|| self.nodes[at.index()].parent)
    }

    /// The parent, its parent, and so on up to the root.
    pub fn ancestors(&self, at: At) -> impl Iterator<Item = At> {
        std::iter::successors(self.parent(at), |at| self.parent(*at))
    }

    pub fn children(&self, at: At) -> impl Iterator<Item = At> {
        let end = self.nodes[at.index()].end;
        let first = (at.0 + 1 < end.0).then_some(At(at.0 + 1));
        std::iter::successors(first, move |child| {
            let next = self.nodes[child.index()].end;
            (next < end).then_some(next)
        })
    }

    pub fn named_children(&self, at: At) -> impl Iterator<Item = At> {
        self.children(at).filter(|child| self.is_named(*child))
    }

    /// The node and everything below it, in pre-order.
    pub fn subtree(&self, at: At) -> impl Iterator<Item = At> + use<> {
        (at.0..self.nodes[at.index()].end.0).map(At)
    }

    /// The captures with a role in order of position, each with the other captures of its match.
    pub fn places(&self, role: Role) -> impl Iterator<Item = Place<'_>> {
        self.places[role.index()].iter().map(move |found| self.place_of(role, found))
    }

    /// The match in which a node has a role, if it has it.
    pub fn place(&self, at: At, role: Role) -> Option<Place<'_>> {
        let of_role = &self.places[role.index()];
        let found = of_role.get(of_role.partition_point(|(capture, ..)| self.captures[*capture as usize].at < at))?;
        Some(self.place_of(role, found)).filter(|place| place.at == at)
    }

    /// The node that has another role in any match in which a node has this one.
    pub fn part(&self, at: At, role: Role, part: Role) -> Option<At> {
        let of_role = &self.places[role.index()];
        let first = of_role.partition_point(|(capture, ..)| self.captures[*capture as usize].at < at);
        let matches = of_role[first..].iter().map(|found| self.place_of(role, found)).take_while(|place| place.at == at);
        matches.filter_map(|place| place.part(part)).next()
    }

    fn place_of(&self, role: Role, (at, first, end): &(u32, u32, u32)) -> Place<'_> {
        Place { role, at: self.captures[*at as usize].at, parts: &self.captures[*first as usize..*end as usize] }
    }

    /// Nodes that are arid by themselves, with the name of the reason.
    pub fn arid<'t>(&'t self, language: &'t Language) -> impl Iterator<Item = (At, &'t str)> {
        self.arid.iter().map(|(at, name)| (*at, language.knowledge().arid_names[*name as usize].as_str()))
    }

    pub(super) fn kind(&self, at: At) -> u16 {
        self.nodes[at.index()].kind
    }

    /// The smallest node that spans exactly these bytes, or else the smallest that contains them.
    pub fn smallest_around(&self, span: Span) -> At {
        let mut at = self.root();
        while let Some(child) = self.children(at).find(|child| self.span(*child).contains(span) && !self.span(*child).is_empty()) {
            at = child;
        }
        at
    }
}

/// A tree that is being made.
struct Found {
    nodes: Vec<NodeData>,
    captures: Vec<Capture>,
    places: Vec<Vec<(u32, u32, u32)>>,
    arid: Vec<(At, u16)>,
}

impl Found {
    /// Names every node for its kind.
    fn by_kind(&mut self, language: &Language) {
        let known = language.knowledge();
        for at in 0..self.nodes.len() {
            // The number of an error node is in no table.
            let Some(kind) = known.kinds.get(self.nodes[at].kind as usize) else { continue };
            self.nodes[at].roles = kind.roles;
            let at = At(at as u32);
            self.arid.extend(kind.arid.map(|name| (at, name)));
            for role in &kind.named {
                let first = self.captures.len() as u32;
                self.captures.push(Capture { role: *role, at });
                self.places[role.index()].push((first, first, first + 1));
            }
        }
    }

    /// Names nodes for what stands around and below them.
    fn by_query(&mut self, language: &Language, parsed: &tree_sitter::Tree, text: &[u8], by_id: &ById) {
        let known = language.knowledge();
        let mut cursor = QueryCursor::new();
        let mut matches = cursor.matches(&known.query, parsed.root_node(), text);
        while let Some(found) = matches.next() {
            let first = self.captures.len() as u32;
            for capture in found.captures() {
                let Some(meaning) = &known.captures[capture.index as usize] else { continue };
                let at = by_id[&capture.node.id()];
                self.nodes[at.index()].roles.add(meaning.role);
                match meaning.arid {
                    Some(name) => self.arid.push((at, name)),
                    None => self.captures.push(Capture { role: meaning.role, at }),
                }
            }
            let end = self.captures.len() as u32;
            for at in first..end {
                self.places[self.captures[at as usize].role.index()].push((at, first, end));
            }
        }
    }
}

fn parse(grammar: &tree_sitter::Language, text: &[u8]) -> tree_sitter::Tree {
    let mut parser = Parser::new();
    parser.set_language(grammar).expect("the grammar crate fits the parser library");
    parser.parse(text, None).expect("a parser without a time limit always gives a tree")
}

type ById = HashMap<usize, At, BuildHasherDefault<IdHasher>>;

fn nodes_of(parsed: &tree_sitter::Tree) -> (Vec<NodeData>, ById) {
    let count = parsed.root_node().descendant_count();
    let mut nodes = Vec::with_capacity(count);
    let mut by_id = ById::with_capacity_and_hasher(count, BuildHasherDefault::default());
    let mut cursor = parsed.walk();
    let mut open: Vec<At> = Vec::new();
    loop {
        let at = At(nodes.len() as u32);
        let parent = open.last().copied().unwrap_or(At(0));
        by_id.insert(cursor.node().id(), at);
        nodes.push(data_of(&cursor.node(), parent));
        if cursor.goto_first_child() {
            open.push(at);
            continue;
        }
        nodes[at.index()].end = At(at.0 + 1);
        if !next_in_pre_order(&mut cursor, &mut open, &mut nodes) {
            return (nodes, by_id);
        }
    }
}

/// Moves to the next node that was not visited yet and closes the nodes that are complete; false at the end of the tree.
fn next_in_pre_order(cursor: &mut TreeCursor, open: &mut Vec<At>, nodes: &mut [NodeData]) -> bool {
    loop {
        if cursor.goto_next_sibling() {
            return true;
        }
        if !cursor.goto_parent() {
            return false;
        }
        let closed = open.pop().expect("as many opened as closed");
        nodes[closed.index()].end = At(nodes.len() as u32);
    }
}

fn data_of(node: &Node, parent: At) -> NodeData {
    NodeData {
        span: Span::new(node.start_byte(), node.end_byte()),
        parent,
        end: At(0),
        kind: node.kind_id(),
        named: node.is_named(),
        broken: node.is_error() || node.is_missing(),
        roles: Roles::default(),
    }
}

/// Node ids are addresses: one multiplication spreads them well enough.
#[derive(Default)]
struct IdHasher(u64);

impl Hasher for IdHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    fn write_usize(&mut self, id: usize) {
        self.0 = (id as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 ^= self.0 >> 32;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::{by_name, vocabulary as v};

    fn python(text: &str) -> Tree {
        Tree::parse(by_name("python").unwrap(), text.as_bytes())
    }

    #[test]
    fn a_place_knows_the_parts_of_its_match() {
        let text = "x = a and b\n";
        let tree = python(text);
        let place = tree.places(v::LOGICAL_AND).next().unwrap();
        assert_eq!(tree.text(place.at, text.as_bytes()), b"a and b");
        assert_eq!(tree.text(place.part(v::RIGHT).unwrap(), text.as_bytes()), b"b");
    }

    #[test]
    fn children_and_parents_agree() {
        let tree = python("def f(a):\n    if a:\n        return [1, 2]\n    return g(a)\n");
        for at in tree.all() {
            for child in tree.children(at) {
                assert_eq!(tree.parent(child), Some(at));
                assert!(tree.span(at).contains(tree.span(child)));
            }
        }
    }

    #[test]
    fn a_chain_of_comparisons_is_one_node_with_two_operators() {
        assert_eq!(python("x = a < b <= c\n").places(v::COMPARISON_ORDER).count(), 2);
    }
}
