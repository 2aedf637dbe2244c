//! The proof that a tree holds the user's bytes and no others.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;

use crate::error::{Error, Result};
use crate::text::{Digest, ProjectPath};

/// The digest of every source file, as it was when the run began.
pub type Guarded = BTreeMap<ProjectPath, Digest>;

/// Every guarded file under `root` has its digest.
pub fn all(guarded: &Guarded, root: &Path) -> Result<()> {
    guarded.iter().try_for_each(|(path, digest)| file(root, path, Some(*digest)))
}

/// This file under `root` has this digest, or does not exist for `None`.
pub fn file(root: &Path, path: &ProjectPath, expected: Option<Digest>) -> Result<()> {
    let found = digest_of(root, path)?;
    if found == expected {
        return Ok(());
    }
    Err(changed(path, expected, found))
}

/// `None` if there is no such file.
pub fn digest_of(root: &Path, path: &ProjectPath) -> Result<Option<Digest>> {
    match Digest::of_file(&path.under(root)) {
        Ok(digest) => Ok(Some(digest)),
        Err(cause) if cause.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(cause) => Err(Error::environment("a file of the project cannot be read").at(path).cause(cause)),
    }
}

pub fn changed(path: &ProjectPath, expected: Option<Digest>, found: Option<Digest>) -> Error {
    let word = |digest: Option<Digest>| digest.map_or("no such file".to_string(), |digest| format!("blake3 {digest}"));
    Error::integrity("a file is not what it was when the run began")
        .at(path)
        .cause(format!("expected {}, found {}", word(expected), word(found)))
        .mend("leave the project alone while mutate is at work, then run it again")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Kind;

    fn project(text: &str) -> (tempfile::TempDir, ProjectPath) {
        let root = tempfile::tempdir().unwrap();
        std::fs::write(root.path().join("a.py"), text).unwrap();
        (root, ProjectPath::new(Path::new("a.py")).unwrap())
    }

    #[test]
    fn one_changed_byte_is_an_integrity_error_that_names_the_file() {
        let (root, path) = project("a = 2\n");
        let guarded = Guarded::from([(path, Digest::of(b"a = 1\n"))]);
        let error = all(&guarded, root.path()).unwrap_err();
        assert_eq!(error.kind, Kind::Integrity);
        assert_eq!(error.place.as_deref(), Some("a.py"));
    }

    #[test]
    fn the_same_bytes_pass() {
        let (root, path) = project("a = 1\n");
        all(&Guarded::from([(path, Digest::of(b"a = 1\n"))]), root.path()).unwrap();
    }

    #[test]
    fn a_file_that_should_not_be_there_is_found() {
        let (root, path) = project("");
        assert!(file(root.path(), &path, None).is_err());
    }
}
