// The test process of Go modules, written out, built with the project's own Go and started by mutate.
//
// It builds the test binaries of the packages that are wanted as `go test` would, runs them as `go test` would, and reports every
// result at once. It never concludes anything from an exit code alone.
package main

import (
	"fmt"
	"os"
)

func main() {
	if len(os.Args) < 3 {
		fail("there are four ways to start this program: list, run, weave and collect")
	}
	switch os.Args[1] {
	case "list":
		list(os.Args[2])
	case "run":
		run(os.Args[2])
	case "weave":
		weave(os.Args[2])
	case "collect":
		collect(os.Args[2], os.Args[3])
	}
}

func fail(what ...any) {
	fmt.Fprintln(os.Stderr, what...)
	os.Exit(3)
}

func must(err error) {
	if err != nil {
		fail(err)
	}
}
