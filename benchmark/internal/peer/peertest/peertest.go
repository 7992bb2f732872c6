// Package peertest makes peers for tests, which need no toolchain but a shell.
package peertest

import (
	"os"
	"path/filepath"
	"testing"

	"example.com/greet/benchmark/internal/peer"
)

// Elsewhere makes the root of a repository and changes to it. The only peer is named elsewhere,
// needs the given program, and is built if built is true. Elsewhere returns the peer's folder. The
// test's end removes it all.
func Elsewhere(t *testing.T, needs string, built bool) (dir string) {
	t.Helper()
	text := `{"name": "elsewhere", "language": "sh", "needs": ["` + needs + `"], "build": ["true"],
		"libraries": ["sh", "-c", "echo tonic 0.14; echo prost 0.14"],
		"serve": ["bin/server", "{addr}"], "bench": ["bin/bench", "{addr}"],
		"stacks": [{"name": "elsewhere/grpc/h2c"},
			{"name": "elsewhere/connect/h1+workers=1", "args": ["-w", "1"], "refuses": {"bidi": "no reason"}}]}`
	t.Chdir(t.TempDir())
	dir, err := filepath.Abs(filepath.Join("peers", "elsewhere"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, peer.File), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	if !built {
		return dir
	}
	p, err := peer.Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Make(t.Context(), t.Output()); err != nil {
		t.Fatal(err)
	}
	return dir
}
