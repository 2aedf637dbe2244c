//! Which files a run is about: the project around the targets, the files below them, and why the others are left out.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use globset::{Glob, GlobSet, GlobSetBuilder};
use ignore::WalkBuilder;

use super::target::Target;
use super::{Source, foreign, manifest};
use crate::error::{Error, Result};
use crate::language::{self, Language};
use crate::text::{Digest, ProjectPath};

/// What the user wants to mutate.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Settings {
    /// Where the user stands.
    pub working: PathBuf,
    /// The project, if the user named it.
    pub root: Option<PathBuf>,
    pub targets: Vec<Target>,
    /// Other packages that belong to the run: the project is around them too.
    pub companions: Vec<PathBuf>,
    /// Names of functions, in any of the files.
    pub functions: Vec<String>,
    /// Globs of paths in the project; none means all.
    pub include: Vec<String>,
    pub exclude: Vec<String>,
    /// Also what runs only now and then, such as `setup.py`.
    pub chores: bool,
}

/// The files of a run.
#[derive(Debug)]
pub struct Found {
    /// Absolute, without symbolic links.
    pub root: PathBuf,
    /// In path order.
    pub files: Vec<Chosen>,
    /// How many files below the targets were left out, by reason.
    pub left_out: BTreeMap<String, usize>,
}

/// A file and the parts of it that are wanted.
#[derive(Clone, Debug)]
pub struct Chosen {
    pub source: Source,
    /// First and last line; none means all.
    pub lines: Vec<(usize, usize)>,
    /// Qualified names; none means all.
    pub functions: Vec<String>,
}

/// Larger files are hardly written by hand.
const LARGEST: u64 = 1024 * 1024;
/// A longer line is a sign of a minified file.
const LONGEST_LINE: usize = 5000;

/// Finds the files that the targets mean.
///
/// Fails with `Kind::Usage` for a target that does not exist, lies outside of the project, or is in no known language.
pub fn find(settings: &Settings) -> Result<Found> {
    let targets = if settings.targets.is_empty() { vec![Target::whole(".")] } else { settings.targets.clone() };
    let paths: Vec<PathBuf> = targets.iter().map(|target| existing(&settings.working.join(&target.path))).collect::<Result<_>>()?;
    let root = match &settings.root {
        Some(root) => existing(&settings.working.join(root))?,
        None => {
            let companions = settings.companions.iter().filter_map(|path| settings.working.join(path).canonicalize().ok());
            root_of(&paths.iter().cloned().chain(companions).collect::<Vec<_>>(), &settings.working)
        }
    };
    let mut finder = Finder {
        include: globs(&settings.include)?,
        exclude: globs(&settings.exclude)?,
        settings,
        root,
        files: BTreeMap::new(),
        left_out: BTreeMap::new(),
    };
    for (target, path) in targets.iter().zip(&paths) {
        finder.add(target, path)?;
    }
    Ok(Found { root: finder.root, files: finder.files.into_values().collect(), left_out: finder.left_out })
}

/// The project that a call is about which names no files.
pub fn root(settings: &Settings) -> Result<PathBuf> {
    let named = settings.root.as_ref().map(|root| settings.working.join(root));
    let root = existing(named.as_ref().unwrap_or(&settings.working))?;
    Ok(if named.is_some() { root } else { root_of(&[root], &settings.working) })
}

/// A file of the program itself, named by somebody who is not trusted: its place in the project and its text.
///
/// Why not, in words: for a path that leaves the project or goes through a link, and for tests, settings, builds and whatever else is
/// not mutated.
pub fn confined(root: &Path, name: &str) -> Result<Source, String> {
    let path = ProjectPath::new(Path::new(name)).filter(|path| !path.as_str().is_empty());
    let path = path.ok_or("it is no path inside of the project")?;
    let mut full = root.to_owned();
    for part in path.as_str().split('/') {
        full.push(part);
        let metadata = full.symlink_metadata().map_err(|_| "there is no such file")?;
        if metadata.is_symlink() {
            return Err("it stands behind a symbolic link".to_owned());
        }
        if part.starts_with('.') || metadata.is_dir() && foreign::is_foreign(&full) {
            return Err("it is no code of the project".to_owned());
        }
    }
    let metadata = full.metadata().map_err(|_| "there is no such file")?;
    let language = language::by_path(&full).ok_or("it is in no language that can be mutated")?;
    if !metadata.is_file() || metadata.len() > LARGEST {
        return Err("it is no file of at most 1 MiB".to_owned());
    }
    if let Some(reason) = reason_by_name(&path, language, false) {
        return Err(format!("it is a {reason}"));
    }
    let text = std::fs::read(&full).map_err(|cause| format!("it cannot be read: {cause}"))?;
    match reason_by_content(&text) {
        Some(reason) => Err(format!("it is a {reason}")),
        None => Ok(Source { path, language, text }),
    }
}

/// Digests of all files in known languages that belong to the project, tests included: what must be the same after the run.
pub fn source_set(root: &Path) -> Result<Vec<(ProjectPath, Digest)>> {
    let mut set = Vec::new();
    for entry in walk(root).build() {
        // What cannot be read now cannot be read by the tests either; it is not ours to complain.
        let Ok(entry) = entry else { continue };
        if !entry.file_type().is_some_and(|kind| kind.is_file()) || language::by_path(entry.path()).is_none() {
            continue;
        }
        let Some(path) = entry.path().strip_prefix(root).ok().and_then(ProjectPath::new) else { continue };
        if let Ok(digest) = Digest::of_file(entry.path()) {
            set.push((path, digest));
        }
    }
    set.sort_by(|one, other| one.0.cmp(&other.0));
    Ok(set)
}

struct Finder<'s> {
    settings: &'s Settings,
    root: PathBuf,
    include: Option<GlobSet>,
    exclude: Option<GlobSet>,
    files: BTreeMap<ProjectPath, Chosen>,
    left_out: BTreeMap<String, usize>,
}

impl Finder<'_> {
    fn add(&mut self, target: &Target, path: &Path) -> Result<()> {
        if !path.starts_with(&self.root) {
            return Err(Error::usage("the target lies outside of the project")
                .at(target.path.display())
                .mend(format!("the project is {}; name another with `--root`", self.root.display())));
        }
        if path.is_file() {
            return self.add_named_file(target, path);
        }
        for entry in walk(path).build() {
            let entry = entry.map_err(|error| Error::usage("a folder cannot be read").at(path.display()).cause(error))?;
            if entry.file_type().is_some_and(|kind| kind.is_file())
                && let Some(language) = language::by_path(entry.path())
            {
                self.add_file(target, entry.path(), language)?;
            }
        }
        Ok(())
    }

    /// A file that the user names must be one that can be mutated.
    fn add_named_file(&mut self, target: &Target, path: &Path) -> Result<()> {
        let Some(language) = language::by_path(path) else {
            let known: Vec<&str> = language::all().iter().map(Language::name).collect();
            return Err(Error::usage("the file is in no language that can be mutated")
                .at(target.path.display())
                .mend(format!("languages: {}", known.join(", "))));
        };
        if let Some(reason) = self.add_file(target, path, language)? {
            return Err(Error::nothing(format!("there is nothing to mutate in a {reason}"))
                .at(target.path.display())
                .mend("name a file of the program itself"));
        }
        Ok(())
    }

    /// Adds a file, or counts it under the reason for which it is left out.
    fn add_file(&mut self, target: &Target, path: &Path, language: &'static Language) -> Result<Option<&'static str>> {
        let Some(name) = path.strip_prefix(&self.root).ok().and_then(ProjectPath::new) else { return Ok(None) };
        if !self.is_wanted(&name) {
            return Ok(Some("file that `--file` and `--exclude` leave out"));
        }
        let size = path.metadata().map_or(0, |metadata| metadata.len());
        let mut reason = reason_by_name(&name, language, self.settings.chores).or((size > LARGEST).then_some("file over 1 MiB"));
        let mut text = Vec::new();
        if reason.is_none() {
            text = std::fs::read(path).map_err(|cause| Error::usage("the file cannot be read").at(&name).cause(cause))?;
            reason = reason_by_content(&text);
        }
        if let Some(reason) = reason {
            *self.left_out.entry(reason.to_owned()).or_default() += 1;
            return Ok(Some(reason));
        }
        let functions = target.function.iter().chain(&self.settings.functions).cloned();
        let chosen = self.files.entry(name.clone()).or_insert_with(|| Chosen {
            source: Source { path: name, language, text },
            lines: Vec::new(),
            functions: Vec::new(),
        });
        chosen.lines.extend(target.lines);
        chosen.functions.extend(functions);
        Ok(None)
    }

    fn is_wanted(&self, path: &ProjectPath) -> bool {
        let name = path.as_str().rsplit('/').next().unwrap_or_default();
        let matches = |set: &GlobSet| set.is_match(path.as_str()) || set.is_match(name);
        self.include.as_ref().is_none_or(matches) && !self.exclude.as_ref().is_some_and(matches)
    }
}

/// `chores`: also what runs only now and then.
fn reason_by_name(path: &ProjectPath, language: &Language, chores: bool) -> Option<&'static str> {
    let files = &language.manifest.files;
    if names_any(path, &files.tests) {
        return Some("test file");
    }
    if names_any(path, &files.generated) {
        return Some("generated file");
    }
    (!chores && names_any(path, &files.chores)).then_some("file that only builds or migrates (tier `thorough`)")
}

fn walk(folder: &Path) -> WalkBuilder {
    let mut walk = WalkBuilder::new(folder);
    // A project without git has ignore files as well.
    walk.require_git(false).follow_links(false).sort_by_file_name(Ord::cmp);
    let top = folder.to_owned();
    walk.filter_entry(move |entry| {
        let is_folder = entry.file_type().is_some_and(|kind| kind.is_dir());
        entry.path() == top || !is_folder || !foreign::is_foreign(entry.path())
    });
    walk
}

/// True if a pattern means the file: `test_*.py` its name, `tests/` or `src/test/` folders above it.
fn names_any(path: &ProjectPath, patterns: &[String]) -> bool {
    let (folders, name) = path.as_str().rsplit_once('/').unwrap_or(("", path.as_str()));
    patterns.iter().any(|pattern| match pattern.strip_suffix('/') {
        Some(folder) => format!("/{folders}/").contains(&format!("/{folder}/")),
        None => Glob::new(pattern).is_ok_and(|glob| glob.compile_matcher().is_match(name)),
    })
}

fn reason_by_content(text: &[u8]) -> Option<&'static str> {
    const MARKS: [&str; 4] = ["@generated", "generated by", "auto-generated", "do not edit"];
    let head: Vec<&[u8]> = text.split(|byte| *byte == b'\n').take(20).collect();
    let head = String::from_utf8_lossy(&head.join(&b'\n')).to_lowercase();
    let is_comment = |line: &str| line.trim_start().starts_with(['#', '/', '*']);
    if head.lines().any(|line| is_comment(line) && MARKS.iter().any(|mark| line.contains(mark))) {
        return Some("generated file");
    }
    text.split(|byte| *byte == b'\n').any(|line| line.len() > LONGEST_LINE).then_some("minified file")
}

/// The nearest folder above all targets that is the top of a project, or the workspace around it; never above the repository.
fn root_of(paths: &[PathBuf], working: &Path) -> PathBuf {
    let start = common_folder(paths);
    for folder in start.ancestors() {
        if manifest::is_package(folder) || manifest::is_workspace(folder) || is_repository(folder) {
            return workspace_around(folder);
        }
    }
    let working = working.canonicalize().unwrap_or_else(|_| working.to_owned());
    // Nobody's project is the whole disk.
    if start.starts_with(&working) && working != Path::new("/") { working } else { above_package(&start) }
}

/// The outermost workspace that a package may be a member of.
fn workspace_around(package: &Path) -> PathBuf {
    let mut root = package;
    for folder in package.ancestors() {
        if manifest::is_workspace(folder) {
            root = folder;
        }
        if is_repository(folder) {
            break;
        }
    }
    root.to_owned()
}

fn is_repository(folder: &Path) -> bool {
    folder.join(".git").exists()
}

/// The folder from which a package is imported.
fn above_package(folder: &Path) -> PathBuf {
    folder.ancestors().find(|folder| !folder.join("__init__.py").exists()).unwrap_or(folder).to_owned()
}

fn common_folder(paths: &[PathBuf]) -> PathBuf {
    let folder = |path: &PathBuf| if path.is_dir() { path.clone() } else { path.parent().unwrap_or(path).to_owned() };
    let mut folders = paths.iter().map(folder);
    let first = folders.next().unwrap_or_default();
    folders.fold(first, |common, folder| {
        common.ancestors().find(|common| folder.starts_with(common)).unwrap_or(Path::new("/")).to_owned()
    })
}

fn existing(path: &Path) -> Result<PathBuf> {
    path.canonicalize().map_err(|cause| {
        let error = Error::usage("there is no such file or folder").at(path.display()).cause(cause);
        match similar_name(path) {
            Some(name) => error.mend(format!("the nearest name there is `{name}`")),
            None => error.mend("check the spelling"),
        }
    })
}

fn similar_name(path: &Path) -> Option<String> {
    let wanted = path.file_name()?.to_string_lossy().into_owned();
    let entries = std::fs::read_dir(path.parent()?).ok()?;
    let names = entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned());
    names.min_by_key(|name| (strsim::damerau_levenshtein(name, &wanted), name.clone()))
}

fn globs(patterns: &[String]) -> Result<Option<GlobSet>> {
    if patterns.is_empty() {
        return Ok(None);
    }
    let mut set = GlobSetBuilder::new();
    for pattern in patterns {
        let glob =
            Glob::new(pattern).map_err(|cause| Error::usage(format!("`{pattern}` is not a pattern for paths")).cause(cause))?;
        set.add(glob);
    }
    set.build().map(Some).map_err(|cause| Error::usage("the patterns for paths cannot be used").cause(cause))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Kind;

    fn project(files: &[(&str, &str)]) -> tempfile::TempDir {
        let scene = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let path = scene.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        scene
    }

    fn found(scene: &tempfile::TempDir, target: &str) -> Result<Found> {
        let working = scene.path().to_owned();
        find(&Settings { working, targets: vec![Target::whole(target)], ..Settings::default() })
    }

    fn names(found: &Found) -> Vec<&str> {
        found.files.iter().map(|chosen| chosen.source.path.as_str()).collect()
    }

    #[test]
    fn tests_generated_and_vendored_files_are_left_out_and_counted() {
        let scene = project(&[
            ("pyproject.toml", ""),
            ("shop/price.py", "x = 1\n"),
            ("shop/made_pb2.py", "x = 1\n"),
            ("shop/made.py", "# Code generated by a tool. DO NOT EDIT.\n"),
            ("tests/test_price.py", "x = 1\n"),
            ("vendor/other.py", "x = 1\n"),
            ("setup.py", "x = 1\n"),
        ]);
        let found = found(&scene, ".").unwrap();
        assert_eq!(names(&found), ["shop/price.py"]);
        assert_eq!(found.left_out["test file"], 1);
        assert_eq!(found.left_out["generated file"], 2);
    }

    #[test]
    fn a_package_that_is_called_like_a_build_folder_is_found() {
        let scene = project(&[
            ("pom.xml", ""),
            ("src/main/java/shop/build/Plan.java", "class Plan {}\n"),
            ("target/generated-sources/Made.java", "class Made {}\n"),
        ]);
        assert_eq!(names(&found(&scene, ".").unwrap()), ["src/main/java/shop/build/Plan.java"]);
    }

    #[test]
    fn whoever_is_not_trusted_names_only_code_of_the_project() {
        let scene = project(&[
            ("shop/price.py", "x = 1\n"),
            ("tests/test_price.py", "x = 1\n"),
            ("setup.py", "x = 1\n"),
            ("pyproject.toml", ""),
            (".ci/run.py", "x = 1\n"),
            ("vendor/other.py", "x = 1\n"),
        ]);
        let root = scene.path().canonicalize().unwrap();
        std::os::unix::fs::symlink("shop", root.join("link")).unwrap();
        std::os::unix::fs::symlink("shop/price.py", root.join("price.py")).unwrap();
        let why = |name: &str| confined(&root, name).map(|source| source.path.to_string());
        assert_eq!(why("shop/price.py").unwrap(), "shop/price.py");
        assert_eq!(why("./shop/price.py").unwrap(), "shop/price.py");
        let absolute = root.join("shop/price.py").display().to_string();
        for (name, reason) in [
            ("../price.py", "no path inside"),
            ("shop/../../x.py", "no path inside"),
            (absolute.as_str(), "no path inside"),
            ("", "no path inside"),
            ("link/price.py", "symbolic link"),
            ("price.py", "symbolic link"),
            ("tests/test_price.py", "test file"),
            ("setup.py", "only builds"),
            ("pyproject.toml", "no language"),
            (".ci/run.py", "no code of the project"),
            ("vendor/other.py", "no code of the project"),
            ("gone.py", "no such file"),
            ("shop", "no language"),
        ] {
            assert!(why(name).unwrap_err().contains(reason), "{name}: {:?}", why(name));
        }
    }

    #[test]
    fn the_root_is_the_nearest_project_above_the_target() {
        let scene = project(&[("pyproject.toml", ""), ("packages/a/pyproject.toml", ""), ("packages/a/src/a/core.py", "")]);
        let found = found(&scene, "packages/a/src/a/core.py").unwrap();
        assert!(found.root.ends_with("packages/a"));
        assert_eq!(names(&found), ["src/a/core.py"]);
    }

    #[test]
    fn the_root_of_a_member_is_that_of_its_workspace() {
        let scene =
            project(&[("pyproject.toml", "[tool.uv.workspace]\n"), ("packages/a/pyproject.toml", ""), ("packages/a/core.py", "")]);
        assert_eq!(names(&found(&scene, "packages/a/core.py").unwrap()), ["packages/a/core.py"]);
        // Whoever stands outside of the repository is no part of it.
        std::fs::create_dir(scene.path().join("packages/a/.git")).unwrap();
        assert_eq!(names(&found(&scene, "packages/a/core.py").unwrap()), ["core.py"]);
    }

    #[test]
    fn a_named_test_file_is_refused_with_the_reason() {
        let scene = project(&[("pyproject.toml", ""), ("tests/test_a.py", "x = 1\n")]);
        let error = found(&scene, "tests/test_a.py").unwrap_err();
        assert_eq!(error.kind, Kind::NothingToMeasure);
        assert!(error.what.contains("test file"));
    }

    #[test]
    fn an_unknown_file_is_answered_with_the_nearest_name() {
        let scene = project(&[("pyproject.toml", ""), ("price.py", "x = 1\n")]);
        let error = found(&scene, "prize.py").unwrap_err();
        assert_eq!(error.kind, Kind::Usage);
        assert!(error.mend.unwrap().contains("`price.py`"));
    }
}
