package commands_test

import (
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"example.com/greet/test/built"
)

// openTerminal opens both ends of a pseudo-terminal of the size.
func openTerminal(t *testing.T, size unix.Winsize) (ours, theirs *os.File) {
	t.Helper()
	ours, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { ours.Close() })
	fd := int(ours.Fd())
	if err := unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	number, err := unix.IoctlGetUint32(fd, unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	if err := unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &size); err != nil {
		t.Fatal(err)
	}
	theirs, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	return ours, theirs
}

// A container's terminal may have no size, and a tiled window hardly any.
func TestRunOnATerminalOfAnySize(t *testing.T) {
	for _, size := range []unix.Winsize{{}, {Row: 24, Col: 4}, {Row: 1, Col: 1}, {Row: 24, Col: 80}} {
		t.Run(fmt.Sprintf("%dx%d", size.Col, size.Row), func(t *testing.T) {
			ours, theirs := openTerminal(t, size)
			run := built.Command(t.Context(), t, "benchmark", "--stacks", "floor/grpc/h2c", "--scenarios", "unary",
				"--cases", "concurrency 1 ", "--rounds", "1", "--slice", "100ms", "--out", t.TempDir())
			run.Stdin, run.Stdout, run.Stderr = theirs, theirs, theirs
			run.Env = append(os.Environ(), "TERM=xterm")
			if err := run.Start(); err != nil {
				t.Fatal(err)
			}
			theirs.Close()
			shown, _ := io.ReadAll(ours) // fails with EIO once the other end is closed
			err := run.Wait()
			if err != nil || strings.Contains(string(shown), "panic") || !strings.Contains(string(shown), "floor/grpc/h2c") {
				t.Errorf("the run ended with %v and showed\n%s", err, shown)
			}
		})
	}
}
