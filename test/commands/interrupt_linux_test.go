package commands_test

import (
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"example.com/greet/test/built"
)

// The report cannot be written, since nobody reads it: a second Ctrl-C must not
// wait for that.
func TestSecondInterruptEndsAtOnce(t *testing.T) {
	reader, stdout, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	if _, err := unix.FcntlInt(stdout.Fd(), unix.F_SETPIPE_SZ, os.Getpagesize()); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	run := built.Command(t.Context(), t, "benchmark", append(slices.Clone(short), "--rounds", "100", "--format", "html", "--out", dir)...)
	run.Stdout = stdout
	if err := run.Start(); err != nil {
		t.Fatal(err)
	}
	stdout.Close()
	awaitResults(t, awaitFile(t, filepath.Join(dir, "*.jsonl")), 1)
	ended := make(chan error, 1)
	go func() { ended <- run.Wait() }()
	for {
		_ = run.Process.Signal(os.Interrupt)
		select {
		case <-ended:
			if status, ok := run.ProcessState.Sys().(syscall.WaitStatus); !ok || status.Signal() != syscall.SIGINT {
				t.Errorf("run ended with %v, want by the signal", run.ProcessState)
			}
			return
		case <-time.After(100 * time.Millisecond):
		case <-t.Context().Done():
			return
		}
	}
}
