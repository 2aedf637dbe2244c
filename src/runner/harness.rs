//! A runner in its place: the package of the workspace in which its tests are started.
//!
//! A scratch tree is made of the whole workspace, so that packages find each other as they do at home; a runner knows only its package.

use std::path::{Path, PathBuf};

use super::{Request, Runner};
use crate::suite::TestRun;
use crate::text::ProjectPath;

pub struct Harness {
    pub runner: Box<dyn Runner>,
    /// Relative to the root of the workspace; empty for a package that is all of it.
    pub package: ProjectPath,
}

impl Harness {
    /// Where the package stands under a root of the workspace.
    pub fn place(&self, root: &Path) -> PathBuf {
        place(&self.package, root)
    }

    /// Why the program that is tested does not have this file of the workspace.
    pub fn leaves_out(&self, source: &ProjectPath) -> Option<&'static str> {
        let inside = Path::new(source.as_str()).strip_prefix(self.package.as_str()).ok().and_then(ProjectPath::new)?;
        self.runner.leaves_out(&inside)
    }

    /// Hands a request over the workspace to `with`, as the runner sees it.
    pub fn request<T>(&self, asked: &Request, with: impl FnOnce(&Request) -> T) -> T {
        let (root, original_root) = (self.place(asked.root), self.place(asked.original_root));
        with(&Request { root: &root, original_root: &original_root, ..*asked })
    }

    /// What the runner tells of files of its package, told of files of the workspace.
    pub fn in_workspace(&self, mut run: TestRun) -> TestRun {
        if !self.package.as_str().is_empty() {
            for (ours, _) in &mut run.instead {
                *ours = format!("{}/{ours}", self.package);
            }
        }
        run
    }

    /// `pytest`, or `pytest in packages/a`.
    pub fn title(&self) -> String {
        match self.package.as_str() {
            "" => self.runner.name().to_owned(),
            package => format!("{} in {package}", self.runner.name()),
        }
    }
}

/// Where a package stands under a root of the workspace.
pub fn place(package: &ProjectPath, root: &Path) -> PathBuf {
    // Joined with nothing, a path would end in a separator.
    if package.as_str().is_empty() { root.to_owned() } else { package.under(root) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_package_that_is_all_of_the_workspace_stands_at_its_root() {
        let at = |package: &str| place(&ProjectPath::new(package.as_ref()).unwrap(), Path::new("/w"));
        assert_eq!(at("").as_os_str(), "/w");
        assert_eq!(at("packages/a").as_os_str(), "/w/packages/a");
    }
}
