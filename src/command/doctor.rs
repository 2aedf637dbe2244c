//! `mutate doctor`: what works on this machine and what does not, and why. Runs no project code.

use clap::Args;
use serde::Serialize;

use super::flags::GlobalFlags;
use super::{print, wiring};
use crate::config;
use crate::error::Result;
use crate::report::style::{MINUS, PLUS, WARNING, paint};
use crate::report::words;

#[derive(Args, Clone, Debug, Default)]
pub struct DoctorFlags {}

/// One thing that was looked at.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// For example `scratch overlay` or `pytest`.
    pub name: String,
    pub state: State,
    /// What was found, in words.
    pub detail: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mend: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum State {
    Works,
    /// Something slower or smaller is used in its place.
    Lacking,
    /// No run is possible.
    Broken,
}

/// As [`crate::error::Kind::Environment`].
const BROKEN: u8 = 5;

pub fn run(_flags: &DoctorFlags, global: &GlobalFlags) -> Result<u8> {
    let json = global.wants_json()?;
    let config = config::load(global.call()?)?;
    let findings = wiring::examine(&config)?;
    if json {
        print::json(&findings)?
    } else {
        print::styled(&text(&findings), config.output.color)?
    }
    Ok(if findings.iter().any(|finding| finding.state == State::Broken) { BROKEN } else { 0 })
}

pub fn text(findings: &[Finding]) -> String {
    let width = findings.iter().map(|finding| finding.name.chars().count()).max().unwrap_or(0);
    let mut lines = Vec::new();
    for finding in findings {
        let (style, word) = match finding.state {
            State::Works => (PLUS, "works  "),
            State::Lacking => (WARNING, "lacking"),
            State::Broken => (MINUS, "broken "),
        };
        lines.push(format!("{}  {:width$}  {}", paint(style, word), words::escape(&finding.name), words::escape(&finding.detail)));
        lines.extend(finding.mend.iter().map(|mend| format!("         {:width$}  mend: {}", "", words::escape(mend))));
    }
    lines.join("\n") + "\n"
}
