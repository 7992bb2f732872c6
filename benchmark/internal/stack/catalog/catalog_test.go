package catalog

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/greet/internal/stack"
)

func stackNames(stacks []stack.Stack) []string {
	var list []string
	for _, s := range stacks {
		list = append(list, s.Name.String())
	}
	return list
}

// TestLists holds the three lists to what they say of each other, whatever stacks there are.
func TestLists(t *testing.T) {
	known, all, byDefault := stackNames(Known()), stackNames(All()), stackNames(Default())
	if n := len(all); n <= len(byDefault) || n >= len(known) || !slices.Equal(all, known[:n]) || !slices.Equal(byDefault, all[:len(byDefault)]) {
		t.Errorf("want all to begin with the default, and the known with all:\n%q\n%q\n%q", byDefault, all, known)
	}
	for i, name := range known {
		if slices.Contains(known[:i], name) {
			t.Errorf("two stacks are named %s", name)
		}
	}
	for _, s := range Default() {
		if len(s.Name.Variants) > 0 || !s.Name.RPC() {
			t.Errorf("%s is measured by default", s.Name)
		}
	}
}

func TestEveryStackIsWhole(t *testing.T) {
	for _, s := range Known() {
		t.Run(s.Name.String(), func(t *testing.T) {
			parsed, err := stack.ParseName(s.Name.String())
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(s.Name, parsed); diff != "" {
				t.Errorf("name read back (-want +got):\n%s", diff)
			}
			if s.Language != "go" {
				t.Errorf("language is %q, want go", s.Language)
			}
			for _, library := range s.Libraries {
				if path, version, _ := strings.Cut(library, " "); path == "" || version == "" {
					t.Errorf("library %q: want its path and version", library)
				}
			}
			if len(s.Libraries) == 0 || s.Dial == nil {
				t.Error("want libraries and a client")
			}
			if (s.Serve != nil) != s.Name.Remote() {
				t.Errorf("has a server: %v, want %v", s.Serve != nil, s.Name.Remote())
			}
		})
	}
}

// some are stacks of every kind that patterns tell apart.
func some() []stack.Stack {
	var stacks []stack.Stack
	for _, name := range []string{
		"a/connect/h1", "a/connect/h2c", "a/grpc/h2c", "b/connect/h1", "c/grpc/h2c", "a/connect/h2c+json", "c/grpc/h2c+gzip",
	} {
		n, _ := stack.ParseName(name) // what is wrong with it would show as no match
		stacks = append(stacks, stack.Stack{Name: n})
	}
	return stacks
}

func TestMatch(t *testing.T) {
	tests := []struct {
		name     string
		patterns []string
		want     []string
	}{
		{"none asks for none", nil, nil},
		{"all that are plain", []string{"*"}, []string{"a/connect/h1", "a/connect/h2c", "a/grpc/h2c", "b/connect/h1", "c/grpc/h2c"}},
		{"all", []string{"*", "*+*"}, stackNames(some())},
		{"one", []string{"c/grpc/h2c"}, []string{"c/grpc/h2c"}},
		{"a star crosses slashes", []string{"*h1"}, []string{"a/connect/h1", "b/connect/h1"}},
		{"the order of the stacks, not of the patterns", []string{"c/*/h2c", "a/*/h1"}, []string{"a/connect/h1", "c/grpc/h2c"}},
		{"once each", []string{"c/*c", "*/grpc/h2c"}, []string{"a/grpc/h2c", "c/grpc/h2c"}},
		{"a base without its variants", []string{"c/grpc/h2c*"}, []string{"c/grpc/h2c"}},
		{"the variants of a base", []string{"c/grpc/h2c+*"}, []string{"c/grpc/h2c+gzip"}},
		{"variants where nothing is plain", []string{"*json"}, []string{"a/connect/h2c+json"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := Match(some(), tt.patterns)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, stackNames(got)); diff != "" {
				t.Errorf("Match(%q) (-want +got):\n%s", tt.patterns, diff)
			}
		})
	}
}

func TestMatchNothing(t *testing.T) {
	for pattern, want := range map[string]string{
		"tonic/*":     `no stack matches "tonic/*": benchmark stacks lists all`,
		"":            `no stack matches "": benchmark stacks lists all`,
		"a/conect/h1": `no stack matches "a/conect/h1": did you mean a/connect/h1? benchmark stacks lists all`,
	} {
		if got, err := Match(some(), []string{"*", pattern}); err == nil || err.Error() != want {
			t.Errorf("Match(%q) = %v, error %v, want %s", pattern, stackNames(got), err, want)
		}
	}
}

func TestFind(t *testing.T) {
	for _, want := range stackNames(Known()) {
		s, err := Find(want)
		if err != nil {
			t.Errorf("Find(%q): %v", want, err)
		} else if got := s.Name.String(); got != want {
			t.Errorf("Find(%q) = %s", want, got)
		}
	}
	if _, err := Find("grpc-go/grpc/*"); err == nil || !strings.Contains(err.Error(), "did you mean grpc-go/grpc/h2c? ") {
		t.Errorf("Find of a pattern: error is %v, want one that says what was meant", err)
	}
}
