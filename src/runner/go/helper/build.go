package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
)

// Test binaries by the folder of their package, and what the go command said.
type binaries struct {
	folder string
	root   string
	said   string
}

// The binary of a package; empty if it could not be built.
func (b *binaries) of(p *pkg) string {
	path := filepath.Join(b.folder, nameOf(filepath.Join(b.root, p.Dir)))
	if _, err := os.Stat(path); err != nil {
		return ""
	}
	return path
}

// Lets `go test` build exactly what it would run, and takes the binaries from it before they run.
func (s *session) build(packages []*pkg, extra ...string) *binaries {
	self, err := os.Executable()
	must(err)
	out := filepath.Join(s.folder, "binaries")
	work := filepath.Join(s.folder, "work")
	must(os.MkdirAll(out, 0o700))
	must(os.MkdirAll(work, 0o700))
	args := append([]string{"test", "-vet=off", "-exec", quote(self) + " collect " + quote(out)}, extra...)
	for _, p := range packages {
		args = append(args, s.argument(p))
	}
	command := exec.Command(s.facts.Go, args...)
	command.Dir = s.Root
	// On the same file system as the binaries, which are moved out of it.
	command.Env = append(s.facts.environment(s.Root), "GOTMPDIR="+work)
	var said bytes.Buffer
	command.Stdout, command.Stderr = &said, &said
	// Which packages were built shows by their binaries.
	_ = command.Run()
	return &binaries{out, s.Root, said.String()}
}

func (s *session) argument(p *pkg) string {
	if p.Dir == "." {
		return "."
	}
	return "./" + p.Dir
}

// Runs in place of a test binary, in the folder of its package.
func collect(out, binary string) {
	dir, err := os.Getwd()
	must(err)
	must(os.Rename(binary, filepath.Join(out, nameOf(dir))))
}

func nameOf(dir string) string {
	sum := sha256.Sum256([]byte(dir))
	return hex.EncodeToString(sum[:8]) + ".test"
}

var (
	atPosition  = regexp.MustCompile(`^(.+?\.go):(\d+)(:\d+)?: (.+)$`)
	twoPackages = regexp.MustCompile(`found packages .+ and .+ in .+`)
)

// The first thing that the compiler has against the program: what it says, and about which file.
func refusal(said string) (message, file string, ok bool) {
	for _, line := range strings.Split(said, "\n") {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "#") || isMissing(line) {
			continue
		}
		if at := atPosition.FindStringSubmatch(line); at != nil {
			return strings.TrimPrefix(line, "./"), at[1], true
		}
		if found := twoPackages.FindString(line); found != "" {
			return found, "", true
		}
	}
	return "", "", false
}

// Reports that a package could not be built. A reason that is not the compiler's proves nothing about the program: then the run has
// trouble, and mutate will say that it does not know.
func (s *session) notBuilt(p *pkg, said string) {
	message, file, ok := refusal(said)
	if !ok {
		text := fmt.Sprintf("%s: %s", s.argument(p), cut(said))
		must(os.WriteFile(filepath.Join(s.folder, "trouble.txt"), []byte(text), 0o600))
		os.Exit(3)
	}
	var where any
	if file != "" {
		if !filepath.IsAbs(file) {
			file = filepath.Join(s.Root, file)
		}
		where = file
	}
	s.report.loadFailure(p.Dir, "CompileError", message, where, true)
}
