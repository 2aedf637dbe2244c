package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"sort"
	"strconv"
	"strings"
	"time"
)

// Brings the words that probes call into a package. Where hits go is part of the program: tests start programs with an environment of
// their own. A hit that cannot be told is a failure, never silence. It is written in the oldest Go, which is what the module may ask for.
const probes = `package %s

import (
	_mu_atomic "sync/atomic"
	_mu_syscall "syscall"
)

var _mu_told [%d]uint32

func _mu_(n int) bool {
	if _mu_atomic.CompareAndSwapUint32(&_mu_told[n], 0, 1) {
		_mu_tell(n)
	}
	return false
}

func _mu_tell(n int) {
	file, err := _mu_syscall.Open(%q, _mu_syscall.O_WRONLY|_mu_syscall.O_APPEND|_mu_syscall.O_CREAT|_mu_syscall.O_CLOEXEC, 0600)
	if err != nil {
		panic("a probe of mutate cannot be told: " + err.Error())
	}
	line := make([]byte, 0, 12)
	for ; n > 0; n /= 10 {
		line = append(line, byte('0'+n%%10))
	}
	for a, b := 0, len(line)-1; a < b; a, b = a+1, b-1 {
		line[a], line[b] = line[b], line[a]
	}
	if _, err := _mu_syscall.Write(file, append(line, '\n')); err != nil {
		panic("a probe of mutate cannot be told: " + err.Error())
	}
	_ = _mu_syscall.Close(file)
}
`

const probeFile = "zz_mutate_probe.go"

func (s *session) hits() string    { return filepath.Join(s.folder, "hits") }
func (s *session) overlay() string { return filepath.Join(s.folder, "overlay.json") }

// Each test in a process of its own: what it reaches is its own, and so is what runs before it.
func (s *session) runReach(groups []*chosen) {
	extra := s.prepareProbes()
	built := s.build(packagesOf(groups), extra...)
	again := time.Duration(0)
	for _, group := range groups {
		binary := built.of(group.pkg)
		if binary == "" {
			s.notBuilt(group.pkg, built.said)
			continue
		}
		for at, test := range group.tests {
			must(os.RemoveAll(s.hits()))
			before, inTests := time.Now(), s.inTests
			s.runPackage(&chosen{pkg: group.pkg, tests: []string{test}, some: true}, binary)
			if at > 0 {
				// A process for each test is dearer than one for all.
				again += time.Since(before) - (s.inTests - inTests)
			}
			if probes := s.takeHits(); len(probes) > 0 {
				s.report.add("reach", event{"tests": []string{group.id(test)}, "probes": probes})
			}
		}
	}
	s.report.add("prepared", event{"us": again.Microseconds()})
}

func (s *session) takeHits() []int {
	text, err := os.ReadFile(s.hits())
	if os.IsNotExist(err) {
		return nil
	}
	must(err)
	seen := map[int]bool{}
	for _, line := range strings.Fields(string(text)) {
		probe, err := strconv.Atoi(line)
		must(err)
		seen[probe] = true
	}
	var probes []int
	for probe := range seen {
		probes = append(probes, probe)
	}
	sort.Ints(probes)
	return probes
}

var probe = regexp.MustCompile(`_mu_\((\d+)\)`)

// Puts a file with the words beside every woven file, without writing into the project; the flags that make the compiler see it.
func (s *session) prepareProbes() []string {
	overlay := s.ownOverlay()
	for at := range s.facts.Packages {
		p := &s.facts.Packages[at]
		most := 0
		for _, file := range p.Files {
			text, err := os.ReadFile(filepath.Join(s.Root, p.Dir, file))
			must(err)
			for _, found := range probe.FindAllSubmatch(text, -1) {
				number, err := strconv.Atoi(string(found[1]))
				must(err)
				if number > most {
					most = number
				}
			}
		}
		if most == 0 {
			continue
		}
		path := filepath.Join(s.folder, fmt.Sprintf("probe-%d.go", at))
		text := fmt.Sprintf(probes, p.Name, most+1, s.hits())
		must(os.WriteFile(path, []byte(text), 0o600))
		overlay[filepath.Join(s.Root, p.Dir, probeFile)] = path
	}
	text, err := json.Marshal(map[string]any{"Replace": overlay})
	must(err)
	must(os.WriteFile(s.overlay(), text, 0o600))
	return []string{"-overlay", s.overlay()}
}

// What the user puts in place of files already.
func (s *session) ownOverlay() map[string]string {
	overlay := struct{ Replace map[string]string }{map[string]string{}}
	for _, flag := range s.facts.GoFlags {
		if path, ok := strings.CutPrefix(strings.TrimLeft(strings.Trim(flag, `'"`), "-"), "overlay="); ok {
			if !filepath.IsAbs(path) {
				path = filepath.Join(s.Root, path)
			}
			load(path, &overlay)
		}
	}
	return overlay.Replace
}

// Programs of the project that tests build have probes as well.
func (s *session) reachEnvironment() []string {
	if !s.Reach {
		return nil
	}
	flags := append(append([]string{}, s.facts.GoFlags...), quote("-overlay="+s.overlay()))
	return []string{"GOFLAGS=" + strings.Join(flags, " ")}
}
