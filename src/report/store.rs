//! Runs are kept, so that `mutate show` can tell more about a mutant than a report has room for.
//!
//! `<root>/.mutate/runs/<number>/report.json`; the folder ignores itself. The last few runs stay. Where the project cannot be
//! written to, the runs go to the user's state folder, and the user is told so.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::Report;
use crate::error::{Error, Result};
use crate::text::Digest;

pub const FOLDER: &str = ".mutate";
const REPORT: &str = "report.json";
/// Runs that stay.
const KEPT: usize = 5;
const IGNORE_ALL: &str = "# Made by mutate; safe to delete.\n*\n";

/// Where a run was kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Saved {
    pub number: u64,
    pub folder: PathBuf,
    /// Set if it is not where the user would look for it.
    pub notice: Option<String>,
}

pub fn save(report: &Report) -> Result<Saved> {
    save_or(report, elsewhere(&report.root))
}

/// The same with the second choice given.
pub fn save_or(report: &Report, elsewhere: Option<PathBuf>) -> Result<Saved> {
    let home = report.root.join(FOLDER);
    let refused = match save_in(&home, report) {
        Ok((number, folder)) => return Ok(Saved { number, folder, notice: None }),
        Err(refused) => refused,
    };
    let failed = |error: &dyn std::fmt::Display| Error::environment("the run cannot be kept").at(home.display()).cause(error);
    let other = elsewhere.ok_or_else(|| failed(&refused))?;
    let (number, folder) = save_in(&other, report).map_err(|error| failed(&error).at(other.display()))?;
    let notice = Some(format!("{FOLDER} cannot be written ({refused}); the run is kept in {}", other.display()));
    Ok(Saved { number, folder, notice })
}

/// The last run that was kept for the project in which `folder` lies.
pub fn last(folder: &Path) -> Result<Report> {
    let homes = folder.ancestors().flat_map(|root| [Some(root.join(FOLDER)), elsewhere(root)]).flatten();
    let run = homes.filter_map(|home| numbers(&home).into_iter().next_back().map(|number| run_folder(&home, number))).next();
    let run = run.ok_or_else(|| {
        Error::usage("no run is kept here").at(folder.display()).mend("run `mutate FILE` first, or go to the project's folder")
    })?;
    load(&run.join(REPORT))
}

fn load(path: &Path) -> Result<Report> {
    let stale = |error: &dyn std::fmt::Display| {
        let mend = "it may be of another version of mutate: run again, or `mutate clean`";
        Error::usage("a kept run cannot be read").at(path.display()).cause(error).mend(mend)
    };
    let text = fs::read(path).map_err(|error| stale(&error))?;
    serde_json::from_slice(&text).map_err(|error| stale(&error))
}

/// Removes what was kept for a project; the folders that are gone.
pub fn clean(root: &Path) -> Result<Vec<PathBuf>> {
    let mut gone = Vec::new();
    for home in [Some(root.join(FOLDER)), elsewhere(root)].into_iter().flatten() {
        if is_ours(&home) {
            let failed = |error| Error::environment("kept runs cannot be removed").at(home.display()).cause(error);
            fs::remove_dir_all(&home).map_err(failed)?;
            gone.push(home);
        }
    }
    Ok(gone)
}

/// The same for the project in which `folder` lies: the one that [`last`] would show.
pub fn clean_nearest(folder: &Path) -> Result<Vec<PathBuf>> {
    for root in folder.ancestors() {
        let gone = clean(root)?;
        if !gone.is_empty() {
            return Ok(gone);
        }
    }
    Ok(Vec::new())
}

/// A folder of this name that somebody else made, or a link to elsewhere, is none of our business.
fn is_ours(home: &Path) -> bool {
    let is_folder = fs::symlink_metadata(home).is_ok_and(|meta| meta.is_dir());
    is_folder && fs::read_to_string(home.join(".gitignore")).is_ok_and(|text| text == IGNORE_ALL)
}

/// The user's state folder, for projects that cannot be written to.
fn elsewhere(root: &Path) -> Option<PathBuf> {
    let absolute = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let state = absolute("XDG_STATE_HOME").or_else(|| absolute("HOME").map(|home| home.join(".local/state")))?;
    let digest = Digest::of(root.as_os_str().as_encoded_bytes()).to_string();
    Some(state.join("mutate").join(&digest[..16]))
}

fn save_in(home: &Path, report: &Report) -> io::Result<(u64, PathBuf)> {
    prepare(home)?;
    let runs = home.join("runs");
    fs::create_dir_all(&runs)?;
    let unfinished = tempfile::Builder::new().prefix(".unfinished-").tempdir_in(&runs)?;
    fs::write(unfinished.path().join(REPORT), serde_json::to_vec(report)?)?;
    let number = settle(home, unfinished.path())?;
    // The folder has its final name now: there is nothing left to remove.
    let _ = unfinished.keep();
    forget_old(home);
    Ok((number, run_folder(home, number)))
}

fn prepare(home: &Path) -> io::Result<()> {
    match fs::symlink_metadata(home) {
        Ok(_) if is_ours(home) => return Ok(()),
        Ok(meta) if !meta.is_dir() => return Err(io::Error::other("it is not a folder")),
        Ok(_) if fs::read_dir(home)?.next().is_some() => return Err(io::Error::other("it is there and was not made by mutate")),
        _ => fs::create_dir_all(home)?,
    }
    fs::write(home.join(".gitignore"), IGNORE_ALL)
}

/// Gives a finished run the next free number. Renaming onto a folder that holds a run fails, so two runs never share one.
fn settle(home: &Path, unfinished: &Path) -> io::Result<u64> {
    const TRIES: u64 = 100;
    let next = numbers(home).last().map_or(1, |last| last + 1);
    let mut refused = None;
    for number in next..next + TRIES {
        match fs::rename(unfinished, run_folder(home, number)) {
            Ok(()) => return Ok(number),
            Err(error) => refused = Some(error),
        }
    }
    Err(refused.unwrap_or_else(|| io::Error::other("no number is free")))
}

/// What cannot be removed stays; it is only in the way of tidiness.
fn forget_old(home: &Path) {
    let numbers = numbers(home);
    for number in &numbers[..numbers.len().saturating_sub(KEPT)] {
        let _ = fs::remove_dir_all(run_folder(home, *number));
    }
}

fn run_folder(home: &Path, number: u64) -> PathBuf {
    home.join("runs").join(number.to_string())
}

fn numbers(home: &Path) -> Vec<u64> {
    if !is_ours(home) {
        return Vec::new();
    }
    let Ok(entries) = fs::read_dir(home.join("runs")) else { return Vec::new() };
    let mut numbers: Vec<u64> = entries.flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok()).collect();
    numbers.sort_unstable();
    numbers
}
