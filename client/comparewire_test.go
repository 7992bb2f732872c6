package main

import (
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
)

// TestCompareWire looks into the table for what sets the protocols apart.
func TestCompareWire(t *testing.T) {
	s := startServer(t)
	tests := []struct {
		mode string
		rows []string // each a pattern of one line, its cells from the left
	}{
		{"unary", []string{
			`of these messages +22 +22 +22 +22$`,
			`envelopes +0 +0 +1 +1$`,
			`envelopes +0 +0 +1 +2$`,
			`deadline +connect-timeout-ms +connect-timeout-ms +grpc-timeout +grpc-timeout$`,
			`trailer-greet- +trailer-greet- +greet-echo-trailer +trailer greet-$`,
			`status +HTTP/1.1 200 OK +:status: 200 +grpc-status: 0 +trailer grpc-$`,
		}},
		{"server-stream", []string{
			`of these messages +75 +75 +75 +75$`,
			`the client sends +head +HEADERS +HEADERS +HEADERS$`,
			` body +DATA END_STREAM +DATA END_STREAM +DATA END_STREAM$`,
			` chunk of 0 +DATA END_STREAM +HEADERS END_STREAM +DATA END_STREAM$`,
			`envelopes +4 +4 +3 +4$`,
			`status +end of stream +end of stream +grpc-status: 0 +trailer grpc-$`,
			`end of stream +end of stream +greet-echo-trailer +trailer greet-$`,
		}},
		{"client-stream", []string{
			` chunk of 0 +DATA END_STREAM +DATA END_STREAM +DATA END_STREAM$`,
			`envelopes +3 +3 +3 +3$`,
			`envelopes +2 +2 +1 +2$`,
		}},
		{"bidi", []string{
			`of these messages +53 +53 +53$`,
			`envelopes +4 +3 +4$`,
			`^connect/h1 is empty: `,
		}},
	}
	for _, test := range tests {
		t.Run(test.mode, func(t *testing.T) {
			code, out, errs := command(t, "--compare-wire", test.mode, "--addr", s.connect)
			if code != exitOK || errs != "" {
				t.Fatalf("got %d, %q", code, errs)
			}
			for _, row := range test.rows {
				if !regexp.MustCompile(`(?m)` + row).MatchString(out) {
					t.Errorf("no row %q in:\n%s", row, out)
				}
			}
			for line := range strings.SplitSeq(out, "\n") {
				if utf8.RuneCountInString(line) > tableWidth || strings.HasSuffix(line, " ") {
					t.Errorf("too wide, or ends in spaces: %q", line)
				}
			}
		})
	}
}

func TestCompareWireUsage(t *testing.T) {
	for args, want := range map[string]string{
		"--compare-wire":                   "such as --compare-wire unary\n",
		"--compare-wire both":              "want one of unary",
		"--compare-wire unary --lib x":     `--lib "x"`,
		"--compare-wire unary --wire":      "leave out --wire",
		"--compare-wire bidi --mode unary": "leave out --mode",
		"--compare-wire unary --count 3":   "--count is for modes that stream",
		"--compare-wire unary --matrix":    "leave out --compare-wire",
		"--compare-wire unary --addr=":     "empty",
	} {
		if code, out, errs := command(t, strings.Fields(args)...); code != exitUsage || out != "" || !strings.Contains(errs, want) {
			t.Errorf("%s: got %d, %q, %q; want %q", args, code, out, errs, want)
		}
	}
	code, out, errs := command(t, "--compare-wire", "unary", "--addr", closedPort(t))
	if code != exitFailed || out != "" || !strings.Contains(errs, "no server answers at ") {
		t.Errorf("without a server: got %d, %q, %q", code, out, errs)
	}
}
