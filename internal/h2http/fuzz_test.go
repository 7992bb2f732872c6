package h2http_test

import (
	"bytes"
	"io"
	"log"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/http2"

	"example.com/greet/internal/h2http"
)

// oneConn is a listener of one connection.
type oneConn chan net.Conn

func (l oneConn) Accept() (net.Conn, error) {
	conn, ok := <-l
	if !ok {
		return nil, net.ErrClosed
	}
	return conn, nil
}

func (l oneConn) Addr() net.Addr { return &net.TCPAddr{} }
func (l oneConn) Close() error   { return nil }

// FuzzConnection gives a server frames that may be anything. Its handler does what its
// path says; nothing but that may panic, and the connection must end with the peer's.
func FuzzConnection(f *testing.F) {
	for _, seed := range fuzzSeeds() {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, frames []byte) {
		var logged lockedBuffer
		srv := &http.Server{Handler: http.HandlerFunc(fuzzed), ErrorLog: log.New(&logged, "", 0), Protocols: new(http.Protocols)}
		srv.Protocols.SetUnencryptedHTTP2(true)
		h2http.Configure(srv)
		near, far := net.Pipe()
		listener := make(oneConn, 1)
		listener <- far
		close(listener)
		_ = srv.Serve(listener) // which returns as soon as there is no other connection
		_ = near.SetDeadline(time.Now().Add(patience))
		go func() {
			_, _ = io.WriteString(near, http2.ClientPreface)
			_, _ = near.Write(whole(frames))
			_, _ = near.Write([]byte{0, 0, 8, 6, 0, 0, 0, 0, 0, 'e', 'n', 'd', '.', '.', '.', '.', '.'})
		}()
		awaitPong(near)
		near.Close()
		if err := srv.Shutdown(t.Context()); err != nil {
			t.Errorf("the connection has not ended: %v", err)
		}
		if strings.Contains(logged.String(), "panic") {
			t.Error(logged.String())
		}
	})
}

// whole makes the last frame as short as it is, so that what follows is a frame too.
func whole(input []byte) (frames []byte) {
	for len(input) >= 9 {
		length := min(int(input[0])<<16|int(input[1])<<8|int(input[2]), len(input)-9)
		frames = append(frames, byte(length>>16), byte(length>>8), byte(length))
		frames = append(frames, input[3:9+length]...)
		input = input[9+length:]
	}
	return frames
}

// awaitPong reads until the PING after the input is answered, or the server gives up.
func awaitPong(conn net.Conn) {
	frames := http2.NewFramer(nil, conn)
	frames.SetMaxReadFrameSize(1 << 20)
	for {
		frame, err := frames.ReadFrame()
		switch f := frame.(type) {
		case *http2.PingFrame:
			if f.IsAck() && string(f.Data[:3]) == "end" {
				return
			}
		case *http2.GoAwayFrame:
			return
		case nil:
			if err != nil {
				return
			}
		}
	}
}

func fuzzed(w http.ResponseWriter, r *http.Request) {
	switch r.URL.Path {
	case "/flush":
		w.Header().Set("Trailer", "X-End")
		http.NewResponseController(w).Flush()
		w.Header().Set("X-End", "x")
	case "/abort":
		panic(http.ErrAbortHandler)
	case "/long":
		w.Write(make([]byte, 100_000))
	case "/deadline":
		http.NewResponseController(w).SetReadDeadline(time.Now().Add(time.Millisecond))
		http.NewResponseController(w).SetWriteDeadline(time.Now().Add(time.Millisecond))
	}
	io.Copy(w, r.Body)
}

// fuzzSeeds are connections that get somewhere.
func fuzzSeeds() (seeds [][]byte) {
	for _, path := range []string{"/", "/flush", "/abort", "/long", "/deadline"} {
		var out bytes.Buffer
		frames := http2.NewFramer(&out, nil)
		header := func(id uint32, end bool, fields ...string) {
			_ = frames.WriteHeaders(http2.HeadersFrameParam{StreamID: id, BlockFragment: headerBlock(fields...), EndHeaders: true, EndStream: end})
		}
		_ = frames.WriteSettings()
		header(1, false, ":path", path, "content-length", "5", "trailer", "x-sum")
		_ = frames.WriteData(1, false, []byte("hello"))
		_ = frames.WriteHeaders(http2.HeadersFrameParam{StreamID: 1, BlockFragment: []byte{0x10, 5, 'x', '-', 's', 'u', 'm', 1, '1'}, EndHeaders: true, EndStream: true})
		header(3, true, ":path", path, ":method", "HEAD", "cookie", "a=b", "cookie", "c=d")
		header(5, false, ":path", path, "expect", "100-continue")
		_ = frames.WriteRSTStream(5, http2.ErrCodeCancel)
		_ = frames.WriteWindowUpdate(0, 1<<20)
		seeds = append(seeds, out.Bytes())
	}
	return seeds
}
