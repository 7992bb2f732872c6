package suggest

import (
	"strings"
	"testing"
)

func TestNotFound(t *testing.T) {
	names := []string{
		"connect-go/connect/h1", "connect-go/connect/h3", "grpc-go/grpc/h2c", "grpc-go/grpc/h2c+gzip",
		"grpc-go/grpc/h2c+no-ping", "floor/grpc/h2c", "unary", "open", "server-stream",
	}
	for pattern, want := range map[string]string{
		"grcp-go/grpc/h2c":      "grpc-go/grpc/h2c",
		"grpc/grpc/h2c":         "grpc-go/grpc/h2c",
		"grpc-go/grpc/h2c+gzpi": "grpc-go/grpc/h2c+gzip",
		"grcp-go/*":             "grpc-go/grpc/h2c",
		"*/h4":                  "connect-go/connect/h1",
		"grpc-go":               "grpc-go/grpc/h2c",
		"h3":                    "connect-go/connect/h3",
		"unray":                 "unary",
		"opne":                  "open",
		"server":                "server-stream",
		"tonic/grpc/h2c":        "",
		"x":                     "",
		"":                      "",
		"*nowhere*":             "",
		"noting*":               "",
		strings.Repeat("a", 99): "",
	} {
		text := NotFound("no stack matches", pattern, names, "benchmark stacks").Error()
		wantText := `no stack matches "` + pattern + `": benchmark stacks lists all`
		if want != "" {
			wantText = `no stack matches "` + pattern + `": did you mean ` + want + `? benchmark stacks lists all`
		}
		if text != wantText {
			t.Errorf("got  %s\nwant %s", text, wantText)
		}
	}
}

func TestDistance(t *testing.T) {
	for _, tt := range []struct {
		pattern, name string
		want          int
	}{
		{"", "", 0}, {"", "abc", 3}, {"abc", "", 3}, {"kitten", "sitting", 3}, {"abc", "abc", 0},
		{"*", "abc", 0}, {"*", "", 0}, {"a*c", "abbbc", 0}, {"a*d", "abbbc", 1}, {"*b", "ab", 0}, {"b*", "ab", 1},
	} {
		if got := distance(tt.pattern, tt.name); got != tt.want {
			t.Errorf("%q to %q: %d, want %d", tt.pattern, tt.name, got, tt.want)
		}
	}
}
