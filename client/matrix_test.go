package main

import (
	"strings"
	"testing"
)

func TestMatrix(t *testing.T) {
	s := startServer(t)
	code, out, errs := command(t, "--matrix", "--connect", s.connect, "--tls", s.tls, "--grpc", s.grpc, "--ca", s.ca)
	if code != exitOK || errs != "" {
		t.Errorf("got exit code %d and stderr %q", code, errs)
	}
	// 12 rows of connect-go with 8 cells each, but for bidi over HTTP/1.1; its gRPC
	// and three rows of grpc-go against listeners that share proto with them.
	if want := "106 of 106 that should work do"; !strings.Contains(out, want) {
		t.Errorf("want %q in:\n%s", want, out)
	}
	grid, _, _ := strings.Cut(out, "\n\n")
	for line := range strings.Lines(grid) {
		if len(line) > 101 {
			t.Errorf("a line of %d columns, want at most 100: %s", len(line)-1, line)
		}
		if strings.Contains(line, "FAIL") {
			t.Error(line)
		}
	}
	for _, reason := range []string{"bidi over HTTP/1.1", "grpc-go speaks gRPC only; for grpcweb", "no JSON codec", "over HTTP/2 only", "no HTTP/3", "call the connect listener"} {
		if !strings.Contains(out, reason) {
			t.Errorf("reason %q is not in:\n%s", reason, out)
		}
	}
}

// TestMatrixFailures leaves out a server and a certificate, and calls one
// listener by the name of another.
func TestMatrixFailures(t *testing.T) {
	s := startServer(t)
	closed := closedPort(t)
	tests := []struct {
		name string
		args []string
		want []string
	}{
		{"one listener missing", []string{"--connect", closed, "--tls", "off", "--grpc", s.grpc}, []string{"no server answers at " + closed}},
		{"no trust", []string{"--connect", "off", "--tls", s.tls, "--grpc", "off"}, []string{"0 of 52", "not trusted"}},
		{"wrong listener", []string{"--connect", s.grpc, "--tls", "off", "--grpc", "off"}, []string{"FAIL", "ok"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			code, out, errs := command(t, append(test.args, "--matrix", "--timeout", "2s")...)
			if code != exitFailed || strings.Count(errs, "\n") != 1 {
				t.Errorf("got exit code %d and stderr %q, want 1 and one line", code, errs)
			}
			for _, want := range test.want {
				if !strings.Contains(out, want) {
					t.Errorf("want %q in:\n%s", want, out)
				}
			}
		})
	}
}
