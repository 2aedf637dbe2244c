//! RSpec: selection, results, hooks, load errors, reach, and what a project's settings may ask for.

use crate::scene::{Asked, Scene, Told};

fn rspec(files: &[(&str, &str)]) -> Scene {
    Scene::new("rspec", files)
}

fn spec(text: &str) -> Scene {
    rspec(&[("spec/a_spec.rb", text)])
}

fn bail(scene: &Scene) -> Told {
    scene.run(Asked { bail: true, ..Asked::default() })
}

#[test]
fn examples_are_named_by_file_and_description_and_told_apart() {
    let text = "RSpec.describe 'a' do\n  it('b') {}\n  it('b') {}\n  it { expect(1).to eq(1) }\n  it(\"é\\n'\\\"\") {}\nend\n";
    let ids = ["spec/a_spec.rb::a b", "spec/a_spec.rb::a b [1:2]", "spec/a_spec.rb::a  (line 4)", "spec/a_spec.rb::a é\n'\""];
    spec(text).all().is_finished().has_lines(&ids.map(|id| format!("{id} passed")).each_ref().map(String::as_str));
}

#[test]
fn exactly_the_named_examples_run_in_the_order_of_their_files() {
    let two = "RSpec.describe 'a' do\n  it('b') {}\n  it('b') {}\n  it('b c') {}\n  describe('d') { it('e') {} }\nend\n";
    let scene = rspec(&[("spec/a_spec.rb", two), ("spec/b_spec.rb", two), ("spec/c_spec.rb", "raise 'never loaded'\n")]);
    scene
        .only(&["spec/b_spec.rb::a d e", "spec/a_spec.rb::a b [1:2]"])
        .is_finished()
        .has_lines(&["spec/b_spec.rb::a d e passed", "spec/a_spec.rb::a b [1:2] passed"]);
}

#[test]
fn an_example_that_is_not_there_is_missing_though_rspec_is_content() {
    let told = spec("RSpec.describe('a') { it('b') {} }\n").only(&["spec/a_spec.rb::a c"]);
    assert_eq!(told.missing(), ["spec/a_spec.rb::a c"]);
    told.is_finished().has_lines(&[]);
    assert_eq!(told.ended.exit, mutate::scratch::process::Exit::Code(0));
}

#[test]
fn pending_skipped_and_failed_examples_are_told_apart() {
    let text = "RSpec.describe 'a' do\n  it('p') { pending; raise 'x' }\n  xit('s') {}\n  it('k') { skip }\n  it('f') { pending; 1 }\n  \
                it('e') { raise IOError, 'no' }\nend\n";
    spec(text).all().is_finished().has_lines(&[
        "spec/a_spec.rb::a p passed",
        "spec/a_spec.rb::a s skipped",
        "spec/a_spec.rb::a k skipped",
        "spec/a_spec.rb::a f failed RSpec::Core::Pending::PendingExampleFixedError",
        "spec/a_spec.rb::a e failed IOError",
    ]);
}

#[test]
fn the_run_stops_at_the_first_failure_only_if_asked_to() {
    let scene = spec("RSpec.describe 'a' do\n  it('b') { raise 'x' }\n  it('c') {}\nend\n");
    scene.write(".rspec", "--fail-fast\n--order random\n");
    scene.all().is_finished().has_lines(&["spec/a_spec.rb::a b failed RuntimeError", "spec/a_spec.rb::a c passed"]);
    bail(&scene).is_finished().has_lines(&["spec/a_spec.rb::a b failed RuntimeError"]);
}

#[test]
fn a_file_that_does_not_load_is_told_with_its_error() {
    let scene =
        rspec(&[("spec/a_spec.rb", "require 'shop'\nRSpec.describe('a') { it('b') {} }\n"), ("lib/shop.rb", "raise 'no'\n")]);
    let told = scene.all();
    let (id, failure) = told.load_failure();
    assert_eq!((id, failure.kind.as_str(), failure.message.as_str()), ("spec/a_spec.rb", "RuntimeError", "no"));
    told.is_finished().has_lines(&[]);
}

#[test]
fn a_file_that_does_not_load_is_named_alone_though_rspec_suggests_another() {
    // RSpec then says: `Did you mean? rspec ./spec/shop_spec.rb`.
    let scene = rspec(&[
        ("spec/shops_spec.rb", "require 'not_there'\nRSpec.describe('a') { it('b') {} }\n"),
        ("spec/shop_spec.rb", "RSpec.describe('a') { it('b') {} }\n"),
    ]);
    let told = scene.all();
    let (id, failure) = told.load_failure();
    assert_eq!((id, failure.kind.as_str()), ("spec/shops_spec.rb", "LoadError"));
}

#[test]
fn a_file_that_ruby_refuses_is_named() {
    let scene = rspec(&[("spec/a_spec.rb", "RSpec.describe('a') { it('b') { require 'shop' } }\n"), ("lib/shop.rb", "def (\n")]);
    let told = scene.all();
    let (_, failure) = told.load_failure();
    assert_eq!(failure.kind, "SyntaxError");
    assert!(failure.file.as_ref().is_some_and(|file| file.ends_with("lib/shop.rb")), "{failure:?}");
}

#[test]
fn a_helper_that_does_not_load_is_told() {
    let scene = spec("RSpec.describe('a') { it('b') {} }\n");
    scene.write(".rspec", "--require spec_helper\n");
    scene.write("spec/spec_helper.rb", "raise 'no'\n");
    assert_eq!(scene.all().load_failure().1.message, "no");
}

#[test]
fn a_hook_of_a_group_that_fails_fails_every_example_that_needs_it() {
    let text = "RSpec.describe 'a' do\n  before(:context) { raise 'x' }\n  it('b') {}\n  it('c') {}\nend\n";
    spec(text)
        .all()
        .is_finished()
        .has_lines(&["spec/a_spec.rb::a b failed RuntimeError", "spec/a_spec.rb::a c failed RuntimeError"]);
}

#[test]
fn a_hook_after_a_group_that_fails_fails_the_last_example() {
    let told = spec("RSpec.describe 'a' do\n  after(:context) { raise 'x' }\n  it('b') {}\nend\n").all();
    assert_eq!(told.failure("spec/a_spec.rb::a b").message, "in after(:context): x");
}

#[test]
fn an_example_that_ends_the_process_is_unfinished() {
    for text in ["exit 3", "exit! 3", "Process.kill(:KILL, Process.pid)"] {
        let told = spec(&format!("RSpec.describe('a') {{ it('b') {{ {text} }} }}\n")).all();
        assert_eq!(told.run.unfinished.as_ref().map(|id| id.as_str()), Some("spec/a_spec.rb::a b"), "{text}");
        assert!(!told.run.finished && told.run.results.is_empty(), "{text}");
    }
}

#[test]
fn a_forked_child_reports_nothing() {
    let text = "RSpec.describe 'a' do\n  it('b') { Process.wait(fork { RSpec.world.wants_to_quit = false; exit 1 }) }\n  it('c') {}\nend\n";
    spec(text).all().is_finished().has_lines(&["spec/a_spec.rb::a b passed", "spec/a_spec.rb::a c passed"]);
}

#[test]
fn shared_examples_belong_to_the_file_that_includes_them() {
    let scene = rspec(&[
        ("spec/shared.rb", "RSpec.shared_examples('s') { it('t') { raise 'x' if described_class == Array } }\n"),
        ("spec/a_spec.rb", "require_relative 'shared'\nRSpec.describe(Array) { it_behaves_like 's' }\n"),
        ("spec/b_spec.rb", "require_relative 'shared'\nRSpec.describe(Hash) { it_behaves_like 's' }\n"),
    ]);
    let lines = ["spec/a_spec.rb::Array behaves like s t failed RuntimeError", "spec/b_spec.rb::Hash behaves like s t passed"];
    scene.all().is_finished().has_lines(&lines);
    scene.only(&["spec/b_spec.rb::Hash behaves like s t"]).is_finished().has_lines(&lines[1..]);
}

#[test]
fn a_deselected_example_or_group_never_runs() {
    let mut scene = spec("RSpec.describe 'a' do\n  describe('b') { it('c') {} }\n  it('d') {}\nend\n");
    scene.settings.deselect = vec![mutate::suite::TestId::new("spec/a_spec.rb::a b")];
    scene.all().is_finished().has_lines(&["spec/a_spec.rb::a d passed"]);
}

#[test]
fn hits_belong_to_the_example_that_runs_to_the_group_of_a_hook_and_to_all_while_loading() {
    let text = "_mu_(1)\nRSpec.describe 'a' do\n  it('b') { _mu_(2); 2.times { _mu_(3) } }\n  it('c') { require_relative 'late'; _mu_(4) }\n  \
                context 'd' do\n    before(:context) { _mu_(5) }\n    it('e') {}\n    it('f') {}\n  end\nend\n";
    let told = rspec(&[("spec/a_spec.rb", text), ("spec/late.rb", "_mu_(6)\n")]).reach();
    assert_eq!(told.while_loading(), [1, 6]);
    assert_eq!(told.reached("spec/a_spec.rb::a b"), [2, 3]);
    assert_eq!(told.reached("spec/a_spec.rb::a c"), [4]);
    assert_eq!(told.reached("spec/a_spec.rb::a d e"), [5]);
    assert_eq!(told.reached("spec/a_spec.rb::a d f"), [5]);
}

#[test]
fn hits_of_started_and_forked_processes_count() {
    let text = "require 'rbconfig'\nRSpec.describe 'a' do\n  it('b') { system(RbConfig.ruby, '-e', '_mu_(1)') }\n  \
                it('c') { Process.wait(fork { _mu_(2); exit!(0) }) }\n  it('d') { Class.new(BasicObject) { def f; _mu_(3); end }.new.f }\nend\n";
    let told = spec(text).reach();
    assert_eq!(told.reached("spec/a_spec.rb::a b"), [1]);
    assert_eq!(told.reached("spec/a_spec.rb::a c"), [2]);
    assert_eq!(told.reached("spec/a_spec.rb::a d"), [3]);
}

#[test]
fn statuses_are_not_kept_and_examples_that_are_meant_to_be_retried_are_named() {
    let scene = spec("RSpec.describe('a') { it('b', retry: 3) {}\n it('c') {} }\n");
    scene.write(".rspec", "--require spec_helper\n--only-failures\n");
    scene.write("spec/spec_helper.rb", "RSpec.configure { |c| c.example_status_persistence_file_path = 'status.txt' }\n");
    let told = scene.all();
    told.is_finished().has_lines(&["spec/a_spec.rb::a b passed", "spec/a_spec.rb::a c passed"]);
    assert_eq!(told.run.retried.iter().map(|id| id.as_str()).collect::<Vec<_>>(), ["spec/a_spec.rb::a b"]);
    assert!(!scene.root().join("status.txt").exists());
}

#[test]
fn a_count_of_tries_for_all_examples_says_nothing_about_any_of_them() {
    let scene =
        spec("RSpec.describe('a') { it('b') { $n = $n.to_i + 1; raise 'first' if $n < 2 }\n it('c') {}\n it('d', retry: 2) {} }\n");
    scene.write(".rspec", "--require spec_helper\n");
    scene.write("spec/spec_helper.rb", "require 'rspec/retry'\nRSpec.configure { |c| c.default_retry_count = 3 }\n");
    let told = scene.all();
    // What fails at times still shows: every example runs once.
    let lines = ["spec/a_spec.rb::a b failed RuntimeError", "spec/a_spec.rb::a c passed", "spec/a_spec.rb::a d passed"];
    told.is_finished().has_lines(&lines).is_noticed("rspec-retry: a failed example is not run again");
    assert_eq!(told.run.retried.iter().map(|id| id.as_str()).collect::<Vec<_>>(), ["spec/a_spec.rb::a d"]);
}

#[test]
fn a_file_of_the_users_own_tree_is_told_when_the_tests_should_run_a_copy() {
    let scene = rspec(&[("lib/shop.rb", "SHOP = 1\n"), ("spec/a_spec.rb", "")]);
    let original = scene.root().join("lib/shop.rb");
    scene.write("spec/a_spec.rb", &format!("require '{}'\nRSpec.describe('a') {{ it('b') {{}} }}\n", original.display()));
    assert_eq!(scene.copied().all().run.outside, [original.display().to_string()]);
}

#[test]
fn the_command_of_a_person_names_the_file_and_the_example() {
    let scene = spec("RSpec.describe('a') { it('b') {} }\n");
    let id = mutate::suite::TestId::new("spec/a_spec.rb::a b");
    let words = scene.runner().plain_command(scene.root(), &[id]).unwrap();
    assert_eq!(words, ["rspec", "spec/a_spec.rb", "-e", "a b"]);
}
