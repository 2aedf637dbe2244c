package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"
)

// What `list` says on standard output.
type answer struct {
	// Not told means that all is well.
	Trouble string `json:"trouble,omitempty"`
	Detail  string `json:"detail,omitempty"`
	Tests   int    `json:"tests"`
	// Files that this build does not have, relative to the root.
	Ignored []string `json:"ignored,omitempty"`
}

// A package as `go list` tells it.
type listed struct {
	Dir, ImportPath, Name, ForTest string
	GoFiles, CgoFiles              []string
	IgnoredGoFiles                 []string
	TestGoFiles, XTestGoFiles      []string
	Error                          *struct{ Err string }
	DepsErrors                     []struct{ Err string }
}

// Finds the packages and tests of the project. Reads only; the settings stand in the folder, and so will what was found.
func list(folder string) {
	var wanted setup
	load(filepath.Join(folder, "setup.json"), &wanted)
	found := facts{Go: wanted.Go}
	found.GoFlags, found.TestFlags = settle(wanted.GoFlags)
	found.Packages = []pkg{}
	patterns, trouble := modules(&found, wanted.Root)
	if trouble != "" {
		say(answer{Trouble: kindOf(trouble), Detail: trouble})
		return
	}
	packages, trouble := listPackages(&found, wanted.Root, patterns)
	if trouble != "" {
		say(answer{Trouble: kindOf(trouble), Detail: trouble})
		return
	}
	count := 0
	ignored := found.ignored(wanted.Root, packages)
	for _, one := range packages {
		if p, ok := wanted.packageOf(one); ok {
			count += len(p.Tests)
			found.Packages = append(found.Packages, p)
		}
	}
	text, err := json.Marshal(found)
	must(err)
	must(os.WriteFile(filepath.Join(folder, "facts.json"), text, 0o600))
	say(answer{Tests: count, Ignored: ignored})
}

func say(answer answer) { must(json.NewEncoder(os.Stdout).Encode(answer)) }

// The packages of every module of a workspace that stands in the root; without a workspace, of the one module.
func modules(found *facts, root string) ([]string, string) {
	out, complaint := found.ask(root, "list", "-m", "-json=Dir,Main")
	if complaint != "" {
		return nil, complaint
	}
	var patterns []string
	for decoder := json.NewDecoder(bytes.NewReader(out)); ; {
		var module struct {
			Dir  string
			Main bool
		}
		if err := decoder.Decode(&module); errors.Is(err, io.EOF) {
			if len(patterns) == 0 {
				// The root stands below that of its module.
				patterns = []string{"./..."}
			}
			return patterns, ""
		} else if err != nil {
			return nil, err.Error()
		}
		inside, ok := relative(root, module.Dir)
		if module.Main && ok {
			patterns = append(patterns, "./"+filepath.Join(inside, "..."))
		}
	}
}

func listPackages(found *facts, root string, patterns []string) ([]listed, string) {
	const fields = "-json=Dir,ImportPath,Name,ForTest,GoFiles,CgoFiles,IgnoredGoFiles,TestGoFiles,XTestGoFiles,Error,DepsErrors"
	out, complaint := found.ask(root, append([]string{"list", "-e", "-test", fields}, patterns...)...)
	if complaint != "" {
		return nil, complaint
	}
	var packages []listed
	for decoder := json.NewDecoder(bytes.NewReader(out)); ; {
		var one listed
		if err := decoder.Decode(&one); errors.Is(err, io.EOF) {
			return packages, ""
		} else if err != nil {
			return nil, err.Error()
		}
		for _, wrong := range one.DepsErrors {
			if isMissing(wrong.Err) {
				return nil, wrong.Err
			}
		}
		isVariant := one.ForTest != "" || strings.HasSuffix(one.ImportPath, ".test")
		if inside, ok := relative(root, one.Dir); ok && !isVariant {
			one.Dir = inside
			packages = append(packages, one)
		}
	}
}

// Files for another system or with other tags. A folder that holds nothing else is no package, and `./...` does not name it.
func (f *facts) ignored(root string, packages []listed) []string {
	ignored, named := []string{}, map[string]bool{}
	add := func(one listed) {
		for _, file := range one.IgnoredGoFiles {
			ignored = append(ignored, filepath.ToSlash(filepath.Join(one.Dir, file)))
		}
	}
	for _, one := range packages {
		named[one.Dir] = true
		add(one)
	}
	folders := unnamed(root, named)
	if len(folders) == 0 {
		return ignored
	}
	out, _ := f.ask(root, append([]string{"list", "-e", "-json=Dir,IgnoredGoFiles"}, folders...)...)
	for decoder := json.NewDecoder(bytes.NewReader(out)); ; {
		var one listed
		if decoder.Decode(&one) != nil {
			return ignored
		}
		if inside, ok := relative(root, one.Dir); ok {
			one.Dir = inside
			add(one)
		}
	}
}

// Folders of this module with files of Go that are not among the named.
func unnamed(root string, named map[string]bool) []string {
	folders := []string{}
	_ = filepath.WalkDir(root, func(path string, entry os.DirEntry, err error) error {
		if err != nil || !entry.IsDir() || path == root {
			return nil
		}
		name := entry.Name()
		_, nested := os.Stat(filepath.Join(path, "go.mod"))
		if nested == nil || name == "vendor" || name == "testdata" || name == "node_modules" || strings.ContainsAny(name[:1], "._") {
			return filepath.SkipDir
		}
		inside, _ := relative(root, path)
		if files, _ := filepath.Glob(filepath.Join(path, "*.go")); len(files) > 0 && !named[inside] {
			folders = append(folders, "./"+inside)
		}
		return nil
	})
	return folders
}

// Asks the go command; what it complains about if it cannot answer.
func (f *facts) ask(dir string, args ...string) ([]byte, string) {
	command := exec.Command(f.Go, args...)
	command.Dir, command.Env = dir, f.environment(dir)
	var complaint bytes.Buffer
	command.Stderr = &complaint
	out, err := command.Output()
	if err != nil {
		if complaint.Len() == 0 {
			return nil, err.Error()
		}
		return nil, strings.TrimSpace(complaint.String())
	}
	return out, ""
}

// Nothing is fetched: a run does not depend on the network. No other Go is chosen than the one that was asked at the start.
func (f *facts) environment(dir string) []string {
	return append(os.Environ(), "PWD="+dir, "GOFLAGS="+strings.Join(f.GoFlags, " "), "GOTOOLCHAIN=local",
		"GOPROXY=off", "GONOPROXY=none", "GOVCS=*:off")
}

var missing = []string{
	"module lookup disabled", "missing go.sum entry", "no required module provides package", "cannot find module providing package",
	"updates to go.mod needed", "inconsistent vendoring", "is not in std",
}

func isMissing(text string) bool {
	for _, sign := range missing {
		if strings.Contains(text, sign) {
			return true
		}
	}
	return false
}

func kindOf(complaint string) string {
	if isMissing(complaint) {
		return "modules"
	}
	return "list"
}

func relative(root, dir string) (string, bool) {
	inside, err := filepath.Rel(root, dir)
	ok := err == nil && inside != ".." && !strings.HasPrefix(inside, "../")
	return filepath.ToSlash(inside), ok
}

// The package with the tests that are wanted.
func (s *setup) packageOf(one listed) (pkg, bool) {
	p := pkg{Dir: one.Dir, Name: one.Name, Files: append(one.GoFiles, one.CgoFiles...), Tests: []string{}, Skip: []string{}}
	if s.isDeselected(p.Dir) {
		return p, true
	}
	var tests, fuzz, examples []string
	for _, group := range [][]string{one.TestGoFiles, one.XTestGoFiles} {
		for _, file := range group {
			t, f, e := testsOf(filepath.Join(s.Root, one.Dir, file))
			if !s.wantsFile(p.Dir, file) {
				p.Partial = p.Partial || len(t)+len(f)+len(e) > 0
				continue
			}
			tests, fuzz, examples = append(tests, t...), append(fuzz, f...), append(examples, e...)
		}
	}
	for _, test := range append(append(tests, fuzz...), examples...) {
		if s.isDeselected(p.id(test)) {
			p.Partial = true
		} else {
			p.Tests = append(p.Tests, test)
		}
	}
	for _, name := range s.Deselect {
		if dir, test, ok := strings.Cut(name, "::"); ok && dir == p.Dir && strings.Contains(test, "/") {
			p.Skip = append(p.Skip, test)
		}
	}
	return p, true
}

func (s *setup) isDeselected(id string) bool {
	for _, name := range s.Deselect {
		if name == id {
			return true
		}
	}
	return false
}

func (s *setup) wantsFile(dir, file string) bool {
	path := filepath.ToSlash(filepath.Join(dir, file))
	for _, wanted := range s.Tests {
		if wanted == "." || wanted == "" || wanted == path || strings.HasPrefix(path, strings.TrimSuffix(wanted, "/")+"/") {
			return true
		}
	}
	return len(s.Tests) == 0
}

// The tests that `go test` finds in a file. One that cannot be parsed has none; the compiler will have something to say.
func testsOf(path string) (tests, fuzz, examples []string) {
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, nil, nil
	}
	for _, declared := range file.Decls {
		function, ok := declared.(*ast.FuncDecl)
		if !ok || function.Recv != nil {
			continue
		}
		name := function.Name.Name
		switch {
		case name == "TestMain" && !takes(function, "T"):
		case isTest(name, "Test"):
			tests = append(tests, name)
		case isTest(name, "Fuzz"):
			fuzz = append(fuzz, name)
		}
	}
	found := doc.Examples(file)
	sort.Slice(found, func(i, j int) bool { return found[i].Order < found[j].Order })
	for _, example := range found {
		if example.Output != "" || example.EmptyOutput {
			examples = append(examples, "Example"+example.Name)
		}
	}
	return tests, fuzz, examples
}

// `Test`, `TestA`, `Test_a`, but no `Testify`.
func isTest(name, prefix string) bool {
	rest, ok := strings.CutPrefix(name, prefix)
	first, _ := utf8.DecodeRuneInString(rest)
	return ok && (rest == "" || !unicode.IsLower(first))
}

func takes(function *ast.FuncDecl, letter string) bool {
	parameters := function.Type.Params.List
	if len(parameters) != 1 {
		return false
	}
	return strings.HasSuffix(strings.TrimPrefix(typeText(parameters[0].Type), "*"), letter)
}

func typeText(expression ast.Expr) string {
	switch e := expression.(type) {
	case *ast.StarExpr:
		return "*" + typeText(e.X)
	case *ast.SelectorExpr:
		return typeText(e.X) + "." + e.Sel.Name
	case *ast.Ident:
		return e.Name
	}
	return fmt.Sprintf("%T", expression)
}
