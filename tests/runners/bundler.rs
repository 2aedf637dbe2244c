//! RSpec by Bundler, with the gems of the system: what `Gemfile.lock` asks for is what runs.

use std::process::Command;

use crate::scene::Scene;

/// A project with what people add to RSpec, and the lock file that Bundler itself writes for it without a network.
fn bundled() -> Scene {
    let scene = Scene::new(
        "rspec",
        &[
            ("Gemfile", "source 'https://rubygems.org'\ngem 'rspec'\ngem 'rspec-retry'\ngem 'simplecov', require: false\n"),
            (".rspec", "--order random\n--format documentation\n--require spec_helper\n"),
            ("spec/spec_helper.rb", HELPER),
            ("lib/shop.rb", "def price(count)\n  count * 10\nend\n"),
            ("spec/shop_spec.rb", SPEC),
        ],
    );
    let locked = Command::new("bundle").args(["lock", "--local"]).current_dir(scene.root()).output().unwrap();
    assert!(locked.status.success(), "{locked:?}");
    scene
}

const HELPER: &str = "require 'simplecov'\nSimpleCov.start\nrequire 'rspec/retry'\nrequire_relative '../lib/shop'\n\
                      RSpec.configure do |config|\n  config.order = :random\n  Kernel.srand config.seed\n  config.verbose_retry = true\nend\n";
const SPEC: &str = "RSpec.describe 'price' do\n  it('of one') { expect(price(1)).to eq(10) }\n  it('of two') { expect(price(2)).to eq(20) }\n  \
                    it('tries again', retry: 3) { $tries = $tries.to_i + 1; expect($tries).to eq(2) }\nend\n";

/// The files of the project, sorted.
fn files(scene: &Scene) -> String {
    let found = Command::new("find").arg(".").args(["-type", "f"]).current_dir(scene.root()).output().unwrap();
    let text = String::from_utf8(found.stdout).unwrap();
    let mut lines: Vec<&str> = text.lines().collect();
    lines.sort_unstable();
    lines.join("\n")
}

#[test]
fn bundled_specs_run_in_their_order_and_once_and_leave_nothing_behind() {
    let scene = bundled();
    let before = files(&scene);
    let told = scene.all();
    told.is_finished().has_lines(&[
        "spec/shop_spec.rb::price of one passed",
        "spec/shop_spec.rb::price of two passed",
        "spec/shop_spec.rb::price tries again failed RSpec::Expectations::ExpectationNotMetError",
    ]);
    assert_eq!(told.run.retried.iter().map(|id| id.as_str()).collect::<Vec<_>>(), ["spec/shop_spec.rb::price tries again"]);
    assert!(told.run.notices.iter().all(|notice| !notice.contains("without Bundler")), "{told:#?}");
    assert_eq!(files(&scene), before);
}

#[test]
fn a_person_is_shown_the_command_with_bundler() {
    let scene = bundled();
    let words = scene.runner().plain_command(scene.root(), &[]).unwrap();
    assert_eq!(words[..3], ["bundle", "exec", "rspec"]);
}

#[test]
fn a_gem_that_only_bundler_would_find_is_said_before_anything_runs() {
    let scene = bundled();
    scene.write("Gemfile", "source 'https://rubygems.org'\ngem 'no_such_gem_of_shop'\n");
    let told = scene.all();
    told.is_noticed("without Bundler, which cannot set the project up");
}

#[test]
fn a_library_that_keeps_no_lock_file_is_set_up_by_its_own_helper() {
    let scene = bundled();
    std::fs::remove_file(scene.root().join("Gemfile.lock")).unwrap();
    scene.write("spec/spec_helper.rb", &format!("require 'bundler/setup'\n{HELPER}"));
    scene.only(&["spec/shop_spec.rb::price of one"]).is_finished().has_lines(&["spec/shop_spec.rb::price of one passed"]);
}

#[test]
fn a_gem_that_the_helper_misses_is_named_with_the_command_that_installs_it() {
    let scene = bundled();
    std::fs::remove_file(scene.root().join("Gemfile.lock")).unwrap();
    scene.write("Gemfile", "source 'https://rubygems.org'\ngem 'no_such_gem_of_shop'\n");
    scene.write("spec/spec_helper.rb", &format!("require 'bundler/setup'\n{HELPER}"));
    let told = scene.all();
    let (_, failure) = told.load_failure();
    let first = failure.message.lines().next().unwrap();
    assert!(
        first.starts_with("Could not find gem 'no_such_gem_of_shop'") && first.ends_with("run `bundle install`"),
        "{failure:?}"
    );
}
