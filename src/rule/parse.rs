//! Reads one rule file.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::guard::Guard;
use super::template::Template;
use super::{Action, Example, Rule, Subsumed, Tier};
use crate::error::{Error, Result};
use crate::language::vocabulary::{self, Role};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RuleFile {
    summary: String,
    kind: String,
    mutator: String,
    tier: Tier,
    capture: OneOrMany,
    swap: Option<BTreeMap<String, Vec<String>>>,
    replace: Option<Vec<String>>,
    #[serde(default)]
    guards: Vec<String>,
    #[serde(default)]
    subsumed: Vec<SubsumedFile>,
    hint: String,
    #[serde(default)]
    example: Vec<Example>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum OneOrMany {
    One(String),
    Many(Vec<String>),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SubsumedFile {
    by: String,
    when: String,
}

/// A rule from the text of its file. `place` names the file in errors.
pub fn rule(id: &str, text: &str, place: &str) -> Result<Rule> {
    let mend = "correct the file; `mutate rules show condition/boundary` shows a rule that works";
    let fail = |what: String| Error::usage(format!("rule `{id}` cannot be used: {what}")).at(place).mend(mend);
    let file: RuleFile =
        toml::from_str(text).map_err(|error| fail(error.message().to_owned()).at(located(place, text, error.span())))?;
    let captures = match file.capture {
        OneOrMany::One(name) => vec![name],
        OneOrMany::Many(names) => names,
    };
    Ok(Rule {
        id: id.to_owned(),
        summary: file.summary,
        kind: file.kind,
        mutator: file.mutator,
        tier: file.tier,
        captures: captures.iter().map(|name| role(name).map_err(&fail)).collect::<Result<_>>()?,
        action: action(file.swap, file.replace).map_err(&fail)?,
        guards: file.guards.iter().map(|name| Guard::named(name).map_err(&fail)).collect::<Result<_>>()?,
        subsumed: file.subsumed.into_iter().map(|entry| subsumed(entry).map_err(&fail)).collect::<Result<_>>()?,
        hint: file.hint,
        examples: file.example,
    })
}

fn action(swap: Option<BTreeMap<String, Vec<String>>>, replace: Option<Vec<String>>) -> Result<Action, String> {
    let table = |(from, others): (String, Vec<String>)| templates(&others).map(|others| (from, others));
    let swap = swap.map(|swap| swap.into_iter().map(table).collect::<Result<_, _>>()).transpose()?;
    let replace = replace.map(|texts| templates(&texts)).transpose()?;
    match (swap, replace) {
        (Some(swap), None) => Ok(Action::Swap(swap)),
        (None, Some(replace)) => Ok(Action::Replace(replace)),
        (Some(swap), Some(replace)) => Ok(Action::SwapOrReplace(swap, replace)),
        (None, None) => Err("it needs `swap` or `replace`".to_owned()),
    }
}

fn templates(texts: &[String]) -> Result<Vec<Template>, String> {
    texts.iter().map(|text| Template::parse(text).map_err(|word| format!("unknown template word {word}"))).collect()
}

fn subsumed(entry: SubsumedFile) -> Result<Subsumed, String> {
    Ok(Subsumed { by: entry.by, when: Guard::named(&entry.when)? })
}

fn role(name: &str) -> Result<Role, String> {
    Role::named(name).filter(|role| vocabulary::WORDS.contains(&role.name())).ok_or_else(|| {
        let nearest = vocabulary::WORDS.iter().min_by_key(|word| strsim::damerau_levenshtein(word, name)).unwrap_or(&"");
        format!("unknown capture `{name}`; the nearest is `{nearest}`")
    })
}

fn located(place: &str, text: &str, span: Option<std::ops::Range<usize>>) -> String {
    match span {
        Some(span) => format!("{place}:{}", text[..span.start].matches('\n').count() + 1),
        None => place.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str =
        "summary = 's'\nkind = 'k'\nmutator = 'M'\ntier = 'all'\ncapture = 'not'\nreplace = ['{operand}']\nhint = 'h'\n";

    #[test]
    fn a_slip_in_a_rule_file_is_named_with_its_line() {
        let error = rule("my/rule", &GOOD.replace("hint", "hnit"), "rules/my/rule.toml").unwrap_err();
        assert!(error.what.contains("unknown field `hnit`"), "{error}");
        assert_eq!(error.place.as_deref(), Some("rules/my/rule.toml:7"));
    }

    #[test]
    fn an_unknown_capture_is_answered_with_the_nearest() {
        let error = rule("my/rule", &GOOD.replace("'not'", "'comparison.oder'"), "f").unwrap_err();
        assert!(error.what.contains("the nearest is `comparison.order`"), "{error}");
    }

    #[test]
    fn a_rule_needs_an_action() {
        assert!(rule("my/rule", &GOOD.replace("replace = ['{operand}']\n", ""), "f").is_err());
        assert!(rule("my/rule", GOOD, "f").is_ok());
    }
}
