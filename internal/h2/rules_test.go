package h2

import (
	"encoding/binary"
	"net"
	"strings"
	"testing"

	"golang.org/x/net/http2"
)

// raw writes a frame of any kind.
func (p rawPeer) raw(kind frameType, flags uint8, stream uint32, payload string) {
	p.t.Helper()
	p.ok(p.WriteRawFrame(http2.FrameType(kind), http2.Flags(flags), stream, []byte(payload)))
}

// TestServerRules breaks the rules of RFC 9113 one by one, or keeps to what looks
// like breaking them. Numbers are sections. The server must name the right fault:
// one of the connection, or one of the stream alone. A stream that it answers ends
// with NO_ERROR.
func TestServerRules(t *testing.T) {
	conn := func(code ErrCode) answer { return answer{goAway: true, code: code} }
	stream := func(id uint32, code ErrCode) answer { return answer{stream: id, code: code} }
	all := string(get)
	word := func(n uint32) string { return string(binary.BigEndian.AppendUint32(nil, n)) }
	for _, test := range []struct {
		section string
		does    func(p rawPeer)
		want    answer
	}{
		{"4.1 unknown frame type is ignored", func(p rawPeer) { p.raw(0xbb, 0xff, 0, "xyz"); p.request(1, true) }, stream(1, NoError)},
		{"4.1 reserved bit is ignored", func(p rawPeer) { p.raw(frameHeaders, flagEndHeaders|flagEndStream, 1<<31|1, all) }, stream(1, NoError)},
		{"4.1 undefined flags are ignored", func(p rawPeer) { p.raw(frameHeaders, 0xd2|flagEndHeaders|flagEndStream, 1, all) }, stream(1, NoError)},
		{"4.2 frame above MAX_FRAME_SIZE", func(p rawPeer) { p.raw(frameData, 0, 1, strings.Repeat("x", maxFrame+1)) }, conn(FrameSizeError)},
		{"4.3 block that does not decode", func(p rawPeer) { p.raw(frameHeaders, flagEndHeaders, 1, "\xff\xff\xff\xff\xff\xff") }, conn(CompressionError)},
		{"4.3 index beyond the table", func(p rawPeer) { p.raw(frameHeaders, flagEndHeaders, 1, "\xc8") }, conn(CompressionError)},
		{"4.3 block interrupted by PING", func(p rawPeer) { p.raw(frameHeaders, 0, 1, all); p.raw(framePing, 0, 0, "12345678") }, conn(ProtocolError)},
		{"4.3 block continued on another stream", func(p rawPeer) { p.raw(frameHeaders, 0, 1, all); p.raw(frameContinuation, 4, 3, "") }, conn(ProtocolError)},
		{"5.1 DATA on an idle stream", func(p rawPeer) { p.raw(frameData, 0, 1, "x") }, conn(ProtocolError)},
		{"5.1 RST_STREAM on an idle stream", func(p rawPeer) { p.raw(frameReset, 0, 1, word(8)) }, conn(ProtocolError)},
		{"5.1 WINDOW_UPDATE on an idle stream", func(p rawPeer) { p.raw(frameWindow, 0, 1, word(8)) }, conn(ProtocolError)},
		{"5.1 CONTINUATION of nothing", func(p rawPeer) { p.raw(frameContinuation, 4, 1, all) }, conn(ProtocolError)},
		{"5.1 DATA after the end of the half", func(p rawPeer) {
			p.request(1, false)
			p.hold(1)
			p.raw(frameData, 1, 1, "x")
			p.raw(frameData, 0, 1, "x")
		}, stream(1, StreamClosed)},
		{"5.1 HEADERS after the end of the half", func(p rawPeer) {
			p.request(1, false)
			p.hold(1)
			p.raw(frameData, 1, 1, "x")
			p.raw(frameHeaders, 5, 1, all)
		}, stream(1, StreamClosed)},
		{"5.1 WINDOW_UPDATE after the end is ignored", func(p rawPeer) { p.finish(1); p.raw(frameWindow, 0, 1, word(1)); p.request(3, true) }, stream(3, NoError)},
		{"5.1 RST_STREAM after the end is ignored", func(p rawPeer) { p.finish(1); p.raw(frameReset, 0, 1, word(8)); p.request(3, true) }, stream(3, NoError)},
		{"5.1 DATA after the end of the stream", func(p rawPeer) { p.finish(1); p.raw(frameData, 0, 1, "x") }, stream(1, StreamClosed)},
		{"5.1 HEADERS after the end of the stream", func(p rawPeer) { p.finish(1); p.request(1, true) }, conn(StreamClosed)},
		{"5.1.1 even stream id", func(p rawPeer) { p.request(2, true) }, conn(ProtocolError)},
		{"5.1.1 stream id lower than one before", func(p rawPeer) { p.finish(5); p.request(3, true) }, conn(ProtocolError)},
		{"5.1.2 more streams than allowed", func(p rawPeer) {
			for id := uint32(1); id <= 21; id += 2 {
				p.request(id, false)
			}
		}, stream(21, RefusedStream)},
		{"6.1 DATA without a stream", func(p rawPeer) { p.raw(frameData, 0, 0, "x") }, conn(ProtocolError)},
		{"6.1 padding longer than the frame", func(p rawPeer) { p.request(1, false); p.raw(frameData, flagPadded, 1, "\x09xyz") }, conn(ProtocolError)},
		{"6.1 padded and empty", func(p rawPeer) { p.request(1, false); p.raw(frameData, flagPadded, 1, "") }, conn(FrameSizeError)},
		{"6.1 padding is not body", func(p rawPeer) { p.request(1, false); p.raw(frameData, flagPadded|flagEndStream, 1, "\x03abxxx") }, stream(1, NoError)},
		{"6.2 HEADERS without a stream", func(p rawPeer) { p.raw(frameHeaders, 5, 0, all) }, conn(ProtocolError)},
		{"6.2 padding longer than the block", func(p rawPeer) { p.raw(frameHeaders, 5|flagPadded, 1, "\xff"+all) }, conn(ProtocolError)},
		{"6.2 padded with priority", func(p rawPeer) {
			p.raw(frameHeaders, 5|flagPadded|flagPriority, 1, "\x02\x00\x00\x00\x00\x10"+all+"xx")
		}, stream(1, NoError)},
		{"6.2 shorter than its priority", func(p rawPeer) { p.raw(frameHeaders, 5|flagPriority, 1, "\x00") }, conn(FrameSizeError)},
		{"6.3 PRIORITY is ignored, also idle", func(p rawPeer) { p.raw(framePriority, 0, 9, "\x00\x00\x00\x01\x10"); p.request(1, true) }, stream(1, NoError)},
		{"6.3 PRIORITY without a stream", func(p rawPeer) { p.raw(framePriority, 0, 0, "\x00\x00\x00\x01\x10") }, conn(ProtocolError)},
		{"6.3 PRIORITY of another length", func(p rawPeer) { p.request(1, false); p.raw(framePriority, 0, 1, "\x00") }, stream(1, FrameSizeError)},
		{"6.4 RST_STREAM without a stream", func(p rawPeer) { p.raw(frameReset, 0, 0, word(8)) }, conn(ProtocolError)},
		{"6.4 RST_STREAM of another length", func(p rawPeer) { p.request(1, false); p.raw(frameReset, 0, 1, "xyz") }, conn(FrameSizeError)},
		{"6.5 SETTINGS on a stream", func(p rawPeer) { p.raw(frameSettings, 0, 1, "") }, conn(ProtocolError)},
		{"6.5 acknowledgement with a payload", func(p rawPeer) { p.raw(frameSettings, flagAck, 0, "\x00\x01\x00\x00\x00\x00") }, conn(FrameSizeError)},
		{"6.5 SETTINGS with a broken entry", func(p rawPeer) { p.raw(frameSettings, 0, 0, "xyz") }, conn(FrameSizeError)},
		{"6.5.2 ENABLE_PUSH of 2", func(p rawPeer) { p.ok(p.WriteSettings(http2.Setting{ID: 2, Val: 2})) }, conn(ProtocolError)},
		{"6.5.2 INITIAL_WINDOW_SIZE above 2^31-1", func(p rawPeer) { p.ok(p.WriteSettings(http2.Setting{ID: 4, Val: 1 << 31})) }, conn(FlowControlError)},
		{"6.5.2 MAX_FRAME_SIZE too small", func(p rawPeer) { p.ok(p.WriteSettings(http2.Setting{ID: 5, Val: maxFrame - 1})) }, conn(ProtocolError)},
		{"6.5.2 MAX_FRAME_SIZE too large", func(p rawPeer) { p.ok(p.WriteSettings(http2.Setting{ID: 5, Val: 1 << 24})) }, conn(ProtocolError)},
		{"6.5.2 unknown setting is ignored", func(p rawPeer) { p.ok(p.WriteSettings(http2.Setting{ID: 0xff, Val: 1})); p.request(1, true) }, stream(1, NoError)},
		{"6.6 PUSH_PROMISE from a client", func(p rawPeer) { p.raw(framePush, flagEndHeaders, 1, word(2)+all) }, conn(ProtocolError)},
		{"6.7 PING on a stream", func(p rawPeer) { p.raw(framePing, 0, 1, "12345678") }, conn(ProtocolError)},
		{"6.7 PING of another length", func(p rawPeer) { p.raw(framePing, 0, 0, "1234567") }, conn(FrameSizeError)},
		{"6.8 GOAWAY on a stream", func(p rawPeer) { p.raw(frameGoAway, 0, 1, word(0)+word(0)) }, conn(ProtocolError)},
		{"6.8 GOAWAY too short", func(p rawPeer) { p.raw(frameGoAway, 0, 0, word(0)) }, conn(FrameSizeError)},
		{"6.9 WINDOW_UPDATE of 0 on the connection", func(p rawPeer) { p.raw(frameWindow, 0, 0, word(0)) }, conn(ProtocolError)},
		{"6.9 WINDOW_UPDATE of 0 on a stream", func(p rawPeer) { p.request(1, false); p.raw(frameWindow, 0, 1, word(0)) }, stream(1, ProtocolError)},
		{"6.9 WINDOW_UPDATE of another length", func(p rawPeer) { p.raw(frameWindow, 0, 0, "xyz") }, conn(FrameSizeError)},
		{"6.9.1 connection window above 2^31-1", func(p rawPeer) { p.raw(frameWindow, 0, 0, word(1<<31-1)) }, conn(FlowControlError)},
		{"6.9.1 stream window above 2^31-1", func(p rawPeer) { p.request(1, false); p.raw(frameWindow, 0, 1, word(1<<31-1)) }, stream(1, FlowControlError)},
		{"6.9.2 a setting drives a window above 2^31-1", func(p rawPeer) {
			p.request(1, false)
			p.raw(frameWindow, 0, 1, word(1<<31-1-65535))
			p.ok(p.WriteSettings(http2.Setting{ID: 4, Val: 65536}))
		}, conn(FlowControlError)},
		{"6.10 CONTINUATION ends a block", func(p rawPeer) {
			p.raw(frameHeaders, flagEndStream, 1, all[:3])
			p.raw(frameContinuation, 0, 1, all[3:5])
			p.raw(frameContinuation, flagEndHeaders, 1, all[5:])
		}, stream(1, NoError)},
		{"8.1 trailer without END_STREAM", func(p rawPeer) { p.request(1, false); p.raw(frameHeaders, 4, 1, string(block("x", "y"))) }, stream(1, ProtocolError)},
		{"8.1 trailer with pseudo-header fields", func(p rawPeer) { p.request(1, false); p.raw(frameHeaders, 5, 1, all) }, stream(1, ProtocolError)},
		{"8.1 trailer ends a request", func(p rawPeer) { p.request(1, false); p.raw(frameHeaders, 5, 1, string(block("x", "y"))) }, stream(1, NoError)},
		{"8.2.1 field name in upper case", func(p rawPeer) { p.raw(frameHeaders, 5, 1, all+string(block("X-A", "y"))) }, stream(1, ProtocolError)},
		{"8.2.2 connection-specific field", func(p rawPeer) { p.raw(frameHeaders, 5, 1, all+string(block("connection", "close"))) }, stream(1, ProtocolError)},
		{"8.3 pseudo-header field after others", func(p rawPeer) { p.raw(frameHeaders, 5, 1, string(block("x", "y"))+all) }, stream(1, ProtocolError)},
		{"8.3.1 no :path", func(p rawPeer) { p.raw(frameHeaders, 5, 1, string(block(":method", "GET", ":scheme", "http"))) }, stream(1, ProtocolError)},
		{"an attack by empty CONTINUATIONs", func(p rawPeer) {
			p.raw(frameHeaders, 0, 1, all)
			for range maxFragments {
				p.raw(frameContinuation, 0, 1, "")
			}
		}, conn(EnhanceYourCalm)},
		{"an attack by long CONTINUATIONs", func(p rawPeer) {
			p.raw(frameHeaders, 0, 1, all)
			for range 5 {
				p.raw(frameContinuation, 0, 1, strings.Repeat("\x82", maxFrame))
			}
		}, conn(EnhanceYourCalm)},
	} {
		t.Run(test.section, func(t *testing.T) {
			t.Parallel()
			p := runServer(t, holding())
			test.does(p)
			if got := p.next(); got != test.want {
				t.Errorf("got %+v, want %+v", got, test.want)
			}
		})
	}
}

// holding is a server's handler that echoes, but leaves those streams open whose
// body begins with "hold".
func holding() Handler {
	r := echo()
	echoData := r.onData
	held := map[uint32]bool{}
	r.onData = func(s *Stream, p []byte, end bool) {
		held[s.ID()] = held[s.ID()] || string(p) == "hold"
		if !held[s.ID()] {
			echoData(s, p, end)
		}
	}
	return r
}

// hold has the server leave the stream open when its request has ended.
func (p rawPeer) hold(id uint32) {
	p.t.Helper()
	p.ok(p.WriteData(id, false, []byte("hold")))
}

// finish makes a whole call.
func (p rawPeer) finish(id uint32) {
	p.t.Helper()
	p.request(id, true)
	if got := p.next(); got != (answer{stream: id}) {
		p.t.Fatalf("a whole call: got %+v", got)
	}
}

// TestFirstFrames is how connections must begin.
func TestFirstFrames(t *testing.T) {
	for _, test := range []struct {
		what, sends string
	}{
		{"HTTP/1.1", "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"},
		{"half a preface, then another", preface[:12] + "XY"},
		{"PING before SETTINGS", preface + "\x00\x00\x08\x06\x00\x00\x00\x00\x0012345678"},
	} {
		p := run(t, func(nc net.Conn) *Conn { return NewServer(nc, echo(), 10) })
		p.must(p.nc.Write([]byte(test.sends)))
		if got, want := p.next(), (answer{goAway: true, code: ProtocolError}); got != want {
			t.Errorf("%s: got %+v, want %+v", test.what, got, want)
		}
	}
}
