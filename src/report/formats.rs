//! The table of formats. Each is one function of a finished report.

use std::path::{Path, PathBuf};

use super::{Report, concise, json, terminal};
use crate::analysis::Conclusion;
use crate::error::{Error, Result};

/// How much to show.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Look {
    /// Every mutant, not only what needs the user's eye.
    pub all: bool,
    /// Durations too, which differ from run to run.
    pub timings: bool,
}

pub struct Format {
    pub name: &'static str,
    pub summary: &'static str,
    /// Whether it has colours for a terminal; they are taken away where nobody could see them.
    pub styled: bool,
    /// Text that ends with a line feed.
    pub render: fn(&Report, &Conclusion, Look) -> String,
}

pub const ALL: &[Format] = &[
    Format { name: "human", summary: "survivors as small diffs, and a summary", styled: true, render: terminal::render },
    Format { name: "concise", summary: "one line per survivor", styled: false, render: concise::render },
    Format { name: "json", summary: "mutation-testing-report-schema 2, one document", styled: false, render: json::render },
];

pub fn names() -> Vec<&'static str> {
    ALL.iter().map(|format| format.name).collect()
}

pub fn find(name: &str) -> Result<&'static Format> {
    ALL.iter().find(|format| format.name == name).ok_or_else(|| {
        Error::usage(format!("there is no report format `{name}`")).mend(format!("use one of: {}", names().join(", ")))
    })
}

/// One `--report FORMAT=PATH`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    pub format: String,
    pub path: PathBuf,
}

pub fn parse_target(text: &str) -> Result<Target> {
    let mend = "write FORMAT=PATH, for example `--report json=mutants.json`";
    let (format, path) = text.split_once('=').ok_or_else(|| Error::usage(format!("`--report {text}` names no file")).mend(mend))?;
    if path.is_empty() {
        return Err(Error::usage(format!("`--report {text}` names no file")).mend(mend));
    }
    Ok(Target { format: find(format)?.name.to_string(), path: path.into() })
}

/// Writes a file in one step, so that nobody ever reads half a report. A device or a pipe is written to as it is.
pub fn write(path: &Path, text: &str) -> Result<()> {
    let path = &path.canonicalize().unwrap_or(path.to_path_buf());
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let failed = |error: std::io::Error| {
        Error::usage("the report cannot be written")
            .at(path.display())
            .cause(error)
            .mend("name a file in a folder that exists and is yours")
    };
    if path.exists() && !path.is_file() {
        return std::fs::write(path, text).map_err(failed);
    }
    let mut file = tempfile::NamedTempFile::new_in(folder).map_err(failed)?;
    std::io::Write::write_all(&mut file, text.as_bytes()).map_err(failed)?;
    widen(file.as_file()).map_err(failed)?;
    file.persist(path).map_err(|error| failed(error.error))?;
    Ok(())
}

/// A temporary file is private; a report is as readable as any file that the user makes.
#[cfg(unix)]
fn widen(file: &std::fs::File) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    file.set_permissions(std::fs::Permissions::from_mode(0o644))
}

#[cfg(not(unix))]
fn widen(_: &std::fs::File) -> std::io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_target_is_a_known_format_and_a_path() {
        let target = parse_target("json=out/a=b.json").unwrap();
        assert_eq!(target, Target { format: "json".into(), path: "out/a=b.json".into() });
        for wrong in ["json", "json=", "yaml=x", "=x"] {
            assert!(parse_target(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_report_replaces_the_old_one_and_leaves_nothing_beside_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("r.txt");
        write(&path, "old").unwrap();
        write(&path, "new").unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "new");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_folder_that_does_not_exist_is_named() {
        let error = write(Path::new("/nowhere/at/all/r.txt"), "").unwrap_err();
        assert_eq!(error.kind.exit_code(), 2);
        assert!(error.to_string().contains("/nowhere/at/all/r.txt"));
    }
}
