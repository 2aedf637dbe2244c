//! Every source of a run with its probes.

use super::Discovery;
use super::packages::Part;
use crate::baseline::Probed;
use crate::mutant::probe::{Woven, weave};
use crate::suite::ProbeId;

/// The sources of a run in their order, each with its probes, whose numbers are unique in the run.
pub struct AllWoven(Vec<(Woven, std::ops::Range<ProbeId>)>);

pub fn all(discovery: &Discovery) -> AllWoven {
    let mut next: ProbeId = 1;
    let mut woven = Vec::new();
    for source in &discovery.sources {
        let places = discovery.positions_in(&source.path).map(|at| discovery.mutants[at].place);
        let file = weave(source, places, next);
        let end = file.probes.values().max().map_or(next, |last| last + 1);
        woven.push((file, next..end));
        next = end;
    }
    AllWoven(woven)
}

impl AllWoven {
    /// The sources that hold mutants of this part.
    pub fn probed<'s>(&'s self, discovery: &'s Discovery, part: &Part) -> Vec<Probed<'s>> {
        let with_mutants =
            |source: &crate::source::Source| part.mutants.iter().any(|at| discovery.mutants[*at].path == source.path);
        let pairs = discovery.sources.iter().zip(&self.0).filter(|(source, _)| with_mutants(source));
        pairs.map(|(source, (woven, probes))| Probed { source, woven, probes: probes.clone() }).collect()
    }

    /// The probe of a mutant; `None` where there is none, or where this runner's helpers could not tell who reaches it.
    pub fn probe_of(&self, discovery: &Discovery, part: &Part, at: usize) -> Option<ProbeId> {
        let mutant = &discovery.mutants[at];
        let source = discovery.sources.iter().position(|source| source.path == mutant.path)?;
        let can_tell = part.harness.runner.measures_reach(discovery.sources[source].language.name());
        self.0[source].0.probes.get(&mutant.place).copied().filter(|_| can_tell)
    }
}
