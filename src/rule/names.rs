//! What the names of a file stand for, as far as the file itself shows it.
//!
//! Two questions need this where a compiler is strict about names: would an edit leave a local or an import without a use, and does a
//! name stand for a text? Both are answered by looking for the place in the innermost scope that gives the name its meaning. There are
//! no types here: what another file declares stays unknown.

use std::collections::HashMap;

use crate::language::vocabulary as v;
use crate::language::{At, Tree};
use crate::text::Span;

/// The names of a file.
pub struct Names<'t> {
    tree: &'t Tree,
    source: &'t [u8],
    /// For each name the place that declares it: the first in the innermost scope that declares it before. Foreign names have none.
    meanings: HashMap<At, At>,
    /// Where the value of what a place declares is used.
    uses: HashMap<At, Vec<At>>,
    foreign: HashMap<&'t [u8], Vec<At>>,
    /// Fields and methods that the file declares, and whether all of that name are texts.
    members: HashMap<&'t [u8], bool>,
}

/// What an edit would leave without a use.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Unused<'t> {
    pub locals: Vec<&'t [u8]>,
    /// Something that this file does not declare: an import, perhaps.
    pub foreign: bool,
}

impl<'t> Names<'t> {
    pub fn of(tree: &'t Tree, source: &'t [u8]) -> Names<'t> {
        let empty = Names {
            tree,
            source,
            meanings: HashMap::new(),
            uses: HashMap::new(),
            foreign: HashMap::new(),
            members: HashMap::new(),
        };
        empty.with_meanings().with_members()
    }

    fn with_meanings(mut self) -> Names<'t> {
        let mut names: Vec<At> = self.tree.places(v::NAME).map(|place| place.at).collect();
        names.dedup();
        let mut declared: HashMap<(At, &[u8]), At> = HashMap::new();
        for name in names.iter().filter(|at| self.declares(**at)) {
            declared.entry((self.scope(*name), self.text(*name))).or_insert(*name);
        }
        for name in names {
            let visible =
                |scope: At| declared.get(&(scope, self.text(name))).copied().filter(|at| scope == self.tree.root() || *at <= name);
            let meaning = self.scopes(name).find_map(visible);
            let is_use = !self.declares(name) && !self.tree.is(name, v::NAME_SET);
            match meaning {
                Some(declared) => {
                    self.meanings.insert(name, declared);
                    if is_use {
                        self.uses.entry(declared).or_default().push(name);
                    }
                }
                None => self.foreign.entry(self.text(name)).or_default().push(name),
            }
        }
        self
    }

    fn with_members(mut self) -> Names<'t> {
        for member in self.tree.places(v::NAME_MEMBER).map(|place| place.at) {
            if self.is_declared_member(member) {
                let is_text = self.tree.is(member, v::SEQUENCE);
                *self.members.entry(self.text(member)).or_insert(true) &= is_text;
            }
        }
        self
    }

    fn text(&self, at: At) -> &'t [u8] {
        self.tree.text(at, self.source)
    }

    fn declares(&self, at: At) -> bool {
        self.tree.is_any(at, &[v::NAME_BOUND, v::NAME_LOCAL])
    }

    /// The scopes around a name, from the inside, with the file as the last.
    fn scopes(&self, at: At) -> impl Iterator<Item = At> {
        // A function's own name is known outside of it.
        let outside = usize::from(self.tree.is(at, v::FUNCTION_NAME));
        let scopes = self.tree.ancestors(at).skip(outside).filter(|at| self.tree.is(*at, v::NAME_SCOPE));
        scopes.chain(std::iter::once(self.tree.root()))
    }

    fn scope(&self, at: At) -> At {
        self.scopes(at).next().unwrap_or(self.tree.root())
    }

    /// A member that is not selected from something is one that is declared.
    fn is_declared_member(&self, at: At) -> bool {
        !self.tree.parent(at).is_some_and(|parent| self.tree.named_children(parent).last() == Some(at) && self.is_selection(parent))
    }

    fn is_selected_from(&self, name: At) -> bool {
        self.tree.parent(name).is_some_and(|parent| self.is_selection(parent) && self.tree.children(parent).next() == Some(name))
    }

    fn is_selection(&self, at: At) -> bool {
        self.tree.children(at).any(|child| self.text(child) == b".")
    }

    /// True if a name, a selected member or a call of either is declared as a text in this file.
    pub fn is_text(&self, at: At) -> bool {
        if let Some(callee) = self.tree.place(at, v::CALL).and_then(|place| place.part(v::CALLEE)) {
            return self.is_text(callee);
        }
        if self.tree.is(at, v::NAME) {
            return self.meanings.get(&at).is_some_and(|declared| self.tree.is(*declared, v::SEQUENCE));
        }
        let member = self.tree.named_children(at).last().filter(|at| self.tree.is(*at, v::NAME_MEMBER));
        member.is_some_and(|member| self.members.get(self.text(member)) == Some(&true))
    }

    /// Locals and foreign names that are used in `span` and nowhere else, apart from what `kept` still says.
    pub fn only_used_in(&self, span: Span, around: At, kept: &[u8]) -> Unused<'t> {
        let mut unused = Unused::default();
        let inside = self.tree.subtree(around).filter(|at| self.tree.is(*at, v::NAME) && span.contains(self.tree.span(*at)));
        for name in inside.filter(|at| !says(kept, self.text(*at))) {
            let text = self.text(name);
            match self.meanings.get(&name) {
                Some(declared) => {
                    let is_needed = self.tree.is(*declared, v::NAME_LOCAL) && !span.contains(self.tree.span(*declared));
                    if is_needed && self.all_within(self.uses.get(declared), span) && !unused.locals.contains(&text) {
                        unused.locals.push(text);
                    }
                }
                None => unused.foreign |= self.is_selected_from(name) && self.all_within(self.foreign.get(text), span),
            }
        }
        unused
    }

    fn all_within(&self, names: Option<&Vec<At>>, span: Span) -> bool {
        names.into_iter().flatten().all(|at| span.contains(self.tree.span(*at)))
    }
}

/// True if a text holds a word.
fn says(text: &[u8], word: &[u8]) -> bool {
    text.split(|byte| !(byte.is_ascii_alphanumeric() || *byte == b'_' || *byte >= 0x80)).any(|part| part == word)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::by_name;

    /// What is left without a use when the results of the last return are.
    fn unused(body: &str) -> (Vec<String>, bool) {
        let text = format!("package m\n\nfunc f(a int) error {{\n{body}\n}}\n");
        let tree = Tree::parse(by_name("go").unwrap(), text.as_bytes());
        let names = Names::of(&tree, text.as_bytes());
        let result = tree.places(v::RETURN_RESULT).last().unwrap().at;
        let unused = names.only_used_in(tree.span(result), result, b"nil");
        (unused.locals.into_iter().map(|name| String::from_utf8_lossy(name).into_owned()).collect(), unused.foreign)
    }

    fn locals(body: &str) -> Vec<String> {
        unused(body).0
    }

    #[test]
    fn a_local_that_is_used_nowhere_else_is_left_without_a_use() {
        assert_eq!(locals("err := g()\nreturn err"), ["err"]);
        assert_eq!(locals("err := g()\nerr = h()\nreturn err"), ["err"], "to set is not to use");
        assert!(locals("err := g()\nh(err)\nreturn err").is_empty());
        assert!(locals("return g(a)").is_empty(), "a parameter needs no use");
    }

    #[test]
    fn a_local_of_an_inner_scope_is_another_one() {
        assert_eq!(locals("err := g()\nif err := h(); a > 0 {\nreturn err\n}\nreturn err"), ["err"]);
        assert_eq!(locals("err := g()\nif err != nil {\nerr := h()\nreturn err\n}"), ["err"]);
        assert!(locals("err := g()\nif err != nil {\nh()\n}\nreturn err").is_empty());
    }

    #[test]
    fn a_name_of_another_file_may_be_an_import() {
        assert!(unused("return fmt.Errorf(\"x\")").1);
        assert!(!unused("fmt.Print()\nreturn fmt.Errorf(\"x\")").1);
        assert!(!unused("return f(a)").1);
    }
}
