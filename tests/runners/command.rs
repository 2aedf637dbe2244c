//! Any command.

use crate::scene::{Asked, Scene};
use mutate::error::Kind;

fn command(text: &str, files: &[(&str, &str)]) -> Scene {
    let mut scene = Scene::pytest(files);
    scene.settings.test_cmd = Some(text.into());
    scene
}

#[test]
fn a_command_runs_in_the_root_of_the_project() {
    command("test -f here.txt", &[("here.txt", "")]).all().is_finished().has_lines(&["test -f here.txt passed"]);
}

#[test]
fn a_command_that_fails_is_a_failed_test() {
    let told = command("sh -c 'echo one; echo two >&2; exit 3'", &[]).all();
    assert_eq!(told.run.failed().next().unwrap().1.message, "two");
}

#[test]
fn a_command_that_is_not_there_has_tested_nothing() {
    for text in ["no-such-program-here", "sh -c no-such-program-here"] {
        let (run, _) = command(text, &[]).try_run(Asked::default());
        assert_eq!(run.unwrap_err().kind, Kind::Environment);
    }
}

#[test]
fn interpreters_that_a_command_starts_record_what_they_reach() {
    let python = crate::scene::python();
    let text = format!("sh -c '{0} shop.py && {0} other.py'", python.display());
    let scene = command(&text, &[("shop.py", "_mu_(1); x = (_mu_(2) or (3))\n"), ("other.py", "_mu_(4)\n")]);
    let told = scene.reach();
    told.is_finished();
    assert_eq!(told.reached(&text), [1, 2, 4]);
}
