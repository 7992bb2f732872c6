package bare

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"example.com/greet/internal/greet"
	"example.com/greet/internal/stack"
)

const (
	// prefix is how many bytes hold a message's length, and also a count.
	prefix = 4
	// endMark is the length that marks an end.
	endMark = 1<<32 - 1
	// largeMessage is the size from which a message is not copied to stand beside others.
	largeMessage = 64 << 10
	// bufferSize is what one read takes, as long as messages are smaller.
	bufferSize = 64 << 10
)

// modes are the bytes with which connections begin.
var modes = map[greet.Mode]byte{greet.Unary: 'u', greet.ServerStream: 's', greet.ClientStream: 'c', greet.Bidi: 'b'}

// appendMessage appends the text behind its length.
func appendMessage(b []byte, text string) []byte { return append(appendWord(b, len(text)), text...) }

// appendRequest appends the request of a server stream.
func appendRequest(b []byte, name string, count int32) []byte {
	b = appendWord(b, prefix+len(name))
	return append(appendWord(b, int(count)), name...)
}

func appendWord(b []byte, n int) []byte { return binary.BigEndian.AppendUint32(b, uint32(n)) }

func appendEnd(b []byte) []byte { return binary.BigEndian.AppendUint32(b, endMark) }

// reader takes messages out of what a connection brings.
type reader struct {
	read     func(p []byte) (int, error) // as io.Reader has it
	buf      []byte
	from, to int // what of buf is read from the connection and not taken yet
	need     int // how many bytes the next message has with its length, as far as is known
}

func newReader(read func([]byte) (int, error)) *reader {
	return &reader{read: read, buf: make([]byte, bufferSize)}
}

// next takes a message, if there is a whole one. It is valid until more is called; nil
// is an end.
func (r *reader) next() (message []byte, whole bool, err error) {
	held := r.buf[r.from:r.to]
	if len(held) < prefix {
		r.need = prefix
		return nil, false, nil
	}
	size := binary.BigEndian.Uint32(held)
	if size == endMark {
		r.from += prefix
		return nil, true, nil
	}
	if size > stack.MaxMessageBytes {
		return nil, false, fmt.Errorf("read message: %d bytes, want at most %d", size, stack.MaxMessageBytes)
	}
	r.need = prefix + int(size)
	if len(held) < r.need {
		return nil, false, nil
	}
	r.from += r.need
	return held[prefix:r.need:r.need], true, nil
}

// more reads what has come, and waits only if that is nothing.
func (r *reader) more() error {
	rest := r.buf[r.from:r.to]
	if r.need > len(r.buf) {
		r.buf = make([]byte, r.need)
	}
	r.from, r.to = 0, copy(r.buf, rest)
	n, err := r.read(r.buf[r.to:])
	r.to += n
	return err
}

// await returns the next message, however long it takes to come. io.EOF says that the
// peer ended the connection between messages.
func (r *reader) await() ([]byte, error) {
	for {
		message, whole, err := r.next()
		if whole || err != nil {
			return message, err
		}
		if err := r.more(); errors.Is(err, io.EOF) && r.from < r.to {
			return nil, io.ErrUnexpectedEOF
		} else if err != nil {
			return nil, err
		}
	}
}

// ahead reports whether something has come that nobody has asked for yet.
func (r *reader) ahead() bool { return r.from < r.to }
