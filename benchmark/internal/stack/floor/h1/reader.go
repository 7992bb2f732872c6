package h1

import (
	"bytes"
	"errors"
	"io"
	"strings"
)

const (
	firstBuffer = 4 << 10
	// maxHead bounds a head, and trailers.
	maxHead = 64 << 10
	// maxLine bounds a line that begins a chunk, its extensions included.
	maxLine = 4 << 10
	// maxInterim bounds the responses of status 1xx before the one that counts.
	maxInterim = 16
	// largestKept bounds the memory that a response leaves to the next.
	largestKept = 64 << 10
)

var (
	errHeadTooLarge = malformed("head too large")
	errInterim      = malformed("too many interim responses")
	// ErrTooLarge says that a body is above the reader's limit.
	ErrTooLarge = errors.New("body of the response is too large")
)

// Reader reads one response after another. It is not safe for concurrent use.
type Reader struct {
	read     func([]byte) (int, error)
	limit    int64
	in       []byte
	from, to int // what of in has come and is not used yet
	body     []byte
	memo     memo
}

// NewReader returns a reader of what read brings, which is like io.Reader's Read.
// Bodies may be as large as limit.
func NewReader(read func([]byte) (int, error), limit int64) *Reader {
	return &Reader{read: read, limit: limit, in: make([]byte, firstBuffer)}
}

// Next reads the next response. Head and body hold until the next call. The error
// is io.EOF if the connection ended before the response began; after any error no
// more can be read.
func (r *Reader) Next() (*Head, []byte, error) {
	if cap(r.body) > largestKept {
		r.body = nil
	}
	for range maxInterim {
		head, err := r.head()
		switch {
		case err != nil:
			return nil, nil, err
		case head.Status == 101:
			return nil, nil, errSwitch
		case head.Status >= 200:
			body, err := r.bodyOf(head)
			return head, body, err
		}
	}
	return nil, nil, errInterim
}

// Ahead reports whether something came after the last response, for which nobody
// can have asked. What follows would be taken for the answer to another request.
func (r *Reader) Ahead() bool { return r.from < r.to }

// head reads a head, and parses it unless it is the last one again.
func (r *Reader) head() (*Head, error) {
	seen := 0 // so much of it has no end
	for {
		have := r.in[r.from:r.to]
		if r.memo.of(have) {
			r.from += len(r.memo.raw)
			return &r.memo.head, nil
		}
		if end := bytes.Index(have[seen:], []byte(crlf+crlf)); end >= 0 {
			return r.parse(have[:seen+end+len(crlf+crlf)])
		}
		if len(have) >= maxHead {
			return nil, errHeadTooLarge
		}
		seen = max(0, len(have)-len(crlf+crlf)+1)
		if err := r.more(); err != nil {
			if errors.Is(err, io.EOF) && len(have) > 0 {
				err = io.ErrUnexpectedEOF
			}
			return nil, err
		}
	}
}

func (r *Reader) parse(raw []byte) (*Head, error) {
	r.memo.raw = r.memo.raw[:0]
	head, err := parseHead(strings.TrimSuffix(string(raw), crlf+crlf))
	if err != nil {
		return nil, err
	}
	r.from += len(raw)
	r.memo.raw, r.memo.head = append(r.memo.raw, raw...), head
	return &r.memo.head, nil
}

// more reads what comes next. It makes room for that, but none that is not needed
// yet.
func (r *Reader) more() error {
	if r.from > 0 {
		r.to = copy(r.in, r.in[r.from:r.to])
		r.from = 0
	}
	if r.to == len(r.in) {
		r.in = append(r.in, make([]byte, len(r.in))...)
	}
	n, err := r.read(r.in[r.to:])
	r.to += n
	if n > 0 {
		return nil // if there was an error, it comes again
	}
	if err == nil {
		err = io.ErrNoProgress
	}
	return err
}
