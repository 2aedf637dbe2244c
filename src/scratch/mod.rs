//! A private tree per worker, in which mutants live.
//!
//! The user's tree is never written. A worker has a [`Tree`]; for each trial it *applies* the mutated bytes, *runs* one test
//! process, *reverts*, and the *guard* proves that every byte is back.
//!
//! Two ways to make a tree: [`Mode::Overlay`] puts an overlay file system at the project's real path inside a private mount
//! namespace, so that absolute paths and editable installs hit the mutant; [`Mode::Copy`] works everywhere.

pub mod process;
