//! The case manifest: which case tests which acceptance criterion, where it stands, and what is not tested, with the reason.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SourceBinding {
    pub task_id: String,
    pub requirement_path: String,
    pub requirement_sha256: String,
    pub reference_paths: Vec<String>,
    /// All acceptance criteria.
    pub requirement_ids: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum CaseCategory {
    Positive,
    Negative,
    Boundary,
    StateTransition,
    Auth,
    Timeout,
    Concurrency,
    Other,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum AutomationStatus {
    Planned,
    /// Has a file and a symbol.
    Generated,
    /// Has a reason.
    Skipped,
    /// Has a reason.
    Unsupported,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Case {
    /// `BE-<MODULE>-<NUMBER>`.
    pub case_id: String,
    /// At least one.
    pub ac_ids: Vec<String>,
    pub title: String,
    pub category: CaseCategory,
    pub automation_status: AutomationStatus,
    /// Relative to the root.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// A function, method or class, or the title of a test.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub symbol: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gap_reason: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub endpoint_ref: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule_refs: Option<Vec<String>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evidence_ref: Option<String>,
}

/// Something that is not tested.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct EvidenceGap {
    pub description: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ac_id: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub case_id: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evidence_ref: Option<String>,
}

/// Holds no numbers: a `coverageSummary` in it is refused, because [`CoverageSummary`] is ours to compute.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CaseManifest {
    pub schema_version: u32,
    pub source_binding: SourceBinding,
    pub cases: Vec<Case>,
    pub evidence_gaps: Vec<EvidenceGap>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum MetricStatus {
    Available,
    Unavailable,
}

/// A part of a whole; what is unknown is unavailable, never 0.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Metric {
    pub status: MetricStatus,
    pub covered: Option<usize>,
    pub total: Option<usize>,
    pub ratio: Option<f64>,
    pub reason: Option<String>,
}

impl Metric {
    fn of(covered: usize, total: usize) -> Metric {
        match total {
            0 => Metric {
                status: MetricStatus::Unavailable,
                covered: None,
                total: None,
                ratio: None,
                reason: Some("there is no acceptance criterion".to_owned()),
            },
            _ => Metric {
                status: MetricStatus::Available,
                covered: Some(covered),
                total: Some(total),
                ratio: Some(covered as f64 / total as f64),
                reason: None,
            },
        }
    }
}

/// Counted by the engine.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CoverageSummary {
    pub explicit_ac_count: usize,
    /// Criteria with a generated case.
    pub covered_ac_count: usize,
    /// Criteria without one that a gap or a case with a reason explains.
    pub gapped_ac_count: usize,
    pub case_count: usize,
    pub generated_count: usize,
    pub planned_count: usize,
    pub skipped_count: usize,
    pub unsupported_count: usize,
    pub ac_coverage_ratio: Option<f64>,
    /// Of all criteria.
    pub global: Metric,
    /// Of the criteria that no gap takes out of scope.
    pub in_scope: Metric,
    /// Gaps that belong to no criterion and no case of this manifest.
    pub cross_domain_gap_count: usize,
}

impl CaseManifest {
    pub fn coverage(&self) -> CoverageSummary {
        let explicit: BTreeSet<&str> = self.source_binding.requirement_ids.iter().map(String::as_str).collect();
        let with = |status: AutomationStatus| self.cases.iter().filter(move |case| case.automation_status == status);
        let generated = with(AutomationStatus::Generated).flat_map(|case| case.ac_ids.iter().map(String::as_str));
        let covered: BTreeSet<&str> = generated.filter(|ac| explicit.contains(ac)).collect();
        let of_gaps = self.evidence_gaps.iter().filter_map(|gap| gap.ac_id.as_deref());
        let without_test = [AutomationStatus::Skipped, AutomationStatus::Unsupported];
        let untested = self.cases.iter().filter(|case| without_test.contains(&case.automation_status));
        let of_cases = untested.flat_map(|case| case.ac_ids.iter().map(String::as_str));
        let gapped: BTreeSet<&str> = of_gaps.chain(of_cases).filter(|ac| explicit.contains(ac) && !covered.contains(ac)).collect();
        let elsewhere = self.evidence_gaps.iter().filter(|gap| gap.ac_id.is_none() && gap.case_id.is_none()).count();
        let global = Metric::of(covered.len(), explicit.len());
        CoverageSummary {
            explicit_ac_count: explicit.len(),
            covered_ac_count: covered.len(),
            gapped_ac_count: gapped.len(),
            case_count: self.cases.len(),
            generated_count: with(AutomationStatus::Generated).count(),
            planned_count: with(AutomationStatus::Planned).count(),
            skipped_count: with(AutomationStatus::Skipped).count(),
            unsupported_count: with(AutomationStatus::Unsupported).count(),
            ac_coverage_ratio: global.ratio,
            global,
            in_scope: Metric::of(covered.len(), explicit.len() - gapped.len()),
            cross_domain_gap_count: elsewhere,
        }
    }

    /// What is wrong with the manifest by itself, each with the case or criterion that it is about.
    pub fn contradictions(&self) -> Vec<(String, String)> {
        let mut wrong = Vec::new();
        let known: BTreeSet<&str> = self.source_binding.requirement_ids.iter().map(String::as_str).collect();
        let mut seen = BTreeSet::new();
        let mut told: BTreeSet<&str> = BTreeSet::new();
        if self.schema_version != 1 {
            wrong.push((String::new(), format!("schemaVersion is {}, not 1", self.schema_version)));
        }
        if self.cases.is_empty() {
            wrong.push((String::new(), "there is no case".to_owned()));
        }
        for case in &self.cases {
            let mut say = |what: &str| wrong.push((case.case_id.clone(), what.to_owned()));
            if !is_case_id(&case.case_id) {
                say("its id is not of the form BE-<MODULE>-<NUMBER>");
            }
            if !seen.insert(case.case_id.as_str()) {
                say("its id is taken twice");
            }
            if case.ac_ids.is_empty() {
                say("it belongs to no acceptance criterion");
            }
            for unknown in case.ac_ids.iter().filter(|ac| !known.contains(ac.as_str())) {
                say(&format!("there is no acceptance criterion {unknown}"));
            }
            let given = |text: &Option<String>| text.as_deref().is_some_and(|text| !text.trim().is_empty());
            match case.automation_status {
                AutomationStatus::Generated if !given(&case.file) || !given(&case.symbol) => {
                    say("it is generated, but names no file or no symbol");
                }
                AutomationStatus::Skipped | AutomationStatus::Unsupported if !given(&case.gap_reason) => {
                    say("it is not tested, and there is no reason");
                }
                _ => told.extend(case.ac_ids.iter().map(String::as_str)),
            }
        }
        for gap in &self.evidence_gaps {
            match (&gap.ac_id, &gap.case_id) {
                (Some(ac), _) if !known.contains(ac.as_str()) => {
                    wrong.push((ac.clone(), "a gap is about an acceptance criterion that is not there".to_owned()));
                }
                (_, Some(case)) if !seen.contains(case.as_str()) => {
                    wrong.push((case.clone(), "a gap is about a case that is not there".to_owned()));
                }
                _ => told.extend(gap.ac_id.as_deref()),
            }
        }
        let silent = known.iter().filter(|ac| !told.contains(*ac));
        wrong.extend(silent.map(|ac| ((*ac).to_owned(), "no case tests it, and no gap explains why".to_owned())));
        wrong
    }
}

fn is_case_id(id: &str) -> bool {
    let parts: Vec<&str> = id.split('-').collect();
    let is_module = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit());
    match parts.as_slice() {
        ["BE", modules @ .., number] => {
            !modules.is_empty()
                && modules.iter().all(|part| is_module(part))
                && number.len() >= 3
                && number.bytes().all(|byte| byte.is_ascii_digit())
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn case(id: &str, acs: &[&str], automation_status: AutomationStatus) -> Case {
        Case {
            case_id: id.to_owned(),
            ac_ids: acs.iter().map(|ac| (*ac).to_owned()).collect(),
            title: "a case".to_owned(),
            category: CaseCategory::Positive,
            automation_status,
            file: Some("tests/test_a.py".to_owned()),
            symbol: Some("test_a".to_owned()),
            gap_reason: None,
            endpoint_ref: None,
            rule_refs: None,
            evidence_ref: None,
        }
    }

    fn manifest(cases: Vec<Case>, acs: &[&str]) -> CaseManifest {
        let source_binding = SourceBinding {
            task_id: "T-1".to_owned(),
            requirement_path: "docs/a.md".to_owned(),
            requirement_sha256: "00".repeat(32),
            reference_paths: Vec::new(),
            requirement_ids: acs.iter().map(|ac| (*ac).to_owned()).collect(),
        };
        CaseManifest { schema_version: 1, source_binding, cases, evidence_gaps: Vec::new() }
    }

    fn wrong(manifest: &CaseManifest) -> Vec<String> {
        manifest.contradictions().into_iter().map(|(id, why)| format!("{id}: {why}")).collect()
    }

    #[test]
    fn what_is_covered_is_counted_from_the_cases() {
        let cases = vec![
            case("BE-SHOP-001", &["AC-1", "AC-2"], AutomationStatus::Generated),
            Case { gap_reason: Some("no clock".to_owned()), ..case("BE-SHOP-002", &["AC-3"], AutomationStatus::Skipped) },
        ];
        let manifest = manifest(cases, &["AC-1", "AC-2", "AC-3", "AC-4"]);
        let coverage = manifest.coverage();
        assert_eq!((coverage.explicit_ac_count, coverage.covered_ac_count, coverage.gapped_ac_count), (4, 2, 1));
        assert_eq!((coverage.ac_coverage_ratio, coverage.in_scope.total), (Some(0.5), Some(3)));
        assert_eq!(wrong(&manifest), ["AC-4: no case tests it, and no gap explains why"]);
    }

    #[test]
    fn without_criteria_the_ratio_is_unavailable_and_not_0() {
        let coverage = manifest(Vec::new(), &[]).coverage();
        assert_eq!((coverage.ac_coverage_ratio, coverage.global.status), (None, MetricStatus::Unavailable));
    }

    #[test]
    fn contradictions_are_named() {
        let twice = vec![
            case("BE-A-001", &["AC-1"], AutomationStatus::Generated),
            case("BE-A-001", &["AC-9"], AutomationStatus::Generated),
        ];
        let said = wrong(&manifest(twice, &["AC-1"]));
        assert_eq!(said, ["BE-A-001: its id is taken twice", "BE-A-001: there is no acceptance criterion AC-9"]);
        let silent = vec![case("be-1", &["AC-1"], AutomationStatus::Skipped)];
        let said = wrong(&manifest(silent, &["AC-1"]));
        assert!(
            said.iter().any(|why| why.contains("there is no reason")) && said.iter().any(|why| why.contains("not of the form")),
            "{said:?}"
        );
        assert!(said.iter().any(|why| why.starts_with("AC-1: no case tests it")), "{said:?}");
    }

    #[test]
    fn a_number_that_is_ours_to_compute_is_refused() {
        let text = serde_json::to_string(&manifest(Vec::new(), &[])).unwrap();
        let forged = text.replacen('{', r#"{"coverageSummary": {"acCoverageRatio": 1.0}, "#, 1);
        assert!(crate::contract::document::parse_from_agent::<CaseManifest>(&text).is_ok());
        assert!(crate::contract::document::parse_from_agent::<CaseManifest>(&forged).is_err());
    }
}
