package listen

import (
	"context"
	"fmt"
	"net/http"
	"time"
)

// capGrace is how long a handler has to answer the peer after its context has ended. Then its reads
// and writes fail.
const capGrace = time.Second

// capped ends each call after limit in two ways. The context ends, for handlers that watch it. A
// moment later reads and writes fail, which frees a handler whose peer neither reads nor sends.
func capped(next http.Handler, limit time.Duration) http.Handler {
	if limit == 0 {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c := cappedCall{control: http.NewResponseController(w), end: time.Now().Add(limit)}
		// Over HTTP/1.1 the deadlines belong to the connection and outlive the call. That is
		// right: net/http still has to write the rest of the response and read that of the
		// request. Afterwards it sets a new read deadline while the connection is idle, and the
		// next call sets both.
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

// EndAt makes a handler's reads fail at the deadline, and its writes a moment later, so that the
// handler can still say why it ends. It does nothing for a call without a limit, and never
// lengthens one. Call it while the handler of ctx runs.
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

// WithLimit returns a context that ends after limit with DeadlineExceeded but does not show this
// deadline. Code that reads the caller's deadline, or passes it on, must not see our limit instead.
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
