package h2

import (
	"bytes"
	"testing"

	"golang.org/x/net/http2"
)

// giving returns a server's handler that answers each request with n bytes.
func giving(n int) *recorder {
	begin := NewBlock(okBlock...)
	return &recorder{onHead: func(s *Stream, _ *Header, _ bool) {
		s.Headers(begin, nil, false)
		s.Write(bytes.Repeat([]byte("x"), n), true)
	}}
}

// read reads DATA of the stream until n bytes have come, and fails if there are
// more.
func (p rawPeer) read(id uint32, n int) {
	p.t.Helper()
	for n > 0 {
		f := await[*http2.DataFrame](p)
		if n -= len(f.Data()); f.StreamID != id || n < 0 {
			p.t.Fatalf("got %d bytes on stream %d, want %d fewer, on %d", len(f.Data()), f.StreamID, -n, id)
		}
	}
}

// quiet fails if DATA comes before the answer to a PING.
func (p rawPeer) quiet() {
	p.t.Helper()
	p.ok(p.WritePing(false, [8]byte{1}))
	for {
		f, err := p.ReadFrame()
		p.ok(err)
		switch f := f.(type) {
		case *http2.DataFrame:
			p.t.Fatalf("got %d bytes that no window allows", f.Length)
		case *http2.PingFrame:
			return
		}
	}
}

// TestServerKeepsToWindows has windows of many kinds hold up a response.
func TestServerKeepsToWindows(t *testing.T) {
	p := runServer(t, giving(100), http2.Setting{ID: http2.SettingInitialWindowSize, Val: 30})
	p.request(1, true)
	p.read(1, 30)
	p.quiet()
	// The window of the stream is now 0; a smaller one for all makes it negative.
	p.ok(p.WriteSettings(http2.Setting{ID: http2.SettingInitialWindowSize, Val: 10}))
	p.ok(p.WriteWindowUpdate(1, 20)) // which lifts it from -20 to 0
	p.quiet()
	p.ok(p.WriteWindowUpdate(1, 15))
	p.read(1, 15)
	p.quiet()
	p.ok(p.WriteSettings(http2.Setting{ID: http2.SettingInitialWindowSize, Val: 20}))
	p.read(1, 10)
	p.quiet()
	p.ok(p.WriteWindowUpdate(1, 1000))
	p.read(1, 45)
}

func TestServerKeepsToConnectionWindow(t *testing.T) {
	p := runServer(t, giving(50_000), http2.Setting{ID: http2.SettingInitialWindowSize, Val: 1 << 20})
	p.request(1, true)
	p.request(3, true)
	p.read(1, 50_000)
	p.read(3, 15_535) // what is left of 65,535
	p.quiet()
	p.ok(p.WriteWindowUpdate(0, 4_465))
	p.read(3, 4_465)
	p.quiet()
	p.ok(p.WriteWindowUpdate(0, 1<<20))
	p.read(3, 30_000)
}

// TestServerHoldsClientsToWindows sends more than a handler consumes.
func TestServerHoldsClientsToWindows(t *testing.T) {
	deafHandler := &recorder{onData: func(*Stream, []byte, bool) {}}
	p := runServer(t, deafHandler)
	p.request(1, false)
	for range streamWindow / maxFrame {
		p.ok(p.WriteData(1, false, make([]byte, maxFrame)))
	}
	p.ok(p.WriteData(1, false, []byte("x")))
	if got, want := p.next(), (answer{stream: 1, code: FlowControlError}); got != want {
		t.Errorf("a byte above the stream's window: got %+v, want %+v", got, want)
	}
}

// TestWindowUpdatesAreBatched counts what the windows of a large request cost.
func TestWindowUpdatesAreBatched(t *testing.T) {
	client := &recorder{}
	c, s := newPair(client, echo(), 10)
	st := c.Open(NewBlock(getBlock...), nil, false)
	st.Write(make([]byte, 8<<20), true)
	c.finish()
	updates := 0
	for pass(c, s) {
		for sent := s.sent; len(sent) >= headLen; sent = sent[headLen+parseHead(sent).length:] {
			if parseHead(sent).kind == frameWindow {
				updates++
			}
		}
		pass(s, c)
	}
	settle(c, s)
	if len(client.body) != 8<<20 {
		t.Errorf("%d bytes came back, want 8 MiB", len(client.body))
	}
	// Half a window at a time: 64 of the stream's, 16 of the connection's.
	if updates == 0 || updates > 64+16 {
		t.Errorf("%d updates of windows for 8 MiB, want at most 80", updates)
	}
}

// TestSocketThatTakesLittle has the socket take a few bytes at a time; nobody may
// be told that there is room when there is none, and nothing may get lost.
func TestSocketThatTakesLittle(t *testing.T) {
	client := &recorder{}
	c, s := newPair(client, giving(1<<20), 10)
	c.Open(NewBlock(getBlock...), nil, true)
	c.finish()
	// While a goroutine would be writing, output is kept below its mark.
	s.writing = true
	pass(c, s)
	if len(s.out) > highWater+maxFrame+100 {
		t.Errorf("%d bytes of output wait, want about %d at most", len(s.out), highWater)
	}
	s.writing = false
	s.finish()
	settle(c, s)
	if len(client.body) != 1<<20 || len(client.ends) != 1 {
		t.Errorf("%d bytes came, ends %v, want 1 MiB and one end", len(client.body), client.ends)
	}
}

// TestStreamsTakeTurns has two large responses share a connection.
func TestStreamsTakeTurns(t *testing.T) {
	p := runServer(t, giving(200_000), http2.Setting{ID: http2.SettingInitialWindowSize, Val: 1 << 20})
	p.request(1, true)
	p.request(3, true)
	p.ok(p.WritePing(false, [8]byte{2}))
	await[*http2.PingFrame](p) // the connection's own window holds both up
	p.ok(p.WriteWindowUpdate(0, 300_000))
	got := map[uint32]int{}
	for got[1]+got[3] < 300_000 {
		f := await[*http2.DataFrame](p)
		got[f.StreamID] += int(f.Length)
	}
	if got[1] < 100_000 || got[3] < 100_000 {
		t.Errorf("of 300,000 bytes the streams got %d and %d, want half each, about", got[1], got[3])
	}
}
