//! Fewer trials than there could be: a sample, or the first so many. Over all plans of a run together.

use std::collections::HashSet;

use super::{Plan, Settings, Trial};
use crate::mutant::{Reason, Verdict};
use crate::text::Digest;

/// Leaves in the plans what the user wants of them; the rest is settled, with the reason.
pub fn cut(plans: &mut [Plan], settings: &Settings) {
    draw_sample(plans, settings);
    cap(plans, settings);
}

fn draw_sample(plans: &mut [Plan], settings: &Settings) {
    let Some(sample) = settings.sample else { return };
    let ticket = |trial: &Trial| *Digest::of_parts([&settings.seed.to_le_bytes()[..], &trial.mutant.id.0.to_le_bytes()]).bytes();
    let mut tickets: Vec<([u8; 32], usize)> = trials(plans).map(|(_, trial)| (ticket(trial), trial.index)).collect();
    tickets.sort();
    let drawn: HashSet<usize> = tickets.iter().take(sample.of(tickets.len())).map(|(_, index)| *index).collect();
    let why = format!("not in the sample of {} (seed {})", drawn.len(), settings.seed);
    keep_only(plans, &drawn, &why);
}

/// The trials most worth it of every plan, the plans in turn.
fn cap(plans: &mut [Plan], settings: &Settings) {
    let Some(most) = settings.max_mutants else { return };
    let mut ranked: Vec<(usize, usize)> = trials(plans).map(|(rank, trial)| (rank, trial.index)).collect();
    ranked.sort_by_key(|(rank, _)| *rank);
    let first: HashSet<usize> = ranked.into_iter().take(most).map(|(_, index)| index).collect();
    keep_only(plans, &first, &format!("beyond the first {most} (`--max-mutants`)"));
}

/// All trials, each with its rank in its own plan.
fn trials(plans: &[Plan]) -> impl Iterator<Item = (usize, &Trial)> {
    plans.iter().flat_map(|plan| plan.trials.iter().enumerate())
}

fn keep_only(plans: &mut [Plan], wanted: &HashSet<usize>, why: &str) {
    for plan in plans {
        let (kept, left): (Vec<Trial>, Vec<Trial>) =
            std::mem::take(&mut plan.trials).into_iter().partition(|trial| wanted.contains(&trial.index));
        plan.trials = kept;
        let reason = |trial: Trial| {
            let why = Reason::NotChosen { why: why.to_owned() };
            (trial.index, trial.mutant, Verdict::Ignored { why })
        };
        plan.settled.extend(left.into_iter().map(reason));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mutant::{Mutant, MutantId};
    use crate::plan::Sample;
    use crate::scratch::process::Limits;
    use crate::text::columns::Position;
    use crate::text::{Edit, ProjectPath, Span};
    use std::time::Duration;

    fn trial(index: usize) -> Trial {
        let mutant = Mutant {
            id: MutantId(index as u32),
            path: ProjectPath::new("shop.py".as_ref()).unwrap(),
            scope: String::new(),
            position: Position { line: 1, column: 1 },
            original: b"a".to_vec(),
            edit: Edit::new(Span::new(0, 1), "b"),
            rule: String::new(),
            also: Vec::new(),
            mutator: String::new(),
            kind: String::new(),
            hint: String::new(),
            place: Span::new(0, 1),
            ignored: None,
        };
        let limits = Limits { wall: Duration::ZERO, cpu: Duration::ZERO, memory: 0 };
        Trial {
            index,
            mutant,
            tests: Vec::new(),
            reached_by: Vec::new(),
            import_time: false,
            probe: Some(1),
            named: Vec::new(),
            limits,
        }
    }

    /// Two plans, of 12 and 8 trials.
    fn plans(settings: &Settings) -> [Plan; 2] {
        let whole_suite = trial(0).limits;
        let plan = |trials: std::ops::Range<usize>| Plan { trials: trials.map(trial).collect(), settled: Vec::new(), whole_suite };
        let mut plans = [plan(0..12), plan(12..20)];
        cut(&mut plans, settings);
        plans
    }

    fn chosen(plans: &[Plan]) -> Vec<usize> {
        trials(plans).map(|(_, trial)| trial.index).collect()
    }

    #[test]
    fn a_sample_is_drawn_by_the_seed_and_the_rest_is_ignored_with_a_reason() {
        let sampled = |seed| plans(&Settings { sample: Some(Sample::Percent(25.0)), seed, ..Settings::default() });
        let [one, other] = sampled(1);
        assert_eq!(one.trials.len() + other.trials.len(), 5);
        assert_eq!(one.settled.len() + other.settled.len(), 15);
        assert_eq!(chosen(&sampled(1)), chosen(&sampled(1)));
        assert_ne!(chosen(&sampled(1)), chosen(&sampled(2)));
    }

    #[test]
    fn the_first_so_many_are_taken_from_the_plans_in_turn() {
        assert_eq!(chosen(&plans(&Settings { max_mutants: Some(3), ..Settings::default() })), [0, 1, 12]);
    }
}
