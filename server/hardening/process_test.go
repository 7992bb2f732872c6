package hardening_test

import (
	"bufio"
	"crypto/tls"
	"io"
	"net"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/prometheus/procfs"

	"example.com/greet/internal/listen"
	"example.com/greet/internal/stack"
)

// serverProcess is the server command, running.
type serverProcess struct {
	cmd    *exec.Cmd
	addr   map[string]string // by label of the listener
	trust  *tls.Config
	log    *lockedBuffer
	exited chan struct{}
	err    error // of the exit; set before exited is closed
}

// forEachHTTP2 runs the test once for each HTTP/2 that the server has. The flag is for
// startServer.
func forEachHTTP2(t *testing.T, test func(t *testing.T, flag string)) {
	t.Parallel()
	for _, which := range []string{"net/http", "fast"} {
		t.Run(which, func(t *testing.T) { test(t, "--http2="+which) })
	}
}

// startServer runs the server on free ports, and kills it with the test if it
// has not ended.
func startServer(t *testing.T, flags ...string) *serverProcess {
	t.Helper()
	cert := filepath.Join(t.TempDir(), "cert.pem")
	return runServer(t, cert, append([]string{"--connect=:0", "--tls=:0", "--grpc=:0", "--cert-out=" + cert}, flags...)...)
}

// startCommand starts a server. A test with a network of its own starts it there.
var startCommand = (*exec.Cmd).Start

// runServer is startServer with all flags given, and the file of the certificate to trust.
func runServer(t *testing.T, cert string, flags ...string) *serverProcess {
	t.Helper()
	s := &serverProcess{
		cmd:    exec.Command(serverBinary, flags...),
		addr:   make(map[string]string),
		log:    new(lockedBuffer),
		exited: make(chan struct{}),
	}
	s.cmd.Stderr = s.log
	stdout, err := s.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := startCommand(s.cmd); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewReader(stdout)
	s.readAddresses(t, lines)
	go func() {
		defer close(s.exited)
		_, _ = io.Copy(io.Discard, lines)
		s.err = s.cmd.Wait()
	}()
	t.Cleanup(func() {
		_ = s.cmd.Process.Kill()
		<-s.exited
		if t.Failed() {
			t.Logf("the server's log:\n%s", s.log)
		}
	})
	if s.trust, err = listen.ClientTLS(cert, false); err != nil {
		t.Fatal(err)
	}
	return s
}

func (s *serverProcess) readAddresses(t *testing.T, lines *bufio.Reader) {
	t.Helper()
	for range 3 {
		line, err := lines.ReadString('\n')
		words := strings.Fields(line)
		if err != nil || len(words) != 3 || words[0] != "listening" {
			_ = s.cmd.Process.Kill()
			_ = s.cmd.Wait()
			t.Fatalf("the server printed %q, %v; want listening LABEL HOST:PORT\n%s", line, err, s.log)
		}
		s.addr[words[1]] = words[2]
	}
}

// addrOf is where a client of the stack finds the server.
func (s *serverProcess) addrOf(n stack.Name) string {
	switch {
	case n.Library == grpcLibrary:
		return s.addr["grpc"]
	case n.Secure():
		return s.addr["tls"]
	}
	return s.addr["connect"]
}

// client dials the server and closes the client with the test.
func (s *serverProcess) client(t *testing.T, of stack.Stack) stack.Client {
	t.Helper()
	return dialStack(t, of, s.addrOf(of.Name), s.trust)
}

// dial opens a bare connection for HTTP/2 to the listener, and closes it with the test.
func (s *serverProcess) dial(t *testing.T, label string) net.Conn {
	t.Helper()
	if label == "tls" {
		return dialBare(t, s.addr[label], s.trust, "h2")
	}
	return dialBare(t, s.addr[label], nil)
}

func (s *serverProcess) signal(t *testing.T, sig syscall.Signal) {
	t.Helper()
	if err := s.cmd.Process.Signal(sig); err != nil {
		t.Fatalf("signal the server: %v", err)
	}
}

// freeze stops the process, and returns once none of its threads runs: a signal
// takes a moment to reach them all.
func (s *serverProcess) freeze(t *testing.T) {
	t.Helper()
	s.signal(t, syscall.SIGSTOP)
	eventually(t, patience, "the server is stopped", func() bool {
		threads, err := procfs.AllThreads(s.cmd.Process.Pid)
		if err != nil {
			t.Fatal(err)
		}
		return !slices.ContainsFunc(threads, func(p procfs.Proc) bool {
			stat, err := p.Stat()
			return err == nil && stat.State != "T"
		})
	})
}

// wantExit waits for the process to end and returns the error of its exit, nil
// for code 0. It fails the test when that takes longer than limit.
func (s *serverProcess) wantExit(t *testing.T, limit time.Duration) error {
	t.Helper()
	select {
	case <-s.exited:
		return s.err
	case <-time.After(limit):
		t.Fatalf("the server has not ended after %v", limit)
		return nil
	}
}

// alive fails the test when the process has ended.
func (s *serverProcess) alive(t *testing.T) {
	t.Helper()
	select {
	case <-s.exited:
		t.Fatalf("the server has ended: %v", s.err)
	default:
	}
}

// peak is the most memory that the process has held so far, in bytes.
func (s *serverProcess) peak(t *testing.T) int64 {
	t.Helper()
	p, err := procfs.NewProc(s.cmd.Process.Pid)
	if err != nil {
		t.Fatal(err)
	}
	status, err := p.NewStatus()
	if err != nil {
		t.Fatal(err)
	}
	return int64(status.VmHWM)
}

// lockedBuffer is a log that a process writes while a test reads it.
type lockedBuffer struct {
	mu   sync.Mutex
	text strings.Builder
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}
