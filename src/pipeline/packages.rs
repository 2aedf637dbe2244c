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
    let notices = without_tests(discovery, &without);
    let own = homes.into_iter().map(|((package, ecosystem), mutants)| chooser.part(package, ecosystem, mutants, true));
    let own = own.collect::<Result<Vec<Part>>>()?;
    let also = chooser.also(&own, discovery)?;
    Ok(Parts { own, also, without, notices })
}

fn without_tests(discovery: &Discovery, without: &BTreeMap<usize, String>) -> Vec<String> {
    let mut files: Vec<&str> = without.keys().map(|at| discovery.mutants[*at].path.as_str()).collect();
    files.dedup();
    match files.as_slice() {
        [] => Vec::new(),
        [one] => vec![format!("{one} is not measured: its package has no tests")],
        [first, rest @ ..] => vec![format!("{first} and {} more are not measured: their packages have no tests", rest.len())],
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
