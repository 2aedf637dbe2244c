//! A proposal becomes a mutant, or a reason why not.
//!
//! Nothing is run here. The edit stays inside of one function of one file: after it the function must begin and end where it did, under
//! its old name, and be as well formed as before. What a compiler has against it comes out later, in a scratch tree.

use std::path::Path;

use super::assertion;
use super::given::{NOT_APPLICABLE, Proposal};
use super::place;
use super::refusal::{Refusal, Why};
use crate::execute::added::AddedTest;
use crate::language::vocabulary as v;
use crate::language::{At, Tree};
use crate::mutant::discover::discover;
use crate::mutant::{Identity, Mutant, MutantId};
use crate::rule::Catalogue;
use crate::source::scope::{Scope, Scopes, without_lines};
use crate::source::{Source, find};
use crate::text::{Edit, Lines, Span, sha256};

/// The rule of every mutant that comes from a proposal.
pub const RULE: &str = "proposal";

/// A proposal that can be measured.
#[derive(Clone, Debug)]
pub struct Checked {
    pub source: Source,
    pub mutant: Mutant,
    /// The suggested assertion as a test, or why it cannot be one.
    pub assertion: Option<Result<AddedTest, String>>,
}

/// Checks a proposal against the project at `root`; `number` tells it from the others of its input.
pub fn check(root: &Path, proposal: &Proposal, number: usize) -> Result<Checked, Refusal> {
    if proposal.mutation_kind == NOT_APPLICABLE {
        return Err(Refusal::of(Why::NotApplicable, proposal.rationale.clone().unwrap_or_default()));
    }
    let source = find::confined(root, &proposal.file).map_err(|why| Refusal::of(Why::ForbiddenPath, why))?;
    if let Some(hash) = proposal.source_hash.as_ref().filter(|hash| **hash != sha256::of(&source.text)) {
        return Err(Refusal::of(Why::StaleSource, format!("the file is {} now, not {hash}", sha256::of(&source.text))));
    }
    let mutant = mutant(&source, proposal)?;
    let assertion = assertion::test(root, proposal, number);
    Ok(Checked { source, mutant, assertion })
}

fn mutant(source: &Source, proposal: &Proposal) -> Result<Mutant, Refusal> {
    let tree = Tree::parse(source.language, &source.text);
    let scopes = Scopes::of(source, &tree);
    let function = place::function(source, &tree, &scopes, &proposal.target_function)?;
    let (original, replacement) = proposal.edit().unwrap_or_default();
    if original == replacement {
        return Err(Refusal::of(Why::Identical, "the replacement is the original"));
    }
    agrees(proposal, original, replacement)?;
    let edit = Edit::new(place::text(source, function, original, proposal)?, replacement);
    stays_inside(source, &tree, function, &edit)?;
    let at = at(&tree, &source.text, &edit);
    let scope = scopes.name_at(at).to_owned();
    let known = known(source, &edit);
    Ok(Mutant {
        id: known.as_ref().map_or_else(|| id(source, &scope, function, &edit), |known| known.id),
        path: source.path.clone(),
        scope,
        position: Lines::of(&source.text).position(&source.text, edit.span.start),
        original: original.as_bytes().to_vec(),
        rule: RULE.to_owned(),
        also: Vec::new(),
        mutator: known.map_or_else(|| mutator(&proposal.mutation_kind).to_owned(), |known| known.mutator),
        kind: proposal.mutation_kind.clone(),
        hint: String::new(),
        place: tree.span(if tree.is_named(at) { at } else { tree.parent(at).unwrap_or(at) }),
        ignored: None,
        edit,
    })
}

/// A description that holds an edit must hold this one, or the part of it that changes.
fn agrees(proposal: &Proposal, original: &str, replacement: &str) -> Result<(), Refusal> {
    match proposal.described() {
        Some((before, after)) if (before, after) != (original, replacement) => {
            let is_part = original
                .match_indices(before)
                .any(|(at, _)| [&original[..at], after, &original[at + before.len()..]].concat() == replacement);
            match is_part {
                true => Ok(()),
                false => Err(Refusal::of(Why::Ambiguous, "the description has another edit than `original` and `replacement`")),
            }
        }
        _ => Ok(()),
    }
}

/// The function is where it was, and nothing else has come or gone.
fn stays_inside(source: &Source, tree: &Tree, function: &Scope, edit: &Edit) -> Result<(), Refusal> {
    let text = edit.apply(&source.text);
    let changed = Tree::parse(source.language, &text);
    let broken = |tree: &Tree| tree.all().filter(|at| tree.is_broken(*at)).count();
    if broken(&changed) > broken(tree) {
        return Err(Refusal::of(Why::SyntaxError, "the function does not parse with the replacement"));
    }
    let end = function.span.end - edit.span.len() + edit.replacement.len();
    let span = Span::new(function.span.start, end);
    let mutated = Source { text, ..source.clone() };
    let scopes = Scopes::of(&mutated, &changed);
    let is_it = |scope: &&Scope| scope.span == span && without_lines(&scope.name) == without_lines(&function.name);
    match scopes.all().iter().any(|scope| is_it(&scope)) {
        true => Ok(()),
        false => Err(Refusal::of(Why::OutOfScope, format!("the replacement changes more than the inside of `{}`", function.name))),
    }
}

/// The node that the edit changes; of several in a row the first, which is run whenever the others are.
fn at(tree: &Tree, text: &[u8], edit: &Edit) -> At {
    let change = edit.canonical(text).span;
    // What is only put in stands for what it was put beside.
    let change = if change.is_empty() || !edit.span.contains(change) { edit.span } else { change };
    let around = tree.smallest_around(change);
    if !tree.is_any(around, &[v::BLOCK, v::FUNCTION_BODY]) {
        return around;
    }
    let silent = [v::COMMENT, v::DOCSTRING];
    let statements: Vec<At> = tree.named_children(around).filter(|at| !tree.is_any(*at, &silent)).collect();
    match statements.iter().position(|statement| tree.span(*statement).touches(change)) {
        // The block itself is begun with its first statement, whatever kind that is of.
        Some(0) | None => around,
        Some(nth) => statements[nth],
    }
}

/// The mutant that a rule makes by the same change.
fn known(source: &Source, edit: &Edit) -> Option<Mutant> {
    let change = edit.canonical(&source.text);
    let mutants = discover(source, &Catalogue::built_in()).ok()?.mutants;
    mutants.into_iter().find(|mutant| mutant.edit.canonical(&source.text) == change)
}

fn id(source: &Source, scope: &str, function: &Scope, edit: &Edit) -> MutantId {
    let original = &source.text[edit.span.range()];
    let before = &source.text[function.span.start..edit.span.start];
    MutantId::of(&Identity {
        language: source.language.name(),
        path: source.path.as_str(),
        scope: &without_lines(scope),
        original,
        replacement: &edit.replacement,
        ordinal: before.windows(original.len()).filter(|window| *window == original).count() as u32,
    })
}

/// The name in the shared report schema that comes nearest to a kind.
fn mutator(kind: &str) -> &'static str {
    match kind {
        "condition-inversion" => "ConditionalExpression",
        "boundary-off-by-one" => "EqualityOperator",
        "arithmetic-operator" => "ArithmeticOperator",
        "boolean-constant" => "BooleanLiteral",
        "return-value" => "ReturnValue",
        _ => "Proposal",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::proposal::given;

    const SHOP: &str = "\
def total(prices, member):
    amount = sum(prices)
    if amount > 100 and member:
        return amount * 0.9
    return amount


def free(amount):
    return amount >= 50
";

    fn project() -> tempfile::TempDir {
        let scene = tempfile::tempdir().unwrap();
        std::fs::write(scene.path().join("shop.py"), SHOP).unwrap();
        scene
    }

    fn checked(fields: serde_json::Value) -> Result<Mutant, String> {
        let scene = project();
        let mut proposal = serde_json::json!({
            "targetFunction": "total", "file": "shop.py", "mutationKind": "boundary-off-by-one",
            "expectedCatcherTest": { "testFile": "test_shop.py", "testName": "test_total" },
        });
        proposal.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        let given = given::read(proposal.to_string().as_bytes()).unwrap();
        let root = scene.path().canonicalize().unwrap();
        check(&root, &given.proposals[0], 0).map(|checked| checked.mutant).map_err(|refusal| refusal.to_string())
    }

    fn edit(original: &str, replacement: &str) -> Result<Mutant, String> {
        checked(serde_json::json!({ "original": original, "replacement": replacement }))
    }

    /// Another last line of the function.
    fn last(replacement: &str) -> Result<Mutant, String> {
        checked(serde_json::json!({ "original": "return amount", "replacement": replacement, "line": 5 }))
    }

    #[test]
    fn a_change_that_a_rule_makes_too_is_that_mutant() {
        let mutant = edit("if amount > 100 and member:", "if amount >= 100 and member:").unwrap();
        let source = find::confined(&project().path().canonicalize().unwrap(), "shop.py").unwrap();
        let mutants = discover(&source, &Catalogue::built_in()).unwrap().mutants;
        let ruled = mutants.iter().find(|mutant| mutant.rule == "condition/boundary").unwrap();
        assert_eq!((mutant.id, mutant.mutator.as_str(), mutant.rule.as_str()), (ruled.id, "EqualityOperator", RULE));
        assert_eq!((mutant.scope.as_str(), mutant.position.line, mutant.position.column), ("total", 3, 5));
    }

    #[test]
    fn its_place_is_the_first_of_what_it_changes() {
        let place = |mutant: Mutant| SHOP[mutant.place.range()].to_owned();
        assert_eq!(place(edit("sum(prices)", "max(prices)").unwrap()), "sum");
        let block = place(edit("    amount = sum(prices)\n    if amount", "    amount = 1\n    if not amount").unwrap());
        assert!(block.starts_with("amount = sum(prices)\n    if amount > 100"), "{block}");
        let both = edit("if amount > 100 and member:\n        return amount * 0.9\n    return amount", "return 1").unwrap();
        assert!(place(both).starts_with("if amount > 100 and member:\n"));
        assert_eq!(place(last("log()\n    return amount").unwrap()), "return amount");
    }

    #[test]
    fn an_edit_stays_inside_of_its_function() {
        let refusals = [
            (last("return amount\n\n\ndef free(amount):\n    return True"), "out-of-scope: the replacement changes more"),
            (last("return amount\nimport os"), "out-of-scope: the replacement changes more"),
            (edit("def total(prices, member)", "def totals(prices, member)"), "out-of-scope: the replacement changes more"),
            (edit("return amount >= 50", "return True"), "out-of-scope: the original text stands only outside"),
            (edit("return amount * 0.9", "return amount * (0.9"), "syntax-error"),
            (edit("return amount * 0.9", "return amount * 0.9"), "identical"),
            (edit("return 7", "return 8"), "no-match"),
            (edit("amount", "price"), "ambiguous"),
        ];
        for (refused, why) in refusals {
            let refused = refused.map(|mutant| mutant.scope).unwrap_err();
            assert!(refused.starts_with(why), "{refused}");
        }
    }

    #[test]
    fn what_was_made_for_another_file_is_stale() {
        let with = |hash: &str| checked(serde_json::json!({ "original": "0.9", "replacement": "0.8", "sourceHash": hash }));
        assert!(with(&sha256::of(SHOP.as_bytes())).is_ok());
        assert!(with(&sha256::of(b"other")).unwrap_err().starts_with("stale-source: the file is sha256:"));
    }

    #[test]
    fn a_description_may_show_the_part_that_changes_but_nothing_else() {
        let described = |text: &str| {
            let fields =
                serde_json::json!({ "original": "amount > 100", "replacement": "amount >= 100", "mutationDescription": text });
            checked(fields).map(|mutant| mutant.scope)
        };
        assert_eq!(described("line 3: `>` → `>=`").unwrap(), "total");
        assert_eq!(described("off by one").unwrap(), "total");
        assert!(described("`>` → `<`").unwrap_err().starts_with("ambiguous: the description"));
    }
}
