package main

import (
	"strings"
	"testing"
)

func TestMistakesInTheCommandLine(t *testing.T) {
	for _, test := range []struct {
		args []string
		want []string // parts of the message
	}{
		{[]string{"--stacks", ""}, []string{"--stacks is empty", "GLOB", "see benchmark run --help"}},
		{[]string{"--stacks="}, []string{"--stacks is empty"}},
		{[]string{"--scenarios", ""}, []string{"--scenarios is empty", "codec, family, unary"}},
		{[]string{"--target", ""}, []string{"--target is empty", "NAME=HOST:PORT"}},
		{[]string{"--profile", ""}, []string{`must be one of "cpu","heap" but got ""`}},
		{[]string{"--profile", "disk"}, []string{`must be one of "cpu","heap" but got "disk"`}},
		{[]string{"plan", "--cases", ""}, []string{"--cases is empty", "REGEXP", "see benchmark plan --help"}},
		{[]string{"plan", "--rounds", "0"}, []string{"--rounds 0", "see benchmark plan --help"}},
		{[]string{"compare", "a", "b", "--fail-if", ""}, []string{"--fail-if is empty", "allocations_per_op>+2%", "see benchmark compare --help"}},
		{[]string{"--rounds", "many"}, []string{"--rounds", "see benchmark run --help"}},
		{[]string{"--unknown"}, []string{"--unknown", "see benchmark run --help"}},
		{[]string{"measure"}, []string{"measure", "see benchmark --help"}},
	} {
		var stdout, stderr strings.Builder
		if got := execute(t.Context(), test.args, &stdout, &stderr); got != exitUsage {
			t.Errorf("%q: status %d, want %d", test.args, got, exitUsage)
		}
		for _, want := range test.want {
			if !strings.Contains(stderr.String(), want) {
				t.Errorf("%q: said %q, want one with %q", test.args, stderr.String(), want)
			}
		}
		if strings.Count(stderr.String(), "\n") != 1 || stdout.Len() > 0 {
			t.Errorf("%q: said %q and printed %q, want one line and nothing", test.args, stderr.String(), stdout.String())
		}
	}
}

func TestHelp(t *testing.T) {
	for _, test := range []struct {
		args []string
		want string
	}{
		{[]string{"--help"}, "benchmark run --help lists the flags of a run"},
		{[]string{"run", "--help"}, "--resume[=FILE] "},
	} {
		var stdout, stderr strings.Builder
		if got := execute(t.Context(), test.args, &stdout, &stderr); got != exitGood || !strings.Contains(stdout.String(), test.want) {
			t.Errorf("%q: status %d, printed\n%swant 0 and %q", test.args, got, stdout.String(), test.want)
		}
	}
}
