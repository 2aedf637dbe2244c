//! Parses the call, runs the command, ends with its exit code.

use std::process::ExitCode;

fn main() -> ExitCode {
    if mutate::scratch::keeper::is_asked_for() {
        return mutate::scratch::keeper::main();
    }
    ExitCode::from(mutate::cli::main(std::env::args_os()))
}
