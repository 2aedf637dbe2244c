//! What the verdicts amount to: the score, and whether the user's gates hold.
//!
//! Pure. Every number in any output comes from here.

pub mod gate;
pub mod score;

pub use gate::{Conclusion, Gates};
pub use score::{Kind, Score};
