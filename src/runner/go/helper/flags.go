package main

import "strings"

// Settings of a user that belong to another kind of run, or that would have `go test` do something else than build.
var dropped = map[string]bool{
	"a": true, "artifacts": true, "bench": true, "benchmem": true, "benchtime": true, "blockprofile": true, "blockprofilerate": true,
	"c": true, "count": true, "cover": true, "covermode": true, "coverpkg": true, "coverprofile": true, "cpu": true,
	"cpuprofile": true, "exec": true, "failfast": true, "fullpath": true, "fuzz": true, "fuzzminimizetime": true, "fuzztime": true,
	"i": true, "json": true, "list": true, "memprofile": true, "memprofilerate": true, "mutexprofile": true,
	"mutexprofilefraction": true, "n": true, "o": true, "outputdir": true, "run": true, "shuffle": true, "skip": true,
	"timeout": true, "trace": true, "v": true, "vet": true, "work": true, "x": true,
}

// What the test binary itself has to be told.
var forTests = map[string]bool{"short": true, "parallel": true}

// The flags with which packages are built, and those for the test binaries.
func settle(goFlags string) (build, test []string) {
	build, test = []string{}, []string{}
	for _, flag := range split(goFlags) {
		name, value, hasValue := strings.Cut(strings.TrimLeft(flag, "-"), "=")
		switch {
		case forTests[name] && hasValue:
			test = append(test, "-test."+name+"="+value)
		case forTests[name]:
			test = append(test, "-test."+name)
		case dropped[name]:
		case name == "mod" && value == "mod":
			// It may rewrite go.mod, which is not ours to do.
		default:
			build = append(build, quote(flag))
		}
	}
	return build, test
}

// Words as the go command splits them: quotes stand round whole words and hide nothing.
func split(text string) []string {
	var words []string
	for text = strings.TrimLeft(text, " \t\r\n"); text != ""; text = strings.TrimLeft(text, " \t\r\n") {
		end, skip := strings.IndexAny(text, " \t\r\n"), 0
		if text[0] == '\'' || text[0] == '"' {
			skip = 1
			end = strings.IndexByte(text[1:], text[0])
			if end >= 0 {
				end++
			}
		}
		if end < 0 {
			end = len(text)
		}
		words = append(words, text[skip:end])
		text = text[end:]
		if skip == 1 && text != "" {
			text = text[1:]
		}
	}
	return words
}

func quote(word string) string {
	switch {
	case word != "" && !strings.ContainsAny(word, " \t\r\n'\""):
		return word
	case !strings.Contains(word, "'"):
		return "'" + word + "'"
	}
	return `"` + word + `"`
}
