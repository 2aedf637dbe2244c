//! `mutate grammars show [FILE]`: which languages there are, and how a file looks through the eyes of the rules.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use serde::Serialize;

use super::flags::GlobalFlags;
use super::{print, wiring};
use crate::error::Result;
use crate::report::style::{RULE, paint};
use crate::report::words;

#[derive(Args, Clone, Debug)]
pub struct GrammarsFlags {
    #[command(subcommand)]
    pub action: Action,
}

#[derive(Clone, Debug, Subcommand)]
pub enum Action {
    /// The languages, or the named places of a file
    Show {
        #[arg(value_name = "FILE")]
        file: Option<PathBuf>,
    },
}

/// A language.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Grammar {
    pub language: String,
    pub extensions: Vec<String>,
    /// Names of places that rules can attack.
    pub captures: Vec<String>,
}

/// A named place in a file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Captured {
    pub line: usize,
    /// In characters.
    pub column: usize,
    pub capture: String,
    pub text: String,
}

pub fn run(flags: &GrammarsFlags, global: &GlobalFlags) -> Result<u8> {
    let json = global.wants_json()?;
    let Action::Show { file } = &flags.action;
    let color = global.color.unwrap_or_default();
    match file {
        None => {
            let grammars = wiring::grammars()?;
            if json { print::json(&grammars)? } else { print::styled(&languages(&grammars), color)? }
        }
        Some(file) => {
            let captures = wiring::captures(file)?;
            if json { print::json(&captures)? } else { print::styled(&places(&captures), color)? }
        }
    }
    Ok(0)
}

pub fn languages(grammars: &[Grammar]) -> String {
    let lines = grammars.iter().map(|grammar| {
        let captures = grammar.captures.iter().map(|capture| format!("  {}\n", paint(RULE, words::escape(capture))));
        format!(
            "{} ({})\n{}",
            words::escape(&grammar.language),
            words::escape(&grammar.extensions.join(" ")),
            captures.collect::<String>()
        )
    });
    lines.collect()
}

pub fn places(captures: &[Captured]) -> String {
    /// Characters of the text of a place.
    const MOST: usize = 60;
    let line = |place: &Captured| {
        let text = words::escape(&words::cut(&place.text, MOST));
        format!("{}:{}  {}  {text}\n", place.line, place.column, paint(RULE, format!("@{}", words::escape(&place.capture))))
    };
    captures.iter().map(line).collect()
}
