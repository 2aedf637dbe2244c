package main

import (
	"regexp"
	"strings"
)

// A pattern for the flags of `testing` that means exactly these tests or subtests.
func exactly(names []string) string {
	var patterns []string
	for _, name := range names {
		parts := strings.Split(name, "/")
		for at, part := range parts {
			parts[at] = "^" + regexp.QuoteMeta(part) + "$"
		}
		patterns = append(patterns, strings.Join(parts, "/"))
	}
	return strings.Join(patterns, "|")
}
