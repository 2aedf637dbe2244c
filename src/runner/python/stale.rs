//! Where Python may keep an outdated form of a source file.
//!
//! CPython believes bytecode if size and whole second of the source agree. A mutant that is written within a second with the same
//! length would not run at all; so the bytecode of a mutated file has to go.

use std::path::{Path, PathBuf};

use crate::text::ProjectPath;

pub const CACHE_FOLDER: &str = "__pycache__";

/// All bytecode of a source that is there now: any version, any optimisation, and that of pytest's rewriting.
pub fn stale_forms(root: &Path, source: &ProjectPath) -> Vec<ProjectPath> {
    let source = Path::new(source.as_str());
    let (Some(stem), Some(folder)) = (source.file_stem().and_then(|stem| stem.to_str()), source.parent()) else {
        return vec![];
    };
    let cache = folder.join(CACHE_FOLDER);
    let mut found: Vec<PathBuf> = names_in(&root.join(&cache))
        .into_iter()
        .filter(|name| name.ends_with(".pyc") && name.strip_prefix(stem).is_some_and(|rest| rest.starts_with('.')))
        .map(|name| cache.join(name))
        .collect();
    // Where Python looks if there is no source, and did before version 3.2.
    let beside = folder.join(format!("{stem}.pyc"));
    if root.join(&beside).exists() {
        found.push(beside);
    }
    found.sort();
    found.iter().filter_map(|path| ProjectPath::new(path)).collect()
}

fn names_in(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.file_name().into_string().ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_of_this_file_and_of_no_other_is_found() {
        let root = tempfile::tempdir().unwrap();
        let cache = root.path().join("shop/__pycache__");
        std::fs::create_dir_all(&cache).unwrap();
        for name in [
            "cart.cpython-312.pyc",
            "cart.cpython-312.opt-1.pyc",
            "cart.cpython-311-pytest-9.2.0.pyc",
            "cart_total.cpython-312.pyc",
        ] {
            std::fs::write(cache.join(name), "").unwrap();
        }
        std::fs::write(root.path().join("shop/cart.pyc"), "").unwrap();
        let forms = stale_forms(root.path(), &ProjectPath::new(Path::new("shop/cart.py")).unwrap());
        let names: Vec<&str> = forms.iter().map(ProjectPath::as_str).collect();
        assert_eq!(
            names,
            [
                "shop/__pycache__/cart.cpython-311-pytest-9.2.0.pyc",
                "shop/__pycache__/cart.cpython-312.opt-1.pyc",
                "shop/__pycache__/cart.cpython-312.pyc",
                "shop/cart.pyc",
            ]
        );
    }

    #[test]
    fn a_source_without_bytecode_has_no_stale_form() {
        let root = tempfile::tempdir().unwrap();
        assert_eq!(stale_forms(root.path(), &ProjectPath::new(Path::new("cart.py")).unwrap()), vec![]);
    }
}
