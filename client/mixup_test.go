package main

import (
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

// TestMixups calls each port in languages that it does not speak.
func TestMixups(t *testing.T) {
	s := startServer(t)
	tests := []struct {
		addr, flags string
		want        []string
	}{
		{s.tls, "--transport h1", []string{"speaks TLS", "400 Bad Request", "--transport h2"}},
		{s.tls, "--transport h1 --protocol grpc", []string{"speaks TLS", "400 Bad Request", "--transport h2"}},
		{s.tls, "--transport h2c", []string{"speaks TLS", "--transport h2", "--ca FILE or --insecure"}},
		{s.tls, "--transport h2c --protocol grpcweb", []string{"speaks TLS", "--transport h2"}},
		{s.tls, "--lib grpc-go", []string{"speaks TLS", "--transport h2"}},
		{s.connect, "--transport h2 --insecure", []string{"speaks no TLS", "--transport h2c"}},
		{s.connect, "--lib grpc-go --transport h2 --insecure", []string{"speaks no TLS", "--transport h2c"}},
		{s.grpc, "--protocol grpc --transport h2 --insecure", []string{"speaks no TLS", "--transport h2c"}},
		{s.connect, "--transport h3 --insecure --timeout 500ms", []string{"nobody speaks HTTP/3", "over TCP no TLS", "--transport h2c"}},
		{s.grpc, "--transport h1", []string{"speaks HTTP/2 only", "--transport h2c"}},
		{s.grpc, "--transport h1 --protocol grpc", []string{"speaks HTTP/2 only", "--transport h2c"}},
		{s.grpc, "--transport h2c", []string{"speaks no connect", "415", "--protocol grpc"}},
		{s.grpc, "--transport h2c --protocol grpcweb", []string{"speaks no grpcweb", "415", "--protocol grpc"}},
		{"nosuch.invalid:80", "--lib grpc-go", []string{"no address is known for the host"}},
		{"nosuch.invalid:80", "", []string{"no address is known for the host"}},
		{closedPort(t), "--transport h3 --insecure --timeout 500ms", []string{"no server answers"}},
	}
	for _, test := range tests {
		t.Run(test.addr+" "+test.flags, func(t *testing.T) {
			t.Parallel()
			code, out, errs := command(t, append(strings.Fields(test.flags), "--mode", "unary", "--addr", test.addr)...)
			if code != exitFailed || out != "" || strings.Count(errs, "\n") != 1 || !strings.Contains(errs, test.addr) {
				t.Errorf("got %d, %q, %q; want 1, nothing, one line with the address", code, out, errs)
			}
			for _, want := range test.want {
				if !strings.Contains(errs, want) {
					t.Errorf("got %q, want it to say %q", errs, want)
				}
			}
		})
	}
}

// TestDirectoryCommandsWork runs the commands that the server shows at /.
func TestDirectoryCommandsWork(t *testing.T) {
	if _, err := exec.LookPath("curl"); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal(err)
		}
		t.Skip("curl is not on PATH")
	}
	s := startServer(t)
	curl := func(script string) string {
		out, err := exec.CommandContext(t.Context(), "bash", "-c", script).CombinedOutput()
		if err != nil {
			t.Errorf("%s: %v\n%s", script, err, out)
		}
		return string(out)
	}
	for _, base := range []string{"http://" + s.connect, "--insecure https://" + s.tls} {
		text := curl("curl -sS " + base + "/")
		commands := regexp.MustCompile(`(?m)^  (curl.*|printf.*\n.*)$`).FindAllString(text, -1)
		if len(commands) != 4 {
			t.Fatalf("%d commands in:\n%s", len(commands), text)
		}
		for i, want := range []string{"Hello, you!", "Hello #3, you!", `"count":2`, "Hi, too!"} {
			if got := curl(commands[i]); !strings.Contains(got, want) {
				t.Errorf("%s\nprints %q, want %q", commands[i], got, want)
			}
		}
	}
}
