//! One file per sub-command: its own flags, and its body.
//!
//! Bodies print; what they print is made by functions of plain data, so that it can be tested without running anything.

pub mod clean;
pub mod config;
pub mod doctor;
pub mod flags;
pub mod gate;
pub mod grammars;
pub mod list;
pub mod print;
pub mod propose;
pub mod rules;
pub mod run;
pub mod schema;
pub mod show;
pub mod verify;
pub mod wiring;
