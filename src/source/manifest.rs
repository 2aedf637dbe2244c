//! Manifests: the files that make a folder a package, or the root of a workspace of packages.

use std::fs;
use std::path::Path;

use globset::Glob;

use crate::language;

/// True if the folder holds one of these; names may have a `*`.
pub fn is_in(folder: &Path, manifests: &[String]) -> bool {
    manifests.iter().any(|name| match name.contains('*') {
        false => folder.join(name).is_file(),
        true => Glob::new(name).is_ok_and(|glob| {
            let matcher = glob.compile_matcher();
            let names = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.file_name());
            names.into_iter().any(|name| matcher.is_match(name))
        }),
    })
}

/// True if the folder is a package of any language, or is configured for us.
pub fn is_package(folder: &Path) -> bool {
    let ours = ["mutate.toml", ".mutate.toml"].iter().any(|name| folder.join(name).is_file());
    ours || language::all().iter().any(|language| is_in(folder, &language.manifest.files.manifests))
}

/// Files that join the packages below them into a workspace, and what must be in them; an empty text means that the file is enough.
const WORKSPACES: [(&str, &str); 8] = [
    ("go.work", ""),
    ("pnpm-workspace.yaml", ""),
    ("lerna.json", ""),
    ("settings.gradle", ""),
    ("settings.gradle.kts", ""),
    ("package.json", "\"workspaces\""),
    ("pom.xml", "<modules>"),
    ("pyproject.toml", "[tool.uv.workspace]"),
];

/// True if the folder is the root of a workspace of packages.
pub fn is_workspace(folder: &Path) -> bool {
    WORKSPACES.iter().any(|(name, word)| {
        let text = fs::read_to_string(folder.join(name));
        text.is_ok_and(|text| text.contains(word))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_manifest_may_be_named_by_a_pattern() {
        let scene = tempfile::tempdir().unwrap();
        let patterns = ["*.gemspec".to_owned()];
        assert!(!is_in(scene.path(), &patterns));
        fs::write(scene.path().join("shop.gemspec"), "").unwrap();
        assert!(is_in(scene.path(), &patterns));
    }

    #[test]
    fn a_workspace_is_told_from_a_package() {
        let scene = tempfile::tempdir().unwrap();
        fs::write(scene.path().join("package.json"), "{}").unwrap();
        assert!(!is_workspace(scene.path()));
        fs::write(scene.path().join("package.json"), r#"{"workspaces": ["packages/*"]}"#).unwrap();
        assert!(is_workspace(scene.path()));
    }
}
