//! The functions and classes of a file, by qualified name.
//!
//! Names follow the language's own habit, for Python its `__qualname__`: `Class.method`, `outer.<locals>.inner`, with `@get` and `@set`
//! for accessors; where methods are overloaded, the types of the parameters belong to the name: `Class.method(int,String)`,
//! `Class.<init>()`. A class without a name is called after its line: `Class.method().<anon@12>`. What is defined more than once gets `#2`, `#3` in source order, so that each has a name of its own.

use std::collections::HashMap;

use super::Source;
use crate::language::vocabulary as v;
use crate::language::{At, Tree};
use crate::text::{Lines, Span};

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
        let lines = Lines::of(&source.text);
        let mut seen: HashMap<String, usize> = HashMap::new();
        for at in tree.all() {
            let outer = tree.parent(at).and_then(|parent| scopes.of_node[parent.index()]);
            let own = scopes.scope_at(source, tree, &lines, at, outer).map(|mut scope| {
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

    fn scope_at(&self, source: &Source, tree: &Tree, lines: &Lines, at: At, outer: Option<u32>) -> Option<Scope> {
        let is_function = tree.is(at, v::FUNCTION);
        let (role, named_by) = if is_function { (v::FUNCTION, v::FUNCTION_NAME) } else { (v::CLASS, v::CLASS_NAME) };
        if !tree.is(at, role) {
            return None;
        }
        let name = match tree.part(at, role, named_by) {
            Some(name) => String::from_utf8_lossy(tree.text(name, &source.text)).into_owned(),
            None if is_function && tree.is(at, v::CONSTRUCTOR) => "<init>".to_owned(),
            None if is_function => return None,
            None => format!("<anon@{}>", lines.line(tree.span(at).start)),
        };
        let parameters = tree.part(at, role, v::FUNCTION_PARAMETERS).map(|at| parameters(source, tree, at)).unwrap_or_default();
        let decorated = tree.parent(at).filter(|parent| tree.is(*parent, v::DECORATED));
        Some(Scope {
            name: format!(
                "{}{}{name}{parameters}{}",
                self.prefix(source, tree, at, outer),
                receiver(source, tree, at),
                accessor(tree, at)
            ),
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

    /// The scopes that a name means: itself and every redefinition of it; else all overloads of a name without parameters, and an
    /// accessor named without its suffix; else everything whose last part it is.
    pub fn named(&self, name: &str) -> Vec<&Scope> {
        let name: &str = &name.chars().filter(|char| !char.is_whitespace()).collect::<String>();
        let all_that = |is: &dyn Fn(&str) -> bool| self.all.iter().filter(|scope| is(&scope.name)).collect::<Vec<&Scope>>();
        let exact = all_that(&|scope| scope == name || base_name(scope) == name);
        if !exact.is_empty() && !name.ends_with("<init>") {
            return exact;
        }
        let plain = all_that(&|scope| plain_name(scope) == name);
        if !plain.is_empty() {
            return plain;
        }
        all_that(&|scope| last_part(plain_name(scope)) == name || last_part(base_name(scope)) == name)
    }

    /// At most five names that look most like this one, best first.
    pub fn nearest(&self, name: &str) -> Vec<&str> {
        let distance = |scope: &str| {
            let plain = plain_name(scope);
            [scope, plain, last_part(plain)].map(|part| strsim::damerau_levenshtein(part, name)).into_iter().min()
        };
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

/// `A.f(int)#2` → `A.f`, `A.x@get` → `A.x`.
fn plain_name(name: &str) -> &str {
    without_parameters(without_accessor(base_name(name)))
}

/// Outer parameters stay: `A.f(int).B.g(long)` → `A.f(int).B.g`.
fn without_parameters(name: &str) -> &str {
    name.strip_suffix(')').and_then(|name| name.rsplit_once('(')).map_or(name, |(plain, _)| plain)
}

/// `A.f(int).B.g(String...)` → `g(String...)`.
fn last_part(name: &str) -> &str {
    let head = without_parameters(name);
    // What stands behind the last separator of any language.
    &name[head.rfind(['.', '#', ':']).map_or(0, |at| at + 1)..]
}

/// The types of the parameters, without packages and generics: `(int,String,List)`.
fn parameters(source: &Source, tree: &Tree, at: At) -> String {
    let type_of = |parameter: At| {
        let declared = tree.children(parameter).find(|at| tree.is(*at, v::PARAMETER_TYPE))?;
        let behind = &source.text[tree.span(declared).end..tree.span(parameter).end];
        let text = String::from_utf8_lossy(tree.text(declared, &source.text));
        let dots = if behind.trim_ascii_start().starts_with(b"...") { "..." } else { "" };
        // `int a[]` is an `int[]`.
        let dimensions = "[]".repeat(behind.iter().filter(|byte| **byte == b'[').count());
        Some(format!("{}{dimensions}{dots}", bare_type(&text)))
    };
    format!("({})", tree.named_children(at).filter_map(type_of).collect::<Vec<_>>().join(","))
}

/// `java.util.Map<K, V>[]` → `Map[]`.
fn bare_type(text: &str) -> String {
    let mut depth = 0usize;
    let mut bare = String::new();
    for char in text.chars().filter(|char| !char.is_whitespace()) {
        match char {
            '<' => depth += 1,
            '>' => depth = depth.saturating_sub(1),
            '.' if depth == 0 => bare.clear(),
            _ if depth == 0 => bare.push(char),
            _ => {}
        }
    }
    bare
}

/// A name that stays when lines are added above: `f.<anon@12>.run()` → `f.<anon>.run()`.
pub fn without_lines(name: &str) -> String {
    let mut parts = name.split("<anon@");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |name, part| name + "<anon" + part.trim_start_matches(|char: char| char.is_ascii_digit()))
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

    fn names_in(language: &str, text: &str) -> Vec<String> {
        let language = by_name(language).unwrap();
        let source = Source { path: ProjectPath::new("a".as_ref()).unwrap(), language, text: text.into() };
        Scopes::of(&source, &Tree::parse(language, text.as_bytes())).all.into_iter().map(|scope| scope.name).collect()
    }

    #[test]
    fn a_function_without_a_name_is_known_by_what_it_is_bound_to() {
        let text = "const f = () => 1;\nexport default function () {}\nconst o = { g() {}, h: () => 2, 'a b': function () {} };\nexports.k = function l() {};\n";
        assert_eq!(names_in("javascript", text), ["f", "default", "g", "h", "a b", "k"]);
        assert_eq!(
            names_in("javascript", "export default class { m() { const i = () => 1; } }\n"),
            ["default", "default.m", "default.m.i"]
        );
        assert_eq!(names_in("javascript", "xs.map((x) => x + 1);\n"), [""; 0]);
    }

    #[test]
    fn members_of_a_class_keep_the_form_of_their_names() {
        let text =
            "class A { get p() { return 1; } set p(v) {} static #q() {} [Symbol.iterator]() {} r = () => 1; constructor() {} }\n";
        let expected = ["A", "A.p@get", "A.p@set", "A.#q", "A.[Symbol.iterator]", "A.r", "A.constructor"];
        assert_eq!(names_in("javascript", text), expected);
        assert_eq!(names_in("typescript", text), expected);
    }

    #[test]
    fn signatures_and_declarations_are_no_functions() {
        let text = "function f(a: string): void;\nfunction f(a: any): void { g(a); }\ndeclare function h(): void;\nabstract class A { abstract m(): void; n(): void { m(); } }\nnamespace N { export const k = (): number => 1; }\n";
        assert_eq!(names_in("typescript", text), ["f", "A", "A.n", "N", "N.k"]);
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

    fn java(text: &str) -> Scopes {
        let language = by_name("java").unwrap();
        let source = Source { path: ProjectPath::new("A.java".as_ref()).unwrap(), language, text: text.into() };
        Scopes::of(&source, &Tree::parse(language, text.as_bytes()))
    }

    fn meant<'s>(scopes: &'s Scopes, name: &str) -> Vec<&'s str> {
        scopes.named(name).into_iter().map(|scope| scope.name.as_str()).collect()
    }

    #[test]
    fn overloads_are_told_apart_by_the_types_of_their_parameters() {
        let text = "class A { A() {} A(int[] a, int b[]) {} void f(java.util.Map<K, List<V>> m, final String... s) {} void f() {} void g(int x) {} \
            class B { void f(A.B b) {} } record R(int x) { R {} } enum E { ONE { void h() {} } } }";
        let scopes = java(text);
        let names: Vec<&str> = scopes.all().iter().map(|scope| scope.name.as_str()).collect();
        let first = ["A", "A.<init>()", "A.<init>(int[],int[])", "A.f(Map,String...)", "A.f()", "A.g(int)", "A.B", "A.B.f(B)"];
        assert_eq!(names[..8], first);
        assert_eq!(names[8..], ["A.R", "A.R.<init>", "A.E", "A.E.ONE", "A.E.ONE.h()"]);
        assert_eq!(meant(&scopes, "A.f"), ["A.f(Map,String...)", "A.f()"]);
        assert_eq!(meant(&scopes, "A.f(Map, String...)"), ["A.f(Map,String...)"]);
        assert_eq!(meant(&scopes, "A.<init>"), ["A.<init>()", "A.<init>(int[],int[])"]);
        assert_eq!(meant(&scopes, "g"), ["A.g(int)"]);
        assert_eq!(meant(&scopes, "f"), ["A.f(Map,String...)", "A.f()", "A.B.f(B)"]);
        assert_eq!(meant(&scopes, "f(B)"), ["A.B.f(B)"]);
    }

    #[test]
    fn a_class_without_a_name_is_called_after_its_line_and_its_mutants_are_not() {
        let text = "class A {\n    void f(int x) {\n        g(new B() { void h() {} });\n    }\n}\n";
        let scopes = java(text);
        let last = &scopes.all().last().unwrap().name;
        assert_eq!(last, "A.f(int).<anon@3>.h()");
        assert_eq!(without_lines(last), "A.f(int).<anon>.h()");
    }

    #[test]
    fn an_unknown_name_is_answered_with_the_nearest() {
        assert_eq!(scopes("def total(): pass\ndef price(): pass\n").nearest("totl")[0], "total");
    }
}
