//! How edits are proposed: a rule (in the literature, a mutation operator) attacks a capture and holds no language.
//!
//! Rules are data, one file each under `mutation-rules/`; the path is the id. What a rule cannot say in data is the condition under
//! which it must stay silent: those are the named guards of [`guard`].

pub mod catalogue;
pub mod guard;
pub mod names;
pub mod parse;
pub mod template;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::language::vocabulary::Role;

pub use catalogue::Catalogue;

/// How eager a set of rules is; each tier holds the ones before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Tier {
    Default,
    Thorough,
    All,
}

/// One way to break code.
#[derive(Clone, Debug)]
pub struct Rule {
    /// `family/name`, the path of its file.
    pub id: String,
    pub summary: String,
    pub kind: String,
    pub mutator: String,
    pub tier: Tier,
    /// The captures it attacks.
    pub captures: Vec<Role>,
    pub action: Action,
    /// It stays silent where one of these holds.
    pub guards: Vec<guard::Guard>,
    pub subsumed: Vec<Subsumed>,
    pub hint: String,
    pub examples: Vec<Example>,
}

#[derive(Clone, Debug)]
pub enum Action {
    /// An operator or name for others.
    Swap(BTreeMap<String, Vec<template::Template>>),
    /// The whole place for what a template gives.
    Replace(Vec<template::Template>),
    /// The one for places whose text is in the table, the other for the rest.
    SwapOrReplace(BTreeMap<String, Vec<template::Template>>, Vec<template::Template>),
}

/// Not worth making while another rule is on: every test that notices the mutant of the other notices this one.
#[derive(Clone, Debug)]
pub struct Subsumed {
    pub by: String,
    pub when: guard::Guard,
}

/// Documentation, contract and test at once.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Example {
    pub language: String,
    /// Why the rule stays silent here, or what the example shows.
    pub why: Option<String>,
    pub before: String,
    /// All texts that this one rule makes of it, in order of position.
    pub after: Vec<String>,
}
