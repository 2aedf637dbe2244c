//! Parses the call, runs the command, ends with its exit code.

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(mutate::cli::main(std::env::args_os()))
}
