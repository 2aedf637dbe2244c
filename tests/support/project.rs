//! Fixture projects, always copied before use, and whole trees compared byte by byte.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

use super::expected::Expected;

/// A fixture project in a folder of its own, gone when dropped.
pub struct Project {
    folder: TempDir,
    root: PathBuf,
}

impl Project {
    /// A copy of `tests/projects/<name>`.
    pub fn copy_of(name: &str) -> Project {
        Project::copy_as(name, name)
    }

    /// A copy whose folder has another name, for example one with spaces.
    pub fn copy_as(name: &str, folder_name: &str) -> Project {
        let folder = TempDir::new().expect("a temporary folder");
        let root = folder.path().canonicalize().expect("the temporary folder").join(folder_name);
        copy_tree(&fixture(name), &root);
        if let Some(packages) = Expected::of(name).packages {
            let installed = super::repository().join("target").join(&packages).join("node_modules");
            assert!(installed.is_dir(), "target/{packages} is missing: run `tests/run` once, it installs the packages");
            symlink(installed, root.join("node_modules")).expect("a new link");
        }
        Project { folder, root }
    }

    /// A project of a few files, for a case that needs no fixture of its own.
    pub fn of(files: &[(&str, &str)]) -> Project {
        let folder = TempDir::new().expect("a temporary folder");
        let root = folder.path().canonicalize().expect("the temporary folder").join("project");
        fs::create_dir(&root).expect("the project's folder");
        let project = Project { folder, root };
        files.iter().for_each(|(path, text)| project.write(path, text));
        project
    }

    /// The same project as the first commit of a git repository.
    pub fn with_git(self) -> Project {
        self.git(&["init", "--quiet", "--initial-branch=main"]);
        self.git(&["add", "--all"]);
        self.git(&["commit", "--quiet", "--message=first"]);
        self
    }

    pub fn git(&self, arguments: &[&str]) {
        let identity = ["-c", "user.name=test", "-c", "user.email=test@localhost", "-c", "core.autocrlf=false"];
        let status = Command::new("git").args(identity).args(arguments).current_dir(&self.root).status().expect("git");
        assert!(status.success(), "git {arguments:?}: {status}");
    }

    pub fn root(&self) -> &Path {
        &self.root
    }

    /// A folder beside the project that goes away with it.
    pub fn beside(&self) -> &Path {
        self.folder.path()
    }

    pub fn path(&self, relative: &str) -> PathBuf {
        self.root.join(relative)
    }

    pub fn read(&self, relative: &str) -> Vec<u8> {
        fs::read(self.path(relative)).unwrap_or_else(|error| panic!("{relative}: {error}"))
    }

    pub fn write(&self, relative: &str, bytes: impl AsRef<[u8]>) {
        let path = self.path(relative);
        fs::create_dir_all(path.parent().expect("a file has a folder")).expect("the folder");
        fs::write(path, bytes).unwrap_or_else(|error| panic!("{relative}: {error}"));
    }

    pub fn tree(&self) -> Tree {
        Tree::of(&self.root)
    }

    /// The program under test, started in this project.
    pub fn mutate(&self) -> assert_cmd::Command {
        let mut command = super::mutate();
        command.current_dir(&self.root);
        command
    }
}

pub fn fixture(name: &str) -> PathBuf {
    let path = super::repository().join("tests/projects").join(name);
    assert!(path.is_dir(), "there is no fixture project `{name}`");
    path
}

/// Names of all fixture projects, in order.
pub fn fixtures() -> Vec<String> {
    entries(&super::repository().join("tests/projects")).into_iter().map(|path| name_of(&path)).collect()
}

/// Left by somebody who ran a suite or the program inside of a fixture.
const NOT_COPIED: [&str; 6] = ["__pycache__", ".pytest_cache", ".mutate", "var", "node_modules", "test-results"];

/// Byte by byte, with modes; symlinks stay symlinks.
pub fn copy_tree(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("the target folder");
    for entry in entries(from) {
        let target = to.join(name_of(&entry));
        let kind = entry.symlink_metadata().expect("an entry that was just listed").file_type();
        if NOT_COPIED.contains(&name_of(&entry).as_str()) {
            continue;
        }
        if kind.is_symlink() {
            symlink(fs::read_link(&entry).expect("a link"), &target).expect("a new link");
        } else if kind.is_dir() {
            copy_tree(&entry, &target);
        } else {
            fs::copy(&entry, &target).expect("a copied file");
        }
    }
}

/// Everything in a folder: what it would take to tell whether a single byte has changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tree(BTreeMap<PathBuf, Entry>);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Entry {
    Folder { mode: u32 },
    File { mode: u32, bytes: Vec<u8> },
    Link { to: PathBuf },
}

impl Tree {
    pub fn of(root: &Path) -> Tree {
        let mut tree = BTreeMap::new();
        collect(root, root, &mut tree);
        Tree(tree)
    }

    /// The same without folders of this name and what is in them.
    pub fn without(mut self, name: &str) -> Tree {
        self.0.retain(|path, _| !path.components().any(|part| part.as_os_str() == name));
        self
    }

    /// Fails with the names of what was added, removed or changed.
    pub fn assert_same(&self, later: &Tree) {
        let paths: std::collections::BTreeSet<_> = self.0.keys().chain(later.0.keys()).collect();
        let different: Vec<_> = paths.into_iter().filter(|path| self.0.get(*path) != later.0.get(*path)).collect();
        assert!(different.is_empty(), "the tree has changed: {different:?}");
    }
}

fn collect(root: &Path, folder: &Path, tree: &mut BTreeMap<PathBuf, Entry>) {
    for path in entries(folder) {
        let metadata = path.symlink_metadata().expect("an entry that was just listed");
        let mode = metadata.permissions().mode();
        let entry = if metadata.is_symlink() {
            Entry::Link { to: fs::read_link(&path).expect("a link") }
        } else if metadata.is_dir() {
            collect(root, &path, tree);
            Entry::Folder { mode }
        } else if metadata.is_file() {
            Entry::File { mode, bytes: fs::read(&path).expect("a readable file") }
        } else {
            continue;
        };
        tree.insert(path.strip_prefix(root).expect("a path below the root").to_owned(), entry);
    }
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let listed = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<_> = listed.map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    paths
}

fn name_of(path: &Path) -> String {
    path.file_name().and_then(|name| name.to_str()).expect("names in fixtures are Unicode").to_owned()
}
