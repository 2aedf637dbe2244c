//! Which survivors a person should see first.
//!
//! A body that can be emptied unnoticed says all about its function: whatever else survived in there is only counted. Then one
//! survivor per line, because the second one of a line seldom tells more; then the rest.

use std::collections::HashSet;

use super::Report;
use crate::analysis::Kind;
use crate::execute::outcome::Measured;
use crate::mutant::Mutant;

/// The rule whose survivor stands for all others of its function.
const FUNCTION_BODY: &str = "statement/function-body";

/// A survivor to print.
#[derive(Clone, Copy, Debug)]
pub struct Shown<'a> {
    pub measured: &'a Measured,
    /// Other survivors in the same function that it stands for.
    pub stands_for: usize,
}

/// Most useful first.
pub fn most_useful_first(report: &Report) -> Vec<Shown<'_>> {
    let (bodies, others): (Vec<_>, Vec<_>) = report.of_kind(Kind::Survived).partition(|survivor| is_body(&survivor.mutant));
    let outermost: Vec<&Measured> = bodies.iter().copied().filter(|body| !is_told_by_any(&body.mutant, &bodies)).collect();
    let stands_for = |body: &Measured| bodies.iter().chain(&others).filter(|other| is_told_by(&other.mutant, &body.mutant)).count();

    let mut shown: Vec<Shown> = outermost.iter().map(|body| Shown { measured: body, stands_for: stands_for(body) }).collect();
    let mut lines = HashSet::new();
    let left = others.iter().filter(|other| !is_told_by_any(&other.mutant, &outermost));
    let (firsts, rest): (Vec<_>, Vec<_>) = left.partition(|other| lines.insert((&other.mutant.path, other.mutant.position.line)));
    shown.extend(firsts.into_iter().chain(rest).map(|measured| Shown { measured, stands_for: 0 }));
    shown
}

fn is_body(mutant: &Mutant) -> bool {
    mutant.rule == FUNCTION_BODY
}

fn is_told_by_any(mutant: &Mutant, bodies: &[&Measured]) -> bool {
    bodies.iter().any(|body| is_told_by(mutant, &body.mutant))
}

/// Whether the change lies inside a body that another mutant empties.
///
/// Spans and not names of scopes decide: a property and its setter have the same name.
fn is_told_by(mutant: &Mutant, body: &Mutant) -> bool {
    if mutant.id == body.id || mutant.path != body.path || !body.edit.span.contains(mutant.edit.span) {
        return false;
    }
    // Two bodies of one span would hide each other.
    !is_body(mutant) || mutant.edit.span != body.edit.span
}
