//! How test binaries of Go end: panics, exits in the middle, and what stands around the tests.

use crate::go_test::{message, module, tests, with_tests};
use crate::scene::Scene;

fn with_main(imports: &str, before: &str, after: &str, rest: &str) -> Scene {
    let text = format!(
        "package shop\n\nimport (\n{imports}\t\"os\"\n\t\"testing\"\n)\n\nfunc TestMain(m *testing.M) {{\n\t{before}\n\tcode := m.Run()\n\t{after}\n\tos.Exit(code)\n}}\n\n\
         func TestA(t *testing.T) {{}}\n\n{rest}\n"
    );
    module(&[("shop_test.go", &text)])
}

#[test]
fn a_panic_fails_the_test_and_ends_the_package() {
    let scene = with_tests(
        "func TestA(t *testing.T) {}\nfunc TestB(t *testing.T) { var m map[string]int; m[\"a\"] = 1 }\nfunc TestC(t *testing.T) {}",
    );
    let told = scene.all();
    told.has_lines(&[".::TestA passed", ".::TestB failed "]);
    assert!(message(&told, ".::TestB").starts_with("panic: assignment to entry in nil map"), "{told:#?}");
    assert_eq!(told.missing(), [".::TestC"]);
}

#[test]
fn a_panic_in_another_goroutine_fails_the_test_that_ran() {
    let wait = "func TestA(t *testing.T) {}\nfunc TestB(t *testing.T) { done := make(chan int); go func() { panic(\"far away\") }(); <-done }";
    let told = with_tests(wait).all();
    told.has_lines(&[".::TestA passed", ".::TestB failed "]);
    assert!(message(&told, ".::TestB").starts_with("panic: far away"), "{told:#?}");
}

#[test]
fn a_deadlock_fails_the_test_that_ran() {
    let told = with_tests("func TestA(t *testing.T) { <-make(chan int) }").all();
    told.has_lines(&[".::TestA failed "]);
    assert!(message(&told, ".::TestA").starts_with("fatal error: all goroutines are asleep"), "{told:#?}");
}

#[test]
fn an_exit_in_the_middle_of_a_test_fails_it_whatever_the_code() {
    for (code, words) in [(1, "exit code 1"), (0, "unexpected call to os.Exit(0) during test"), (7, "exit code 7")] {
        let text = tests(&format!("func TestA(t *testing.T) {{}}\nfunc TestB(t *testing.T) {{ os.Exit({code}) }}"));
        let scene = module(&[("shop_test.go", &text.replace("import \"testing\"", "import (\n\t\"os\"\n\t\"testing\"\n)"))]);
        let told = scene.all();
        told.has_lines(&[".::TestA passed", ".::TestB failed "]);
        assert!(message(&told, ".::TestB").contains(words), "{code}: {told:#?}");
    }
}

#[test]
fn a_test_main_that_leaves_early_with_0_proves_nothing() {
    let told = with_main("", "if true { os.Exit(0) }", "", "").only(&[".::TestA"]);
    told.has_lines(&[]);
    assert_eq!(told.missing(), [".::TestA"]);
}

#[test]
fn a_test_main_that_fails_before_the_tests_is_a_package_that_does_not_load() {
    let told = with_main("\t\"log\"\n", "log.Fatal(\"no database\")", "", "").all();
    let (id, failure) = told.load_failure();
    assert_eq!(id, ".");
    assert!(failure.message.contains("no database (the test process ended with exit code 1)"), "{}", failure.message);
    assert!(!told.run.load_failures[0].refused);
}

#[test]
fn a_test_main_that_fails_after_the_tests_makes_the_last_one_fail() {
    let told = with_main("", "", "println(\"leaked\"); code = 4", "").all();
    told.is_finished().has_lines(&[".::TestA failed "]);
    assert_eq!(message(&told, ".::TestA"), "in TestMain: leaked (the test process ended with exit code 4)");
}

#[test]
fn a_test_main_that_hides_a_failure_hides_nothing() {
    let told = with_main("", "", "code = 0", "func TestB(t *testing.T) { t.Error(\"seen\") }").all();
    told.is_finished().has_lines(&[".::TestA passed", ".::TestB failed "]);
}

#[test]
fn a_panic_before_the_tests_is_a_package_that_does_not_load() {
    let scene = with_tests("func TestA(t *testing.T) {}");
    scene.write("shop.go", "package shop\n\nvar table = []int{1}\n\nvar last = table[len(table)]\n");
    let told = scene.all();
    let (_, failure) = told.load_failure();
    assert!(failure.message.starts_with("panic: runtime error: index out of range"), "{}", failure.message);
    assert!(!told.run.load_failures[0].refused);
}

#[test]
fn a_package_that_fails_does_not_hide_the_next() {
    let scene = with_tests("func TestA(t *testing.T) { panic(1) }");
    scene.write("sub/sub_test.go", "package sub\n\nimport (\n\t\"os\"\n\t\"testing\"\n)\n\nfunc TestMain(m *testing.M) { m.Run(); os.Exit(3) }\nfunc TestC(t *testing.T) {}\n");
    scene.all().has_lines(&[".::TestA failed ", "sub::TestC failed "]);
}
