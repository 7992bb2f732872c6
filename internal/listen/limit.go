package listen

import (
	"context"
	"fmt"
	"net/http"
	"time"
)

// capGrace is how long a handler has, after its context has ended, to say so to
// the peer. Then its connection or stream is taken from under it.
const capGrace = time.Second

// capped ends each call after limit, twice over: the context ends, for handlers
// that watch it, and reads and writes fail a moment later, which frees a handler
// that a peer has pinned by not reading or not sending.
func capped(next http.Handler, limit time.Duration) http.Handler {
	if limit == 0 {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c := cappedCall{control: http.NewResponseController(w), end: time.Now().Add(limit)}
		// Over HTTP/1.1 the deadlines belong to the connection and outlive the call.
		// That is right: net/http still has the rest of the response to write and of
		// the request to read. Then it sets the read deadline anew while the
		// connection idles, and the next call sets both.
		if err := c.cutAt(c.end.Add(capGrace)); err != nil {
			http.Error(w, "cannot limit this call", http.StatusInternalServerError)
			return
		}
		ctx, cancel := WithLimit(context.WithValue(r.Context(), cappedKey{}, c), limit)
		defer cancel()
		next.ServeHTTP(w, r.WithContext(ctx))
	})
}

// cappedCall is a call whose reads and writes can be made to fail.
type cappedCall struct {
	control *http.ResponseController
	end     time.Time
}

type cappedKey struct{}

func (c cappedCall) cutAt(at time.Time) error {
	if err := c.control.SetReadDeadline(at); err != nil {
		return fmt.Errorf("set read deadline: %w", err)
	}
	if err := c.control.SetWriteDeadline(at); err != nil {
		return fmt.Errorf("set write deadline: %w", err)
	}
	return nil
}

// EndAt makes a handler's reads fail at a time that the caller set, and its writes
// a moment later, so that the handler can still say why it ends. It does nothing
// for a call without a limit, and never lengthens one. It is to be called while the
// handler of ctx runs.
func EndAt(ctx context.Context, deadline time.Time) error {
	c, ok := ctx.Value(cappedKey{}).(cappedCall)
	if !ok || deadline.After(c.end) {
		return nil
	}
	if err := c.cutAt(deadline.Add(capGrace)); err != nil {
		return err
	}
	return c.control.SetReadDeadline(deadline)
}

// WithLimit returns a context that ends after limit as one whose deadline has
// passed, and that does not show this deadline: who plans with what a caller
// allows, or passes it on, must not take our limit for it.
func WithLimit(parent context.Context, limit time.Duration) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithTimeout(parent, limit)
	return limited{ctx, parent}, cancel
}

type limited struct {
	context.Context
	parent context.Context
}

// Deadline is the parent's.
func (l limited) Deadline() (time.Time, bool) { return l.parent.Deadline() }
