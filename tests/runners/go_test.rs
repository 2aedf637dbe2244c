//! `go test` on the real toolchain: which tests run, and what is told of them.

use crate::scene::{Asked, Scene, Told};
use mutate::error::Kind;

pub const MODULE: &str = "module example.com/shop\n\ngo 1.20\n";

/// A file of tests of the package `shop` in the root, which imports `testing`.
pub fn tests(text: &str) -> String {
    format!("package shop\n\nimport \"testing\"\n\n{text}\n")
}

pub fn module(files: &[(&str, &str)]) -> Scene {
    let scene = Scene::go(files);
    scene.write("go.mod", MODULE);
    scene
}

pub fn with_tests(text: &str) -> Scene {
    module(&[("shop.go", "package shop\n"), ("shop_test.go", &tests(text))])
}

pub fn message<'t>(told: &'t Told, test: &str) -> &'t str {
    &told.failure(test).message
}

#[test]
fn tests_examples_and_seeds_run_and_benchmarks_do_not() {
    let scene = with_tests(
        "func TestPasses(t *testing.T) {}\nfunc TestFails(t *testing.T) { t.Log(\"before\"); t.Errorf(\"got %d\", 3) }\n\
         func TestSkipped(t *testing.T) { t.Skip(\"not here\") }\nfunc Testify(t *testing.T) { t.Fatal(\"is no test\") }\n\
         func FuzzSeeds(f *testing.F) { f.Add(1); f.Add(7); f.Fuzz(func(t *testing.T, n int) { if n == 7 { t.Error(\"seven\") } }) }\n\
         func BenchmarkNever(b *testing.B) { b.Fatal(\"ran\") }\nfunc helper(t *testing.T) {}",
    );
    let example = "package shop_test\n\nimport \"fmt\"\n\nfunc Example_right() {\n\tfmt.Println(1)\n\t// Output: 1\n}\n\n\
                   func Example_wrong() {\n\tfmt.Println(1)\n\t// Output: 2\n}\n\nfunc Example_neverRun() {\n\tpanic(1)\n}\n";
    scene.write("example_test.go", example);
    let told = scene.all();
    told.is_finished().has_lines(&[
        ".::TestPasses passed",
        ".::TestFails failed ",
        ".::TestSkipped skipped",
        ".::FuzzSeeds failed ",
        ".::Example_right passed",
        ".::Example_wrong failed ",
    ]);
    assert_eq!(message(&told, ".::TestFails"), "shop_test.go:6: before\nshop_test.go:6: got 3");
    assert_eq!(message(&told, ".::FuzzSeeds"), "FuzzSeeds/seed#1: shop_test.go:9: seven");
    assert_eq!(message(&told, ".::Example_wrong"), "got:\n1\nwant:\n2");
    assert_eq!(told.run.collected.len(), 6);
}

#[test]
fn exactly_the_selected_tests_run() {
    let scene = with_tests(
        "func TestA(t *testing.T) {}\nfunc TestAB(t *testing.T) { t.Fatal() }\nfunc TestÄ(t *testing.T) {}\n\
         func TestB(t *testing.T) { t.Run(\"TestAB\", func(t *testing.T) {}) }",
    );
    let told = scene.only(&[".::TestÄ", ".::TestB", ".::TestA"]);
    told.is_finished().has_lines(&[".::TestA passed", ".::TestÄ passed", ".::TestB passed"]);
}

#[test]
fn what_is_not_there_is_missing_and_never_passed() {
    let scene = with_tests("func TestA(t *testing.T) {}");
    let told = scene.only(&[".::TestGone", "nowhere::TestA", ".::TestA"]);
    told.is_finished().has_lines(&[".::TestA passed"]);
    assert_eq!(told.missing(), [".::TestGone", "nowhere::TestA"]);
}

#[test]
fn a_failing_subtest_is_named_however_odd_its_name() {
    let scene = with_tests(
        "func TestTable(t *testing.T) {\n\tfor _, name := range []string{\"a b\", \"a b\", \"x/y (z)\", \"\"} {\n\t\t\
         t.Run(name, func(t *testing.T) { if t.Name() == \"TestTable/a_b#01\" { t.Fatal(\"no\") } })\n\t}\n}\n\
         func TestDeep(t *testing.T) { t.Run(\"x/y (z)\", func(t *testing.T) { t.Run(\"in\", func(t *testing.T) { t.Fatal(\"deep\") }) }) }",
    );
    let told = scene.all();
    told.is_finished().has_lines(&[".::TestTable failed ", ".::TestDeep failed "]);
    assert_eq!(message(&told, ".::TestTable"), "TestTable/a_b#01: shop_test.go:7: no");
    assert_eq!(message(&told, ".::TestDeep"), "TestDeep/x/y_(z)/in: shop_test.go:10: deep");
}

#[test]
fn a_run_stops_at_the_first_failure_in_whatever_package() {
    let scene = with_tests("func TestA(t *testing.T) { t.Fatal() }\nfunc TestB(t *testing.T) {}");
    scene.write("sub/sub_test.go", "package sub\n\nimport \"testing\"\n\nfunc TestC(t *testing.T) {}\n");
    let bail = |only| scene.run(Asked { bail: true, only, ..Asked::default() }).lines();
    assert_eq!(bail(None), [".::TestA failed "]);
    assert_eq!(bail(Some(&[".::TestA", ".::TestB", "sub::TestC"][..])), [".::TestA failed "]);
    assert_eq!(bail(Some(&["sub::TestC", ".::TestA"][..])), ["sub::TestC passed", ".::TestA failed "]);
    scene.all().has_lines(&[".::TestA failed ", ".::TestB passed", "sub::TestC passed"]);
}

#[test]
fn parallel_tests_are_told_apart() {
    let scene = with_tests(
        "func TestA(t *testing.T) { t.Parallel(); t.Log(\"a\") }\nfunc TestB(t *testing.T) { t.Parallel(); t.Error(\"b\") }\n\
         func TestC(t *testing.T) {}\nfunc TestD(t *testing.T) { t.Parallel(); t.Error(\"d\") }",
    );
    let told = scene.all();
    told.is_finished();
    let mut lines = told.lines();
    lines.sort();
    assert_eq!(lines, [".::TestA passed", ".::TestB failed ", ".::TestC passed", ".::TestD failed "]);
    assert!(message(&told, ".::TestB").ends_with(": b") && message(&told, ".::TestD").ends_with(": d"), "{told:#?}");
}

/// Libraries for tests test themselves in this way.
#[test]
fn tests_that_a_test_runs_itself_do_not_count() {
    let scene = with_tests(
        "func all(pattern, name string) (bool, error) { return true, nil }\n\nfunc TestOuter(t *testing.T) {\n\t\
         inner := []testing.InternalTest{{Name: \"TestLater\", F: func(t *testing.T) { t.Run(\"in\", func(t *testing.T) { t.Fatal(\"meant\") }) }}}\n\t\
         if testing.RunTests(all, inner) {\n\t\tt.Fatal(\"it passed\")\n\t}\n}\n\nfunc TestLater(t *testing.T) {}",
    );
    scene.all().is_finished().has_lines(&[".::TestOuter passed", ".::TestLater passed"]);
}

#[test]
fn what_tests_print_is_no_result() {
    let scene = with_tests(
        "func TestA(t *testing.T) { print(\"--- FAIL: TestA (0.00s)\\nFAIL\\n\"); println(\"=== RUN   TestB\"); print(\"no line end\") }\n\
         func TestB(t *testing.T) { print(\"no line end\") }",
    );
    scene.all().is_finished().has_lines(&[".::TestA passed", ".::TestB passed"]);
}

#[test]
fn a_program_that_does_not_compile_is_refused_with_the_first_error() {
    let scene = with_tests("func TestA(t *testing.T) { if Price() != 3 { t.Fatal() } }");
    scene.write("shop.go", "package shop\n\nfunc Price() int {\n\tunused := 3\n\treturn \"x\"\n}\n");
    scene.write("sub/sub_test.go", "package sub\n\nimport \"testing\"\n\nfunc TestC(t *testing.T) {}\n");
    let told = scene.all();
    let (id, failure) = told.load_failure();
    assert_eq!((id, failure.kind.as_str()), (".", "CompileError"));
    assert_eq!(failure.message, "shop.go:4:2: declared and not used: unused");
    assert_eq!(failure.file.as_deref(), scene.root().join("shop.go").to_str());
    assert!(told.run.load_failures[0].refused && told.run.results.is_empty(), "{told:#?}");
}

#[test]
fn every_way_not_to_be_a_program_is_refused() {
    for (text, error) in [
        ("package shop\n\nfunc Price() int {", "shop.go:3:19: syntax error"),
        ("packag shop\n", "shop.go:1:1: expected 'package'"),
        ("package other\n", "found packages other (shop.go) and shop (shop_test.go)"),
        ("package shop\n\nvar a, b = b, a\n", "shop.go:3:5: initialization cycle"),
    ] {
        let scene = with_tests("func TestA(t *testing.T) {}");
        let runner = scene.runner();
        scene.write("shop.go", text);
        let told = scene.run_with(&*runner, Asked::default());
        let (_, failure) = told.load_failure();
        assert!(failure.message.contains(error), "{}", failure.message);
        assert!(told.run.load_failures[0].refused, "{told:#?}");
    }
}

#[test]
fn a_complaint_of_vet_is_no_failure() {
    let scene = with_tests("func TestA(t *testing.T) { x := 1; if x == 1 && x == 1 { t.Logf(\"%d\", \"x\") } }");
    scene.all().is_finished().has_lines(&[".::TestA passed"]);
}

#[test]
fn tests_of_other_packages_see_the_change() {
    let scene = module(&[
        ("price/price.go", "package price\n\nfunc Total(n int) int { return n * 2 }\n"),
        (
            "till/till_test.go",
            "package till_test\n\nimport (\n\t\"testing\"\n\n\t\"example.com/shop/price\"\n)\n\nfunc TestTill(t *testing.T) {\n\tif got := price.Total(2); got != 4 {\n\t\tt.Fatalf(\"got %d\", got)\n\t}\n}\n",
        ),
    ]);
    let runner = scene.runner();
    assert_eq!(scene.run_with(&*runner, Asked::default()).lines(), ["till::TestTill passed"]);
    scene.write("price/price.go", "package price\n\nfunc Total(n int) int { return n + 3 }\n");
    let told = scene.run_with(&*runner, Asked { only: Some(&["till::TestTill"]), ..Asked::default() });
    assert_eq!(message(&told, "till::TestTill"), "till_test.go:11: got 5");
}

#[test]
fn tests_run_in_the_folder_of_their_package_also_in_a_copy() {
    let read = "func TestRead(t *testing.T) {\n\tif text, err := os.ReadFile(\"testdata/a\"); err != nil || string(text) != \"a\" {\n\t\tt.Fatal(err)\n\t}\n\t\
                if dir, _ := os.Getwd(); dir != os.Getenv(\"PWD\") || filepath.Base(dir) != \"sub\" {\n\t\tt.Fatal(dir)\n\t}\n}\n";
    let file = format!("package sub\n\nimport (\n\t\"os\"\n\t\"path/filepath\"\n\t\"testing\"\n)\n\n{read}");
    let scene = module(&[("sub/sub_test.go", &file), ("sub/testdata/a", "a")]).copied();
    scene.all().is_finished().has_lines(&["sub::TestRead passed"]);
}

#[test]
fn tests_are_chosen_by_file_folder_and_name() {
    let test = |name: &str| tests(&format!("func {name}(t *testing.T) {{}}"));
    let sub =
        "package sub\n\nimport \"testing\"\n\nfunc TestC(t *testing.T) { t.Run(\"bad one\", func(t *testing.T) { t.Fatal() }) }\n";
    let mut scene = module(&[("a_test.go", &test("TestA")), ("b_test.go", &test("TestB")), ("sub/sub_test.go", sub)]);
    scene.settings.tests = vec!["b_test.go".into(), "sub".into()];
    scene.all().has_lines(&[".::TestB passed", "sub::TestC failed "]);
    scene.settings.deselect = vec![mutate::suite::TestId::new("sub::TestC/bad_one")];
    scene.all().has_lines(&[".::TestB passed", "sub::TestC passed"]);
    scene.settings.deselect = vec![mutate::suite::TestId::new("sub::TestC")];
    scene.all().has_lines(&[".::TestB passed"]);
    scene.settings.deselect = vec![mutate::suite::TestId::new(".")];
    scene.all().has_lines(&["sub::TestC failed "]);
}

#[test]
fn a_workspace_is_run_module_by_module() {
    let scene = Scene::go(&[("go.work", "go 1.20\n\nuse (\n\t./a\n\t./b\n)\n")]);
    for name in ["a", "b"] {
        scene.write(&format!("{name}/go.mod"), &format!("module example.com/{name}\n\ngo 1.20\n"));
        scene.write(
            &format!("{name}/x_test.go"),
            &format!("package {name}\n\nimport \"testing\"\n\nfunc TestX(t *testing.T) {{}}\n"),
        );
    }
    scene.all().is_finished().has_lines(&["a::TestX passed", "b::TestX passed"]);
}

#[test]
fn a_module_that_is_not_there_is_said_before_anything_runs() {
    let scene = with_tests("func TestA(t *testing.T) {}");
    let needs = format!("{MODULE}\nrequire example.com/missing v1.0.0\n");
    scene.write("go.mod", &needs);
    scene.write("go.sum", "example.com/missing v1.0.0 h1:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\nexample.com/missing v1.0.0/go.mod h1:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\n");
    scene.write("shop.go", "package shop\n\nimport _ \"example.com/missing\"\n");
    let error = scene.try_runner().err().unwrap();
    assert_eq!(error.kind, Kind::Environment);
    assert!(error.to_string().contains("go mod download"), "{error}");
}

#[test]
fn a_module_that_wants_a_newer_go_is_said_in_its_words() {
    let scene = with_tests("func TestA(t *testing.T) {}");
    scene.write("go.mod", "module example.com/shop\n\ngo 1.999\n");
    let error = scene.try_runner().err().unwrap();
    assert_eq!(error.kind, Kind::Environment);
    assert!(error.to_string().contains("1.999"), "{error}");
}

#[test]
fn files_of_tests_without_tests_are_nothing_to_measure() {
    let error = with_tests("func helper(t *testing.T) {}").try_runner().err().unwrap();
    assert_eq!(error.kind, Kind::NothingToMeasure);
}
