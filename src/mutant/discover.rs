//! Finds the mutants of a file; pure, no test is run.
//!
//! Stage 2 of the pipeline: one [`Source`] and the rules in, mutants out. Every rule is asked at every place that has its capture;
//! guards and subsumption keep it silent where its mutant would be noise; what is left must fit the syntax, must change the text, and is
//! made once, whichever rules propose it.

use std::collections::{BTreeMap, HashMap};

use rayon::prelude::*;

use super::arid::{AridCalls, BROKEN, LeftOut, NEVER};
use super::ignore::IgnoreComments;
use super::{Identity, Mutant, MutantId, Reason};
use crate::error::Result;
use crate::language::shape::Shape;
use crate::language::tree::Place;
use crate::language::vocabulary::{self as v, Role};
use crate::language::{At, Tree};
use crate::rule::guard::Candidate;
use crate::rule::names::Names;
use crate::rule::template::{Scene, Template, spell};
use crate::rule::{Action, Catalogue, Rule};
use crate::source::Source;
use crate::source::scope::{Scopes, without_lines};
use crate::text::{Edit, Lines, Span};

/// What the user may change about discovery.
#[derive(Clone, Debug)]
pub struct Options {
    /// `None` mutates arid code as well.
    pub arid: Option<AridCalls>,
    pub require_ignore_reason: bool,
    /// Decide plain cases of "does it fit?" without parsing. Off only to prove that this makes no difference.
    pub short_cuts: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options { arid: Some(AridCalls::default()), require_ignore_reason: false, short_cuts: true }
    }
}

/// The mutants of a file, and what was not made.
#[derive(Debug, Default)]
pub struct Discovered {
    /// In order of position, then of replacement.
    pub mutants: Vec<Mutant>,
    /// How many were not made, by reason, for example `arid/logging`.
    pub not_generated: BTreeMap<String, usize>,
    pub notices: Vec<String>,
}

/// Finds the mutants of a file with the usual options. Fails if an ignored region is never closed.
pub fn discover(source: &Source, catalogue: &Catalogue) -> Result<Discovered> {
    discover_with(source, catalogue, &Options::default())
}

/// Finds the mutants of a file. Fails if an ignored region is never closed.
pub fn discover_with(source: &Source, catalogue: &Catalogue, options: &Options) -> Result<Discovered> {
    let tree = Tree::parse(source.language, &source.text);
    let ignores = IgnoreComments::of(source, &tree)?;
    let mut finder = Finder {
        source,
        catalogue,
        scene: Scene { language: source.language, tree: &tree, source: &source.text, names: Names::of(&tree, &source.text) },
        left_out: LeftOut::of(source, &tree, options.arid.as_ref()),
        shape: Shape::new(source.language, &tree, &source.text, options.short_cuts),
        found: Vec::new(),
        known: HashMap::new(),
        not_generated: BTreeMap::new(),
    };
    for index in 0..catalogue.rules().len() {
        finder.attack(index);
    }
    let Finder { found, not_generated, left_out, .. } = finder;
    let mutants = finish(source, &tree, catalogue, &ignores, found);
    let mut notices = broken_parts(source, &tree, &left_out);
    notices.extend(ignores.warnings(source, catalogue.rules(), options.require_ignore_reason));
    Ok(Discovered { mutants, not_generated, notices })
}

/// Finds the mutants of many files at once, in the order of the files. Fails as [`discover_with`] does.
pub fn discover_all(sources: &[&Source], catalogue: &Catalogue, options: &Options) -> Result<Vec<Discovered>> {
    sources.par_iter().map(|source| discover_with(source, catalogue, options)).collect()
}

/// An edit that passed every check, and the rules (by index) that propose it.
struct Found {
    edit: Edit,
    at: At,
    rules: Vec<usize>,
}

struct Finder<'s> {
    source: &'s Source,
    catalogue: &'s Catalogue,
    scene: Scene<'s>,
    left_out: LeftOut<'s>,
    shape: Shape<'s>,
    found: Vec<Found>,
    /// By the change itself, however it is written.
    known: HashMap<Edit, usize>,
    not_generated: BTreeMap<String, usize>,
}

impl<'s> Finder<'s> {
    fn attack(&mut self, index: usize) {
        let tree = self.scene.tree;
        let rule = &self.catalogue.rules()[index];
        for role in &rule.captures {
            let mut last = None;
            for place in tree.places(*role) {
                // Several patterns may capture one node in one role.
                if last.replace(place.at) != Some(place.at) && !tree.is(place.at, v::COMMENT) {
                    self.attack_place(index, &place);
                }
            }
        }
    }

    fn attack_place(&mut self, index: usize, place: &Place<'s>) {
        let rule = &self.catalogue.rules()[index];
        let reason = self.left_out.reason(place.at);
        if matches!(reason, Some(NEVER | BROKEN)) {
            return;
        }
        for (replacement, kept) in self.replacements(rule, place) {
            let candidate = Candidate { place, kept, replacement: &replacement };
            if self.is_silent(rule, &candidate) {
                continue;
            }
            match reason {
                Some(reason) => *self.not_generated.entry(reason.replace("arid.", "arid/")).or_default() += 1,
                None => self.add(index, place, &replacement),
            }
        }
    }

    fn replacements(&self, rule: &Rule, place: &Place) -> Vec<(Vec<u8>, Option<Role>)> {
        let templates = match &rule.action {
            Action::Swap(table) => self.others(table, place).unwrap_or_default(),
            Action::Replace(templates) => templates,
            Action::SwapOrReplace(table, templates) => {
                self.others(table, place).unwrap_or(match self.scene.tree.is_named(place.at) {
                    true => templates,
                    false => &[],
                })
            }
        };
        let fill = |template: &Template| {
            let kept = template.kept();
            template.fill(&self.scene, place).into_iter().map(move |text| (text, kept)).collect::<Vec<_>>()
        };
        templates.iter().flat_map(fill).collect()
    }

    fn others<'r>(&self, table: &'r BTreeMap<String, Vec<Template>>, place: &Place) -> Option<&'r [Template]> {
        let text = String::from_utf8_lossy(self.scene.text(place.at));
        // `is   not` is one operator, whatever its spacing.
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        table.get(&text).map(Vec::as_slice)
    }

    fn is_silent(&self, rule: &Rule, candidate: &Candidate) -> bool {
        let subsumed = |entry: &crate::rule::Subsumed| entry.when.holds(&self.scene, candidate) && self.catalogue.is_on(&entry.by);
        rule.guards.iter().any(|guard| guard.holds(&self.scene, candidate)) || rule.subsumed.iter().any(subsumed)
    }

    fn add(&mut self, index: usize, place: &Place, replacement: &[u8]) {
        let rule = &self.catalogue.rules()[index];
        let span = self.span(place.at);
        if self.source.text[span.range()] == *replacement || self.tears_text_off(place.at, span) {
            return;
        }
        let Some(edit) = self.fit(rule, place, span, replacement) else {
            *self.not_generated.entry("does not fit the syntax".to_owned()).or_default() += 1;
            return;
        };
        let change = edit.canonical(&self.source.text);
        match self.known.get(&change) {
            Some(at) => {
                let rules = &mut self.found[*at].rules;
                if !rules.contains(&index) {
                    rules.push(index);
                }
            }
            None => {
                self.known.insert(change, self.found.len());
                self.found.push(Found { edit, at: place.at, rules: vec![index] });
            }
        }
    }

    /// A text that stands below the line on which it is opened would be left behind without its opening, and become code.
    fn tears_text_off(&self, at: At, span: Span) -> bool {
        let tree = self.scene.tree;
        let within = |role: Role| tree.places(role).filter(|place| span.contains(tree.span(place.at))).count();
        tree.is_named(at)
            && tree.subtree(at).any(|at| tree.is(at, v::TEXT_OPENED))
            && within(v::TEXT_OPENED) != within(v::TEXT_APART)
    }

    fn fit(&mut self, rule: &Rule, place: &Place, span: Span, replacement: &[u8]) -> Option<Edit> {
        let tree = self.scene.tree;
        match rule.action {
            _ if tree.is(place.at, v::OPTIONAL) => self.shape.fit_token(place.at, replacement),
            Action::Swap(_) | Action::SwapOrReplace(..) if !tree.is_named(place.at) => {
                self.shape.fit_operator(place.at, replacement)
            }
            _ if span != tree.span(place.at) => self.shape.fit_span(span, replacement),
            _ if tree.is(place.at, v::FUNCTION_BODY) && self.scene.language.manifest.spelling.early.is_some() => {
                self.shape.fit_node(place.at, replacement).map(|edit| without_common_end(&self.source.text, &edit))
            }
            _ => self.shape.fit_node(place.at, replacement).map(|edit| self.keeping_names(place.at, edit)),
        }
    }

    /// The edit, with a use before its statement of whatever it would leave without one, where a language refuses that.
    fn keeping_names(&self, at: At, edit: Edit) -> Edit {
        let (tree, spelling) = (self.scene.tree, &self.scene.language.manifest.spelling);
        let Some(used) = &spelling.unused else { return edit };
        let around = std::iter::once(at).chain(tree.ancestors(at)).find(|at| tree.is(*at, v::STATEMENT));
        let Some(statement) = around.map(|at| (at, tree.span(at))).filter(|(_, span)| span.contains(edit.span)) else {
            return edit;
        };
        let unused = self.scene.names.only_used_in(edit.span, at, &edit.replacement);
        let before = match unused.foreign && tree.is(statement.0, v::RETURN_ANY) {
            true => [&spell(&spelling.nothing, self.scene.text(statement.0)), &b"; "[..]].concat(),
            false => unused.locals.iter().flat_map(|name| spell(used, name)).collect(),
        };
        if before.is_empty() {
            return edit;
        }
        let unchanged = &self.source.text[statement.1.start..edit.span.start];
        Edit::new(Span::new(statement.1.start, edit.span.end), [&before, unchanged, &edit.replacement].concat())
    }

    /// True for a block whose first token is its own.
    fn has_braces(&self, block: At) -> bool {
        self.scene.tree.children(block).next().is_some_and(|first| !self.scene.tree.is_named(first))
    }

    /// The text that a rule replaces: the node, but a function's body without its docstring, which is no code, and the body of a
    /// handler without the word or line feed that opens it.
    fn span(&self, at: At) -> Span {
        let tree = self.scene.tree;
        let whole = tree.span(at);
        if tree.is(at, v::BLOCK) && tree.is_any(at, &[v::HANDLER_BODY, v::FINALLY_BODY]) {
            let statements: Vec<At> = tree.named_children(at).filter(|at| !tree.is(*at, v::COMMENT)).collect();
            return match (statements.first(), statements.last()) {
                (Some(first), Some(last)) if tree.span(*last).end == whole.end => Span::new(tree.span(*first).start, whole.end),
                _ => whole,
            };
        }
        let mut statements = tree.named_children(at).filter(|at| !tree.is(*at, v::COMMENT));
        match (statements.next(), statements.next()) {
            (Some(first), Some(second))
                if tree.is(at, v::FUNCTION_BODY) && tree.is(first, v::DOCSTRING) && !self.has_braces(at) =>
            {
                Span::new(tree.span(second).start, whole.end)
            }
            _ => whole,
        }
    }
}

/// Puts the mutants in order and names them.
fn finish(source: &Source, tree: &Tree, catalogue: &Catalogue, ignores: &IgnoreComments, mut found: Vec<Found>) -> Vec<Mutant> {
    found.sort_by(|a, b| (a.edit.span, &a.edit.replacement).cmp(&(b.edit.span, &b.edit.replacement)));
    let scopes = Scopes::of(source, tree);
    let lines = Lines::of(&source.text);
    let mut ordinals: HashMap<(String, Vec<u8>, Vec<u8>), u32> = HashMap::new();
    let mut mutants = Vec::with_capacity(found.len());
    for Found { edit, at, rules } in found {
        let rules: Vec<&Rule> = rules.into_iter().map(|index| &catalogue.rules()[index]).collect();
        let scope = scopes.name_at(at).to_owned();
        let original = source.text[edit.span.range()].to_vec();
        let lasting = without_lines(&scope);
        let ordinal = ordinals.entry((lasting.clone(), original.clone(), edit.replacement.clone())).or_default();
        let identity = Identity {
            language: source.language.name(),
            path: source.path.as_str(),
            scope: &lasting,
            original: &original,
            replacement: &edit.replacement,
            ordinal: *ordinal,
        };
        *ordinal += 1;
        let ignored = rules.iter().map(|rule| ignores.covering(edit.span.start, rule)).collect::<Option<Vec<_>>>();
        mutants.push(Mutant {
            id: MutantId::of(&identity),
            path: source.path.clone(),
            scope,
            position: lines.position(&source.text, edit.span.start),
            original,
            rule: rules[0].id.clone(),
            also: rules[1..].iter().map(|rule| rule.id.clone()).collect(),
            mutator: rules[0].mutator.clone(),
            kind: rules[0].kind.clone(),
            hint: rules[0].hint.clone(),
            place: tree.span(if tree.is_named(at) { at } else { tree.parent(at).unwrap_or(at) }),
            ignored: ignored.map(|comments| Reason::Comment { text: comments[0].text.clone() }),
            edit,
        });
    }
    mutants
}

/// The edit without what it leaves as it is behind it.
fn without_common_end(text: &[u8], edit: &Edit) -> Edit {
    let original = &text[edit.span.range()];
    let same = original.iter().rev().zip(edit.replacement.iter().rev()).take_while(|(a, b)| a == b).count();
    // A body that begins and ends alike keeps a byte to stand for it.
    let same = same.min(original.len().saturating_sub(1));
    Edit::new(Span::new(edit.span.start, edit.span.end - same), &edit.replacement[..edit.replacement.len() - same])
}

fn broken_parts(source: &Source, tree: &Tree, left_out: &LeftOut) -> Vec<String> {
    let lines = Lines::of(&source.text);
    let tops = tree.all().filter(|at| {
        left_out.reason(*at) == Some(BROKEN) && tree.parent(*at).is_none_or(|parent| left_out.reason(parent) != Some(BROKEN))
    });
    let mut places: Vec<String> = tops.map(|at| lines.line(tree.span(at).start).to_string()).collect();
    places.dedup();
    if places.is_empty() {
        return Vec::new();
    }
    vec![format!("{}: syntax errors; nothing is mutated in the statements at line {}", source.path, places.join(", "))]
}
