// Package built lets the tests of the repository run its commands as a user
// runs them: built once for a test binary, from the root of the repository.
package built

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"
)

// patience bounds a command that Run runs to its end.
const patience = 2 * time.Minute

// binaries is the directory that holds the commands, once a test needed them.
var binaries string

var build = sync.OnceValue(func() (err error) {
	if binaries, err = os.MkdirTemp("", "greet-commands-"); err != nil {
		return err
	}
	out, err := exec.Command("go", "build", "-o", binaries+"/", "./server", "./client", "./benchmark", "./benchmark/tools/engine").CombinedOutput()
	if err != nil {
		return fmt.Errorf("%w\n%s", err, out)
	}
	return nil
})

// Main is the TestMain of a package two folders below the root: its tests work in
// the root, and what was built goes with them.
func Main(m *testing.M) {
	if err := os.Chdir(filepath.Join("..", "..")); err != nil {
		fmt.Fprintln(os.Stderr, "go to the root of the repository:", err)
		os.Exit(1)
	}
	status := m.Run()
	_ = os.RemoveAll(binaries)
	os.Exit(status)
}

// Command prepares "server", "client", "benchmark" or "engine". The caller runs it.
func Command(ctx context.Context, t *testing.T, name string, args ...string) *exec.Cmd {
	t.Helper()
	if err := build(); err != nil {
		t.Fatalf("build commands: %v", err)
	}
	return exec.CommandContext(ctx, filepath.Join(binaries, name), args...)
}

// Run runs a command to its end.
func Run(t *testing.T, name string, args ...string) (stdout, stderr string, status int) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	cmd := Command(ctx, t, name, args...)
	var out, log bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &log
	if err := cmd.Run(); err != nil && cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return out.String(), log.String(), cmd.ProcessState.ExitCode()
}
