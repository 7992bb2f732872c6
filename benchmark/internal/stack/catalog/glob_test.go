package catalog

import (
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestGlob(t *testing.T) {
	tests := []struct {
		pattern, name string
		want          bool
	}{
		{"grpc-go/grpc/h2c", "grpc-go/grpc/h2c", true},
		{"grpc-go/grpc/h2", "grpc-go/grpc/h2c", false},
		{"grpc-go/grpc/h2c", "grpc-go/grpc/h2", false},
		{"*", "grpc-go/grpc/h2c", true},
		{"*", "", true},
		{"", "", true},
		{"", "a", false},
		{"*/h2c", "grpc-go/grpc/h2c", true},
		{"*/h2c", "grpc-go/grpc/h2c+tuned", false},
		{"*/h2c*", "grpc-go/grpc/h2c+tuned", true},
		{"connect-go/*", "connect-go/grpc/h2c", true},
		{"connect-go/*", "connect-go-v1/connect/h1", false},
		{"*go*h2*", "connect-go/grpc/h2c", true},
		{"*h2*go*", "connect-go/grpc/h2c", false},
		{"a*a", "a", false}, // the two parts may not share a letter
		{"a*a", "aa", true},
		{"*ab*b", "abb", true},
		{"**", "a/b", true},
		{"connect-go/connect/h[12]", "connect-go/connect/h1", false},
		{"connect-go/connect/h?", "connect-go/connect/h1", false},
	}
	for _, tt := range tests {
		if got := glob(tt.pattern, tt.name); got != tt.want {
			t.Errorf("glob(%q, %q) = %v, want %v", tt.pattern, tt.name, got, tt.want)
		}
	}
}

// FuzzGlob holds the matcher against a regular expression of the same meaning.
func FuzzGlob(f *testing.F) {
	f.Add("*/h2c", "grpc-go/grpc/h2c")
	f.Add("a*b*a", "abba")
	f.Add("**", "")
	f.Fuzz(func(t *testing.T, pattern, name string) {
		if !utf8.ValidString(pattern) || !utf8.ValidString(name) {
			t.Skip("regexp reads invalid UTF-8 as U+FFFD, glob as the bytes that it is")
		}
		parts := strings.Split(pattern, "*")
		for i, p := range parts {
			parts[i] = regexp.QuoteMeta(p)
		}
		want := regexp.MustCompile(`(?s)\A` + strings.Join(parts, ".*") + `\z`).MatchString(name)
		if got := glob(pattern, name); got != want {
			t.Errorf("glob(%q, %q) = %v, want %v", pattern, name, got, want)
		}
	})
}
