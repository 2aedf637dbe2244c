//! A suggested assertion becomes a test of its own beside the test that was expected to catch the mutant.
//!
//! It exists in scratch trees only. It has what the test file has in front of it, so that the assertion may use its names. Where a
//! framework learns its tests when it runs, it stands in a new file; where a compiler has them all, it stands in for the expected test.

use std::path::Path;

use super::given::{Assertion, Proposal, Suggested};
use super::place;
use crate::execute::added::AddedTest;
use crate::language::vocabulary as v;
use crate::language::{self, Language, Tree};
use crate::source::Source;
use crate::source::scope::Scopes;
use crate::suite::NamedTest;
use crate::text::ProjectPath;

/// The test for the assertion of a proposal, if it has one; `number` tells it from others. An error says why it cannot be run.
pub fn test(root: &Path, proposal: &Proposal, number: usize) -> Option<Result<AddedTest, String>> {
    let assertion = match proposal.suggested_assertion.as_ref()? {
        Suggested::Code(assertion) => assertion.clone(),
        Suggested::Text(code) => Assertion { code: code.clone(), imports: Vec::new() },
    };
    let is_text = matches!(proposal.suggested_assertion, Some(Suggested::Text(_)));
    let expected = &proposal.expected_catcher_test;
    Some(TestFile::open(root, &expected.test_file).and_then(|file| {
        file.check(&assertion.code, is_text)?;
        file.with(number, root, &expected.test_name, &assertion)
    }))
}

/// The file that the assertion stands beside.
struct TestFile {
    path: ProjectPath,
    language: &'static Language,
    text: String,
}

impl TestFile {
    fn open(root: &Path, name: &str) -> Result<TestFile, String> {
        let path = ProjectPath::new(Path::new(name)).ok_or("the test file is no path inside of the project")?;
        let full = path.under(root);
        let is_itself = full.canonicalize().is_ok_and(|real| real == full);
        if !is_itself || !full.is_file() {
            return Err("there is no such test file, or it stands behind a link".to_owned());
        }
        let language = language::by_path(&full).ok_or("the test file is in no language that is known")?;
        let text = std::fs::read_to_string(&full).map_err(|cause| format!("the test file cannot be read: {cause}"))?;
        Ok(TestFile { path, language, text })
    }

    fn with(
        &self,
        number: usize,
        root: &Path,
        expected: &str,
        Assertion { code, imports }: &Assertion,
    ) -> Result<AddedTest, String> {
        let (folder, name) = self.path.as_str().rsplit_once('/').unwrap_or(("", self.path.as_str()));
        let (stem, ending) = name.split_once('.').unwrap_or((name, ""));
        let (file, test, text) = match self.language.name() {
            "python" if name.starts_with("test") => {
                (format!("{stem}_mutate{number}.{ending}"), "MutateSuggested.test_it", self.python(code, imports))
            }
            "python" => (format!("mutate{number}_{name}"), "MutateSuggested.test_it", self.python(code, imports)),
            "ruby" => (format!("mutate{number}_{name}"), "holds", self.ruby(code, imports, number)),
            "go" => (name.to_owned(), expected, self.in_place_of(expected, code, imports, "if true")?),
            "java" => (name.to_owned(), expected, self.in_place_of(expected, code, imports, "if (true)")?),
            _ => (format!("mutate{number}-{name}"), "mutate suggested", self.javascript(code, imports)),
        };
        let path = ProjectPath::new(&Path::new(folder).join(file)).ok_or("no name for the test")?;
        let is_taken = path != self.path && path.under(root).symlink_metadata().is_ok();
        let named = NamedTest { file: path.to_string(), name: test.to_owned() };
        if is_taken {
            Err(format!("there is a file {path} already"))
        } else {
            Ok(AddedTest { named, path, text: text.into_bytes() })
        }
    }

    /// A text that is no program is a sentence. What a language does not allow outside of a function is looked at inside of one.
    fn check(&self, code: &str, one_statement: bool) -> Result<(), String> {
        let (head, tail) = match self.language.name() {
            "go" => ("package p\nfunc f() {\n", "\n}\n"),
            "java" => ("class A { void f() {\n", "\n} }\n"),
            _ => ("", "\n"),
        };
        let text = [head, code, tail].concat();
        let tree = Tree::parse(self.language, text.as_bytes());
        let statements = || match head {
            "" => tree.named_children(tree.root()).filter(|at| !tree.is(*at, v::COMMENT)).count(),
            // A line that ends a statement, of which a plain text may have one.
            _ => code.trim().trim_end_matches(';').split([';', '\n']).count(),
        };
        if code.trim().is_empty() || tree.all().any(|at| tree.is_broken(at)) {
            return Err("the assertion does not parse".to_owned());
        }
        let is_prose = one_statement && (statements() != 1 || !code.contains(['(', '=', '<', '>']));
        if is_prose { Err("the assertion is no single statement".to_owned()) } else { Ok(()) }
    }

    fn python(&self, code: &str, imports: &[String]) -> String {
        let body: Vec<String> =
            imports.iter().map(String::as_str).chain(code.lines()).map(|line| format!("        {line}")).collect();
        let head = "class MutateSuggested(__import__(\"unittest\").TestCase):\n    def test_it(self):\n";
        format!("{}\n\n\n{head}{}\n", self.text, body.join("\n"))
    }

    /// Imports are seen all over a module, wherever they stand.
    fn javascript(&self, code: &str, imports: &[String]) -> String {
        let (modules, others): (Vec<&String>, Vec<&String>) =
            imports.iter().partition(|line| line.trim_start().starts_with("import"));
        let lines = |lines: &[&String]| lines.iter().map(|line| format!("{line}\n")).collect::<String>();
        let word = if self.text.contains("test(") { "test" } else { "it" };
        let (modules, others) = (lines(&modules), lines(&others));
        format!("{}\n{modules};{word}(\"mutate suggested\", async () => {{\n{others}{code}\n}});\n", self.text)
    }

    /// The test file with the assertion first in the body of the expected test, and the end of that test behind it. The rest of the body
    /// stays, so that whatever it uses is used.
    fn in_place_of(&self, test: &str, code: &str, imports: &[String], always: &str) -> Result<String, String> {
        let source = Source { path: self.path.clone(), language: self.language, text: self.text.clone().into_bytes() };
        let tree = Tree::parse(self.language, &source.text);
        let scopes = Scopes::of(&source, &tree);
        let function = place::function(&source, &tree, &scopes, test).map_err(|refusal| refusal.detail)?;
        let body = tree.part(function.at, v::FUNCTION, v::FUNCTION_BODY).map(|at| tree.span(at));
        let body = body.filter(|body| self.text[body.range()].starts_with('{')).ok_or("the expected test has no body")?;
        let package = self.text.lines().find(|line| line.starts_with("package ")).ok_or("the test file is in no package")?;
        let after_package = self.text.find(package).unwrap_or_default() + package.len();
        let (head, rest) = self.text.split_at(after_package);
        let (before, after) = rest.split_at(body.start + 1 - after_package);
        let imports = self.new_imports(imports);
        let separator = if package.ends_with(';') || imports.is_empty() { "" } else { ";" };
        Ok(format!("{head}{separator}{imports}{before} {always} {{\n{code}\nreturn\n; }}{after}"))
    }

    /// Those that the file does not have, on one line.
    fn new_imports(&self, imports: &[String]) -> String {
        let names = imports.iter().map(|import| import.trim().trim_start_matches("import ").trim_end_matches(';'));
        names.filter(|name| !self.text.contains(name)).map(|name| format!(" import {name};")).collect()
    }

    fn ruby(&self, code: &str, imports: &[String], number: usize) -> String {
        let own = self.text.lines().filter(|line| line.starts_with("require"));
        let head: Vec<&str> = own.chain(imports.iter().map(String::as_str)).collect();
        format!("{}\n\nRSpec.describe(\"mutate suggested {number}\") do\n  it(\"holds\") do\n{code}\n  end\nend\n", head.join("\n"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::proposal::given;

    /// The test that is made for an assertion beside a test file of this text.
    fn made(file: &str, text: &str, assertion: &str) -> Result<AddedTest, String> {
        let scene = tempfile::tempdir().unwrap();
        let root = scene.path().canonicalize().unwrap();
        std::fs::write(root.join(file), text).unwrap();
        let line = format!(
            r#"{{"targetFunction":"f","file":"a.py","mutationKind":"x-any","original":"a","replacement":"b",
            "expectedCatcherTest":{{"testFile":"{file}","testName":"n"}},"suggestedAssertion":{assertion}}}"#
        );
        let given = given::read(line.as_bytes()).unwrap();
        test(&root, &given.proposals[0], 3).unwrap()
    }

    #[test]
    fn the_test_stands_beside_and_has_what_the_test_file_has() {
        let test =
            made("test_a.py", "from a import f\n", r#"{"code":"assert f(2) == one","imports":["from a import one"]}"#).unwrap();
        assert_eq!((test.path.as_str(), test.named.name.as_str()), ("test_a_mutate3.py", "MutateSuggested.test_it"));
        let text = String::from_utf8(test.text).unwrap();
        assert!(text.starts_with("from a import f\n"));
        assert!(text.ends_with("    def test_it(self):\n        from a import one\n        assert f(2) == one\n"), "{text}");
        let text = "package a\n\nimport \"testing\"\n\nfunc n(t *testing.T) { t.Skip() }\n";
        let test =
            made("a_test.go", text, r#"{"code":"if f() != b.C { t.Fatal(1) }","imports":["\"testing\"","\"a/b\""]}"#).unwrap();
        assert_eq!((test.path.as_str(), test.named.name.as_str()), ("a_test.go", "n"));
        let expected = "package a; import \"a/b\";\n\nimport \"testing\"\n\n\
                        func n(t *testing.T) { if true {\nif f() != b.C { t.Fatal(1) }\nreturn\n; } t.Skip() }\n";
        assert_eq!(String::from_utf8(test.text).unwrap(), expected);
    }

    #[test]
    fn a_sentence_is_no_assertion() {
        let why = |assertion: &str| made("test_a.py", "", assertion).unwrap_err();
        assert_eq!(why(r#""check the boundary at 100""#), "the assertion does not parse");
        assert_eq!(why(r#""boundary""#), "the assertion is no single statement");
        assert_eq!(why(r#""assert f(1)\nassert f(2)""#), "the assertion is no single statement");
        assert!(made("test_a.py", "", r#"{"code":"assert f(1)\nassert f(2)"}"#).is_ok());
        assert_eq!(why(r#"{"code":""}"#), "the assertion does not parse");
    }
}
