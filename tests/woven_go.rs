//! Files with probes are programs: Go's own compiler accepts what is woven into its standard library.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use mutate::language;
use mutate::mutant::discover::discover;
use mutate::mutant::probe::weave;
use mutate::mutant::schemata;
use mutate::rule::Catalogue;
use mutate::source::{ProjectPath, Source};
use serde::Deserialize;

const PACKAGES: &[&str] = &[
    "bufio",
    "container/heap",
    "container/list",
    "container/ring",
    "encoding/csv",
    "mime",
    "net/url",
    "path",
    "sort",
    "strings",
    "text/tabwriter",
];

/// What the runner's helper gives to each package.
const HELPER: &str = "func _mu_(n int) bool { return n < 0 }\n";

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Package {
    name: String,
    dir: PathBuf,
    go_files: Vec<String>,
}

#[test]
fn woven_packages_of_the_standard_library_are_compiled() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut replaced = BTreeMap::new();
    let (mut places, mut with_probe) = (0, 0);
    for package in packages() {
        for file in &package.go_files {
            let path = package.dir.join(file);
            let source = source(&path);
            let mutants = discover(&source, &Catalogue::built_in()).expect("no ignored region").mutants;
            let woven = weave(&source, mutants.iter().map(|mutant| mutant.place), 1);
            let in_functions: Vec<_> = mutants.iter().filter(|mutant| !mutant.scope.is_empty()).collect();
            places += in_functions.len();
            with_probe += in_functions.iter().filter(|mutant| woven.probes.contains_key(&mutant.place)).count();
            replaced.insert(path, put(folder.path(), replaced.len(), &woven.text(None)));
        }
        let helper = format!("package {}\n\n{HELPER}", package.name);
        replaced.insert(package.dir.join("mutate_helper.go"), put(folder.path(), replaced.len(), helper.as_bytes()));
    }
    let overlay = folder.path().join("overlay.json");
    std::fs::write(&overlay, serde_json::json!({ "Replace": replaced }).to_string()).expect("the overlay");
    let output = go().args(["build", "-gcflags=-e", "-overlay"]).arg(&overlay).args(PACKAGES).output().expect("go starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(with_probe > 2_000, "{with_probe} of {places} places");
    assert!(places - with_probe <= places / 100, "only {with_probe} of {places} places in functions have a probe");
}

fn woven(body: &str) -> String {
    let text = format!("package m\n\nfunc f(a, b, c int, x, y bool) {{\n{body}\n}}\n");
    let path = ProjectPath::new(Path::new("file.go")).expect("a path in the project");
    let source = Source { path, language: language::by_name("go").expect("Go is known"), text: text.into_bytes() };
    let rules = Catalogue::built_in().choose(|rule| rule.id != "statement/function-body");
    let mutants = discover(&source, &rules).expect("no ignored region").mutants;
    let woven = weave(&source, mutants.iter().map(|mutant| mutant.place), 1);
    let text = String::from_utf8(woven.text(None)).expect("UTF-8");
    text.lines().skip(3).collect::<Vec<_>>().join("\n").strip_suffix("\n}").expect("the end of f").to_owned()
}

#[test]
fn a_probe_stands_before_the_statement_and_round_what_is_not_always_run_with_it() {
    assert_eq!(woven("g(a + b)"), "_mu_(1);g(a + b)");
    assert_eq!(woven("z := x && a < b"), "_mu_(1);z := x && (_mu_(2) && false || bool(a < b))");
    assert_eq!(woven("t.n += a * b"), "_mu_(1);t.n += a * b");
}

#[test]
fn a_condition_has_a_probe_of_its_own() {
    assert_eq!(
        woven("if x {\n} else if a == b {\n}"),
        "if (_mu_(1) && false || bool(x)) {\n} else if (_mu_(2) && false || bool(a == b)) {\n}"
    );
    assert_eq!(woven("for i := a + b; i < c; i++ {\n}"), "_mu_(1);for i := a + b; (_mu_(2) && false || bool(i < c)); i++ {\n}");
    assert_eq!(woven("switch {\ncase a == b:\n}"), "switch {\ncase (_mu_(1) && false || bool(a == b)):\n}");
}

#[test]
fn what_stands_in_the_head_of_a_statement_is_probed_before_it() {
    assert_eq!(woven("switch z := a + b; z {\ncase a - b:\n}"), "_mu_(1);switch z := a + b; z {\ncase a - b:\n}");
    assert_eq!(woven("defer g(a + b)"), "_mu_(1);defer g(a + b)");
    assert_eq!(woven("h(func() {\ng(a + b)\n})"), "_mu_(1);h(func() {\n_mu_(2);g(a + b)\n})");
}

#[test]
fn a_jump_to_a_label_does_not_pass_by_a_probe() {
    assert_eq!(woven("g(c)\nagain:\n\tg(a + b)\ngoto again"), "_mu_(1);g(c)\nagain:\n\tg(a + b)\ngoto again");
    assert_eq!(woven("g(c)\nloop:\nfor {\ng(a)\nbreak loop\n}"), "_mu_(1);g(c)\nloop:\nfor {\n_mu_(2);g(a)\nbreak loop\n}");
}

#[test]
fn the_body_of_a_function_is_reached_with_its_first_statement() {
    let text = "package m\n\nfunc f() {\n\t// First.\n\tif x {\n\t}\n\tg()\n}\n";
    let path = ProjectPath::new(Path::new("file.go")).expect("a path in the project");
    let source = Source { path, language: language::by_name("go").expect("Go is known"), text: text.into() };
    let rules = Catalogue::built_in().choose(|rule| rule.id == "statement/function-body");
    let mutants = discover(&source, &rules).expect("no ignored region").mutants;
    let woven = weave(&source, mutants.iter().map(|mutant| mutant.place), 1).text(None);
    assert_eq!(String::from_utf8(woven).expect("UTF-8"), text.replace("if x", "_mu_(1);if x"));
}

fn go() -> Command {
    let mut command = Command::new("go");
    command.env("GOFLAGS", "");
    command
}

fn packages() -> Vec<Package> {
    let output = go().args(["list", "-json=Name,Dir,GoFiles"]).args(PACKAGES).output().expect("go is needed by the tests");
    let found = serde_json::Deserializer::from_slice(&output.stdout).into_iter::<Package>();
    found.map(|package| package.expect("a package")).collect()
}

fn source(path: &Path) -> Source {
    let name = ProjectPath::new(Path::new("file.go")).expect("a path in the project");
    let text = std::fs::read(path).expect("a file of the standard library");
    Source { path: name, language: language::by_name("go").expect("Go is known"), text }
}

fn put(folder: &Path, number: usize, text: &[u8]) -> PathBuf {
    let path = folder.join(format!("{number}.go"));
    std::fs::write(&path, text).expect("a file for the overlay");
    path
}

/// The file with every mutant as a function of its own, and with all of them behind a switch.
fn switched(text: &str) -> (String, String) {
    let path = ProjectPath::new(Path::new("file.go")).expect("a path in the project");
    let source = Source { path, language: language::by_name("go").expect("Go is known"), text: text.into() };
    let rules = Catalogue::built_in().choose(|rule| rule.id == "condition/boundary");
    let mutants = discover(&source, &rules).expect("no ignored region").mutants;
    let numbered: Vec<_> = mutants.iter().zip(1..).map(|(mutant, id)| (id, mutant)).collect();
    let schemata = schemata::weave(&source, &numbered, &mut 100);
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    (text(schemata.to_check(&BTreeSet::new())), text(schemata.text(0, &BTreeSet::new())))
}

#[test]
fn a_switch_holds_copies_of_the_body_and_leaves_the_body_where_it_was() {
    let (check, woven) = switched("package m\n\nfunc f(a int) {\n\tfor a < 3 {\n\t\tg()\n\t}\n}\n");
    assert_eq!(
        woven,
        "package m\n\nfunc f(a int) {switch _mu_active {\
         case 1:_mu_round();/*line :3:16*/\n\tfor a <= 3 {_mu_round();\n\t\tg()\n\t}\n\n;return\n\
         case 100:_mu_round();/*line :3:16*/\n\tfor a < 3 {_mu_round();\n\t\tg()\n\t}\n\n;return\n\
         };/*line :3:16*/\n\tfor a < 3 {\n\t\tg()\n\t}\n}\n"
    );
    assert!(check.ends_with("\n/*line _mu_1_.go:3:1*/func _mu_1_(a int) {\n\tfor a <= 3 {\n\t\tg()\n\t}\n}\n"), "{check}");
}

#[test]
fn labels_have_a_name_of_their_own_in_every_copy() {
    let (_, woven) =
        switched("package m\n\nfunc f(a int) int {\nout:\n\tfor {\n\t\tif a < 3 {\n\t\t\tbreak out\n\t\t}\n\t}\n\treturn a\n}\n");
    assert!(woven.contains("\nout_mu_1_:\n\tfor {_mu_round();\n\t\tif a <= 3 {\n\t\t\tbreak out_mu_1_\n"), "{woven}");
    assert!(woven.contains("\nout:\n\tfor {\n\t\tif a < 3 {\n\t\t\tbreak out\n"), "{woven}");
    assert!(!woven.contains(";return"), "{woven}");
}

#[test]
fn files_and_functions_with_directives_have_no_switch() {
    for text in [
        "package m\n\n//go:nosplit\nfunc f(a int) bool { return a < 3 }\n",
        "package m\n\nimport \"C\"\n\nfunc f(a int) bool { return a < 3 }\n",
        "package m\n\nfunc f(a int) bool {\n//line other.go:1\nreturn a < 3 }\n",
        "package m\n\nvar b = 1 < 3\n",
    ] {
        assert_eq!(switched(text).1, text);
    }
}
