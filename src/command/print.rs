//! The door to the outside: results to standard output, everything else to standard error.

use std::io::{self, IsTerminal, Write};

use serde::Serialize;

use crate::error::{Error, Result};
use crate::report::style::{self, WARNING, When, paint};
use crate::report::words;

/// A result with colours, if anybody can see them.
pub fn styled(text: &str, when: When) -> Result<()> {
    match colours(when, io::stdout().is_terminal()) {
        true => raw(text),
        false => raw(&style::plain(text)),
    }
}

/// A result, byte for byte.
pub fn raw(text: &str) -> Result<()> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        // The reader, for example `head`, has seen enough.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        other => other.map_err(|error| Error::environment("the result cannot be printed").cause(error)),
    }
}

pub fn json(document: &impl Serialize) -> Result<()> {
    let text = serde_json::to_string_pretty(document).map_err(|error| Error::internal("the result is no JSON").cause(error))?;
    raw(&(text + "\n"))
}

pub fn warning(text: &str, when: When) {
    complain(&paint(WARNING, "warning"), text, when);
}

/// An error in words.
pub fn error(error: &Error, when: When) {
    complain(&paint(style::MINUS.bold(), "error"), &error.to_string(), when);
}

fn complain(label: &str, text: &str, when: When) {
    let text = format!("{label}: {}\n", words::escape_lines(text));
    let text = if colours(when, io::stderr().is_terminal()) { text } else { style::plain(&text) };
    // Where standard error is gone there is nobody left to tell.
    let _ = io::stderr().lock().write_all(text.as_bytes());
}

fn colours(when: When, is_terminal: bool) -> bool {
    style::wants_colour(when, &|name| std::env::var(name).ok(), is_terminal)
}

/// An error for a program that reads standard output.
#[derive(Serialize)]
pub struct ErrorDocument {
    error: ErrorBody,
}

#[derive(Serialize)]
struct ErrorBody {
    code: u8,
    what_failed: &'static str,
    detail: String,
    evidence: Evidence,
}

#[derive(Serialize)]
struct Evidence {
    #[serde(skip_serializing_if = "Option::is_none")]
    at: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cause: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mend: Option<String>,
}

impl ErrorDocument {
    pub fn of(error: &Error) -> ErrorDocument {
        use crate::error::Kind::*;
        let what_failed = match error.kind {
            Usage => "usage",
            NothingToMeasure => "nothing_to_measure",
            Baseline => "baseline",
            Environment => "environment",
            Integrity => "integrity",
            Stopped { .. } => "stopped",
            Internal => "internal",
        };
        let evidence = Evidence { at: error.place.clone(), cause: error.cause.clone(), mend: error.mend.clone() };
        ErrorDocument { error: ErrorBody { code: error.kind.exit_code(), what_failed, detail: error.what.clone(), evidence } }
    }
}
