//! `mutate config [TARGET]`: every setting that holds, and who said so.

use clap::Args;
use serde_json::{Map, Value, json};

use super::flags::GlobalFlags;
use super::print;
use crate::config::{self, Config};
use crate::error::Result;
use crate::report::style::{DIM, paint};
use crate::report::words;
use crate::source::target::Target;

#[derive(Args, Clone, Debug, Default)]
pub struct ConfigFlags {
    /// The file or folder for which the settings are wanted [default: the working folder]
    #[arg(value_name = "TARGET")]
    pub target: Option<std::path::PathBuf>,
}

pub fn run(flags: &ConfigFlags, global: &GlobalFlags) -> Result<u8> {
    let json = global.wants_json()?;
    let mut call = global.call()?;
    call.targets = flags.target.iter().map(Target::whole).collect();
    let config = config::load(call)?;
    if json {
        print::json(&document(&config))?
    } else {
        print::styled(&text(&config), config.output.color)?
    }
    Ok(0)
}

/// Lines that could stand in `mutate.toml`.
fn text(config: &Config) -> String {
    let line = |(key, (value, origin)): (&String, &(toml::Value, String))| {
        format!("{key} = {}  {}\n", words::escape(&value.to_string()), paint(DIM, format!("# {}", words::escape(origin))))
    };
    config.merged.iter().map(line).collect()
}

fn document(config: &Config) -> Value {
    let entry =
        |(key, (value, origin)): (&String, &(toml::Value, String))| (key.clone(), json!({ "value": value, "origin": origin }));
    Value::Object(config.merged.iter().map(entry).collect::<Map<_, _>>())
}
