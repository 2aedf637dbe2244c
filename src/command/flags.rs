//! Flags that several sub-commands share, and how they become a layer of settings.

use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{ArgAction, Args};
use serde::de::DeserializeOwned;

use crate::analysis::gate::FailOn;
use crate::config::layer::{Layer, Show};
use crate::config::value::{Amount, Size, Time};
use crate::config::{self, Call, ScratchMode, Tier, nearest};
use crate::error::{Error, Result};
use crate::report::formats;
use crate::report::progress;
use crate::report::style::When;
use crate::source::target::{self, Target};

/// Names of the sub-commands; `cli` has a test that none is missing.
pub const SUB_COMMANDS: [&str; 12] =
    ["run", "list", "show", "propose", "verify", "gate", "schema", "rules", "grammars", "doctor", "config", "clean"];

/// Flags of every sub-command.
#[derive(Args, Clone, Debug, Default)]
pub struct GlobalFlags {
    /// A configuration file, or one setting as KEY=VALUE
    #[arg(long, global = true, value_name = "FILE|KEY=VALUE", help_heading = "Configuration")]
    pub config: Vec<String>,
    /// Read no configuration file
    #[arg(long, global = true, help_heading = "Configuration")]
    pub isolated: bool,
    /// The project's folder, where tests run
    #[arg(long, global = true, value_name = "DIR", help_heading = "Configuration")]
    pub root: Option<PathBuf>,
    /// How to print the result
    #[arg(long, global = true, value_name = "FORMAT", value_parser = PossibleValuesParser::new(formats::names()), help_heading = "Output")]
    pub output_format: Option<String>,
    /// When to use colours
    #[arg(long, global = true, value_name = "WHEN", value_parser = word::<When>(&When::WORDS), help_heading = "Output")]
    pub color: Option<When>,
    /// No progress and no warnings
    #[arg(short, long, global = true, help_heading = "Output")]
    pub quiet: bool,
}

/// What to mutate, and by which rules.
#[derive(Args, Clone, Debug, Default)]
pub struct SelectionFlags {
    /// FILE, DIR, FILE:LINE, FILE:FIRST-LAST or FILE::Class.method
    #[arg(value_name = "TARGET", required = true)]
    pub targets: Vec<String>,
    /// Only functions of this name
    #[arg(long = "function", value_name = "NAME", help_heading = "Selection")]
    pub functions: Vec<String>,
    /// Only files that match
    #[arg(short, long, value_name = "GLOB", help_heading = "Selection")]
    pub file: Vec<String>,
    /// Leave out files that match
    #[arg(short, long, value_name = "GLOB", help_heading = "Selection")]
    pub exclude: Vec<String>,
    /// How eager the rules are
    #[arg(long, value_parser = word::<Tier>(&Tier::WORDS), help_heading = "Rules")]
    pub tier: Option<Tier>,
    /// Only these rules or groups of rules
    #[arg(long, value_name = "RULE", value_delimiter = ',', help_heading = "Rules")]
    pub select: Vec<String>,
    /// Leave out these rules or groups of rules
    #[arg(long, value_name = "RULE", value_delimiter = ',', help_heading = "Rules")]
    pub ignore: Vec<String>,
    /// These rules too, whatever their tier
    #[arg(long, value_name = "RULE", value_delimiter = ',', help_heading = "Rules")]
    pub extend_select: Vec<String>,
    /// Mutate code too that is not worth it, such as logging
    #[arg(long, help_heading = "Rules")]
    pub no_arid: bool,
    /// Run at most this many mutants, the most valuable first
    #[arg(long, value_name = "N", help_heading = "Selection")]
    pub max_mutants: Option<usize>,
    /// Run a random sample
    #[arg(long, value_name = "N|P%", help_heading = "Selection")]
    pub sample: Option<Amount>,
    /// The seed of the sample
    #[arg(long, value_name = "N", help_heading = "Selection")]
    pub seed: Option<u64>,
}

/// How to run tests.
#[derive(Args, Clone, Debug, Default)]
pub struct TestFlags {
    /// Only these test files or folders
    #[arg(short, long, value_name = "FILE", help_heading = "Tests")]
    pub tests: Vec<String>,
    /// A command that runs the tests, for frameworks we do not know; {tests} stands for the selected ones
    #[arg(long, value_name = "COMMAND", help_heading = "Tests")]
    pub test_cmd: Option<String>,
    /// auto, or the name of a framework
    #[arg(long, value_name = "NAME", help_heading = "Tests")]
    pub framework: Option<String>,
    /// The interpreter
    #[arg(long, value_name = "PATH", help_heading = "Tests")]
    pub python: Option<PathBuf>,
    /// Another package of the workspace whose tests count too
    #[arg(long, value_name = "FOLDER", help_heading = "Tests")]
    pub tests_also_in: Vec<String>,
    /// Leave out this test
    #[arg(long, value_name = "TEST", help_heading = "Tests")]
    pub deselect: Vec<String>,
    /// Run all tests of a mutant, not only up to the first that fails
    #[arg(long, help_heading = "Tests")]
    pub no_bail: bool,
    /// Believe that a mutant survives when the tests that reach it pass, without asking the whole suite; quicker, and wrong where one
    /// test checks what another has left behind
    #[arg(long)]
    pub no_verify_survivors: bool,
}

/// How much a run may use.
#[derive(Args, Clone, Debug, Default)]
pub struct ExecuteFlags {
    /// Trials at the same time [default: processors - 1]
    #[arg(short, long, value_name = "N|P%", help_heading = "Execution")]
    pub jobs: Option<Amount>,
    /// Time for one trial, in place of the formula
    #[arg(long, value_name = "TIME", help_heading = "Execution")]
    pub timeout: Option<Time>,
    /// Time for one trial: this times what its tests took without a mutant … [default: 5]
    #[arg(long, value_name = "X", help_heading = "Execution")]
    pub timeout_factor: Option<f64>,
    /// … plus this [default: 3s]
    #[arg(long, value_name = "TIME", help_heading = "Execution")]
    pub timeout_const: Option<Time>,
    /// Memory for one trial, for example 2G
    #[arg(long, value_name = "SIZE", help_heading = "Execution")]
    pub memory: Option<Size>,
    /// Time for all trials, for example 10m
    #[arg(long, value_name = "TIME", help_heading = "Execution")]
    pub budget: Option<Time>,
    /// A new test process for every trial, also where one that has loaded the tests would be quicker
    #[arg(long, help_heading = "Execution")]
    pub cold: bool,
    /// Let tests reach nothing but their own machine
    #[arg(long, help_heading = "Execution")]
    pub no_network: bool,
    /// How many of the quick verdicts are tried again in a new process; 0 for none [default: 2%, 5 to 60]
    #[arg(long, value_name = "N|P%", help_heading = "Execution")]
    pub audit: Option<Amount>,
    /// How to make private trees [default: what works here]
    #[arg(long, value_parser = word::<ScratchMode>(&ScratchMode::WORDS), help_heading = "Execution")]
    pub scratch: Option<ScratchMode>,
}

/// When to fail.
#[derive(Args, Clone, Debug, Default)]
pub struct GateFlags {
    /// Fail below this score, in percent
    #[arg(long, value_name = "P", help_heading = "Gates")]
    pub min_score: Option<f64>,
    /// Fail below this score of covered mutants, in percent
    #[arg(long, value_name = "P", help_heading = "Gates")]
    pub min_covered_score: Option<f64>,
    /// Fail above this number of survivors
    #[arg(long, value_name = "N", help_heading = "Gates")]
    pub max_survived: Option<usize>,
    /// Fail if there is one of these [default: survived]
    #[arg(long, value_name = "WHAT", value_delimiter = ',', value_parser = word::<FailOn>(&FailOn::WORDS), help_heading = "Gates")]
    pub fail_on: Vec<FailOn>,
    /// A run that measured nothing is fine
    #[arg(long, help_heading = "Gates")]
    pub allow_empty: bool,
    /// Fail if not every mutant was run
    #[arg(long, help_heading = "Gates")]
    pub require_complete: bool,
    /// End with 0 although a gate fails
    #[arg(long, help_heading = "Gates")]
    pub exit_zero: bool,
}

/// What to write, and where.
#[derive(Args, Clone, Debug, Default)]
pub struct OutputFlags {
    /// Write the result into a file, not to the terminal
    #[arg(short, long, value_name = "PATH", help_heading = "Output")]
    pub output_file: Option<PathBuf>,
    /// One more report
    #[arg(long, value_name = "FORMAT=PATH", action = ArgAction::Append, help_heading = "Output")]
    pub report: Vec<String>,
    /// Which mutants to print
    #[arg(long, value_parser = word::<Show>(&Show::WORDS), help_heading = "Output")]
    pub show: Option<Show>,
    /// Write durations too; they differ from run to run
    #[arg(long, help_heading = "Output")]
    pub timings: bool,
    /// How to tell how far the run is
    #[arg(long, value_parser = word::<progress::Style>(&progress::Style::WORDS), help_heading = "Output")]
    pub progress: Option<progress::Style>,
}

/// One of some words, which are those that the type is read from in a configuration file.
fn word<T: DeserializeOwned + Clone + Send + Sync + 'static>(words: &'static [&'static str]) -> impl TypedValueParser<Value = T> {
    PossibleValuesParser::new(words).try_map(|word| serde_json::from_value::<T>(word.into()))
}

impl GlobalFlags {
    /// The folder from which a saved run is looked for.
    pub fn folder(&self) -> Result<PathBuf> {
        Ok(working()?.join(self.root.clone().unwrap_or_default()))
    }

    pub fn call(&self) -> Result<Call> {
        let mut call = Call { working: working()?, root: self.root.clone(), isolated: self.isolated, ..Call::default() };
        call.config = self.config.clone();
        call.flags.output_format = self.output_format.clone();
        call.flags.color = self.color;
        call.flags.quiet = said(self.quiet);
        Ok(call)
    }

    /// For sub-commands that have no other forms than text and JSON.
    pub fn wants_json(&self) -> Result<bool> {
        match self.output_format.as_deref() {
            None | Some("human") => Ok(false),
            Some("json") => Ok(true),
            Some(other) => Err(Error::usage(format!("this sub-command has no format `{other}`")).mend("use human or json")),
        }
    }
}

fn working() -> Result<PathBuf> {
    std::env::current_dir()
        .map_err(|error| Error::environment("the working folder is gone").cause(error).mend("go to a folder that exists"))
}

impl SelectionFlags {
    pub fn add_to(&self, call: &mut Call) -> Result<()> {
        call.targets = self.targets.iter().map(|text| existing(text)).collect::<Result<_>>()?;
        call.functions = self.functions.clone();
        let flags = &mut call.flags;
        flags.file = list(&self.file);
        flags.exclude = list(&self.exclude);
        flags.tier = self.tier;
        flags.select = list(&self.select);
        flags.ignore = list(&self.ignore);
        flags.extend_select = list(&self.extend_select);
        flags.arid = said(self.no_arid).map(|_| false);
        flags.max_mutants = self.max_mutants;
        flags.sample = self.sample;
        flags.seed = self.seed;
        Ok(())
    }
}

impl TestFlags {
    pub fn add_to(&self, flags: &mut Layer) {
        flags.tests = list(&self.tests);
        flags.test_cmd = self.test_cmd.clone();
        flags.framework = self.framework.clone();
        flags.python = self.python.clone();
        flags.deselect = list(&self.deselect);
        flags.tests_also_in = list(&self.tests_also_in);
        flags.bail = said(self.no_bail).map(|_| false);
        flags.verify_survivors = said(self.no_verify_survivors).map(|_| false);
    }
}

impl ExecuteFlags {
    pub fn add_to(&self, flags: &mut Layer) {
        flags.jobs = self.jobs;
        flags.timeout = self.timeout;
        flags.timeout_factor = self.timeout_factor;
        flags.timeout_const = self.timeout_const;
        flags.memory = self.memory;
        flags.budget = self.budget;
        flags.scratch = self.scratch;
        flags.cold = said(self.cold);
        flags.network = said(self.no_network).map(|_| false);
        flags.audit = self.audit;
    }
}

impl GateFlags {
    pub fn add_to(&self, flags: &mut Layer) {
        flags.min_score = self.min_score;
        flags.min_covered_score = self.min_covered_score;
        flags.max_survived = self.max_survived;
        flags.fail_on = list(&self.fail_on);
        flags.allow_empty = said(self.allow_empty);
        flags.require_complete = said(self.require_complete);
        flags.exit_zero = said(self.exit_zero);
    }
}

impl OutputFlags {
    pub fn add_to(&self, flags: &mut Layer) {
        flags.output_file = self.output_file.clone();
        flags.report = list(&self.report);
        flags.show = self.show;
        flags.timings = said(self.timings);
        flags.progress = self.progress;
    }
}

/// A list that was not given says nothing, while an empty one in a file says "none".
fn list<T: Clone>(items: &[T]) -> Option<Vec<T>> {
    (!items.is_empty()).then(|| items.to_vec())
}

fn said(flag: bool) -> Option<bool> {
    flag.then_some(true)
}

fn existing(text: &str) -> Result<Target> {
    let target = target::parse(text, &|path| path.exists())?;
    if target.path.exists() {
        return Ok(target);
    }
    let error = Error::usage(format!("there is no file or folder `{}`", target.path.display()));
    Err(match probably_meant(&target) {
        Some(meant) => error.mend(format!("did you mean `{meant}`?")),
        None => error.mend("name a file or a folder that exists"),
    })
}

/// A sub-command, or a neighbour in the same folder.
fn probably_meant(target: &Target) -> Option<String> {
    let name = target.path.file_name()?.to_str()?;
    let folder = target.path.parent()?;
    let neighbours = std::fs::read_dir(if folder.as_os_str().is_empty() { ".".as_ref() } else { folder });
    let mut neighbours: Vec<String> = neighbours.ok()?.flatten().filter_map(|entry| entry.file_name().into_string().ok()).collect();
    neighbours.sort();
    let looks_like_a_word = folder.as_os_str().is_empty() && !name.contains('.');
    if let Some(command) = nearest(name, SUB_COMMANDS).filter(|_| looks_like_a_word) {
        return Some(format!("mutate {command}"));
    }
    let neighbour = nearest(name, neighbours.iter().map(String::as_str))?;
    Some(folder.join(neighbour).display().to_string())
}

/// All settings of a sub-command that does not run tests.
pub fn load(global: &GlobalFlags, selection: &SelectionFlags) -> Result<config::Config> {
    let mut call = global.call()?;
    selection.add_to(&mut call)?;
    config::load(call)
}
