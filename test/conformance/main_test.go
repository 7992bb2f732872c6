//go:build clients

// Package conformance_test holds the servers and clients of this repository, as the
// constructors of the demo make them, to suites that others wrote: the conformance suite of
// Connect (https://github.com/connectrpc/conformance) for the protocols Connect, gRPC and
// gRPC-Web, h2spec for HTTP/2, and the interop cases of grpc-go.
package conformance_test

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"testing"

	"google.golang.org/protobuf/proto"

	"example.com/greet/internal/listen"
	"example.com/greet/test/built"
)

// asProgram makes this test binary be a program: one of programs, or a
// client of gRPC's interop cases.
const asProgram = "GREET_TEST_AS_PROGRAM"

var programs = map[string]func(ctx context.Context, in io.Reader, out io.Writer) error{
	"connect-go server": func(ctx context.Context, in io.Reader, out io.Writer) error {
		return server(ctx, in, out, serveConnect)
	},
	"fast server":    func(ctx context.Context, in io.Reader, out io.Writer) error { return server(ctx, in, out, serveFast) },
	"grpc-go server": func(ctx context.Context, in io.Reader, out io.Writer) error { return server(ctx, in, out, serveGRPC) },
	"connect-go client": func(ctx context.Context, in io.Reader, out io.Writer) error {
		return client(ctx, in, out, dialConnect)
	},
	"grpc-go client": func(ctx context.Context, in io.Reader, out io.Writer) error {
		return client(ctx, in, out, dialGRPC)
	},
}

func TestMain(m *testing.M) {
	run := programs[os.Getenv(asProgram)]
	if whose, ok := strings.CutPrefix(os.Getenv(asProgram), "interop "); ok {
		run = func(ctx context.Context, in io.Reader, _ io.Writer) error {
			return interopClient(ctx, in, interopClients[whose])
		}
	}
	if run == nil {
		built.Main(m)
		return
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// readMessage reads a message as the suite and its programs exchange them: after its
// length in four bytes. The end before a message is io.EOF.
func readMessage(in io.Reader, message proto.Message) error {
	var size [4]byte
	if _, err := io.ReadFull(in, size[:]); err != nil {
		return err
	}
	encoded := make([]byte, binary.BigEndian.Uint32(size[:]))
	if _, err := io.ReadFull(in, encoded); err != nil {
		return fmt.Errorf("read a message of the suite: %w", err)
	}
	return proto.Unmarshal(encoded, message)
}

func writeMessage(out io.Writer, message proto.Message) error {
	encoded, err := proto.Marshal(message)
	if err != nil {
		return err
	}
	_, err = out.Write(append(binary.BigEndian.AppendUint32(nil, uint32(len(encoded))), encoded...))
	return err
}

// tool builds the tool of that name, which a module under tools pins, and returns its path.
func tool(t *testing.T, module, name string) string {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "go", "tool", "-modfile=tools/"+module+"/go.mod", "-n", name).Output()
	if err != nil {
		t.Fatalf("build %s: %v", name, err)
	}
	return strings.TrimSpace(string(out))
}

// serveInTest serves on a free port until the test ends, and returns where, and what a
// client of TLS trusts.
func serveInTest(t *testing.T, serve serveFunc) (addr string, trust *tls.Config) {
	t.Helper()
	socket, err := listen.Bind("127.0.0.1:0", true, true)
	if err != nil {
		t.Fatal(err)
	}
	cert, err := listen.SelfSigned()
	if err != nil {
		t.Fatal(err)
	}
	roots := x509.NewCertPool()
	roots.AddCert(cert.Leaf)
	o := serveOptions()
	o.TLS = listen.ServerTLS(cert)
	ctx, stop := context.WithCancel(context.Background())
	served := make(chan error, 1)
	go func() { served <- serve(ctx, socket, o) }()
	t.Cleanup(func() {
		stop()
		if err := <-served; err != nil {
			t.Errorf("serve: %v", err)
		}
		_ = socket.Close()
	})
	return socket.Addr(), &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12}
}
