package floor

import (
	"encoding/binary"
	"fmt"
	"sync"

	"google.golang.org/protobuf/proto"

	"example.com/greet/internal/greet"
	"example.com/greet/internal/h2"
	"example.com/greet/internal/stack"
)

// prefixLen is the length of the prefix of each message: a byte that says whether it
// is compressed, and its length in four.
const prefixLen = 5

// appendMessage appends a message with its prefix. It refuses one that is too large.
func appendMessage(b []byte, m proto.Message) ([]byte, error) {
	size, err := sizeOf(m)
	if err != nil {
		return b, err
	}
	return marshal(b, m, size, true)
}

// sender sends messages, one after the other.
type sender struct {
	scratch []byte
}

// send sends a message of the size, with or without its prefix. A small one is
// marshalled into scratch, and a large one into a buffer that becomes the stream's, so
// that nothing copies it again.
func (w *sender) send(s *h2.Stream, m proto.Message, size int, prefixed, end bool) (err error) {
	if size > largestKept {
		b, err := marshal(h2.TakeBuffer(prefixLen+size), m, size, prefixed)
		if err == nil {
			s.Give(b, end)
		}
		return err
	}
	if w.scratch, err = marshal(w.scratch[:0], m, size, prefixed); err == nil {
		s.Write(w.scratch, end)
	}
	return err
}

// sizeOf is how many bytes a message has, of which marshal must be told.
func sizeOf(m proto.Message) (int, error) {
	size := proto.Size(m)
	if size > stack.MaxMessageBytes {
		return size, tooLarge("send", int64(size))
	}
	return size, nil
}

// marshal appends a message whose size has just been computed.
func marshal(b []byte, m proto.Message, size int, prefixed bool) ([]byte, error) {
	start := len(b)
	if prefixed {
		b = binary.BigEndian.AppendUint32(append(b, 0), uint32(size))
	}
	b, err := proto.MarshalOptions{UseCachedSize: true}.MarshalAppend(b, m)
	if err != nil {
		return b[:start], &greet.Error{Code: greet.CodeInternal, Message: "marshal message: " + err.Error()}
	}
	return b, nil
}

func tooLarge(what string, size int64) error {
	return &greet.Error{
		Code:    greet.CodeResourceExhausted,
		Message: fmt.Sprintf("cannot %s a message of %d bytes: the limit is %d", what, size, stack.MaxMessageBytes),
	}
}

var errCompressed = &greet.Error{
	Code:    greet.CodeInternal,
	Message: "message is marked as compressed, but the call has no grpc-encoding",
}

// assembler puts messages together out of pieces. A piece may hold many messages, and
// a message may come in many pieces.
type assembler struct {
	allowed byte // flags that a prefix may have
	prefix  [prefixLen]byte
	have    int    // of the prefix
	body    []byte // so far; unused while whole messages come
	size    int    // of the body; known once have is prefixLen
}

// next takes from p until a message is whole. It returns the message, which is valid
// until the next call or until p changes, and the rest of p. ok is false if p ends
// before the message does.
func (a *assembler) next(p []byte) (message, rest []byte, ok bool, err error) {
	if a.have < prefixLen {
		n := copy(a.prefix[a.have:], p)
		if a.have += n; a.have < prefixLen {
			return nil, nil, false, nil
		}
		p = p[n:]
		a.body = a.body[:0]
		size := binary.BigEndian.Uint32(a.prefix[1:])
		if size > stack.MaxMessageBytes { // compared before it is an int, which may have 32 bits
			return nil, nil, false, tooLarge("receive", int64(size))
		}
		a.size = int(size)
		if a.prefix[0]&^a.allowed != 0 {
			return nil, nil, false, errCompressed
		}
	}
	if len(a.body) == 0 && len(p) >= a.size {
		a.have = 0
		return p[:a.size], p[a.size:], true, nil
	}
	n := min(a.size-len(a.body), len(p))
	a.grow(n)
	a.body = append(a.body, p[:n]...)
	if len(a.body) < a.size {
		return nil, nil, false, nil
	}
	a.have = 0
	return a.body, p[n:], true, nil
}

// firstGrowth bounds what the announcement of a large message allocates.
const firstGrowth = 256 << 10

// largest holds buffers for messages above firstGrowth. Each has room for the largest
// message: the part that is never touched costs address space alone.
var largest sync.Pool

func largeBuffer() []byte {
	if large, ok := largest.Get().(*[]byte); ok {
		return (*large)[:0]
	}
	return make([]byte, 0, stack.MaxMessageBytes)
}

// grow makes room for n more bytes.
func (a *assembler) grow(n int) {
	need := len(a.body) + n
	switch {
	case need <= cap(a.body):
	case need > firstGrowth:
		a.body = append(largeBuffer(), a.body...)
	default:
		a.body = append(make([]byte, 0, min(a.size, max(need, 2*cap(a.body), firstGrowth))), a.body...)
	}
}

// flags are those of the message that came last.
func (a *assembler) flags() byte { return a.prefix[0] }

// collect adds to body, for a protocol whose bodies are messages.
func (a *assembler) collect(p []byte) error {
	if len(a.body)+len(p) > stack.MaxMessageBytes {
		return tooLarge("receive", int64(len(a.body)+len(p)))
	}
	a.size = stack.MaxMessageBytes // which is not known, and at most this
	a.grow(len(p))
	a.body = append(a.body, p...)
	return nil
}

// partial reports whether a message has begun and is not whole.
func (a *assembler) partial() bool { return a.have > 0 }

// largestKept bounds the buffers that a call keeps for its stream's next use.
const largestKept = 64 << 10

// reset drops a message that is not whole, and a buffer that is large.
func (a *assembler) reset() {
	a.have, a.body, a.allowed = 0, a.body[:0], 0
	if cap(a.body) <= largestKept {
		return
	}
	if cap(a.body) == stack.MaxMessageBytes {
		large := a.body[:0]
		largest.Put(&large)
	}
	a.body = nil
}
