//go:build clients

package clients_test

import (
	"bufio"
	"iter"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// endpoints are where a running server listens, and the certificate to trust.
type endpoints struct{ connect, tls, grpc, cert string }

// startServer builds the server, starts it on free ports, and ends it with the
// test as an operator would.
func startServer(t *testing.T) endpoints {
	t.Helper()
	dir := t.TempDir()
	s := endpoints{cert: filepath.Join(dir, "cert.pem")}
	binary := filepath.Join(dir, "server")
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", binary, "./server").CombinedOutput(); err != nil {
		t.Fatalf("build server: %v\n%s", err, out)
	}
	cmd := exec.Command(binary, "--connect", ":0", "--tls", ":0", "--grpc", ":0", "--cert-out", s.cert)
	cmd.Stderr = t.Output()
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatalf("start server: %v", err)
	}
	t.Cleanup(func() {
		if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
			t.Errorf("stop server: %v", err)
		}
		if err := cmd.Wait(); err != nil {
			t.Errorf("server ended with %v, want exit status 0", err)
		}
	})
	lines := bufio.NewScanner(stdout)
	for _, want := range []struct {
		label string
		addr  *string
	}{{"connect", &s.connect}, {"tls", &s.tls}, {"grpc", &s.grpc}} {
		lines.Scan()
		addr, ok := strings.CutPrefix(lines.Text(), "listening "+want.label+" ")
		if !ok {
			t.Fatalf("server printed %q, want listening %s HOST:PORT", lines.Text(), want.label)
		}
		*want.addr = addr
	}
	return s
}

// grpcPorts yields the ports that speak gRPC by name, with the arguments that
// lead there.
func (s endpoints) grpcPorts(plaintext, trust string) iter.Seq2[string, []string] {
	return func(yield func(string, []string) bool) {
		_ = yield("connect-port", []string{plaintext, s.connect}) &&
			yield("grpc-port", []string{plaintext, s.grpc}) &&
			yield("tls-port", []string{trust, s.cert, s.tls})
	}
}
