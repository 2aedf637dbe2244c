//! A flag that says: the user wants to stop.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Instant;

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

use crate::error::{Error, Result};

/// Shared by all workers; cheap to clone and to ask.
#[derive(Clone, Debug, Default)]
pub struct Stop {
    flag: Arc<AtomicBool>,
    /// The signal that set the flag, 0 if none did.
    signal: Arc<AtomicUsize>,
    /// From then on it counts as set.
    deadline: Option<Instant>,
}

/// What shells add to the number of a signal.
const BASE: i32 = 128;

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
            flag::register_conditional_shutdown(signal, BASE + signal, stop.flag.clone()).map_err(no_handler)?;
            flag::register_usize(signal, stop.signal.clone(), signal as usize).map_err(no_handler)?;
            flag::register(signal, stop.flag.clone()).map_err(no_handler)?;
        }
        Ok(stop)
    }

    pub fn set(&self) {
        self.flag.store(true, Ordering::Relaxed);
    }

    /// The number of the signal that asked to stop.
    pub fn signal(&self) -> Option<u8> {
        u8::try_from(self.signal.load(Ordering::Relaxed)).ok().filter(|signal| *signal != 0)
    }

    /// The same flag, for work that must also end at a certain time.
    pub fn or_at(&self, deadline: Option<Instant>) -> Stop {
        Stop { deadline, ..self.clone() }
    }

    pub fn is_set(&self) -> bool {
        self.flag.load(Ordering::Relaxed) || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }
}

fn no_handler(cause: std::io::Error) -> Error {
    Error::environment("signals cannot be handled here").cause(cause)
}
