//! `mutate gate RESULT`: does a result of an isolated run pass? And what may be claimed about it?

use std::path::{Path, PathBuf};

use clap::Args;

use super::flags::GlobalFlags;
use super::print;
use crate::contract::document;
use crate::contract::gate::outcome_gate;
use crate::contract::result::TestResult;
use crate::error::{Error, Result};
use crate::text::{ProjectPath, sha256};

/// Ends with 0 if all tests passed, with 1 if not, with 2 if the result is missing, damaged or contradicts itself.
#[derive(Args, Clone, Debug, Default)]
pub struct GateFlags {
    /// A `mutate-test-result-v1`
    #[arg(value_name = "RESULT")]
    pub result: PathBuf,
    /// What an agent claims about it: checked against the facts, and never able to change the gate
    #[arg(long, value_name = "FILE")]
    pub classification: Option<PathBuf>,
    /// What several runs of the same tests have shown
    #[arg(long, value_name = "FILE")]
    pub stability: Option<PathBuf>,
}

pub fn run(flags: &GateFlags, global: &GlobalFlags) -> Result<u8> {
    global.wants_json()?;
    let result: TestResult = document::read(&flags.result)?;
    check_evidence(&result, &flags.result)?;
    let stability = flags.stability.as_deref().map(document::read).transpose()?;
    let classification = flags.classification.as_deref().map(document::read_from_agent).transpose()?;
    let gate = outcome_gate(&result, stability.as_ref(), classification.as_ref())?;
    print::json(&gate)?;
    let refused = gate.classification.as_ref().is_some_and(|decision| !decision.accepted);
    Ok(u8::from(!gate.passed || refused))
}

/// The report that the result names must be the one that it was made from.
fn check_evidence(result: &TestResult, place: &Path) -> Result<()> {
    let Some(source) = &result.report_source else { return Ok(()) };
    let wrong = |why: String| Error::usage("the report of the result is not what it was").cause(why).mend("run the tests again");
    let inside = ProjectPath::new(Path::new(&source.relative_path)).filter(|path| !path.as_str().is_empty());
    let inside = inside.ok_or_else(|| wrong("its path leads out of the folder of the result".to_owned()))?;
    let path = inside.under(place.parent().unwrap_or(Path::new("")));
    let bytes = std::fs::read(&path).map_err(|cause| wrong(cause.to_string()).at(path.display()))?;
    match sha256::of(&bytes) == format!("sha256:{}", source.sha256) {
        true => Ok(()),
        false => Err(wrong("its digest is another one".to_owned()).at(path.display())),
    }
}
