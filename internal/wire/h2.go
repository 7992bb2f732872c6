package wire

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"strings"
	"time"

	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"
)

const frameHeader = 9 // bytes: length, type, flags, stream (RFC 9113, section 4.1)

// maxFrame is more than the largest frame that anybody here sends.
const maxFrame = 1 << 24

// h2Conn is one HTTP/2 connection. Each direction has its own tables for compressed headers.
type h2Conn struct {
	tables  [2]*hpack.Decoder
	streams map[uint32]*exchange
	flows   *flows // of responses
}

// firstWindow is the window of a stream unless SETTINGS change it (RFC 9113, section 6.9.2).
const firstWindow = 65_535

func newH2() *h2Conn {
	c := &h2Conn{streams: map[uint32]*exchange{}, flows: newFlows(firstWindow)}
	for side := range c.tables {
		c.tables[side] = hpack.NewDecoder(4096, nil)
	}
	return c
}

func (c *h2Conn) stream(id uint32) *exchange {
	if c.streams[id] == nil {
		c.streams[id] = new(exchange)
	}
	return c.streams[id]
}

// next decodes one frame, or a HEADERS frame with its CONTINUATION frames.
func (c *h2Conn) next(h *half, at time.Time, data []byte) int {
	size := wholeFrames(data)
	if size == 0 {
		return 0
	}
	framer := http2.NewFramer(io.Discard, bytes.NewReader(data[:size]))
	framer.SetMaxReadFrameSize(maxFrame)
	framer.ReadMetaHeaders = c.tables[h.from]
	framer.MaxHeaderListSize = 1 << 20
	frame, err := framer.ReadFrame()
	if err != nil {
		h.line(at, Line{Size: size, Kind: "bad frame", What: "not a frame of HTTP/2", Meaning: err.Error()})
		return size
	}
	l := c.describe(h.from, frame)
	l.Size = size
	l.Flow = c.follow(h.from, frame)
	h.line(at, l)
	return size
}

// wholeFrames is the length of the first frame and its CONTINUATION frames, or 0 while part of them
// has not come.
func wholeFrames(data []byte) int {
	size := 0
	for {
		rest := data[size:]
		if len(rest) < frameHeader {
			return 0
		}
		length := int(binary.BigEndian.Uint32(rest) >> 8)
		if len(rest) < frameHeader+length {
			return 0
		}
		kind, flags := http2.FrameType(rest[3]), http2.Flags(rest[4])
		size += frameHeader + length
		headers := kind == http2.FrameHeaders || kind == http2.FrameContinuation
		if !headers || flags.Has(http2.FlagHeadersEndHeaders) {
			return size
		}
	}
}

// follow applies a frame to the window of a response.
func (c *h2Conn) follow(from Side, frame http2.Frame) Flow {
	id := int64(frame.Header().StreamID)
	switch f := frame.(type) {
	case *http2.DataFrame:
		if from == Server {
			c.flows.window(id).sent += int(f.Length) // padding counts
			return c.flows.at(id)
		}
	case *http2.WindowUpdateFrame:
		if from == Client && id != 0 {
			c.flows.window(id).added += int(f.Increment)
			return c.flows.at(id)
		}
	case *http2.SettingsFrame:
		if size, ok := f.Value(http2.SettingInitialWindowSize); ok && from == Client {
			c.flows.initial = int(size)
			return c.flows.now()
		}
	}
	return Flow{}
}

// describe says what a frame is.
func (c *h2Conn) describe(from Side, frame http2.Frame) Line {
	id := frame.Header().StreamID
	switch f := frame.(type) {
	case *http2.MetaHeadersFrame:
		return c.headers(from, f)
	case *http2.DataFrame:
		return c.data(from, f)
	case *http2.SettingsFrame:
		return settingsLine(f)
	case *http2.WindowUpdateFrame:
		return windowLine(id, f.Increment)
	case *http2.RSTStreamFrame:
		return Line{Kind: "RST_STREAM", What: fmt.Sprintf("RST_STREAM stream %d %v", id, f.ErrCode), Meaning: resetMeaning(from, f.ErrCode)}
	case *http2.GoAwayFrame:
		return Line{Kind: "GOAWAY", What: fmt.Sprintf("GOAWAY %v, last stream %d %s", f.ErrCode, f.LastStreamID, quoted(f.DebugData())),
			Meaning: "no new calls on this connection"}
	case *http2.PingFrame:
		if f.IsAck() {
			return Line{Kind: "PING", What: "PING ACK", Meaning: "I am here"}
		}
		return Line{Kind: "PING", What: "PING", Meaning: "are you there, and how far away?"}
	}
	return Line{Kind: frame.Header().Type.String(), What: fmt.Sprintf("%v stream %d", frame.Header().Type, id)}
}

func (c *h2Conn) headers(from Side, f *http2.MetaHeadersFrame) Line {
	fields := make([]field, len(f.Fields))
	for i, hf := range f.Fields {
		fields[i] = field{hf.Name, hf.Value}
	}
	x := c.stream(f.StreamID)
	l := Line{Kind: "HEADERS", What: fmt.Sprintf("HEADERS stream %d", f.StreamID)}
	l.Meaning, l.Parts = x.headers(from, fields, f.StreamEnded())
	if f.StreamEnded() {
		l.What += " END_STREAM"
	}
	return l
}

func (c *h2Conn) data(from Side, f *http2.DataFrame) Line {
	x := c.stream(f.StreamID)
	l := Line{Kind: "DATA", What: fmt.Sprintf("DATA stream %d", f.StreamID)}
	l.Parts, l.Message = x.data(from, f.Data())
	if f.StreamEnded() {
		l.What += " END_STREAM"
		l.Meaning = endMeaning(from)
		l.Parts = append(l.Parts, x.end(from)...)
	}
	return l
}

var settingNames = map[http2.SettingID]string{
	http2.SettingEnablePush: "push", http2.SettingMaxConcurrentStreams: "calls at once", http2.SettingInitialWindowSize: "window of a stream",
	http2.SettingMaxFrameSize: "largest frame", http2.SettingMaxHeaderListSize: "largest headers", http2.SettingHeaderTableSize: "header table",
}

func settingsLine(f *http2.SettingsFrame) Line {
	if f.IsAck() {
		return Line{Kind: "SETTINGS", What: "SETTINGS ACK", Meaning: "seen, and obeyed from here on"}
	}
	var list []string
	_ = f.ForeachSetting(func(s http2.Setting) error { // the function never fails
		name := settingNames[s.ID]
		if name == "" {
			name = s.ID.String()
		}
		list = append(list, fmt.Sprintf("%s %d", name, s.Val))
		return nil
	})
	l := Line{Kind: "SETTINGS", What: "SETTINGS", Meaning: "what this side will take"}
	if len(list) > 0 {
		l.Parts = []Part{{Text: strings.Join(list, ", ")}}
	}
	return l
}

func windowLine(id, increment uint32) Line {
	what := fmt.Sprintf("WINDOW_UPDATE stream %d +%d", id, increment)
	if id == 0 {
		what = fmt.Sprintf("WINDOW_UPDATE connection +%d", increment)
	}
	return Line{Kind: "WINDOW_UPDATE", What: what, Meaning: "so much more may the other side send"}
}

func resetMeaning(from Side, code http2.ErrCode) string {
	switch {
	case code == http2.ErrCodeCancel && from == Client:
		return "the client gives the call up; the server's context is cancelled"
	case code == http2.ErrCodeNo:
		return "the call is over; the rest of the request is not wanted"
	}
	return "this side ends the stream in both directions"
}

// endMeaning says what the end of a direction tells the other side.
func endMeaning(from Side) string {
	if from == Client {
		return "END_STREAM: the client has no more to say"
	}
	return "END_STREAM: the response is over"
}

// quoted is debug data, or nothing.
func quoted(data []byte) string {
	if len(data) == 0 {
		return ""
	}
	return fmt.Sprintf("%q", shorten(string(data)))
}
