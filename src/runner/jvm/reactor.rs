//! The build around a Maven module: whether what a module lacks is another module of it.

use std::fs;
use std::path::{Path, PathBuf};

/// A module that another one needs and that is not installed, and the folder of the build that has both.
#[derive(Debug, PartialEq, Eq)]
pub struct Sibling {
    pub artifact: String,
    pub build: PathBuf,
}

/// The first module around `module` that `complaint` names as `group:artifact:…`.
pub fn missing_sibling(module: &Path, complaint: &str) -> Option<Sibling> {
    let own = artifact(module)?;
    module.ancestors().skip(1).take_while(|folder| folder.join("pom.xml").is_file()).find_map(|build| {
        let pom = fs::read_to_string(build.join("pom.xml")).ok()?;
        let artifacts = tagged(&pom, "module").filter_map(|name| artifact(&build.join(name)));
        let mut missing = artifacts.filter(|artifact| *artifact != own && complaint.contains(&format!(":{artifact}:")));
        missing.next().map(|artifact| Sibling { artifact, build: build.to_owned() })
    })
}

/// The name under which a module is installed; not that of its parent.
fn artifact(module: &Path) -> Option<String> {
    let pom = fs::read_to_string(module.join("pom.xml")).ok()?;
    let own = pom.split_once("</parent>").map_or(pom.as_str(), |(_, rest)| rest);
    tagged(own, "artifactId").next().map(str::to_owned)
}

fn tagged<'t>(text: &'t str, tag: &str) -> impl Iterator<Item = &'t str> {
    let (open, close) = (format!("<{tag}>"), format!("</{tag}>"));
    let mut rest = text;
    std::iter::from_fn(move || {
        let inside = &rest[rest.find(&open)? + open.len()..];
        let end = inside.find(&close)?;
        rest = &inside[end..];
        Some(inside[..end].trim())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const COMPLAINT: &str = "Could not resolve dependencies for project shop:app:jar:1: the artifact shop:core:jar:1 is not there";

    fn module(scene: &Path, name: &str) {
        fs::create_dir_all(scene.join(name)).unwrap();
        let parent = "<parent><artifactId>shop</artifactId></parent>";
        fs::write(scene.join(name).join("pom.xml"), format!("<project>{parent}<artifactId>{name}</artifactId></project>")).unwrap();
    }

    #[test]
    fn another_module_of_the_build_is_told_from_what_must_be_fetched() {
        let scene = tempfile::tempdir().unwrap();
        ["core", "app"].iter().for_each(|name| module(scene.path(), name));
        let modules = "<project><modules>\n<module>core</module>\n<module> app </module></modules></project>";
        fs::write(scene.path().join("pom.xml"), modules).unwrap();
        let app = scene.path().join("app");
        let sibling = Sibling { artifact: "core".to_owned(), build: scene.path().to_owned() };
        assert_eq!(missing_sibling(&app, COMPLAINT), Some(sibling));
        assert_eq!(missing_sibling(&app, "the artifact far:away:jar:1 is not there"), None);
        assert_eq!(missing_sibling(scene.path(), COMPLAINT), None);
    }
}
