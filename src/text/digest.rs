//! blake3 digests: the proof that bytes are what they were.

use std::fmt;
use std::io;
use std::path::Path;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A blake3 digest, 32 bytes, printed as 64 hex digits.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Digest(blake3::Hash);

impl Digest {
    pub fn of(bytes: &[u8]) -> Digest {
        Digest(blake3::hash(bytes))
    }

    pub fn of_file(path: &Path) -> io::Result<Digest> {
        Ok(Digest::of(&std::fs::read(path)?))
    }

    /// Digest of several parts; where one part ends is part of the digest.
    pub fn of_parts<'a>(parts: impl IntoIterator<Item = &'a [u8]>) -> Digest {
        let mut hasher = blake3::Hasher::new();
        for part in parts {
            hasher.update(&(part.len() as u64).to_le_bytes());
            hasher.update(part);
        }
        Digest(hasher.finalize())
    }

    pub fn bytes(&self) -> &[u8; 32] {
        self.0.as_bytes()
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.to_hex().as_str())
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

impl Serialize for Digest {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Digest {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Digest, D::Error> {
        let hex = String::deserialize(deserializer)?;
        blake3::Hash::from_hex(&hex).map(Digest).map_err(serde::de::Error::custom)
    }
}
