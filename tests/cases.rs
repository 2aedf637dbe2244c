//! Tricky inputs: what a naive engine gets wrong, and what must come out instead.
//!
//! The inputs and what is right about them are data (`cases/pitfalls.toml`, and `cases/reports.md` from public bug reports of other
//! tools). Every case has a test of its own here, named after its id and what it says. A case of a language that `mutate` does not
//! know yet is passed over; one that it knows and that has no test is an error.

#[path = "cases/data.rs"]
mod data;

use std::collections::BTreeSet;
use std::path::Path;

use data::{Case, Expected};
use mutate::language;
use mutate::mutant::discover::{Discovered, discover};
use mutate::rule::{Catalogue, Rule};
use mutate::source::{ProjectPath, Source};

/// One test per name. The letters and digits before the first `_` are the id of the case.
macro_rules! cases {
    ($($name:ident)*) => {
        $(#[test]
        fn $name() {
            let case = case(&id_of(stringify!($name)));
            assert!(!case.expected.is_empty(), "{} says nothing that a machine can check", case.id);
            holds(&case);
        })*

        /// Cases whose data says all that is to be checked.
        const CHECKED: &[&str] = &[$(stringify!($name)),*];
    };
}

/// Cases that need assertions of their own, because their data does not say all that is right; see the end of this file.
const BY_HAND: &[&str] = &["A18", "G09", "G19", "J17", "P17", "P46", "P47", "T21"];

cases! {
    x01_a_changed_operator_keeps_its_place_in_the_tree
    x09_a_forced_condition_does_not_run_into_the_words_beside_it
    x15_a_comment_is_never_taken_for_the_condition
    x18_two_rules_that_write_the_same_text_make_one_mutant
    x19_a_mutant_that_equals_the_original_is_not_made
    p01_one_operator_of_a_chain_changes_at_a_time
    p02_is_not_is_one_operator_whatever_its_spacing
    p03_not_in_is_one_operator
    p05_a_chain_that_holds_a_text_is_not_arithmetic
    p06_a_percent_behind_a_text_fills_it_in
    p07_a_star_behind_a_list_repeats_it
    p09_the_expression_inside_an_f_string_is_code
    p10_an_emptied_text_keeps_its_quotes
    p11_a_raw_docstring_is_a_docstring
    p13_a_union_of_types_is_not_bits
    p14_the_value_beside_an_annotation_may_change
    p15_a_default_argument_is_mutated
    p18_the_main_guard_is_left_alone
    p19_a_pattern_is_no_expression
    p21_the_guard_of_a_case_is_a_condition
    p22_a_condition_that_binds_a_name_is_not_forced
    p23_an_operand_that_binds_a_name_is_not_left_out
    p25_the_in_of_a_for_clause_is_no_comparison
    p26_a_return_in_a_generator_is_not_its_result
    p27_the_body_of_an_async_generator_is_kept
    p29_a_bare_return_has_no_value
    p30_the_stars_and_slashes_of_a_signature_are_no_operators
    p31_unpacking_is_no_operator
    p33_the_value_of_a_chained_assignment_is_the_innermost
    p34_a_loop_that_could_not_end_keeps_its_break
    p35_one_of_two_calls_on_a_line_is_left_out_at_a_time
    p37_a_sign_before_a_number_is_part_of_it
    p38_a_number_is_read_in_its_own_notation
    p39_a_length_is_never_negative
    p41_a_raise_that_is_the_whole_branch_is_left_to_the_condition
    p42_a_starred_handler_is_a_handler
    p43_nothing_in_a_log_call_is_mutated
    p45_an_assertion_is_left_alone
    x07_a_minus_is_not_joined_with_the_sign_behind_it
    j01_a_loop_that_is_never_run_keeps_its_condition_for_the_compiler
    j02_a_local_is_never_left_without_its_value
    j04_a_condition_that_binds_a_name_is_not_forced
    j05_an_operand_that_binds_a_name_is_not_left_out
    j06_a_call_that_is_left_out_stays_for_the_compiler
    j08_texts_are_joined_not_calculated
    j09_a_cast_is_kept
    j10_a_label_of_a_switch_is_constant
    j12_the_smallest_number_keeps_its_sign
    j13_type_arguments_are_no_shift
    j14_a_default_has_the_declared_type
    j16_the_conditions_of_a_compact_constructor_are_mutated
    j18_behind_an_arrow_stands_no_statement
    j20_a_text_block_is_text
    j21_the_statement_with_an_escape_is_passed_over
    j22_bits_of_booleans_are_swapped_and_never_shifted
    j24_the_counter_of_a_loop_is_left_alone
    j25_a_type_is_not_a_value
    j26_a_start_in_the_middle_has_no_counterpart
    f02_crlf_survives
    f03_an_emoji_before_the_edit_does_not_move_it
    f04_a_file_in_latin_1_survives
    f06_no_final_line_feed_is_added
    f07_code_outside_a_syntax_error_is_mutated
    a07_a_decision_is_forced_and_not_negated
    a17_each_return_gives_only_values_that_differ
    a19_a_running_sum_is_mutated_and_its_counter_is_not
    a22_what_the_compiler_adds_for_closing_has_no_mutants
    a23_comments_and_types_are_left_alone
    a08_a_star_in_a_parameter_list_is_no_operator
    a09_a_quoted_annotation_is_no_text
    a10_the_words_of_logs_and_errors_are_left_alone
    a11_a_text_without_letters_is_emptied_and_nothing_else
    a12_a_starred_target_is_no_multiplication
    a13_the_union_in_an_annotation_is_left_alone
    a20_a_length_is_not_compared_with_less_than_nothing
    a24_an_or_pattern_is_no_operator
    a25_only_the_condition_of_a_comprehension_is_turned_round
    x14_parentheses_that_the_syntax_needs_stay
    g01_an_operand_is_neutralised_not_dropped
    g03_a_call_that_is_left_out_keeps_its_import_in_use
    g04_a_call_that_is_left_out_keeps_its_variables_in_use
    g05_an_error_that_is_not_returned_keeps_a_use
    g07_a_block_of_constants_is_left_alone
    g08_the_length_of_an_array_is_no_calculation
    g11_each_result_has_the_zero_value_of_its_own_type
    g12_a_bare_return_has_no_results
    g13_a_loop_without_a_condition_keeps_its_jumps
    g15_a_break_in_a_switch_belongs_to_the_switch
    g16_a_jump_to_a_label_is_left_alone
    g17_the_condition_of_a_for_without_clauses_is_a_condition
    g20_an_or_is_no_default_mutant_of_an_and
    g21_type_arguments_are_no_comparison
    g23_what_is_put_off_is_neutralised
    a14_the_ampersand_before_a_literal_is_no_operator
    a15_what_a_loop_over_a_map_declares_stays_in_use
    a16_rules_are_independent_of_each_other
    a21_a_result_is_not_replaced_by_itself
    x02_a_regrouped_comparison_is_put_in_brackets
    x03_a_swapped_logical_operator_keeps_its_place_in_the_tree
    x05_a_removed_bang_does_not_join_two_words
    x06_a_minus_before_a_sign_is_no_decrement
    x10_a_function_at_the_begin_of_a_statement_is_put_in_brackets
    x11_a_default_is_never_mixed_with_a_logical_operator
    x13_brackets_round_a_type_assertion_stay
    x17_either_of_two_bangs_is_one_mutant
    t01_type_arguments_are_no_operators
    t02_a_generic_call_is_no_comparison
    t03_nothing_in_a_type_is_mutated
    t05_nothing_in_a_declaration_is_mutated
    t06_signatures_are_not_functions
    t07_an_abstract_method_has_no_body
    t09_a_mark_behind_a_value_is_no_not
    t10_a_counter_keeps_its_mark
    t11_an_optional_access_leaves_a_mark
    t13_a_result_of_any_type_has_a_default
    t14_an_emptied_function_returns_what_fits_every_type
    t15_a_constructor_is_not_emptied_and_calls_its_parent
    t17_a_directive_is_no_text
    t18_the_name_of_a_module_is_no_text
    t19_the_name_of_a_property_is_no_text
    t22_code_beside_what_the_parser_does_not_know_is_mutated
    t23_the_object_that_an_arrow_gives_stays_in_brackets
    t25_a_statement_that_is_left_out_takes_no_else
    t26_a_loop_keeps_its_counter_and_its_end
    t27_the_head_of_a_loop_is_no_comparison
    t29_an_emptied_case_keeps_its_break
    t30_loose_and_strict_equality_are_never_mixed
    t31_a_chain_that_holds_a_text_is_not_arithmetic
    t33_a_test_for_a_private_name_is_negated_as_a_whole
    t34_what_stands_on_the_left_of_an_assignment_is_mutated
    t35_a_big_integer_stays_one
    t37_nothing_in_a_regular_expression_is_an_operator
    t38_a_statement_that_is_left_out_leaves_brackets
    a01_a_constructor_with_properties_is_not_emptied
    a02_a_text_in_a_type_is_a_type
    a03_a_declared_module_is_left_alone
    a04_a_mark_behind_an_optional_access_stays
    a05_a_text_that_is_a_statement_is_left_alone
    a06_each_operand_of_a_default_is_left_out
    a26_the_index_on_the_left_of_an_assignment_is_mutated
}

#[test]
fn every_case_of_a_known_language_has_a_test() {
    let known = |case: &Case| language::by_name(&case.language).is_some();
    let in_data: BTreeSet<String> = data::all().into_iter().filter(known).map(|case| case.id).collect();
    let tested: BTreeSet<String> =
        CHECKED.iter().map(|name| id_of(name)).chain(BY_HAND.iter().map(|id| (*id).to_owned())).collect();
    assert_eq!(tested, in_data);
}

#[test]
fn none_of_the_python_cases_is_passed_over() {
    let python = data::all().into_iter().filter(|case| case.language == "python");
    assert_eq!(python.count(), 46 + 9, "pitfalls and reports");
    assert!(language::by_name("python").is_some());
}

#[test]
fn none_of_the_go_cases_is_passed_over() {
    let go = data::all().into_iter().filter(|case| case.language == "go");
    assert_eq!(go.count(), 18 + 4, "pitfalls and reports");
    assert!(language::by_name("go").is_some());
}

// ---- how a case is checked ------------------------------------------------------------------------------------------------------

fn id_of(name: &str) -> String {
    name.split('_').next().unwrap_or(name).to_uppercase()
}

fn case(id: &str) -> Case {
    data::all().into_iter().find(|case| case.id == id).unwrap_or_else(|| panic!("no case is called {id}"))
}

fn discovered(case: &Case, wanted: impl Fn(&Rule) -> bool) -> Discovered {
    let language = language::by_name(&case.language).expect("the language is known");
    let path = ProjectPath::new(Path::new("case.py")).expect("a path in the project");
    let source = Source { path, language, text: case.source.clone() };
    discover(&source, &Catalogue::built_in().choose(wanted)).expect("no case has an ignored region")
}

/// The mutated files, in the order of the mutants.
fn mutated(case: &Case, wanted: impl Fn(&Rule) -> bool) -> Vec<Vec<u8>> {
    discovered(case, wanted).mutants.iter().map(|mutant| mutant.edit.apply(&case.source)).collect()
}

/// The same for a case in UTF-8.
fn texts(id: &str, wanted: impl Fn(&Rule) -> bool) -> Vec<String> {
    mutated(&case(id), wanted).into_iter().map(|text| String::from_utf8(text).expect("UTF-8")).collect()
}

fn holds(case: &Case) {
    let expected = &case.expected;
    for rule in expected.rules.iter().flatten() {
        assert!(Catalogue::built_in().rules().iter().any(|known| known.id == *rule), "{}: no rule is called {rule}", case.id);
    }
    let made = mutated(case, |rule| is_wanted(expected, rule));
    if let Err(problem) = compare(expected, case, &made) {
        let made: Vec<_> = made.iter().map(|text| String::from_utf8_lossy(text)).collect();
        panic!("{}: {problem}\n  right: {}\n  wrong: {}\n  made:  {made:#?}", case.id, case.right, case.wrong);
    }
}

fn is_wanted(expected: &Expected, rule: &Rule) -> bool {
    expected.rules.as_ref().is_none_or(|rules| rules.contains(&rule.id))
        && expected.tiers.as_ref().is_none_or(|tiers| tiers.contains(&rule.tier))
}

fn compare(expected: &Expected, case: &Case, made: &[Vec<u8>]) -> Result<(), String> {
    let contained = |part: &str| made.iter().any(|text| contains(text, part));
    if made.contains(&case.source) {
        return Err("a mutant equals the original".to_owned());
    }
    if let Some(missing) = expected.has.iter().find(|part| !contained(part)) {
        return Err(format!("no mutant contains {missing:?}"));
    }
    if let Some(present) = expected.no.iter().find(|part| contained(part)) {
        return Err(format!("a mutant contains {present:?}"));
    }
    if let Some(count) = expected.count.filter(|count| *count != made.len()) {
        return Err(format!("{} mutants instead of {count}", made.len()));
    }
    if expected.unique && made.iter().collect::<BTreeSet<_>>().len() < made.len() {
        return Err("two mutants are the same text".to_owned());
    }
    Ok(())
}

fn contains(text: &[u8], part: &str) -> bool {
    text.windows(part.len()).any(|window| window == part.as_bytes())
}

fn all_rules(_: &Rule) -> bool {
    true
}

// ---- what the data does not say -------------------------------------------------------------------------------------------------

#[test]
fn p17_the_else_part_of_a_type_checking_guard_is_mutated_and_nothing_else_of_it() {
    let made = texts("P17", all_rules);
    assert!(made.iter().all(|text| text.starts_with("if TYPE_CHECKING:\n    from a import B\nelse:\n    B = make(")), "{made:#?}");
    assert!(made.iter().any(|text| text.ends_with("make(1 - 2)\n")), "{made:#?}");
}

#[test]
fn p46_an_if_that_only_prints_is_left_alone_as_a_whole() {
    assert_eq!(texts("P46", all_rules), [""; 0]);
}

#[test]
fn p47_a_strip_directly_below_a_bare_split_is_kept() {
    assert_eq!(texts("P47", |rule| rule.id == "call/unwrap"), [""; 0]);
}

#[test]
fn p37_the_number_after_minus_one_is_zero() {
    assert_eq!(texts("P37", |rule| rule.id == "literal/integer"), ["x = 0\n"]);
}

#[test]
fn p38_an_imaginary_number_is_left_alone() {
    let made = texts("P38", |rule| rule.id == "literal/integer");
    assert!(made.iter().all(|text| text.ends_with(" + 3j\n")), "{made:#?}");
    assert_eq!(made.len(), 3);
}

#[test]
fn p39_a_length_against_zero_is_still_forced_both_ways() {
    let mut made = texts("P39", |rule| rule.id.starts_with("condition/"));
    made.sort();
    assert_eq!(made, ["if False:\n    f()\n", "if True:\n    f()\n"]);
}

#[test]
fn p41_the_branch_around_a_raise_is_never_taken_instead() {
    // `a <= 0` is noticed by no test that would not notice `True`, so only `False` is left beside it.
    let made = texts("P41", |rule| rule.id.starts_with("condition/") && rule.tier == mutate::rule::Tier::Default);
    assert!(made.iter().any(|text| text.contains("if False:")), "{made:#?}");
    assert!(!made.iter().any(|text| text.contains("if True:")), "{made:#?}");
}

#[test]
fn x19_a_function_that_returns_nothing_has_no_mutant_at_all() {
    assert_eq!(texts("X19", all_rules), [""; 0]);
}

#[test]
fn g05_the_use_of_the_error_stands_on_the_line_of_the_return() {
    let made = texts("G05", |rule| rule.id == "return/zero");
    assert_eq!(made, ["package m\n\nfunc f() error {\n\terr := g()\n\t_ = err; return nil\n}\n"]);
}

#[test]
fn g08_constants_of_a_function_are_left_to_the_compiler() {
    let made = texts("G08", |rule| rule.id == "operator/arithmetic");
    assert!(made.iter().all(|text| text.contains("[4 * 16]byte")), "{made:#?}");
    assert_eq!(made.len(), 2);
}

#[test]
fn g09_a_sum_of_texts_is_known_from_their_declaration() {
    assert_eq!(texts("G09", |rule| rule.id == "operator/arithmetic"), [""; 0]);
}

#[test]
fn g19_a_file_without_a_last_line_feed_is_a_healthy_file() {
    for end in ["var x int", "type X int", "var x = a < b"] {
        let text = format!("package m\n\nfunc f(a, b int) bool {{\n\treturn a < b\n}}\n\n{end}");
        let found = discovered(&Case { source: text.into_bytes(), ..case("G19") }, |rule| rule.id == "condition/boundary");
        assert_eq!(found.notices, [""; 0], "{end}");
        assert_eq!(found.mutants.len(), if end.contains('<') { 2 } else { 1 }, "{end}");
    }
}

#[test]
fn f02_every_line_keeps_its_carriage_return() {
    for text in texts("F02", all_rules) {
        assert_eq!(text.matches("\r\n").count(), text.matches('\n').count(), "{text:?}");
    }
}

#[test]
fn f04_the_byte_that_is_no_utf_8_stays() {
    let made = mutated(&case("F04"), |rule| rule.id == "condition/boundary");
    assert_eq!(made, [b"# -*- coding: latin-1 -*-\ns = \"caf\xe9\"; ok = a <= b\n"]);
}

#[test]
fn f06_the_last_line_stays_as_it_ends() {
    assert_eq!(texts("F06", |rule| rule.id == "condition/boundary"), ["ok = a <= b"]);
}

#[test]
fn f07_the_broken_function_is_passed_over_and_the_user_is_told() {
    let case = case("F07");
    let found = discovered(&case, all_rules);
    assert!(!found.notices.is_empty(), "nothing says that the file has syntax errors");
    let broken = case.source.windows(4).position(|window| window == b"def ").expect("the broken function");
    assert!(found.mutants.iter().all(|mutant| mutant.edit.span.end <= broken), "a mutant in the broken function");
}

#[test]
fn none_of_the_cases_of_javascript_and_typescript_is_passed_over() {
    let languages = ["javascript", "typescript", "tsx"];
    let count = data::all().into_iter().filter(|case| languages.contains(&case.language.as_str())).count();
    assert_eq!(count, 37 + 7, "pitfalls and reports");
    assert!(languages.iter().all(|name| language::by_name(name).is_some()));
}

#[test]
fn t21_markup_that_the_parser_does_not_know_is_passed_over_and_the_rest_is_mutated() {
    let case = case("T21");
    let text = [&case.source[..], b"const f = (a) => a + 1;\n"].concat();
    let found = discovered(&Case { source: text.clone(), ..case }, |rule| rule.id == "operator/arithmetic");
    let made: Vec<Vec<u8>> = found.mutants.iter().map(|mutant| mutant.edit.apply(&text)).collect();
    assert_eq!(made.len(), 1);
    assert!(contains(&made[0], "<A>fish & chips</A>;\nconst f = (a) => a - 1;"), "{}", String::from_utf8_lossy(&made[0]));
    assert!(!found.notices.is_empty(), "nothing says that the file has syntax errors");
}

#[test]
fn t25_and_t38_the_statement_is_left_out_and_nothing_else() {
    let call_remove = |rule: &Rule| rule.id == "statement/call-remove";
    assert_eq!(texts("T25", call_remove), ["if (a) {} else g();\n", "if (a) f(); else {}\n"]);
    assert_eq!(texts("T38", call_remove), ["if (a) {}\n"]);
}

#[test]
fn t23_an_arrow_never_gets_a_block_for_an_object() {
    for text in texts("T23", all_rules) {
        assert!(!text.contains("=> {"), "{text}");
    }
}

#[test]
fn t27_nothing_in_the_head_of_the_loop_is_mutated() {
    assert!(texts("T27", all_rules).iter().all(|text| text.starts_with("for (const k in o) ")));
}

#[test]
fn x11_no_mutant_of_any_rule_mixes_a_default_with_a_logical_operator() {
    for text in texts("X11", all_rules) {
        assert!(!text.contains("||") && !text.contains("&&"), "{text}");
    }
}

#[test]
fn a18_the_identity_short_cut_of_equals_is_left_alone_and_what_it_returns_is_not() {
    let made = texts("A18", |rule| rule.id != "statement/function-body");
    assert!(made.iter().all(|text| text.contains("if (o == this)")), "{made:#?}");
    assert!(made.iter().any(|text| text.contains("{ return false; } return o instanceof")), "{made:#?}");
}

#[test]
fn j06_the_handler_still_has_something_to_catch_in_every_mutant() {
    let made = texts("J06", all_rules);
    assert!(made.iter().all(|text| text.contains("g()") || text.contains("void f() { }")), "{made:#?}");
    assert!(made.iter().any(|text| text.contains("{ if (false) h(); }")), "{made:#?}");
}

#[test]
fn j08_a_name_that_is_declared_as_text_is_joined_without_a_literal_as_well() {
    assert_eq!(java("class T { String f(String a, int b) { return a + b; } }", "operator/arithmetic"), [""; 0]);
}

#[test]
fn j14_each_default_is_the_one_of_its_type() {
    let made = texts("J14", |rule| rule.id == "return/default");
    let own = ["f() { return 0; }", "h() { return 0; }", "s() { return \"\"; }", "o() { return null; }", "x() { return null; }"];
    for (text, own) in made.iter().zip(own) {
        assert!(text.contains(own), "{text} lacks {own}");
    }
}

#[test]
fn j16_no_mutant_adds_a_return_to_a_compact_constructor() {
    let made = texts("J16", all_rules);
    assert!(made.iter().all(|text| !text.contains("return")), "{made:#?}");
}

#[test]
fn j17_a_switch_expression_keeps_its_cases() {
    let made = texts("J17", |rule| rule.id != "return/default");
    assert!(made.iter().all(|text| text.contains("case 1 -> ") && text.contains("default -> ")), "{made:#?}");
    assert!(made.iter().any(|text| text.contains("case 1 -> 3;")), "{made:#?}");
}

#[test]
fn j18_nothing_behind_an_arrow_becomes_a_statement() {
    let made = texts("J18", |rule| rule.tier == mutate::rule::Tier::Default);
    assert_eq!(made, ["class T { void f(int k) { } }\n"]);
}

#[test]
fn j21_the_file_is_mutated_outside_of_the_statement_with_the_escape() {
    let made = texts("J21", all_rules);
    assert!(made.iter().all(|text| !text.contains("true \\u003c")), "{made:#?}");
    let source = "class T { boolean f(int a, int b) { return a \\u003c b; } boolean g(int a, int b) { return a < b; } }";
    assert_eq!(java(source, "condition/boundary").len(), 1);
}

/// What one rule makes of a Java source.
fn java(source: &str, rule: &str) -> Vec<String> {
    let language = language::by_name("java").expect("the language is known");
    let path = ProjectPath::new(Path::new("T.java")).expect("a path in the project");
    let source = Source { path, language, text: source.into() };
    let found = discover(&source, &Catalogue::built_in().choose(|known| known.id == rule)).expect("no ignored region");
    found.mutants.iter().map(|mutant| String::from_utf8(mutant.edit.apply(&source.text)).expect("UTF-8")).collect()
}
