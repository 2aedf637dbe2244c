//! Bytes in a saved run: as text where they are text, as numbers where they are not.
//!
//! A source need not be UTF-8, and not one byte of it may be lost; but nearly all are, and a list of numbers is four times as large.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Form<'a> {
    Text(std::borrow::Cow<'a, str>),
    Numbers(Vec<u8>),
}

pub fn serialize<S: Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Form::Text(text.into()).serialize(serializer),
        Err(_) => Form::Numbers(bytes.to_vec()).serialize(serializer),
    }
}

pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<u8>, D::Error> {
    match Form::deserialize(deserializer)? {
        Form::Text(text) => Ok(text.into_owned().into_bytes()),
        Form::Numbers(numbers) => Ok(numbers),
    }
}
