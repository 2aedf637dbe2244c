//! Captures what the helpers of one runner report on one of the projects beside this page; see README.md.
//!
//! `cargo run --example capture -- PROJECT RUNNER NAME [PACKAGES]` runs the tests of PROJECT in a copy, by RUNNER, and writes
//! `PROJECT-NAME.jsonl`. PACKAGES is the folder of `target` whose `node_modules` the copy gets. With `PACKAGES:ALIAS`, only the package
//! that is installed there under this other name is given to the copy, as RUNNER.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

use mutate::runner::{self, Request, Settings, report};
use mutate::suite::TestSelection;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match &words[..] {
        [project, framework, name] => capture(project, framework, name, None),
        [project, framework, name, packages] => capture(project, framework, name, Some(packages)),
        _ => panic!("say PROJECT RUNNER NAME [PACKAGES]"),
    }
}

fn capture(project: &str, framework: &str, name: &str, packages: Option<&String>) {
    let home = Path::new(env!("CARGO_MANIFEST_DIR"));
    let recordings = home.join("tests/recordings");
    let scene = tempfile::tempdir().unwrap();
    let root = scene.path().canonicalize().unwrap().join("project");
    assert!(Command::new("cp").arg("-r").args([&recordings.join(project), &root]).status().unwrap().success());
    if let Some(packages) = packages {
        let (folder, alias) = packages.split_once(':').unwrap_or((packages, ""));
        let installed = home.join("target").join(folder).join("node_modules");
        let wanted = root.join("node_modules");
        if alias.is_empty() {
            symlink(installed, wanted).unwrap();
        } else {
            fs::create_dir(&wanted).unwrap();
            symlink(installed.join(alias), wanted.join(framework)).unwrap();
        }
    }
    let settings = Settings { framework: Some(framework.to_owned()), ..Settings::default() };
    let runner = runner::choose(&settings, &root, runner::ecosystem_of(framework).unwrap()).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let request = Request {
        root: &root,
        original_root: &root,
        folder: folder.path(),
        selection: &TestSelection::All,
        bail: false,
        reach: false,
        rounds: 0,
        built: None,
        active: 0,
    };
    let command = runner.command(&request).unwrap();
    let mut process = Command::new(&command.program);
    process.args(&command.args).current_dir(&command.dir).envs(command.env.iter().map(|(name, value)| (name, value)));
    for name in &command.remove {
        process.env_remove(name);
    }
    let output = process.output().unwrap();
    let written = fs::read_to_string(folder.path().join(report::FILE))
        .unwrap_or_else(|why| panic!("no report: {why}\n{}", String::from_utf8_lossy(&output.stderr)));
    let places = [(root.as_path(), "/project"), (folder.path(), "/request"), (home, "/packages")];
    let told = places.iter().fold(written, |text, (place, word)| text.replace(place.to_str().unwrap(), word));
    fs::write(recordings.join(format!("{project}-{name}.jsonl")), told).unwrap();
    println!("{project}-{name}: {}", runner.version());
}
