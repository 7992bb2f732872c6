package h1

import (
	"bytes"
	"errors"
	"io"
	"math"
	"strconv"
)

// maxDigits bounds the zeros before the size of a chunk, as other readers do.
const maxDigits = 16

var (
	errChunk    = malformed("chunk")
	errLine     = malformed("line too long, or without CRLF")
	errTrailers = malformed("too many trailers")
)

// bodyOf reads the body that a head announces.
func (r *Reader) bodyOf(h *Head) ([]byte, error) {
	r.body = r.body[:0]
	switch {
	case h.chunked:
		err := r.chunks()
		return r.body, err
	case h.length == unknown:
		h.Close = true
		return r.toEnd()
	case h.length > r.limit:
		return nil, ErrTooLarge
	case h.length <= int64(r.to-r.from): // most are here with their head
		body := r.in[r.from : r.from+int(h.length)]
		r.from += len(body)
		return body, nil
	}
	err := r.take(h.length)
	return r.body, err
}

// take moves n bytes to the body. The body grows as they come: a mere announcement
// costs nothing.
func (r *Reader) take(n int64) error {
	if int64(len(r.body))+n > r.limit {
		return ErrTooLarge
	}
	for n > 0 {
		if r.from == r.to {
			if err := r.more(); err != nil {
				return cut(err)
			}
		}
		piece := r.in[r.from : r.from+int(min(n, int64(r.to-r.from)))]
		r.body = append(r.body, piece...)
		r.from += len(piece)
		n -= int64(len(piece))
		if r.from == len(r.in) && len(r.in) < largestKept {
			r.in = make([]byte, 2*len(r.in)) // the body comes faster than it is taken
			r.from, r.to = 0, 0
		}
	}
	return nil
}

// toEnd takes all that comes.
func (r *Reader) toEnd() ([]byte, error) {
	for {
		if err := r.take(int64(r.to - r.from)); err != nil {
			return nil, err
		}
		if err := r.more(); errors.Is(err, io.EOF) {
			return r.body, nil
		} else if err != nil {
			return nil, err
		}
	}
}

// chunks takes the chunks of a body, and drops the trailers after them (RFC 9112,
// section 7.1).
func (r *Reader) chunks() error {
	for {
		size, err := r.chunkSize()
		if err != nil {
			return err
		}
		if size == 0 {
			return r.trailers()
		}
		if err := r.take(size); err != nil {
			return err
		}
		if end, err := r.line(); err != nil || len(end) > 0 {
			return errors.Join(errChunk, err)
		}
	}
}

// chunkSize reads the line that begins a chunk. Extensions mean nothing here.
func (r *Reader) chunkSize() (int64, error) {
	line, err := r.line()
	if err != nil {
		return 0, err
	}
	digits, extension, _ := bytes.Cut(line, []byte(";"))
	if !validValue(string(extension)) {
		return 0, errChunk
	}
	size, err := strconv.ParseUint(string(digits), 16, 64)
	if err != nil || size > math.MaxInt32 || len(digits) > maxDigits {
		return 0, errChunk
	}
	return int64(size), nil
}

func (r *Reader) trailers() error {
	for total := 0; total < maxHead; {
		line, err := r.line()
		if err != nil || len(line) == 0 {
			return err
		}
		if _, _, err := parseField(string(line)); err != nil {
			return err
		}
		total += len(line)
	}
	return errTrailers
}

// line reads a line. It holds until something else is read.
func (r *Reader) line() ([]byte, error) {
	for {
		have := r.in[r.from:r.to]
		if end := bytes.IndexByte(have, '\n'); end >= 0 {
			if end == 0 || have[end-1] != '\r' {
				return nil, errLine
			}
			r.from += end + 1
			return have[:end-1], nil
		}
		if len(have) >= maxLine {
			return nil, errLine
		}
		if err := r.more(); err != nil {
			return nil, cut(err)
		}
	}
}

// cut is the error of a connection that ends within a response.
func cut(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}
