package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// Brings the words of a switch into a package: the number of the active mutant, known before anything of the package is initialised,
// and a count of rounds that is shared by all processes of a run and outlives them.
//
// Where to look is in the environment; a test may start its own program with another one, so it is also beside the program.
const switches = `package %s

import (
	_mu_sync "sync"
	_mu_atomic "sync/atomic"
	_mu_syscall "syscall"
	_mu_unsafe "unsafe"
)

var _mu_active, _mu_most, _mu_folder = _mu_read()

var (
	_mu_once  _mu_sync.Once
	_mu_rounds *[2]int64
)

func _mu_read() (active int, most int64, folder string) {
	folder, found := _mu_syscall.Getenv("MUTATE_FOLDER")
	if !found {
		path := make([]byte, 4096)
		length, err := _mu_syscall.Readlink("/proc/self/exe", path)
		if err != nil {
			return 0, 0, ""
		}
		for length > 0 && path[length-1] != '/' {
			length--
		}
		folder = string(path[:length])
	}
	file, err := _mu_syscall.Open(folder+"/active", _mu_syscall.O_RDONLY|_mu_syscall.O_CLOEXEC, 0)
	if err != nil {
		return 0, 0, ""
	}
	text := make([]byte, 64)
	length, err := _mu_syscall.Read(file, text)
	_ = _mu_syscall.Close(file)
	if err != nil {
		return 0, 0, ""
	}
	numbers := [2]int64{}
	at := 0
	for _, char := range text[:length] {
		if char == ' ' {
			at = 1
		} else if char >= '0' && char <= '9' {
			numbers[at] = numbers[at]*10 + int64(char-'0')
		}
	}
	return int(numbers[0]), numbers[1], folder
}

// A process that cannot tell counts nothing: then nothing is concluded from it.
func _mu_open() {
	file, err := _mu_syscall.Open(_mu_folder+"/rounds", _mu_syscall.O_RDWR|_mu_syscall.O_CLOEXEC, 0)
	if err != nil {
		return
	}
	page, err := _mu_syscall.Mmap(file, 0, 16, _mu_syscall.PROT_READ|_mu_syscall.PROT_WRITE, _mu_syscall.MAP_SHARED)
	_ = _mu_syscall.Close(file)
	if err == nil {
		_mu_rounds = (*[2]int64)(_mu_unsafe.Pointer(&page[0]))
	}
}

// A loop without end leaves the process: code under test could hold up anything less.
func _mu_round() {
	_mu_once.Do(_mu_open)
	if _mu_rounds != nil && _mu_atomic.AddInt64(&_mu_rounds[0], 1) > _mu_most {
		_mu_atomic.StoreInt64(&_mu_rounds[1], 1)
		_mu_syscall.Exit(97)
	}
}
`

const switchFile = "zz_mutate_switch.go"

// Files with switches, as mutate has woven them.
type woven struct {
	// Do the copies compile, each by itself?
	Check bool `json:"check"`
	// Where the text of a file stands that is to be built in its place; both absolute.
	Files map[string]string `json:"files"`
}

// Builds the test binaries of all packages once, with every mutant in them; or lets the compiler look for mutants that are no programs.
func weave(folder string) {
	asked, facts := loadAsked(folder)
	s := &session{asked: asked, facts: facts, report: openReport(folder)}
	packages, flags := s.putSwitches()
	if s.Woven.Check {
		s.check(packages, flags)
	} else {
		s.buildSwitched(flags)
	}
	s.report.add("finished", nil)
}

// The packages that have switches, and the flags that make the compiler see them.
func (s *session) putSwitches() (with []*pkg, flags []string) {
	overlay := s.ownOverlay()
	for at := range s.facts.Packages {
		p := &s.facts.Packages[at]
		count := 0
		for _, file := range p.Files {
			path := filepath.Join(s.Root, p.Dir, file)
			if text, ok := s.Woven.Files[path]; ok {
				overlay[path] = text
				count++
			}
		}
		if count == 0 {
			continue
		}
		path := filepath.Join(s.folder, fmt.Sprintf("switch-%d.go", at))
		must(os.WriteFile(path, []byte(fmt.Sprintf(switches, p.Name)), 0o600))
		overlay[filepath.Join(s.Root, p.Dir, switchFile)] = path
		with = append(with, p)
	}
	text, err := json.Marshal(map[string]any{"Replace": overlay})
	must(err)
	must(os.WriteFile(s.overlay(), text, 0o600))
	return with, []string{"-overlay", s.overlay()}
}

var ofCopy = regexp.MustCompile(`^(?:.*/)?_mu_(\d+)_\.go:\d+`)

// Says which copies the compiler refuses. What it has against anything else stands in the way of all.
func (s *session) check(packages []*pkg, flags []string) {
	args := append([]string{"build", "-gcflags=-e", "-o", os.DevNull}, flags...)
	for _, p := range packages {
		args = append(args, s.argument(p))
	}
	command := exec.Command(s.facts.Go, args...)
	command.Dir, command.Env = s.Root, s.facts.environment(s.Root)
	said, err := command.CombinedOutput()
	if err == nil {
		return
	}
	refused, seen, other := []int{}, map[int]bool{}, ""
	for _, line := range strings.Split(string(said), "\n") {
		line = strings.TrimSpace(line)
		if found := ofCopy.FindStringSubmatch(line); found != nil {
			number, err := strconv.Atoi(found[1])
			must(err)
			if !seen[number] {
				seen[number] = true
				refused = append(refused, number)
			}
		} else if other == "" && line != "" && !strings.HasPrefix(line, "#") && atPosition.MatchString(line) {
			other = line
		}
	}
	if len(refused) == 0 && other == "" {
		other = string(said)
	}
	s.report.add("refused", event{"mutants": refused, "syntax": strings.Contains(string(said), ": syntax error"), "other": cut(other)})
}

func (s *session) buildSwitched(flags []string) {
	var packages []*pkg
	for at := range s.facts.Packages {
		if p := &s.facts.Packages[at]; len(p.Tests) > 0 {
			packages = append(packages, p)
		}
	}
	built := s.build(packages, flags...)
	for _, p := range packages {
		if built.of(p) == "" {
			s.report.add("refused", event{"mutants": []int{}, "syntax": false, "other": cut(built.said)})
			return
		}
	}
}

// Runs binaries that were built before, with one mutant active in them.
func (s *session) runSwitched(groups []*chosen) {
	must(os.WriteFile(filepath.Join(s.folder, "active"), []byte(fmt.Sprintf("%d %d\n", s.Active, s.Rounds)), 0o600))
	must(os.WriteFile(filepath.Join(s.folder, "rounds"), make([]byte, 16), 0o600))
	built := &binaries{filepath.Join(s.Built, "binaries"), s.Root, ""}
	for _, group := range groups {
		from := built.of(group.pkg)
		if from == "" {
			fail("there is no binary for", group.Dir)
		}
		// In our own folder: there it finds what is active, whatever its environment says.
		binary := filepath.Join(s.folder, filepath.Base(from))
		must(os.Link(from, binary))
		s.runPackage(group, binary)
		if s.failed && s.Bail {
			return
		}
	}
}

// A process that left because of its rounds has said all that there is to say: nobody is to blame for its end.
func (s *session) leaveIfOver() {
	if s.Built == "" {
		return
	}
	counted, err := os.ReadFile(filepath.Join(s.folder, "rounds"))
	must(err)
	for _, part := range counted[8:] {
		if part != 0 {
			os.Exit(0)
		}
	}
}

func (s *session) switchEnvironment() []string {
	if s.Built == "" {
		return nil
	}
	return []string{"MUTATE_ACTIVE=" + strconv.Itoa(s.Active), "MUTATE_FOLDER=" + s.folder}
}
