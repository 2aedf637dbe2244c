//! Bytes of a source file: where it stands, spans, edits, digests and columns.
//!
//! The lowest layer. Offsets are bytes everywhere; a column is converted once, when a report wants it.

pub mod columns;
pub mod digest;
pub mod edit;
pub mod path;
pub mod sha256;
pub mod span;

pub use columns::Lines;
pub use digest::Digest;
pub use edit::Edit;
pub use path::ProjectPath;
pub use span::Span;
