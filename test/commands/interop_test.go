package commands_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.com/greet/test/built"
)

// TestInteropOfGo has Go's stacks call each other, prints the grid, and leaves a file
// that gives the same again.
func TestInteropOfGo(t *testing.T) {
	dir := t.TempDir()
	out, log, status := built.Run(t, "benchmark", "interop", "--stacks", "connect-go*/connect/h1,*-go/grpc/h2c,floor/*", "--out", dir)
	if status != 0 || !strings.Contains(log, "round 1 of 1: 48 slices in ") {
		t.Errorf("status %d, says %s\n%s", status, log, out)
	}
	for _, want := range []string{
		"### Interop: connect over h1\n",
		"| `connect-go-v1/connect/h1` | go       | USC–       | USC–          |\n",
		"- – `connect-go/connect/h1`, bidi: connect-go does not carry bidi over HTTP/1.1",
		"### Interop: grpc over h2c\n",
		"| server                | language | connect-go | floor | grpc-go |\n",
		"| `grpc-go/grpc/h2c`    | go       | USCB       | USCB  | USCB    |\n",
		"36 of 36 combinations work",
	} {
		if !strings.Contains(strings.ReplaceAll(out, "\n  ", " "), want) { // each remark on one line
			t.Errorf("the grid lacks %s\n%s", want, out)
		}
	}
	file := awaitFile(t, filepath.Join(dir, "*.jsonl"))
	if again, log, status := built.Run(t, "benchmark", "report", file); status != 0 || again != out {
		t.Errorf("report of the file: status %d, %s\n%s\nwant what was printed before", status, log, again)
	}
	if _, log, status := built.Run(t, "benchmark", "report", "--format", "gobench", file); status != 1 || !strings.Contains(log, "no figure") {
		t.Errorf("as gobench: status %d, %s", status, log)
	}
	if valid, log, status := built.Run(t, "benchmark", "validate", file); status != 0 || !strings.Contains(valid, "48 results, all well-formed") {
		t.Errorf("validate: status %d, %s%s", status, valid, log)
	}
}

// TestInteropThatFails has a peer whose client answers nothing but that it will not.
func TestInteropThatFails(t *testing.T) {
	program := built.Command(t.Context(), t, "benchmark").Path
	t.Chdir(t.TempDir())
	text, err := json.Marshal(map[string]any{
		"name": "unwilling", "language": "sh", "needs": []string{"sh"}, "build": []string{"true"},
		"libraries": []string{"echo", "none 1"},
		"serve":     []string{program, "serve", "--stack", "grpc-go/grpc/h2c", "--until-stdin-ends", "--addr", "{addr}"},
		"bench":     []string{"sh", "-c", `while read -r request; do echo '{"error":"not today"}'; done`, "{addr}"},
		"stacks":    []any{map[string]any{"name": "unwilling/grpc/h2c", "refuses": map[string]string{"bidi": "it never listens"}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join("peers", "unwilling")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string][]byte{"peer.json": text, ".built": nil} {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	out, log, status := built.Run(t, "benchmark", "interop", "--stacks", "unwilling/*,grpc-go/grpc/h2c")
	if status != 1 || !strings.Contains(log, "some results do not stand") {
		t.Errorf("status %d and %s, want 1", status, log)
	}
	for _, want := range []string{
		"| server               | language | grpc-go | unwilling |\n",
		"| `grpc-go/grpc/h2c`   | go       | USCB    | ✗✗✗–      |\n",
		"| `unwilling/grpc/h2c` | sh       | USC–    | ✗✗✗–      |\n",
		"- – `unwilling/grpc/h2c`, bidi: it never listens.\n",
		"calls `grpc-go/grpc/h2c` (go), unary: 1 of 1 calls failed (client_failed 1); the first: `it refused: not today`.\n",
	} {
		if !strings.Contains(strings.ReplaceAll(out, "\n  ", " "), want) { // each remark on one line
			t.Errorf("the grid lacks %s\n%s", want, out)
		}
	}
}
