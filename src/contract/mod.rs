//! What agents and pipelines are told, and what they may say: documents with schemas, and the gates over them.
//!
//! The names of fields are those of the workflows that call us, so that they can put a call in place of their own prose. Every number
//! in a document that we write comes from a run; a document that an agent writes may hold none that the engine has to find out.
//!
//! Pure, except that [`document`] reads files.

pub mod backend;
pub mod classification;
pub mod document;
pub mod gate;
pub mod harness;
pub mod junit;
pub mod manifest;
pub mod outcome;
pub mod redact;
pub mod request;
pub mod result;
pub mod run_report;
pub mod stability;
