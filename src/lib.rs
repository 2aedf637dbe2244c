//! `mutate` answers one question: would these tests notice if this code were wrong?
//!
//! The listing of this folder is the pipeline, from bottom to top:
//! `Source → Mutant → Plan → Outcome → Verdict → Report`.
//!
//! # Module map
//!
//! A module may use only what stands below it.
//!
//! ```text
//! cli        the list of sub-commands
//! command    one file per sub-command, with its own flags
//! proposal   mutants that somebody else proposes, measured like our own
//! pipeline   the run as a whole, in a few lines
//! config     mutate.toml and flags become one small settings struct per stage
//! report     the finished report and its formats
//! contract   documents that agents and pipelines read and write, with schemas, and the gates over them
//! execute    queue and workers; what happened, and what we conclude from it
//! plan       mutants + baseline → trials and settled verdicts; pure
//! analysis   the score
//! baseline   the run without mutants: times, reach, the proof that the wiring works
//! mutant     a mutant, its verdict, and how mutants are found
//! rule       how edits are proposed, as data
//! source     which files and functions
//! runner     how to run tests in a framework and read the results
//! language   what a node is, as data; the only door to tree-sitter
//! scratch    a private tree per worker, and the only place that spawns
//! suite      the words for a test suite
//! text       spans, edits, digests, columns
//! error      what went wrong, where, and how to mend it
//! ```

pub mod analysis;
pub mod baseline;
pub mod cli;
pub mod command;
pub mod config;
pub mod contract;
pub mod error;
pub mod execute;
pub mod language;
pub mod mutant;
pub mod pipeline;
pub mod plan;
pub mod proposal;
pub mod report;
pub mod rule;
pub mod runner;
pub mod scratch;
pub mod source;
pub mod suite;
pub mod text;
