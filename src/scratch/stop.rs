//! A flag that says: the user wants to stop.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

use crate::error::{Error, Result};

/// Shared by all workers; cheap to clone and to ask.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<AtomicBool>);

/// Shells give 128 + the number of the signal.
const INTERRUPTED: i32 = 128 + SIGINT;

impl Stop {
    /// A flag that nobody but the holder sets.
    pub fn new() -> Stop {
        Stop::default()
    }

    /// A flag that Ctrl-C and SIGTERM set. The second of them ends this process at once; its keepers notice and clean up.
    pub fn on_signals() -> Result<Stop> {
        let stop = Stop::new();
        for signal in [SIGINT, SIGTERM] {
            // This order: the first signal finds the flag unset and passes, then sets it.
            flag::register_conditional_shutdown(signal, INTERRUPTED, stop.0.clone()).map_err(no_handler)?;
            flag::register(signal, stop.0.clone()).map_err(no_handler)?;
        }
        Ok(stop)
    }

    pub fn set(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

fn no_handler(cause: std::io::Error) -> Error {
    Error::environment("signals cannot be handled here").cause(cause)
}
