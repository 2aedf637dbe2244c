//! Which mutants of a file the user asked for: lines and functions.

use std::collections::BTreeSet;

use super::Mutant;
use crate::error::{Error, Result};
use crate::language::Tree;
use crate::source::find::Chosen;
use crate::source::scope::Scopes;
use crate::text::Lines;

/// Keeps the mutants in the wanted lines and functions of their file.
///
/// Fails (`Kind::Usage`) for a name that is in none of the files, with the nearest names there are.
pub fn wanted(files: &[Chosen], mutants: Vec<Mutant>) -> Result<Vec<Mutant>> {
    let mut missing: BTreeSet<&str> = files.iter().flat_map(|file| &file.functions).map(String::as_str).collect();
    let mut nearest: Vec<String> = Vec::new();
    let mut kept = Vec::new();
    for file in files {
        let tree = Tree::parse(file.source.language, &file.source.text);
        let scopes = Scopes::of(&file.source, &tree);
        let lines = Lines::of(&file.source.text);
        let last = lines.count(&file.source.text);
        if let Some((first, _)) = file.lines.iter().find(|(first, _)| *first > last) {
            return Err(Error::usage(format!("there is no line {first}"))
                .at(&file.source.path)
                .mend(format!("the file ends with line {last}")));
        }
        let mut names: Vec<&str> = Vec::new();
        for name in &file.functions {
            let found = scopes.named(name);
            // A type whose methods stand outside of it has no place of its own.
            let holds_any = scopes.all().iter().any(|scope| is_inside(&scope.name, name));
            if holds_any {
                names.push(name);
            }
            if found.is_empty() && !holds_any {
                nearest.extend(scopes.nearest(name).into_iter().map(|name| format!("{}::{name}", file.source.path)));
            } else {
                missing.remove(name.as_str());
            }
            names.extend(found.into_iter().map(|scope| scope.name.as_str()));
        }
        let in_functions = |mutant: &Mutant| file.functions.is_empty() || names.iter().any(|name| is_inside(&mutant.scope, name));
        let in_lines = |mutant: &Mutant| {
            let (first, last) = (lines.line(mutant.edit.span.start), lines.line(mutant.edit.span.end.saturating_sub(1)));
            file.lines.is_empty() || file.lines.iter().any(|(from, to)| first <= *to && *from <= last.max(first))
        };
        kept.extend(
            mutants.iter().filter(|mutant| mutant.path == file.source.path && in_functions(mutant) && in_lines(mutant)).cloned(),
        );
    }
    match missing.first() {
        None => Ok(kept),
        Some(name) => Err(Error::usage(format!("there is no function or class called `{name}`")).mend(suggestion(nearest))),
    }
}

fn suggestion(nearest: Vec<String>) -> String {
    match nearest.is_empty() {
        true => "the files hold no function at all".to_owned(),
        false => format!("the nearest are {}", nearest.into_iter().take(5).collect::<Vec<_>>().join(", ")),
    }
}

/// True for the scope itself and for everything that is defined in it: `A.b`, and in Ruby `A#b` and `A::B`.
fn is_inside(scope: &str, outer: &str) -> bool {
    let rest = scope.strip_prefix(outer);
    rest.is_some_and(|rest| rest.is_empty() || [".", "#", "::"].iter().any(|separator| rest.starts_with(separator)))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::language;
    use crate::mutant::discover::discover;
    use crate::rule::Catalogue;
    use crate::source::{ProjectPath, Source};

    #[test]
    fn a_class_holds_its_methods_and_their_inner_functions() {
        assert!(is_inside("Cart.add.<locals>.check", "Cart"));
        assert!(is_inside("Cart.add", "Cart.add"));
        assert!(!is_inside("Cartridge", "Cart"));
    }

    /// The functions of a file whose mutants are wanted.
    fn chosen(path: &str, text: &str, name: &str) -> Vec<String> {
        let path = Path::new(path);
        let source =
            Source { path: ProjectPath::new(path).unwrap(), language: language::by_path(path).unwrap(), text: text.into() };
        let mutants = discover(&source, &Catalogue::built_in().choose(|rule| rule.id == "operator/arithmetic")).unwrap().mutants;
        let file = Chosen { source, lines: Vec::new(), functions: vec![name.to_owned()] };
        wanted(&[file], mutants).unwrap().into_iter().map(|mutant| mutant.scope).collect()
    }

    #[test]
    fn a_type_of_go_means_its_methods() {
        let text = "package m\n\ntype T struct{}\n\nfunc (t *T) A(n int) int { return n + 1 }\nfunc (t T) B(n int) int { return n - 1 }\n\
                    func (t *Tail) A(n int) int { return n * 2 }\n";
        assert_eq!(chosen("a.go", text, "T"), ["T.A", "T.B"]);
        assert_eq!(chosen("a.go", text, "T.B"), ["T.B"]);
    }

    #[test]
    fn a_module_of_ruby_means_its_classes_and_a_class_its_methods() {
        let text = "module Shop\n  class Cart\n    def total(a)\n      a + 1\n    end\n    def self.make(a)\n      a - 1\n    end\n  end\n\
                    def self.top(a)\n    a * 2\n  end\nend\nclass Shopping\n  def x(a)\n    a + 5\n  end\nend\n";
        assert_eq!(chosen("a.rb", text, "Shop"), ["Shop::Cart#total", "Shop::Cart.make", "Shop.top"]);
        assert_eq!(chosen("a.rb", text, "Cart"), ["Shop::Cart#total", "Shop::Cart.make"]);
    }

    #[test]
    fn a_class_of_java_or_typescript_means_its_inner_ones_too() {
        let java = "class A { int a(int x) { return x + 1; } static class B { int b(int x) { return x - 1; } } }\n";
        assert_eq!(chosen("A.java", java, "A"), ["A.a(int)", "A.B.b(int)"]);
        assert_eq!(chosen("A.java", java, "B"), ["A.B.b(int)"]);
        let typescript =
            "namespace N { export class A { f(a: number) { return a + 1; } } }\nclass Ab { f(a: number) { return a + 2; } }\n";
        assert_eq!(chosen("a.ts", typescript, "A"), ["N.A.f"]);
        assert_eq!(chosen("a.ts", typescript, "N"), ["N.A.f"]);
    }
}
