package hardening_test

import (
	"bytes"
	"context"
	"crypto/tls"
	"io"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/net/http2"

	"example.com/greet/gen/greet/v1/greetv1connect"
	"example.com/greet/internal/stack"
	"example.com/greet/internal/stack/connectgo"
)

// TestSlowPeersAreClosed holds 200 connections of each kind that never get to a
// request, all at once, against the built server.
func TestSlowPeersAreClosed(t *testing.T) { forEachHTTP2(t, testSlowPeersAreClosed) }

func testSlowPeersAreClosed(t *testing.T, flag string) {
	const (
		perKind = 200
		soon    = 6 * time.Second
	)
	server := startServer(t, flag)
	half := http2.ClientPreface[:len(http2.ClientPreface)/2]
	frameHead, headerBlock := halfFrames(t)
	hello := clientHello(t)
	var waiting sync.WaitGroup
	for _, kind := range []struct {
		name, label string
		alpn        string // opens TLS; empty does not
		say         string
	}{
		{"silent", "connect", "", ""},
		{"half a header", "connect", "", "POST /greet.v1.GreetService/Greet HTTP/1.1\r\nHost: x\r\n"},
		{"half a preface", "connect", "", half},
		{"silent before TLS", "tls", "", ""},
		{"half a ClientHello", "tls", "", hello[:len(hello)/2]},
		{"silent within TLS", "tls", "http/1.1", ""},
		{"half a header within TLS", "tls", "http/1.1", "POST / HTTP/1.1\r\nHost: x\r\n"},
		{"silent within TLS, h2", "tls", "h2", ""},
		{"half a preface within TLS", "tls", "h2", half},
		{"silent", "grpc", "", ""},
		{"half a preface", "grpc", "", half},
		{"half a frame's head", "connect", "", frameHead},
		{"half a frame's head", "tls", "h2", frameHead},
		{"half a frame's head", "grpc", "", frameHead},
		{"half a header block", "connect", "", headerBlock},
		{"half a header block", "tls", "h2", headerBlock},
		{"half a header block", "grpc", "", headerBlock},
	} {
		for range perKind {
			trust := server.trust
			if kind.alpn == "" {
				trust = nil
			}
			conn := dialBare(t, server.addr[kind.label], trust, kind.alpn)
			begun := time.Now()
			if _, err := io.WriteString(conn, kind.say); err != nil {
				t.Fatal(err)
			}
			waiting.Go(func() {
				if !closedWithin(conn, begun.Add(soon+slack)) {
					t.Errorf("%s: %s: still open after %v", kind.label, kind.name, soon)
				}
			})
		}
	}
	waiting.Wait()
	server.alive(t)
}

// halfFrames are two beginnings of HTTP/2 that stop in the middle.
func halfFrames(t *testing.T) (frameHead, headerBlock string) {
	t.Helper()
	var begun bytes.Buffer
	begun.WriteString(http2.ClientPreface)
	frames := http2.NewFramer(&begun, nil)
	if err := frames.WriteSettings(); err != nil {
		t.Fatal(err)
	}
	frameHead = begun.String() + "\x00\x00\x10"
	if err := frames.WriteHeaders(http2.HeadersFrameParam{StreamID: 1, BlockFragment: []byte{0x82}}); err != nil { // :method GET
		t.Fatal(err)
	}
	return frameHead, begun.String()
}

// closedWithin reports whether the peer closes the connection, whatever it says
// before that.
func closedWithin(conn net.Conn, end time.Time) bool {
	_ = conn.SetReadDeadline(end)
	_, err := io.Copy(io.Discard, conn)
	timeout, ok := err.(net.Error)
	return !ok || !timeout.Timeout()
}

// clientHello is the first thing that a TLS client says.
func clientHello(t *testing.T) string {
	t.Helper()
	client, server := net.Pipe()
	defer server.Close()
	go func() {
		// The error is that nobody answers.
		_ = tls.Client(client, &tls.Config{ServerName: "localhost", MinVersion: tls.VersionTLS12}).Handshake()
		_ = client.Close()
	}()
	hello := make([]byte, 4<<10)
	n, err := server.Read(hello)
	if err != nil {
		t.Fatal(err)
	}
	return string(hello[:n])
}

// TestHalfSentHTTP3Headers holds 100 streams, all that a connection may have,
// with half a header each. Nothing in quic-go bounds how long a header may take,
// so they stay for as long as their connection is kept alive; but they reach no
// handler, and cost other connections nothing. A peer that is silent, half a
// header or not, is gone after QUIC's idle timeout of 30 s.
func TestHalfSentHTTP3Headers(t *testing.T) {
	s := connectgo.New(stack.GRPC, stack.H3, "proto")
	r, _ := stubborn(t)
	srv := serveRude(t, s, r, stack.ServeOptions{})
	conn := dialQUIC(t, srv.addr, srv.trust)
	request := h3Request(t, greetv1connect.GreetServiceGreetChatProcedure, emptyMessage)
	for i := range 100 {
		stream, err := conn.OpenStream()
		if err != nil {
			t.Fatalf("stream %d: %v", i+1, err)
		}
		if _, err := stream.Write(request[:10]); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := conn.OpenStream(); err == nil {
		t.Error("the connection has more than 100 streams")
	}
	wantNextCall(t, srv, s)
	if most := r.most.Load(); most != 1 { // the one of the next call
		t.Errorf("%d handlers were live, want 1", most)
	}
}

// TestPeerThatNeverReads opens 100 streams with a window of 0 and never opens it,
// so that handlers wait to send until the limit of the call frees them.
func TestPeerThatNeverReads(t *testing.T) {
	const (
		calls = 100
		limit = 500 * time.Millisecond
	)
	for _, s := range floodedStacks(t) {
		t.Run(s.Name.String(), func(t *testing.T) {
			t.Parallel()
			r := &rude{handle: func(_ context.Context, c call) error {
				for text := strings.Repeat("x", 64<<10); ; {
					if err := c.send(text); err != nil {
						return err
					}
				}
			}}
			srv := serveRude(t, s, r, stack.ServeOptions{CallLimit: limit})
			peer := newH2Peer(t, dialBare(t, srv.addr, trustOf(s, srv.trust), "h2"),
				http2.Setting{ID: http2.SettingInitialWindowSize, Val: 0})
			for i := range calls {
				if err := peer.request(uint32(2*i+1), greetv1connect.GreetServiceGreetStreamProcedure, emptyMessage); err != nil {
					t.Fatal(err)
				}
			}
			// On a busy machine some calls are over before their handlers begin.
			eventually(t, patience, "handlers are pinned", func() bool { return r.live.Load() > 0 })
			eventually(t, limit+2*time.Second+slack, "all handlers have ended", func() bool { return r.live.Load() == 0 })
			if most := r.most.Load(); most > calls {
				t.Errorf("%d handlers were live at once, want at most %d", most, calls)
			}
		})
	}
}
