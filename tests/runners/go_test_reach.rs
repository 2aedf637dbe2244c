//! Which test of a Go module reaches which probe.

use crate::go_test::{MODULE, module, tests, with_tests};
use crate::scene::Scene;

const WOVEN: &str = "package shop\n\nvar base = func() int { _mu_(1); return 2 }()\n\nfunc Double(n int) int { _mu_(2); return n * base }\n\n\
                     func Half(n int) int { if _mu_(3) || (n > 1) { return n / 2 }; _mu_(4); return 0 }\n";

#[test]
fn each_test_has_what_it_reaches_and_what_runs_before_it() {
    let scene = with_tests(
        "func TestDouble(t *testing.T) { Double(1); Double(2) }\nfunc TestHalf(t *testing.T) { if Half(8) != 4 { t.Fatal() } }\n\
         func TestBoth(t *testing.T) { t.Run(\"a\", func(t *testing.T) { Double(1) }); t.Run(\"b\", func(t *testing.T) { Half(1) }) }\n\
         func TestNone(t *testing.T) {}",
    );
    scene.write("shop.go", WOVEN);
    let told = scene.reach();
    told.is_finished().has_lines(&[".::TestDouble passed", ".::TestHalf passed", ".::TestBoth passed", ".::TestNone passed"]);
    let reached = ["Double", "Half", "Both", "None"].map(|test| told.reached(&format!(".::Test{test}")));
    assert_eq!(reached, [vec![1, 2], vec![1, 3], vec![1, 2, 3, 4], vec![1]]);
    assert!(told.while_loading().is_empty(), "{told:#?}");
}

#[test]
fn nothing_is_written_into_the_project() {
    let scene = with_tests("func TestA(t *testing.T) { Double(1) }");
    scene.write("shop.go", WOVEN);
    scene.reach();
    let mut files: Vec<_> = std::fs::read_dir(scene.root()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    files.sort();
    assert_eq!(files, ["go.mod", "shop.go", "shop_test.go"]);
}

#[test]
fn what_is_kept_from_one_test_for_the_next_is_reached_by_both() {
    let scene = with_tests("func TestA(t *testing.T) { Table() }\nfunc TestB(t *testing.T) { Table() }");
    scene.write(
        "shop.go",
        "package shop\n\nimport \"sync\"\n\nvar once sync.Once\n\nfunc Table() { once.Do(func() { _mu_(7) }) }\n",
    );
    let told = scene.reach();
    assert_eq!([told.reached(".::TestA"), told.reached(".::TestB")], [[7], [7]]);
}

#[test]
fn other_packages_and_started_programs_count() {
    let text = "package main_test\n\nimport (\n\t\"os\"\n\t\"os/exec\"\n\t\"testing\"\n\n\t\"example.com/shop/price\"\n)\n\n\
                func TestChild(t *testing.T) {\n\tif len(os.Args) > 9 {\n\t\tprice.Total(1)\n\t\treturn\n\t}\n\t\
                again := exec.Command(os.Args[0], \"-test.run=^TestChild$\", \"1\", \"2\", \"3\", \"4\", \"5\", \"6\", \"7\", \"8\", \"9\")\n\t\
                again.Env = []string{}\n\tif out, err := again.CombinedOutput(); err != nil {\n\t\tt.Fatal(string(out))\n\t}\n}\n\n\
                func TestProgram(t *testing.T) {\n\tif out, err := exec.Command(\"go\", \"run\", \".\").CombinedOutput(); err != nil {\n\t\tt.Fatal(string(out))\n\t}\n}\n";
    let scene = module(&[
        ("price/price.go", "package price\n\nfunc Total(n int) int { _mu_(1); return n }\n"),
        ("cmd/main.go", "package main\n\nfunc main() { _mu_(2) }\n"),
        ("cmd/main_test.go", text),
    ]);
    let told = scene.reach();
    told.is_finished().has_lines(&["cmd::TestChild passed", "cmd::TestProgram passed"]);
    assert_eq!([told.reached("cmd::TestChild"), told.reached("cmd::TestProgram")], [[1], [2]]);
}

#[test]
fn a_test_that_ends_its_process_has_told_what_it_reached() {
    let scene = module(&[
        ("shop.go", WOVEN),
        ("shop_test.go", &tests("func TestA(t *testing.T) { Double(1); panic(1) }\nfunc TestB(t *testing.T) { Half(1) }")),
    ]);
    let told = scene.reach();
    told.has_lines(&[".::TestA failed ", ".::TestB passed"]);
    assert_eq!([told.reached(".::TestA"), told.reached(".::TestB")], [vec![1, 2], vec![1, 3, 4]]);
}

#[test]
fn a_module_from_before_generics_is_measured_as_well() {
    let scene = Scene::go(&[
        ("go.mod", &MODULE.replace("1.20", "1.12")),
        ("shop.go", WOVEN),
        ("shop_test.go", &tests("func TestA(t *testing.T) { Double(1) }")),
    ]);
    let told = scene.reach();
    told.is_finished().has_lines(&[".::TestA passed"]);
    assert_eq!(told.reached(".::TestA"), [1, 2]);
}

#[test]
fn probes_that_do_not_compile_are_no_reach_of_anything() {
    let scene = with_tests("func TestA(t *testing.T) {}");
    scene.write("shop.go", "package shop\n\nconst limit = _mu_(1)\n");
    let told = scene.reach();
    assert!(told.run.load_failures[0].refused && told.run.reach.by_test.is_empty(), "{told:#?}");
}
