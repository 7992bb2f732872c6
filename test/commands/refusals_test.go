package commands_test

import (
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.com/greet/test/built"
)

func TestExitStatuses(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	broken := filepath.Join(t.TempDir(), "broken.jsonl")
	if err := os.WriteFile(broken, []byte(`{"schema": 1, "round"`), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		command string
		status  int
		says    string // on standard error, on its one line
	}{
		{"server --no-such-flag", 2, "--no-such-flag"},
		{"server --connect " + taken.Addr().String(), 1, taken.Addr().String()},
		{"server --connect off --grpc off --tls 127.0.0.1:0 --cert /nonexistent --key /nonexistent", 1, "/nonexistent"},
		{"client --mode sideways", 2, "--mode"},
		{"client --addr 127.0.0.1:1", 1, "go run ./server"},
		{"client --transport h1 --mode bidi", 2, "h2c"},
		{"client --addr 127.0.0.1:99999", 2, "1 to 65535"},
		{"client --addr host?:80", 2, "no host has such a name"},
		{"client --addr=", 2, "empty"},
		{"client --transport h2 --ca=", 2, "--ca is empty"},
		{"client --protocol=", 2, "--protocol"},
		{"server --connect 127.0.0.1:99999", 2, "1 to 65535"},
		{"server --connect host?:80", 2, "no host has such a name"},
		{"server --connect=", 2, "empty"},
		{"server --cert= --key=", 2, "--cert is empty"},
		{"benchmark --rounds 0", 2, "--rounds"},
		{"benchmark --stacks nothing*", 2, "benchmark stacks lists all"},
		{"benchmark --scenarios famly", 2, "did you mean family?"},
		{"benchmark --target mine/grpc/h2c", 2, "NAME=HOST:PORT"},
		{"benchmark --target mine/grpc/h2c=127.0.0.1:99999", 2, "1 to 65535"},
		{"benchmark --target mine/grpc/h2c=host?:80", 2, "no host has such a name"},
		{"benchmark --deadline 11m", 2, "1ms to 10m"},
		{"benchmark --seed 9007199254740993", 2, "9007199254740991"}, // 2^53-1, beyond which JSON readers round
		{"benchmark report --format pdf " + broken, 2, "markdown"},
		{"benchmark report /nonexistent.jsonl", 1, "/nonexistent.jsonl"},
		{"benchmark validate " + broken, 1, broken + ":1:"},
		{"benchmark plan --cases (", 2, "--cases"},
		{"benchmark plan --cases no-such-case", 2, "benchmark plan"},
		{"benchmark plan --cases concurrency.16", 0, ""},
		{"benchmark plan", 0, ""},
		{"benchmark --help", 0, ""},
	} {
		args := strings.Fields(test.command)
		_, log, status := built.Run(t, args[0], args[1:]...)
		if status != test.status || !strings.Contains(log, test.says) {
			t.Errorf("%s: status %d and %q, want %d and a text with %q", test.command, status, log, test.status, test.says)
		}
		if lines := strings.Count(log, "\n"); test.status != 0 && lines != 1 {
			t.Errorf("%s: said\n%swhich is %d lines, want 1", test.command, log, lines)
		}
	}
}

// TestFullDisk has standard output take nothing.
func TestFullDisk(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip(err)
	}
	defer full.Close()
	for _, command := range []string{"server --help", "client --help", "client --explain unary", "benchmark --help", "benchmark stacks", "benchmark plan"} {
		args := strings.Fields(command)
		run := built.Command(t.Context(), t, args[0], args[1:]...)
		var log strings.Builder
		run.Stdout, run.Stderr = full, &log
		_ = run.Run()
		if status := run.ProcessState.ExitCode(); status != 1 || !strings.Contains(log.String(), "no space left on device") {
			t.Errorf("%s: status %d and %q, want 1 and the reason", command, status, log.String())
		}
	}
}
