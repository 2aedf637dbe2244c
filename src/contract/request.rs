//! The request for an isolated run, as an agent or a pipeline writes it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::harness::{Harness, HarnessRecord};

/// A harness: the whole record, one entry of it, or the path of a file with either.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum HarnessChoice {
    Record(Box<HarnessRecord>),
    Entry(Box<Harness>),
    Path(String),
}

/// Anything else in it is refused.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TestRequest {
    pub test_harness: HarnessChoice,
    /// At least one; relative to the root, or absolute and inside of it.
    pub test_files: Vec<String>,
    pub codebase_root: String,
    /// Where the report goes: JSON for `.json`, else YAML.
    pub output_path: String,
    #[serde(default)]
    pub install_if_missing: bool,
    /// Seconds; when they are over, the whole process tree is ended.
    #[serde(default = "default_timeout")]
    pub timeout_seconds: u64,
}

pub const DEFAULT_TIMEOUT: u64 = 900;

fn default_timeout() -> u64 {
    DEFAULT_TIMEOUT
}
