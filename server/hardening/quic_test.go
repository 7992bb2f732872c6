package hardening_test

import (
	"bytes"
	"context"
	"crypto/tls"
	"testing"
	"time"

	"github.com/quic-go/qpack"
	"github.com/quic-go/quic-go"
	"github.com/quic-go/quic-go/http3"
	"github.com/quic-go/quic-go/quicvarint"

	"example.com/greet/gen/greet/v1/greetv1connect"
	"example.com/greet/internal/stack"
	"example.com/greet/internal/stack/connectgo"
)

// Types of HTTP/3 frames (RFC 9114, section 7.2).
const (
	h3Data    = 0x0
	h3Headers = 0x1
)

// dialQUIC opens a bare QUIC connection that speaks HTTP/3 as far as the server
// can tell, and closes it with the test.
func dialQUIC(t *testing.T, addr string, trust *tls.Config) *quic.Conn {
	t.Helper()
	trust = trust.Clone()
	trust.NextProtos = []string{"h3"}
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	conn, err := quic.DialAddr(ctx, addr, trust, &quic.Config{KeepAlivePeriod: time.Second})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.CloseWithError(0, "") })
	return conn
}

// h3Request is a whole gRPC request to the procedure with one message.
func h3Request(t *testing.T, procedure string, message []byte) []byte {
	t.Helper()
	var fields bytes.Buffer
	encoder := qpack.NewEncoder(&fields)
	for _, f := range []qpack.HeaderField{
		{Name: ":method", Value: "POST"},
		{Name: ":scheme", Value: "https"},
		{Name: ":authority", Value: "localhost"},
		{Name: ":path", Value: procedure},
		{Name: "content-type", Value: "application/grpc"},
		{Name: "te", Value: "trailers"},
	} {
		if err := encoder.WriteField(f); err != nil {
			t.Fatal(err)
		}
	}
	return append(h3Frame(h3Headers, fields.Bytes()), h3Frame(h3Data, message)...)
}

func h3Frame(kind uint64, payload []byte) []byte {
	frame := quicvarint.Append(nil, kind)
	frame = quicvarint.Append(frame, uint64(len(payload)))
	return append(frame, payload...)
}

// TestRapidResetHTTP3 is TestRapidReset by QUIC, where a stream that is reset
// before its request has been sent is never sent: it resets them in batches, each
// once its handlers run or the server lets in no more.
func TestRapidResetHTTP3(t *testing.T) {
	t.Parallel()
	const batch = 50
	s := connectgo.New(stack.GRPC, stack.H3, "proto")
	r, release := stubborn(t)
	srv := serveRude(t, s, r, stack.ServeOptions{})
	conn := dialQUIC(t, srv.addr, srv.trust)
	request := h3Request(t, greetv1connect.GreetServiceGreetChatProcedure, emptyMessage)
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
	defer cancel()
	for sent := 0; sent < 20_000 && ctx.Err() == nil; sent += batch {
		before := r.live.Load()
		var streams []*quic.Stream
		for range batch {
			stream, err := conn.OpenStreamSync(ctx)
			if err != nil {
				break // the server gives no more streams, or has closed the connection
			}
			_, _ = stream.Write(request)
			streams = append(streams, stream)
		}
		for end := time.Now().Add(20 * time.Millisecond); r.live.Load() < before+batch && time.Now().Before(end); {
			time.Sleep(time.Millisecond)
		}
		for _, stream := range streams {
			stream.CancelWrite(quic.StreamErrorCode(http3.ErrCodeRequestCanceled))
			stream.CancelRead(quic.StreamErrorCode(http3.ErrCodeRequestCanceled))
		}
	}
	if most := r.most.Load(); most == 0 || most > 100 {
		t.Errorf("%d handlers were live at once, want 1 to 100", most)
	}
	wantNextCall(t, srv, s)
	_ = conn.CloseWithError(0, "")
	release()
	eventually(t, patience, "no handler is live", func() bool { return r.live.Load() == 0 })
}
