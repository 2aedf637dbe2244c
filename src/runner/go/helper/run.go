package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// One run.
type session struct {
	*asked
	facts  *facts
	report *report
	// A test has failed, or something did not load.
	failed bool
	// The time of all tests so far.
	inTests time.Duration
}

// The tests of a package that are wanted.
type chosen struct {
	*pkg
	tests []string
	// Not all of the package.
	some bool
}

func run(folder string) {
	asked, facts := loadAsked(folder)
	s := &session{asked: asked, facts: facts, report: openReport(folder)}
	groups := s.choose()
	if s.Built == "" {
		s.warmUp(groups)
	}
	switch {
	case s.Reach:
		s.runReach(groups)
	case s.Built != "":
		s.runSwitched(groups)
	default:
		s.runAll(groups)
	}
	s.report.add("finished", nil)
}

// What is to be run, package by package: in the order of the request, or in that of the project.
func (s *session) choose() []*chosen {
	var groups []*chosen
	ids := []string{}
	if s.Only == nil {
		for at := range s.facts.Packages {
			p := &s.facts.Packages[at]
			if len(p.Tests) > 0 {
				groups = append(groups, &chosen{p, p.Tests, p.Partial})
			}
		}
	} else {
		groups = s.chooseOnly(*s.Only)
	}
	for _, group := range groups {
		for _, test := range group.tests {
			ids = append(ids, group.id(test))
		}
	}
	s.report.add("collected", event{"ids": ids})
	return groups
}

func (s *session) chooseOnly(wanted []string) []*chosen {
	byDir := map[string]*chosen{}
	var groups []*chosen
	missing := []string{}
	want := map[string]bool{}
	for _, id := range wanted {
		want[id] = true
		dir, test, _ := strings.Cut(id, "::")
		group := byDir[dir]
		if group == nil {
			p := s.packageAt(dir)
			if p == nil {
				missing = append(missing, id)
				continue
			}
			group = &chosen{pkg: p}
			byDir[dir] = group
			groups = append(groups, group)
		}
		if !contains(group.Tests, test) {
			missing = append(missing, id)
		}
	}
	for _, group := range groups {
		// A binary runs its tests in its own order, whatever is asked for.
		for _, test := range group.Tests {
			if want[group.id(test)] {
				group.tests = append(group.tests, test)
			}
		}
		group.some = group.Partial || len(group.tests) < len(group.Tests)
	}
	if len(missing) > 0 {
		s.report.add("missing", event{"ids": missing})
	}
	return groups
}

func (s *session) packageAt(dir string) *pkg {
	for at := range s.facts.Packages {
		if s.facts.Packages[at].Dir == dir {
			return &s.facts.Packages[at]
		}
	}
	return nil
}

func contains(all []string, one string) bool {
	for _, other := range all {
		if other == one {
			return true
		}
	}
	return false
}

// The first run of all finds the compiler's cache as it happens to be. What it takes to fill it says nothing about later runs.
func (s *session) warmUp(groups []*chosen) {
	sign := filepath.Join(filepath.Dir(s.Facts), "warm")
	file, err := os.OpenFile(sign, os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return
	}
	file.Close()
	before := time.Now()
	args := []string{"list", "-e", "-test", "-export", "-f", "{{.Name}}"}
	for _, group := range groups {
		args = append(args, s.argument(group.pkg))
	}
	// What does not compile will be told by the run itself.
	_, _ = s.facts.ask(s.Root, args...)
	s.report.add("prepared", event{"us": time.Since(before).Microseconds()})
}

// The package that comes first is built alone: most mutants are killed by the tests beside them.
func (s *session) runAll(groups []*chosen) {
	if len(groups) > 1 && s.Bail && s.Only != nil {
		s.runBuilt(groups[:1])
		groups = groups[1:]
	}
	s.runBuilt(groups)
}

func (s *session) runBuilt(groups []*chosen) {
	if s.failed && s.Bail || len(groups) == 0 {
		return
	}
	built := s.build(packagesOf(groups))
	for _, group := range groups {
		binary := built.of(group.pkg)
		if binary == "" {
			// One refusal says it all: what one package cannot use, others cannot either.
			s.notBuilt(group.pkg, built.said)
			s.failed = true
			return
		}
	}
	for _, group := range groups {
		s.runPackage(group, built.of(group.pkg))
		if s.failed && s.Bail {
			return
		}
	}
}

func packagesOf(groups []*chosen) []*pkg {
	var packages []*pkg
	for _, group := range groups {
		packages = append(packages, group.pkg)
	}
	return packages
}

// More than this does not fit into one argument; then all tests of the package run.
const longestPattern = 100 << 10

// Runs tests of one package in one process, as `go test` does.
func (s *session) runPackage(group *chosen, binary string) {
	f := newFrames(group.Tests)
	wanted, ended := map[string]bool{}, map[string]bool{}
	for _, test := range group.tests {
		wanted[test] = true
	}
	f.started = func(test string) { s.report.add("start", event{"id": group.id(test)}) }
	f.ended = func(test, status string, took time.Duration, message string) {
		if wanted[test] || message != "" && len(f.panics) > 0 {
			ended[test] = true
			s.result(group.id(test), status, took, message, "call")
		}
	}
	args := append([]string{"-test.paniconexit0", "-test.v=test2json", "-test.timeout=0"}, s.facts.TestFlags...)
	if s.Bail {
		args = append(args, "-test.failfast")
	}
	if pattern := "^(" + strings.Join(group.tests, "|") + ")$"; group.some && len(pattern) < longestPattern {
		args = append(args, "-test.run="+pattern)
	}
	if len(group.Skip) > 0 {
		args = append(args, "-test.skip="+exactly(group.Skip))
	}
	state := s.start(filepath.Join(s.Root, group.Dir), binary, args, f)
	f.close()
	s.leaveIfOver()
	s.conclude(group, f, state)
	if !s.failed || !s.Bail {
		s.tellMissing(group, ended)
	}
}

func (s *session) result(id, status string, took time.Duration, message, phase string) {
	var failure any
	if status == "failed" {
		s.failed = true
		failure = event{"kind": "", "message": cut(message), "file": nil, "phase": phase}
	}
	s.inTests += took
	s.report.add("result", event{"id": id, "status": status, "us": took.Microseconds(), "failure": failure})
}

// Tests that were asked for, stand in the binary, and did not run.
func (s *session) tellMissing(group *chosen, ended map[string]bool) {
	missing := []string{}
	for _, test := range group.tests {
		if !ended[test] {
			missing = append(missing, group.id(test))
		}
	}
	if len(missing) > 0 {
		s.report.add("missing", event{"ids": missing})
	}
}

// How a process ended.
type ending struct {
	code   int
	signal syscall.Signal
	// Something that it started still holds its output.
	held bool
}

func (e ending) String() string {
	switch {
	case e.held:
		return "the test process left another one behind that keeps its output open"
	case e.signal != 0:
		return fmt.Sprintf("the test process died of signal %d", int(e.signal))
	}
	return fmt.Sprintf("the test process ended with exit code %d", e.code)
}

// What the end of a process says beyond its frames.
func (s *session) conclude(group *chosen, f *frames, end ending) {
	if end.code == 0 && end.signal == 0 && !end.held {
		if f.active() != "" {
			// It left without a word in the middle of a test.
			os.Exit(0)
		}
		return
	}
	why := end.String()
	if words := f.lastWords(); words != "" {
		why = words + " (" + why + ")"
	}
	suspects := f.suspects()
	switch {
	case end.signal == syscall.SIGKILL:
		// Whoever does that is not the test: mutate decides.
		must(syscall.Kill(os.Getpid(), syscall.SIGKILL))
		select {}
	case len(suspects) > 0:
		for _, test := range suspects {
			s.result(group.id(test), "failed", 0, why, "call")
		}
	case f.anyFailed:
	case f.ran > 0:
		s.result(group.id(f.last), "failed", 0, why, "TestMain")
	case end.signal != 0:
		must(os.WriteFile(filepath.Join(s.folder, "trouble.txt"), []byte(group.Dir+": "+why), 0o600))
		os.Exit(3)
	default:
		s.failed = true
		s.report.loadFailure(group.Dir, "", why, nil, false)
	}
}

// `go test` waits as long for the output of a test binary that is gone.
const patience = time.Minute

// Runs a test binary in the folder of its package.
func (s *session) start(dir, binary string, args []string, f *frames) ending {
	for tries := 0; ; tries++ {
		end, err := s.tryStart(dir, binary, args, f)
		if err == nil {
			return end
		}
		// Another process was forked while the binary was being written.
		if !errors.Is(err, syscall.ETXTBSY) || tries > 20 {
			fail(err)
		}
		time.Sleep(20 * time.Millisecond)
	}
}

func (s *session) tryStart(dir, binary string, args []string, f *frames) (ending, error) {
	read, write, err := os.Pipe()
	must(err)
	defer read.Close()
	command := exec.Command(binary, args...)
	command.Dir, command.Env = dir, s.testEnvironment(dir)
	command.Stdout, command.Stderr = write, write
	// What it has started must not reach anything later.
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: s.Reach}
	err = command.Start()
	write.Close()
	if err != nil {
		return ending{}, err
	}
	gone := make(chan struct{})
	go func() {
		_ = command.Wait()
		if s.Reach {
			_ = syscall.Kill(-command.Process.Pid, syscall.SIGKILL)
		}
		_ = read.SetReadDeadline(time.Now().Add(patience))
		close(gone)
	}()
	held := listen(read, f)
	<-gone
	end := ending{held: held}
	if status, ok := command.ProcessState.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		end.signal = status.Signal()
	} else {
		end.code = command.ProcessState.ExitCode()
	}
	return end, nil
}

// Reads to the end; true if the end did not come.
func listen(read *os.File, f *frames) bool {
	chunk := make([]byte, 32<<10)
	for {
		length, err := read.Read(chunk)
		f.write(chunk[:length])
		_, _ = os.Stdout.Write(chunk[:length])
		if err != nil {
			return errors.Is(err, os.ErrDeadlineExceeded)
		}
	}
}

// That of the user, as `go test` passes it on.
func (s *session) testEnvironment(dir string) []string {
	env := append(os.Environ(), "PWD="+dir)
	if path := os.Getenv("PATH"); path != "" {
		env = append(env, "PATH="+filepath.Dir(s.facts.Go)+string(os.PathListSeparator)+path)
	}
	return append(append(env, s.reachEnvironment()...), s.switchEnvironment()...)
}
