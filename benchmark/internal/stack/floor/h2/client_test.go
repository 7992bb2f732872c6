package h2

import (
	"encoding/binary"
	"net"
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
