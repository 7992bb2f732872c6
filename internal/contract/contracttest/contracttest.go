// Package contracttest runs the contract in a test against servers that it starts in the same
// process. It starts and ends them; internal/contract says what must hold.
package contracttest

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"flag"
	"log/slog"
	"testing"

	"example.com/greet/internal/contract"
	"example.com/greet/internal/greet"
	"example.com/greet/internal/listen"
	"example.com/greet/internal/stack"
)

// Pair is a client and a server that must understand each other. Both may be the
// two ends of one stack.
type Pair struct {
	Client, Server stack.Stack
	// Quick leaves out the long behaviours. Against a demo server it checks only what needs the
	// demo.
	Quick bool
}

// Name names the pair in tests.
func (p Pair) Name() string {
	client, server := p.Client.Name.String(), p.Server.Name.String()
	if client == server {
		return client
	}
	return client + " to " + server
}

// Both is the pair of one stack's two ends.
func Both(s stack.Stack) Pair { return Pair{Client: s, Server: s} }

// ManyAtOnce lets more parallel tests run than there are processors. Most checks wait for a
// deadline or a peer, which would leave the processors idle. Call it from TestMain.
func ManyAtOnce() {
	if err := flag.Set("test.parallel", "8"); err != nil {
		panic(err)
	}
}

// Verify checks every behaviour against one server, all at the same time, as real calls come. A
// behaviour that kills the server gets a server of its own.
func Verify(t *testing.T, p Pair, demo bool) {
	t.Parallel()
	shared := Serve(t, p, demo)
	shared.Kill = nil
	for _, b := range contract.All() {
		if p.Quick && (b.Long || demo && !b.NeedsDemo) {
			continue
		}
		t.Run(b.Name, func(t *testing.T) {
			t.Parallel()
			s := shared
			if b.Kills {
				s = Serve(t, p, demo)
			}
			if why := b.Skips(s); why != "" {
				t.Skip(why)
			}
			if err := b.Verify(t.Context(), s); err != nil {
				t.Error(err)
			}
		})
	}
}

// Serve starts the pair's server, which ends with the test.
func Serve(t *testing.T, p Pair, demo bool) contract.Subject {
	t.Helper()
	socket, err := listen.Bind("127.0.0.1:0", p.Server.Name.Transport != stack.H3, p.Server.Name.Transport == stack.H3)
	if err != nil {
		t.Fatal(err)
	}
	serverTLS, clientTLS := certified(t)
	options := stack.ServeOptions{TLS: serverTLS}
	ctx, kill := context.WithCancel(context.Background())
	if demo {
		log := slog.New(slog.DiscardHandler)
		options.Demo = &stack.Demo{Log: log, Calls: greet.NewCallLog(log), Stopping: ctx.Done()}
	}
	served := make(chan struct{})
	go func() {
		defer close(served)
		// A server that was killed may say that it cut calls.
		if err := p.Server.Serve(ctx, socket, options); err != nil && ctx.Err() == nil {
			t.Errorf("serve %s: %v", p.Server.Name, err)
		}
	}()
	end := func() {
		kill()
		<-served
		socket.Close()
	}
	t.Cleanup(end)
	return contract.Subject{Stack: p.Client, Addr: socket.Addr(), TLS: clientTLS, Demo: demo, Kill: end}
}

// certified makes the TLS settings of both ends for one certificate.
func certified(t *testing.T) (server, client *tls.Config) {
	t.Helper()
	cert, err := listen.SelfSigned()
	if err != nil {
		t.Fatal(err)
	}
	roots := x509.NewCertPool()
	roots.AddCert(cert.Leaf)
	return listen.ServerTLS(cert), &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12}
}
