package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"

	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"
)

// initialWindow is the window of an HTTP/2 connection, and of a stream unless SETTINGS change it
// (RFC 9113, section 6.9.2).
const initialWindow = 1<<16 - 1

// openingPatience is how long a server may take to say its settings.
const openingPatience = 10 * time.Second

// opening is what one end of a connection sends before the first message.
type opening struct {
	settings map[http2.SettingID]uint32
	added    uint32      // to the connection's window
	header   http.Header // of a client's first request
}

// askOpening reads what a server over h2c sends before the first call.
func askOpening(ctx context.Context, addr string) (opening, error) {
	conn, err := new(net.Dialer).DialContext(ctx, "tcp", addr)
	if err != nil {
		return opening{}, fmt.Errorf("ask for settings: %w", err)
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(openingPatience))
	framer := http2.NewFramer(conn, conn)
	var o opening
	if _, err = io.WriteString(conn, http2.ClientPreface); err == nil {
		err = errors.Join(framer.WriteSettings(), framer.WritePing(false, [8]byte{}))
	}
	if err == nil {
		err = o.readServer(framer)
	}
	if err != nil {
		return o, fmt.Errorf("read settings of %s: %w", addr, err)
	}
	return o, nil
}

// readServer reads until the answers to two pings, one after the other. A server may enlarge the
// connection's window later than it sends its settings.
func (o *opening) readServer(framer *http2.Framer) error {
	for answers := 0; ; {
		frame, err := framer.ReadFrame()
		if err != nil {
			return err
		}
		o.note(frame)
		if ping, ok := frame.(*http2.PingFrame); ok && ping.IsAck() {
			if answers++; answers == 2 {
				return nil
			}
			if err := errors.Join(framer.WriteSettingsAck(), framer.WritePing(false, [8]byte{1})); err != nil {
				return err
			}
		}
	}
}

func (o *opening) note(frame http2.Frame) {
	switch frame := frame.(type) {
	case *http2.SettingsFrame:
		if o.settings == nil {
			o.settings = make(map[http2.SettingID]uint32)
		}
		_ = frame.ForeachSetting(func(s http2.Setting) error { // which fails as its argument does
			o.settings[s.ID] = s.Val
			return nil
		})
	case *http2.WindowUpdateFrame:
		if frame.StreamID == 0 {
			o.added += frame.Increment
		}
	}
}

// readOpening reads the beginning of what a client has sent, over HTTP/1.1 or h2c,
// up to the end of its first request's header.
func readOpening(sent []byte) (o opening, err error) {
	frames, isH2 := bytes.CutPrefix(sent, []byte(http2.ClientPreface))
	if !isH2 {
		request, err := http.ReadRequest(bufio.NewReader(bytes.NewReader(sent)))
		if err != nil {
			return o, fmt.Errorf("read a client's first request: %w", err)
		}
		defer request.Body.Close()
		o.header = request.Header
		return o, nil
	}
	framer := http2.NewFramer(io.Discard, bytes.NewReader(frames))
	// 16 KiB is the default size of a frame, for this framer as for each server here.
	framer.ReadMetaHeaders = hpack.NewDecoder(4096, nil)
	for {
		frame, err := framer.ReadFrame()
		if err != nil {
			return o, fmt.Errorf("read a client's first request: %w", err)
		}
		if request, ok := frame.(*http2.MetaHeadersFrame); ok {
			o.header = make(http.Header)
			for _, field := range request.RegularFields() {
				o.header.Add(field.Name, field.Value)
			}
			return o, nil
		}
		o.note(frame)
	}
}

// encodingHeaders name how a message is compressed: in gRPC, in Connect's streams
// and in its unary calls.
var encodingHeaders = []string{"Grpc-Encoding", "Connect-Content-Encoding", "Content-Encoding"}

// encodingOf returns the compression of the header's messages: none if they are not compressed.
func encodingOf(header http.Header) string {
	for _, name := range encodingHeaders {
		if value := header.Get(name); value != "" && value != "identity" {
			return strings.ToLower(value)
		}
	}
	return "none"
}

// acceptedOf lists the compressions that a client accepts in replies. Those of HTTP itself, beside
// gRPC's own, do not concern messages.
func acceptedOf(header http.Header) string {
	name := "Accept-Encoding"
	for _, own := range []string{"Grpc-Accept-Encoding", "Connect-Accept-Encoding"} {
		if header.Get(own) != "" {
			name = own
		}
	}
	var accepted []string
	for _, value := range header.Values(name) {
		for one := range strings.SplitSeq(value, ",") {
			if one = strings.TrimSpace(one); one != "" && one != "identity" {
				accepted = append(accepted, one)
			}
		}
	}
	if len(accepted) == 0 {
		return "none"
	}
	return strings.Join(accepted, ", ")
}
