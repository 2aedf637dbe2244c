//! The trials of a run, package by package.
//!
//! First every mutant is shown to the tests of its own package; then what they did not notice is shown to the other packages whose
//! tests count too.

use std::collections::BTreeMap;
use std::time::Instant;

use super::packages::{Part, Parts};
use super::weave::AllWoven;
use super::{Discovery, settings};
use crate::baseline::Baseline;
use crate::config::Config;
use crate::error::Result;
use crate::execute::audit::Audit;
use crate::execute::event::Event;
use crate::execute::outcome::Measured;
use crate::execute::warm::WarmState;
use crate::execute::{self, Bench};
use crate::mutant::{Reason, Verdict};
use crate::plan::{self, Candidate, Plan, cut};
use crate::report::BaselineReport;
use crate::scratch::process::Limits;
use crate::scratch::{Scratch, Stop};

/// What came of the part of a run that runs tests.
pub struct Ran {
    /// By position in the whole list.
    pub measured: BTreeMap<usize, Measured>,
    pub complete: bool,
    pub baselines: Vec<BaselineReport>,
    pub audit: Audit,
    pub notices: Vec<String>,
}

impl Default for Ran {
    fn default() -> Ran {
        Ran { measured: BTreeMap::new(), complete: true, baselines: Vec::new(), audit: Audit::default(), notices: Vec::new() }
    }
}

/// What all packages share.
pub struct Round<'r> {
    pub config: &'r Config,
    pub discovery: &'r Discovery,
    pub woven: &'r AllWoven,
    pub scratch: &'r Scratch,
    pub stop: &'r Stop,
    pub watch: &'r (dyn Fn(Event) + Sync),
    pub deadline: Option<Instant>,
}

impl Round<'_> {
    /// Shows every mutant to its own package.
    pub fn first(&self, parts: &Parts, baselines: &[Baseline], ran: &mut Ran) -> Result<()> {
        let mut plans: Vec<Plan> =
            parts.own.iter().zip(baselines).map(|(part, baseline)| self.plan(part, &part.mutants, baseline)).collect();
        cut::cut(&mut plans, &settings::plan(self.config));
        for (at, why) in &parts.without {
            let why = Reason::NotChosen { why: why.clone() };
            ran.measured.insert(*at, Measured::untried(self.discovery.mutants[*at].clone(), Verdict::Ignored { why }));
        }
        (self.watch)(Event::Started { trials: plans.iter().map(|plan| plan.trials.len()).sum() });
        for ((part, baseline), plan) in parts.own.iter().zip(baselines).zip(plans) {
            self.execute(part, baseline, plan, ran, |_, new| new)?;
        }
        Ok(())
    }

    /// Shows what nobody noticed to the other packages.
    pub fn others(&self, parts: &Parts, baselines: &[Baseline], ran: &mut Ran) -> Result<()> {
        for (part, baseline) in parts.also.iter().zip(baselines) {
            let unnoticed = |at: &usize| ran.measured.get(at).is_some_and(|measured| is_unnoticed(&measured.verdict));
            let mutants: Vec<usize> = part.mutants.iter().copied().filter(unnoticed).collect();
            let plan = self.plan(part, &mutants, baseline);
            (self.watch)(Event::Started { trials: plan.trials.len() });
            self.execute(part, baseline, plan, ran, better)?;
        }
        Ok(())
    }

    fn plan(&self, part: &Part, mutants: &[usize], baseline: &Baseline) -> Plan {
        let candidate = |at: &usize| Candidate {
            index: *at,
            mutant: self.discovery.mutants[*at].clone(),
            probe: self.woven.probe_of(self.discovery, part, *at),
            named: self.discovery.named_tests(*at, &baseline.tests),
        };
        plan::make(mutants.iter().map(candidate).collect(), baseline, &settings::plan(self.config))
    }

    /// Runs a plan; `merge` says what stays of the verdict before and the new one.
    fn execute(
        &self,
        part: &Part,
        baseline: &Baseline,
        plan: Plan,
        ran: &mut Ran,
        merge: impl Fn(Measured, Measured) -> Measured,
    ) -> Result<()> {
        let executed = self.bench(part, baseline, plan.whole_suite, |bench| execute::run(plan, bench))?;
        ran.complete &= executed.complete;
        ran.audit += executed.audit;
        ran.notices.extend(executed.notices);
        for (at, new) in executed.measured {
            let merged = match ran.measured.remove(&at) {
                Some(before) => merge(before, new),
                None => new,
            };
            ran.measured.insert(at, merged);
        }
        Ok(())
    }

    /// Tries tests that the project does not have on the mutants for which they are suggested.
    pub fn added(&self, parts: &Parts, baselines: &[Baseline], ran: &mut Ran) -> Result<()> {
        for (part, baseline) in parts.own.iter().zip(baselines) {
            let has_verdict = |at: &usize| ran.measured.get(at).is_some_and(|measured| may_be_tried(&measured.verdict));
            let wanted = |at: &usize| Some((*at, self.discovery.added.get(at)?, &self.discovery.mutants[*at]));
            let wanted: Vec<_> = part.mutants.iter().filter(|at| has_verdict(at)).filter_map(wanted).collect();
            if wanted.is_empty() {
                continue;
            }
            let pairs: Vec<_> = wanted.iter().map(|(_, test, mutant)| (*test, *mutant)).collect();
            let whole_suite = self.plan(part, &[], baseline).whole_suite;
            let said = self.bench(part, baseline, whole_suite, |bench| execute::added::run(bench, &pairs))?;
            for ((at, ..), said) in wanted.iter().zip(said) {
                if let Some(measured) = ran.measured.get_mut(at) {
                    measured.added = said;
                }
            }
        }
        Ok(())
    }

    fn bench<T>(&self, part: &Part, baseline: &Baseline, whole_suite: Limits, with: impl FnOnce(&Bench) -> T) -> T {
        let warm = if self.config.execute.cold { WarmState::cold() } else { WarmState::default() };
        let probed = self.woven.probed(self.discovery, part);
        let bench = Bench {
            harness: &part.harness,
            scratch: self.scratch,
            sources: &self.discovery.sources,
            probed: &probed,
            settings: &settings::execute(self.config),
            planned: &settings::plan(self.config),
            steady: &baseline.steady,
            distrusted: &baseline.distrusted,
            unknown_reach: &baseline.unknown_reach,
            whole_suite,
            deadline: self.deadline,
            warm: &warm,
            stop: self.stop,
            watch: self.watch,
        };
        with(&bench)
    }
}

/// One that went over a limit would do so again.
fn may_be_tried(verdict: &Verdict) -> bool {
    matches!(verdict, Verdict::Killed { .. } | Verdict::Survived | Verdict::NoCoverage)
}

fn is_unnoticed(verdict: &Verdict) -> bool {
    matches!(verdict, Verdict::Survived | Verdict::NoCoverage)
}

/// Whoever noticed the mutant is right; a test that reached it and passed is more than none.
fn better(before: Measured, new: Measured) -> Measured {
    match (&before.verdict, &new.verdict) {
        (_, Verdict::Killed { .. } | Verdict::TimedOut { .. }) => new,
        (Verdict::NoCoverage, Verdict::Survived) => new,
        _ => before,
    }
}
