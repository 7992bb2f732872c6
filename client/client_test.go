package main

import (
	"bytes"
	"context"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestDemo runs the demo in every way and wants the same bytes from each, up to
// the mode that HTTP/1.1 does not carry.
func TestDemo(t *testing.T) {
	s := startServer(t)
	all := golden(t, "demo.golden")
	withoutBidi, _, _ := strings.Cut(all, "\n--- bidi")
	for _, way := range ways() {
		for _, codec := range []string{"proto", "json"} {
			if codec == "json" && strings.HasPrefix(way, "grpc-go") {
				continue
			}
			t.Run(way+"+"+codec, func(t *testing.T) {
				want, wantErr := all, ""
				if strings.HasSuffix(way, "h1") {
					want, wantErr = withoutBidi, "use h2c, h2 or h3"
				}
				code, got, errs := command(t, append(s.args(way), "--codec", codec)...)
				if code != exitOK {
					t.Errorf("exit code = %d, want 0", code)
				}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("stdout (-want +got):\n%s", diff)
				}
				if !strings.Contains(errs, wantErr) || (wantErr == "") != (errs == "") {
					t.Errorf("stderr = %q, want a line with %q", errs, wantErr)
				}
			})
		}
	}
}

func TestOwnCalls(t *testing.T) {
	s := startServer(t)
	tests := []struct {
		args []string
		want string
	}{
		{[]string{"--mode", "unary", "--name", "Ada"}, "[client] Hello, Ada!\n"},
		{[]string{"--mode", "unary", "--name="}, "[client] Hello, !\n"},
		{[]string{"--mode", "server-stream", "--count", "2"}, "[client] Hello #1, streamer!\n[client] Hello #2, streamer!\n"},
		{[]string{"--mode", "server-stream", "--count", "0"}, ""},
		{[]string{"--mode", "client-stream", "--count", "70"}, "[client] server counted 70 requests\n"},
		{[]string{"--mode", "client-stream", "--count", "1"}, "[client] server counted 1 request\n"},
		{[]string{"--mode", "unary", "--name", "\x1b[2J\r\nz\u202e'é"}, `[client] Hello, \x1b[2J\r\nz\u202e'é!` + "\n"},
		{[]string{"--mode", "bidi", "--name", "Ada", "--count", "2"}, "[client] Hi, Ada!\n[client] Hi, Ada!\n"},
		{[]string{"--mode", "bidi", "--count", "4"}, "[client] Hi, alice!\n[client] Hi, bob!\n[client] Hi, carol!\n[client] Hi, alice!\n"},
	}
	for _, test := range tests {
		t.Run(strings.Join(test.args, " "), func(t *testing.T) {
			code, out, errs := command(t, append(test.args, "--addr", s.connect)...)
			title, got, _ := strings.Cut(out, "\n")
			if code != exitOK || got != test.want || !strings.HasPrefix(title, "--- ") {
				t.Errorf("got %d, %q, %q; want 0, a title and %q", code, out, errs, test.want)
			}
		})
	}
}

func TestWithoutServer(t *testing.T) {
	closed, ca := closedPort(t), startServer(t).ca
	for _, way := range []string{"connect-go/connect/h1", "connect-go/connect/h2c", "connect-go/grpc/h2c", "grpc-go/grpc/h2c", "connect-go/connect/h2"} {
		t.Run(way, func(t *testing.T) {
			nowhere := server{connect: closed, tls: closed, grpc: closed, ca: ca}
			code, out, errs := command(t, nowhere.args(way)...)
			if code != exitFailed || out != "" {
				t.Errorf("got exit code %d and stdout %q, want 1 and nothing", code, out)
			}
			want := regexp.MustCompile(`^client: no server answers at ` + closed + ` \(tried ` + way + `\): start one with: go run ./server --(connect|tls|grpc) ` + closed + "\n$")
			if _, last, _ := strings.Cut(strings.TrimSuffix(errs, "\n"), "\n"); last != "" {
				errs = last + "\n" // after the line that says what h1 leaves out
			}
			if !want.MatchString(errs) {
				t.Errorf("stderr = %q, want %v", errs, want)
			}
		})
	}
}

// closedPort is an address where nothing listens.
func closedPort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

func TestUntrusted(t *testing.T) {
	s := startServer(t)
	for _, way := range []string{"connect-go/connect/h2", "connect-go/connect/h3", "grpc-go/grpc/h2"} {
		t.Run(way, func(t *testing.T) {
			args := s.args(way)
			args = args[:len(args)-2] // without --ca FILE
			code, out, errs := command(t, args...)
			if code != exitFailed || out != "" || strings.Count(errs, "\n") != 1 {
				t.Errorf("got %d, %q, %q; want 1, nothing, one line", code, out, errs)
			}
			for _, want := range []string{"not trusted", "--cert-out", "--ca", "--insecure"} {
				if !strings.Contains(errs, want) {
					t.Errorf("stderr = %q, want it to name %s", errs, want)
				}
			}
			if code, _, errs := command(t, append(args, "--insecure")...); code != exitOK {
				t.Errorf("with --insecure: exit code %d, stderr %q", code, errs)
			}
		})
	}
}

func TestUsage(t *testing.T) {
	empty := filepath.Join(t.TempDir(), "empty.pem")
	if err := os.WriteFile(empty, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		args string
		want string // in the one line on stderr
	}{
		{"--bogus", "--bogus"},
		{"--lib connect-v0", "connect-go, grpc-go"},
		{"--protocol thrift", `--protocol "thrift": want one of connect, grpc, grpcweb`},
		{"--transport tcp", `--transport "tcp": want one of h1, h2c, h2, h3`},
		{"--codec xml", "proto, json"},
		{"--mode both", "client-stream"},
		{"--demo all", "metadata"},
		{"--timeout 0s", "more than 0"},
		{"--lib grpc-go --protocol connect", "use connect-go"},
		{"--lib grpc-go --protocol grpcweb", "use connect-go"},
		{"--lib grpc-go --transport h1", "use h2c or h2"},
		{"--lib grpc-go --transport h3", "use h2c or h2"},
		{"--lib grpc-go --codec json", "use proto"},
		{"--http2 quick", "net/http, fast"},
		{"--http2 fast --lib grpc-go", "connect-go over h2c and h2"},
		{"--http2 fast --transport h3", "connect-go over h2c and h2"},
		{"--http2 fast --compare-wire unary", "leave out --http2"},
		{"--transport h1 --mode bidi", "use h2c, h2 or h3"},
		{"--mode unary --count 3", "one name"},
		{"--mode client-stream --count=-1", "server-stream"},
		{"--insecure", "use h2 or h3"},
		{"--transport h2 --insecure --ca x", "choose one"},
		{"--addr nowhere", "HOST:PORT"},
		{"--addr=", "empty"},
		{"--addr 127.0.0.1:99999", "a number from 1 to 65535"},
		{"--addr 127.0.0.1:-1", "a number from 1 to 65535"},
		{"--addr 127.0.0.1:0", "a number from 1 to 65535"},
		{"--addr host?:80", "no host has such a name"},
		{"--addr a/b:80", "no host has such a name"},
		{"--matrix --tls=", "empty"},
		{"--matrix --grpc 127.0.0.1:99999", "a number from 1 to 65535"},
		{"--transport h2 --ca=", "--ca is empty"},
		{"--mode=", "client-stream"},
		{"--protocol=", "grpcweb"},
		{"--demo=", "metadata"},
		{"--demo", "needs a value, such as --demo errors\n"},
		{"--timeout", "needs a value, such as --timeout 10s\n"},
		{"--timeout -1s", "needs a value, such as --timeout 10s\n"},
		{"--addr --mode unary", "needs a value, such as --addr 127.0.0.1:8080\n"},
		{"--name -x", "--name=-x\n"},
		{"--count -1", "--mode server-stream --count=-1\n"},
		{"--name \xff", "UTF-8"},
		{"--demo errors --mode unary", "leave out --mode"},
		{"--demo errors --name Ada --count 3", "leave out --name, --count"},
		{"--matrix --mode unary", "leave out --mode"},
		{"--matrix --demo errors", "leave out --demo"},
		{"--matrix --lib connect-go --codec proto", "leave out --lib, --codec"},
		{"--matrix --protocol grpc --transport h2c", "leave out --protocol, --transport"},
		{"--matrix --insecure --tls off", "--tls listener"},
		{"--connect 127.0.0.1:1", "--addr HOST:PORT"},
		{"--tls off --grpc off", "--tls, --grpc: for --matrix"},
		{"--matrix --connect off --tls off --grpc off", "nothing to try"},
	}
	for _, test := range tests {
		t.Run(test.args, func(t *testing.T) {
			code, out, errs := command(t, strings.Fields(test.args)...)
			if code != exitUsage || out != "" {
				t.Errorf("got exit code %d and stdout %q, want 2 and nothing", code, out)
			}
			if !strings.Contains(errs, test.want) || strings.Count(errs, "\n") != 1 {
				t.Errorf("stderr = %q, want one line with %q", errs, test.want)
			}
		})
	}
	for _, ca := range []string{empty, empty + ".missing"} {
		code, _, errs := command(t, "--transport", "h2", "--ca", ca)
		if code != exitFailed || !strings.Contains(errs, ca) {
			t.Errorf("--ca %s: got %d, %q; want 1 and the file's name", ca, code, errs)
		}
	}
}

func TestHelp(t *testing.T) {
	code, out, errs := command(t, "--help")
	if code != exitOK || errs != "" {
		t.Errorf("got exit code %d and stderr %q", code, errs)
	}
	for _, want := range []string{"--matrix", "errors:", "deadline:", "cancel:", "metadata:"} {
		if !strings.Contains(out, want) {
			t.Errorf("help does not mention %s:\n%s", want, out)
		}
	}
}

func TestInterrupted(t *testing.T) {
	s := startServer(t)
	for _, args := range [][]string{{"--addr", s.connect}, {"--matrix", "--connect", s.connect, "--tls", "off", "--grpc", "off"}} {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		var out, errs bytes.Buffer
		if code := run(ctx, args, &out, &errs); code != exitInterrupted {
			t.Errorf("%v: exit code %d, want %d; stderr %q", args, code, exitInterrupted, errs.String())
		}
	}
}
