package h2http

import (
	"fmt"
	"io"
	"net/http"
	"sync/atomic"
	"time"

	"example.com/greet/internal/h2"
)

// bufferSize is how much of a response is kept until more comes, a flush, or the end.
const bufferSize = 4 << 10

// emptyBlock is for headers whose fields are all extra.
var emptyBlock = h2.NewBlock()

// response is an http.ResponseWriter. One goroutine at a time may use it, until the
// handler returns.
type response struct {
	call   *call
	worker *worker // which runs the handler
	header http.Header
	head   head
	isHead bool        // the request is a HEAD: what is written only counts
	sent   bool        // the header has gone
	over   atomic.Bool // the handler has returned
	buf    *buffer
	size   int64 // of the body so far
}

// Header is the response's header, and its trailer.
func (w *response) Header() http.Header { return w.header }

// WriteHeader takes the header as it is now; of status 1xx, which may come before, it
// sends one at once. It panics if the status is none, as net/http does.
func (w *response) WriteHeader(status int) {
	switch {
	case status < 100 || status > 999:
		panic(fmt.Sprintf("invalid WriteHeader code %v", status))
	case w.over.Load() || w.head.status != 0:
		return
	case status < 200:
		interim := newHead(status, w.header)
		fields := interim.fields
		w.call.post(func(s *h2.Stream) { s.Headers(emptyBlock, fields, false) })
		return
	}
	w.head = newHead(status, w.header)
	if w.head.leave { // the handler has said "Connection: close"
		w.call.post(func(s *h2.Stream) { s.Conn().Drain() })
	}
}

// Write adds to the body. It returns when p has been sent or copied, and waits while the
// peer takes no more.
func (w *response) Write(p []byte) (int, error) { return write(w, p) }

// WriteString is Write of a string.
func (w *response) WriteString(s string) (int, error) { return write(w, s) }

func write[T string | []byte](w *response, p T) (n int, err error) {
	if err := w.mayWrite(len(p)); err != nil {
		return 0, err
	}
	if w.buf == nil {
		w.buf = takeBuffer()
	}
	n = bufferSize - len(w.buf.bytes)
	switch {
	case n >= len(p) || w.isHead:
		n = min(n, len(p))
		w.buf.bytes = append(w.buf.bytes, p[:n]...)
		return len(p), nil
	case w.sent && len(w.buf.bytes) == 0:
		n = 0
	default: // the header tells the type of the body by how it begins
		w.buf.bytes = append(w.buf.bytes, p[:n]...)
		if err := w.FlushError(); err != nil {
			return 0, err
		}
	}
	if rest := len(p) - n; rest <= bufferSize {
		w.buf.bytes = append(w.buf.bytes, p[n:]...)
		return len(p), nil
	}
	return len(p), w.lend([]byte(p[n:]))
}

// mayWrite counts what is to be written, and says why it may not.
func (w *response) mayWrite(size int) error {
	if w.over.Load() {
		return errHandlerDone
	}
	if w.head.status == 0 {
		w.WriteHeader(http.StatusOK)
	}
	if !w.head.bodyAllowed() {
		return http.ErrBodyNotAllowed
	}
	w.size += int64(size)
	if w.head.length >= 0 && w.size > w.head.length {
		return http.ErrContentLength
	}
	return nil
}

// lend sends a large piece without a copy, and returns once it is not needed any more.
func (w *response) lend(p []byte) error {
	if err := w.call.gate.await(); err != nil {
		return err
	}
	w.call.post(func(s *h2.Stream) {
		s.Lend(p, false)
		w.wait(s)
	})
	return w.call.gate.await()
}

// wait has what is written next wait for what was written last.
func (w *response) wait(s *h2.Stream) {
	if s.Blocked() {
		w.call.gate.close()
	}
}

// Flush sends what there is.
func (w *response) Flush() { _ = w.FlushError() }

// FlushError is Flush that says what has ended the stream, if anything has.
func (w *response) FlushError() error {
	if w.over.Load() {
		return errHandlerDone
	}
	if w.head.status == 0 {
		w.WriteHeader(http.StatusOK)
	}
	if err := w.call.gate.await(); err != nil {
		return err
	}
	if !w.sent || w.buffered() > 0 {
		w.call.post(w.sendBuffered)
	}
	return nil
}

func (w *response) buffered() int {
	if w.buf == nil {
		return 0
	}
	return len(w.buf.bytes)
}

// sendBuffered sends the header, if it has not gone, and what is buffered.
func (w *response) sendBuffered(s *h2.Stream) {
	w.sendHead(s, false)
	if w.buffered() > 0 && !w.isHead {
		s.Write(w.buf.bytes, false)
		w.buf.bytes = w.buf.bytes[:0]
		w.wait(s)
	}
}

func (w *response) sendHead(s *h2.Stream, end bool) {
	if w.sent {
		return
	}
	w.sent = true
	var body []byte
	if w.buf != nil {
		body = w.buf.bytes
	}
	s.Headers(emptyBlock, w.head.complete(body), end)
}

// finish sends the rest, once the handler has returned.
func (w *response) finish() {
	if w.head.status == 0 {
		w.WriteHeader(http.StatusOK)
	}
	w.over.Store(true)
	trailer := w.head.trailer(w.header)
	if !w.sent && w.head.length < 0 && w.head.bodyAllowed() && (w.size > 0 || !w.isHead) {
		w.head.setLength(w.size)
	}
	w.call.conn.h2.Post(func() {
		if s := w.call.stream; s != nil {
			w.end(s, trailer)
			s.Finish()
		}
		w.call.conn.next(w.worker)
	})
}

// end ends the stream's half: with the header if there is nothing else, with the last of
// the body, or with the trailer. A body that is shorter than it was said to be must not
// look whole.
func (w *response) end(s *h2.Stream, trailer []h2.Field) {
	var rest []byte
	if w.buf != nil && !w.isHead {
		rest = w.buf.bytes
	}
	switch {
	case w.isHead || !w.sent && len(rest) == 0 && trailer == nil:
		if !w.sent {
			w.sendHead(s, true)
		} else {
			s.Write(nil, true)
		}
	case w.size < w.head.length:
		s.Reset(h2.InternalError)
	case trailer == nil:
		w.sendHead(s, false)
		s.Write(rest, true)
	default:
		w.sendHead(s, false)
		s.Write(rest, false)
		s.Headers(emptyBlock, trailer, true)
	}
}

func (w *response) free() {
	w.buf.free()
	w.buf = nil
}

// SetReadDeadline is for http.ResponseController: reads of the request's body fail from
// then on.
func (w *response) SetReadDeadline(t time.Time) error {
	w.call.setDeadline(&w.call.readDeadline, t)
	return nil
}

// SetWriteDeadline is for http.ResponseController: the stream is reset if it is still
// open by then.
func (w *response) SetWriteDeadline(t time.Time) error {
	w.call.setDeadline(&w.call.writeDeadline, t)
	return nil
}

// EnableFullDuplex is for http.ResponseController. HTTP/2 is full duplex.
func (w *response) EnableFullDuplex() error { return nil }

var (
	_ http.Flusher    = (*response)(nil)
	_ io.StringWriter = (*response)(nil)
)
