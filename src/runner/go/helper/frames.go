package main

import (
	"bytes"
	"regexp"
	"strings"
	"time"
)

// Stands before every line with which a test binary says how its tests fare (`-test.v=test2json`).
const marker = 0x16

// A longer line is cut: no frame is that long.
const longestLine = 16 << 10

// Reads what a test binary prints, as it comes.
//
// Only the tests that are known to stand in the binary count. A test may run tests of its own with `testing.RunTests`, and these print
// frames like any other: a test that begins while another one runs and is not paused is one of those.
type frames struct {
	known   map[string]bool
	started func(test string)
	// Told once for each end; failed also as soon as a subtest has.
	ended     func(test, status string, took time.Duration, message string)
	now       func() time.Time
	line      []byte
	running   map[string]*running
	order     []string
	inner     map[string]int
	current   string
	waiting   *failed
	ran       int
	last      string
	anyFailed bool
	panics    []string
	tail      []string
}

type running struct {
	since  time.Time
	took   time.Duration
	paused bool
	failed bool
	log    map[string][]string
}

// A test that has failed, and may still say why: the message of a panic follows its frame.
type failed struct {
	test, deepest string
	took          time.Duration
	log           map[string][]string
	// What followed the frame: examples say there what they got.
	after []string
}

func newFrames(tests []string) *frames {
	f := &frames{known: map[string]bool{}, running: map[string]*running{}, inner: map[string]int{}, now: time.Now}
	for _, test := range tests {
		f.known[test] = true
	}
	return f
}

func (f *frames) write(chunk []byte) {
	for len(chunk) > 0 {
		end := bytes.IndexAny(chunk, "\n\x16")
		if end < 0 {
			f.keep(chunk)
			return
		}
		f.keep(chunk[:end])
		if chunk[end] == '\n' || len(f.line) > 0 && f.line[0] != marker {
			f.flush()
		}
		if chunk[end] == marker {
			f.line = append(f.line[:0], marker)
		}
		chunk = chunk[end+1:]
	}
}

func (f *frames) keep(part []byte) {
	if room := longestLine - len(f.line); len(part) > room {
		part = part[:room]
	}
	f.line = append(f.line, part...)
}

func (f *frames) flush() {
	line := string(f.line)
	f.line = f.line[:0]
	if rest, ok := strings.CutPrefix(line, string(rune(marker))); ok {
		f.frame(strings.TrimRight(rest, "\r"))
	} else {
		f.plain(line)
	}
}

// Nothing more will come.
func (f *frames) close() {
	if len(f.line) > 0 {
		f.flush()
	}
	f.settle()
}

func (f *frames) frame(line string) {
	f.settle()
	text := strings.TrimLeft(line, " ")
	verb, rest, _ := strings.Cut(text, ": ")
	switch verb {
	case "--- PASS", "--- FAIL", "--- SKIP":
		if at := strings.LastIndex(rest, " ("); at >= 0 {
			rest = rest[:at]
		}
		f.end(rest, verb[4:])
		return
	}
	switch {
	case text == "PASS" || text == "FAIL":
		f.current = ""
	case strings.HasPrefix(text, "=== RUN "):
		f.begin(strings.TrimSpace(text[8:]))
	case strings.HasPrefix(text, "=== PAUSE "):
		f.pause(strings.TrimSpace(text[10:]))
	case strings.HasPrefix(text, "=== CONT "):
		f.resume(strings.TrimSpace(text[9:]))
	case strings.HasPrefix(text, "=== NAME "):
		f.current = strings.TrimSpace(text[9:])
	}
}

func root(test string) string {
	top, _, _ := strings.Cut(test, "/")
	return top
}

func (f *frames) begin(test string) {
	if test != root(test) {
		f.current = test
		return
	}
	if !f.known[test] || f.active() != "" {
		f.inner[test]++
		return
	}
	f.current, f.last = test, test
	f.running[test] = &running{since: f.now(), log: map[string][]string{}}
	f.order = append(f.order, test)
	f.ran++
	f.started(test)
}

// A test that runs and is not paused.
func (f *frames) active() string {
	for _, test := range f.order {
		if one := f.running[test]; one != nil && !one.paused {
			return test
		}
	}
	return ""
}

func (f *frames) pause(test string) {
	if one := f.running[test]; one != nil && f.inner[test] == 0 && !one.paused {
		one.took, one.paused = one.took+f.now().Sub(one.since), true
	}
}

func (f *frames) resume(test string) {
	f.current = test
	if one := f.running[test]; one != nil && f.inner[test] == 0 && one.paused {
		one.since, one.paused = f.now(), false
	}
}

func (f *frames) end(test, status string) {
	top := root(test)
	if f.inner[top] > 0 {
		if test == top {
			f.inner[top]--
		}
		return
	}
	one := f.running[top]
	if one == nil {
		return
	}
	took := one.took
	if !one.paused {
		took += f.now().Sub(one.since)
	}
	if status == "FAIL" && !one.failed {
		one.failed, f.anyFailed = true, true
		f.waiting = &failed{test: top, deepest: test, took: took, log: one.log}
	}
	if test != top {
		return
	}
	f.last = top
	f.forget(top)
	if status != "FAIL" {
		f.ended(top, map[string]string{"PASS": "passed", "SKIP": "skipped"}[status], took, "")
	}
}

func (f *frames) forget(test string) {
	delete(f.running, test)
	for at, one := range f.order {
		if one == test {
			f.order = append(f.order[:at:at], f.order[at+1:]...)
			return
		}
	}
}

// Tells the failure that waited for its message.
func (f *frames) settle() {
	if w := f.waiting; w != nil {
		f.waiting = nil
		f.ended(w.test, "failed", w.took, f.why(w))
	}
}

const mostLines = 40

func (f *frames) plain(line string) {
	if isPanic(line) || len(f.panics) > 0 {
		if len(f.panics) < 400 {
			f.panics = append(f.panics, line)
		}
	}
	f.tail = append(f.tail, line)
	if len(f.tail) > mostLines {
		f.tail = f.tail[1:]
	}
	if w := f.waiting; w != nil && len(w.after) < mostLines {
		w.after = append(w.after, line)
	}
	if one := f.running[root(f.current)]; one != nil && len(one.log[f.current]) < mostLines {
		one.log[f.current] = append(one.log[f.current], line)
	}
}

func isPanic(line string) bool {
	return strings.HasPrefix(line, "panic: ") || strings.HasPrefix(line, "fatal error: ")
}

var logged = regexp.MustCompile(`^\s+[^\s:]+\.go:\d+: `)

// What a test had to say before it failed: from the first line that it logged, else of a panic.
func (f *frames) why(w *failed) string {
	start := ""
	if w.deepest != w.test {
		start = w.deepest + ": "
	}
	if len(f.panics) > 0 {
		return start + strings.TrimSuffix(f.panics[0], " [recovered]")
	}
	lines := append(w.log[w.deepest], w.after...)
	for at, line := range lines {
		if logged.MatchString(line) {
			return start + joined(lines[at:])
		}
	}
	return start + joined(lines)
}

func joined(lines []string) string {
	var words []string
	for _, line := range lines {
		words = append(words, strings.TrimSpace(line))
	}
	return strings.TrimSpace(strings.Join(words, "\n"))
}

// What the process said last.
func (f *frames) lastWords() string {
	if len(f.panics) > 0 {
		return f.panics[0]
	}
	for at := len(f.tail) - 1; at >= 0; at-- {
		if line := strings.TrimSpace(f.tail[at]); line != "" {
			return line
		}
	}
	return ""
}

// The tests in whose middle the process died: those that stand in the trace of the panic if any do, else all that ran.
func (f *frames) suspects() []string {
	var all, traced []string
	trace := strings.Join(f.panics, "\n")
	for _, test := range f.order {
		if f.running[test].paused {
			continue
		}
		all = append(all, test)
		if strings.Contains(trace, "."+test+"(") || strings.Contains(trace, "."+test+".func") {
			traced = append(traced, test)
		}
	}
	if len(traced) > 0 {
		return traced
	}
	return all
}
