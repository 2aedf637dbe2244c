package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"
)

// Lines of JSON in a file, one per event, written at once: a death loses nothing that was said before.
type report struct{ file *os.File }

type event map[string]any

func openReport(folder string) *report {
	file, err := os.OpenFile(filepath.Join(folder, "report.jsonl"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	must(err)
	return &report{file}
}

func (r *report) add(kind string, fields event) {
	if fields == nil {
		fields = event{}
	}
	fields["event"] = kind
	var line bytes.Buffer
	encoder := json.NewEncoder(&line)
	encoder.SetEscapeHTML(false)
	must(encoder.Encode(fields))
	_, err := r.file.Write(line.Bytes())
	must(err)
}

func (r *report) loadFailure(id, kind, message string, file any, refused bool) {
	r.add("load_failure", event{"id": id, "kind": kind, "message": cut(message), "file": file, "refused": refused})
}

// The first few hundred bytes, in whole characters.
func cut(text string) string {
	const most = 500
	text = strings.ToValidUTF8(strings.TrimSpace(text), "\uFFFD")
	if len(text) <= most {
		return text
	}
	end := most
	for !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end]
}
