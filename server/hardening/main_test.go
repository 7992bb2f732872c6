package hardening_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"go.uber.org/goleak"
)

const (
	// slack is what a bound in seconds is stretched by on a busy machine.
	slack = 2 * time.Second
	// patience bounds what must happen although nothing says how soon.
	patience = 20 * time.Second
)

// serverBinary is the server command, built once.
var serverBinary string

// builtServer hands it, in the environment, to a test that runs as a process of its own.
const builtServer = "GREET_TEST_SERVER"

func TestMain(m *testing.M) {
	dir, err := buildServer()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	goleak.VerifyTestMain(m, goleak.Cleanup(func(code int) {
		_ = os.RemoveAll(dir) // none if it was built elsewhere
		os.Exit(code)
	}))
}

// buildServer builds the server as users run it, without the race detector,
// which would multiply its memory.
func buildServer() (dir string, err error) {
	if serverBinary = os.Getenv(builtServer); serverBinary != "" {
		return "", nil
	}
	dir, err = os.MkdirTemp("", "hardening")
	if err != nil {
		return "", err
	}
	serverBinary = filepath.Join(dir, "server")
	if out, err := exec.Command("go", "build", "-o", serverBinary, "../../server").CombinedOutput(); err != nil {
		_ = os.RemoveAll(dir)
		return "", fmt.Errorf("build server: %w\n%s", err, out)
	}
	return dir, nil
}

// eventually waits until ok, and fails the test when it takes longer than limit.
func eventually(t *testing.T, limit time.Duration, what string, ok func() bool) {
	t.Helper()
	end := time.Now().Add(limit)
	for !ok() {
		if time.Now().After(end) {
			t.Errorf("%s: not so after %v", what, limit)
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
}
