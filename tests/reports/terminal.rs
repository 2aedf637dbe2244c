use mutate::report::formats::Look;
use mutate::report::style::plain;
use mutate::report::{Report, survivors};

use crate::{rendered, sample};

const ALL: Look = Look { all: true, timings: false };

fn human(report: &Report, look: Look) -> String {
    plain(&rendered("human", report, look))
}

#[test]
fn a_person_sees_survivors_first() {
    insta::assert_snapshot!(human(&sample::report(1), Look::default()));
}

#[test]
fn a_person_may_ask_for_all_mutants() {
    insta::assert_snapshot!(human(&sample::report(1), ALL));
}

#[test]
fn an_editor_sees_one_line_per_mutant() {
    insta::assert_snapshot!(rendered("concise", &sample::report(1), Look::default()));
}

#[test]
fn a_run_without_mutants_says_so() {
    let empty =
        Report { mutants: Vec::new(), not_generated: Default::default(), files_left_out: Default::default(), ..sample::report(1) };
    let empty = Report { notices: Vec::new(), audit: Default::default(), ..empty };
    assert_eq!(human(&empty, Look::default()), "0 mutants: none: score n/a\ngate: nothing was measured (TRIVIAL)\n");
}

#[test]
fn an_incomplete_run_and_a_changed_file_cannot_be_overlooked() {
    let mut report = Report { complete: false, ..sample::report(1) };
    report.sources.changed.push(report.files[0].path.clone());
    let text = human(&report, Look::default());
    assert!(text.starts_with("this report is void: changed during the run: shop/cart.py\n"), "{text}");
    assert!(text.contains("incomplete: not every mutant was run"), "{text}");
}

#[test]
fn nothing_that_a_terminal_obeys_comes_from_strangers() {
    let mut report = sample::report(1);
    report.notices.push("a\x1b[2Jb\r\u{202e}".to_string());
    for measured in &mut report.mutants {
        measured.mutant.hint = "\x1b[2J".to_string();
        measured.mutant.scope = "f\x07".to_string();
        measured.mutant.rule = format!("{}\x1b[2J", measured.mutant.rule);
    }
    for format in ["human", "concise"] {
        for look in [Look::default(), ALL] {
            let text = rendered(format, &report, look);
            let raw: Vec<char> = text.chars().filter(|c| c.is_control() && !"\n\x1b".contains(*c) || *c == '\u{202e}').collect();
            assert!(raw.is_empty(), "{raw:?}");
            // Only our own colours begin with an escape character.
            assert!(
                text.split('\x1b').skip(1).all(|rest| rest.starts_with('[') && rest.find('m').is_some_and(|end| end <= 6)),
                "{text:?}"
            );
        }
    }
}

#[test]
fn the_text_does_not_depend_on_the_clock() {
    assert_eq!(rendered("human", &sample::report(1), ALL), rendered("human", &sample::report(99), ALL));
}

#[test]
fn an_empty_body_stands_for_what_else_survived_in_it() {
    let report = sample::report(1);
    let shown = survivors::most_useful_first(&report);
    let rules: Vec<(&str, usize)> = shown.iter().map(|shown| (shown.measured.mutant.rule.as_str(), shown.stands_for)).collect();
    let expected = [
        ("statement/function-body", 1),
        ("condition/boundary", 0),
        ("condition/boundary", 0),
        ("operator/arithmetic", 0),
        ("condition/logical-swap", 0),
    ];
    assert_eq!(rules, expected);
}
