//! SHA-256 digests: the ones that other programs can make too, for contracts with them.

use sha2::{Digest, Sha256};

/// `sha256:` and 64 hex digits.
pub fn of(bytes: &[u8]) -> String {
    let hex: String = Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect();
    format!("sha256:{hex}")
}

#[cfg(test)]
mod tests {
    #[test]
    fn it_is_what_everybody_gets() {
        assert_eq!(super::of(b"abc"), "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    }
}
