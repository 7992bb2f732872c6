package listen

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"
)

const (
	// closeGrace is how long handlers have to end once their calls are cut.
	closeGrace = 300 * time.Millisecond
	// http1Quiet is how long HTTP/1.1 connections stay open once the listener is closed. A client
	// that calls more often than that learns from a response that the connection closes, and loses
	// no call.
	http1Quiet = 500 * time.Millisecond
	// quicLinger is how long HTTP/3 connections stay open after the last call:
	// closing one drops what the peer has not acknowledged yet, and clients do not
	// all close by themselves on GOAWAY.
	quicLinger = 250 * time.Millisecond
)

// CutError says that a drain reached its limit with calls in flight. The server has stopped as
// asked; this error is for a log.
type CutError struct {
	Limit time.Duration
	Calls int64
	Over  []string // the versions of HTTP that carried them, such as "HTTP/2"
}

// Error names what was cut.
func (e *CutError) Error() string {
	calls := "calls"
	if e.Calls == 1 {
		calls = "call"
	}
	return fmt.Sprintf("drain limit of %v reached: cut %d %s over %s", e.Limit, e.Calls, calls, strings.Join(e.Over, ", "))
}

// drain stops both halves together, within one limit, and then closes them.
func (srv *server) drain() error {
	ctx, cancel := context.WithTimeout(context.Background(), srv.options.Drain)
	defer cancel()
	var halves sync.WaitGroup
	if srv.tcp != nil {
		halves.Go(func() { srv.drainTCP(ctx) })
	}
	if srv.quic != nil {
		halves.Go(func() { srv.quic.drain(ctx, &srv.calls) })
	}
	halves.Wait()
	// net/http is done once its connections are gone, and a handler whose peer
	// vanished may take a moment longer to notice.
	srv.calls.waitIdle(ctx, 1, 2, 3)
	cut := srv.cut()
	srv.close()
	return cut
}

// drainTCP lets clients of HTTP/1.1 leave before net/http closes idle connections, on which
// requests may be on their way. It closes the listener first: a client that is told to close a
// connection should not be able to open another.
func (srv *server) drainTCP(ctx context.Context) {
	_ = srv.listener.Close() // serving reports the same error
	srv.calls.draining.Store(true)
	if srv.calls.hadHTTP1.Load() {
		select {
		case <-ctx.Done():
		case <-time.After(min(http1Quiet, srv.options.Drain/2)):
		}
	}
	_ = srv.tcp.Shutdown(ctx) // its error only says that ctx is done; cut says what that means
}

// cut returns a *CutError for the calls that outlived the drain, or nil.
func (srv *server) cut() error {
	e := &CutError{Limit: srv.options.Drain, Calls: srv.calls.total(1, 2, 3)}
	if e.Calls == 0 {
		return nil
	}
	for version, name := range []string{1: "HTTP/1.1", 2: "HTTP/2", 3: "HTTP/3"} {
		if version > 0 && srv.calls.total(version) > 0 {
			e.Over = append(e.Over, name)
		}
	}
	return e
}
