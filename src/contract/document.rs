//! Reads documents: JSON, or YAML where a person may have written it.
//!
//! What an agent wrote is text from a model: one object, perhaps in a fence, with the fields of its type and no others, and without
//! anything that looks like a secret.

use std::io::Read;
use std::path::Path;

use serde::de::DeserializeOwned;
use serde_json::Value;

use super::redact;
use crate::error::{Error, Result};

/// No document is larger.
pub const LARGEST: u64 = 16 << 20;

/// The text of a file, or of standard input for `-`.
pub fn text(path: &Path) -> Result<String> {
    let mut bytes = Vec::new();
    let read = match path.as_os_str() == "-" {
        true => std::io::stdin().take(LARGEST + 1).read_to_end(&mut bytes),
        false => std::fs::File::open(path).and_then(|file| file.take(LARGEST + 1).read_to_end(&mut bytes)),
    };
    read.map_err(|cause| {
        Error::usage("a document cannot be read").at(path.display()).cause(cause).mend("name a file that exists")
    })?;
    if bytes.len() as u64 > LARGEST {
        return Err(Error::usage(format!("a document is larger than {} MiB", LARGEST >> 20)).at(path.display()));
    }
    String::from_utf8(bytes).map_err(|cause| Error::usage("a document is not UTF-8").at(path.display()).cause(cause))
}

/// A document that the engine or a person wrote.
pub fn read<T: DeserializeOwned>(path: &Path) -> Result<T> {
    parse(&text(path)?).map_err(|error| error.at(path.display()))
}

/// A document that an agent wrote: also refused for what looks like a secret.
pub fn read_from_agent<T: DeserializeOwned>(path: &Path) -> Result<T> {
    let text = text(path)?;
    parse_from_agent(&text).map_err(|error| error.at(path.display()))
}

/// JSON if it begins like an object, else YAML.
pub fn parse<T: DeserializeOwned>(text: &str) -> Result<T> {
    let refused = |why: &dyn std::fmt::Display| {
        Error::usage("a document is not as its schema says").cause(why).mend("`mutate schema` shows the schemas by name")
    };
    match text.trim_start().starts_with('{') {
        true => serde_json::from_str(text).map_err(|why| refused(&why)),
        false => serde_norway::from_str(text).map_err(|why| refused(&why)),
    }
}

pub fn parse_from_agent<T: DeserializeOwned>(text: &str) -> Result<T> {
    let object = without_fence(text)?;
    let value: Value = parse(object)?;
    refuse_secrets(&value, "")?;
    parse(object)
}

/// The only fenced block, where there is one.
fn without_fence(text: &str) -> Result<&str> {
    const FENCE: &str = "```";
    let text = text.trim();
    if !text.contains(FENCE) {
        return Ok(text);
    }
    let inside = text.strip_prefix(FENCE).and_then(|rest| rest.strip_suffix(FENCE)).filter(|inside| !inside.contains(FENCE));
    let block = inside.and_then(|inside| inside.split_once('\n')).filter(|(word, _)| ["", "json", "yaml"].contains(&word.trim()));
    block.map(|(_, block)| block).ok_or_else(|| {
        Error::usage("a document has words around it, or several blocks")
            .mend("give one object, or one fenced block and nothing else")
    })
}

fn refuse_secrets(value: &Value, place: &str) -> Result<()> {
    match value {
        Value::String(text) if redact::holds_secret(text) && !is_digest(place, text) => {
            Err(Error::usage("a document holds what looks like a secret")
                .cause(format!("in the field `{}`", place.trim_start_matches('/')))
                .mend("take it out; name a variable instead of its value"))
        }
        Value::Array(items) => items.iter().enumerate().try_for_each(|(at, item)| refuse_secrets(item, &format!("{place}/{at}"))),
        Value::Object(fields) => fields.iter().try_for_each(|(name, field)| refuse_secrets(field, &format!("{place}/{name}"))),
        _ => Ok(()),
    }
}

/// A digest is long and random too, but says so.
fn is_digest(place: &str, text: &str) -> bool {
    let named = place.rsplit('/').next().is_some_and(|name| name.to_ascii_lowercase().ends_with("sha256"));
    named && text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;

    #[derive(Debug, PartialEq, Eq, Deserialize)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    struct Small {
        requirement_sha256: String,
        authentication_mode: String,
    }

    const GOOD: &str = r#"{"requirementSha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08", "authenticationMode": "none"}"#;

    #[test]
    fn one_object_or_one_fence_is_a_document() {
        assert!(parse_from_agent::<Small>(GOOD).is_ok());
        assert!(parse_from_agent::<Small>(&format!("```json\n{GOOD}\n```\n")).is_ok());
        assert!(parse_from_agent::<Small>(&format!("Here it is:\n```json\n{GOOD}\n```")).is_err());
        assert!(parse_from_agent::<Small>(&format!("```json\n{GOOD}\n```\n```json\n{GOOD}\n```")).is_err());
        assert!(parse_from_agent::<Small>(&format!("{GOOD}{GOOD}")).is_err());
    }

    #[test]
    fn digests_and_names_of_fields_are_no_secrets_but_keys_are() {
        let secret = GOOD.replace("none", "Bearer abcdefgh12345");
        let error = parse_from_agent::<Small>(&secret).unwrap_err();
        assert!(error.to_string().contains("authenticationMode"), "{error}");
        assert!(!error.to_string().contains("abcdefgh"), "{error}");
    }

    #[test]
    fn unknown_fields_are_errors_in_json_and_yaml() {
        assert!(parse::<Small>(&GOOD.replace("}", ", \"more\": 1}")).is_err());
        assert!(parse::<Small>("requirementSha256: a\nauthenticationMode: b\n").is_ok());
        assert!(parse::<Small>("requirementSha256: a\nauthenticationMode: b\nmore: 1\n").is_err());
    }
}
