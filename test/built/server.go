package built

import (
	"bufio"
	"io"
	"os/exec"
	"strings"
	"syscall"
	"testing"
)

// Serve starts a server whose listeners have these labels, in this order, and returns
// the address of each. It ends the server with the test, as an operator would, and
// fails the test if the exit status is not 0. The command comes from a context that
// ends with the test.
func Serve(t *testing.T, server *exec.Cmd, labels ...string) (addr map[string]string) {
	t.Helper()
	server.Stderr = t.Output()
	server.Cancel = func() error { return server.Process.Signal(syscall.SIGTERM) }
	server.WaitDelay = patience
	stdout, err := server.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := server.Start(); err != nil {
		t.Fatalf("start server: %v", err)
	}
	t.Cleanup(func() {
		_ = server.Wait() // says that the context has ended
		if !server.ProcessState.Success() {
			t.Errorf("server ended with %v, want exit status 0", server.ProcessState)
		}
	})
	addr = make(map[string]string)
	lines := bufio.NewReader(stdout)
	for _, label := range labels {
		line, err := lines.ReadString('\n')
		at, ok := strings.CutPrefix(strings.TrimSpace(line), strings.TrimSpace("listening "+label)+" ")
		if !ok {
			t.Fatalf("server printed %q, %v; want listening %s HOST:PORT", line, err, label)
		}
		addr[label] = at
	}
	go func() { _, _ = io.Copy(io.Discard, lines) }()
	return addr
}
