//! The list of sub-commands, and how a call becomes words and an exit code.

use std::ffi::OsString;

use clap::{CommandFactory, Parser, Subcommand};

use crate::command::flags::{GlobalFlags, SUB_COMMANDS};
use crate::command::{clean, config, doctor, gate, grammars, list, print, propose, rules, run, schema, show, verify};
use crate::error::{Error, Result};
use crate::report::style::When;

/// Would your tests notice if this code were wrong?
#[derive(Clone, Debug, Parser)]
#[command(name = "mutate", version, max_term_width = 100, override_usage = "mutate [OPTIONS] <TARGET>...\n       mutate <COMMAND>")]
struct Cli {
    #[command(subcommand)]
    command: Command,
    #[command(flatten)]
    global: GlobalFlags,
}

#[derive(Clone, Debug, Subcommand)]
enum Command {
    /// Run mutants and show which ones no test noticed; `mutate TARGET` is the same
    Run(Box<run::RunFlags>),
    /// List the mutants that a run would try; runs no project code
    List(list::ListFlags),
    /// Show all that is known about one mutant of the last run
    Show(show::ShowFlags),
    /// Offer the mutants most worth an agent's attention; runs no project code
    Propose(propose::ProposeFlags),
    /// Measure proposed mutants: does the expected test catch them, does any?
    Verify(Box<verify::VerifyFlags>),
    /// Say whether the result of an isolated run of tests passes
    Gate(gate::GateFlags),
    /// Show the JSON Schemas of documents
    Schema(schema::SchemaFlags),
    /// List, show or test the rules
    Rules(rules::RulesFlags),
    /// Show the languages, or the named places of a file
    Grammars(grammars::GrammarsFlags),
    /// Say what works on this machine
    Doctor(doctor::DoctorFlags),
    /// Show every setting that holds, and who said so
    Config(config::ConfigFlags),
    /// Remove kept runs and what killed runs left behind
    Clean(clean::CleanFlags),
}

/// The exit code of a whole call; `arguments` begin with the name of the program.
pub fn main(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    match Cli::try_parse_from(with_sub_command(&arguments)) {
        Ok(cli) => {
            let (json, color) = (cli.global.output_format.as_deref() == Some("json"), cli.global.color.unwrap_or_default());
            dispatch(cli).unwrap_or_else(|error| fail(&error, json, color))
        }
        Err(refused) => refuse(&refused, &arguments),
    }
}

fn dispatch(cli: Cli) -> Result<u8> {
    let global = &cli.global;
    match &cli.command {
        Command::Run(flags) => run::run(flags, global),
        Command::List(flags) => list::run(flags, global),
        Command::Show(flags) => show::run(flags, global),
        Command::Propose(flags) => propose::run(flags, global),
        Command::Verify(flags) => verify::run(flags, global),
        Command::Gate(flags) => gate::run(flags, global),
        Command::Schema(flags) => schema::run(flags, global),
        Command::Rules(flags) => rules::run(flags, global),
        Command::Grammars(flags) => grammars::run(flags, global),
        Command::Doctor(flags) => doctor::run(flags, global),
        Command::Config(flags) => config::run(flags, global),
        Command::Clean(flags) => clean::run(flags, global),
    }
}

fn fail(error: &Error, json: bool, color: When) -> u8 {
    if json {
        // The words on standard error say the same, and the exit code stands.
        let _ = print::json(&print::ErrorDocument::of(error));
    }
    print::error(error, color);
    error.kind.exit_code()
}

/// A call that the parser does not understand, or a wish for help.
fn refuse(refused: &clap::Error, arguments: &[OsString]) -> u8 {
    if refused.use_stderr() && wants_json(arguments) {
        let text = refused.render().to_string();
        let what = text.lines().next().unwrap_or_default().trim_start_matches("error: ").to_string();
        let _ = print::json(&print::ErrorDocument::of(&Error::usage(what).mend("`mutate --help` shows how it is meant")));
    }
    // Where the terminal is gone there is nobody left to tell.
    let _ = refused.print();
    u8::try_from(refused.exit_code()).unwrap_or(Error::usage("").kind.exit_code())
}

fn wants_json(arguments: &[OsString]) -> bool {
    let texts: Vec<&str> = arguments.iter().filter_map(|argument| argument.to_str()).collect();
    texts.contains(&"--output-format=json") || texts.windows(2).any(|pair| pair == ["--output-format", "json"])
}

/// `mutate TARGET` means `mutate run TARGET`: the sub-command, named or not, is put in front.
fn with_sub_command(arguments: &[OsString]) -> Vec<OsString> {
    let (program, rest) = arguments.split_at(arguments.len().min(1));
    let word = first_word(rest);
    let is_sub_command =
        word.is_some_and(|at| rest[at].to_str().is_some_and(|text| SUB_COMMANDS.contains(&text) || text == "help"));
    let mut rest = rest.to_vec();
    match word {
        Some(at) if is_sub_command => {
            let command = rest.remove(at);
            rest.insert(0, command);
        }
        None if wants_help(&rest) => {}
        _ => rest.insert(0, "run".into()),
    }
    program.iter().cloned().chain(rest).collect()
}

fn wants_help(rest: &[OsString]) -> bool {
    let help = ["-h", "--help", "-V", "--version"];
    rest.is_empty() || rest.iter().any(|argument| argument.to_str().is_some_and(|text| help.contains(&text)))
}

/// Where the first word stands that is neither an option nor the value of one; after `--` every word is a target.
fn first_word(rest: &[OsString]) -> Option<usize> {
    let mut at = 0;
    while let Some(argument) = rest.get(at) {
        match argument.to_str() {
            Some("--") => return None,
            Some(option) if option.len() > 1 && option.starts_with('-') => at += 1 + usize::from(takes_next(option)),
            _ => return Some(at),
        }
    }
    None
}

/// Whether an option of `run` has its value in the next argument.
fn takes_next(option: &str) -> bool {
    let cli = Cli::command();
    let run = cli.find_subcommand("run");
    let mut known = cli.get_arguments().chain(run.into_iter().flat_map(|run| run.get_arguments()));
    let is_meant = |argument: &clap::Arg| match option.strip_prefix("--") {
        Some(long) => argument.get_long() == Some(long),
        None => option.chars().count() == 2 && argument.get_short() == option.chars().nth(1),
    };
    known.find(|argument| is_meant(argument)).is_some_and(|argument| argument.get_action().takes_values())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arranged(line: &str) -> String {
        let arguments: Vec<OsString> = line.split(' ').map(OsString::from).collect();
        with_sub_command(&arguments).iter().map(|argument| argument.to_str().unwrap()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn a_first_word_that_is_no_sub_command_is_a_target() {
        assert_eq!(arranged("mutate a.py"), "mutate run a.py");
        assert_eq!(arranged("mutate -j 2 a.py list"), "mutate run -j 2 a.py list");
        assert_eq!(arranged("mutate --tier=all a.py"), "mutate run --tier=all a.py");
        assert_eq!(arranged("mutate -j2 -q a.py"), "mutate run -j2 -q a.py");
    }

    #[test]
    fn a_sub_command_may_stand_behind_options() {
        assert_eq!(arranged("mutate list a.py"), "mutate list a.py");
        assert_eq!(arranged("mutate --color never list a.py"), "mutate list --color never a.py");
        assert_eq!(arranged("mutate --color list a.py"), "mutate run --color list a.py");
    }

    #[test]
    fn a_file_named_like_a_sub_command_can_be_meant() {
        assert_eq!(arranged("mutate ./run"), "mutate run ./run");
        assert_eq!(arranged("mutate -- run"), "mutate run -- run");
    }

    #[test]
    fn help_is_about_the_whole() {
        assert_eq!(arranged("mutate"), "mutate");
        assert_eq!(arranged("mutate --help"), "mutate --help");
        assert_eq!(arranged("mutate -q"), "mutate run -q");
    }

    #[test]
    fn the_parser_is_well_made_and_every_sub_command_is_known() {
        let cli = Cli::command();
        cli.clone().debug_assert();
        let names: Vec<&str> = cli.get_subcommands().map(|command| command.get_name()).collect();
        assert_eq!(names, SUB_COMMANDS);
    }

    /// Sets every flag of `run`; the target is a file that is there.
    const ALL_FLAGS: &str = "mutate src/main.rs --function total -f *.py -e x --tier all --select a,b --ignore c --extend-select d --no-arid \
        --max-mutants 3 --sample 10% --seed 4 -t tests --test-cmd true --framework pytest --python py --deselect t --no-bail -j 2 \
        --timeout 9 --timeout-factor 2 --timeout-const 1s --memory 1G --budget 2m --scratch copy --no-network --min-score 1 --min-covered-score 2 \
        --max-survived 5 --fail-on weak,timeout --allow-empty --require-complete --exit-zero -o out --report json=r.json --show all \
        --timings --progress none --color never -q --output-format concise --isolated";

    #[test]
    fn every_flag_reaches_its_setting() {
        let arguments: Vec<OsString> = ALL_FLAGS.split_whitespace().map(OsString::from).collect();
        let cli = Cli::try_parse_from(with_sub_command(&arguments)).unwrap();
        let Command::Run(flags) = &cli.command else { panic!("it is a run") };
        let config = flags.config(&cli.global).unwrap();
        let said: Vec<&str> =
            config.merged.iter().filter(|(_, (_, origin))| origin == "command line").map(|(key, _)| key.as_str()).collect();
        let expected = "allow-empty arid bail budget color deselect exclude exit-zero extend-select fail-on file framework ignore jobs \
            max-mutants max-survived memory min-covered-score min-score network output-file output-format progress python quiet report \
            require-complete sample scratch seed select show test-cmd tests tier timeout timeout-const timeout-factor timings";
        assert_eq!(said, expected.split_whitespace().collect::<Vec<_>>());
        assert_eq!(config.source.functions, ["total"]);
        assert_eq!((config.execute.bail, config.rule.arid), (false, false));
        assert_eq!((config.execute.timeout, config.execute.memory), (Some(9.0), Some(1 << 30)));
        assert_eq!((config.gate.min_score, config.gate.min_covered_score), (Some(1.0), Some(2.0)));
        assert_eq!(
            (config.rule.select.as_slice(), config.rule.ignore.as_slice()),
            (&["a".to_string(), "b".to_string()][..], &["c".to_string()][..])
        );
        assert_eq!(
            (config.source.include.as_slice(), config.source.exclude.as_slice()),
            (&["*.py".to_string()][..], &["x".to_string()][..])
        );
    }
}
