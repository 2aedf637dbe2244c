//! `expected.toml`: what must come out, told beside the fixture, and held against a report.

use std::collections::BTreeMap;
use std::fs;

use serde::Deserialize;
use serde_json::Value;

use super::edit::Text;
use super::project::fixture;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Expected {
    /// The command that runs the whole suite in the project's folder.
    pub suite: String,
    /// The folder `target/<packages>` whose `node_modules` the project needs.
    pub packages: Option<String>,
    /// How many mutants of each verdict a run over the whole project gives; a verdict that is not named is not checked.
    #[serde(default)]
    pub counts: BTreeMap<String, usize>,
    #[serde(default)]
    pub mutant: Vec<ExpectedMutant>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExpectedMutant {
    /// `path:line:column`; the column, in characters, lies anywhere in what is replaced.
    pub at: String,
    /// `before → after`: as much text as a reader needs.
    pub change: String,
    pub verdict: Option<String>,
    /// A verdict that would be a lie, where more than one other is honest.
    pub never: Option<String>,
    /// The only test file that is run, where the suite as a whole says nothing.
    pub tests: Option<String>,
}

impl Expected {
    pub fn of(project: &str) -> Expected {
        let path = fixture(project).join("expected.toml");
        let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        toml::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    }

    /// A target for each line on which a chosen mutant stands: `path:line`, each once.
    pub fn targets(&self, chosen: impl Fn(&ExpectedMutant) -> bool) -> Vec<String> {
        let lines = self.mutant.iter().filter(|mutant| chosen(mutant)).map(|mutant| {
            let (path, line, _) = mutant.place();
            format!("{path}:{line}")
        });
        lines.collect::<std::collections::BTreeSet<_>>().into_iter().collect()
    }

    /// Everything in which the report (shared schema) disagrees, in words. Mutants of files that the report does not hold, and
    /// those for which `chosen` is false, are left out.
    pub fn disagreements(&self, report: &Value, chosen: impl Fn(&ExpectedMutant) -> bool) -> Vec<String> {
        let found = findings(report);
        let mutants = self.mutant.iter().filter(|mutant| chosen(mutant));
        let mut wrong: Vec<String> = mutants.filter_map(|mutant| mutant.disagreement(report, &found)).collect();
        for (verdict, expected) in &self.counts {
            let counted = found.iter().filter(|finding| finding.verdict == verdict).count();
            if counted != *expected {
                wrong.push(format!("{counted} mutants are {verdict:?}, expected {expected}"));
            }
        }
        wrong
    }
}

impl ExpectedMutant {
    /// Path, line and column.
    pub fn place(&self) -> (&str, usize, usize) {
        let mut parts = self.at.rsplitn(3, ':');
        let mut number = || parts.next().and_then(|part| part.parse().ok()).unwrap_or_else(|| panic!("at = {:?}", self.at));
        let (column, line) = (number(), number());
        (parts.next().unwrap_or_else(|| panic!("at = {:?}", self.at)), line, column)
    }

    /// The mutated text, the edit made by hand.
    pub fn applied_to(&self, text: &Text) -> Text {
        let (_, line, column) = self.place();
        text.changed(line, column, &self.change).unwrap_or_else(|| panic!("{}: `{}` cannot be made there", self.at, self.change))
    }

    fn disagreement(&self, report: &Value, found: &[Finding]) -> Option<String> {
        let (path, ..) = self.place();
        let source = report["files"].get(path)?["source"].as_str()?;
        let mutated = self.applied_to(&Text::of(source.as_bytes()));
        let told = |what: &str| Some(format!("{}  {}: {what}", self.at, self.change));
        let Some(finding) = found.iter().find(|finding| finding.path == path && finding.mutated == mutated) else {
            return told("there is no such mutant");
        };
        if self.never.as_deref() == Some(finding.verdict) {
            return told(&format!("must never be {:?}", finding.verdict));
        }
        match &self.verdict {
            Some(verdict) if verdict != finding.verdict => told(&format!("is {:?}, expected {verdict:?}", finding.verdict)),
            _ => None,
        }
    }
}

/// A mutant of a report. Two reports that make the same text mean the same mutant, wherever they say that the edit begins.
struct Finding<'a> {
    path: &'a str,
    mutated: Text,
    verdict: &'static str,
}

fn findings(report: &Value) -> Vec<Finding<'_>> {
    let files = report["files"].as_object().expect("a report has files");
    files.iter().flat_map(|(path, file)| findings_of(path, file)).collect()
}

fn findings_of<'a>(path: &'a str, file: &'a Value) -> Vec<Finding<'a>> {
    let text = Text::of(file["source"].as_str().expect("a file has its source").as_bytes());
    let mutants = file["mutants"].as_array().expect("a file has mutants").iter();
    mutants.map(|mutant| Finding { path, mutated: mutated(&text, mutant), verdict: verdict(&mutant["status"]) }).collect()
}

fn mutated(text: &Text, mutant: &Value) -> Text {
    let index = |end: &str| {
        let place = &mutant["location"][end];
        let number = |name: &str| place[name].as_u64().and_then(|number| usize::try_from(number).ok()).unwrap_or(0);
        text.index(number("line"), number("column"), char::len_utf16).unwrap_or_else(|| panic!("no such place: {mutant}"))
    };
    text.replaced(index("start"), index("end"), mutant["replacement"].as_str().expect("a mutant has a replacement"))
}

/// The glossary's word for a status of the shared schema.
fn verdict(status: &Value) -> &'static str {
    match status.as_str() {
        Some("Killed") => "killed",
        Some("Survived") => "survived",
        Some("Timeout") => "timed out",
        Some("NoCoverage") => "no coverage",
        Some("CompileError") => "invalid",
        Some("RuntimeError") => "inconclusive",
        Some("Ignored") => "ignored",
        _ => panic!("no status of a finished mutant: {status}"),
    }
}
