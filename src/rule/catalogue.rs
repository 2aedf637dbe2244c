//! All rules, and which of them are switched on.

use std::path::Path;

use include_dir::{Dir, include_dir};

use super::{Rule, Tier, parse};
use crate::error::{Error, Result};
use crate::language;
use crate::text::Digest;

static RULES: Dir = include_dir!("$CARGO_MANIFEST_DIR/mutation-rules");

/// The rules that are switched on, in the order of their ids.
#[derive(Clone, Debug)]
pub struct Catalogue {
    rules: Vec<Rule>,
    digest: Digest,
}

/// What the user wants of the catalogue.
#[derive(Clone, Debug, Default)]
pub struct Choice {
    pub tier: Option<Tier>,
    /// Ids or patterns such as `condition/*`; if any, only these.
    pub select: Vec<String>,
    pub ignore: Vec<String>,
    /// Switched on beside the tier.
    pub extend_select: Vec<String>,
}

impl Catalogue {
    /// Every rule that is built in, of all tiers.
    ///
    /// # Panics
    ///
    /// If a built-in rule file is malformed, which the tests exclude.
    pub fn built_in() -> Catalogue {
        let files = files_below(&RULES).into_iter().map(|(id, text)| (id, text.to_owned(), "built in".to_owned()));
        Catalogue::of(files.collect()).unwrap_or_else(|error| panic!("{error}"))
    }

    /// The built-in rules and the project's own, from its `mutation-rules/`.
    ///
    /// Fails if a rule file is malformed or takes the id of a built-in rule.
    pub fn with_project(folder: &Path) -> Result<Catalogue> {
        let mut files: Vec<(String, String, String)> =
            files_below(&RULES).into_iter().map(|(id, text)| (id, text.to_owned(), "built in".to_owned())).collect();
        for (id, text, place) in project_files(folder)? {
            if files.iter().any(|(known, ..)| *known == id) {
                return Err(Error::usage(format!("the project's rule `{id}` has the id of a built-in rule"))
                    .at(&place)
                    .mend("give the file another name"));
            }
            files.push((id, text, place));
        }
        files.sort();
        Catalogue::of(files)
    }

    fn of(files: Vec<(String, String, String)>) -> Result<Catalogue> {
        let rules: Vec<Rule> = files.iter().map(|(id, text, place)| parse::rule(id, text, place)).collect::<Result<_>>()?;
        for rule in &rules {
            if let Some(unknown) = rule.subsumed.iter().find(|subsumed| !rules.iter().any(|other| other.id == subsumed.by)) {
                return Err(Error::usage(format!("rule `{}` is subsumed by `{}`, which does not exist", rule.id, unknown.by)));
            }
        }
        let grammars = language::all().iter().flat_map(|language| [language.words.as_bytes(), language.nodes.as_bytes()]);
        let texts = files.iter().flat_map(|(id, text, _)| [id.as_bytes(), text.as_bytes()]);
        let digest = Digest::of_parts(grammars.chain(texts));
        Ok(Catalogue { rules, digest })
    }

    pub fn rules(&self) -> &[Rule] {
        &self.rules
    }

    /// Digest of every rule file and grammar that was read, whatever is switched on.
    pub fn digest(&self) -> Digest {
        self.digest
    }

    pub fn is_on(&self, id: &str) -> bool {
        self.rules.iter().any(|rule| rule.id == id)
    }

    /// The catalogue with only the rules that the test wants.
    pub fn choose(&self, wanted: impl Fn(&Rule) -> bool) -> Catalogue {
        Catalogue { rules: self.rules.iter().filter(|rule| wanted(rule)).cloned().collect(), digest: self.digest }
    }

    /// The catalogue with only the rules that the user wants. Fails if a name matches no rule.
    pub fn chosen(&self, choice: &Choice) -> Result<Catalogue> {
        for name in choice.select.iter().chain(&choice.ignore).chain(&choice.extend_select) {
            self.check_known(name)?;
        }
        let tier = choice.tier.unwrap_or(Tier::Default);
        let matches = |names: &[String], rule: &Rule| names.iter().any(|name| names_rule(name, &rule.id));
        Ok(self.choose(|rule| {
            let selected = if choice.select.is_empty() { rule.tier <= tier } else { matches(&choice.select, rule) };
            (selected || matches(&choice.extend_select, rule)) && !matches(&choice.ignore, rule)
        }))
    }

    fn check_known(&self, name: &str) -> Result<()> {
        if self.rules.iter().any(|rule| names_rule(name, &rule.id)) {
            return Ok(());
        }
        let nearest = self.rules.iter().min_by_key(|rule| strsim::damerau_levenshtein(&rule.id, name)).map_or("", |rule| &rule.id);
        Err(Error::usage(format!("no rule is called `{name}`"))
            .mend(format!("the nearest is `{nearest}`; see `mutate rules list`")))
    }
}

/// True if a name that people write (`condition/boundary`, `condition/*`, `condition`) means this rule.
pub fn names_rule(name: &str, id: &str) -> bool {
    let family = id.split('/').next().unwrap_or(id);
    name == id || name == family || name == "*" || name.strip_suffix("/*") == Some(family)
}

/// Ids and texts of the rule files in an embedded folder.
fn files_below(folder: &'static Dir) -> Vec<(String, &'static str)> {
    let mut found = Vec::new();
    let mut open = vec![folder];
    while let Some(folder) = open.pop() {
        open.extend(folder.dirs());
        for file in folder.files().filter(|file| file.path().extension().is_some_and(|extension| extension == "toml")) {
            let id = file.path().with_extension("").to_string_lossy().replace('\\', "/");
            found.push((id, file.contents_utf8().expect("rule files are UTF-8")));
        }
    }
    found.sort();
    found
}

/// Ids, texts and places of the rule files of a project.
fn project_files(folder: &Path) -> Result<Vec<(String, String, String)>> {
    let mut found = Vec::new();
    for entry in ignore::WalkBuilder::new(folder).standard_filters(false).follow_links(false).build() {
        let entry = entry.map_err(|error| Error::usage("the project's rules cannot be read").at(folder.display()).cause(error))?;
        let path = entry.path();
        if !entry.file_type().is_some_and(|kind| kind.is_file()) || path.extension().is_none_or(|extension| extension != "toml") {
            continue;
        }
        let text = std::fs::read_to_string(path)
            .map_err(|error| Error::usage("a rule file cannot be read").at(path.display()).cause(error))?;
        let relative = path.strip_prefix(folder).unwrap_or(path);
        let id = relative.with_extension("").to_string_lossy().into_owned();
        found.push((id, text, Path::new("mutation-rules").join(relative).display().to_string()));
    }
    found.sort();
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_family_names_all_its_rules() {
        assert!(names_rule("condition", "condition/boundary"));
        assert!(names_rule("condition/*", "condition/boundary"));
        assert!(!names_rule("cond", "condition/boundary"));
    }

    #[test]
    fn a_tier_holds_the_ones_before_it() {
        let all = Catalogue::built_in();
        let default = all.chosen(&Choice::default()).unwrap();
        let thorough = all.chosen(&Choice { tier: Some(Tier::Thorough), ..Choice::default() }).unwrap();
        assert!(default.rules().iter().all(|rule| thorough.is_on(&rule.id)));
        assert!(default.rules().len() < thorough.rules().len());
        assert!(thorough.rules().len() < all.rules().len());
    }

    #[test]
    fn a_rule_that_does_not_exist_is_answered_with_the_nearest() {
        let choice = Choice { ignore: vec!["condition/bondary".to_owned()], ..Choice::default() };
        let error = Catalogue::built_in().chosen(&choice).unwrap_err();
        assert!(error.mend.unwrap().contains("`condition/boundary`"));
    }
}
