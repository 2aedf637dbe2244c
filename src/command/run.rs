//! `mutate run TARGET…`, or `mutate TARGET…`: runs mutants and says which ones no test noticed.

use clap::Args;

use super::flags::{ExecuteFlags, GateFlags, GlobalFlags, OutputFlags, SelectionFlags, TestFlags};
use super::{print, wiring};
use crate::analysis::Conclusion;
use crate::analysis::gate::Facts;
use crate::config::{self, Config};
use crate::error::Result;
use crate::report::progress::{Progress, Style};
use crate::report::{Report, formats, store, style};

#[derive(Args, Clone, Debug, Default)]
pub struct RunFlags {
    #[command(flatten)]
    pub selection: SelectionFlags,
    #[command(flatten)]
    pub tests: TestFlags,
    #[command(flatten)]
    pub execute: ExecuteFlags,
    #[command(flatten)]
    pub gate: GateFlags,
    #[command(flatten)]
    pub output: OutputFlags,
}

impl RunFlags {
    pub fn config(&self, global: &GlobalFlags) -> Result<Config> {
        let mut call = global.call()?;
        self.selection.add_to(&mut call)?;
        self.tests.add_to(&mut call.flags);
        self.execute.add_to(&mut call.flags);
        self.gate.add_to(&mut call.flags);
        self.output.add_to(&mut call.flags);
        config::load(call)
    }
}

/// The exit code.
pub fn run(flags: &RunFlags, global: &GlobalFlags) -> Result<u8> {
    let config = flags.config(global)?;
    let quiet = config.output.quiet;
    let progress = Progress::new(if quiet { Style::None } else { config.output.progress });
    let run = wiring::measure(&config, &|event| progress.watch(event))?;
    finish(&run.report, &config, run.signal)
}

/// Keeps the run, writes every report that was asked for, and says how it ended.
pub fn finish(report: &Report, config: &Config, signal: Option<u8>) -> Result<u8> {
    let facts = Facts { tampered: report.tampered().next().is_some(), complete: report.complete, signal };
    let conclusion = Conclusion::of(report.score(), facts, &config.gate);
    keep(report, config);
    write(report, &conclusion, config)?;
    Ok(conclusion.exit_code)
}

/// A run that cannot be kept is still a run: the user is told, and gets the report.
fn keep(report: &Report, config: &Config) {
    let notice = match store::save(report) {
        Ok(saved) => saved.notice,
        Err(error) => Some(error.to_string()),
    };
    if let Some(notice) = notice.filter(|_| !config.output.quiet) {
        print::warning(&notice, config.output.color);
    }
}

fn write(report: &Report, conclusion: &Conclusion, config: &Config) -> Result<()> {
    let output = &config.output;
    for target in &output.reports {
        let format = formats::find(&target.format)?;
        formats::write(&config.source.working.join(&target.path), &for_a_file(format, report, conclusion, config))?;
    }
    let format = formats::find(&output.format)?;
    if let Some(path) = &output.file {
        return formats::write(&config.source.working.join(path), &for_a_file(format, report, conclusion, config));
    }
    let text = (format.render)(report, conclusion, output.look);
    if format.styled { print::styled(&text, output.color) } else { print::raw(&text) }
}

fn for_a_file(format: &formats::Format, report: &Report, conclusion: &Conclusion, config: &Config) -> String {
    let text = (format.render)(report, conclusion, config.output.look);
    if format.styled { style::plain(&text) } else { text }
}
