//! Trials of Go run from programs that were built once and hold all mutants: the same verdicts as from new ones, or none.

use std::collections::BTreeMap;

use serde_json::Value;
use support::project::Project;
use support::run::{Finished, Run};

pub mod support;

/// What a run says about one mutant: status, killers, path, and why the path was cold.
type Verdicts = BTreeMap<String, [String; 4]>;

fn finished(project: &Project, arguments: &[&str]) -> Finished {
    let run = Run::of(project).args(["run", ".", "--output-format", "json", "--jobs", "2", "--scratch", "overlay", "--audit", "0"]);
    run.args(arguments).finish()
}

fn verdicts(finished: &Finished) -> Verdicts {
    let report = finished.report();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let mut found = Verdicts::new();
    for file in report["files"].as_object().expect("files").values() {
        for mutant in file["mutants"].as_array().expect("mutants") {
            let evidence = &report["config"]["mutate"]["mutants"][&text(&mutant["id"])];
            let place = format!("{} {} {}", text(&mutant["id"]), mutant["location"]["start"], text(&mutant["description"]));
            let killers = mutant["killedBy"].to_string();
            found.insert(place, [text(&mutant["status"]), killers, text(&evidence["path"]), text(&evidence["coldBecause"])]);
        }
    }
    found
}

/// Both ways: verdicts and killers are the same. Gives those of the warm run.
fn both(project: &Project) -> Verdicts {
    let warm = verdicts(&finished(project, &[]));
    let cold = verdicts(&finished(project, &["--cold"]));
    for (mutant, [status, killers, path, why]) in &warm {
        assert_eq!([status, killers], [&cold[mutant][0], &cold[mutant][1]], "{mutant}, {path} {why}");
    }
    assert!(cold.values().all(|[.., path, _]| !path.starts_with("warm")), "{cold:#?}");
    warm
}

#[test]
fn the_fixture_has_the_same_verdicts_warm_and_cold() {
    let verdicts = both(&Project::copy_of("go-test"));
    let ran = verdicts.values().filter(|[_, _, path, _]| !path.is_empty()).count();
    let warm = verdicts.values().filter(|[_, _, path, _]| path.starts_with("warm")).count();
    assert!(warm + 1 >= ran && warm > 30, "{warm} of {ran}: {verdicts:#?}");
    assert!(verdicts.values().any(|[status, _, path, _]| status == "Timeout" && path.starts_with("warm")), "{verdicts:#?}");
}

/// What stands in the way of copies: labels, named results, recovery, closures, generics, initialisers, directives, C.
const ODD: &str = r#"package odd

import (
	"errors"
	"strings"
)

var table = fill(3)

var limit int

func init() { limit = double(2) }

func double(n int) int { return n + n }

func fill(n int) []int {
	var all []int
	for i := 0; i < n; i++ {
		all = append(all, i)
	}
	return all
}

func Find(rows [][]int, want int) (at int) {
	at = -1
outer:
	for i, row := range rows {
		for _, cell := range row {
			if cell == want {
				at = i
				break outer
			}
		}
	}
	return
}

func Safe(f func()) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = errors.New("caught")
		}
	}()
	f()
	return nil
}

type Stack[T comparable] struct{ items []T }

func (s *Stack[T]) Has(one T) bool {
	for _, item := range s.items {
		if item == one {
			return true
		}
	}
	return false
}

func Largest[T int | string](a, b T) T {
	if a > b {
		return a
	}
	return b
}

func Counter(step int) func() int {
	n := 0
	return func() int {
		n = n + step
		return n
	}
}

var Shout = func(text string) string {
	if len(text) > 3 {
		return strings.ToUpper(text)
	}
	return text
}

//go:noinline
func Pinned(a, b int) int { return a - b }

func Sign(n int) int {
	switch {
	case n < 0:
		return -1
	case n > 0:
		return 1
	}
	return 0
}

func Retry(n int) int {
	tries := 0
again:
	tries++
	if tries < n {
		goto again
	}
	return tries
}
"#;

const ODD_TEST: &str = r#"package odd

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"
)

func TestMain(m *testing.M) {
	if os.Getenv("CHILD") != "" {
		fmt.Print(Sign(5))
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func TestTable(t *testing.T) {
	if len(table) != 3 || limit != 4 {
		t.Fatal(table, limit)
	}
}

func TestFind(t *testing.T) {
	for _, want := range []int{1, 4} {
		t.Run(fmt.Sprint(want), func(t *testing.T) {
			t.Parallel()
			if got := Find([][]int{{1, 2}, {3, 4}}, want); got != (want-1)/2 {
				t.Error(got)
			}
		})
	}
}

func TestSafe(t *testing.T) {
	t.Parallel()
	if Safe(func() { panic(1) }) == nil || Safe(func() {}) != nil {
		t.Fatal()
	}
}

func TestStack(t *testing.T) {
	s := Stack[string]{[]string{"a"}}
	if !s.Has("a") || s.Has("b") || Largest(1, 2) != 2 {
		t.Fatal()
	}
}

func TestCounter(t *testing.T) {
	next := Counter(2)
	if next(); next() != 4 {
		t.Fatal()
	}
}

func TestShout(t *testing.T) {
	if Shout("long") != "LONG" || Shout("yes") != "yes" {
		t.Fatal()
	}
}

func TestPinned(t *testing.T) {
	if Pinned(3, 2) != 1 || Retry(3) != 3 {
		t.Fatal()
	}
}

// The child does not have the environment of its parent.
func TestChild(t *testing.T) {
	child := exec.Command(os.Args[0])
	child.Env = []string{"CHILD=1"}
	if out, err := child.Output(); err != nil || string(out) != "1" {
		t.Fatalf("%s %v", out, err)
	}
}

func TestPosition(t *testing.T) {
	_, file, line, _ := runtime.Caller(0)
	if !strings.HasSuffix(file, "odd_test.go") || line == 0 {
		t.Fatal(file, line)
	}
}

func FuzzSign(f *testing.F) {
	f.Add(-4)
	f.Add(0)
	f.Fuzz(func(t *testing.T, n int) {
		if got := Sign(n); got*n < 0 || got == 0 && n != 0 {
			t.Error(got)
		}
	})
}

func ExampleLargest() {
	fmt.Println(Largest("a", "b"))
	// Output: b
}
"#;

const OUTSIDE: &str = r#"package odd_test

import (
	"os/exec"
	"testing"

	"example.com/odd"
)

func TestFromOutside(t *testing.T) {
	if odd.Sign(-3) != -1 {
		t.Fatal()
	}
}

func TestProgram(t *testing.T) {
	program := t.TempDir() + "/say"
	if out, err := exec.Command("go", "build", "-o", program, "./say").CombinedOutput(); err != nil {
		t.Fatalf("%s", out)
	}
	if out, _ := exec.Command(program).Output(); string(out) != "7" {
		t.Fatalf("%s", out)
	}
}
"#;

#[test]
fn odd_code_and_odd_tests_have_the_same_verdicts_warm_and_cold() {
    let say = "package main\n\nimport \"fmt\"\n\nfunc main() { fmt.Print(3 + 4) }\n";
    let project = Project::of(&[("go.mod", "module example.com/odd\n\ngo 1.20\n")]);
    project.write("odd.go", ODD);
    project.write("odd_test.go", ODD_TEST);
    project.write("outside_test.go", OUTSIDE);
    project.write("say/main.go", say);
    let verdicts = both(&project);
    let why = |reason: &str| verdicts.values().filter(|[.., why]| why.contains(reason)).count();
    assert!(why("directives for the compiler") > 0, "{verdicts:#?}");
    let (cold, warm): (Vec<_>, Vec<_>) =
        verdicts.values().filter(|[_, _, path, _]| !path.is_empty()).partition(|[_, _, path, _]| path.starts_with("cold"));
    assert!(warm.len() > 5 * cold.len(), "{} warm, {} cold: {verdicts:#?}", warm.len(), cold.len());
    assert!(cold.iter().all(|[_, _, _, why]| !why.is_empty()), "{cold:#?}");
}

#[test]
fn a_file_with_c_is_cold_and_a_race_detector_is_no_hindrance() {
    let plain = "package c\n\nfunc Add(a, b int) int {\n\tif a > 100 {\n\t\treturn 100\n\t}\n\treturn a + b\n}\n";
    let with_c = "package c\n\n// static int two(void) { return 2; }\nimport \"C\"\n\nfunc Two(n int) int {\n\tif n > 1 {\n\t\treturn n\n\t}\n\treturn int(C.two())\n}\n";
    let test = "package c\n\nimport \"testing\"\n\nfunc TestAdd(t *testing.T) {\n\tif Add(1, 2) != 3 || Two(0) != 2 || Two(5) != 5 {\n\t\tt.Fatal()\n\t}\n}\n";
    let project = Project::of(&[("go.mod", "module example.com/c\n\ngo 1.20\n")]);
    project.write("plain.go", plain);
    project.write("c.go", with_c);
    project.write("c_test.go", test);
    let run = |more: &[&str]| {
        let run = Run::of(&project).env("GOFLAGS", "-race").args(["run", ".", "--output-format", "json", "--audit", "0"]);
        verdicts(&run.args(more.iter().copied()).finish())
    };
    let (warm, cold) = (run(&[]), run(&["--cold"]));
    for (mutant, [status, killers, ..]) in &warm {
        assert_eq!([status, killers], [&cold[mutant][0], &cold[mutant][1]], "{mutant}");
    }
    assert!(warm.values().any(|[_, _, path, _]| path.starts_with("warm")), "{warm:#?}");
    assert!(warm.values().any(|[.., why]| why.contains("directives that a switch would disturb")), "{warm:#?}");
}
