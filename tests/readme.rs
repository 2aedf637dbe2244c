//! The README tells the truth: each command that it shows is run and ends with the exit code that stands beside it, and each
//! sample output is what that command prints.
//!
//! In code blocks marked `sh`, lines that start with `mutate` or `cargo run` are commands; `# exit 1` behind one is its exit code,
//! else it is 0; `cd` holds until the end of the block. A `text` block below the comment `<!-- printed by: COMMAND -->` is compared.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use support::project::copy_tree;
use tempfile::TempDir;

pub mod support;

#[test]
fn each_command_ends_as_the_readme_says() {
    let (_folder, root) = copy_of_what_the_readme_names();
    let commands = commands(&readme());
    assert!(commands.len() >= 3, "the README shows only {} commands", commands.len());
    for command in commands {
        let out = run(&command, &root);
        assert_eq!(out.status.code(), Some(command.exit), "`{}`\n{}", command.line, String::from_utf8_lossy(&out.stderr));
    }
}

#[test]
fn each_sample_is_what_the_command_prints() {
    let samples = samples(&readme());
    assert!(!samples.is_empty(), "the README shows no survivor as printed");
    for (line, sample) in samples {
        let (_folder, root) = copy_of_what_the_readme_names();
        let out = run(&command(&line, Path::new("")).expect("a command of ours"), &root);
        let printed = String::from_utf8_lossy(&out.stdout);
        assert!(printed.contains(sample.trim_end()), "`{line}` prints\n{printed}\nand not\n{sample}");
    }
}

#[test]
fn commands_are_read_with_their_folder_and_exit_code() {
    let text = "```sh\ncargo run --release -- a.py   # exit 1: survivors\n$ ls\ncd b c\nmutate 'x y.py'\n```\n```text\nmutate z\n```\n```sh\nmutate list d\n```\n";
    let found: Vec<_> = commands(text).into_iter().map(|command| (command.folder, command.arguments, command.exit)).collect();
    let wanted =
        |folder: &str, arguments: &[&str], exit| (PathBuf::from(folder), arguments.iter().map(ToString::to_string).collect(), exit);
    assert_eq!(found, [wanted("", &["a.py"], 1), wanted("b c", &["x y.py"], 0), wanted("", &["list", "d"], 0)]);
}

struct Command {
    line: String,
    folder: PathBuf,
    arguments: Vec<String>,
    exit: i32,
}

fn readme() -> String {
    fs::read_to_string(support::repository().join("README.md")).expect("README.md")
}

/// Fixture projects where the README says that they are, but not the ones of the repository.
fn copy_of_what_the_readme_names() -> (TempDir, PathBuf) {
    let folder = TempDir::new().expect("a temporary folder");
    let root = folder.path().canonicalize().expect("the temporary folder");
    copy_tree(&support::repository().join("tests/projects"), &root.join("tests/projects"));
    (folder, root)
}

fn run(command: &Command, root: &Path) -> Output {
    let mut program = support::mutate();
    program.args(&command.arguments).current_dir(root.join(&command.folder)).output().expect("the program under test")
}

fn commands(text: &str) -> Vec<Command> {
    let mut found = Vec::new();
    let mut folder = None;
    for line in text.lines() {
        match (line, &folder) {
            ("```sh", _) => folder = Some(PathBuf::new()),
            ("```", _) => folder = None,
            (_, Some(path)) => match line.strip_prefix("cd ") {
                Some(target) => folder = Some(path.join(target)),
                None => found.extend(command(line, path)),
            },
            _ => {}
        }
    }
    found
}

fn command(line: &str, folder: &Path) -> Option<Command> {
    let (written, remark) = line.split_once(" #").unwrap_or((line, ""));
    let arguments = written.strip_prefix("mutate ").or_else(|| written.strip_prefix("cargo run --release -- "))?;
    let exit = remark
        .trim()
        .strip_prefix("exit ")
        .map_or("0", |rest| rest.split(|character: char| !character.is_ascii_digit()).next().unwrap_or(""));
    Some(Command {
        line: line.to_owned(),
        folder: folder.to_owned(),
        arguments: shell_words::split(arguments).expect("words of a shell"),
        exit: exit.parse().expect("an exit code"),
    })
}

/// Command and sample output.
fn samples(text: &str) -> Vec<(String, String)> {
    let parts = text.split("<!-- printed by: ").skip(1);
    let sample = |part: &str| {
        let (line, rest) = part.split_once(" -->\n\n```text\n")?;
        Some((line.to_owned(), rest.split_once("```")?.0.to_owned()))
    };
    parts.map(|part| sample(part).expect("a text block below the comment")).collect()
}
