//! One finished report that holds every verdict, and the nasty texts of strangers.

use std::time::Duration;

use mutate::execute::audit::Audit;
use mutate::execute::outcome::{Certificate, Measured};
use mutate::mutant::id::Identity;
use mutate::mutant::{Mutant, MutantId, Reason, Verdict};
use mutate::report::{BaselineReport, FileReport, Report, SourceSet, Took};
use mutate::scratch::process::{Ended, Exit};
use mutate::source::ProjectPath;
use mutate::suite::TestId;
use mutate::text::{Digest, Edit, Lines, Span};

pub const CART: &str = "\
def total(prices, member):
    \"\"\"😀 never mind\"\"\"
    amount = sum(prices)
    if amount > 100 and member:
        return amount * 0.9
    return amount


def label(cart): s = \"😀\" if cart > 0 else \"\x1b[2J\"; return s


def discount(price):
    half = price / 2
    log(half)
    return half


def unused(a):
    b = a + 1
    return b
";

/// Latin-1, with CRLF and without a final line feed.
pub const OLD: &[u8] = b"# -*- coding: latin-1 -*-\r\nNAME = '\xe9t\xe9' + 'x'";

/// With a byte order mark.
pub const MARKED: &[u8] = b"\xef\xbb\xbfLIMIT = 1 + 2\n";

pub fn path(text: &str) -> ProjectPath {
    ProjectPath::new(std::path::Path::new(text)).unwrap()
}

pub fn test(name: &str) -> TestId {
    TestId::new(format!("tests/test_cart.py::{name}"))
}

/// The mutant that replaces the first `original` after `anchor`.
pub fn mutant(file: &FileReport, anchor: &str, original: &str, replacement: &str, rule: &str) -> Mutant {
    let find = |text: &str, from: usize| {
        let at = file.text[from..].windows(text.len()).position(|part| part == text.as_bytes());
        from + at.unwrap_or_else(|| panic!("{text:?} is not there"))
    };
    let start = find(original, find(anchor, 0));
    let span = Span::new(start, start + original.len());
    let scope = anchor.strip_prefix("def ").and_then(|rest| rest.split('(').next()).unwrap_or("").to_string();
    let identity = Identity {
        language: "python",
        path: file.path.as_str(),
        scope: &scope,
        original: original.as_bytes(),
        replacement: replacement.as_bytes(),
        ordinal: start as u32,
    };
    Mutant {
        id: MutantId::of(&identity),
        path: file.path.clone(),
        scope,
        position: Lines::of(&file.text).position(&file.text, start),
        original: original.as_bytes().to_vec(),
        edit: Edit::new(span, replacement),
        rule: rule.to_string(),
        also: Vec::new(),
        mutator: "EqualityOperator".to_string(),
        kind: "boundary-off-by-one".to_string(),
        hint: "add a case where both sides are equal".to_string(),
        place: span,
        ignored: None,
    }
}

pub fn file(name: &str, text: &[u8]) -> FileReport {
    let digest = Digest::of(text);
    FileReport { path: path(name), language: "python".to_string(), text: text.to_vec(), before: digest, after: digest }
}

fn certificate(text: &[u8], mutant: &Mutant, exit: Exit, seconds: u64) -> Certificate {
    let ended = Ended {
        exit,
        wall: Duration::from_secs(seconds),
        cpu: Duration::from_secs(seconds),
        peak_memory: 1 << 20,
        left_behind: 0,
        stdout_tail: "1 failed in 0.03s".to_string(),
        stderr_tail: String::new(),
    };
    Certificate {
        mutated_bytes: Digest::of(&mutant.edit.apply(text)),
        reached: Some(true),
        tests_selected: Some(2),
        tests_run: 1,
        tests_missing: 0,
        path: "cold".to_string(),
        cold_because: None,
        answers: Default::default(),
        ended,
        command: "python -m pytest -x tests/test_cart.py::test_member".to_string(),
    }
}

fn measured(file: &FileReport, mutant: Mutant, verdict: Verdict, tests: &[&str]) -> Measured {
    let exit = match verdict {
        Verdict::TimedOut { .. } => Exit::OverWall,
        Verdict::Survived => Exit::Code(0),
        _ => Exit::Code(1),
    };
    let was_run = !matches!(verdict, Verdict::NoCoverage | Verdict::Ignored { .. });
    let certificate = was_run.then(|| certificate(&file.text, &mutant, exit, 3));
    Measured {
        mutant,
        verdict,
        covered_by: tests.iter().map(|name| test(name)).collect(),
        import_time: false,
        certificate,
        added: None,
    }
}

/// `seconds` is what differs from run to run.
pub fn report(seconds: u64) -> Report {
    let (cart, marked, old) = (file("shop/cart.py", CART.as_bytes()), file("shop/marked.py", MARKED), file("shop/old.py", OLD));
    let m = |anchor: &str, original: &str, replacement: &str, rule: &str| mutant(&cart, anchor, original, replacement, rule);
    let killed = |by: &str, why: &str| Verdict::Killed { by: vec![test(by)], why: why.to_string() };
    let by_comment = Verdict::Ignored { why: Reason::Comment { text: "mutate: ignore[operator] only speed".to_string() } };
    let all = ["test_member", "test_guest", "test_empty", "test_\x1b]0;evil\x07"];
    let mut on_import = measured(&marked, mutant(&marked, "LIMIT", "+", "-", "operator/arithmetic"), Verdict::Survived, &[]);
    on_import.import_time = true;
    let no_load = Verdict::Killed { by: vec![TestId::new("tests/test_old.py")], why: "the file does not load".to_string() };

    let mutants = vec![
        measured(&cart, m("def total", "amount > 100", "amount >= 100", "condition/boundary"), Verdict::Survived, &all),
        measured(&cart, m("def total", "and", "or", "condition/logical-swap"), Verdict::Survived, &all[..1]),
        measured(
            &cart,
            m("return amount", "*", "/", "operator/arithmetic"),
            killed("test_member", "AssertionError: <C at 0x7f00deadbeef> in /home/me/project/shop/cart.py"),
            &all[..2],
        ),
        measured(&cart, m("def label", "> 0", ">= 0", "condition/boundary"), Verdict::Survived, &all[1..2]),
        measured(
            &cart,
            m("def discount", "half = price / 2\n    log(half)\n    return half", "pass", "statement/function-body"),
            Verdict::Survived,
            &all[..1],
        ),
        measured(&cart, m("def discount", "/", "*", "operator/arithmetic"), Verdict::Survived, &all[..1]),
        measured(&cart, m("log(half)", "log(half)", "pass", "statement/call-remove"), by_comment, &[]),
        measured(&cart, m("def unused", "+", "-", "operator/arithmetic"), Verdict::NoCoverage, &[]),
        measured(&cart, m("def unused", "return b", "return None", "return/default"), Verdict::NoCoverage, &[]),
        measured(
            &cart,
            m("return amount\n", "return amount", "return None", "return/default"),
            Verdict::TimedOut { why: "over its limit of 3 s".to_string() },
            &all[..2],
        ),
        on_import,
        measured(&old, mutant(&old, "NAME", "+", "-", "operator/arithmetic"), no_load, &[]),
        measured(
            &old,
            mutant(&old, "NAME", "'x'", "\"\"", "literal/string"),
            Verdict::Inconclusive { why: "no test ran: the report is missing\nand more".to_string() },
            &all[..1],
        ),
        measured(
            &old,
            mutant(&old, "NAME", "NAME", "", "x/broken"),
            Verdict::Invalid { why: "SyntaxError: invalid syntax".to_string() },
            &[],
        ),
    ];
    Report {
        root: "/home/me/project".into(),
        tool_version: "0.1.0".to_string(),
        rules: Digest::of(b"rules"),
        files: vec![cart, marked, old],
        mutants,
        baselines: vec![BaselineReport {
            package: ProjectPath::new("".as_ref()).unwrap(),
            runner: "pytest".to_string(),
            version: "pytest 9.0.0, Python 3.13.0".to_string(),
            tests: all.iter().map(|name| test(name)).collect(),
            passed: 4,
            skipped: 0,
            flickering: Vec::new(),
            unsteady: Vec::new(),
            scratch: "overlay".to_string(),
            wiring: "a planted failure in /home/me/project/shop/cart.py was seen".to_string(),
        }],
        audit: Audit { warm: 2, again: 1, wrong: 0 },
        not_generated: [("arid/logging".to_string(), 150), ("arid/text-form".to_string(), 40), ("syntax error".to_string(), 22)]
            .into(),
        files_left_out: [("test file".to_string(), 3), ("generated".to_string(), 1)].into(),
        notices: vec!["shop/old.py is not UTF-8".to_string()],
        sources: SourceSet { files: 3, before: Digest::of(b"sources"), after: Digest::of(b"sources"), changed: Vec::new() },
        complete: true,
        took: Took {
            discover: Duration::from_secs(seconds),
            baseline: Duration::from_secs(seconds),
            trials: Duration::from_secs(seconds),
        },
    }
}
