//! What a run tells while it goes on; the only channel for progress.

use crate::analysis::Kind;

/// In this order; `Done` once per trial, from any worker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// Mutants were found; nothing has run yet.
    Discovered {
        mutants: usize,
    },
    /// The unmutated run of one runner is about to start.
    Baseline {
        runner: String,
    },
    /// So many more trials are about to start.
    Started {
        trials: usize,
    },
    /// One mutant has its verdict.
    Done {
        kind: Kind,
    },
    Finished,
}
