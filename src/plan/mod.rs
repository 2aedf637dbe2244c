//! Mutants and baseline become trials and settled verdicts; pure.
//!
//! Stage 4 of the pipeline. A mutant that no test reaches needs no trial. The others get the tests that reach them, those that reach
//! little first: they are the ones most likely to notice, and the quickest. The order comes from the baseline's reach alone and never
//! from a clock, so that two runs over the same tree name the same killers.

pub mod cut;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::time::Duration;

use crate::baseline::Baseline;
use crate::mutant::{Mutant, Verdict};
use crate::scratch::process::Limits;
use crate::suite::{ProbeId, TestId};

/// One mutant with its tests and its limits.
#[derive(Clone, Debug)]
pub struct Trial {
    /// Position of the mutant in the whole list.
    pub index: usize,
    pub mutant: Mutant,
    /// Tests to ask first, in the order of the run; none means all of the suite.
    pub tests: Vec<TestId>,
    /// Those of them that reach the mutant for certain.
    pub reached_by: Vec<TestId>,
    /// Reached while modules are imported: every test depends on it.
    pub import_time: bool,
    /// `None` where there is none: then all tests are asked, and any of them may reach the mutant.
    pub probe: Option<ProbeId>,
    /// Tests whose answers are wanted by name, whatever they reach.
    pub named: Vec<TestId>,
    pub limits: Limits,
}

/// What is to be run, most worth it first, and what needs no run.
#[derive(Debug)]
pub struct Plan {
    pub trials: Vec<Trial>,
    pub settled: Vec<(usize, Mutant, Verdict)>,
    /// For a run of all tests on a mutant.
    pub whole_suite: Limits,
}

/// What the user wants of the plan.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// Seconds for one trial in place of the formula.
    pub timeout: Option<Duration>,
    pub timeout_factor: f64,
    pub timeout_constant: Duration,
    pub memory: Option<u64>,
    pub max_mutants: Option<usize>,
    /// How many of the mutants that could be run, drawn by the seed.
    pub sample: Option<Sample>,
    pub seed: u64,
}

impl Settings {
    /// The time for tests that take so long without a mutant.
    pub fn time_for(&self, expected: Duration) -> Duration {
        self.timeout_constant + expected.mul_f64(self.timeout_factor.max(1.0))
    }
}

#[derive(Clone, Copy, Debug)]
pub enum Sample {
    Count(usize),
    Percent(f64),
}

impl Sample {
    fn of(self, all: usize) -> usize {
        match self {
            Sample::Count(count) => count.min(all),
            Sample::Percent(percent) => (all as f64 * percent / 100.0).ceil() as usize,
        }
    }
}

/// A mutant that may be worth a trial.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// Position in the whole list.
    pub index: usize,
    pub mutant: Mutant,
    /// `None` where there is no probe.
    pub probe: Option<ProbeId>,
    /// Tests whose answers are wanted by name, whatever they reach.
    pub named: Vec<TestId>,
}

/// What is to be run on these mutants, all of it.
pub fn make(candidates: Vec<Candidate>, baseline: &Baseline, settings: &Settings) -> Plan {
    let reach = ByProbe::of(baseline);
    let mut plan = Plan { trials: Vec::new(), settled: Vec::new(), whole_suite: limits(baseline, &baseline.tests, settings) };
    for Candidate { index, mutant, probe, named } in candidates {
        if let Some(why) = mutant.ignored.clone() {
            plan.settled.push((index, mutant, Verdict::Ignored { why }));
            continue;
        }
        let tests = reach.tests_for(probe);
        // Without a probe nothing is known, and what runs while modules load concerns everybody: then the whole suite is asked.
        let unreached = tests.all.is_empty() && probe.is_some() && !tests.import_time;
        if unreached || baseline.unloaded.contains(&mutant.path) {
            let verdict = if tests.unsteady { only_unsteady() } else { Verdict::NoCoverage };
            plan.settled.push((index, mutant, verdict));
            continue;
        }
        let Tests { all: mut tests, reached_by, import_time, .. } = tests;
        if !tests.is_empty() {
            let more: Vec<TestId> = named.iter().filter(|test| baseline.steady.contains(*test)).cloned().collect();
            tests.extend(more.into_iter().filter(|test| !reached_by.contains(test)));
        }
        let limits = limits(baseline, &tests, settings);
        plan.trials.push(Trial { index, mutant, tests, reached_by, import_time, probe, named, limits });
    }
    order_by_worth(&mut plan.trials);
    plan
}

struct Tests {
    all: Vec<TestId>,
    reached_by: Vec<TestId>,
    import_time: bool,
    /// A test that cannot be asked reaches the mutant.
    unsteady: bool,
}

fn only_unsteady() -> Verdict {
    Verdict::Inconclusive { why: "only tests that do not always give the same result reach it".to_owned() }
}

/// The baseline's reach, turned round.
struct ByProbe<'b> {
    baseline: &'b Baseline,
    /// Steady tests that reach a probe, as positions in the order of the run.
    tests: HashMap<ProbeId, Vec<usize>>,
    /// How many probes each test reaches, by position.
    breadth: Vec<usize>,
    /// Tests that are always run: what they reach is not known.
    unknown: Vec<usize>,
    /// Probes that some test reaches which cannot be asked.
    unsteady: HashSet<ProbeId>,
}

impl<'b> ByProbe<'b> {
    fn of(baseline: &'b Baseline) -> ByProbe<'b> {
        let mut tests: HashMap<ProbeId, Vec<usize>> = HashMap::new();
        let mut breadth = vec![0; baseline.tests.len()];
        let mut unknown = Vec::new();
        for (position, test) in baseline.tests.iter().enumerate().filter(|(_, test)| baseline.steady.contains(*test)) {
            if baseline.unknown_reach.contains(test) {
                unknown.push(position);
                continue;
            }
            let probes = baseline.reach.by_test.get(test).into_iter().flatten();
            for probe in probes {
                tests.entry(*probe).or_default().push(position);
                breadth[position] += 1;
            }
        }
        let cannot_be_asked = baseline.reach.by_test.iter().filter(|(test, _)| !baseline.steady.contains(*test));
        let unsteady = cannot_be_asked.flat_map(|(_, probes)| probes.iter().copied()).collect();
        ByProbe { baseline, tests, breadth, unknown, unsteady }
    }

    fn tests_for(&self, probe: Option<ProbeId>) -> Tests {
        let reached = probe.and_then(|probe| self.tests.get(&probe)).cloned().unwrap_or_default();
        let import_time = probe.is_some_and(|probe| self.baseline.reach.while_loading.contains(&probe));
        let mut positions: Vec<usize> = reached.iter().chain(&self.unknown).copied().collect();
        self.order(&mut positions, &reached);
        let name = |position: &usize| self.baseline.tests[*position].clone();
        let reached_by = positions.iter().filter(|position| reached.binary_search(position).is_ok()).map(name).collect();
        let unsteady = probe.is_some_and(|probe| self.unsteady.contains(&probe));
        Tests { all: positions.iter().map(name).collect(), reached_by, import_time, unsteady }
    }

    /// Whole files of tests, the file first whose best test reaches least; inside a file the order of the framework, so that fixtures
    /// of a module are made once.
    fn order(&self, positions: &mut [usize], reached: &[usize]) {
        let worth = |position: usize| (reached.binary_search(&position).is_err(), self.breadth[position]);
        let mut best: BTreeMap<&str, (bool, usize, usize)> = BTreeMap::new();
        for position in positions.iter().copied() {
            let (misses, breadth) = worth(position);
            let entry = best.entry(self.baseline.tests[position].file()).or_insert((misses, breadth, position));
            *entry = (*entry).min((misses, breadth, position));
        }
        positions.sort_by_key(|position| (best[self.baseline.tests[*position].file()], *position));
    }
}

/// After PIT: factor × baseline + constant (Coles et al., 2016).
///
/// The clock that counts is the processor's, which a busy machine does not push; the one on the wall has twice as long.
fn limits(baseline: &Baseline, tests: &[TestId], settings: &Settings) -> Limits {
    let time = settings.timeout.unwrap_or(settings.time_for(baseline.time_of(tests)));
    let memory = settings.memory.unwrap_or(LEAST_MEMORY.max(4 * baseline.peak_memory));
    Limits { wall: time * 2, cpu: time.mul_f64(baseline.parallelism), memory }
}

const LEAST_MEMORY: u64 = 1 << 30;

/// The most telling mutant of each function first, then the second of each, and so on: whoever stops early has seen every function.
fn order_by_worth(trials: &mut [Trial]) {
    trials.sort_by_key(|trial| (trial.mutant.path.clone(), trial.mutant.scope.clone(), weight(&trial.mutant), trial.index));
    let mut rounds: HashMap<usize, usize> = HashMap::new();
    let mut last = None;
    let mut round = 0;
    for trial in trials.iter() {
        let function = (trial.mutant.path.clone(), trial.mutant.scope.clone());
        round = if last.as_ref() == Some(&function) { round + 1 } else { 0 };
        last = Some(function);
        rounds.insert(trial.index, round);
    }
    trials.sort_by_key(|trial| (rounds[&trial.index], trial.index));
}

/// Lower is more telling: a body that nobody misses stands for everything inside it.
pub fn weight(mutant: &Mutant) -> usize {
    const ORDER: [&str; 6] = ["statement/function-body", "return/", "condition/", "exception/", "statement/", "operator/"];
    ORDER.iter().position(|prefix| mutant.rule.starts_with(prefix)).unwrap_or(ORDER.len())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::mutant::MutantId;
    use crate::suite::Reach;
    use crate::text::columns::Position;
    use crate::text::{Edit, ProjectPath, Span};

    fn mutant(rule: &str, scope: &str, id: u32) -> Mutant {
        Mutant {
            id: MutantId(id),
            path: ProjectPath::new("shop.py".as_ref()).unwrap(),
            scope: scope.to_owned(),
            position: Position { line: 1, column: 1 },
            original: b"a".to_vec(),
            edit: Edit::new(Span::new(0, 1), "b"),
            rule: rule.to_owned(),
            also: Vec::new(),
            mutator: String::new(),
            kind: String::new(),
            hint: String::new(),
            place: Span::new(0, 1),
            ignored: None,
        }
    }

    fn id(name: &str) -> TestId {
        TestId::new(name)
    }

    /// Three tests: `wide` reaches probes 1 to 3, `narrow` only 1, `other` nothing. Probe 9 is reached while loading.
    fn baseline() -> Baseline {
        let tests = vec![id("a.py::wide"), id("b.py::narrow"), id("c.py::other")];
        let reach = Reach {
            while_loading: BTreeSet::from([9]),
            by_test: BTreeMap::from([(id("a.py::wide"), BTreeSet::from([1, 2, 3])), (id("b.py::narrow"), BTreeSet::from([1]))]),
        };
        Baseline {
            steady: tests.iter().cloned().collect(),
            took: tests.iter().map(|test| (test.clone(), Duration::from_secs(1))).collect(),
            tests,
            skipped: 0,
            flickering: Vec::new(),
            distrusted: BTreeSet::new(),
            unknown_reach: BTreeSet::new(),
            reach,
            start_up: Duration::from_secs(1),
            parallelism: 1.0,
            peak_memory: 0,
            notices: Vec::new(),
            wiring: String::new(),
            unloaded: BTreeSet::new(),
        }
    }

    fn settings() -> Settings {
        Settings { timeout_factor: 5.0, timeout_constant: Duration::from_secs(3), ..Settings::default() }
    }

    fn candidates(mutants: Vec<Mutant>, probe: Option<ProbeId>) -> Vec<Candidate> {
        mutants.into_iter().enumerate().map(|(index, mutant)| Candidate { index, mutant, probe, named: Vec::new() }).collect()
    }

    fn plan_of(probe: Option<ProbeId>, baseline: &Baseline) -> Plan {
        make(candidates(vec![mutant("condition/true", "f", 1)], probe), baseline, &settings())
    }

    #[test]
    fn a_mutant_runs_the_tests_that_reach_it_the_narrow_ones_first() {
        let plan = plan_of(Some(1), &baseline());
        assert_eq!(plan.trials[0].tests, [id("b.py::narrow"), id("a.py::wide")]);
        assert!(!plan.trials[0].import_time);
    }

    #[test]
    fn a_mutant_that_nothing_reaches_needs_no_trial() {
        let plan = plan_of(Some(7), &baseline());
        assert!(plan.trials.is_empty());
        assert_eq!(plan.settled[0].2, Verdict::NoCoverage);
    }

    #[test]
    fn what_is_reached_while_loading_concerns_every_test() {
        let plan = plan_of(Some(9), &baseline());
        assert_eq!(plan.trials[0].tests, []);
        assert!(plan.trials[0].import_time);
    }

    #[test]
    fn where_nothing_is_known_the_whole_suite_is_asked() {
        let trial = plan_of(None, &baseline()).trials.remove(0);
        assert_eq!(trial.tests, []);
        assert!(trial.reached_by.is_empty() && !trial.import_time);
        let mut baseline = baseline();
        baseline.unknown_reach.insert(id("c.py::other"));
        let plan = plan_of(Some(7), &baseline);
        assert_eq!(plan.trials[0].tests, [id("c.py::other")]);
        assert!(plan.trials[0].reached_by.is_empty());
    }

    #[test]
    fn a_flickering_test_is_never_asked() {
        let mut baseline = baseline();
        baseline.steady.remove(&id("b.py::narrow"));
        assert_eq!(plan_of(Some(1), &baseline).trials[0].tests, [id("a.py::wide")]);
    }

    #[test]
    fn what_only_a_flickering_test_reaches_is_not_called_uncovered() {
        let mut baseline = baseline();
        baseline.steady.remove(&id("a.py::wide"));
        assert!(matches!(plan_of(Some(2), &baseline).settled[0].2, Verdict::Inconclusive { .. }));
    }

    #[test]
    fn the_limit_follows_the_chosen_tests() {
        let limits = plan_of(Some(1), &baseline()).trials[0].limits;
        // Two tests and the start of the process, one second each.
        assert_eq!(limits.cpu, Duration::from_secs(3 + 5 * 3));
        assert_eq!(limits.wall, limits.cpu * 2);
        assert_eq!(limits.memory, 1 << 30);
    }

    #[test]
    fn every_function_comes_before_the_second_mutant_of_any() {
        let mutants = vec![
            mutant("operator/arithmetic", "f", 1),
            mutant("statement/function-body", "f", 2),
            mutant("condition/true", "g", 3),
        ];
        let plan = make(candidates(mutants, Some(1)), &baseline(), &settings());
        let order: Vec<u32> = plan.trials.iter().map(|trial| trial.mutant.id.0).collect();
        assert_eq!(order, [2, 3, 1]);
    }
}
