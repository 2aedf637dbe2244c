//! What an agent may hand in: proposals as JSON, bounded, every word of it known.
//!
//! One object with a list, or one proposal per line. Whoever sends a field that we do not know means something that we would not do,
//! so it is refused; what is too large or too many is left out and counted, because the rest can still be measured.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::error::{Error, Result};

/// So many proposals are measured in one call.
pub const MOST: usize = 64;
/// Bytes of one proposal.
pub const LARGEST: usize = 16 * 1024;
/// Bytes of all of them; nobody has to read more to know that it is too much.
pub const LARGEST_INPUT: usize = 16 * 1024 * 1024;
pub const SCHEMA_VERSION: &str = "1.0";

/// The whole of an input.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Given {
    pub proposals: Vec<Proposal>,
    pub limits: Limits,
    /// What was left out unread, in order.
    pub dropped: Vec<Dropped>,
}

/// One mutant that an agent would like to see measured.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Proposal {
    #[serde(alias = "skepticId")]
    pub proposal_id: Option<String>,
    /// Bare or qualified name, as the language writes it.
    pub target_function: String,
    /// Relative to the root of the project.
    pub file: String,
    /// `sha256:…` of the file that the proposal was made for.
    pub source_hash: Option<String>,
    pub mutation_kind: String,
    /// May hold the edit: exactly one `` `before` → `after` ``.
    pub mutation_description: Option<String>,
    #[serde(alias = "before")]
    pub original: Option<String>,
    #[serde(alias = "after")]
    pub replacement: Option<String>,
    /// Where the original stands; a hint.
    pub location: Option<Location>,
    /// The same, as a line.
    pub line: Option<usize>,
    pub expected_catcher_test: ExpectedTest,
    /// Recorded and compared, never counted.
    pub predicted_caught: Option<bool>,
    pub rationale: Option<String>,
    pub suggested_assertion: Option<Suggested>,
}

/// Both ends, counted from 1; the end is the first place that is no part of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Location {
    pub start: Point,
    pub end: Point,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Point {
    pub line: usize,
    /// In UTF-16 code units, as in the shared report schema.
    pub column: usize,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ExpectedTest {
    pub test_file: String,
    pub test_name: String,
}

/// An assertion that would catch the mutant, as the agent thinks.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Suggested {
    Text(String),
    Code(Assertion),
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Assertion {
    pub code: String,
    #[serde(default)]
    pub imports: Vec<String>,
}

impl Suggested {
    pub fn code(&self) -> &str {
        match self {
            Suggested::Text(code) => code,
            Suggested::Code(assertion) => &assertion.code,
        }
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Limits {
    pub budget_ms: Option<u64>,
    pub per_mutant_ms: Option<u64>,
}

/// Proposals that were left out unread.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Dropped {
    /// Position of the first in the input, from 0.
    pub first: usize,
    pub count: usize,
    pub reason: DropReason,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum DropReason {
    /// More than 16 kB.
    TooLarge,
    /// Not among the first 64.
    TooMany,
}

/// The list with what goes for all of it.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Listed<'i> {
    schema_version: Option<String>,
    #[serde(rename = "baseRevision")]
    _base_revision: Option<String>,
    limits: Option<Limits>,
    #[serde(borrow)]
    #[schemars(with = "Vec<Proposal>")]
    proposals: Vec<&'i RawValue>,
    /// What the proposer says of itself; never read.
    #[serde(rename = "stats", borrow)]
    #[schemars(with = "Option<serde_json::Value>")]
    _stats: Option<&'i RawValue>,
}

/// Kinds that the contract names; `x-…` is free for others.
pub const KINDS: [&str; 6] =
    ["condition-inversion", "return-value", "arithmetic-operator", "boundary-off-by-one", "boolean-constant", NOT_APPLICABLE];
pub const NOT_APPLICABLE: &str = "not-applicable";

/// Reads an input. Fails (`Kind::Usage`) for what is no JSON, misses a field, or has one too many.
pub fn read(input: &[u8]) -> Result<Given> {
    if input.len() > LARGEST_INPUT {
        return Err(Error::usage("the proposals are larger than 16 MiB").mend("send at most 64 proposals of at most 16 kB"));
    }
    let text = std::str::from_utf8(input).map_err(|cause| Error::usage("the proposals are not UTF-8").cause(cause))?;
    let values = serde_json::Deserializer::from_str(text).into_iter::<&RawValue>().collect::<Result<Vec<_>, _>>();
    let values = values.map_err(|cause| Error::usage("the proposals are no JSON").cause(cause).mend(FORM))?;
    match values.as_slice() {
        [] => Err(Error::usage("there is no proposal").mend(FORM)),
        [one] if is_offer(one.get()) => {
            let offered: Offered = serde_json::from_str(one.get()).map_err(|cause| refused("the offer", cause))?;
            bounded(&offered.proposals, Limits::default())
        }
        [one] if is_list(one.get()) => {
            let listed: Listed = serde_json::from_str(one.get()).map_err(|cause| refused("the proposals", cause))?;
            if listed.schema_version.as_deref().is_some_and(|version| version != SCHEMA_VERSION) {
                return Err(Error::usage("the proposals are of another schema version").mend("send `\"schemaVersion\": \"1.0\"`"));
            }
            bounded(&listed.proposals, listed.limits.unwrap_or_default())
        }
        many => bounded(many, Limits::default()),
    }
}

const FORM: &str = "send one object with `proposals`, or one proposal per line";

/// What `mutate propose` printed, handed over as it is: what stands around the proposals is ours.
#[derive(Deserialize)]
struct Offered<'i> {
    #[serde(borrow)]
    proposals: Vec<&'i RawValue>,
}

fn is_offer(object: &str) -> bool {
    #[derive(Deserialize)]
    struct Any<'i> {
        kind: Option<&'i str>,
    }
    serde_json::from_str::<Any>(object).is_ok_and(|any| any.kind == Some(super::offer::KIND))
}

fn is_list(object: &str) -> bool {
    #[derive(Deserialize)]
    struct Any {
        proposals: Option<serde::de::IgnoredAny>,
    }
    serde_json::from_str::<Any>(object).is_ok_and(|any| any.proposals.is_some())
}

fn refused(what: &str, cause: serde_json::Error) -> Error {
    Error::usage(format!("{what} cannot be read")).cause(cause).mend("`mutate verify --help` names the fields")
}

fn bounded(raw: &[&RawValue], limits: Limits) -> Result<Given> {
    let mut given = Given { limits, ..Given::default() };
    for (at, proposal) in raw.iter().enumerate().take(MOST) {
        if proposal.get().len() > LARGEST {
            given.dropped.push(Dropped { first: at, count: 1, reason: DropReason::TooLarge });
            continue;
        }
        given.proposals.push(one(at, proposal.get())?);
    }
    if raw.len() > MOST {
        given.dropped.push(Dropped { first: MOST, count: raw.len() - MOST, reason: DropReason::TooMany });
    }
    Ok(given)
}

fn one(at: usize, text: &str) -> Result<Proposal> {
    let place = format!("proposal {at}, counted from 0");
    let proposal: Proposal = serde_json::from_str(text).map_err(|cause| refused("a proposal", cause).at(&place))?;
    let kind = proposal.mutation_kind.as_str();
    if !KINDS.contains(&kind) && !kind.starts_with("x-") {
        return Err(Error::usage("a proposal has an unknown `mutationKind`")
            .at(place)
            .mend(format!("use {}, or x-…", KINDS.join(", "))));
    }
    if kind != NOT_APPLICABLE && proposal.edit().is_none() {
        return Err(Error::usage("a proposal has no edit").at(place).mend(
            "give `original` and `replacement`, or a `mutationDescription` with exactly one `before` → `after` in backticks",
        ));
    }
    Ok(proposal)
}

impl Proposal {
    /// Original and replacement, from their own fields or from the description.
    pub fn edit(&self) -> Option<(&str, &str)> {
        match (&self.original, &self.replacement) {
            (Some(original), Some(replacement)) => Some((original, replacement)),
            (None, None) => self.described(),
            _ => None,
        }
    }

    /// The one `` `before` → `after` `` of the description.
    pub fn described(&self) -> Option<(&str, &str)> {
        let pieces: Vec<&str> = self.mutation_description.as_deref()?.split('`').collect();
        let mut found = None;
        // Text, code, text, code, text: the arrow is a text between two codes.
        for at in (2..pieces.len().saturating_sub(1)).step_by(2) {
            if ["→", "->", "=>"].contains(&pieces[at].trim()) && found.replace((pieces[at - 1], pieces[at + 1])).is_some() {
                return None;
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: &str = r#"{"targetFunction":"f","file":"a.py","mutationKind":"return-value","original":"1","replacement":"2",
        "expectedCatcherTest":{"testFile":"test_a.py","testName":"test_f"}}"#;

    fn with(more: &str) -> String {
        ONE.replacen('{', &format!("{{{more},"), 1)
    }

    fn refusal(input: &str) -> String {
        read(input.as_bytes()).unwrap_err().to_string()
    }

    #[test]
    fn an_object_with_a_list_and_lines_of_proposals_say_the_same() {
        let line = ONE.replace('\n', "");
        let lines = read(format!("{line}\n{line}\n").as_bytes()).unwrap();
        let listed = read(format!(r#"{{"schemaVersion":"1.0","baseRevision":"git:HEAD","proposals":[{ONE},{ONE}]}}"#).as_bytes());
        assert_eq!(lines, listed.unwrap());
        assert_eq!(lines.proposals.len(), 2);
    }

    #[test]
    fn what_is_unknown_is_refused_and_named() {
        assert!(refusal(&with(r#""score":100"#)).contains("unknown field `score`"));
        assert!(refusal(&format!(r#"{{"proposals":[{ONE}],"verdict":"MEANINGFUL"}}"#)).contains("unknown field `verdict`"));
        assert!(refusal(&ONE.replace("return-value", "anything")).contains("unknown `mutationKind`"));
        assert!(refusal(&ONE.replace(r#""file":"a.py","#, "")).contains("missing field `file`"));
        assert!(refusal(&format!(r#"{{"schemaVersion":"2.0","proposals":[{ONE}]}}"#)).contains("another schema version"));
        assert!(refusal("[1").contains("no JSON"));
        assert!(refusal("").contains("there is no proposal"));
    }

    #[test]
    fn a_field_may_have_the_name_of_the_workflow() {
        let text = ONE.replace("original", "before").replace("replacement", "after").replacen('{', r#"{"skepticId":"s1","#, 1);
        let given = read(text.as_bytes()).unwrap();
        assert_eq!((given.proposals[0].edit(), given.proposals[0].proposal_id.as_deref()), (Some(("1", "2")), Some("s1")));
    }

    #[test]
    fn the_edit_may_stand_in_the_description_once() {
        let described = |text: &str| {
            let text = ONE.replace(r#""original":"1","replacement":"2""#, &format!(r#""mutationDescription":"{text}""#));
            read(text.as_bytes()).map(|given| given.proposals[0].edit().map(|(a, b)| (a.to_owned(), b.to_owned())))
        };
        let edit = Some(("a >= b".to_owned(), "a > b".to_owned()));
        assert_eq!(described("line 3: `a >= b` → `a > b`").unwrap(), edit);
        assert_eq!(described("`a >= b` -> `a > b`, in `f`").unwrap(), edit);
        assert!(described("`a` → `b` and `c` => `d`").is_err());
        assert!(described("swap `a` and `b`").is_err());
    }

    #[test]
    fn what_is_too_large_or_too_many_is_left_out_and_counted() {
        let large = with(&format!(r#""rationale":"{}""#, "x".repeat(1 << 20))).replace('\n', "");
        let lines: Vec<String> = std::iter::once(large).chain(std::iter::repeat_n(ONE.replace('\n', ""), 9_999)).collect();
        let given = read(lines.join("\n").as_bytes()).unwrap();
        assert_eq!(given.proposals.len(), MOST - 1);
        assert_eq!(
            given.dropped,
            [
                Dropped { first: 0, count: 1, reason: DropReason::TooLarge },
                Dropped { first: 64, count: 9_936, reason: DropReason::TooMany },
            ]
        );
        assert!(refusal(&" ".repeat(LARGEST_INPUT + 1)).contains("larger than 16 MiB"));
    }
}
