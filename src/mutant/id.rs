//! Names of mutants that stay when other lines change.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::text::Digest;

/// Eight hex digits: the start of the blake3 digest of language, path, scope, original text, replacement and the ordinal among
/// equals in that scope.
///
/// No line number is part of it, so edits elsewhere in the file do not change it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MutantId(pub u32);

/// What makes a mutant the mutant it is.
pub struct Identity<'a> {
    pub language: &'a str,
    pub path: &'a str,
    pub scope: &'a str,
    pub original: &'a [u8],
    pub replacement: &'a [u8],
    pub ordinal: u32,
}

impl MutantId {
    pub fn of(identity: &Identity) -> MutantId {
        let ordinal = identity.ordinal.to_le_bytes();
        let parts: [&[u8]; 6] = [
            identity.language.as_bytes(),
            identity.path.as_bytes(),
            identity.scope.as_bytes(),
            identity.original,
            identity.replacement,
            &ordinal,
        ];
        let digest = Digest::of_parts(parts);
        let [a, b, c, d, ..] = *digest.bytes();
        MutantId(u32::from_be_bytes([a, b, c, d]))
    }
}

impl fmt::Display for MutantId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:08x}", self.0)
    }
}

impl Serialize for MutantId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for MutantId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<MutantId, D::Error> {
        let hex = String::deserialize(deserializer)?;
        u32::from_str_radix(&hex, 16).map(MutantId).map_err(serde::de::Error::custom)
    }
}
