//! What is put in place of a captured node.
//!
//! A template is text with words in braces: `{left}` is another capture of the match, `{always}` is spelled by the language, `{result}`
//! is computed and may give several replacements.

use super::names::Names;
use crate::language::tree::Place;
use crate::language::vocabulary::{self as v, Role};
use crate::language::{At, Language, Tree};

/// A parsed template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Template(Vec<Piece>);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Piece {
    Text(String),
    Word(Word),
}

/// A word in braces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Word {
    /// The text of another capture of the match.
    Part(Role),
    /// The text of the place itself.
    Itself,
    Always,
    Never,
    Negated,
    Equal,
    Unequal,
    Nothing,
    Rethrow,
    /// The typed default of the enclosing function's result.
    Result,
    /// The defaults of one of several results, by its declared type.
    Zero,
    /// A function body that returns the default and does nothing else.
    Body,
    /// The integer that follows.
    Successor,
    /// An empty string, or `mutated` for one that is empty already.
    Emptied,
    /// The same kind of collection without content.
    Empty,
    /// A branch of a switch that does nothing but end.
    EmptyCase,
    /// An access that does not ask first whether there is something.
    Unguarded,
}

/// What a template may look at.
pub struct Scene<'t> {
    pub language: &'static Language,
    pub tree: &'t Tree,
    pub source: &'t [u8],
    pub names: Names<'t>,
}

impl Template {
    /// Fails with the word that is not known.
    pub fn parse(text: &str) -> Result<Template, String> {
        let mut pieces = Vec::new();
        let mut rest = text;
        while let Some(open) = rest.find('{') {
            let close = rest[open..].find('}').ok_or_else(|| rest[open..].to_owned())? + open;
            if open > 0 {
                pieces.push(Piece::Text(rest[..open].to_owned()));
            }
            let word = &rest[open + 1..close];
            pieces.push(Piece::Word(Word::parse(word).ok_or_else(|| format!("{{{word}}}"))?));
            rest = &rest[close + 1..];
        }
        if !rest.is_empty() {
            pieces.push(Piece::Text(rest.to_owned()));
        }
        Ok(Template(pieces))
    }

    /// The capture whose text is kept, for a template that is nothing else.
    pub fn kept(&self) -> Option<Role> {
        match self.0[..] {
            [Piece::Word(Word::Part(role))] => Some(role),
            _ => None,
        }
    }

    /// All replacements that the template gives at a place; none where a word has no value.
    pub fn fill(&self, scene: &Scene, place: &Place) -> Vec<Vec<u8>> {
        let mut texts: Vec<Vec<u8>> = vec![Vec::new()];
        for piece in &self.0 {
            let values = match piece {
                Piece::Text(text) => vec![text.clone().into_bytes()],
                Piece::Word(word) => scene.values(*word, place),
            };
            texts = texts.iter().flat_map(|text| values.iter().map(move |value| [text.as_slice(), value].concat())).collect();
        }
        texts
    }
}

impl Word {
    fn parse(word: &str) -> Option<Word> {
        Some(match word {
            "itself" => Word::Itself,
            "always" => Word::Always,
            "never" => Word::Never,
            "negated" => Word::Negated,
            "equal" => Word::Equal,
            "unequal" => Word::Unequal,
            "nothing" => Word::Nothing,
            "rethrow" => Word::Rethrow,
            "result" => Word::Result,
            "zero" => Word::Zero,
            "body" => Word::Body,
            "successor" => Word::Successor,
            "emptied" => Word::Emptied,
            "empty" => Word::Empty,
            "empty-case" => Word::EmptyCase,
            "unguarded" => Word::Unguarded,
            other => Word::Part(Role::named(other)?),
        })
    }
}

impl Scene<'_> {
    fn values(&self, word: Word, place: &Place) -> Vec<Vec<u8>> {
        let spelling = &self.language.manifest.spelling;
        let spelled = |form: &str| vec![spell(form, self.text(place.at))];
        match word {
            Word::Part(v::LEFT) if self.neutralises(place) => self.without(place, v::RIGHT),
            Word::Part(v::RIGHT) if self.neutralises(place) => self.without(place, v::LEFT),
            Word::Part(role) => place.part(role).map(|at| self.text(at).to_vec()).into_iter().collect(),
            Word::Itself => vec![self.text(place.at).to_vec()],
            Word::Always => self.decided(place.at, true),
            Word::Never => self.decided(place.at, false),
            Word::Negated => spelled(&spelling.negated),
            Word::Equal => spelled(&spelling.equal),
            Word::Unequal => spelled(&spelling.unequal),
            Word::Nothing => spelled(&spelling.nothing),
            Word::Rethrow => self.rethrown(place).into_iter().collect(),
            Word::Result => self.results(place.at),
            Word::Zero => self.zeros(place.at),
            Word::Body => self.body(place.at),
            Word::Successor => successor(self.text(place.at)).into_iter().collect(),
            Word::Emptied => emptied(self.text(place.at)).into_iter().collect(),
            Word::Empty => self.empty(place.at).into_iter().collect(),
            Word::EmptyCase => self.empty_case(place).into_iter().collect(),
            Word::Unguarded => vec![self.unguarded(place.at).as_bytes().to_vec()],
        }
    }

    /// What makes a condition take its branch always, or never: an `unless` turns it round. In the form that keeps its text if the
    /// language has one and the compiler needs it here.
    fn decided(&self, condition: At, taken: bool) -> Vec<Vec<u8>> {
        let spelling = &self.language.manifest.spelling;
        let always = taken != self.tree.is(condition, v::CONDITION_UNLESS);
        let (kept, plain) = match always {
            true => (&spelling.always_kept, &spelling.always),
            false => (&spelling.never_kept, &spelling.never),
        };
        let kept = kept.as_deref().filter(|_| self.must_be_kept(condition));
        let binds_loosely = match kept {
            Some(_) => self.binds_loosely(condition),
            None => !always && self.tree.is(condition, v::LOGICAL_OR),
        };
        let text = if binds_loosely { &in_parentheses(self.text(condition)) } else { self.text(condition) };
        vec![spell(kept.unwrap_or(plain), text)]
    }

    /// An operator behind it would take hold of its last part only: `a || b`, `a ? b : c`, `a = b`.
    fn binds_loosely(&self, at: At) -> bool {
        let is_choice = self.tree.children(at).any(|child| self.tree.is(child, v::CONDITION_BRANCH));
        is_choice || self.tree.is_any(at, &[v::LOGICAL_OR, v::KEPT, v::LAMBDA])
    }

    /// A loop that is never run, a name that never gets its value, a handler of what nothing throws: no compiler takes those.
    fn must_be_kept(&self, condition: At) -> bool {
        let has = |role| self.tree.subtree(condition).any(|at| self.tree.is(at, role));
        let is_scope = |at: &At| self.tree.is_any(*at, &[v::FUNCTION, v::LAMBDA]);
        let is_caught = |at: At| self.tree.is(at, v::KEPT) && self.tree.is(at, v::BLOCK);
        let caught = || self.tree.ancestors(condition).take_while(|at| !is_scope(at)).any(is_caught);
        self.tree.is(condition, v::CONDITION_LOOP) || has(v::KEPT) || has(v::CALL) && caught()
    }

    pub fn text(&self, at: At) -> &[u8] {
        self.tree.text(at, self.source)
    }

    /// The nearest function around a node, not the node itself.
    pub fn function_around(&self, at: At) -> Option<At> {
        self.tree.ancestors(at).find(|at| self.tree.is(*at, v::FUNCTION))
    }

    /// The declared result type of a function.
    fn declared_result(&self, function: At) -> Option<&str> {
        let result = self.tree.part(function, v::FUNCTION, v::FUNCTION_RESULT)?;
        std::str::from_utf8(self.text(result)).ok()
    }

    /// True for what a lambda returns, whose type is declared nowhere.
    pub fn is_in_lambda(&self, at: At) -> bool {
        let scope = self.tree.ancestors(at).find(|at| self.tree.is_any(*at, &[v::FUNCTION, v::LAMBDA]));
        scope.is_some_and(|at| !self.tree.is(at, v::FUNCTION))
    }

    /// Defaults for a returned expression: by the declared type of the function, else by the shape of the expression.
    fn results(&self, value: At) -> Vec<Vec<u8>> {
        let results = &self.language.manifest.result;
        if self.is_in_lambda(value) {
            let texts = self.known_shape(value).unwrap_or_default();
            return texts.iter().map(|text| text.clone().into_bytes()).collect();
        }
        let declared = self.function_around(value).and_then(|function| self.declared_result(function));
        let texts = match declared {
            Some(declared) => results.for_declared(declared).unwrap_or(&results.otherwise.values),
            None => self.results_by_shape(value),
        };
        let original = self.text(value);
        texts.iter().map(|text| self.other_than(text, original)).collect()
    }

    /// The declared types of a function's results, one for each, where each is named or listed on its own.
    fn declared_results(&self, function: At) -> Vec<&str> {
        let Some(result) = self.tree.place(function, v::FUNCTION).and_then(|place| place.part(v::FUNCTION_RESULT)) else {
            return Vec::new();
        };
        let text = |at: At| std::str::from_utf8(self.text(at)).unwrap_or_default();
        if !self.tree.is(result, v::FUNCTION_RESULTS) {
            return vec![text(result)];
        }
        let mut types = Vec::new();
        for declaration in self.without_comments(result) {
            // `a, b int` is two names and one type.
            let parts: Vec<At> = self.without_comments(declaration).collect();
            let Some((declared, names)) = parts.split_last() else { continue };
            types.extend(std::iter::repeat_n(text(*declared), names.len().max(1)));
        }
        types
    }

    fn without_comments(&self, at: At) -> impl Iterator<Item = At> {
        self.tree.named_children(at).filter(|at| !self.tree.is(*at, v::COMMENT))
    }

    /// The declared type of one of the results of a return; `None` if the call of a function gives them all.
    pub fn declared_type(&self, result: At) -> Option<&str> {
        let types = self.declared_results(self.function_around(result)?);
        let results: Vec<At> = self.without_comments(self.tree.parent(result)?).collect();
        let position = results.iter().position(|at| *at == result)?;
        (results.len() == types.len()).then(|| types[position])
    }

    fn zeros(&self, result: At) -> Vec<Vec<u8>> {
        let Some(declared) = self.declared_type(result) else { return Vec::new() };
        let results = &self.language.manifest.result;
        let original = String::from_utf8_lossy(self.text(self.inside_parentheses(result)));
        let defaults = results.for_type(declared).iter();
        let others = defaults.filter(|default| !results.is_same_for_type(&original, default, declared));
        others.map(|default| spell(default, declared.as_bytes())).collect()
    }

    /// True where an operand is not left out, but has no effect: some languages refuse a name without a use.
    fn neutralises(&self, place: &Place) -> bool {
        let spelling = &self.language.manifest.spelling;
        let is_logical = matches!(place.role, v::LOGICAL_AND | v::LOGICAL_OR);
        is_logical && spelling.always.contains("{}") && spelling.never.contains("{}")
    }

    /// The whole place with one operand that no longer decides: `a && (b || true)`, `a || b && false`.
    fn without(&self, place: &Place, dropped: Role) -> Vec<Vec<u8>> {
        let spelling = &self.language.manifest.spelling;
        let Some(dropped) = place.part(dropped) else { return Vec::new() };
        let neutral = match place.role {
            v::LOGICAL_AND => in_parentheses(&spell(&spelling.always, self.text(dropped))),
            _ => spell(&spelling.never, self.text(dropped)),
        };
        let (whole, dropped) = (self.tree.span(place.at), self.tree.span(dropped));
        vec![[&self.source[whole.start..dropped.start], &neutral, &self.source[dropped.end..whole.end]].concat()]
    }

    fn results_by_shape(&self, value: At) -> &'static [String] {
        self.known_shape(value).unwrap_or(&self.language.manifest.result.otherwise.values)
    }

    fn known_shape(&self, value: At) -> Option<&'static [String]> {
        let results = &self.language.manifest.result;
        let value = self.inside_parentheses(value);
        let known = results.shape.iter().find(|(name, _)| Role::named(name).is_some_and(|role| self.tree.is(value, role)));
        known.map(|(_, texts)| texts.as_slice())
    }

    /// A number that already is the default is changed to one that is not.
    fn other_than(&self, text: &str, original: &[u8]) -> Vec<u8> {
        let other = match (text, original) {
            ("0", b"0") => "1",
            ("0L", b"0L" | b"0") => "1L",
            _ => text,
        };
        other.as_bytes().to_vec()
    }

    pub fn inside_parentheses(&self, at: At) -> At {
        let inside = self.tree.place(at, v::PARENTHESES).and_then(|place| place.part(v::INSIDE));
        inside.map_or(at, |inside| self.inside_parentheses(inside))
    }

    /// `return <default>` for a function that returns a value somewhere, else the empty statement.
    fn body(&self, body: At) -> Vec<Vec<u8>> {
        let Some(function) = self.tree.parent(body) else { return Vec::new() };
        let manifest = &self.language.manifest;
        if let Some(early) = &manifest.spelling.early {
            return vec![self.body_behind(early, function, body)];
        }
        let returned = self.returned_values(function);
        if let Some(form) = manifest.spelling.body.as_ref().filter(|_| !returned.is_empty()) {
            return vec![spell(form, self.text(body))];
        }
        let empty = || vec![spell(manifest.spelling.empty_body.as_ref().unwrap_or(&manifest.spelling.nothing), self.text(body))];
        let texts = match (self.declared_result(function), returned.as_slice()) {
            (Some(declared), _) if manifest.result.required => {
                manifest.result.for_declared(declared).unwrap_or(&manifest.result.otherwise.values)
            }
            (_, []) => return empty(),
            (Some(declared), _) => manifest.result.for_declared(declared).unwrap_or(&manifest.result.otherwise.values),
            (None, [.., last]) => self.results_by_shape(*last),
        };
        if texts.is_empty() {
            return empty();
        }
        texts.iter().take(1).map(|text| spell(&manifest.spelling.r#return, text.as_bytes())).collect()
    }

    /// The body with an end before its first statement; what follows keeps its names in use.
    fn body_behind(&self, early: &str, function: At, body: At) -> Vec<u8> {
        let manifest = &self.language.manifest;
        let types = self.declared_results(function);
        let first = |declared: &&str| manifest.result.for_type(declared).first().map(|default| default.replace("{}", declared));
        let values: Vec<String> = types.iter().filter_map(first).collect();
        let returns = spell(&manifest.spelling.r#return, values.join(", ").as_bytes());
        let (open, rest) = self.text(body).split_at(1);
        [open, b" ", &spell(early, returns.trim_ascii_end()), rest].concat()
    }

    fn returned_values(&self, function: At) -> Vec<At> {
        let own = |at: &At| self.function_around(*at) == Some(function);
        let is_last =
            |at: At| self.tree.is(at, v::RETURN_TAIL) && self.tree.parent(at).is_some_and(|at| self.tree.is(at, v::FUNCTION_BODY));
        self.tree.subtree(function).filter(|at| self.tree.is(*at, v::RETURN_VALUE) || is_last(*at)).filter(own).collect()
    }

    /// The caught error is thrown again, if it has a name or needs none.
    fn rethrown(&self, place: &Place) -> Option<Vec<u8>> {
        let form = &self.language.manifest.spelling.rethrow;
        match place.part(v::OPERAND) {
            Some(name) => Some(spell(form, self.text(name))),
            None => Some(spell(form, b"")).filter(|text| *text == spell(form, b"_")),
        }
    }

    /// `case 1: f(); break;` → `case 1: break;`. What falls through still does so; one that does nothing else has no such form.
    fn empty_case(&self, place: &Place) -> Option<Vec<u8>> {
        let whole = self.tree.span(place.at);
        let value = self.tree.span(place.part(v::OPERAND)?);
        let colon = self.source[value.end..whole.end].iter().position(|byte| *byte == b':')?;
        let head = &self.source[whole.start..value.end + colon + 1];
        let mut statements = self.tree.named_children(place.at).filter(|at| self.tree.span(*at).start >= whole.start + head.len());
        let statements: Vec<At> = statements.by_ref().filter(|at| !self.tree.is(*at, v::COMMENT)).collect();
        let last = *statements.last()?;
        let last = if self.tree.is(last, v::BLOCK) {
            self.tree.named_children(last).filter(|at| !self.tree.is(*at, v::COMMENT)).last()?
        } else {
            last
        };
        let leaves = |roles| self.tree.is_any(last, roles);
        let end = if leaves(&[v::BREAK]) {
            self.text(last)
        } else if leaves(&[v::RETURN_ANY, v::THROW, v::CONTINUE]) {
            self.language.manifest.spelling.leave_case.as_ref()?.as_bytes()
        } else {
            b""
        };
        let is_only_end = leaves(&[v::BREAK]) && self.tree.span(last).start == self.tree.span(statements[0]).start;
        (!is_only_end).then(|| [head, if end.is_empty() { b"" } else { b" " }, end].concat())
    }

    fn unguarded(&self, at: At) -> &'static str {
        let spelling = &self.language.manifest.spelling;
        match self.source.get(self.tree.span(at).end) {
            Some(b'(' | b'[' | b'`' | b'<') => &spelling.unguarded_bracket,
            _ => &spelling.unguarded_name,
        }
    }

    fn empty(&self, at: At) -> Option<Vec<u8>> {
        let text = self.text(at);
        Some(vec![*text.first()?, *text.last()?])
    }
}

fn in_parentheses(text: &[u8]) -> Vec<u8> {
    [b"(", text, b")"].concat()
}

/// A form of the language with the text of the place put in for `{}`; `{{` and `}}` are braces of the language.
pub fn spell(form: &str, text: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(form.len() + text.len());
    let mut rest = form.as_bytes();
    while let [first, ..] = rest {
        let width = match rest {
            [b'{', b'}', ..] => {
                out.extend_from_slice(text);
                rest = &rest[2..];
                continue;
            }
            [b'{', b'{', ..] | [b'}', b'}', ..] => 2,
            _ => 1,
        };
        out.push(*first);
        rest = &rest[width..];
    }
    out
}

/// The next integer, in the notation that can say it plainly; `None` for what is not an integer.
///
/// `0o17` → `16`, `1_000` → `1001`, `-1` → `0`, `7n` → `8n`, `9L` → `10L`.
pub fn successor(text: &[u8]) -> Option<Vec<u8>> {
    if let [digits @ .., long @ (b'L' | b'l')] = text {
        return successor(digits).map(|next| [&next, &[*long][..]].concat());
    }
    let text: String = std::str::from_utf8(text).ok()?.chars().filter(|char| *char != '_' && !char.is_whitespace()).collect();
    let (text, suffix) = text.strip_suffix('n').map_or((text.as_str(), ""), |digits| (digits, "n"));
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text),
    };
    let lower = digits.to_ascii_lowercase();
    let value = match lower.get(..2) {
        Some("0x") => i128::from_str_radix(&lower[2..], 16),
        Some("0o") => i128::from_str_radix(&lower[2..], 8),
        Some("0b") => i128::from_str_radix(&lower[2..], 2),
        _ if lower.len() > 1 && lower.bytes().all(|byte| matches!(byte, b'0'..=b'7')) && lower.starts_with('0') => {
            i128::from_str_radix(&lower, 8)
        }
        _ => lower.parse(),
    }
    .ok()?;
    let value = if negative { -value } else { value };
    Some(format!("{}{suffix}", value.checked_add(1)?).into_bytes())
}

/// The string with nothing in it, in its own quotes; `mutated` inside if there was nothing.
pub fn emptied(text: &[u8]) -> Option<Vec<u8>> {
    let open = text.iter().position(|byte| matches!(byte, b'"' | b'\'' | b'`'))?;
    let quote = text[open];
    let width = if text.len() >= open + 6 && text[open..].starts_with(&[quote; 3]) { 3 } else { 1 };
    let content = text.get(open + width..text.len().checked_sub(width)?)?;
    // An `f` or `r` has no meaning without content; a `b` has.
    let prefix: Vec<u8> = text[..open].iter().copied().filter(|byte| byte.eq_ignore_ascii_case(&b'b')).collect();
    let inside: &[u8] = if content.is_empty() { b"mutated" } else { b"" };
    Some([&prefix, &[quote][..], inside, &[quote]].concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn next(text: &str) -> Option<String> {
        successor(text.as_bytes()).map(|text| String::from_utf8(text).unwrap())
    }

    #[test]
    fn the_successor_of_an_integer_is_its_value_plus_one() {
        assert_eq!(next("0o17").as_deref(), Some("16"));
        assert_eq!(next("017").as_deref(), Some("16"));
        assert_eq!(next("0x1F").as_deref(), Some("32"));
        assert_eq!(next("1_000").as_deref(), Some("1001"));
        assert_eq!(next("-1").as_deref(), Some("0"));
        assert_eq!(next("1_000n").as_deref(), Some("1001n"));
        assert_eq!(next("9L").as_deref(), Some("10L"));
        assert_eq!(next("3j"), None);
        assert_eq!(next("1.5"), None);
    }

    #[test]
    fn an_emptied_string_keeps_its_quotes_and_its_type() {
        assert_eq!(emptied(b"\"k\"").unwrap(), b"\"\"");
        assert_eq!(emptied(b"rb'x'").unwrap(), b"b''");
        assert_eq!(emptied(b"'''doc'''").unwrap(), b"''");
        assert_eq!(emptied(b"''").unwrap(), b"'mutated'");
        assert_eq!(emptied(b"`it's ${x}`").unwrap(), b"``");
    }

    #[test]
    fn a_form_may_hold_braces_of_the_language() {
        assert_eq!(spell("{{}}", b"x"), b"{}");
        assert_eq!(spell("if false { {} }", b"f()"), b"if false { f() }");
        assert_eq!(spell("{{ throw {}; }}", b"e"), b"{ throw e; }");
    }

    #[test]
    fn an_unknown_word_is_named() {
        assert_eq!(Template::parse("{left} or {rigth}"), Err("{rigth}".to_owned()));
    }
}
