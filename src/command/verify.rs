//! `mutate verify FILE|-`: measures mutants that an agent proposes.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use clap::{Args, ValueEnum};

use super::flags::{ExecuteFlags, GlobalFlags, OutputFlags, TestFlags};
use super::{print, wiring};
use crate::analysis::Conclusion;
use crate::analysis::gate::Facts;
use crate::config::{self, Config};
use crate::error::{Error, Result};
use crate::proposal::given::LARGEST_INPUT;
use crate::proposal::verdict::MutationVerdict;
use crate::report::progress::{Progress, Style};
use crate::report::{Report, formats};

/// Proposals are one JSON object with `proposals`, or one proposal per line: `targetFunction`, `file`, `mutationKind`,
/// `expectedCatcherTest` {`testFile`, `testName`}, `original` and `replacement` (or both in `mutationDescription`); optional `proposalId`,
/// `location`, `line`, `sourceHash`, `predictedCaught`, `rationale`, `suggestedAssertion`. At most 64, each of at most 16 kB.
///
/// Exit codes: 0 every mutant was caught, 1 some were not, 2 bad or stale input, 3 nothing was measured, 4 the tests fail without any
/// mutant, 5 a run proved nothing, 7 not all were measured, 8 a file changed under our hands.
#[derive(Args, Clone, Debug, Default)]
pub struct VerifyFlags {
    /// The proposals, or - for standard input
    #[arg(value_name = "FILE")]
    pub file: String,
    /// Print only the fields of another contract
    #[arg(long, value_enum, value_name = "CONTRACT")]
    pub compat: Option<Compat>,
    #[command(flatten)]
    pub tests: TestFlags,
    #[command(flatten)]
    pub execute: ExecuteFlags,
    #[command(flatten)]
    pub output: OutputFlags,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Compat {
    Workflow,
}

impl VerifyFlags {
    fn config(&self, global: &GlobalFlags) -> Result<Config> {
        let mut call = global.call()?;
        self.tests.add_to(&mut call.flags);
        self.execute.add_to(&mut call.flags);
        self.output.add_to(&mut call.flags);
        config::load(call)
    }
}

/// The exit code.
pub fn run(flags: &VerifyFlags, global: &GlobalFlags) -> Result<u8> {
    global.wants_json()?;
    let config = flags.config(global)?;
    let input = read(&flags.file, &config.source.working)?;
    let progress = Progress::new(if config.output.quiet { Style::None } else { config.output.progress });
    let (verified, signal) = wiring::verify(&config, &input, &|event| progress.watch(event))?;
    if let Some(error) = &verified.error {
        print::error(error, config.output.color);
    }
    if let Some(report) = &verified.report {
        write_reports(report, &config)?;
    }
    print_verdict(&verified.verdict, flags.compat, &config)?;
    Ok(signal.map_or(verified.verdict.exit_code(), |signal| Error::stopped(signal).kind.exit_code()))
}

/// No more than can be proposals: whoever sends a disk gets an answer all the same.
fn read(file: &str, working: &Path) -> Result<Vec<u8>> {
    let mut input = Vec::new();
    let most = LARGEST_INPUT as u64 + 1;
    let failed = |cause: io::Error| Error::usage("the proposals cannot be read").at(file).cause(cause);
    match file {
        "-" => io::stdin().lock().take(most).read_to_end(&mut input).map_err(failed)?,
        path => File::open(working.join(path)).and_then(|file| file.take(most).read_to_end(&mut input)).map_err(failed)?,
    };
    Ok(input)
}

fn write_reports(report: &Report, config: &Config) -> Result<()> {
    let facts = Facts { tampered: report.tampered().next().is_some(), complete: report.complete, signal: None };
    let conclusion = Conclusion::of(report.score(), facts, &config.gate);
    for target in &config.output.reports {
        let format = formats::find(&target.format)?;
        let text = (format.render)(report, &conclusion, config.output.look);
        formats::write(&config.source.working.join(&target.path), &crate::report::style::plain(&text))?;
    }
    Ok(())
}

fn print_verdict(verdict: &MutationVerdict, compat: Option<Compat>, config: &Config) -> Result<()> {
    let text = match compat {
        Some(Compat::Workflow) => serde_json::to_string_pretty(&verdict.for_workflow()),
        None => serde_json::to_string_pretty(verdict),
    };
    let text = text.map_err(|cause| Error::internal("the verdict is no JSON").cause(cause))? + "\n";
    match &config.output.file {
        Some(path) => formats::write(&config.source.working.join(path), &text),
        None => print::raw(&text),
    }
}
