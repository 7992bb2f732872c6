//go:build clients

package clients_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"example.com/greet/test/built"
)

// TestMakeInAWorkspace has make run a tool with a module of its own, which the go
// command refuses within a workspace. The first build of the tool takes minutes.
func TestMakeInAWorkspace(t *testing.T) {
	dir := built.CopyRepository(t)
	workspace := "go 1.26.0\n\nuse ./" + filepath.Base(dir) + "\n"
	if err := os.WriteFile(filepath.Join(filepath.Dir(dir), "go.work"), []byte(workspace), 0o644); err != nil {
		t.Fatal(err)
	}
	run := exec.CommandContext(t.Context(), "make", "lint-proto")
	run.Dir = dir
	if out, err := run.CombinedOutput(); err != nil {
		t.Errorf("make lint-proto: %v\n%s", err, out)
	}
}
