//! What integration tests share: copies of fixture projects, the program under test, expectations, processes, interpreters.
//!
//! Written `pub mod support;` in a test, so that a test need not use all of it.

pub mod edit;
pub mod expected;
pub mod processes;
pub mod project;
pub mod python;
pub mod run;
pub mod rust;

use std::path::Path;

/// The folder of this crate.
pub fn repository() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The program under test, in an environment that does not depend on who runs the tests.
pub fn mutate() -> assert_cmd::Command {
    assert_cmd::Command::from_std(clean(std::process::Command::new(env!("CARGO_BIN_EXE_mutate"))))
}

fn clean(mut command: std::process::Command) -> std::process::Command {
    const FOREIGN: [&str; 8] = [
        "NO_COLOR",
        "CLICOLOR_FORCE",
        "FORCE_COLOR",
        "CI",
        "GITHUB_ACTIONS",
        "PYTHONPATH",
        "PYTHONDONTWRITEBYTECODE",
        "VIRTUAL_ENV",
    ];
    FOREIGN.iter().for_each(|name| {
        command.env_remove(name);
    });
    command
}
