package main

import (
	"encoding/json"
	"os"
	"path/filepath"
)

// What mutate wants to know once, before anything runs.
type setup struct {
	Root string `json:"root"`
	Go   string `json:"go"`
	// The setting of that name, as the user's environment and files have it.
	GoFlags string `json:"goflags"`
	// Files and folders of tests, relative to the root; none means all.
	Tests []string `json:"tests"`
	// Tests that never run: a package folder, a test, a subtest.
	Deselect []string `json:"deselect"`
}

// What is the same in every run.
type facts struct {
	Go        string   `json:"go"`
	GoFlags   []string `json:"goflags"`
	TestFlags []string `json:"testflags"`
	Packages  []pkg    `json:"packages"`
}

// A package of the project.
type pkg struct {
	// Relative to the root; `.` is the root itself.
	Dir  string `json:"dir"`
	Name string `json:"name"`
	// Without those of tests.
	Files []string `json:"files"`
	// Names in the order in which they run: tests, fuzz targets, examples.
	Tests []string `json:"tests"`
	// Some tests of the package are not wanted.
	Partial bool `json:"partial"`
	// Subtests that never run.
	Skip []string `json:"skip"`
}

func (p *pkg) id(test string) string { return p.Dir + "::" + test }

// One run, as mutate asks for it.
type asked struct {
	// Ids of tests; null means all.
	Only  *[]string `json:"only"`
	Bail  bool      `json:"bail"`
	Reach bool      `json:"reach"`
	Root  string    `json:"root"`
	// What `list` found.
	Facts string `json:"facts"`
	// Where binaries with switches stand that are to be run, the number of the active mutant, and how often
	// its function may begin and its loops may go round.
	Built  string `json:"built"`
	Active int    `json:"active"`
	Rounds int64  `json:"rounds"`
	// What is to be built for later runs.
	Woven  *woven `json:"woven"`
	folder string
}

func load(path string, into any) {
	text, err := os.ReadFile(path)
	must(err)
	must(json.Unmarshal(text, into))
}

func loadAsked(folder string) (*asked, *facts) {
	asked := &asked{folder: folder}
	load(filepath.Join(folder, "request.json"), asked)
	facts := &facts{}
	load(asked.Facts, facts)
	return asked, facts
}
