//! Finds and reads the configuration file.
//!
//! The nearest one above the target counts, and only that one: no implicit cascade. The search stops at the root of the
//! repository; without a repository it looks at the target's own folder and at the working folder, never at somebody else's above.

use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::layer::Layer;
use crate::error::{Error, Result};

/// In order of rank inside one folder.
const NAMES: [&str; 3] = [".mutate.toml", "mutate.toml", ".config/mutate.toml"];
const PYPROJECT: &str = "pyproject.toml";
const REPOSITORIES: [&str; 4] = [".git", ".hg", ".jj", ".svn"];

#[derive(Default, Deserialize)]
struct PyProject {
    #[serde(default)]
    tool: Tool,
}

#[derive(Default, Deserialize)]
struct Tool {
    mutate: Option<Layer>,
}

/// The file for a target and what it says.
pub fn find(target: &Path, working: &Path) -> Result<Option<(PathBuf, Layer)>> {
    for folder in folders(target, working) {
        if let Some(found) = find_in(&folder)? {
            return Ok(Some(found));
        }
    }
    Ok(None)
}

fn folders(target: &Path, working: &Path) -> Vec<PathBuf> {
    let folder = if target.is_dir() { target } else { target.parent().unwrap_or(target) };
    let is_repository = |folder: &&Path| REPOSITORIES.iter().any(|name| folder.join(name).exists());
    match folder.ancestors().position(|folder| is_repository(&folder)) {
        Some(root) => folder.ancestors().take(root + 1).map(Path::to_path_buf).collect(),
        None if folder.starts_with(working) => {
            folder.ancestors().take_while(|folder| folder.starts_with(working)).map(Path::to_path_buf).collect()
        }
        None => vec![folder.to_path_buf()],
    }
}

fn find_in(folder: &Path) -> Result<Option<(PathBuf, Layer)>> {
    for path in NAMES.iter().map(|name| folder.join(name)) {
        if path.is_file() {
            return Ok(Some((path.clone(), read(&path)?)));
        }
    }
    let path = folder.join(PYPROJECT);
    if !path.is_file() {
        return Ok(None);
    }
    let project: PyProject = parse(&path, &text(&path)?)?;
    Ok(project.tool.mutate.map(|layer| (path, layer)))
}

/// A file named by the user; `pyproject.toml` keeps the settings in its own table.
pub fn read(path: &Path) -> Result<Layer> {
    let text = text(path)?;
    if path.file_name().is_some_and(|name| name == PYPROJECT) {
        return Ok(parse::<PyProject>(path, &text)?.tool.mutate.unwrap_or_default());
    }
    parse(path, &text)
}

fn text(path: &Path) -> Result<String> {
    std::fs::read_to_string(path).map_err(|error| {
        Error::usage("the configuration file cannot be read")
            .at(path.display())
            .cause(error)
            .mend("name a file that exists, in UTF-8")
    })
}

fn parse<T: for<'de> Deserialize<'de>>(path: &Path, text: &str) -> Result<T> {
    toml::from_str(text).map_err(|error| {
        let line = error.span().map_or(1, |span| text[..span.start].matches('\n').count() + 1);
        said_wrong(error.message(), format!("{}:{line}", path.display()))
    })
}

/// `KEY=VALUE` of the command line, a line of the file in all but name.
pub fn read_line(line: &str) -> Result<Layer> {
    let (key, value) = line.split_once('=').unwrap_or((line, ""));
    // On a command line nobody wants to quote twice: what is no TOML value is a text.
    let quoted = format!("{key} = {}", toml::Value::from(value));
    let line_of_file = if line.parse::<toml::Table>().is_ok() { line } else { &quoted };
    toml::from_str(line_of_file).map_err(|error| said_wrong(error.message(), format!("--config {line}")))
}

/// The parser's message in words of the user's world: which key was meant?
fn said_wrong(message: &str, place: String) -> Error {
    let names: Vec<&str> = message.split('`').skip(1).step_by(2).collect();
    match (message.strip_prefix("unknown field"), names.split_first()) {
        (Some(_), Some((unknown, known))) => unknown_key(unknown, known).at(place),
        _ => Error::usage(message.lines().next().unwrap_or_default())
            .at(place)
            .mend("`mutate config` shows every key with its value"),
    }
}

fn unknown_key(unknown: &str, known: &[&str]) -> Error {
    let error = Error::usage(format!("there is no setting `{unknown}`"));
    match super::nearest(unknown, known.iter().copied()) {
        Some(nearest) => error.mend(format!("did you mean `{nearest}`?")),
        None => error.mend(format!("use one of: {}", known.join(", "))),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::config::Tier;

    fn written(name: &str, text: &str) -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        (folder, path)
    }

    fn complaint(name: &str, text: &str) -> String {
        let (_folder, path) = written(name, text);
        let error = read(&path).unwrap_err();
        assert_eq!(error.kind.exit_code(), 2);
        error.to_string().replace(path.parent().unwrap().to_str().unwrap(), "[DIR]")
    }

    #[test]
    fn an_unknown_key_is_named_with_its_line_and_the_nearest_known_one() {
        let said = complaint("mutate.toml", "jobs = 2\n\ntimout = 3\n");
        assert_eq!(said, "there is no setting `timout`\n  at [DIR]/mutate.toml:3\n  mend: did you mean `timeout`?");
    }

    #[test]
    fn a_key_like_no_other_gets_the_whole_list() {
        let said = complaint("mutate.toml", "frobnicate = 3\n");
        assert!(said.contains("use one of: file, exclude, tier"), "{said}");
    }

    #[test]
    fn a_wrong_value_is_named_with_its_line() {
        let said = complaint("mutate.toml", "tier = \"default\"\njobs = \"many\"\n");
        assert!(said.contains("`many` is neither a number") && said.contains("mutate.toml:2"), "{said}");
        let said = complaint("mutate.toml", "\ntier = \"brave\"\n");
        assert!(said.contains("brave") && said.contains("thorough") && said.contains("mutate.toml:2"), "{said}");
    }

    #[test]
    fn text_that_is_no_toml_is_named_with_its_line() {
        let said = complaint("mutate.toml", "jobs = 2\ntier = = 3\n");
        assert!(said.contains("mutate.toml:2"), "{said}");
    }

    #[test]
    fn pyproject_has_its_own_table_and_its_own_lines() {
        let text = "[project]\nname = \"x\"\n\n[tool.mutate]\ntier = \"all\"\n";
        let (_folder, path) = written("pyproject.toml", text);
        assert_eq!(read(&path).unwrap().tier, Some(Tier::All));
        let said = complaint("pyproject.toml", &format!("{text}jbos = 3\n"));
        assert!(said.contains("pyproject.toml:6") && said.contains("did you mean `jobs`?"), "{said}");
    }

    #[test]
    fn the_nearest_file_below_the_repository_counts() {
        let folder = tempfile::tempdir().unwrap();
        let (outer, inner) = (folder.path(), folder.path().join("repo/shop"));
        fs::create_dir_all(&inner).unwrap();
        fs::create_dir_all(outer.join("repo/.git")).unwrap();
        fs::write(outer.join("mutate.toml"), "jobs = 9").unwrap();
        let target = inner.join("cart.py");
        assert_eq!(find(&target, outer).unwrap(), None);

        fs::write(outer.join("repo/pyproject.toml"), "[tool.mutate]\njobs = 1").unwrap();
        assert_eq!(find(&target, outer).unwrap().unwrap().0, outer.join("repo/pyproject.toml"));
        fs::write(outer.join("repo/mutate.toml"), "jobs = 2").unwrap();
        assert_eq!(find(&target, outer).unwrap().unwrap().0, outer.join("repo/mutate.toml"));
        fs::create_dir(inner.join(".config")).unwrap();
        fs::write(inner.join(".config/mutate.toml"), "jobs = 3").unwrap();
        assert_eq!(find(&target, outer).unwrap().unwrap().0, inner.join(".config/mutate.toml"));
    }

    #[test]
    fn a_pyproject_that_says_nothing_about_us_does_not_end_the_search() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir_all(folder.path().join(".git")).unwrap();
        fs::create_dir_all(folder.path().join("shop")).unwrap();
        fs::write(folder.path().join("shop/pyproject.toml"), "[tool.ruff]\n").unwrap();
        fs::write(folder.path().join("mutate.toml"), "jobs = 2").unwrap();
        assert!(find(&folder.path().join("shop/a.py"), Path::new("/nowhere")).unwrap().is_some());
    }

    #[test]
    fn without_a_repository_a_file_above_the_working_folder_is_not_ours() {
        let folder = tempfile::tempdir().unwrap();
        let (working, target) = (folder.path().join("work"), folder.path().join("work/a/b.py"));
        fs::create_dir_all(target.parent().unwrap()).unwrap();
        fs::write(folder.path().join("mutate.toml"), "jobs = 2").unwrap();
        assert_eq!(find(&target, &working).unwrap(), None);
        fs::write(working.join("mutate.toml"), "jobs = 2").unwrap();
        assert!(find(&target, &working).unwrap().is_some());
    }

    #[test]
    fn a_setting_on_the_command_line_needs_no_quotes() {
        assert_eq!(read_line("tier=all").unwrap().tier, Some(Tier::All));
        assert_eq!(read_line("jobs=3").unwrap().jobs, read_line("jobs=\"3\"").unwrap().jobs);
        assert_eq!(read_line("select=[\"condition\"]").unwrap().select, Some(vec!["condition".into()]));
        let error = read_line("tire=all").unwrap_err().to_string();
        assert!(error.contains("did you mean `tier`?") && error.contains("at --config tire=all"), "{error}");
    }
}
