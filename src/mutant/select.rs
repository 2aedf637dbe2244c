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
            if found.is_empty() {
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

/// True for the scope itself and for everything that is defined in it.
fn is_inside(scope: &str, outer: &str) -> bool {
    scope.strip_prefix(outer).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_class_holds_its_methods_and_their_inner_functions() {
        assert!(is_inside("Cart.add.<locals>.check", "Cart"));
        assert!(is_inside("Cart.add", "Cart.add"));
        assert!(!is_inside("Cartridge", "Cart"));
    }
}
