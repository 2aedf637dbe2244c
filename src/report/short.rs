//! A mutant as a person would have written it.
//!
//! Where a compiler refuses a name without a use, nothing is deleted: the text stays and has no effect (`a > 3 || true`). That is a trick
//! for the compiler; a reader wants to know what no longer counts. So the forms by which a language keeps a text are read backwards here.
//! Whatever cannot be read so is shown as it is. `mutate show` and the machine formats have the exact edit.

use std::path::Path;

use crate::language;
use crate::language::spelling::Spelling;
use crate::mutant::Mutant;
use crate::rule::template::spell;
use crate::text::Edit;

/// The rule that leaves out one side of `a && b`; the others neutralise the whole text.
const DROP_OPERAND: &str = "condition/drop-operand";

/// The edit to show.
pub fn edit(mutant: &Mutant) -> Edit {
    shorter(mutant).unwrap_or_else(|| mutant.edit.clone())
}

/// What the edit to show replaces, for one line.
pub fn original<'m>(mutant: &'m Mutant, edit: &Edit) -> &'m [u8] {
    if edit.span.len() > mutant.edit.span.len() { "{ … }".as_bytes() } else { &mutant.original }
}

fn shorter(mutant: &Mutant) -> Option<Edit> {
    let spelling = &language::by_path(Path::new(mutant.path.as_str()))?.manifest.spelling;
    let (original, replacement) = (str::from_utf8(&mutant.original).ok()?, str::from_utf8(&mutant.edit.replacement).ok()?);
    let is_body = mutant.place.start == mutant.edit.span.start && mutant.place.end > mutant.edit.span.end;
    if let (true, Some(returned)) = (is_body, early(spelling, original, replacement)) {
        return Some(Edit::new(mutant.place, format!("{original} {returned} }}")));
    }
    let used = without_uses(spelling, original, replacement);
    let short = match mutant.rule == DROP_OPERAND {
        true => other_operand(spelling, original, used),
        false => removed(spelling, original, used).or_else(|| decided(spelling, original, used)),
    };
    let short = short.or((used.len() < replacement.len()).then_some(used))?;
    Some(Edit::new(mutant.edit.span, short))
}

/// `if true { return 0 };` behind the bracket that opens a body.
fn early<'r>(spelling: &Spelling, open: &str, replacement: &'r str) -> Option<&'r str> {
    let (before, after) = parts(spelling.early.as_deref()?)?;
    replacement.strip_prefix(open)?.trim_start().strip_prefix(&*before)?.strip_suffix(&*after)
}

/// Without the statements before it that only use a name.
fn without_uses<'r>(spelling: &Spelling, original: &str, replacement: &'r str) -> &'r str {
    let mut rest = replacement;
    while let Some(next) = spelling.unused.as_deref().and_then(|form| without_use(form, rest)) {
        rest = next;
    }
    let kept = parts(&spelling.nothing).and_then(|(before, after)| {
        let inside = rest.strip_prefix(&*before).filter(|inside| inside.starts_with(original))?;
        inside.rsplit_once(&format!("{after}; ")).map(|(_, rest)| rest)
    });
    kept.unwrap_or(rest)
}

fn without_use<'r>(form: &str, text: &'r str) -> Option<&'r str> {
    let (before, after) = parts(form)?;
    let (name, rest) = text.strip_prefix(&*before)?.split_once(&*after)?;
    name.chars().all(|letter| letter.is_alphanumeric() || letter == '_').then_some(rest)
}

/// A text that stays and is never run.
fn removed(spelling: &Spelling, original: &str, replacement: &str) -> Option<&'static str> {
    let is_kept = parts(&spelling.nothing).is_some() && spelled(&spelling.nothing, original) == replacement;
    is_kept.then(|| if original.starts_with('{') { "{ }" } else { "" })
}

/// `true` or `false`, with which the form of a kept condition ends.
fn decided<'s>(spelling: &'s Spelling, original: &str, replacement: &str) -> Option<&'s str> {
    let forms = [&spelling.always_kept, &spelling.never_kept].into_iter().flatten().chain([&spelling.always, &spelling.never]);
    let keeps = |form: &&String| {
        let texts = [original.to_owned(), format!("({original})")].map(|text| spelled(form, &text));
        parts(form).is_some() && texts.iter().any(|text| text == replacement || format!("({text})") == replacement)
    };
    forms.into_iter().find(keeps).and_then(|form| form.split_whitespace().last())
}

/// What is left of `a && b` if one of the two no longer decides: `(a || true) && b`, `a || b && false`.
fn other_operand<'o>(spelling: &Spelling, original: &'o str, replacement: &str) -> Option<&'o str> {
    parts(&spelling.always).and(parts(&spelling.never))?;
    let without_and = |text: &str| format!("({})", spelled(&spelling.always, text));
    let without_or = |text: &str| spelled(&spelling.never, text);
    let is_made = |text: String| text == replacement || format!("({text})") == replacement;
    for Split { left, between, right } in splits(original, "&&") {
        if is_made(format!("{}{between}{right}", without_and(left))) {
            return Some(right);
        }
        if is_made(format!("{left}{between}{}", without_and(right))) {
            return Some(left);
        }
    }
    // Of several, only the first and the last have an operand to themselves that `&& false` takes hold of.
    let splits = splits(original, "||");
    let (first, last) = (splits.first()?, splits.last()?);
    if is_made(format!("{}{}{}", without_or(first.left), first.between, first.right)) {
        return Some(first.right);
    }
    is_made(format!("{}{}{}", last.left, last.between, without_or(last.right))).then_some(last.left)
}

/// Two operands, and the operator with the space round it.
struct Split<'t> {
    left: &'t str,
    between: &'t str,
    right: &'t str,
}

/// All ways to part a text at an operator that stands in no brackets and no quotes.
fn splits<'t>(text: &'t str, operator: &str) -> Vec<Split<'t>> {
    let at = text.match_indices(operator).map(|(at, _)| (text[..at].trim_end(), text[at + operator.len()..].trim_start()));
    let closed = at.filter(|(left, right)| is_closed(left) && is_closed(right));
    closed.map(|(left, right)| Split { left, between: &text[left.len()..text.len() - right.len()], right }).collect()
}

/// True if every bracket and every quote that is opened is closed too, as far as counting can tell.
fn is_closed(text: &str) -> bool {
    let mut depth = 0_i32;
    for byte in text.bytes() {
        depth += match byte {
            b'(' | b'[' | b'{' => 1,
            b')' | b']' | b'}' => -1,
            _ => 0,
        };
        if depth < 0 {
            return false;
        }
    }
    depth == 0 && ['"', '`', '\''].iter().all(|quote| text.matches(*quote).count() % 2 == 0)
}

/// What stands before and behind the kept text in a form that keeps it.
fn parts(form: &str) -> Option<(String, String)> {
    spelled(form, KEPT).split_once(KEPT).map(|(before, after)| (before.to_owned(), after.to_owned()))
}

/// Stands for the kept text; no form has it.
const KEPT: &str = "\0";

fn spelled(form: &str, text: &str) -> String {
    String::from_utf8_lossy(&spell(form, text.as_bytes())).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mutant::discover::discover;
    use crate::report::single;
    use crate::rule::Catalogue;
    use crate::source::{ProjectPath, Source};

    /// The changes that a rule makes, as they are shown.
    fn shown(path: &str, text: &str, rule: &str) -> Vec<String> {
        let path = Path::new(path);
        let language = language::by_path(path).unwrap();
        let source = Source { path: ProjectPath::new(path).unwrap(), language, text: text.into() };
        let mutants = discover(&source, &Catalogue::built_in().choose(|known| known.id == rule)).unwrap().mutants;
        mutants.iter().map(single::change).collect()
    }

    fn go(body: &str, rule: &str) -> Vec<String> {
        shown("a.go", &format!("package m\n\nfunc f(a, b, c bool, n int) (int, error) {{\n{body}\n}}\n"), rule)
    }

    fn java(body: &str, rule: &str) -> Vec<String> {
        shown(
            "A.java",
            &format!("class A {{ int f(java.io.Reader in, int a, boolean b) throws Exception {{\n{body}\n}} }}\n"),
            rule,
        )
    }

    #[test]
    fn a_condition_that_is_kept_for_the_compiler_reads_as_decided() {
        assert_eq!(go("if n > 3 { n++ }", "condition/true"), ["n > 3 → true"]);
        assert_eq!(go("if a || b { n++ }", "condition/false"), ["a || b → false"]);
        assert_eq!(java("while (in.ready()) { a++; }", "condition/false"), ["in.ready() → false"]);
    }

    #[test]
    fn an_operand_that_no_longer_decides_is_left_out() {
        assert_eq!(go("if a && n > 3 { n++ }", "condition/drop-operand"), ["a && n > 3 → n > 3", "a && n > 3 → a"]);
        assert_eq!(
            go("if a || f(b || c) { n++ }", "condition/drop-operand")[..2],
            ["a || f(b || c) → f(b || c)", "a || f(b || c) → a"]
        );
        assert_eq!(go("if a || b || c { n++ }", "condition/drop-operand"), ["a || b → b", "a || b → a", "a || b || c → a || b"]);
        assert_eq!(go("if a || b && c { n++ }", "condition/drop-operand")[..2], ["a || b && c → b && c", "a || b && c → a"]);
        assert_eq!(go("if a && b || c { n++ }", "condition/drop-operand")[2..], ["a && b || c → c", "a && b || c → a && b"]);
    }

    #[test]
    fn a_statement_that_is_never_run_is_gone() {
        assert_eq!(go("s.x = n", "statement/assign-remove"), ["s.x = n → (nothing)"]);
        assert_eq!(java("synchronized (this) { close(); }", "statement/call-remove"), ["close(); → (nothing)"]);
    }

    #[test]
    fn a_use_that_only_keeps_a_name_is_not_shown() {
        let result = go("x, err := g(n)\nn = x\nreturn n, err", "return/zero");
        assert_eq!(result, ["return n, err → return n, nil", "n → 0"]);
        let text = "package m\n\nimport \"errors\"\n\nfunc f() error { return errors.New(\"a\") }\n";
        assert_eq!(shown("a.go", text, "return/zero"), ["return errors.New(\"a\") → return nil"]);
    }

    #[test]
    fn an_emptied_body_is_shown_without_what_follows() {
        assert_eq!(go("n++\nreturn n, nil", "statement/function-body"), ["{ … } → { return 0, nil }"]);
    }

    #[test]
    fn what_is_short_already_is_shown_as_it_is() {
        assert_eq!(go("if n > 3 { n++ }", "condition/boundary"), ["> → >="]);
        assert_eq!(shown("a.js", "function f() { g(); h(); }\n", "statement/call-remove"), ["g(); → {}", "h(); → {}"]);
    }
}
