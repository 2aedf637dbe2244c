//! Which package of the workspace a file belongs to, and with which runner its tests are run.
//!
//! A file belongs to the nearest package of its ecosystem around it that has tests; a package is a folder with a manifest. So one run
//! may need several runners: each gets the mutants of its own package.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use super::{Discovery, settings};
use crate::config::Config;
use crate::error::{Error, Kind, Result};
use crate::language::Language;
use crate::runner::harness::{Harness, place};
use crate::runner::{self, Settings};
use crate::source::manifest;
use crate::text::ProjectPath;

/// Mutants that one runner measures.
pub struct Part {
    pub harness: Harness,
    pub ecosystem: String,
    /// The package of its mutants: its tests must load them.
    pub is_home: bool,
    /// Positions in the whole list.
    pub mutants: Vec<usize>,
}

/// All parts of a run, and the mutants that no runner can measure.
pub struct Parts {
    pub own: Vec<Part>,
    /// Other packages whose tests count too, with the mutants that stand outside of them.
    pub also: Vec<Part>,
    pub without: BTreeMap<usize, String>,
    pub notices: Vec<String>,
}

/// Finds the runners of all mutants; fails if there is none at all, or if one cannot be used.
pub fn parts(config: &Config, discovery: &Discovery) -> Result<Parts> {
    let mut chooser = Chooser { config, root: &discovery.root, settings: settings::runner(config), known: HashMap::new() };
    chooser.settings.framework = None;
    let mut homes: BTreeMap<(ProjectPath, String), Vec<usize>> = BTreeMap::new();
    let mut without: BTreeMap<usize, String> = BTreeMap::new();
    let mut first_error = None;
    for source in &discovery.sources {
        let mutants: Vec<usize> = discovery.positions_in(&source.path).collect();
        if mutants.is_empty() {
            continue;
        }
        match chooser.home(&source.path, source.language)? {
            Ok(package) => homes.entry((package, chooser.ecosystem(source.language))).or_default().extend(mutants),
            Err(error) => {
                without.extend(mutants.into_iter().map(|at| (at, error.what.clone())));
                first_error.get_or_insert(error);
            }
        }
    }
    if let (true, Some(error)) = (homes.is_empty(), first_error) {
        return Err(error);
    }
    let own = homes.into_iter().map(|((package, ecosystem), mutants)| chooser.part(package, ecosystem, mutants, true));
    let mut own = own.collect::<Result<Vec<Part>>>()?;
    let left_out = leave_out(&mut own, discovery)?;
    let untested = not_measured(discovery, without.keys(), ["its package has no tests", "their packages have no tests"]);
    let unbuilt = not_measured(discovery, left_out.keys(), ["the tests are built without it", "the tests are built without them"]);
    let notices = untested.into_iter().chain(unbuilt).collect();
    without.extend(left_out);
    let also = chooser.also(&own, discovery)?;
    Ok(Parts { own, also, without, notices })
}

/// For one file, or for many.
fn not_measured<'m>(discovery: &Discovery, mutants: impl Iterator<Item = &'m usize>, why: [&str; 2]) -> Option<String> {
    let mut files: Vec<&str> = mutants.map(|at| discovery.mutants[*at].path.as_str()).collect();
    files.dedup();
    let [of_one, of_many] = why;
    match files.as_slice() {
        [] => None,
        [one] => Some(format!("{one} is not measured: {of_one}")),
        [first, rest @ ..] => Some(format!("{first} and {} more are not measured: {of_many}", rest.len())),
    }
}

/// Takes the mutants out whose file is no part of the program that is tested. Fails if that leaves none.
fn leave_out(own: &mut Vec<Part>, discovery: &Discovery) -> Result<BTreeMap<usize, String>> {
    let mut left_out = BTreeMap::new();
    for part in own.iter_mut() {
        let Part { harness, mutants, .. } = part;
        let reasons: HashMap<&ProjectPath, Option<&str>> =
            discovery.sources.iter().map(|source| (&source.path, harness.leaves_out(&source.path))).collect();
        let reason = |at: &usize| reasons.get(&discovery.mutants[*at].path).copied().flatten();
        left_out.extend(mutants.iter().filter_map(|at| Some((*at, reason(at)?.to_owned()))));
        mutants.retain(|at| reason(at).is_none());
    }
    own.retain(|part| !part.mutants.is_empty());
    match (own.is_empty(), left_out.first_key_value()) {
        (true, Some((at, why))) => Err(Error::nothing("the tests are built without what is to be mutated")
            .at(&discovery.mutants[*at].path)
            .cause(why)
            .mend("name a file of the program as it is built here")),
        _ => Ok(left_out),
    }
}

struct Chooser<'c> {
    config: &'c Config,
    root: &'c Path,
    settings: Settings,
    /// What was found out about a package, by ecosystem.
    known: HashMap<(ProjectPath, String), Option<Error>>,
}

impl Chooser<'_> {
    /// A test command runs the tests of every language.
    fn ecosystem(&self, language: &Language) -> String {
        if self.settings.test_cmd.is_some() { String::new() } else { language.manifest.ecosystem.clone() }
    }

    /// The nearest package around a file that has tests. The outer error ends the run, the inner one says why there is none.
    fn home(&mut self, path: &ProjectPath, language: &Language) -> Result<Result<ProjectPath>> {
        let ecosystem = self.ecosystem(language);
        let mut nearest = None;
        for package in self.packages_around(path, language) {
            match self.detected(&package, &ecosystem)? {
                None => return Ok(Ok(package)),
                Some(error) => {
                    nearest.get_or_insert(error);
                }
            }
        }
        Ok(Err(nearest.unwrap_or_else(|| Error::nothing("no tests found").at(path))))
    }

    /// From the inside to the root of the workspace. A root that the user named is the only package.
    fn packages_around(&self, path: &ProjectPath, language: &Language) -> Vec<ProjectPath> {
        let whole = ProjectPath::new(Path::new("")).into_iter();
        if self.config.source.root.is_some() || self.settings.test_cmd.is_some() {
            return whole.collect();
        }
        let is_package = |folder: &&Path| manifest::is_in(&self.root.join(folder), &language.manifest.files.manifests);
        let inner = Path::new(path.as_str()).ancestors().skip(1).filter(|folder| !folder.as_os_str().is_empty());
        inner.filter(is_package).filter_map(ProjectPath::new).chain(whole).collect()
    }

    /// `None` if the package has a runner; why it has none. Fails where the user must decide something.
    fn detected(&mut self, package: &ProjectPath, ecosystem: &str) -> Result<Option<Error>> {
        let key = (package.clone(), ecosystem.to_owned());
        if let Some(known) = self.known.get(&key) {
            return Ok(known.clone());
        }
        let folder = place(package, self.root);
        let found = match runner::detect(&self.settings_of(package, ecosystem), &folder, ecosystem) {
            Ok(_) => None,
            Err(error) if error.kind == Kind::NothingToMeasure => Some(error),
            Err(error) => return Err(error),
        };
        self.known.insert(key, found.clone());
        Ok(found)
    }

    /// The user's wishes, as far as they concern this package.
    fn settings_of(&self, package: &ProjectPath, ecosystem: &str) -> Settings {
        let folder = place(package, self.root);
        let elsewhere = |path: &&std::path::PathBuf| path.exists() && path.starts_with(self.root) && !path.starts_with(&folder);
        let tests = self.settings.tests.iter().filter(|path| !elsewhere(path)).cloned().collect();
        let framework = settings::runner(self.config).framework;
        let of_another = |name: &String| runner::ecosystem_of(name).is_some_and(|other| other != ecosystem);
        Settings { tests, framework: framework.filter(|name| !of_another(name)), ..self.settings.clone() }
    }

    fn part(&self, package: ProjectPath, ecosystem: String, mutants: Vec<usize>, is_home: bool) -> Result<Part> {
        let runner = runner::choose(&self.settings_of(&package, &ecosystem), &place(&package, self.root), &ecosystem)?;
        Ok(Part { harness: Harness { runner, package }, ecosystem, is_home, mutants })
    }

    /// The packages that the user names beside those of the mutants.
    fn also(&self, own: &[Part], discovery: &Discovery) -> Result<Vec<Part>> {
        let mut parts = Vec::new();
        for named in &self.config.runner.tests_also_in {
            let folder = self.config.source.working.join(named);
            let package = folder.canonicalize().ok().and_then(|folder| ProjectPath::new(folder.strip_prefix(self.root).ok()?));
            let package = package.ok_or_else(|| {
                Error::usage("there is no such package in the workspace").at(named).mend("correct `tests-also-in`")
            })?;
            let mut ecosystems: Vec<&String> = own.iter().map(|part| &part.ecosystem).collect();
            ecosystems.dedup();
            let before = parts.len();
            for ecosystem in ecosystems {
                let of_others = own.iter().filter(|part| part.ecosystem == *ecosystem && part.harness.package != package);
                let mutants: Vec<usize> = of_others.flat_map(|part| part.mutants.iter().copied()).collect();
                let has_tests =
                    runner::detect(&self.settings_of(&package, ecosystem), &place(&package, self.root), ecosystem).is_ok();
                if has_tests && !mutants.is_empty() {
                    parts.push(self.part(package.clone(), ecosystem.clone(), mutants, false)?);
                }
            }
            if parts.len() == before && own.iter().all(|part| part.harness.package != package) {
                let languages: Vec<&str> = discovery.sources.iter().map(|source| source.language.name()).collect();
                return Err(Error::nothing(format!("no tests for {} found", languages.first().unwrap_or(&"it")))
                    .at(named)
                    .mend("name a package with tests in `tests-also-in`"));
            }
        }
        Ok(parts)
    }
}
