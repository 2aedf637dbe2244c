//! `mutate propose TARGET…`: the mutants most worth an agent's attention, as JSON. Runs no project code.

use clap::Args;

use super::flags::{self, GlobalFlags, SelectionFlags};
use super::{print, wiring};
use crate::error::Result;

/// Prints JSON: `targets` with signature, snippet and covering tests, and `proposals`, best first, in the form that `mutate verify` takes.
/// Tests are those of the last kept run, where the file has not changed since.
#[derive(Args, Clone, Debug, Default)]
pub struct ProposeFlags {
    #[command(flatten)]
    pub selection: SelectionFlags,
    /// At most this many proposals
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub limit: usize,
}

pub fn run(flags: &ProposeFlags, global: &GlobalFlags) -> Result<u8> {
    global.wants_json()?;
    let config = flags::load(global, &flags.selection)?;
    print::json(&wiring::offer(&config, flags.limit)?)?;
    Ok(0)
}
