// How many mutants of the Go standard library does the type checker of Go refuse?
//
//	go run benches/refusals/go/check.go [-tier all] [-show] [PACKAGE…]
//
// Asks `mutate list` for all mutants of each package, makes each edit in memory, and checks the edited file together with the
// declarations of the rest of its package (go/types finds what the compiler refuses: unused names, missing returns, wrong types).
package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strings"
)

// The packages that the figures in benches/README.md are about.
var usual = strings.Fields("strings sort container/heap container/list container/ring path net/url text/tabwriter encoding/csv bufio mime")

type mutant struct {
	Path                              string
	Line, Column                      int
	Rule, Function                    string
	Original, Replacement, Identifier string
}

type listed struct {
	ImportPath, Dir, Export string
	GoFiles, CgoFiles       []string
}

func main() {
	tier := flag.String("tier", "all", "tier of the rules")
	show := flag.Bool("show", false, "print each mutant that is refused")
	program := flag.String("mutate", "target/debug/mutate", "the program")
	flag.Parse()
	packages := flag.Args()
	if len(packages) == 0 {
		packages = usual
	}
	checker := newChecker(packages)
	made, refused := map[string]int{}, map[string]int{}
	for _, name := range packages {
		for _, listed := range checker.expand[name] {
			of := checker.open(listed)
			for _, mutant := range mutants(*program, *tier, listed) {
				before, known := of.sources[mutant.Path]
				if !known {
					continue // Not built on this machine.
				}
				made[mutant.Rule]++
				after, err := mutant.apply(before)
				if err == nil {
					err = of.check(mutant.Path, after)
				}
				if err == nil {
					continue
				}
				refused[mutant.Rule]++
				if *show {
					fmt.Printf("%s/%s:%d:%d %s: %q -> %q: %v\n", listed.ImportPath, mutant.Path, mutant.Line, mutant.Column,
						mutant.Rule, mutant.Original, mutant.Replacement, err)
				}
			}
		}
	}
	table(made, refused)
}

func table(made, refused map[string]int) {
	var rules []string
	all, bad := 0, 0
	for rule := range made {
		rules = append(rules, rule)
		all += made[rule]
		bad += refused[rule]
	}
	sort.Strings(rules)
	for _, rule := range rules {
		fmt.Printf("%-28s %6d made %5d refused %6.2f %%\n", rule, made[rule], refused[rule], percent(refused[rule], made[rule]))
	}
	fmt.Printf("%-28s %6d made %5d refused %6.2f %%\n", "all", all, bad, percent(bad, all))
}

func percent(part, whole int) float64 { return 100 * float64(part) / float64(max(whole, 1)) }

func mutants(program, tier string, of listed) []mutant {
	root := of.Dir
	if dir, err := exec.Command("go", "list", "-f", "{{.Root}}", of.ImportPath).Output(); err == nil && len(dir) == 0 {
		root = of.Dir
	}
	var targets []string
	for _, file := range of.GoFiles {
		targets = append(targets, filepath.Join(of.Dir, file))
	}
	var found []mutant
	for _, target := range targets {
		command := exec.Command(program, "list", "--isolated", "--root", root, "--tier", tier, "--output-format", "json", target)
		out, err := command.Output()
		if err != nil {
			continue // Generated, or nothing to mutate: said by the exit code.
		}
		var document struct{ Mutants []mutant }
		if err := json.Unmarshal(out, &document); err != nil {
			fatal(err)
		}
		found = append(found, document.Mutants...)
	}
	return found
}

// apply makes the edit; lines and columns are counted from 1, columns in characters.
func (m mutant) apply(source []byte) ([]byte, error) {
	at := 0
	for range m.Line - 1 {
		at += bytes.IndexByte(source[at:], '\n') + 1
	}
	at += len(string([]rune(string(source[at:min(len(source), at+4*m.Column)]))[:m.Column-1]))
	if !bytes.HasPrefix(source[at:], []byte(m.Original)) {
		return nil, fmt.Errorf("the original text does not stand there")
	}
	return append(append(append([]byte{}, source[:at]...), m.Replacement...), source[at+len(m.Original):]...), nil
}

// A checker knows the packages and the compiled declarations of all that they import.
type checker struct {
	expand  map[string][]listed
	exports map[string]string
}

func newChecker(packages []string) *checker {
	c := &checker{expand: map[string][]listed{}, exports: map[string]string{}}
	for _, listed := range list(append([]string{"-deps"}, packages...)) {
		c.exports[listed.ImportPath] = listed.Export
	}
	for _, name := range packages {
		c.expand[name] = list([]string{name})
	}
	return c
}

func list(arguments []string) []listed {
	command := exec.Command("go", append([]string{"list", "-export", "-json=ImportPath,Dir,Export,GoFiles,CgoFiles"}, arguments...)...)
	command.Stderr = os.Stderr
	out, err := command.Output()
	if err != nil {
		fatal(err)
	}
	var all []listed
	for decoder := json.NewDecoder(bytes.NewReader(out)); ; {
		var one listed
		if err := decoder.Decode(&one); err == io.EOF {
			return all
		} else if err != nil {
			fatal(err)
		}
		all = append(all, one)
	}
}

// A program is one package with its sources; of all files but the one that is checked only the declarations count.
type program struct {
	of      listed
	set     *token.FileSet
	sources map[string][]byte
	bare    map[string]*ast.File
	imports types.Importer
}

func (c *checker) open(of listed) *program {
	p := &program{of: of, set: token.NewFileSet(), sources: map[string][]byte{}, bare: map[string]*ast.File{}}
	p.imports = importer.ForCompiler(p.set, "gc", func(path string) (io.ReadCloser, error) {
		if export := c.exports[path]; export != "" {
			return os.Open(export)
		}
		return os.Open(c.exports["vendor/"+path])
	})
	for _, name := range of.GoFiles {
		source, err := os.ReadFile(filepath.Join(of.Dir, name))
		if err != nil {
			fatal(err)
		}
		file, err := parser.ParseFile(p.set, name, source, parser.SkipObjectResolution)
		if err != nil {
			fatal(err)
		}
		for _, declaration := range file.Decls {
			if function, ok := declaration.(*ast.FuncDecl); ok {
				function.Body = nil
			}
		}
		p.sources[name], p.bare[name] = source, file
	}
	for _, name := range of.GoFiles {
		if err := p.check(name, p.sources[name]); err != nil {
			fatal(fmt.Errorf("%s is refused without a mutant: %w", name, err))
		}
	}
	return p
}

// check gives the first error in the file.
func (p *program) check(name string, source []byte) error {
	file, err := parser.ParseFile(p.set, name, source, parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	files := []*ast.File{file}
	for other, bare := range p.bare {
		if other != name {
			files = append(files, bare)
		}
	}
	var first error
	config := types.Config{Importer: p.imports, Sizes: types.SizesFor("gc", "amd64"), Error: func(err error) {
		inFile := p.set.Position(err.(types.Error).Pos)
		if first == nil && inFile.Filename == name && !strings.Contains(err.Error(), "missing function body") {
			first = err
		}
	}}
	config.Check(p.of.ImportPath, p.set, files, nil)
	return first
}

func fatal(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}
