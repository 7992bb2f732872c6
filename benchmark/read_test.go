package main

import (
	"os"
	"strings"
	"testing"
)

func TestNoSliceCountsTwice(t *testing.T) {
	file, other := writeRun(t, nil, 100, 100), writeRun(t, nil, 100)
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	twice := file + ".twice"
	if err := os.WriteFile(twice, append(text, text...), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		args   []string
		status int
		says   []string // parts of the message
	}{
		{[]string{"validate", file, other}, exitGood, nil},
		{[]string{"validate", file, file}, exitGood, nil},
		{[]string{"validate", twice}, exitFailed, []string{twice + ":3: round 1 of run ", " is in " + twice + ":1 already: codec protobuf-go marshal payload 0 B", "(and 1 line more)"}},
		{[]string{"report", file, file}, exitFailed, []string{file + ":1: round 1 of run ", " is in " + file + ":1 already: codec protobuf-go marshal"}},
		{[]string{"compare", file + "," + file, other}, exitFailed, []string{" is in " + file + ":1 already"}},
		{[]string{"compare", file, file}, exitGood, nil}, // the sides are held against each other
	} {
		var stdout, stderr strings.Builder
		if got := execute(t.Context(), test.args, &stdout, &stderr); got != test.status {
			t.Errorf("%q: status %d, said %q, want %d", test.args, got, stderr.String(), test.status)
		}
		for _, want := range test.says {
			if !strings.Contains(stderr.String(), want) {
				t.Errorf("%q: said %q, want one with %q", test.args, stderr.String(), want)
			}
		}
	}
}
