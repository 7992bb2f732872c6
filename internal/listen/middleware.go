package listen

import (
	"context"
	"fmt"
	"net/http"
	"sync/atomic"
	"time"
)

// altSvcLife is how long a browser may remember that HTTP/3 is offered here. The
// usual 30 days would outlive many a demo on the same port.
const altSvcLife = time.Hour

// announcingHTTP3 tells clients over TCP that the same port number speaks HTTP/3 (RFC 7838).
func announcingHTTP3(next http.Handler, port int) http.Handler {
	altSvc := fmt.Sprintf(`h3=":%d"; ma=%d`, port, int(altSvcLife.Seconds()))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Alt-Svc", altSvc)
		next.ServeHTTP(w, r)
	})
}

// calls counts the calls in flight, so that a drain knows when it is done and what it has cut.
type calls struct {
	inFlight [4]atomic.Int64 // by major version of HTTP
	draining atomic.Bool
	hadHTTP1 atomic.Bool
}

// counting counts the calls of next. HTTP/1.1 has no GOAWAY: while the server
// drains, each response closes its connection instead.
func (c *calls) counting(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n := &c.inFlight[min(r.ProtoMajor, len(c.inFlight)-1)]
		n.Add(1)
		defer n.Add(-1)
		if r.ProtoMajor == 1 {
			c.hadHTTP1.Store(true)
			if c.draining.Load() {
				w.Header().Set("Connection", "close")
			}
		}
		next.ServeHTTP(w, r)
	})
}

// total is the number of calls in flight over the versions of HTTP given.
func (c *calls) total(versions ...int) int64 {
	var sum int64
	for _, v := range versions {
		sum += c.inFlight[v].Load()
	}
	return sum
}

// idlePoll is how often waitIdle checks. net/http's Shutdown polls as well.
const idlePoll = 5 * time.Millisecond

// waitIdle returns when no call is in flight over the versions given, or when
// ctx is done.
func (c *calls) waitIdle(ctx context.Context, versions ...int) {
	tick := time.NewTicker(idlePoll)
	defer tick.Stop()
	for c.total(versions...) > 0 {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}
