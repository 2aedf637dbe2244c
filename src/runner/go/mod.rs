//! What runs the tests of Go modules: the toolchain, and a helper program that is built with it.

pub mod detect;
pub mod go_test;
pub mod helper;
pub mod toolchain;

use std::path::{Path, PathBuf};

use super::{Runner, Settings};
use crate::error::Result;

/// The runner for a module or a workspace. `tests` are relative to the root.
pub fn open(settings: &Settings, root: &Path, tests: Vec<PathBuf>) -> Result<Box<dyn Runner>> {
    let toolchain = toolchain::Toolchain::find(root)?;
    let helper = helper::Helper::build(&toolchain, root, &tests, &settings.deselect)?;
    Ok(Box::new(go_test::GoTest::new(toolchain, helper)))
}
