package main

import (
	"bufio"
	"bytes"
	"context"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// asServer makes this test binary be the server, so that tests see processes,
// signals and exit codes without building a binary for each.
const asServer = "GREET_TEST_AS_SERVER"

func TestMain(m *testing.M) {
	if os.Getenv(asServer) != "" {
		main()
	}
	os.Exit(m.Run())
}

// process is a server that runs as a process of its own.
type process struct {
	cmd    *exec.Cmd
	addr   map[string]string // by label
	stderr *lockedBuffer
	exited chan struct{}
}

// lockedBuffer is written by the process's pipe while tests read it.
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

// command is the server with these arguments, not yet started.
func command(args ...string) *exec.Cmd {
	cmd := exec.Command(os.Args[0], args...)
	// A program built with the race detector sleeps for a second as it exits, which
	// would look like a slow drain.
	cmd.Env = append(os.Environ(), asServer+"=1", "GORACE=atexit_sleep_ms=0")
	return cmd
}

// start starts the server on free ports, waits until it has announced them all,
// and kills it with the test if it has not ended by then.
func start(t *testing.T, args ...string) *process {
	t.Helper()
	p := &process{addr: map[string]string{}, stderr: &lockedBuffer{}, exited: make(chan struct{})}
	p.cmd = command(append([]string{"--connect=:0", "--tls=:0", "--grpc=:0"}, args...)...)
	p.cmd.Stderr = p.stderr
	stdout, err := p.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(stdout)
	for len(p.addr) < 3 && lines.Scan() {
		words := strings.Fields(lines.Text())
		if len(words) != 3 || words[0] != "listening" {
			t.Errorf("stdout: %q", lines.Text())
			continue
		}
		p.addr[words[1]] = words[2]
	}
	go func() {
		defer close(p.exited)
		for lines.Scan() {
			t.Errorf("stdout has one line too many: %q", lines.Text())
		}
		_ = p.cmd.Wait() // tests look at ProcessState
	}()
	t.Cleanup(func() {
		_ = p.cmd.Process.Kill()
		<-p.exited
	})
	if len(p.addr) < 3 {
		t.Fatalf("announced %v only: %s", p.addr, p.stderr)
	}
	return p
}

// signal sends sig to the process.
func (p *process) signal(t *testing.T, sig os.Signal) {
	t.Helper()
	if err := p.cmd.Process.Signal(sig); err != nil {
		t.Fatal(err)
	}
}

// wait returns the exit code, or -1 when a signal ended the process, and fails
// the test when that takes longer than patience.
func (p *process) wait(t *testing.T, patience time.Duration) int {
	t.Helper()
	select {
	case <-p.exited:
	case <-time.After(patience):
		t.Fatalf("still running after %v: %s", patience, p.stderr)
	}
	return p.cmd.ProcessState.ExitCode()
}

func TestEndsWellOnSignals(t *testing.T) {
	for _, sig := range []os.Signal{syscall.SIGTERM, os.Interrupt} {
		p := start(t)
		p.signal(t, sig)
		if code := p.wait(t, 5*time.Second); code != 0 {
			t.Errorf("%v: exit code %d, want 0: %s", sig, code, p.stderr)
		}
	}
}

func TestUsageErrors(t *testing.T) {
	for name, test := range map[string]struct {
		args []string
		want []string
	}{
		"unknown flag":     {[]string{"--conect=:0"}, []string{"--conect", "--connect", "--cert-out", "see server --help"}},
		"argument":         {[]string{"please"}, []string{"please", "--connect"}},
		"no port":          {[]string{"--connect=8080"}, []string{"--connect", "HOST:PORT"}},
		"all off":          {[]string{"--connect=off", "--tls=off", "--grpc=off"}, []string{"every listener is off"}},
		"cert without key": {[]string{"--cert=a.pem"}, []string{"--key"}},
		"cert and out":     {[]string{"--cert=a.pem", "--key=b.pem", "--cert-out=c.pem"}, []string{"--cert-out"}},
		"cert without tls": {[]string{"--tls=off", "--cert-out=c.pem"}, []string{"--tls"}},
		"bad duration":     {[]string{"--drain=soon"}, []string{"--drain", "soon"}},
		"negative drain":   {[]string{"--drain=-1s"}, []string{"--drain", "0s or more"}},
		"bad level":        {[]string{"--log-level=loud"}, []string{"--log-level", "loud", "debug, info, warn or error"}},
		"no address":       {[]string{"--connect"}, []string{"--connect needs a value, such as --connect 127.0.0.1:8080\n"}},
		"empty cert":       {[]string{"--cert=", "--key="}, []string{"--cert is empty"}},
		"empty key":        {[]string{"--key="}, []string{"--key is empty"}},
		"empty cert-out":   {[]string{"--cert-out="}, []string{"--cert-out is empty"}},
		"no file":          {[]string{"--cert-out", "--tls", "off"}, []string{"--cert-out needs a value, such as --cert-out cert.pem\n"}},
		"no duration":      {[]string{"--drain", "-1s"}, []string{"--drain needs a value, such as --drain 10s\n"}},
	} {
		t.Run(name, func(t *testing.T) {
			var stdout, stderr bytes.Buffer
			if code := run(t.Context(), test.args, &stdout, &stderr); code != 2 {
				t.Errorf("exit code %d, want 2", code)
			}
			expectOneLine(t, stderr.String(), test.want...)
			if stdout.Len() > 0 {
				t.Errorf("stdout: %q", stdout.String())
			}
		})
	}
}

func expectOneLine(t *testing.T, text string, parts ...string) {
	t.Helper()
	if strings.Count(text, "\n") != 1 || !strings.HasPrefix(text, "server: ") {
		t.Errorf("stderr is not one line of the server: %q", text)
	}
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("stderr %q does not say %q", text, part)
		}
	}
}

func TestHelp(t *testing.T) {
	var stdout, stderr bytes.Buffer
	if code := run(t.Context(), []string{"--help"}, &stdout, &stderr); code != 0 {
		t.Errorf("exit code %d, want 0", code)
	}
	for _, want := range []string{"--connect", "127.0.0.1:8080", "127.0.0.1:8443", "127.0.0.1:50051", "--drain"} {
		if !strings.Contains(stdout.String(), want) {
			t.Errorf("help does not say %q", want)
		}
	}
}

func TestFailures(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	dir := t.TempDir()
	notPEM := filepath.Join(dir, "empty.pem")
	if err := os.WriteFile(notPEM, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	free := func(args ...string) []string {
		return append([]string{"--connect=:0", "--tls=:0", "--grpc=:0"}, args...)
	}
	for name, test := range map[string]struct {
		args []string
		want []string
	}{
		"port in use":        {free("--tls=off", "--grpc="+taken.Addr().String()), []string{"--grpc", taken.Addr().String(), "in use"}},
		"no certificate":     {free("--cert="+filepath.Join(dir, "none.pem"), "--key="+notPEM), []string{"none.pem", "no such file"}},
		"no PEM":             {free("--cert="+notPEM, "--key="+notPEM), []string{"empty.pem", "PEM"}},
		"cannot write there": {free("--cert-out=" + filepath.Join(dir, "no", "dir.pem")), []string{"dir.pem", "no such file"}},
	} {
		t.Run(name, func(t *testing.T) {
			var stdout, stderr bytes.Buffer
			if code := run(t.Context(), test.args, &stdout, &stderr); code != 1 {
				t.Errorf("exit code %d, want 1", code)
			}
			expectOneLine(t, stderr.String(), test.want...)
			if stdout.Len() > 0 {
				t.Errorf("announced although it failed: %q", stdout.String())
			}
		})
	}
}

// TestOffIsSilent serves on one listener only.
func TestOffIsSilent(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	out := announcements(cancel)
	var stderr lockedBuffer
	if code := run(ctx, []string{"--connect=:0", "--tls=off", "--grpc=off"}, out, &stderr); code != 0 {
		t.Errorf("exit code %d, want 0: %s", code, &stderr)
	}
	if got := out.String(); !strings.HasPrefix(got, "listening connect 127.0.0.1:") || strings.Count(got, "\n") != 1 {
		t.Errorf("stdout %q, want one line", got)
	}
}

// announcements is a stdout that ends the server once it has announced itself.
func announcements(stop func()) *stopAfter { return &stopAfter{stop: stop} }

type stopAfter struct {
	lockedBuffer
	stop func()
}

func (w *stopAfter) Write(p []byte) (int, error) {
	defer w.stop()
	return w.lockedBuffer.Write(p)
}
