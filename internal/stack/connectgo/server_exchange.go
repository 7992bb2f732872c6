package connectgo

import (
	"context"
	"encoding/binary"
	"errors"
	"io"
	"net/http"
)

// envelopeBytes is the size of what precedes a message of a stream: flags, of which 1
// is "compressed", and the message's size.
const envelopeBytes = 5

// exchange is a request and its response, below connect-go.
type exchange struct {
	body    messageBody
	message *byte // the first of the large message that is encoded and not yet written; or nil
}

type exchangeKey struct{}

// exchangeOf returns the exchange of a call, or nil if it did not come over HTTP.
func exchangeOf(ctx context.Context) *exchange {
	x, _ := ctx.Value(exchangeKey{}).(*exchange)
	return x
}

// withExchange has the context of each request carry its exchange.
func withExchange(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		x := &exchange{body: messageBody{ReadCloser: r.Body}}
		r = r.WithContext(context.WithValue(r.Context(), exchangeKey{}, x))
		r.Body = &x.body
		defer x.forget()
		next.ServeHTTP(thriftyWriter{w}, r)
	})
}

// messageBody calls whole before it returns the last byte of a compressed message. Until then the
// message is no larger than what the peer has sent.
type messageBody struct {
	io.ReadCloser
	whole     func(compressed int64) error // may be nil
	enveloped bool                         // messages are in envelopes, as streams have them

	head   [envelopeBytes]byte
	headed int   // bytes of head that have come
	size   int64 // of the message, or what has come of it where no envelope says
	left   int64 // bytes of the message that have not come
}

// Read fails when whole does.
func (b *messageBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if b.whole == nil {
		return n, err
	}
	if b.enveloped {
		if refused := b.open(p[:n]); refused != nil {
			return 0, refused
		}
		return n, err
	}
	b.size += int64(n)
	if errors.Is(err, io.EOF) && b.size > 0 {
		size := b.size
		b.size = 0
		if refused := b.whole(size); refused != nil {
			return 0, refused
		}
	}
	return n, err
}

// open follows the envelopes in p.
func (b *messageBody) open(p []byte) error {
	for len(p) > 0 {
		if b.headed < len(b.head) {
			n := copy(b.head[b.headed:], p)
			b.headed += n
			p = p[n:]
			if b.headed < len(b.head) {
				return nil
			}
			b.size = int64(binary.BigEndian.Uint32(b.head[1:]))
			b.left = b.size
		}
		n := min(b.left, int64(len(p)))
		b.left -= n
		p = p[n:]
		if b.left > 0 {
			return nil
		}
		b.headed = 0
		if b.head[0]&1 == 0 || b.size == 0 {
			continue
		}
		if err := b.whole(b.size); err != nil {
			return err
		}
	}
	return nil
}
