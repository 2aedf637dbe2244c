//! Runs the plan: a queue of trials, one scratch tree per worker, one verdict per mutant.

pub mod event;
pub mod outcome;
