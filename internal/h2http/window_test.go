package h2http_test

import (
	"io"
	"net/http"
	"testing"

	"golang.org/x/net/http2"
)

// What a connection can make the server hold, as this server sets it.
const (
	streamWindow     = 256 << 10
	connectionWindow = 1 << 20
	streams          = 20 // see start
)

// body sends size bytes of a request's body, in frames as large as may be.
func (p *peer) body(id uint32, size int) {
	p.t.Helper()
	for ; size > 0; size -= 1 << 14 {
		p.sent(p.WriteData(id, false, make([]byte, min(size, 1<<14))))
	}
}

// quiet fails if the server opens the connection's window before it answers a PING.
func (p *peer) quiet() {
	p.t.Helper()
	p.sent(p.WritePing(false, [8]byte{1}))
	for {
		switch f := await[http2.Frame](p).(type) {
		case *http2.WindowUpdateFrame:
			if f.StreamID == 0 {
				p.t.Fatalf("the connection's window is opened by %d bytes that nobody has read", f.Increment)
			}
		case *http2.PingFrame:
			return
		}
	}
}

// opened waits until the server has opened the connection's window by size bytes, and
// returns by how many it has.
func (p *peer) opened(size int) (by int) {
	p.t.Helper()
	for by < size {
		if f := await[*http2.WindowUpdateFrame](p); f.StreamID == 0 {
			by += int(f.Increment)
		}
	}
	return by
}

// started dials, and waits for the window that the connection begins with.
func (s *server) started(t *testing.T) *peer {
	p := s.dial(t)
	p.opened(connectionWindow - 65535)
	return p
}

// readOn has handlers read nothing of /unread until their call ends, and read all of
// anything else.
func readOn(_ http.ResponseWriter, r *http.Request) {
	if r.URL.Path == "/unread" {
		<-r.Context().Done()
		return
	}
	_, _ = io.Copy(io.Discard, r.Body)
}

// TestConnectionHoldsNoMore has handlers that do not read. The window of the connection
// bounds what they hold together.
func TestConnectionHoldsNoMore(t *testing.T) {
	p := fast(t, readOn, nil).started(t)
	for i := range connectionWindow / streamWindow {
		p.request(uint32(2*i+1), false, ":method", "POST", ":path", "/unread")
		p.body(uint32(2*i+1), streamWindow)
	}
	p.request(101, false, ":method", "POST")
	p.quiet()
	// One of the calls ends, and what it held is there for others.
	p.sent(p.WriteRSTStream(1, http2.ErrCodeCancel))
	p.opened(streamWindow)
	p.body(101, streamWindow)
	p.opened((streamWindow - connectionWindow/2/streams) / 2) // the rest is told later
	// Above the window is too much.
	for _, id := range []uint32{103, 105} {
		p.request(id, false, ":method", "POST", ":path", "/unread")
		p.body(id, streamWindow)
	}
	if f := await[*http2.GoAwayFrame](p); f.ErrCode != http2.ErrCodeFlowControl {
		t.Errorf("sent away with %v, want for more data than the window allows", f.ErrCode)
	}
}

// TestUnreadStreamsHoldUpNoOther has three handlers that do not read beside one that
// gets 4 MiB.
func TestUnreadStreamsHoldUpNoOther(t *testing.T) {
	p := fast(t, readOn, nil).started(t)
	for id := uint32(1); id < 7; id += 2 {
		p.request(id, false, ":method", "POST", ":path", "/unread")
		p.body(id, streamWindow)
	}
	p.request(7, false, ":method", "POST")
	room := connectionWindow - 3*streamWindow
	for left := 4 << 20; left > 0; left -= 1 << 14 {
		for ; room < 1<<14; room += p.opened(1) {
		}
		p.body(7, 1<<14)
		room -= 1 << 14
	}
}

// TestReadersKeepNothing has as many calls as there may be that read all that comes, and
// then wait for more, or work on. A peer that has sent each a share of the window can go
// on: half of the window is free, and half of that it has been told.
func TestReadersKeepNothing(t *testing.T) {
	const share = connectionWindow / streams
	for _, end := range []bool{false, true} {
		release := make(chan struct{})
		s := fast(t, func(w http.ResponseWriter, r *http.Request) {
			readOn(w, r)
			<-release
		}, nil)
		p := s.started(t)
		for id := uint32(1); id < 2*streams; id += 2 {
			p.request(id, false, ":method", "POST")
			p.body(id, share)
			if end {
				p.sent(p.WriteData(id, true, nil))
			}
		}
		p.opened(connectionWindow / 4)
		close(release)
	}
}

// TestHandlersThatReturnHoldNothing has a handler answer without a look at the body,
// while the response has to wait for the peer's window.
func TestHandlersThatReturnHoldNothing(t *testing.T) {
	unread := make(chan struct{})
	s := fast(t, func(w http.ResponseWriter, _ *http.Request) {
		<-unread
		_, _ = io.WriteString(w, "waits")
	}, nil)
	p := s.dial(t, http2.Setting{ID: http2.SettingInitialWindowSize, Val: 0})
	p.opened(connectionWindow - 65535)
	for i := range connectionWindow / streamWindow {
		p.request(uint32(2*i+1), false, ":method", "POST")
		p.body(uint32(2*i+1), streamWindow)
	}
	p.quiet()
	close(unread)
	p.opened(connectionWindow / 2)
}
