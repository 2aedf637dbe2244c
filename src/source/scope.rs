//! The functions and classes of a file, by qualified name.
//!
//! Names follow the language's own habit, for Python its `__qualname__`: `Class.method`, `outer.<locals>.inner`, with `@get` and `@set`
//! for accessors. What is defined more than once gets `#2`, `#3` in source order, so that each has a name of its own.

use std::collections::HashMap;

use super::Source;
use crate::language::vocabulary as v;
use crate::language::{At, Tree};
use crate::text::Span;

/// A function or class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scope {
    pub name: String,
    pub at: At,
    /// With its decorators.
    pub span: Span,
    pub is_function: bool,
}

/// All scopes of a file in source order, and which node belongs to which.
#[derive(Debug)]
pub struct Scopes {
    all: Vec<Scope>,
    /// For each node the innermost scope around it, or that it is.
    of_node: Vec<Option<u32>>,
}

impl Scopes {
    pub fn of(source: &Source, tree: &Tree) -> Scopes {
        let mut scopes = Scopes { all: Vec::new(), of_node: vec![None; tree.len()] };
        let mut seen: HashMap<String, usize> = HashMap::new();
        for at in tree.all() {
            let outer = tree.parent(at).and_then(|parent| scopes.of_node[parent.index()]);
            let own = scopes.scope_at(source, tree, at, outer).map(|mut scope| {
                let count = seen.entry(scope.name.clone()).or_insert(0);
                *count += 1;
                if *count > 1 {
                    scope.name = format!("{}#{count}", scope.name);
                }
                scopes.all.push(scope);
                scopes.all.len() as u32 - 1
            });
            scopes.of_node[at.index()] = own.or(outer);
        }
        scopes
    }

    fn scope_at(&self, source: &Source, tree: &Tree, at: At, outer: Option<u32>) -> Option<Scope> {
        let is_function = tree.is(at, v::FUNCTION);
        let name = match is_function {
            true => tree.part(at, v::FUNCTION, v::FUNCTION_NAME)?,
            false => tree.part(at, v::CLASS, v::CLASS_NAME)?,
        };
        let name = String::from_utf8_lossy(tree.text(name, &source.text));
        let decorated = tree.parent(at).filter(|parent| tree.is(*parent, v::DECORATED));
        Some(Scope {
            name: format!("{}{}{name}{}", self.prefix(source, tree, at, outer), receiver(source, tree, at), accessor(tree, at)),
            at,
            span: tree.span(decorated.unwrap_or(at)),
            is_function,
        })
    }

    fn prefix(&self, source: &Source, tree: &Tree, at: At, outer: Option<u32>) -> String {
        let Some(outer) = outer.map(|outer| &self.all[outer as usize]) else { return String::new() };
        let spelling = &source.language.manifest.spelling;
        let of_function = match tree.is(at, v::FUNCTION_STATIC) {
            true => &spelling.static_separator,
            false => &spelling.method_separator,
        };
        let separator = match (outer.is_function, tree.is(at, v::FUNCTION)) {
            (true, _) => &spelling.inner_separator,
            (false, true) => of_function.as_ref().unwrap_or(&spelling.scope_separator),
            (false, false) => &spelling.scope_separator,
        };
        format!("{}{separator}", outer.name)
    }

    pub fn all(&self) -> &[Scope] {
        &self.all
    }

    /// Qualified name of the innermost scope around a node, empty at module level.
    pub fn name_at(&self, at: At) -> &str {
        self.of_node[at.index()].map_or("", |scope| &self.all[scope as usize].name)
    }

    /// The scopes that a name means: itself and every redefinition of it; else an accessor named without its suffix; else everything
    /// whose last part it is.
    pub fn named(&self, name: &str) -> Vec<&Scope> {
        let exact: Vec<&Scope> = self.all.iter().filter(|scope| scope.name == name || base_name(&scope.name) == name).collect();
        if !exact.is_empty() {
            return exact;
        }
        let plain = |scope: &&Scope| without_accessor(base_name(&scope.name)) == name;
        let accessors: Vec<&Scope> = self.all.iter().filter(plain).collect();
        if !accessors.is_empty() {
            return accessors;
        }
        let last = |scope: &&Scope| last_part(without_accessor(base_name(&scope.name))) == name;
        self.all.iter().filter(last).collect()
    }

    /// At most five names that look most like this one, best first.
    pub fn nearest(&self, name: &str) -> Vec<&str> {
        let distance =
            |scope: &str| strsim::damerau_levenshtein(scope, name).min(strsim::damerau_levenshtein(last_part(scope), name));
        let mut names: Vec<&str> = self.all.iter().map(|scope| scope.name.as_str()).collect();
        names.sort_by_key(|scope| distance(scope));
        names.truncate(5);
        names
    }
}

/// The type that a method belongs to though it is written outside of it.
fn receiver(source: &Source, tree: &Tree, at: At) -> String {
    let class = tree.place(at, v::FUNCTION).and_then(|place| place.part(v::CLASS_NAME));
    let name = class.map(|class| String::from_utf8_lossy(tree.text(class, &source.text)));
    name.map_or(String::new(), |name| format!("{name}{}", source.language.manifest.spelling.scope_separator))
}

fn accessor(tree: &Tree, at: At) -> &'static str {
    if tree.is(at, v::ACCESSOR_GET) {
        "@get"
    } else if tree.is(at, v::ACCESSOR_SET) {
        "@set"
    } else {
        ""
    }
}

fn base_name(name: &str) -> &str {
    name.rsplit_once('#').filter(|(_, number)| number.chars().all(|char| char.is_ascii_digit())).map_or(name, |(base, _)| base)
}

/// What stands behind the last separator of any language.
fn last_part(name: &str) -> &str {
    name.rsplit(['.', '#', ':']).next().unwrap_or(name)
}

fn without_accessor(name: &str) -> &str {
    name.strip_suffix("@get").or_else(|| name.strip_suffix("@set")).unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::by_name;
    use crate::source::ProjectPath;

    fn names(text: &str) -> Vec<String> {
        scopes(text).all.into_iter().map(|scope| scope.name).collect()
    }

    fn scopes(text: &str) -> Scopes {
        scopes_in("python", text)
    }

    fn scopes_in(language: &str, text: &str) -> Scopes {
        let language = by_name(language).unwrap();
        let source = Source { path: ProjectPath::new("a.py".as_ref()).unwrap(), language, text: text.into() };
        Scopes::of(&source, &Tree::parse(language, text.as_bytes()))
    }

    #[test]
    fn names_are_those_of_the_language_itself() {
        let text = "class A:\n    def f(self):\n        def g(): pass\n        class B: pass\n";
        assert_eq!(names(text), ["A", "A.f", "A.f.<locals>.g", "A.f.<locals>.B"]);
    }

    #[test]
    fn methods_of_an_instance_and_of_the_class_are_told_apart_where_the_language_does() {
        let text = "module A\n  class B::C\n    def d; end\n    def self.d; end\n    class << self\n      def e=(x); end\n    end\n  end\nend\n";
        let scopes = scopes_in("ruby", text);
        let names: Vec<&str> = scopes.all.iter().map(|scope| scope.name.as_str()).collect();
        assert_eq!(names, ["A", "A::B::C", "A::B::C#d", "A::B::C.d", "A::B::C.e="]);
        assert_eq!(scopes.named("d").len(), 2);
    }

    #[test]
    fn accessors_and_redefinitions_have_names_of_their_own() {
        let text = "class A:\n    @property\n    def x(self): pass\n    @x.setter\n    def x(self, v): pass\ndef f(): pass\ndef f(): pass\n";
        assert_eq!(names(text), ["A", "A.x@get", "A.x@set", "f", "f#2"]);
        assert_eq!(scopes(text).named("A.x").len(), 2);
        assert_eq!(scopes(text).named("f").len(), 2);
        assert_eq!(scopes(text).named("f#2").len(), 1);
        assert_eq!(scopes("class A:\n    def g(self): pass\n").named("g").len(), 1);
    }

    #[test]
    fn an_unknown_name_is_answered_with_the_nearest() {
        assert_eq!(scopes("def total(): pass\ndef price(): pass\n").nearest("totl")[0], "total");
    }
}
