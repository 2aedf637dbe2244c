//! `mutate list TARGET…`: the mutants that a run would try. Runs no project code.

use clap::Args;
use serde::Serialize;

use super::flags::{self, GlobalFlags, SelectionFlags};
use super::print;
use super::wiring::{self, Discovered};
use crate::error::Result;
use crate::mutant::{Mutant, Verdict};
use crate::report::style::{DIM, paint};
use crate::report::{single, words};

#[derive(Args, Clone, Debug, Default)]
pub struct ListFlags {
    #[command(flatten)]
    pub selection: SelectionFlags,
}

pub fn run(flags: &ListFlags, global: &GlobalFlags) -> Result<u8> {
    let json = global.wants_json()?;
    let config = flags::load(global, &flags.selection)?;
    let discovered = wiring::discover(&config)?;
    match json {
        true => print::json(&document(&discovered))?,
        false => print::styled(&text(&discovered), config.output.color)?,
    }
    Ok(0)
}

/// One line per mutant, then the count.
pub fn text(discovered: &Discovered) -> String {
    let mut lines: Vec<String> = discovered.mutants.iter().map(line).collect();
    lines.push(words::counted(discovered.mutants.len(), "mutant"));
    lines.extend(single::named_counts("not generated", &discovered.not_generated));
    lines.extend(single::named_counts("files left out", &discovered.files_left_out));
    lines.extend(discovered.notices.iter().map(|notice| format!("note: {}", words::escape(notice))));
    lines.join("\n") + "\n"
}

fn line(mutant: &Mutant) -> String {
    let line = format!("{}  {}  {}", single::heading(mutant), single::change(mutant), single::id(mutant));
    match ignored(mutant) {
        Some(why) => format!("{line}  {}", paint(DIM, format!("ignored: {}", words::escape(&why)))),
        None => line,
    }
}

fn ignored(mutant: &Mutant) -> Option<String> {
    mutant.ignored.clone().map(|why| single::reason(&Verdict::Ignored { why }))
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Document<'a> {
    mutants: Vec<Listed<'a>>,
    not_generated: &'a std::collections::BTreeMap<String, usize>,
    files_left_out: &'a std::collections::BTreeMap<String, usize>,
    notices: &'a [String],
}

/// Line and column count from 1, the column in characters.
#[derive(Serialize)]
struct Listed<'a> {
    id: String,
    path: &'a str,
    line: usize,
    column: usize,
    function: &'a str,
    rule: &'a str,
    mutator: &'a str,
    kind: &'a str,
    original: String,
    replacement: String,
    hint: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    ignored: Option<String>,
}

pub fn document(discovered: &Discovered) -> impl Serialize + '_ {
    Document {
        mutants: discovered.mutants.iter().map(listed).collect(),
        not_generated: &discovered.not_generated,
        files_left_out: &discovered.files_left_out,
        notices: &discovered.notices,
    }
}

fn listed(mutant: &Mutant) -> Listed<'_> {
    Listed {
        id: mutant.id.to_string(),
        path: mutant.path.as_str(),
        line: mutant.position.line,
        column: mutant.position.column,
        function: &mutant.scope,
        rule: &mutant.rule,
        mutator: &mutant.mutator,
        kind: &mutant.kind,
        original: String::from_utf8_lossy(&mutant.original).into_owned(),
        replacement: String::from_utf8_lossy(&mutant.edit.replacement).into_owned(),
        hint: &mutant.hint,
        ignored: ignored(mutant),
    }
}
