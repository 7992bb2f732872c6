package h2

import (
	"encoding/binary"
	"io"
	"math"
	"net"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/http2"
)

// TestClientRules has a server break the rules that a client must hold it to. The
// client has streams 1 and 3 open.
func TestClientRules(t *testing.T) {
	conn := func(code ErrCode) answer { return answer{goAway: true, code: code} }
	stream := func(id uint32, code ErrCode) answer { return answer{stream: id, code: code} }
	ok := string(block(":status", "200"))
	word := func(n uint32) string { return string(binary.BigEndian.AppendUint32(nil, n)) }
	for _, test := range []struct {
		what string
		does func(p rawPeer)
		want answer
	}{
		{"ENABLE_PUSH of 1", func(p rawPeer) { p.ok(p.WriteSettings(http2.Setting{ID: 2, Val: 1})) }, conn(ProtocolError)},
		{"PUSH_PROMISE", func(p rawPeer) { p.raw(framePush, flagEndHeaders, 1, word(2)+ok) }, conn(ProtocolError)},
		{"HEADERS on a stream of the server's own", func(p rawPeer) { p.raw(frameHeaders, 4, 2, ok) }, conn(ProtocolError)},
		{"HEADERS on a stream that is not open yet", func(p rawPeer) { p.raw(frameHeaders, 4, 5, ok) }, conn(ProtocolError)},
		{"DATA before a header", func(p rawPeer) { p.raw(frameData, 0, 1, "x") }, stream(1, ProtocolError)},
		{"header without :status", func(p rawPeer) { p.raw(frameHeaders, 4, 1, string(block("x", "y"))) }, stream(1, ProtocolError)},
		{"header with :path", func(p rawPeer) { p.raw(frameHeaders, 4, 1, ok+string(block(":path", "/"))) }, stream(1, ProtocolError)},
		{"second header that does not end", func(p rawPeer) { p.raw(frameHeaders, 4, 1, ok); p.raw(frameHeaders, 4, 1, string(block("x", "y"))) }, stream(1, ProtocolError)},
		{"interim response that ends", func(p rawPeer) { p.raw(frameHeaders, 5, 1, string(block(":status", "100"))) }, stream(1, ProtocolError)},
		{"GOAWAY with a fault", func(p rawPeer) { p.raw(frameGoAway, 0, 0, word(0)+word(11)); p.raw(framePing, 0, 1, "12345678") }, answer{}},
	} {
		t.Run(test.what, func(t *testing.T) {
			t.Parallel()
			client := &recorder{}
			p := run(t, func(nc net.Conn) *Conn {
				c := NewClient(nc, client)
				c.greeted = true // as if SETTINGS had come
				b := NewBlock(getBlock...)
				c.Open(b, nil, false)
				c.Open(b, nil, false)
				return c
			})
			p.must(readPreface(p))
			p.ok(p.WriteSettings())
			test.does(p)
			if test.want == (answer{}) {
				for { // the connection ends without a word of ours
					if _, err := p.ReadFrame(); err != nil {
						return
					}
				}
			}
			if got := p.next(); got != test.want {
				t.Errorf("got %+v, want %+v", got, test.want)
			}
		})
	}
}

func readPreface(p rawPeer) (int, error) {
	return p.nc.Read(make([]byte, len(preface)))
}

// TestInterimResponse goes before the real one and means nothing.
func TestInterimResponse(t *testing.T) {
	client := &recorder{}
	c, _ := newPair(client, &recorder{}, 10)
	c.Open(NewBlock(getBlock...), nil, true)
	c.finish()
	for _, b := range [][]byte{block(":status", "103"), block(":status", "200")} {
		c.feed(append(appendHead(nil, len(b), frameHeaders, flagEndHeaders, 1), b...))
	}
	if client.status != "200" || client.headers != 1 {
		t.Errorf("got %d headers and status %s, want 1 and 200", client.headers, client.status)
	}
}

// TestSlowPeers connect and take their time over what is sent in one go. None of
// them holds a connection for longer than its limit, which is 5 seconds.
func TestSlowPeers(t *testing.T) {
	for _, test := range []struct {
		what, sends string
	}{
		{"silent", ""},
		{"half a preface", preface[:10]},
		{"no SETTINGS", preface},
		{"half a frame", preface + "\x00\x00\x00\x04\x00\x00\x00\x00\x00" + "\x00\x00"},
		{"half a header", preface + "\x00\x00\x00\x04\x00\x00\x00\x00\x00" + "\x00\x00\x01\x01\x00\x00\x00\x00\x01\x82"},
		{"half a HEADERS frame", preface + "\x00\x00\x00\x04\x00\x00\x00\x00\x00" + "\x00\x00\x09\x01\x05\x00\x00\x00\x01\x82"},
	} {
		t.Run(test.what, func(t *testing.T) {
			t.Parallel()
			p := run(t, func(nc net.Conn) *Conn { return NewServer(nc, echo(), 10) })
			p.must(p.nc.Write([]byte(test.sends)))
			begun := time.Now()
			if got, want := p.next(), (answer{goAway: true, code: ProtocolError}); got != want {
				t.Errorf("got %+v, want %+v", got, want)
			}
			if took := time.Since(begun); took < greetingPatience/2 {
				t.Errorf("the end came after %v, want about %v", took, greetingPatience)
			}
		})
	}
}

// TestSlowHeaders sends a header in many parts, each in time, none of which gives the
// peer more time for the rest.
func TestSlowHeaders(t *testing.T) {
	frame := func(payload ...byte) string {
		return string(append(appendHead(nil, len(payload), frameContinuation, 0, 1), payload...))
	}
	for _, test := range []struct {
		what  string
		parts []string
	}{
		{"byte by byte", strings.Split("\x00\x00\x40\x01\x05\x00\x00\x00\x01"+strings.Repeat("\x82", 64), "")},
		{"CONTINUATION by CONTINUATION", slices.Concat(
			[]string{string(append(appendHead(nil, 1, frameHeaders, 0, 1), 0x82))},
			slices.Repeat([]string{frame(0x82)}, maxFragments-2))},
	} {
		t.Run(test.what, func(t *testing.T) {
			t.Parallel()
			p := runServer(t, echo())
			begun := time.Now()
			stop := make(chan struct{})
			defer close(stop)
			go func() {
				for _, part := range test.parts {
					if _, err := io.WriteString(p.nc, part); err != nil {
						return
					}
					select {
					case <-stop:
						return
					case <-time.After(framePatience / 8):
					}
				}
			}()
			if got, want := p.next(), (answer{goAway: true, code: ProtocolError}); got != want {
				t.Errorf("got %+v, want %+v", got, want)
			}
			if took := time.Since(begun); took > framePatience+time.Second {
				t.Errorf("the end came after %v, want about %v", took, framePatience)
			}
		})
	}
}

// TestHalfFramesInARow has every read end within a header that is whole soon, for
// longer than one of them may take.
func TestHalfFramesInARow(t *testing.T) {
	t.Parallel()
	p := runServer(t, echo())
	one := string(append(appendHead(nil, len(get), frameHeaders, flagEndHeaders|flagEndStream, 1), get...))
	id := uint32(1)
	p.must(io.WriteString(p.nc, one[:5]))
	for begun := time.Now(); time.Since(begun) < framePatience*6/5; id += 2 {
		next := string(append(appendHead(nil, len(get), frameHeaders, flagEndHeaders|flagEndStream, id), get...))
		after := string(append(appendHead(nil, len(get), frameHeaders, flagEndHeaders|flagEndStream, id+2), get...))
		p.must(io.WriteString(p.nc, next[5:]+after[:5]))
		if got, want := p.next(), (answer{stream: id}); got != want {
			t.Fatalf("got %+v, want %+v", got, want)
		}
		time.Sleep(framePatience / 10)
	}
}

// TestFarDeadline has a deadline beyond the clock's end, beside which others hold.
func TestFarDeadline(t *testing.T) {
	due := make(chan uint32, 10)
	client := &recorder{onDue: func(s *Stream) { due <- s.ID() }}
	c, _ := newPair(client, &recorder{}, 10)
	c.Do(func() {
		for _, d := range []time.Duration{math.MaxInt64, math.MaxInt64 - 1, 20 * time.Millisecond, 10 * time.Millisecond} {
			c.Open(NewBlock(getBlock...), nil, false).SetDeadline(c.After(d))
		}
	})
	for range 2 {
		if id := <-due; id != 5 && id != 7 {
			t.Errorf("stream %d was due, want only 5 and 7", id)
		}
	}
	c.Do(func() { c.fail(ErrClosed) })
	if len(due) > 0 {
		t.Errorf("stream %d was due, which has 292 years", <-due)
	}
}
