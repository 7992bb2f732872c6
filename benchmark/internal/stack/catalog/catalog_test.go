package catalog

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/greet/internal/stack"
)

// What is measured by default, in the order of reports.
var wantDefault = []string{
	"connect-go/connect/h1",
	"connect-go/connect/h2c",
	"connect-go/grpc/h2c",
	"connect-go/grpcweb/h2c",
	"connect-go/connect/h2",
	"connect-go/connect/h3",
	"connect-go-v1/connect/h1",
	"connect-go-v1/connect/h2c",
	"grpc-go/grpc/h2c",
}

// What is measured only when it is named.
var wantExperiments = []string{
	"bare/bytes/tcp",
	"bare/call/inproc",
	"connect-go/grpc/h1",
	"connect-go/grpcweb/h1",
	"connect-go/call/inproc",
	"connect-go/grpc/h2c+tuned",
	"connect-go/grpc/h2c+window=3m",
	"connect-go/grpc/h2c+read-frame=1m",
	"connect-go/grpc/h2c+no-write-timeout",
	"connect-go/grpc/h2c+no-ping",
	"grpc-go/grpc/h2c+servehttp",
	"grpc-go/grpc/h2c+interceptors=1",
	"grpc-go/grpc/h2c+interceptors=4",
	"grpc-go/grpc/h2c+tuned",
	"grpc-go/grpc/h2c+write-buffer=256k",
	"grpc-go/grpc/h2c+read-buffer=256k",
	"grpc-go/grpc/h2c+window=1m",
	"grpc-go/grpc/h2c+stream-workers",
	"grpc-go/grpc/h2c+own-write-buffer",
	"grpc-go/grpc/h2c+no-buffer-pool",
	"connect-go/connect/h1+workers=1",
	"connect-go/connect/h2c+workers=1",
	"connect-go/grpc/h2c+workers=1",
	"connect-go/grpcweb/h2c+workers=1",
	"connect-go/connect/h2+workers=1",
	"connect-go/connect/h3+workers=1",
	"grpc-go/grpc/h2c+workers=1",
	"floor/grpc/h2c+workers=1",
}

// What the contract holds for, in order.
var wantNames = append(slices.Clone(wantDefault),
	"connect-go/connect/h2c+json",
	"connect-go/connect/h2c+gzip",
	"grpc-go/grpc/h2",
	"grpc-go/grpc/h2c+gzip",
	"floor/grpc/h2c",
)

func stackNames(stacks []stack.Stack) []string {
	var list []string
	for _, s := range stacks {
		list = append(list, s.Name.String())
	}
	return list
}

func TestAll(t *testing.T) {
	if diff := cmp.Diff(wantNames, stackNames(All())); diff != "" {
		t.Errorf("names of all stacks (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(wantDefault, stackNames(Default())); diff != "" {
		t.Errorf("names of the default stacks (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(append(slices.Clone(wantNames), wantExperiments...), stackNames(Known())); diff != "" {
		t.Errorf("names of all that is known (-want +got):\n%s", diff)
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

func TestMatch(t *testing.T) {
	tests := []struct {
		name     string
		patterns []string
		want     []string
	}{
		{"none asks for none", nil, nil},
		{"all that are plain", []string{"*"}, append(slices.Clone(wantDefault), "grpc-go/grpc/h2", "floor/grpc/h2c")},
		{"all", []string{"*", "*+*"}, wantNames},
		{"one", []string{"grpc-go/grpc/h2c"}, []string{"grpc-go/grpc/h2c"}},
		{"a star crosses slashes", []string{"*h1"}, []string{"connect-go/connect/h1", "connect-go-v1/connect/h1"}},
		{"the catalog's order, not the patterns'", []string{"grpc-go/*/h2c", "connect-go/*/h1"},
			[]string{"connect-go/connect/h1", "grpc-go/grpc/h2c"}},
		{"once each", []string{"grpc-go/*c", "*-go/grpc/h2c"}, []string{"connect-go/grpc/h2c", "grpc-go/grpc/h2c"}},
		{"a base without its variants", []string{"grpc-go/grpc/h2c*"}, []string{"grpc-go/grpc/h2c"}},
		{"the variants of a base", []string{"grpc-go/grpc/h2c+*"}, []string{"grpc-go/grpc/h2c+gzip"}},
		{"variants where nothing is plain", []string{"*json"}, []string{"connect-go/connect/h2c+json"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := Match(All(), tt.patterns)
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
	for _, patterns := range [][]string{{"tonic/*"}, {"*", "tonic/*"}, {""}} {
		got, err := Match(All(), patterns)
		if err == nil {
			t.Errorf("Match(%q) = %v, want an error", patterns, stackNames(got))
			continue
		}
		for _, want := range append([]string{`"` + patterns[len(patterns)-1] + `"`}, wantNames...) {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("Match(%q): error %q does not name %s", patterns, err, want)
			}
		}
	}
}

func TestFind(t *testing.T) {
	for _, want := range append(slices.Clone(wantNames), wantExperiments...) {
		s, err := Find(want)
		if err != nil {
			t.Errorf("Find(%q): %v", want, err)
		} else if got := s.Name.String(); got != want {
			t.Errorf("Find(%q) = %s", want, got)
		}
	}
	if _, err := Find("grpc-go/*"); err == nil || !strings.Contains(err.Error(), "connect-go/connect/h1") {
		t.Errorf("Find of a pattern: error is %v, want one that lists the stacks", err)
	}
}
