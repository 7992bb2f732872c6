package main

import (
	"context"
	"crypto/tls"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"example.com/greet/internal/greet"
	"example.com/greet/internal/listen"
	"example.com/greet/internal/stack"
	"example.com/greet/internal/stack/connectgo"
	"example.com/greet/internal/stack/grpcgo"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// server is what go run ./server serves, on ports of its own.
type server struct {
	connect, tls, grpc string
	ca                 string // file with the certificate
}

func startServer(t *testing.T) server {
	t.Helper()
	certificate, err := listen.SelfSigned()
	if err != nil {
		t.Fatal(err)
	}
	return startServerOf(t, certificate)
}

// startServerOf is startServer with a certificate of one's own.
func startServerOf(t *testing.T, certificate tls.Certificate) server {
	t.Helper()
	ca := filepath.Join(t.TempDir(), "ca.pem")
	if err := listen.WritePEM(ca, certificate); err != nil {
		t.Fatal(err)
	}
	log := slog.New(slog.DiscardHandler)
	o := stack.ServeOptions{
		TLS:  listen.ServerTLS(certificate),
		Demo: &stack.Demo{Log: log, Calls: greet.NewCallLog(log), Stopping: t.Context().Done()},
	}
	http := listen.Options{HTTP1: true, HTTP2: true}
	https := listen.Options{HTTP1: true, HTTP2: true, HTTP3: true, TLS: o.TLS, Log: log}
	grpc, err := grpcgo.New(stack.H2C)
	if err != nil {
		t.Fatal(err)
	}
	return server{
		ca: ca,
		connect: serve(t, false, func(ctx context.Context, s listen.Socket) error {
			return listen.ServeHTTP(ctx, s, connectgo.NewHandler(o), http)
		}),
		tls: serve(t, true, func(ctx context.Context, s listen.Socket) error {
			return listen.ServeHTTP(ctx, s, connectgo.NewHandler(o), https)
		}),
		grpc: serve(t, false, func(ctx context.Context, s listen.Socket) error {
			return grpc.Serve(ctx, s, o)
		}),
	}
}

// serve runs one listener until the test ends and returns its address.
func serve(t *testing.T, udp bool, run func(context.Context, listen.Socket) error) string {
	t.Helper()
	socket, err := listen.Bind("127.0.0.1:0", true, udp)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	var serving sync.WaitGroup
	serving.Go(func() { run(ctx, socket) })
	t.Cleanup(func() {
		stop()
		serving.Wait()
		socket.Close()
	})
	return socket.Addr()
}

// args are the flags that call the server in the way that words name, such as
// "grpc-go/grpc/h2c".
func (s server) args(way string) []string {
	parts := strings.Split(way, "/")
	name := stack.Name{Library: parts[0], Protocol: parts[1], Transport: parts[2]}
	listener, _ := defaultListener(name)
	addr := map[string]string{"connect": s.connect, "tls": s.tls, "grpc": s.grpc}[listener]
	args := []string{"--lib", parts[0], "--protocol", parts[1], "--transport", parts[2], "--addr", addr}
	if name.Secure() {
		args = append(args, "--ca", s.ca)
	}
	return args
}

// ways are all that carry calls.
func ways() []string {
	list := []string{"grpc-go/grpc/h2c", "grpc-go/grpc/h2"}
	for _, protocol := range []string{"connect", "grpc", "grpcweb"} {
		for _, transport := range []string{"h1", "h2c", "h2", "h3"} {
			list = append(list, "connect-go/"+protocol+"/"+transport)
		}
	}
	return list
}

// command runs the client as main does.
func command(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	var out, errs strings.Builder
	code = run(ctx, args, &out, &errs)
	return code, out.String(), errs.String()
}

func golden(t *testing.T, name string) string {
	t.Helper()
	want, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(want)
}
