package hardening_test

import (
	"context"
	"crypto/tls"
	"testing"
	"time"

	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"

	"example.com/greet/gen/greet/v1/greetv1connect"
	"example.com/greet/internal/greet"
	"example.com/greet/internal/stack"
	"example.com/greet/internal/stack/connectgo"
)

// floodedStacks are the stacks whose servers read HTTP/2.
func floodedStacks(t *testing.T) []stack.Stack {
	t.Helper()
	all := stacks(t)
	return append([]stack.Stack{
		connectgo.New(stack.GRPC, stack.H2C, "proto"),
		connectgo.New(stack.GRPC, stack.H2, "proto"),
		all[len(all)-1], // grpc-go
	}, fastStacks(t)...)
}

// stubborn returns a service whose unary and bidi handlers ignore their context
// until release is called, which happens with the end of the test if not before.
// The other modes answer at once.
func stubborn(t *testing.T) (r *rude, release func()) {
	blocked, release := context.WithCancel(context.Background())
	t.Cleanup(release)
	return &rude{handle: func(_ context.Context, c call) error {
		if c.mode == greet.Unary || c.mode == greet.Bidi {
			<-blocked.Done()
		}
		return nil
	}}, release
}

// trustOf is what a bare peer of the stack needs to open TLS, or nil.
func trustOf(s stack.Stack, trust *tls.Config) *tls.Config {
	if s.Name.Secure() {
		return trust
	}
	return nil
}

// TestRapidReset opens and resets 20,000 streams on one connection
// (CVE-2023-44487).
func TestRapidReset(t *testing.T) {
	t.Parallel()
	for _, s := range floodedStacks(t) {
		t.Run(s.Name.String(), func(t *testing.T) {
			r, release := stubborn(t)
			srv := serveRude(t, s, r, stack.ServeOptions{})
			peer := newH2Peer(t, dialBare(t, srv.addr, trustOf(s, srv.trust), "h2"))
			if err := peer.request(1, greetv1connect.GreetServiceGreetProcedure, emptyMessage); err != nil {
				t.Fatal(err)
			}
			eventually(t, patience, "a handler is live", func() bool { return r.live.Load() > 0 })
			peer.resetRapidly(20_000)
			if s.Name.Library != grpcLibrary { // which refuses by reading no further
				peer.awaitClosed(t, patience)
				if peer.goAway == nil || *peer.goAway != http2.ErrCodeEnhanceYourCalm {
					t.Errorf("closed with %v, want ENHANCE_YOUR_CALM", peer.goAway)
				}
			}
			if most := r.most.Load(); most > 100 {
				t.Errorf("%d handlers were live at once, want at most 100", most)
			}
			wantNextCall(t, srv, s)
			_ = peer.conn.Close()
			release()
			eventually(t, patience, "no handler is live", func() bool { return r.live.Load() == 0 })
		})
	}
}

// resetRapidly sends whole requests and resets each, until the server refuses to
// read on, be it by closing the connection or by back-pressure.
func (p *h2Peer) resetRapidly(streams int) {
	for i := range streams {
		id := uint32(2*i + 3)
		_ = p.conn.SetWriteDeadline(time.Now().Add(time.Second))
		if p.request(id, greetv1connect.GreetServiceGreetProcedure, emptyMessage) != nil ||
			p.WriteRSTStream(id, http2.ErrCodeCancel) != nil {
			return
		}
	}
}

// wantNextCall makes a call by another connection.
func wantNextCall(t *testing.T, srv served, s stack.Stack) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	if err := makeCall(ctx, srv.client(t, s), greet.ClientStream); err != nil {
		t.Errorf("the next call: %v", err)
	}
}

// TestContinuationFlood begins a header and never ends it (CVE-2023-45288).
func TestContinuationFlood(t *testing.T) {
	t.Parallel()
	const (
		most  = 4 << 20
		total = 64 << 20 // far more than the sockets in between can hold
	)
	var fields []byte
	for len(fields) < 16<<10-512 {
		fields = appendLiteral(fields, "greet-flood", "0123456789abcdef0123456789abcdef")
	}
	for _, s := range floodedStacks(t) {
		t.Run(s.Name.String(), func(t *testing.T) {
			r, _ := stubborn(t)
			srv := serveRude(t, s, r, stack.ServeOptions{})
			peer := newH2Peer(t, dialBare(t, srv.addr, trustOf(s, srv.trust), "h2"))
			peer.flood(fields, total)
			peer.awaitClosed(t, patience)
			if read := srv.read.Load(); read > most {
				t.Errorf("closed after %d bytes, want at most %d", read, most)
			}
			if r.most.Load() > 0 {
				t.Error("a header without end reached a handler")
			}
			wantNextCall(t, srv, s)
		})
	}
}

// TestEmptyContinuationFlood sends CONTINUATION frames with nothing in them.
// golang.org/x/net's framer, which net/http and grpc-go use, bounds the bytes of a
// header but not its frames.
func TestEmptyContinuationFlood(t *testing.T) {
	t.Parallel()
	const (
		most = 64 << 10 // what sockets hold when the 65th frame is refused
		// lingering is what package h2 reads and throws away, for a moment, so that its
		// GOAWAY arrives: over TLS a small frame takes three times its size.
		lingering = 5 << 20
	)
	for _, s := range floodedStacks(t) {
		t.Run(s.Name.String(), func(t *testing.T) {
			r, _ := stubborn(t)
			srv := serveRude(t, s, r, stack.ServeOptions{})
			peer := newH2Peer(t, dialBare(t, srv.addr, trustOf(s, srv.trust), "h2"))
			peer.flood(nil, 8<<20)
			peer.awaitClosed(t, patience)
			limit := int64(most)
			if s.Name.Has(stack.FastHTTP2) {
				limit = lingering
			}
			if read := srv.read.Load(); read > limit {
				t.Errorf("closed after %d bytes, want at most %d", read, limit)
			}
			wantNextCall(t, srv, s)
		})
	}
}

// flood sends CONTINUATION frames until total bytes are sent or the connection
// takes no more.
func (p *h2Peer) flood(fragment []byte, total int) {
	begin := p.encode(greetv1connect.GreetServiceGreetProcedure)
	err := p.WriteHeaders(http2.HeadersFrameParam{StreamID: 1, BlockFragment: begin})
	for sent := 0; err == nil && sent < total; sent += 9 + len(fragment) {
		_ = p.conn.SetWriteDeadline(time.Now().Add(patience))
		err = p.WriteContinuation(1, false, fragment)
	}
}

// appendLiteral appends a field that is not to be indexed, without Huffman
// coding (RFC 7541, section 6.2.2); name and value are shorter than 127 bytes.
func appendLiteral(block []byte, name, value string) []byte {
	block = append(block, 0, byte(len(name)))
	block = append(block, name...)
	block = append(block, byte(len(value)))
	return append(block, value...)
}

// hpackBomb fills one entry of the dynamic table and then names it again and
// again, a byte each time: 19 KB on the wire, 61 MiB as a header.
func (p *h2Peer) hpackBomb() []byte {
	const entry, times = 3_900, 16_400
	value := make([]byte, entry)
	for i := range value {
		value[i] = 'x'
	}
	bomb := hpack.HeaderField{Name: "x", Value: string(value)}
	fields := make([]hpack.HeaderField, times)
	for i := range fields {
		fields[i] = bomb
	}
	return p.encode(greetv1connect.GreetServiceGreetProcedure, fields...)
}
