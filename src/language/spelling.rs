//! How a language writes the few words that rules need: `language.toml`.

use std::collections::BTreeMap;

use serde::Deserialize;

/// The content of a `language.toml`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    pub name: String,
    /// The grammar folder whose `language.toml` holds for everything that is not said here.
    pub base: Option<String>,
    /// The files with the patterns of this language, below `grammars/`; without, the folder's own `nodes.scm`.
    #[serde(default)]
    pub nodes: Vec<String>,
    pub extensions: Vec<String>,
    pub highlighter: String,
    /// Languages of one ecosystem share their projects and their test runners.
    pub ecosystem: String,
    pub files: Files,
    pub spelling: Spelling,
    /// How the mutants of a function are switched, where that is known.
    pub switch: Option<Switch>,
    pub result: Results,
    pub precedence: Precedence,
}

/// Which files make a project, and which are left out; names with `*`, folders with a final `/`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Files {
    pub manifests: Vec<String>,
    pub tests: Vec<String>,
    pub generated: Vec<String>,
    pub chores: Vec<String>,
}

/// Words and forms; `{}` stands for the text of the place, `{{` and `}}` for braces that the language itself writes.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Spelling {
    pub always: String,
    pub never: String,
    /// The same where the compiler must go on seeing the condition; without them nothing needs to be kept.
    pub always_kept: Option<String>,
    pub never_kept: Option<String>,
    pub negated: String,
    #[serde(default = "equal")]
    pub equal: String,
    #[serde(default = "unequal")]
    pub unequal: String,
    pub nothing: String,
    /// The body of a function that does nothing, where it is not `nothing` alone.
    pub empty_body: Option<String>,
    /// `{}` stands for the name under which the error was caught.
    pub rethrow: String,
    pub r#return: String,
    /// A statement that is run before all others of a body, and ends the function; `{}` is a return.
    pub early: Option<String>,
    /// A use of a name that changes nothing, where a name without a use is an error.
    pub unused: Option<String>,
    /// The body of an emptied function that had a result, where that is not to return its default.
    pub body: Option<String>,
    /// How a branch of a switch ends that does nothing.
    pub leave_case: Option<String>,
    /// What stands in place of an optional access (`?.`), before a name and before a bracket.
    #[serde(default)]
    pub unguarded_name: String,
    #[serde(default)]
    pub unguarded_bracket: String,
    pub scope_separator: String,
    pub inner_separator: String,
    /// Before a method of an instance and before one of the class itself, where they differ from `scope_separator`.
    pub method_separator: Option<String>,
    pub static_separator: Option<String>,
    /// A whole file that fails when it is loaded.
    pub planted: String,
    /// Empty where no probe may stand round an expression.
    pub probe_expression: String,
    pub probe_statement: String,
    /// Around a statement that is the whole body of a branch or loop, where the language allows that.
    pub probe_alone: Option<String>,
}

/// How all mutants of a function stand in it, as copies of its body; `{id}` is the number of a mutant.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Switch {
    /// Before the first case, at the head of the body.
    pub open: String,
    /// Before a copy.
    pub case: String,
    /// Behind a copy in a function without a result.
    pub leave: String,
    /// Behind the last copy.
    pub close: String,
    /// At the head of every loop in a copy.
    pub round: String,
    /// A directive: what follows it stands at `{line}` and `{column}` (bytes, from 1) of `{file}`, of the same file without a name.
    pub position: String,
    /// Name of a copy that is a function of its own; behind a label in a copy.
    pub name: String,
    /// File of such a copy.
    pub file: String,
    /// Before such a copy of a function without a name.
    pub unnamed: String,
    /// How a directive begins that a function may have above it.
    pub pragma: String,
    /// A file that holds one of these has no switch.
    pub never_with: Vec<String>,
}

impl Switch {
    /// Of a language without one.
    pub fn none() -> &'static Switch {
        static NONE: std::sync::LazyLock<Switch> = std::sync::LazyLock::new(Switch::default);
        &NONE
    }
}

fn equal() -> String {
    "==".to_owned()
}

fn unequal() -> String {
    "!=".to_owned()
}

/// What a function returns in place of its result.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Results {
    /// A function that declares a result must return one.
    #[serde(default)]
    pub required: bool,
    /// By the head of the declared type: `list[int]` and `typing.List` have the heads `list` and `List`.
    pub declared: BTreeMap<String, Vec<String>>,
    /// By how the declared type begins, where its head is not known.
    #[serde(default)]
    pub begins: BTreeMap<String, Vec<String>>,
    /// By the capture of the returned expression.
    pub shape: BTreeMap<String, Vec<String>>,
    pub otherwise: Otherwise,
    /// Spellings of a default, by its main spelling.
    pub same: BTreeMap<String, Vec<String>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Otherwise {
    pub values: Vec<String>,
}

/// Operator tokens that bind alike.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Precedence {
    pub groups: Vec<Vec<String>>,
    /// What begins another kind of statement when it is the first word of one: an expression that begins so needs parentheses there.
    #[serde(default)]
    pub statement_words: Vec<String>,
}

impl Results {
    /// The defaults for a declared type, if its head is known.
    pub fn for_declared(&self, declared: &str) -> Option<&[String]> {
        self.declared.get(head_of_type(declared)).map(Vec::as_slice)
    }

    /// The defaults for a declared type, whatever it is; `{}` stands for the type in them.
    pub fn for_type(&self, declared: &str) -> &[String] {
        let begins = || self.begins.iter().find(|(begin, _)| declared.starts_with(begin.as_str())).map(|(_, texts)| texts);
        self.declared.get(declared).or_else(begins).unwrap_or(&self.otherwise.values)
    }

    /// True if the text already is this default of a declared type, as [`Results::for_type`] gives it.
    pub fn is_same_for_type(&self, text: &str, default: &str, declared: &str) -> bool {
        // Only the first `{}` stands for the type: `{}{}` is a literal of it without content.
        let spelled = |form: &String| form.replacen("{}", declared, 1) == text;
        self.same.get(default).is_some_and(|spellings| spellings.iter().any(spelled))
    }

    /// True if the text already is this default.
    pub fn is_same(&self, text: &str, default: &str) -> bool {
        text == default || self.same.get(default).is_some_and(|spellings| spellings.iter().any(|spelling| spelling == text))
    }
}

impl Precedence {
    /// True if one operator can stand for the other without regrouping the expression.
    pub fn alike(&self, one: &str, other: &str) -> bool {
        self.groups.iter().any(|group| group.iter().any(|token| token == one) && group.iter().any(|token| token == other))
    }
}

/// `typing.List[int]` → `List`, `Map<A, B>` → `Map`, `int[]` → `[]`; a union or anything else unusual has no head.
fn head_of_type(declared: &str) -> &str {
    let declared = declared.trim().trim_matches(['"', '\'']);
    if is_union(declared) {
        return "";
    }
    if declared.ends_with("[]") {
        return "[]";
    }
    let head = declared.split(['[', '<']).next().unwrap_or_default().trim();
    head.rsplit('.').next().unwrap_or_default()
}

/// True for a `|` outside of all brackets.
fn is_union(declared: &str) -> bool {
    let mut depth = 0;
    declared.chars().any(|char| {
        match char {
            '[' | '<' | '(' | '{' => depth += 1,
            ']' | '>' | ')' | '}' => depth -= 1,
            _ => {}
        }
        char == '|' && depth == 0
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_head_of_a_type_is_its_bare_name() {
        assert_eq!(head_of_type("bool"), "bool");
        assert_eq!(head_of_type("typing.List[int]"), "List");
        assert_eq!(head_of_type("'list[str]'"), "list");
        assert_eq!(head_of_type("int | None"), "");
        assert_eq!(head_of_type("list[int | None]"), "list");
        assert_eq!(head_of_type("Map<string, A | B>"), "Map");
        assert_eq!(head_of_type("readonly string[]"), "[]");
        assert_eq!(head_of_type("Array<A> | B[]"), "");
        assert_eq!(head_of_type("Optional[int]"), "Optional");
        assert_eq!(head_of_type("java.util.Map<String, java.util.List<X>>"), "Map");
        assert_eq!(head_of_type("int[]"), "[]");
    }
}
