//! Mutant schemata (switching): all mutants of a file in one program, and the one that is active chosen when it runs.
//!
//! Every function that holds mutants begins with a switch over the number of the active one. Each case has a whole copy of the body
//! with that mutant in it, word for word; behind the switch stands the body as it was. So without an active mutant nothing changes,
//! and positions are restored by the language's own directives. One case more, the *twin*, is the unchanged body that counts its
//! rounds like the copies do: it tells how often a loop goes round without the mutant.
//!
//! Copies are first shown to the compiler as functions of their own ([`Schemata::to_check`]), each in a file of its own name: so the
//! compiler says for every mutant by itself whether it is a program.
//!
//! What cannot be switched is left out, with a reason, and takes the cold path.

use std::collections::{BTreeMap, BTreeSet};

use crate::language::spelling::Switch;
use crate::language::vocabulary as v;
use crate::language::{At, Tree};
use crate::mutant::Mutant;
use crate::source::Source;
use crate::text::Span;

/// The number of a mutant in a switch; 0 is none.
pub type SwitchId = u32;

/// More copies of one function than this make the compiler slow; the rest goes into another build.
const LARGEST_FUNCTION: usize = 192 << 10;
const LARGEST_FILE: usize = 1 << 20;
/// So many builds, and no more.
pub const MOST_BUILDS: usize = 8;

/// A file with its mutants, ready to be woven.
#[derive(Clone, Debug)]
pub struct Schemata<'s> {
    source: &'s Source,
    switch: &'s Switch,
    functions: Vec<Function>,
    /// Mutants that cannot be switched, and why.
    pub left_out: Vec<(SwitchId, &'static str)>,
}

#[derive(Clone, Debug)]
struct Function {
    span: Span,
    name: Option<Span>,
    /// With its brackets.
    body: Span,
    has_result: bool,
    twin: Copied,
    copies: Vec<Copied>,
}

/// A body, between its brackets.
#[derive(Clone, Debug)]
struct Copied {
    id: SwitchId,
    build: usize,
    body: Vec<u8>,
    /// What is put into the body when it is switched, in order.
    insertions: Vec<(usize, String)>,
}

/// Makes the copies. `next_twin` is the number of the first twin, and then of the next one.
pub fn weave<'s>(source: &'s Source, mutants: &[(SwitchId, &Mutant)], next_twin: &mut SwitchId) -> Schemata<'s> {
    let nowhere = |why: &'static str| mutants.iter().map(|(id, _)| (*id, why)).collect();
    let Some(switch) = &source.language.manifest.switch else {
        return Schemata { source, switch: Switch::none(), functions: Vec::new(), left_out: nowhere("the language has no switch") };
    };
    let mut schemata = Schemata { source, switch, functions: Vec::new(), left_out: Vec::new() };
    if switch.never_with.iter().any(|sign| contains(&source.text, sign.as_bytes())) {
        schemata.left_out = nowhere("the file has directives that a switch would disturb");
        return schemata;
    }
    let tree = Tree::parse(source.language, &source.text);
    let mut by_function: BTreeMap<At, Vec<(SwitchId, &Mutant)>> = BTreeMap::new();
    for (id, mutant) in mutants {
        match outermost(&tree, &source.text, mutant.edit.span) {
            Some(function) => by_function.entry(function).or_default().push((*id, mutant)),
            None => schemata.left_out.push((*id, "it stands in no body of a function")),
        }
    }
    let mut in_file = 0;
    for (at, mutants) in by_function {
        let weaver = Weaver { source, switch, tree: &tree, at, body: body_of(&tree, &source.text, at) };
        if weaver.has_pragma() {
            schemata.left_out.extend(mutants.iter().map(|(id, _)| (*id, "the function has directives for the compiler")));
            continue;
        }
        let function = weaver.function(&mutants, *next_twin, &mut in_file, &mut schemata.left_out);
        if let Some(function) = function {
            *next_twin += 1;
            schemata.functions.push(function);
        }
    }
    schemata
}

impl Schemata<'_> {
    /// How many builds it takes to hold all mutants.
    pub fn builds(&self) -> usize {
        self.functions.iter().flat_map(|function| &function.copies).map(|copy| copy.build + 1).max().unwrap_or_default()
    }

    /// Each mutant that can be switched, with its build and the twin of its function.
    pub fn switched(&self) -> impl Iterator<Item = (SwitchId, usize, SwitchId)> + '_ {
        let of = |function: &'_ Function| function.twin.id;
        self.functions.iter().flat_map(move |function| function.copies.iter().map(move |copy| (copy.id, copy.build, of(function))))
    }

    /// The file as it is, and behind it every copy as a function of its own, at a position that names the mutant.
    pub fn to_check(&self, without: &BTreeSet<SwitchId>) -> Vec<u8> {
        let text = &self.source.text;
        let mut out = text.clone();
        for function in &self.functions {
            let head = &text[function.span.start..function.body.start];
            for copy in function.copies.iter().filter(|copy| !without.contains(&copy.id)) {
                let file = self.switch.file.replace("{id}", &copy.id.to_string());
                out.extend_from_slice(b"\n");
                out.extend_from_slice(self.position(&file, function.span.start).as_bytes());
                match function.name {
                    None => out.extend_from_slice(&[self.switch.unnamed.as_bytes(), head].concat()),
                    Some(name) => {
                        out.extend_from_slice(&text[function.span.start..name.start]);
                        out.extend_from_slice(self.switch.name.replace("{id}", &copy.id.to_string()).as_bytes());
                        out.extend_from_slice(&text[name.end..function.body.start]);
                    }
                }
                out.extend_from_slice(&[b"{", &copy.body[..], b"}\n"].concat());
            }
        }
        out
    }

    /// The file with a switch in every function that has a mutant in this build.
    pub fn text(&self, build: usize, without: &BTreeSet<SwitchId>) -> Vec<u8> {
        let text = &self.source.text;
        let mut out = Vec::new();
        let mut at = 0;
        for function in &self.functions {
            let wanted = |copy: &&Copied| copy.build == build && !without.contains(&copy.id);
            let copies: Vec<&Copied> = function.copies.iter().filter(wanted).collect();
            if copies.is_empty() {
                continue;
            }
            let inside = function.body.start + 1;
            out.extend_from_slice(&text[at..inside]);
            out.extend_from_slice(self.switch.open.as_bytes());
            for copy in copies.into_iter().chain([&function.twin]) {
                out.extend_from_slice(self.switch.case.replace("{id}", &copy.id.to_string()).as_bytes());
                out.extend_from_slice(self.position("", inside).as_bytes());
                out.extend_from_slice(&copy.switched());
                out.extend_from_slice(b"\n");
                if !function.has_result {
                    out.extend_from_slice(self.switch.leave.as_bytes());
                }
            }
            out.extend_from_slice(self.switch.close.as_bytes());
            out.extend_from_slice(self.position("", inside).as_bytes());
            at = inside;
        }
        out.extend_from_slice(&text[at..]);
        out
    }

    /// A directive: what follows stands at this offset of the source, in a file of this name.
    fn position(&self, file: &str, offset: usize) -> String {
        let before = &self.source.text[..offset];
        let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
        let column = before.iter().rev().take_while(|byte| **byte != b'\n').count() + 1;
        let form = self.switch.position.replace("{file}", file).replace("{line}", &line.to_string());
        form.replace("{column}", &column.to_string())
    }
}

impl Copied {
    fn switched(&self) -> Vec<u8> {
        let mut out = Vec::new();
        let mut at = 0;
        for (offset, text) in &self.insertions {
            out.extend_from_slice(&self.body[at..*offset]);
            out.extend_from_slice(text.as_bytes());
            at = *offset;
        }
        out.extend_from_slice(&self.body[at..]);
        out
    }
}

/// Weaves one function.
struct Weaver<'w> {
    source: &'w Source,
    switch: &'w Switch,
    tree: &'w Tree,
    at: At,
    body: Span,
}

impl Weaver<'_> {
    fn function(
        &self,
        mutants: &[(SwitchId, &Mutant)],
        twin: SwitchId,
        in_file: &mut usize,
        left_out: &mut Vec<(SwitchId, &'static str)>,
    ) -> Option<Function> {
        let mut copies = Vec::new();
        let mut in_function = 0;
        for (id, mutant) in mutants {
            let build = (in_function / LARGEST_FUNCTION).max(*in_file / LARGEST_FILE);
            if build >= MOST_BUILDS {
                left_out.push((*id, "there are too many mutants in one place"));
                continue;
            }
            if self.may_end_an_import(mutant) {
                left_out.push((*id, "an import may be left without a use, which only the compiler can tell"));
                continue;
            }
            match self.copied(*id, build, mutant) {
                Some(copy) => {
                    in_function += copy.body.len();
                    *in_file += copy.body.len();
                    copies.push(copy);
                }
                None => left_out.push((*id, "it is more than the body of a function")),
            }
        }
        let tree = self.tree;
        let twin = Copied {
            id: twin,
            build: 0,
            body: self.source.text[self.body.start + 1..self.body.end - 1].to_vec(),
            insertions: self.insertions(tree, self.at, self.body.start + 1, twin, &|offset| Some(offset)),
        };
        (!copies.is_empty()).then(|| Function {
            span: tree.span(self.at),
            name: tree
                .part(self.at, v::FUNCTION, v::FUNCTION_NAME)
                .map(|name| tree.span(name))
                .filter(|name| name.end <= self.body.start && tree.span(self.at).contains(*name)),
            body: self.body,
            has_result: tree.part(self.at, v::FUNCTION, v::FUNCTION_RESULT).is_some(),
            twin,
            copies,
        })
    }

    fn copied(&self, id: SwitchId, build: usize, mutant: &Mutant) -> Option<Copied> {
        let edit = &mutant.edit;
        let mutated = edit.apply(&self.source.text);
        let end = self.body.end + edit.replacement.len() - edit.span.len();
        let body = &mutated[self.body.start..end];
        let inside = body.strip_prefix(b"{")?.strip_suffix(b"}")?.to_vec();
        let start = self.body.start + 1;
        if self.tree.subtree(self.at).any(|at| self.tree.is(at, v::LABEL)) {
            // Labels must have names of their own in every copy, also those that the edit has moved.
            let tree = Tree::parse(self.source.language, &mutated);
            let function = outermost(&tree, &mutated, Span::new(start, start))?;
            let insertions = self.insertions(&tree, function, start, id, &|offset| Some(offset));
            return Some(Copied { id, build, body: inside, insertions });
        }
        let moved = |offset: usize| match offset {
            before if before <= edit.span.start => Some(before),
            after if after >= edit.span.end => Some(after + edit.replacement.len() - edit.span.len()),
            _ => None,
        };
        let insertions = self.insertions(self.tree, self.at, start, id, &moved);
        Some(Copied { id, build, body: inside, insertions })
    }

    /// A count at the head of every loop, and new names for labels; `moved` says where an offset of the tree is in the copy.
    fn insertions(
        &self,
        tree: &Tree,
        function: At,
        start: usize,
        id: SwitchId,
        moved: &dyn Fn(usize) -> Option<usize>,
    ) -> Vec<(usize, String)> {
        let of_loop = |at: At| {
            let block = tree.children(at).last().filter(|_| tree.is(at, v::LOOP))?;
            let first = tree.children(block).next()?;
            (tree.span(first).len() == 1 && tree.span(first).start == tree.span(block).start)
                .then_some((tree.span(first).end, self.switch.round.clone()))
        };
        let of_label =
            |at: At| tree.is(at, v::LABEL).then(|| (tree.span(at).end, self.switch.name.replace("{id}", &id.to_string())));
        let all = tree.subtree(function).filter_map(|at| of_loop(at).or_else(|| of_label(at)));
        let mut insertions: Vec<(usize, String)> =
            all.filter_map(|(offset, text)| Some((moved(offset)?.checked_sub(start)?, text))).collect();
        insertions.sort();
        insertions
    }

    /// Directives stand in the lines above.
    fn has_pragma(&self) -> bool {
        let before = &self.source.text[..self.tree.span(self.at).start];
        let lines = before.split(|byte| *byte == b'\n').rev().skip(1).map(|line| line.trim_ascii());
        lines.take_while(|line| line.starts_with(b"//")).any(|line| line.starts_with(self.switch.pragma.as_bytes()))
    }

    /// The edit takes away `a.` where `a` may be an import that is used nowhere else: for the copy alone the compiler could not tell.
    fn may_end_an_import(&self, mutant: &Mutant) -> bool {
        let text = &self.source.text;
        let kept = heads(&mutant.edit.replacement);
        let elsewhere = || {
            let span = mutant.edit.span;
            [heads(&text[..span.start]), heads(&text[span.end..])].concat()
        };
        heads(&text[mutant.edit.span.range()]).into_iter().filter(|head| !kept.contains(head)).any(|head| {
            let is_import = self.tree.named_children(self.tree.root()).any(|at| {
                let declared = self.tree.text(at, text);
                self.tree.is(at, v::SKIP) && declared.starts_with(b"import") && contains(declared, head)
            });
            let is_bound = |at: At| self.tree.is_any(at, &[v::NAME_BOUND, v::NAME_LOCAL]) && self.tree.text(at, text) == head;
            is_import && (!elsewhere().contains(&head) || self.tree.all().any(is_bound))
        })
    }
}

/// The function around an edit that stands in no other one, if the edit is all in its body.
fn outermost(tree: &Tree, text: &[u8], edit: Span) -> Option<At> {
    let smallest = tree.smallest_around(edit);
    let function = std::iter::once(smallest).chain(tree.ancestors(smallest)).filter(|at| tree.is(*at, v::FUNCTION)).last()?;
    body_of(tree, text, function).contains(edit).then_some(function)
}

/// With its brackets; an empty span at its end for a function without a body.
fn body_of(tree: &Tree, text: &[u8], function: At) -> Span {
    let last = tree.children(function).last().filter(|last| tree.text(*last, text).starts_with(b"{"));
    let end = tree.span(function).end;
    last.map_or(Span::new(end, end), |last| tree.span(last))
}

/// Names before a dot that have none before them.
fn heads(text: &[u8]) -> Vec<&[u8]> {
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_' || !byte.is_ascii();
    let mut heads = Vec::new();
    for dot in text.iter().enumerate().filter(|(_, byte)| **byte == b'.').map(|(at, _)| at) {
        let start = text[..dot].iter().rposition(|byte| !is_word(byte)).map_or(0, |at| at + 1);
        if start < dot && !text[..start].ends_with(b".") {
            heads.push(&text[start..dot]);
        }
    }
    heads
}

fn contains(text: &[u8], sign: &[u8]) -> bool {
    !sign.is_empty() && text.windows(sign.len()).any(|window| window == sign)
}
