package h2

import (
	"io"
	"net"
	"slices"
	"testing"
	"time"

	"golang.org/x/net/http2"
)

// TestDrain has a server drain in the middle of a call, while another is on its
// way.
func TestDrain(t *testing.T) {
	client := &recorder{}
	c, s := newPair(client, echo(), 10)
	block := NewBlock(getBlock...)
	first := c.Open(block, nil, false)
	c.finish()
	pass(c, s)
	c.Open(block, nil, true) // is on its way
	s.Do(s.Drain)
	pass(s, c)
	if c.Available() != 0 || c.Open(block, nil, true) != nil {
		t.Error("a client that was told to go opens streams")
	}
	c.finish()
	settle(c, s)
	if client.err != nil || len(client.ends) != 1 || client.ends[0] != (End{}) {
		t.Fatalf("ends %v, error %v, want the one that was on its way to end well", client.ends, client.err)
	}
	c.Do(func() { first.Write([]byte("last words"), true) })
	settle(c, s)
	if string(client.body) != "last words" || len(client.ends) != 2 || client.ends[1] != (End{}) {
		t.Errorf("body %q, ends %v, want the first call to end well too", client.body, client.ends)
	}
	if c.Err() != ErrClosed || s.Err() != ErrClosed {
		t.Errorf("connections ended with %v and %v, want %v", c.Err(), s.Err(), ErrClosed)
	}
}

// TestGoAwayRefusesWhatIsAboveIt tells a client that a stream was not served.
func TestGoAwayRefusesWhatIsAboveIt(t *testing.T) {
	client := &recorder{}
	c, _ := newPair(client, echo(), 10)
	block := NewBlock(getBlock...)
	c.Open(block, nil, true)
	c.Open(block, nil, true)
	c.finish()
	c.feed(appendGoAway(nil, 1, NoError, ""))
	if want := (End{Refused, RefusedStream}); len(client.ends) != 1 || client.ends[0] != want {
		t.Errorf("ends %v, want only stream 3 to be refused", client.ends)
	}
	if c.Err() != nil {
		t.Errorf("the connection ended with %v although stream 1 is open", c.Err())
	}
}

// TestLost tells every stream when its connection is lost.
func TestLost(t *testing.T) {
	client := &recorder{}
	c, _ := newPair(client, echo(), 10)
	for range 3 {
		c.Open(NewBlock(getBlock...), nil, true)
	}
	c.Do(func() { c.fail(connError(ProtocolError, "test")) })
	if len(client.ends) != 3 || client.ends[0].By != Lost || client.err == nil {
		t.Errorf("ends %v, error %v, want three lost streams", client.ends, client.err)
	}
}

// TestDeadlines has many streams under one timer.
func TestDeadlines(t *testing.T) {
	due := make(chan uint32, 10)
	client := &recorder{onDue: func(s *Stream) {
		due <- s.ID()
		s.Reset(Cancel)
	}}
	c, _ := newPair(client, &recorder{}, 10)
	c.Do(func() {
		for i := range 4 {
			s := c.Open(NewBlock(getBlock...), nil, false)
			s.SetDeadline(c.Now() + time.Duration(4-i)*10*time.Millisecond)
		}
		c.Open(NewBlock(getBlock...), nil, false).SetDeadline(c.Now() + time.Hour)
	})
	var got []uint32
	for range 4 { // two that pass together come in any order
		got = append(got, <-due)
	}
	slices.Sort(got)
	if want := []uint32{1, 3, 5, 7}; !slices.Equal(got, want) {
		t.Errorf("streams %d were due, want %d", got, want)
	}
	c.Do(func() {
		if c.Streams() != 1 || len(client.ends) != 4 || client.ends[0] != (End{Local, Cancel}) {
			t.Errorf("%d streams left, ends %v, want one and four cancelled", c.Streams(), client.ends)
		}
		c.fail(ErrClosed)
	})
}

// TestGoAwayAfterABacklog ends a connection while the socket is full. What waited, and
// the GOAWAY after it, go out once the peer reads.
func TestGoAwayAfterABacklog(t *testing.T) {
	var conn *Conn
	const size = 1 << 20
	big := giving(size)
	p := run(t, func(nc net.Conn) *Conn {
		_ = nc.(*net.TCPConn).SetWriteBuffer(1 << 10)
		conn = NewServer(nc, big, 10)
		return conn
	})
	p.must(io.WriteString(p.nc, preface))
	p.ok(p.WriteSettings(http2.Setting{ID: http2.SettingInitialWindowSize, Val: size}))
	p.ok(p.WriteWindowUpdate(0, size))
	p.request(1, true)
	for waits := false; !waits; {
		conn.Do(func() { waits = conn.writing })
	}
	p.raw(frameReset, 0, 0, "oops")
	for failed := false; !failed; {
		conn.Do(func() { failed = conn.failure != nil })
	}
	if got, want := p.next(), (answer{goAway: true, code: ProtocolError}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

// TestRapidReset is the attack of CVE-2023-44487: the connection ends long before
// 20,000 streams were opened and reset, and no more than 10 are served at once.
func TestRapidReset(t *testing.T) {
	h := echo()
	p := runServer(t, h)
	go func() { // the server stops reading in the middle
		for id := uint32(1); id < 40_000; id += 2 {
			if p.WriteHeaders(http2.HeadersFrameParam{StreamID: id, BlockFragment: get, EndHeaders: true}) != nil ||
				p.WriteRSTStream(id, http2.ErrCodeCancel) != nil {
				return
			}
		}
	}()
	f := await[*http2.GoAwayFrame](p)
	if f.ErrCode != http2.ErrCodeEnhanceYourCalm {
		t.Errorf("got %v, want ENHANCE_YOUR_CALM", f)
	}
}

// TestPingsBesideCalls has a client ping for every call, as grpc-go does, far more
// often than one may ping for nothing.
func TestPingsBesideCalls(t *testing.T) {
	client := &caller{block: NewBlock(getBlock...)}
	c, s := newPair(client, echo(), 10)
	client.conn = c.Conn
	for range 2 * maxOffences {
		client.left = 1
		client.open()
		c.out = appendPing(c.out, 0, [8]byte{})
		c.finish()
		settle(c, s)
	}
	if s.Err() != nil {
		t.Errorf("the connection ended with %v", s.Err())
	}
}

// TestPingFlood is a peer that sends nothing but pings.
func TestPingFlood(t *testing.T) {
	p := runServer(t, echo())
	go func() { // the server stops reading in the middle
		for range 2 * maxOffences {
			if p.WritePing(false, [8]byte{}) != nil {
				return
			}
		}
	}()
	for {
		f, err := p.ReadFrame()
		if err != nil {
			t.Fatalf("got %v, want GOAWAY", err)
		}
		if f, ok := f.(*http2.GoAwayFrame); ok {
			if f.ErrCode != http2.ErrCodeEnhanceYourCalm {
				t.Errorf("got %v, want ENHANCE_YOUR_CALM", f)
			}
			return
		}
	}
}
