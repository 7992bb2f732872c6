package contract

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"flag"
	"log/slog"
	"testing"

	"go.uber.org/goleak"

	"example.com/greet/internal/greet"
	"example.com/greet/internal/listen"
	"example.com/greet/internal/stack"
	"example.com/greet/internal/stack/catalog"
	"example.com/greet/internal/stack/connectgo"
	"example.com/greet/internal/stack/grpcgo"
)

func TestMain(m *testing.M) {
	// Many of the checks wait for a deadline or for a peer: on few processors, as
	// many at a time as there are processors would leave those idle.
	if err := flag.Set("test.parallel", "8"); err != nil {
		panic(err)
	}
	goleak.VerifyTestMain(m)
}

// pair is a client and a server that must get on with each other.
type pair struct {
	name           string
	client, server stack.Stack
	thorough       bool // whether everything is worth its time
}

// pairs are both ends of every stack, of combinations that are not measured, and
// of different libraries.
func pairs(t *testing.T) []pair {
	var all []pair
	for _, s := range catalog.All() {
		all = append(all, both(s, !raceDetector && len(s.Name.Variants) == 0))
	}
	if raceDetector {
		return all // the rest is the same code with other options
	}
	for _, s := range []stack.Stack{
		connectgo.New(stack.GRPC, stack.H2, "proto"),
		connectgo.New(stack.GRPC, stack.H3, "proto"),
		connectgo.New(stack.GRPCWeb, stack.H1, "proto"),
		connectgo.New(stack.GRPCWeb, stack.H3, "proto"),
		connectgo.New(stack.Connect, stack.H1, "json"),
		connectgo.New(stack.GRPC, stack.H2C, "json"),
		connectgo.New(stack.GRPCWeb, stack.H3, "json"),
	} {
		all = append(all, both(s, false))
	}
	v1, err := catalog.Find("connect-go-v1/connect/h2c")
	if err != nil {
		t.Fatal(err)
	}
	connectOver := func(transport string) stack.Stack { return connectgo.New(stack.GRPC, transport, "proto") }
	return append(all,
		between(grpcOver(t, stack.H2C), connectOver(stack.H2C)),
		between(grpcOver(t, stack.H2), connectOver(stack.H2)),
		between(v1, connectgo.New(stack.Connect, stack.H2C, "proto")),
		between(connectgo.New(stack.Connect, stack.H2C, "proto"), v1),
		between(connectOver(stack.H2C), grpcOver(t, stack.H2C)),
		between(connectOver(stack.H2), grpcOver(t, stack.H2)),
	)
}

// both are the two ends of one stack.
func both(s stack.Stack, thorough bool) pair {
	return pair{name: s.Name.String(), client: s, server: s, thorough: thorough}
}

// between are a client of one library and a server of another.
func between(client, server stack.Stack) pair {
	return pair{name: client.Name.String() + " to " + server.Name.String(), client: client, server: server}
}

func grpcOver(t *testing.T, transport string) stack.Stack {
	t.Helper()
	s, err := grpcgo.New(transport)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestContract(t *testing.T) {
	for _, p := range pairs(t) {
		t.Run(p.name, func(t *testing.T) {
			t.Run("bare", func(t *testing.T) { verifyAll(t, p, false) })
			if p.server.Name.Library != "connect-go-v1" { // which is there to be measured only
				t.Run("demo", func(t *testing.T) { verifyAll(t, p, true) })
			}
		})
	}
}

// TestVerify is for callers without a test of their own: one outcome for each
// behaviour, in order, the skipped ones with the reason.
func TestVerify(t *testing.T) {
	honest := grpcOver(t, stack.H2C)
	honest.Refuses = map[greet.Mode]string{greet.ServerStream: "not today", greet.Bidi: "not today"}
	subject := serve(t, both(honest, true), false)
	i := 0
	for got := range Verify(t.Context(), subject) {
		b := All()[i]
		i++
		if got.Behaviour != b.Name || got.Skipped != b.Skips(subject) {
			t.Errorf("outcome %d is %+v, want of %q, skipped %q", i, got, b.Name, b.Skips(subject))
		}
		// The one statement that is not true of this stack.
		if wrong := b.Name == "modes that the stack refuses fail clearly"; wrong != (got.Err != nil) {
			t.Errorf("%q: %v", got.Behaviour, got.Err)
		}
	}
	if want := len(All()); i != want {
		t.Errorf("got %d outcomes, want %d", i, want)
	}
}

// verifyAll checks every behaviour at once, as calls do come to a server. What
// kills the server has one of its own.
func verifyAll(t *testing.T, p pair, demo bool) {
	t.Parallel()
	shared := serve(t, p, demo)
	shared.Kill = nil
	for _, b := range All() {
		if !p.thorough && (b.Long || demo && !b.NeedsDemo) {
			continue
		}
		t.Run(b.Name, func(t *testing.T) {
			t.Parallel()
			s := shared
			if b.Kills {
				s = serve(t, p, demo)
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

// serve starts the pair's server, which ends with the test.
func serve(t *testing.T, p pair, demo bool) Subject {
	t.Helper()
	socket, err := listen.Bind("127.0.0.1:0", p.server.Name.Transport != stack.H3, p.server.Name.Transport == stack.H3)
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
		// That calls were cut is no fault of a server that is killed.
		if err := p.server.Serve(ctx, socket, options); err != nil && ctx.Err() == nil {
			t.Errorf("serve %s: %v", p.server.Name, err)
		}
	}()
	end := func() {
		kill()
		<-served
		socket.Close()
	}
	t.Cleanup(end)
	return Subject{Stack: p.client, Addr: socket.Addr(), TLS: clientTLS, Demo: demo, Kill: end}
}

// certified makes both ends' settings around one certificate.
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
