package h2

import (
	"bytes"
	"testing"
)

// seeds begin a fuzz with input that gets somewhere.
func seeds(f *testing.F, preface string) {
	settings := string(appendSettings(nil, defaultSettings, true))
	header := func(id uint32, flags uint8) string {
		return string(append(appendHead(nil, len(get), frameHeaders, flags, id), get...))
	}
	data := string(append(appendHead(nil, 5, frameData, flagEndStream, 1), "hello"...))
	f.Add([]byte(preface+settings+header(1, 5)), uint8(0))
	f.Add([]byte(preface+settings+header(1, 4)+data+header(3, 5)), uint8(3))
	f.Add([]byte(preface+settings+header(1, 4)+string(appendWord(nil, frameReset, 1, 8))), uint8(1))
	f.Add([]byte(preface+settings+string(appendWord(nil, frameWindow, 0, 1000))+string(appendPing(nil, 0, drainPing))), uint8(7))
	f.Add([]byte(preface+settings+string(appendGoAway(nil, 1, NoError, "bye"))), uint8(2))
	ok := append(appendHead(nil, 1, frameHeaders, flagEndHeaders, 1), 0x88)
	f.Add([]byte(settings+string(ok)+data), uint8(9))
}

// FuzzFrames parses heads, and serves each frame by itself on a fresh connection.
func FuzzFrames(f *testing.F) {
	seeds(f, "")
	f.Fuzz(func(t *testing.T, input []byte, _ uint8) {
		for len(input) >= headLen {
			h := parseHead(input)
			again := appendHead(nil, h.length, h.kind, h.flags, h.stream)
			if parseHead(again) != h {
				t.Fatalf("head %x is read back as %+v", input[:headLen], parseHead(again))
			}
			end := min(headLen+h.length, len(input))
			w := newWire(NewServer(deaf{}, echo(), 10))
			w.greeted = true
			if err := w.dispatch(h, input[headLen:end]); err != nil {
				w.fail(err)
			}
			w.finish()
			stop(w)
			input = input[end:]
		}
	})
}

// FuzzServer gives a server any input, in pieces.
func FuzzServer(f *testing.F) {
	seeds(f, preface)
	f.Fuzz(func(t *testing.T, input []byte, cut uint8) {
		h := wild(cut)
		check(t, newWire(NewServer(deaf{}, h, 10)), input, cut)
	})
}

// FuzzClient gives a client with calls in flight any input, in pieces.
func FuzzClient(f *testing.F) {
	seeds(f, "")
	f.Fuzz(func(t *testing.T, input []byte, cut uint8) {
		w := newWire(NewClient(deaf{}, wild(cut)))
		w.greeted = true
		for i := range int(cut % 5) {
			w.Open(NewBlock(getBlock...), nil, i%2 == 0)
		}
		w.finish()
		check(t, w, input, cut)
	})
}

// wild is a handler that does one thing or another with what it gets.
func wild(by uint8) *recorder {
	r := echo()
	echoData, echoHead := r.onData, r.onHead
	r.onData = func(s *Stream, p []byte, end bool) {
		switch by++; by % 7 {
		case 0:
			s.Reset(Cancel)
		case 1:
			s.Write(make([]byte, 100_000), end)
		case 2:
			s.Finish()
		}
		echoData(s, p, end)
	}
	r.onHead = func(s *Stream, h *Header, end bool) {
		if by++; by%11 == 0 {
			s.Reset(Cancel)
		}
		if !s.Conn().client {
			echoHead(s, h, end)
		}
	}
	r.onRoom = func(s *Stream) {
		if by++; by%3 == 0 {
			s.Write([]byte("more"), by%2 == 0)
		}
	}
	return r
}

// check feeds the connection, and looks at what must hold whatever it is fed.
func check(t *testing.T, w *wire, input []byte, cut uint8) {
	defer stop(w)
	w.room = int(cut) << 8 // as if the peer did not read for ever
	if cut%2 == 0 {
		w.room = -1
	}
	size := int(cut) + 1
	var rest []byte
	for len(input) > 0 && w.Err() == nil {
		n := min(size, len(input))
		rest = append(rest, input[:n]...)
		rest = rest[w.feed(rest):]
		input = input[n:]
		invariants(t, w)
	}
}

func invariants(t *testing.T, w *wire) {
	w.mu.Lock()
	defer w.mu.Unlock()
	n := 0
	window := w.recvWindow + w.released
	for s := range w.streams.all() {
		n++
		window += s.held
		if s.recvWindow < 0 || s.recvWindow > streamWindow || s.sendWindow > maxWindow {
			t.Fatalf("stream %d has windows %d and %d", s.id, s.recvWindow, s.sendWindow)
		}
	}
	if window != connectionWindow && w.failure == nil {
		t.Fatalf("of the connection's window %d bytes are accounted for, want all %d", window, connectionWindow)
	}
	if n != w.streams.n || !w.client && n > 10 || w.ended && n > 0 {
		t.Fatalf("%d streams are open, %d counted, ended %v", n, w.streams.n, w.ended)
	}
	out := bytes.TrimPrefix(w.sent, []byte(preface))
	for len(out) >= headLen { // whatever was sent is frames, as large as they may be
		h := parseHead(out)
		if h.length > largestFrame || h.kind > frameContinuation {
			t.Fatalf("sent a frame %+v", h)
		}
		out = out[min(headLen+h.length, len(out)):]
	}
}

// stop ends the connection and waits for what it may have started.
func stop(w *wire) {
	w.Do(func() { w.fail(ErrClosed) })
	w.mu.Lock()
	defer w.mu.Unlock()
	for w.writing {
		w.Conn.room.Wait()
	}
}
