//! Conditions under which a rule stays silent.
//!
//! A guard asks for roles, never for a language. Each stands for a kind of mutant that nobody wants: one that cannot build, one that
//! equals the original, or one that is noticed by every test that notices another.

use super::template::Scene;
use crate::language::At;
use crate::language::tree::Place;
use crate::language::vocabulary::{self as v, Role};

type Holds = fn(&Scene, &Candidate) -> bool;

/// A place together with the form that a rule wants to give it.
pub struct Candidate<'p> {
    pub place: &'p Place<'p>,
    /// The capture that the template keeps, if it keeps one and nothing else.
    pub kept: Option<Role>,
    pub replacement: &'p [u8],
}

/// A named condition.
#[derive(Clone, Copy)]
pub struct Guard {
    name: &'static str,
    holds: Holds,
}

const ALL: &[(&str, Holds)] = &[
    ("already-constant", already_constant),
    ("already-raises", already_raises),
    ("binds-name", binds_name),
    ("boundary-covers-false", |scene, candidate| boundary_covers(scene, candidate.place.at, false)),
    ("boundary-covers-true", |scene, candidate| boundary_covers(scene, candidate.place.at, true)),
    ("constructor", |scene, candidate| scene.tree.parent(candidate.place.at).is_some_and(|at| scene.tree.is(at, v::CONSTRUCTOR))),
    ("decides", decides),
    ("docstring", |scene, candidate| scene.tree.is(candidate.place.at, v::TEXT_DOCSTRING)),
    ("drop-covers-false", |scene, candidate| drop_covers(scene, candidate.place.at, false)),
    ("drop-covers-true", |scene, candidate| drop_covers(scene, candidate.place.at, true)),
    ("identity-operand", identity_operand),
    ("in-constructor", |scene, candidate| around(scene, candidate).is_some_and(|at| scene.tree.is(at, v::CONSTRUCTOR))),
    ("in-generator", |scene, candidate| generator(scene, function_of(scene, candidate))),
    ("in-loop-step", |scene, candidate| scene.tree.ancestors(candidate.place.at).any(|at| scene.tree.is(at, v::LOOP_STEP))),
    ("inside-switch", inside_switch),
    ("joins-text", joins_text),
    ("last-of-function", last_of_function),
    ("length-against-zero", length_against_zero),
    ("loop-condition", |scene, candidate| {
        decision(scene, candidate.place.at).is_some_and(|at| scene.tree.is(at, v::CONDITION_LOOP))
    }),
    ("more-than-a-leaf", more_than_a_leaf),
    ("needed-later", needed_later),
    ("not-returned", not_returned),
    ("number-operand", |scene, candidate| candidate.place.part(v::OPERAND).is_some_and(|at| scene.tree.is(at, v::NUMBER))),
    ("only-statement-of-branch", only_statement_of_branch),
    ("only-statement-of-function", only_statement_of_function),
    ("outside-finite-loop", outside_finite_loop),
    ("return-value", |scene, candidate| is_result(scene, outside_parentheses(scene, candidate.place.at))),
    ("same-value", same_value),
    ("text-part", |scene, candidate| scene.tree.is(candidate.place.at, v::TEXT_PART)),
    ("throw-message", |scene, candidate| scene.tree.ancestors(candidate.place.at).any(|at| scene.tree.is(at, v::THROW_MESSAGE))),
    ("trimmed-anyway", |scene, candidate| {
        scene.tree.is(candidate.place.at, v::TRIMMED_ANYWAY) && scene.tree.is(candidate.place.at, v::CALL_TRIM)
    }),
    ("trivial-body", trivial_body),
    ("type-union", type_union),
    ("under-minus", under_minus),
    ("unimplemented", |scene, candidate| scene.tree.is(candidate.place.at, v::THROW_UNIMPLEMENTED)),
    ("whole-statement", whole_statement),
];

impl Guard {
    /// Fails with a sentence that names the nearest guard.
    pub fn named(name: &str) -> Result<Guard, String> {
        match ALL.iter().find(|(known, _)| *known == name) {
            Some((name, holds)) => Ok(Guard { name, holds: *holds }),
            None => {
                let nearest = ALL.iter().map(|(known, _)| known).min_by_key(|known| strsim::damerau_levenshtein(known, name));
                Err(format!("unknown guard `{name}`; the nearest is `{}`", nearest.unwrap_or(&"")))
            }
        }
    }

    pub fn name(&self) -> &'static str {
        self.name
    }

    /// True if the rule must stay silent here.
    pub fn holds(&self, scene: &Scene, candidate: &Candidate) -> bool {
        (self.holds)(scene, candidate)
    }
}

impl std::fmt::Debug for Guard {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

fn around(scene: &Scene, candidate: &Candidate) -> Option<At> {
    scene.function_around(candidate.place.at)
}

/// The function that a place belongs to, or is the body of.
fn function_of(scene: &Scene, candidate: &Candidate) -> Option<At> {
    around(scene, candidate)
}

fn already_constant(scene: &Scene, candidate: &Candidate) -> bool {
    scene.tree.is(scene.inside_parentheses(candidate.place.at), v::CONSTANT)
}

/// The replaced code gives a name to something that is used elsewhere.
fn binds_name(scene: &Scene, candidate: &Candidate) -> bool {
    let at = candidate.place.at;
    let whole = if scene.tree.is_named(at) { at } else { scene.tree.parent(at).unwrap_or(at) };
    // What a function in it binds is that function's own.
    let inner =
        |at: At| scene.tree.ancestors(at).take_while(|around| *around >= whole).any(|around| scene.tree.is(around, v::LAMBDA));
    scene.tree.subtree(whole).any(|at| scene.tree.is(at, v::BINDS) && !inner(at))
}

/// What is left out gives a value to a name, and the compiler would miss it. A forced condition is kept instead.
fn needed_later(scene: &Scene, candidate: &Candidate) -> bool {
    let gone = match candidate.kept {
        Some(v::LEFT) => candidate.place.part(v::RIGHT),
        Some(v::RIGHT) => candidate.place.part(v::LEFT),
        _ => Some(candidate.place.at),
    };
    let is_kept = |at: At| scene.tree.is(at, v::KEPT) && !scene.tree.is(at, v::BLOCK);
    gone.is_some_and(|gone| scene.tree.subtree(gone).any(is_kept))
}

/// The whole decision that an expression is part of: seen through parentheses, nots and logical operators.
fn decision(scene: &Scene, at: At) -> Option<At> {
    let at = if scene.tree.is_named(at) { at } else { scene.tree.parent(at)? };
    let mut chain = std::iter::once(at).chain(scene.tree.ancestors(at));
    let is_decision = |at: At| scene.tree.is_any(at, &[v::CONDITION_BRANCH, v::CONDITION_LOOP, v::CONDITION_FILTER]);
    let mut below = chain.next()?;
    if is_decision(below) {
        return Some(below);
    }
    for at in chain {
        if !scene.tree.is_any(at, &[v::PARENTHESES, v::NOT, v::LOGICAL_AND, v::LOGICAL_OR]) {
            return None;
        }
        below = at;
        if is_decision(below) {
            return Some(below);
        }
    }
    None
}

/// True for a decision, for anything a decision is made of, and for the operands of any logical expression: dropping the operand is
/// noticed by fewer tests than negating it.
fn decides(scene: &Scene, candidate: &Candidate) -> bool {
    let at = candidate.place.at;
    let Some(expression) = (if scene.tree.is_named(at) { Some(at) } else { scene.tree.parent(at) }) else { return false };
    decision(scene, at).is_some() || is_operand(scene, expression)
}

fn is_operand(scene: &Scene, at: At) -> bool {
    let outer = scene.tree.ancestors(at).find(|at| !scene.tree.is_any(*at, &[v::PARENTHESES, v::NOT]));
    outer.is_some_and(|at| scene.tree.is_any(at, &[v::LOGICAL_AND, v::LOGICAL_OR]))
}

/// The expression that decides, below parentheses and nots, and whether the number of nots is odd.
fn root_of(scene: &Scene, at: At) -> (At, bool) {
    let (mut at, mut odd) = (scene.inside_parentheses(at), false);
    while let Some(place) = scene.tree.place(at, v::NOT) {
        let Some(operand) = place.part(v::OPERAND) else { break };
        (at, odd) = (scene.inside_parentheses(operand), !odd);
    }
    (at, odd)
}

/// The value that makes a condition take its branch: an `unless` takes it when the condition is false.
fn forced(scene: &Scene, at: At, taken: bool) -> bool {
    taken != scene.tree.is(at, v::CONDITION_UNLESS)
}

/// Forcing the decision to `value` is noticed by every test that notices a dropped operand: `a and b` is never forced to true.
fn drop_covers(scene: &Scene, at: At, taken: bool) -> bool {
    let (value, (root, odd)) = (forced(scene, at, taken), root_of(scene, at));
    scene.tree.is(root, if value != odd { v::LOGICAL_AND } else { v::LOGICAL_OR })
}

/// Forcing the decision to `value` is noticed by every test that notices a moved boundary: `a < b` is never forced to true.
fn boundary_covers(scene: &Scene, at: At, taken: bool) -> bool {
    let (value, (root, odd)) = (forced(scene, at, taken), root_of(scene, at));
    if !scene.tree.is(root, v::COMPARISON) || is_length_against_zero(scene, root) {
        return false;
    }
    let covering: [&[u8]; 2] = if value != odd { [b"<", b">"] } else { [b"<=", b">="] };
    scene.tree.children(root).any(|child| scene.tree.is(child, v::COMPARISON_ORDER) && covering.contains(&scene.text(child)))
}

fn length_against_zero(scene: &Scene, candidate: &Candidate) -> bool {
    scene.tree.parent(candidate.place.at).is_some_and(|comparison| is_length_against_zero(scene, comparison))
}

/// A length is never negative, so moving the boundary at 0 gives a constant, and `!=` gives the same.
fn is_length_against_zero(scene: &Scene, comparison: At) -> bool {
    let operands: Vec<At> = scene.tree.named_children(comparison).collect();
    let [one, other] = operands[..] else { return false };
    let is_zero = |at: At| scene.tree.is(at, v::CONSTANT_ZERO);
    scene.tree.is(one, v::LENGTH) && is_zero(other) || scene.tree.is(other, v::LENGTH) && is_zero(one)
}

/// Keeping only this operand would drop several others at once: in `a and b and c` each is dropped on its own.
fn more_than_a_leaf(scene: &Scene, candidate: &Candidate) -> bool {
    let dropped = match candidate.kept {
        Some(v::LEFT) => v::RIGHT,
        Some(v::RIGHT) => v::LEFT,
        _ => return false,
    };
    candidate.place.part(dropped).is_some_and(|at| scene.tree.is(at, candidate.place.role))
}

/// One end of a `+` chain is text or a list: the operator joins, and its mutants fail at once.
fn joins_text(scene: &Scene, candidate: &Candidate) -> bool {
    let at = candidate.place.at;
    if matches!(scene.text(at), b"??=" | b"||=" | b"&&=") {
        return false;
    }
    let Some(operation) = (if scene.tree.is(at, v::ARITHMETIC) { Some(at) } else { scene.tree.parent(at) }) else { return false };
    if let Some(assign) = scene.tree.place(operation, v::ASSIGN) {
        let sides = [assign.part(v::ASSIGN_VALUE), assign.part(v::LEFT)];
        return sides.into_iter().flatten().any(|side| any_sequence(scene, side));
    }
    let is_chain = |at: At| scene.tree.is_any(at, &[v::ARITHMETIC, v::PARENTHESES]);
    let mut top = operation;
    while let Some(parent) = scene.tree.parent(top).filter(|parent| is_chain(*parent)) {
        top = parent;
    }
    any_sequence(scene, top) || scene.tree.is(top, v::RETURN_RESULT) && is_text_result(scene, top)
}

/// The function says that what it returns here is a text.
fn is_text_result(scene: &Scene, result: At) -> bool {
    let zero = scene.declared_type(result).and_then(|declared| scene.language.manifest.result.declared.get(declared));
    zero.is_some_and(|defaults| defaults.iter().any(|default| default.starts_with('"')))
}

fn any_sequence(scene: &Scene, at: At) -> bool {
    if scene.tree.is(at, v::SEQUENCE) || scene.names.is_text(at) || is_declared_text(scene, at) {
        return true;
    }
    let is_chain = scene.tree.is_any(at, &[v::ARITHMETIC, v::PARENTHESES]);
    is_chain && scene.tree.named_children(at).any(|child| any_sequence(scene, child))
}

/// A name, or a call of a function of this file, that is declared as text: `name`, `this.name`, `name()`.
fn is_declared_text(scene: &Scene, at: At) -> bool {
    let call = scene.tree.place(at, v::CALL).and_then(|place| place.part(v::CALLEE));
    let name = match call {
        Some(callee) if scene.tree.span(callee).start == scene.tree.span(at).start => scene.text(callee),
        Some(_) => return false,
        None => scene.text(at).strip_prefix(b"this.").unwrap_or(scene.text(at)),
    };
    let is_seen = |declared: At| match scene.tree.is(declared, v::FUNCTION_NAME) {
        true => call.is_some(),
        false => {
            call.is_none()
                && scene.function_around(declared).is_none_or(|function| scene.tree.ancestors(at).any(|at| at == function))
        }
    };
    scene.tree.places(v::SEQUENCE_NAME).any(|place| scene.text(place.at) == name && is_seen(place.at))
}

/// `x * 1`, `x / 1`, `x + 0`: swapping the operator changes nothing.
fn identity_operand(scene: &Scene, candidate: &Candidate) -> bool {
    let Some(right) = candidate.place.part(v::RIGHT) else { return false };
    match scene.text(candidate.place.part(v::ARITHMETIC_OPERATOR).unwrap_or(candidate.place.at)) {
        b"*" | b"/" => scene.tree.is(right, v::CONSTANT_ONE),
        b"+" | b"-" => scene.tree.is(right, v::CONSTANT_ZERO),
        _ => false,
    }
}

/// `int | None` outside of annotations: a type, not bits.
fn type_union(scene: &Scene, candidate: &Candidate) -> bool {
    let Some(operation) = scene.tree.parent(candidate.place.at) else { return false };
    if scene.text(candidate.place.at) != b"|" {
        return false;
    }
    let mut top = operation;
    while let Some(parent) = scene.tree.parent(top).filter(|parent| scene.tree.is(*parent, v::BITWISE)) {
        top = parent;
    }
    let mut operands = Vec::new();
    collect_operands(scene, top, &mut operands);
    operands.iter().all(|at| scene.tree.is_any(*at, &[v::TYPE_NAME, v::TYPE_MAYBE]))
        && operands.iter().any(|at| scene.tree.is(*at, v::TYPE_NAME))
}

fn collect_operands(scene: &Scene, at: At, operands: &mut Vec<At>) {
    if !scene.tree.is(at, v::BITWISE) {
        operands.push(at);
        return;
    }
    for child in scene.tree.named_children(at) {
        collect_operands(scene, child, operands);
    }
}

/// The code already has the value that the rule wants to give it, perhaps in another spelling.
fn same_value(scene: &Scene, candidate: &Candidate) -> bool {
    let original = String::from_utf8_lossy(scene.text(scene.inside_parentheses(candidate.place.at)));
    let replacement = String::from_utf8_lossy(candidate.replacement);
    scene.language.manifest.result.is_same(&original, &replacement)
}

/// A `return` does not give the result of a generator, and its body decides that it is one.
fn generator(scene: &Scene, function: Option<At>) -> bool {
    let Some(function) = function else { return false };
    let scope = |at: &At| scene.tree.ancestors(*at).find(|at| scene.tree.is_any(*at, &[v::FUNCTION, v::LAMBDA]));
    scene.tree.subtree(function).filter(|at| scene.tree.is(*at, v::YIELD)).any(|at| scope(&at) == Some(function))
}

/// The branch is nothing but this statement: never taking the branch is the same program.
fn only_statement_of_branch(scene: &Scene, candidate: &Candidate) -> bool {
    let Some(block) = scene.tree.parent(candidate.place.at) else { return false };
    if scene.tree.is_any(block, &[v::BRANCH, v::BRANCH_PART]) {
        return true;
    }
    let in_branch = scene.tree.parent(block).is_some_and(|at| scene.tree.is_any(at, &[v::BRANCH, v::BRANCH_PART]));
    in_branch && statements(scene, block).count() == 1
}

/// The function is nothing but this statement, in brackets: a function with an empty body is the same program.
fn only_statement_of_function(scene: &Scene, candidate: &Candidate) -> bool {
    let at = candidate.place.at;
    let Some(block) = scene.tree.parent(at).filter(|block| scene.tree.is(*block, v::FUNCTION_BODY)) else { return false };
    let has_body_mutant = |function: At| !scene.tree.is(function, v::CONSTRUCTOR) && !generator(scene, Some(function));
    scene.tree.span(block) != scene.tree.span(at)
        && statements(scene, block).count() == 1
        && scene.tree.parent(block).is_some_and(has_body_mutant)
}

/// The nearest thing that `break` could leave is a switch.
fn inside_switch(scene: &Scene, candidate: &Candidate) -> bool {
    let places = [v::LOOP, v::LOOP_FINITE, v::SWITCH, v::FUNCTION];
    let nearest = scene.tree.ancestors(candidate.place.at).find(|at| scene.tree.is_any(*at, &places));
    nearest.is_some_and(|at| scene.tree.is(at, v::SWITCH))
}

/// The result is not used: leaving the whole statement out is the same program.
fn whole_statement(scene: &Scene, candidate: &Candidate) -> bool {
    scene.tree.parent(candidate.place.at).is_some_and(|at| scene.tree.is(at, v::STATEMENT_CALL))
}

/// Without it the function would run off its end.
fn last_of_function(scene: &Scene, candidate: &Candidate) -> bool {
    let Some(block) = scene.tree.parent(candidate.place.at) else { return false };
    scene.tree.is(block, v::FUNCTION_BODY) && statements(scene, block).last() == Some(candidate.place.at)
}

/// The statements of a block, without comments and texts that belong to one of them; a grammar may keep them in a list of their own.
fn statements<'s>(scene: &'s Scene, block: At) -> impl Iterator<Item = At> + use<'s> {
    let children = |at: At| scene.tree.named_children(at).filter(|at| !scene.tree.is_any(*at, &[v::COMMENT, v::TEXT_APART]));
    let only = children(block).next().filter(|only| scene.tree.is(*only, v::BLOCK) && children(block).count() == 1);
    children(only.unwrap_or(block))
}

/// A value that nobody gets: that of a statement which is not the last one, or of a block that is no part of the result.
fn not_returned(scene: &Scene, candidate: &Candidate) -> bool {
    let at = candidate.place.at;
    scene.tree.is(at, v::THROW) || scene.tree.is(at, v::RETURN_TAIL) && !is_last_value(scene, at)
}

/// What a function returns: by the word for it, or because it is the last value.
fn is_result(scene: &Scene, at: At) -> bool {
    scene.tree.is_any(at, &[v::RETURN_VALUE, v::RETURN_RESULT]) || scene.tree.is(at, v::RETURN_TAIL) && is_last_value(scene, at)
}

/// In languages where the last value of a function is its result: the last one of its body, or of a branch in that place.
fn is_last_value(scene: &Scene, at: At) -> bool {
    let tree = scene.tree;
    let Some(around) = tree.parent(at) else { return false };
    if tree.is(at, v::FUNCTION_BODY) || tree.is(around, v::FUNCTION_BODY) && is_value_of(scene, at, around) {
        return !tree.ancestors(at).find(|at| tree.is(*at, v::FUNCTION)).is_some_and(|at| tree.is(at, v::CONSTRUCTOR));
    }
    let passes_on = match tree.is(around, v::BLOCK) {
        true => is_value_of(scene, at, around),
        false => tree.is_any(around, &[v::BRANCH, v::BRANCH_PART]) && !tree.is(at, v::CONDITION_BRANCH),
    };
    passes_on && is_last_value(scene, around)
}

/// The value of a block is that of its last statement, of an `else` behind it, or of what handles an error in it.
fn is_value_of(scene: &Scene, at: At, block: At) -> bool {
    let tree = scene.tree;
    if tree.is(block, v::FINALLY_BODY) || tree.is(at, v::FINALLY_BODY) {
        return false;
    }
    if tree.is(at, v::BRANCH_PART) {
        return true;
    }
    let is_part = |at: &At| tree.is_any(*at, &[v::BRANCH_PART, v::FINALLY_BODY]);
    let has_else = statements(scene, block).any(|at| is_part(&at) && tree.is(at, v::BLOCK) && !tree.is(at, v::FINALLY_BODY));
    !has_else && statements(scene, block).filter(|at| !is_part(at)).last() == Some(at)
}

/// The handler hands the exception on already.
fn already_raises(scene: &Scene, candidate: &Candidate) -> bool {
    statements(scene, candidate.place.at).last().is_some_and(|at| scene.tree.is(at, v::THROW_AGAIN))
}

/// An empty body, or one statement that another rule attacks.
fn trivial_body(scene: &Scene, candidate: &Candidate) -> bool {
    let meaningful: Vec<At> =
        statements(scene, candidate.place.at).filter(|at| !scene.tree.is_any(*at, &[v::DOCSTRING, v::NOTHING])).collect();
    match meaningful[..] {
        [] => true,
        // What is neutralised alone leaves a function without an effect as well.
        [only] if scene.language.manifest.spelling.early.is_some() && is_neutralised(scene, only) => true,
        [only] => scene.tree.is_any(only, &[v::RETURN_ANY, v::RETURN_TAIL, v::THROW_UNIMPLEMENTED]),
        _ => false,
    }
}

fn is_neutralised(scene: &Scene, statement: At) -> bool {
    scene.tree.is_any(statement, &[v::STATEMENT_CALL, v::STATEMENT_ASSIGN])
}

fn outside_finite_loop(scene: &Scene, candidate: &Candidate) -> bool {
    const AROUND: [Role; 4] = [v::LOOP, v::LOOP_FINITE, v::SWITCH, v::FUNCTION];
    let nearest = scene.tree.ancestors(candidate.place.at).find(|at| scene.tree.is_any(*at, &AROUND));
    !nearest.is_some_and(|at| scene.tree.is(at, v::LOOP_FINITE))
}

fn outside_parentheses(scene: &Scene, at: At) -> At {
    match scene.tree.parent(at).filter(|parent| scene.tree.is(*parent, v::PARENTHESES)) {
        Some(parent) => outside_parentheses(scene, parent),
        None => at,
    }
}

fn under_minus(scene: &Scene, candidate: &Candidate) -> bool {
    scene.tree.parent(candidate.place.at).is_some_and(|at| scene.tree.is(at, v::LITERAL_INTEGER_NEGATIVE))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn guards_are_listed_in_order_and_once() {
        assert!(ALL.windows(2).all(|pair| pair[0].0 < pair[1].0));
    }

    #[test]
    fn an_unknown_guard_is_answered_with_the_nearest() {
        assert!(Guard::named("binds-names").unwrap_err().contains("`binds-name`"));
    }
}
