//! The case files as data: `pitfalls.toml`, and `reports.md` whose `Check:` lines are read as they are written.

use mutate::rule::Tier;
use serde::Deserialize;

/// A tricky input and what must come out of it.
pub struct Case {
    pub id: String,
    pub language: String,
    pub source: Vec<u8>,
    /// What a naive engine does, and what is right: for the message of a check that fails.
    pub wrong: String,
    pub right: String,
    pub expected: Expected,
}

/// What can be checked by a machine.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Expected {
    /// The rules that are switched on; all if `None`.
    pub rules: Option<Vec<String>>,
    pub tiers: Option<Vec<Tier>>,
    /// Each of these texts is part of some mutant.
    pub has: Vec<String>,
    /// None of these is part of any mutant.
    pub no: Vec<String>,
    pub count: Option<usize>,
    /// No two mutants are the same text.
    pub unique: bool,
}

impl Expected {
    /// True if there is nothing here that a machine can check.
    pub fn is_empty(&self) -> bool {
        self.has.is_empty() && self.no.is_empty() && self.count.is_none() && !self.unique
    }
}

/// Every case of both files, of all languages.
pub fn all() -> Vec<Case> {
    let mut cases = pitfalls(include_str!("pitfalls.toml"));
    cases.extend(include_str!("reports.md").split("\n### ").skip(1).map(report));
    cases
}

#[derive(Deserialize)]
struct PitfallFile {
    case: Vec<Pitfall>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Pitfall {
    id: String,
    lang: String,
    group: String,
    src: String,
    wrong: String,
    right: String,
    rules: Option<Vec<String>>,
    tiers: Option<Vec<Tier>>,
    #[serde(default)]
    has: Vec<String>,
    #[serde(default)]
    no: Vec<String>,
    #[serde(default)]
    none: bool,
    count: Option<usize>,
    #[serde(default)]
    unique: bool,
    note: Option<String>,
}

fn pitfalls(text: &str) -> Vec<Case> {
    let file: PitfallFile = toml::from_str(text).expect("the case file is read as it is written");
    file.case.into_iter().map(Case::from).collect()
}

impl From<Pitfall> for Case {
    fn from(pitfall: Pitfall) -> Case {
        let source = match pitfall.note.as_deref() {
            Some("write the é as byte E9") => pitfall.src.replace(r"\xe9", "\u{e9}").chars().map(latin_1).collect(),
            _ => pitfall.src.into_bytes(),
        };
        let count = if pitfall.none { Some(0) } else { pitfall.count };
        let (rules, tiers, has, no, unique) = (pitfall.rules, pitfall.tiers, pitfall.has, pitfall.no, pitfall.unique);
        Case {
            id: pitfall.id,
            language: pitfall.lang,
            source,
            wrong: format!("{}: {}", pitfall.group, pitfall.wrong),
            right: pitfall.right,
            expected: Expected { rules, tiers, has, no, count, unique },
        }
    }
}

fn latin_1(char: char) -> u8 {
    u8::try_from(u32::from(char)).expect("the source is Latin-1")
}

/// One section of `reports.md`, without the `### ` before it.
fn report(section: &str) -> Case {
    let (_, code) = section.split_once("```").expect("a fenced source");
    let (language, code) = code.split_once('\n').expect("a language behind the fence");
    let (source, remarks) = code.split_once("```").expect("an end of the fence");
    let remark = |name: &str| remarks.lines().find_map(|line| line.strip_prefix(name)).map(str::trim);
    let language = match language {
        "js" => "javascript",
        "ts" => "typescript",
        other => other,
    };
    Case {
        id: section.split(' ').next().unwrap_or(section).to_owned(),
        language: language.to_owned(),
        source: source.as_bytes().to_vec(),
        wrong: remark("- Reported:").unwrap_or_default().to_owned(),
        right: remark("- Right:").unwrap_or_default().to_owned(),
        expected: remark("- Check:").map(check).unwrap_or_default(),
    }
}

/// Reads a line such as ``with rules `a`, `b`; exactly 2 mutants; some mutant contains each of `x`.``
///
/// # Panics
///
/// On a clause that it does not know: a check that nobody reads would pass for ever.
fn check(line: &str) -> Expected {
    let mut expected = Expected::default();
    for clause in clauses(line.trim_end_matches('.')) {
        let words = clause.split('`').next().unwrap_or_default().trim();
        match words {
            "with all rules" => expected.rules = None,
            "with rules" => expected.rules = Some(quoted(clause)),
            "no mutant" => expected.count = Some(0),
            "some mutant contains each of" => expected.has = quoted(clause),
            "no mutant contains" => expected.no = quoted(clause),
            _ => expected.count = Some(exactly(words).unwrap_or_else(|| panic!("unknown clause: {clause}"))),
        }
    }
    expected
}

/// The parts between semicolons that stand outside of backticks.
fn clauses(line: &str) -> Vec<&str> {
    let mut inside = false;
    let outer = |char: char| {
        inside ^= char == '`';
        char == ';' && !inside
    };
    line.split(outer).map(str::trim).collect()
}

fn exactly(words: &str) -> Option<usize> {
    let number = words.strip_prefix("exactly ")?;
    let number = number.strip_suffix(" mutants").or_else(|| number.strip_suffix(" mutant"))?;
    number.parse().ok()
}

/// The texts in backticks, with their line feeds put back.
fn quoted(clause: &str) -> Vec<String> {
    clause.split('`').skip(1).step_by(2).map(|text| text.replace('⏎', "\n")).collect()
}

#[test]
fn a_check_line_is_read_clause_by_clause() {
    let line =
        "with rules `a/b`, `c`; exactly 3 mutants; some mutant contains each of `{ x; } y`, `p, q⏎r`; no mutant contains `z`.";
    let expected = check(line);
    assert_eq!(expected.rules, Some(vec!["a/b".to_owned(), "c".to_owned()]));
    assert_eq!(expected.count, Some(3));
    assert_eq!(expected.has, ["{ x; } y", "p, q\nr"]);
    assert_eq!(expected.no, ["z"]);
}

#[test]
#[should_panic(expected = "unknown clause: about 3 mutants")]
fn a_clause_that_nobody_reads_is_an_error() {
    check("with all rules; about 3 mutants.");
}
