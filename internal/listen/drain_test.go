package listen_test

import (
	"context"
	"errors"
	"net/http"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/quic-go/quic-go"

	"example.com/greet/internal/listen"
	"example.com/greet/internal/stack"
)

// TestDrainCutsAtTheLimit has one call that ends only when its context does.
func TestDrainCutsAtTheLimit(t *testing.T) {
	over := map[string]string{stack.H1: "HTTP/1.1", stack.H2C: "HTTP/2", stack.H2: "HTTP/2", stack.H3: "HTTP/3"}
	for _, transport := range transports {
		t.Run(transport, func(t *testing.T) {
			const limit = 100 * time.Millisecond
			begun, ended := make(chan struct{}), make(chan error, 1)
			srv := start(t, transport, func(_ http.ResponseWriter, r *http.Request) {
				close(begun)
				<-r.Context().Done()
				ended <- r.Context().Err()
			}, listen.Options{Drain: limit})
			client := newClient(t, transport, srv.config)
			called := make(chan error, 1)
			go func() {
				_, _, err := get(t, client, srv.addr)
				called <- err
			}()
			<-begun
			asked := time.Now()
			err := srv.stop()
			if took := time.Since(asked); took > limit+time.Second {
				t.Errorf("stopped after %v, want at most %v", took, limit+time.Second)
			}
			cut, ok := errors.AsType[*listen.CutError](err)
			if !ok {
				t.Fatalf("stop returned %v, want a CutError", err)
			}
			if cut.Calls != 1 || !slices.Equal(cut.Over, []string{over[transport]}) || !strings.HasSuffix(cut.Error(), "cut 1 call over "+over[transport]) {
				t.Errorf("got %v, want one call over %s", cut, over[transport])
			}
			if err := <-called; err == nil {
				t.Error("the client was told that its call ended well")
			}
			if err := <-ended; !errors.Is(err, context.Canceled) {
				t.Errorf("the handler's context ended with %v", err)
			}
		})
	}
}

// TestDrainSparesIdleConnections has clients that stay connected, which must not
// hold up the drain.
func TestDrainSparesIdleConnections(t *testing.T) {
	const limit = 10 * time.Second
	for _, transport := range transports {
		t.Run(transport, func(t *testing.T) {
			srv := start(t, transport, func(http.ResponseWriter, *http.Request) {}, listen.Options{Drain: limit})
			client := newClient(t, transport, srv.config)
			if _, _, err := get(t, client, srv.addr); err != nil {
				t.Fatal(err)
			}
			asked := time.Now()
			if err := srv.stop(); err != nil {
				t.Errorf("stop: %v", err)
			}
			if took := time.Since(asked); took > limit/2 {
				t.Errorf("an idle connection held up the drain for %v", took)
			}
		})
	}
}

// TestDrainSparesDeafPeers has a QUIC peer that does not know what GOAWAY is.
func TestDrainSparesDeafPeers(t *testing.T) {
	const limit = 10 * time.Second
	var accepted atomic.Int64
	socket := listen.Counted(mustBind(t, "127.0.0.1:0", true), &accepted)
	srv := startOn(t, socket, stack.H3, http.NotFound, listen.Options{Drain: limit})
	config := srv.config.Clone()
	config.NextProtos = []string{"h3"}
	conn, err := quic.DialAddr(t.Context(), srv.addr, config, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.CloseWithError(0, "")
	for accepted.Load() == 0 {
		runtime.Gosched()
	}
	asked := time.Now()
	if err := srv.stop(); err != nil {
		t.Errorf("stop: %v", err)
	}
	if took := time.Since(asked); took > limit/2 {
		t.Errorf("the peer held up the drain for %v", took)
	}
}

// TestDrainGivesUpOnDeafHandlers has a handler that ignores its context.
func TestDrainGivesUpOnDeafHandlers(t *testing.T) {
	for _, transport := range transports {
		t.Run(transport, func(t *testing.T) {
			begun, release := make(chan struct{}), make(chan struct{})
			srv := start(t, transport, func(http.ResponseWriter, *http.Request) {
				close(begun)
				<-release
			}, listen.Options{})
			defer close(release)
			client := newClient(t, transport, srv.config)
			go func() { _, _, _ = get(t, client, srv.addr) }()
			<-begun
			asked := time.Now()
			if err := srv.stop(); err == nil {
				t.Error("the drain was clean although a call went on")
			}
			if took := time.Since(asked); took > 2*time.Second {
				t.Errorf("stopped after %v", took)
			}
		})
	}
}

func TestServeFailsWithTheSocket(t *testing.T) {
	s := mustBind(t, "127.0.0.1:0", false)
	served := make(chan error, 1)
	go func() {
		served <- listen.ServeHTTP(t.Context(), s, http.NotFoundHandler(), listen.Options{HTTP1: true})
	}()
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if err := <-served; err == nil || !strings.Contains(err.Error(), s.Addr()) {
		t.Errorf("got %v, want an error that names %s", err, s.Addr())
	}
}

func TestServeRefusesWhatCannotWork(t *testing.T) {
	tcp := mustBind(t, "127.0.0.1:0", false)
	both := mustBind(t, "127.0.0.1:0", true)
	for _, test := range []struct {
		socket listen.Socket
		o      listen.Options
		want   string
	}{
		{tcp, listen.Options{}, "no HTTP version"},
		{listen.Socket{UDP: both.UDP}, listen.Options{HTTP2: true}, "TCP socket"},
		{tcp, listen.Options{HTTP3: true}, "UDP socket"},
		{both, listen.Options{HTTP3: true}, "certificate"},
	} {
		err := listen.ServeHTTP(t.Context(), test.socket, http.NotFoundHandler(), test.o)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("got %v, want an error that says %q", err, test.want)
		}
	}
}
