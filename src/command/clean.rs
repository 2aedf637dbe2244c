//! `mutate clean`: removes what runs left behind.

use clap::Args;
use serde_json::json;

use super::flags::GlobalFlags;
use super::{print, wiring};
use crate::error::Result;
use crate::report::store;

#[derive(Args, Clone, Debug, Default)]
pub struct CleanFlags {}

pub fn run(_flags: &CleanFlags, global: &GlobalFlags) -> Result<u8> {
    let json = global.wants_json()?;
    let mut gone = store::clean_nearest(&global.folder()?)?;
    gone.extend(wiring::clean_scratch()?);
    let gone: Vec<String> = gone.iter().map(|folder| folder.display().to_string()).collect();
    if json {
        print::json(&json!({ "removed": gone }))?;
    } else {
        let lines: String = gone.iter().map(|folder| format!("removed {}\n", crate::report::words::escape(folder))).collect();
        print::raw(if lines.is_empty() { "nothing to remove\n" } else { &lines })?;
    }
    Ok(0)
}
