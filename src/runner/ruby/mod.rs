//! What runs the tests of Ruby projects: the interpreter, the helper programs, and RSpec.

pub mod detect;
pub mod rspec;
pub mod toolchain;

use std::path::{Path, PathBuf};

use super::{Runner, Settings};
use crate::error::Result;

/// The runner for a project. `tests` are relative to the root.
pub fn open(settings: &Settings, root: &Path, tests: Vec<PathBuf>) -> Result<Box<dyn Runner>> {
    let toolchain = toolchain::Toolchain::find(root)?;
    Ok(Box::new(rspec::Rspec::new(toolchain, tests, settings.deselect.clone())))
}
