package wire

import "time"

// Flow is how much of a response was sent and how much may be sent: the window of its stream in
// HTTP/2 and QUIC. It is zero for lines that do not concern a window, and over HTTP/1.1, where only
// TCP has flow control.
type Flow struct {
	Stream  int64
	Sent    int // bytes of the stream that the server has sent so far
	Allowed int // how many of them the client has allowed so far
}

// Flow is the state of the newest stream at the end of the timeline.
func (t Timeline) Flow() (newest Flow) {
	for _, l := range t.Lines {
		if l.Flow.Stream > newest.Stream {
			newest = l.Flow
		} else if l.Flow.Stream == newest.Stream {
			newest.Sent, newest.Allowed = max(newest.Sent, l.Flow.Sent), max(newest.Allowed, l.Flow.Allowed)
		}
	}
	return newest
}

// flows follows the windows that a client gives to the server. Each stream has a window; all begin
// with the same size.
type flows struct {
	initial int
	streams map[int64]*window
	newest  int64
}

type window struct {
	sent  int // highest byte
	added int // by HTTP/2's WINDOW_UPDATE
	upTo  int // by QUIC's MAX_STREAM_DATA, which counts from the beginning
}

func newFlows(initial int) *flows {
	return &flows{initial: initial, streams: map[int64]*window{}}
}

func (f *flows) window(stream int64) *window {
	if f.streams[stream] == nil {
		f.streams[stream] = new(window)
		f.newest = max(f.newest, stream)
	}
	return f.streams[stream]
}

// at is the state of a stream.
func (f *flows) at(stream int64) Flow {
	w := f.window(stream)
	return Flow{Stream: stream, Sent: w.sent, Allowed: max(f.initial+w.added, w.upTo)}
}

// follow applies the changes of a QUIC packet, and returns the state of the stream of the last one.
func (f *flows) follow(changes []Flow) (last Flow) {
	if f == nil {
		return Flow{}
	}
	for _, c := range changes {
		w := f.window(c.Stream)
		w.sent, w.upTo = max(w.sent, c.Sent), max(w.upTo, c.Allowed) // a lost frame is sent again
		last = f.at(c.Stream)
	}
	return last
}

// now is the state of the newest stream, for frames that concern all streams.
func (f *flows) now() Flow {
	if len(f.streams) == 0 {
		return Flow{}
	}
	return f.at(f.newest)
}

// Updates are the lines that allowed the server to send more than allowed.
func (t Timeline) Updates(stream int64, allowed int) (updates []Line) {
	for _, l := range t.Lines {
		if l.From == Client && l.Flow.Stream == stream && l.Flow.Allowed > allowed {
			updates = append(updates, l)
			allowed = l.Flow.Allowed
		}
	}
	return updates
}

// Still returns for how long the server had sent nothing on the stream at the given moment.
func (t Timeline) Still(stream int64, moment time.Duration) time.Duration {
	var last time.Duration
	for _, l := range t.Lines {
		if l.From == Server && l.Flow.Stream == stream && l.At < moment {
			last = l.At
		}
	}
	return moment - last
}
