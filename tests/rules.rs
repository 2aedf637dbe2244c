//! Every rule does what its own examples say, and nothing else.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use mutate::language;
use mutate::mutant::Mutant;
use mutate::mutant::discover::{Discovered, discover};
use mutate::rule::{Catalogue, Example, Rule};
use mutate::source::{ProjectPath, Source};

/// The names that people write into ignore comments and settings: one that changes breaks their projects.
const IDS: &[&str] = &[
    "call/swap",
    "call/unwrap",
    "concurrency/await-remove",
    "concurrency/defer-remove",
    "concurrency/go-remove",
    "concurrency/synchronized-remove",
    "condition/boundary",
    "condition/drop-operand",
    "condition/false",
    "condition/filter",
    "condition/logical-swap",
    "condition/negate",
    "condition/not-remove",
    "condition/nullish",
    "condition/optional-chain",
    "condition/relational",
    "condition/true",
    "exception/finally-remove",
    "exception/handler-rethrow",
    "exception/throw-remove",
    "literal/boolean",
    "literal/collection",
    "literal/integer",
    "literal/string",
    "operator/arithmetic",
    "operator/arithmetic-drop",
    "operator/assign",
    "operator/bitwise",
    "operator/increment",
    "operator/unary-minus",
    "return/default",
    "return/zero",
    "statement/assign-remove",
    "statement/break-to-continue",
    "statement/call-remove",
    "statement/case-remove",
    "statement/continue-to-break",
    "statement/function-body",
];

/// The kinds that agents know.
const KINDS: &[&str] =
    &["condition-inversion", "return-value", "arithmetic-operator", "boundary-off-by-one", "boolean-constant", "not-applicable"];

/// The names in the shared report schema, and ours to add to them.
const MUTATORS: &[&str] = &[
    "ArithmeticOperator",
    "ArrayDeclaration",
    "AssignmentExpression",
    "BlockStatement",
    "BooleanLiteral",
    "CallRemoval",
    "ConditionalExpression",
    "EqualityOperator",
    "ExceptionHandling",
    "LogicalOperator",
    "MethodExpression",
    "OptionalChaining",
    "ReturnValue",
    "StringLiteral",
    "UnaryOperator",
    "UpdateOperator",
];

#[test]
fn the_ids_are_known_unique_and_stable() {
    let catalogue = Catalogue::built_in();
    let ids: Vec<&str> = catalogue.rules().iter().map(|rule| rule.id.as_str()).collect();
    assert_eq!(ids, IDS);
}

#[test]
fn a_rule_makes_exactly_what_its_examples_say() {
    let wrong = of_all_examples(|rule, example| {
        let made = made_by(rule, example);
        (made != example.after).then(|| format!("made {made:#?}\n  instead of {:#?}", example.after))
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_rule_shows_what_it_makes_and_where_it_stays_silent() {
    for rule in Catalogue::built_in().rules() {
        assert!(rule.examples.iter().any(|example| !example.after.is_empty()), "{} has no example of a mutant", rule.id);
        assert!(rule.examples.iter().any(|example| example.after.is_empty()), "{} has no example of silence", rule.id);
    }
}

#[test]
fn a_silence_is_explained() {
    let unexplained = of_all_examples(|_, example| {
        let explained = example.why.as_ref().is_some_and(|why| !why.is_empty());
        (example.after.is_empty() && !explained).then(|| "it does not say why".to_owned())
    });
    assert!(unexplained.is_empty(), "{}", unexplained.join("\n"));
}

#[test]
fn a_rule_says_in_one_plain_phrase_what_a_test_would_have_to_do() {
    for rule in Catalogue::built_in().rules() {
        let is_phrase = rule.hint.starts_with(|first: char| first.is_lowercase()) && !rule.hint.ends_with('.');
        assert!(is_phrase, "hint of {}: {:?}", rule.id, rule.hint);
        assert!(!rule.summary.is_empty() && !rule.summary.ends_with('.'), "summary of {}: {:?}", rule.id, rule.summary);
    }
}

#[test]
fn a_rule_uses_the_words_that_reports_and_agents_know() {
    for rule in Catalogue::built_in().rules() {
        assert!(KINDS.contains(&rule.kind.as_str()), "kind of {}: {}", rule.id, rule.kind);
        assert!(MUTATORS.contains(&rule.mutator.as_str()), "mutator of {}: {}", rule.id, rule.mutator);
    }
}

#[test]
fn every_mutant_of_an_example_parses() {
    let broken = of_all_examples(|_, example| {
        let found = found_in(&example.language, &example.before);
        let bad = found.mutants.iter().map(|mutant| mutated(mutant, example)).find(|text| !parses(&example.language, text));
        bad.map(|text| format!("{text:?} does not parse"))
    });
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

/// The grammar accepts more than the language does: `x = *y`, a `return` outside of a function.
#[test]
fn every_mutant_of_a_python_example_is_accepted_by_python() {
    let mut texts: Vec<String> = Vec::new();
    for rule in Catalogue::built_in().rules() {
        for example in rule.examples.iter().filter(|example| example.language == "python") {
            texts.push(example.before.clone());
            texts.extend(found_in("python", &example.before).mutants.iter().map(|mutant| mutated(mutant, example)));
        }
    }
    assert_eq!(refused_by_python(&texts), "");
}

#[test]
fn the_same_source_gives_the_same_mutants() {
    let differing = of_all_examples(|_, example| {
        let [one, other] = [(); 2].map(|()| found_in(&example.language, &example.before).mutants);
        (one != other).then(|| "two runs differ".to_owned())
    });
    assert!(differing.is_empty(), "{}", differing.join("\n"));
}

// ---- how an example is run ------------------------------------------------------------------------------------------------------

/// What is wrong, for every example that something is wrong with, with the name of its rule and its source.
fn of_all_examples(problem: impl Fn(&Rule, &Example) -> Option<String>) -> Vec<String> {
    let catalogue = Catalogue::built_in();
    let examples = catalogue.rules().iter().flat_map(|rule| rule.examples.iter().map(move |example| (rule, example)));
    let named = |(rule, example): (&Rule, &Example)| {
        problem(rule, example).map(|problem| format!("{} on {:?}: {problem}", rule.id, example.before))
    };
    examples.filter_map(named).collect()
}

fn found_in(language: &str, text: &str) -> Discovered {
    let language = language::by_name(language).unwrap_or_else(|| panic!("no language is called {language}"));
    let path = ProjectPath::new(Path::new("example")).expect("a path in the project");
    let source = Source { path, language, text: text.as_bytes().to_vec() };
    discover(&source, &Catalogue::built_in()).expect("no example has an ignored region")
}

/// What one rule makes while all rules are on, in order of position.
fn made_by(rule: &Rule, example: &Example) -> Vec<String> {
    let found = found_in(&example.language, &example.before);
    let is_its_own = |mutant: &&Mutant| mutant.rule == rule.id || mutant.also.contains(&rule.id);
    found.mutants.iter().filter(is_its_own).map(|mutant| mutated(mutant, example)).collect()
}

fn mutated(mutant: &Mutant, example: &Example) -> String {
    String::from_utf8(mutant.edit.apply(example.before.as_bytes())).expect("examples are UTF-8")
}

/// A file with syntax errors gives a notice.
fn parses(language: &str, text: &str) -> bool {
    found_in(language, text).notices.is_empty()
}

/// What `compile` says about the texts that it does not accept.
fn refused_by_python(texts: &[String]) -> String {
    const CHECK: &str = "
import json, sys
for text in json.load(sys.stdin):
    try:
        compile(text, 'example', 'exec', dont_inherit=True)
    except SyntaxError as error:
        print(repr(text), error)
";
    let mut python = Command::new("python3")
        .args(["-I", "-W", "ignore", "-c", CHECK])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("python3 is needed by the tests");
    let input = serde_json::to_vec(texts).expect("texts are JSON");
    python.stdin.take().expect("a pipe").write_all(&input).expect("python3 reads its input");
    let output = python.wait_with_output().expect("python3 ends");
    assert!(output.status.success(), "python3 could not check the texts");
    String::from_utf8_lossy(&output.stdout).into_owned()
}
