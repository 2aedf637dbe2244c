//! The mutants that are most worth an agent's attention, and what a skeptic has to know to think of better ones.
//!
//! Pure, and no test is run: what tests are known comes from the last kept run, as long as the file is the one that it has seen. What
//! was killed there is not offered again; what survived comes first.

use std::collections::{BTreeMap, HashMap, HashSet};

use schemars::JsonSchema;
use serde::Serialize;

use super::given::{KINDS, Location, NOT_APPLICABLE, SCHEMA_VERSION};
use crate::analysis::Kind;
use crate::execute::outcome::Measured;
use crate::language::Tree;
use crate::language::vocabulary as v;
use crate::mutant::{Mutant, MutantId};
use crate::pipeline::Discovery;
use crate::plan;
use crate::report::{Report, single, words};
use crate::source::Source;
use crate::source::scope::{Scope, Scopes};
use crate::suite::TestId;
use crate::text::{ProjectPath, Span, sha256};

/// What the document calls itself.
pub const KIND: &str = "mutation-offer";

#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Offer {
    pub schema_version: &'static str,
    pub kind: &'static str,
    /// The functions of the offered mutants.
    pub targets: Vec<TargetFunction>,
    /// Best first; each can be handed to `mutate verify` as it is, once it names the test that is expected to catch it.
    pub proposals: Vec<Offered>,
    /// All mutants of the targets.
    pub total: usize,
    /// Those that were measured and need no attention.
    pub caught: usize,
    /// What there was no room for, and mutants outside of any function.
    pub omitted: Omitted,
    /// Where the tests come from: `last-run`, or `none`.
    pub coverage: &'static str,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Omitted {
    pub targets: usize,
    pub proposals: usize,
}

/// What a skeptic needs to know of a function.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TargetFunction {
    pub target_function: String,
    pub file: String,
    pub signature: String,
    pub source_snippet: String,
    pub covering_tests: Vec<Test>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Test {
    pub test_file: String,
    pub test_name: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Offered {
    pub proposal_id: String,
    pub target_function: String,
    pub file: String,
    pub source_hash: String,
    pub mutation_kind: String,
    pub mutation_description: String,
    pub original: String,
    pub replacement: String,
    pub location: Location,
    /// The test that reaches it and little else; absent where none is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected_catcher_test: Option<Test>,
    pub rationale: String,
}

/// So many functions are described, as the workflow takes them.
const MOST_TARGETS: usize = 8;
/// So many tests are named for one function.
const MOST_TESTS: usize = 10;
const LONGEST_SIGNATURE: usize = 200;
const LONGEST_SNIPPET: usize = 2400;
const LONGEST_TEXT: usize = 400;

/// At most `limit` mutants. `last` is the last kept run of the project.
pub fn offer(discovery: &Discovery, last: Option<&Report>, limit: usize) -> Offer {
    let known = Known::of(discovery, last);
    let ranked = known.ranked(&discovery.mutants);
    let in_functions: Vec<Described> = ranked.iter().filter_map(|mutant| known.described(mutant)).collect();
    let offered = &in_functions[..in_functions.len().min(limit)];
    let mut targets: Vec<TargetFunction> = Vec::new();
    for described in offered {
        let is_it =
            |target: &TargetFunction| target.file == described.offered.file && target.target_function == described.scope.name;
        if !targets.iter().any(is_it) {
            targets.push(known.target(described));
        }
    }
    let omitted = Omitted { targets: targets.len().saturating_sub(MOST_TARGETS), proposals: ranked.len() - offered.len() };
    targets.truncate(MOST_TARGETS);
    Offer {
        schema_version: SCHEMA_VERSION,
        kind: KIND,
        targets,
        proposals: offered.iter().map(|described| described.offered.clone()).collect(),
        total: discovery.mutants.len(),
        caught: known.caught(&discovery.mutants),
        omitted,
        coverage: if known.measured.is_empty() { "none" } else { "last-run" },
    }
}

/// A mutant in its function.
struct Described<'k> {
    source: &'k Source,
    scope: &'k Scope,
    body: Option<Span>,
    offered: Offered,
}

/// A file as the parser sees it.
struct Parsed<'k> {
    source: &'k Source,
    tree: Tree,
    scopes: Scopes,
}

/// What is known of files and mutants.
struct Known<'k> {
    files: BTreeMap<&'k ProjectPath, Parsed<'k>>,
    measured: HashMap<MutantId, &'k Measured>,
}

impl<'k> Known<'k> {
    fn of(discovery: &'k Discovery, last: Option<&'k Report>) -> Known<'k> {
        let parsed = |source: &'k Source| {
            let tree = Tree::parse(source.language, &source.text);
            let scopes = Scopes::of(source, &tree);
            (&source.path, Parsed { source, tree, scopes })
        };
        let files: BTreeMap<_, _> = discovery.sources.iter().map(parsed).collect();
        let is_same = |report: &Report, path: &ProjectPath| {
            let seen = report.file(path).map(|file| &file.text);
            seen.is_some() && seen == files.get(path).map(|parsed| &parsed.source.text)
        };
        let of_last = last.into_iter().flat_map(|report| report.mutants.iter().map(move |measured| (report, measured)));
        let measured = of_last.filter(|(report, measured)| is_same(report, &measured.mutant.path));
        let measured = measured.map(|(_, measured)| (measured.mutant.id, measured)).collect();
        Known { files, measured }
    }

    fn kind(&self, mutant: &Mutant) -> Option<Kind> {
        self.measured.get(&mutant.id).map(|measured| Kind::of(&measured.verdict))
    }

    fn caught(&self, mutants: &[Mutant]) -> usize {
        let needs_none = |mutant: &&Mutant| matches!(self.kind(mutant), Some(Kind::Killed | Kind::TimedOut | Kind::Invalid));
        mutants.iter().filter(needs_none).count()
    }

    /// Survivors, what no test reaches, then what was not measured; of each the most telling of every function first.
    fn ranked<'m>(&self, mutants: &'m [Mutant]) -> Vec<&'m Mutant> {
        let rank = |mutant: &Mutant| match self.kind(mutant) {
            Some(Kind::Survived) => Some(0),
            Some(Kind::NoCoverage) => Some(1),
            None | Some(Kind::Ignored | Kind::Inconclusive) => Some(2),
            Some(Kind::Killed | Kind::TimedOut | Kind::Invalid) => None,
        };
        let mut ranked: Vec<(usize, &Mutant)> = Vec::new();
        let worth_it = mutants.iter().filter(|mutant| mutant.ignored.is_none());
        ranked.extend(worth_it.filter_map(|mutant| Some((rank(mutant)?, mutant))));
        ranked.sort_by_key(|(rank, mutant)| (*rank, &mutant.path, &mutant.scope, plan::weight(mutant)));
        let mut seen: HashMap<(usize, &ProjectPath, &str), usize> = HashMap::new();
        let in_rounds = ranked.into_iter().map(|(rank, mutant)| {
            let round = seen.entry((rank, &mutant.path, mutant.scope.as_str())).or_default();
            *round += 1;
            (rank, *round, mutant)
        });
        let mut in_rounds: Vec<(usize, usize, &Mutant)> = in_rounds.collect();
        in_rounds.sort_by_key(|(rank, round, mutant)| (*rank, *round, &mutant.path, mutant.edit.span));
        in_rounds.into_iter().map(|(.., mutant)| mutant).collect()
    }

    /// `None` for what stands in no function, or is no text.
    fn described(&self, mutant: &Mutant) -> Option<Described<'_>> {
        let Parsed { source, tree, scopes } = self.files.get(&mutant.path)?;
        let scope = scopes.all().iter().find(|scope| scope.is_function && scope.name == mutant.scope)?;
        let (original, replacement) = (text(&mutant.original)?, text(&mutant.edit.replacement)?);
        let measured = self.measured.get(&mutant.id);
        let test = measured.and_then(|measured| measured.covered_by.first()).map(named);
        let offered = Offered {
            proposal_id: mutant.id.to_string(),
            target_function: mutant.scope.clone(),
            file: mutant.path.to_string(),
            source_hash: sha256::of(&source.text),
            mutation_kind: contract_kind(mutant),
            mutation_description: format!("line {}: {}", mutant.position.line, single::change(mutant)),
            original,
            replacement,
            location: super::execution::location(source, mutant.edit.span),
            expected_catcher_test: test,
            rationale: rationale(mutant, measured.copied()),
        };
        let body = tree.part(scope.at, v::FUNCTION, v::FUNCTION_BODY).map(|at| tree.span(at));
        Some(Described { source, scope, body, offered })
    }

    fn target(&self, described: &Described) -> TargetFunction {
        let Described { source, scope, body, offered } = described;
        let end = body.map_or(scope.span.end, |body| body.start).max(scope.span.start);
        let signature = String::from_utf8_lossy(&source.text[scope.span.start..end]);
        let signature = signature.split_whitespace().collect::<Vec<_>>().join(" ");
        let in_function = |measured: &&&Measured| measured.mutant.path == source.path && measured.mutant.scope == scope.name;
        let mut covering: Vec<&Measured> = self.measured.values().filter(in_function).copied().collect();
        covering.sort_by_key(|measured| measured.mutant.edit.span);
        let mut seen = HashSet::new();
        let tests = covering.iter().flat_map(|measured| &measured.covered_by).filter(|test| seen.insert(*test));
        TargetFunction {
            target_function: scope.name.clone(),
            file: offered.file.clone(),
            signature: words::cut(&signature, LONGEST_SIGNATURE),
            source_snippet: words::cut(&String::from_utf8_lossy(&source.text[scope.span.range()]), LONGEST_SNIPPET),
            covering_tests: tests.take(MOST_TESTS).map(named).collect(),
        }
    }
}

fn text(bytes: &[u8]) -> Option<String> {
    std::str::from_utf8(bytes).ok().filter(|text| text.len() <= LONGEST_TEXT).map(str::to_owned)
}

/// File and name, as a proposal would name it.
fn named(test: &TestId) -> Test {
    let id = test.as_str();
    let name = id.strip_prefix(test.file()).map_or(id, |name| name.trim_start_matches([':', '.']));
    Test { test_file: test.file().to_owned(), test_name: name.to_owned() }
}

/// For a rule that the contract has no word for, its own name.
fn contract_kind(mutant: &Mutant) -> String {
    match mutant.kind.as_str() {
        kind if kind != NOT_APPLICABLE && KINDS.contains(&kind) => kind.to_owned(),
        _ => format!("x-{}", mutant.rule.replace('/', "-")),
    }
}

/// One sentence.
fn rationale(mutant: &Mutant, measured: Option<&Measured>) -> String {
    let hint = &mutant.hint;
    match measured.map(|measured| (Kind::of(&measured.verdict), measured.covered_by.len())) {
        Some((Kind::Survived, tests)) => format!("{} ran it and did not notice: {hint}", words::counted(tests, "test")),
        Some((Kind::NoCoverage, _)) => format!("no test reaches it: {hint}"),
        _ => format!("not measured yet: {hint}"),
    }
}
