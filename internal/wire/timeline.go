package wire

import "time"

// Side is who sent something.
type Side int

// The two ends of a connection, and the program that makes the calls.
const (
	Client Side = iota
	Server
	Program
)

// Timeline is what the connections carried during one call, in the order in which it was seen.
type Timeline struct {
	Lines []Line
}

// Line is one thing that was sent: a frame, a header block, a handshake message.
type Line struct {
	At      time.Duration // since the call began
	From    Side
	Size    int    // bytes on the connection, all parts included; 0 for what lies inside another line's bytes
	Message int    // bytes of messages, part of Size or of the surrounding line's
	Kind    string // groups lines for WriteText, such as "DATA"
	What    string // what it is, such as "DATA stream 1 END_STREAM"
	Meaning string // what that means, in a few words; often empty
	Parts   []Part // what is in it
	Flow    Flow   // the window of a response afterwards

	at time.Time
}

// Part is a header field, an envelope, a message or another thing inside a Line.
type Part struct {
	Text, Meaning string
	Role          Role // its part in the call, for comparing protocols; often none
}

// Role is something that every protocol has, each in its own place.
type Role string

// The roles.
const (
	Envelope Role = "envelope"
	Deadline Role = "deadline"
	Metadata Role = "metadata" // that the program has set
	Status   Role = "status"   // HTTP's; where an RPC's own follows, that one
)

// Sum is how many bytes a Timeline counts.
type Sum struct {
	Sent, Received int // by the client, on its connections
	Message        int // of both: what carried messages
}

// Sum adds up the lines.
func (t Timeline) Sum() (s Sum) {
	for _, l := range t.Lines {
		switch l.From {
		case Client:
			s.Sent += l.Size
		case Server:
			s.Received += l.Size
		}
		s.Message += l.Message
	}
	return s
}

// decoder turns recorded events into lines. Its state of connections, such as the tables of HPACK,
// lasts from one Timeline to the next.
type decoder struct {
	lines   []Line
	conns   []*conn
	secrets secrets
	http3   http3Decoder
	quic    *flows // nil until the client has said how large its windows are
}

func (d *decoder) line(l Line) { d.lines = append(d.lines, l) }

func (d *decoder) take(begun time.Time) Timeline {
	for _, c := range d.conns {
		c.tellRecords()
	}
	lines := d.lines
	d.lines = nil
	for i := range lines {
		lines[i].At = lines[i].at.Sub(begun)
	}
	return Timeline{lines}
}

// finish reports bytes that never became a whole unit.
func (d *decoder) finish(at time.Time) {
	for _, c := range d.conns {
		for _, h := range c.all() {
			if n := len(h.buffer); n > 0 && !h.inside {
				d.line(Line{at: at, From: h.from, Size: n, Kind: "cut", What: "cut short in the middle"})
				h.buffer = nil
			}
		}
	}
}
