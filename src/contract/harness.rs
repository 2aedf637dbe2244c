//! The harness record: which test harnesses a project has, and whether they can run here. Made without running anything.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    Unit,
    Integration,
    E2e,
}

/// How the results of a runner are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ParseFormat {
    Jest,
    Vitest,
    Pytest,
    Surefire,
    Junit,
    Playwright,
    GoTest,
    Rspec,
    Mocha,
    NodeTest,
    Unittest,
    /// Only the output is kept; nothing is counted.
    Unknown,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Runnability {
    Runnable,
    PrereqMissing,
    Unknown,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum RunnabilitySummary {
    Runnable,
    PrereqMissing,
    NotDetectable,
}

/// One harness.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Harness {
    /// From the catalogue, for example `pytest-python`; in a workspace followed by `@` and the folder of the package.
    pub id: String,
    pub role: Role,
    /// The name that `--framework` takes.
    pub framework: String,
    /// Program and arguments, as a shell would be given them; none is ever asked.
    pub runner_command: String,
    /// Relative to the root of the code; empty for the root itself.
    #[serde(default)]
    pub working_dir: String,
    pub install_command: String,
    /// Names of variables that its configuration reads; never values.
    pub env_vars: Vec<String>,
    pub stdout_parse_format: ParseFormat,
    pub runnability: Runnability,
    pub install_required: bool,
    /// What keeps it from running, in words.
    #[serde(default)]
    pub missing: Vec<String>,
}

/// `test-harness.yaml`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HarnessRecord {
    /// RFC 3339.
    pub detected_at: String,
    pub codebase_root: String,
    pub working_dir: String,
    /// At least one.
    pub harnesses: Vec<Harness>,
    /// The id of one of them; empty where the project leaves it open, which a warning says.
    pub primary_runner: String,
    pub runnability_summary: RunnabilitySummary,
    pub warnings: Vec<String>,
}
