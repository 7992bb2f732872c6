package wire

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/quic-go/quic-go"
	h3log "github.com/quic-go/quic-go/http3/qlog"
	"github.com/quic-go/quic-go/qlog"
	"github.com/quic-go/quic-go/qlogwriter"
)

// quic is the trace of one QUIC connection.
func (r *Recorder) quic(context.Context, bool, quic.ConnectionID) qlogwriter.Trace { return trace{r} }

// trace receives quic-go's events of a connection: packets with their frames, and the frames of
// HTTP/3.
type trace struct{ recorder *Recorder }

func (t trace) AddProducer() qlogwriter.Recorder { return t }
func (t trace) SupportsSchemas(string) bool      { return true }
func (t trace) Close() error                     { return nil }

func (t trace) RecordEvent(e qlogwriter.Event) {
	switch e := e.(type) {
	case qlog.ParametersSet:
		if e.Initiator == qlog.InitiatorLocal {
			initial := int(e.InitialMaxStreamDataBidiLocal)
			t.recorder.add(time.Now(), func(d *decoder, _ time.Time) { d.quic = newFlows(initial) })
		}
	case qlog.PacketSent:
		t.packet(Client, e.Header, e.Raw.Length, e.Frames)
	case qlog.PacketReceived:
		t.packet(Server, e.Header, e.Raw.Length, e.Frames)
	case qlog.PacketDropped:
		t.packet(Server, e.Header, e.Raw.Length, nil)
	case h3log.FrameCreated:
		t.recorder.add(time.Now(), func(d *decoder, at time.Time) { d.http3.frame(d, at, Client, e.StreamID, e.Raw, e.Frame.Frame) })
	case h3log.FrameParsed:
		t.recorder.add(time.Now(), func(d *decoder, at time.Time) { d.http3.frame(d, at, Server, e.StreamID, e.Raw, e.Frame.Frame) })
	}
}

// packet describes the packet at once, because quic-go reuses the frames.
func (t trace) packet(from Side, header qlog.PacketHeader, size int, frames []qlog.Frame) {
	var names []string
	for _, f := range frames {
		names = append(names, frameText(f.Frame))
	}
	names = slices.Compact(names)
	what := fmt.Sprintf("QUIC %v packet %d", header.PacketType, header.PacketNumber)
	text := strings.Join(names, ", ")
	flow := packetFlow(from, frames)
	t.recorder.add(time.Now(), func(d *decoder, at time.Time) {
		d.line(Line{at: at, From: from, Size: size, Kind: packetKind(text), What: what, Meaning: packetMeaning(text), Parts: []Part{{Text: text}}, Flow: d.quic.follow(flow)})
	})
}

// packetFlow returns the changes that the frames of a packet make to the windows of responses. What
// a frame does not say is 0.
func packetFlow(from Side, frames []qlog.Frame) (changes []Flow) {
	for _, f := range frames {
		switch f := f.Frame.(type) {
		case *qlog.StreamFrame:
			if from == Server && f.StreamID%4 == 0 { // a request's (RFC 9000, section 2.1)
				changes = append(changes, Flow{Stream: int64(f.StreamID), Sent: int(f.Offset + f.Length)})
			}
		case *qlog.MaxStreamDataFrame:
			if from == Client {
				changes = append(changes, Flow{Stream: int64(f.StreamID), Allowed: int(f.MaximumStreamData)})
			}
		}
	}
	return changes
}

func frameText(frame any) string {
	switch f := frame.(type) {
	case *qlog.StreamFrame:
		fin := ""
		if f.Fin {
			fin = " FIN"
		}
		return fmt.Sprintf("STREAM %d %d bytes%s", f.StreamID, f.Length, fin)
	case *qlog.CryptoFrame:
		return fmt.Sprintf("CRYPTO %d bytes", f.Length)
	case *qlog.MaxDataFrame:
		return fmt.Sprintf("MAX_DATA %d", f.MaximumData)
	case *qlog.MaxStreamDataFrame:
		return fmt.Sprintf("MAX_STREAM_DATA %d up to %d", f.StreamID, f.MaximumStreamData)
	case *qlog.ResetStreamFrame:
		return fmt.Sprintf("RESET_STREAM %d code %#x", f.StreamID, uint64(f.ErrorCode))
	case *qlog.StopSendingFrame:
		return fmt.Sprintf("STOP_SENDING %d code %#x", f.StreamID, uint64(f.ErrorCode))
	case *qlog.ConnectionCloseFrame:
		return fmt.Sprintf("CONNECTION_CLOSE code %#x", f.ErrorCode)
	}
	name := fmt.Sprintf("%T", frame)
	name = name[strings.LastIndex(name, ".")+1:]
	return screamingCase(strings.TrimSuffix(name, "Frame"))
}

// screamingCase writes a Go name as the RFC does: HANDSHAKE_DONE.
func screamingCase(name string) string {
	var b strings.Builder
	for i, r := range name {
		if i > 0 && unicode.IsUpper(r) && !unicode.IsUpper(rune(name[i-1])) {
			b.WriteByte('_')
		}
		b.WriteRune(r)
	}
	return strings.ToUpper(b.String())
}

// packetKind gives packets that end something kinds of their own. Otherwise they would be added up
// with the very many others, and not be shown.
func packetKind(frames string) string {
	for _, kind := range []string{"CONNECTION_CLOSE", "RESET_STREAM", "STOP_SENDING"} {
		if strings.Contains(frames, kind) {
			return kind
		}
	}
	return "QUIC"
}

// packetMeaning says what the most telling frame of a packet means.
func packetMeaning(frames string) string {
	for _, m := range []struct{ frame, meaning string }{
		{"CRYPTO", "part of TLS's handshake"},
		{"CONNECTION_CLOSE", "the connection is over"},
		{"RESET_STREAM", "this side gives up sending on the stream"},
		{"STOP_SENDING", "this side does not want the rest; the sender's context is cancelled"},
		{"FIN", "FIN: this side has no more to say on the stream"},
		{"MAX_STREAM_DATA", "the sender may go on up to there: QUIC's flow control"},
		{"MAX_DATA", "the sender may go on up to there: QUIC's flow control"},
	} {
		if strings.Contains(frames, m.frame) {
			return m.meaning
		}
	}
	return ""
}

// http3Decoder keeps the requests of a client in the order in which they began.
type http3Decoder struct {
	streams map[quic.StreamID]*exchange
	calls   []*exchange
	early   []func() // bodies that were read before quic-go told of their HEADERS
}

func (c *http3Decoder) stream(id quic.StreamID) *exchange {
	if c.streams == nil {
		c.streams = map[quic.StreamID]*exchange{}
	}
	if c.streams[id] == nil {
		c.streams[id] = new(exchange)
		c.calls = append(c.calls, c.streams[id])
	}
	return c.streams[id]
}

// frame adds the line of an HTTP/3 frame. Its bytes are counted in QUIC's packets, as part of
// STREAM frames.
func (c *http3Decoder) frame(d *decoder, at time.Time, from Side, id quic.StreamID, raw h3log.RawInfo, frame any) {
	l := Line{at: at, From: from}
	switch f := frame.(type) {
	case h3log.HeadersFrame:
		fields := make([]field, len(f.HeaderFields))
		for i, hf := range f.HeaderFields {
			fields[i] = field{hf.Name, hf.Value}
		}
		l.Kind, l.What = "HEADERS", fmt.Sprintf("HTTP/3 HEADERS stream %d, %d bytes", id, raw.Length)
		l.Meaning, l.Parts = c.stream(id).headers(from, fields, false)
	case h3log.DataFrame:
		l.Kind, l.What = "DATA", fmt.Sprintf("HTTP/3 DATA stream %d, %d bytes", id, raw.Length)
	case h3log.SettingsFrame:
		l.Kind, l.What, l.Meaning = "SETTINGS", fmt.Sprintf("HTTP/3 SETTINGS, %d bytes", raw.Length), "what this side will take"
	case h3log.GoAwayFrame:
		l.Kind, l.What, l.Meaning = "GOAWAY", "HTTP/3 GOAWAY", "no new calls on this connection"
	default:
		name := fmt.Sprintf("%T", frame)
		l.Kind, l.What = "other", "HTTP/3 "+name[strings.LastIndex(name, ".")+1:]
	}
	d.line(l)
	early := c.early
	c.early = nil
	for _, tell := range early {
		tell()
	}
}

// body adds a line for the contents of DATA frames.
func (c *http3Decoder) body(d *decoder, at time.Time, call int, from Side, data []byte, ended bool) {
	if call >= len(c.calls) {
		c.early = append(c.early, func() { c.body(d, at, call, from, data, ended) })
		return
	}
	l := Line{at: at, From: from, Kind: "body", What: fmt.Sprintf("in DATA: %d bytes", len(data))}
	x := c.calls[call]
	l.Parts, l.Message = x.data(from, data)
	if ended {
		l.Parts = append(l.Parts, x.end(from)...)
	}
	if len(data) > 0 || len(l.Parts) > 0 {
		d.line(l)
	}
}
