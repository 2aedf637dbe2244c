//! A file to mutate: its path in the project and its bytes.

pub mod find;
pub mod foreign;
pub mod manifest;
pub mod scope;
pub mod target;

use crate::language::Language;

pub use crate::text::ProjectPath;

/// A file that may be mutated.
#[derive(Clone, Debug)]
pub struct Source {
    pub path: ProjectPath,
    pub language: &'static Language,
    /// The bytes of the file, never decoded.
    pub text: Vec<u8>,
}
