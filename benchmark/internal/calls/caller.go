package calls

import (
	"context"
	"crypto/tls"
	"io"
	"time"

	"example.com/greet/benchmark/internal/load"
	"example.com/greet/internal/greet"
	"example.com/greet/internal/stack"
)

// Caller makes the calls of a slice. Scenarios do not know which one does.
type Caller interface {
	// Name tells callers of one server apart. It stands in a case's Client.
	Name() string
	// Language is what the caller is written in, such as "go".
	Language() string
	// Refuses says why the caller cannot make calls of the mode to servers of the
	// stack. It is empty if it can.
	Refuses(s stack.Stack, m greet.Mode) string
	// Open prepares to do the work. It need not connect: if the server is not there, calls fail.
	// The caller of Open closes the session.
	Open(s Server, w Work) (Session, error)
	// Process is the id of the process that calls the server, or 0 if there is none:
	// it could not be started.
	Process(s Server) int
}

// Session is a caller's connections to one server for one slice.
type Session interface {
	// Run makes the calls of the plan, first the warm-up, and records in r what happens within the
	// calls of the window. The tally includes the calls that failed. The error is
	// load.ErrInterrupted, that of the plan's Meet, or nil. Run may be called again, one call at a
	// time.
	Run(ctx context.Context, p load.Plan, r Record) (load.Tally, error)
	// Connections is how many connections were opened so far.
	Connections() int64
	// Close ends them. No call may be in flight.
	Close() error
}

// Asker is a caller whose process also answers questions that need no server, such as how fast its
// codec is.
type Asker interface {
	Caller
	// Ask sends a request and reads the reply, both as JSON. The error says why the process did
	// not answer in time.
	Ask(ctx context.Context, s Server, request, reply any, patience time.Duration) error
}

// Server is a running server.
type Server struct {
	Stack stack.Stack
	Addr  string      // "host:port"
	TLS   *tls.Config // for calls to it; used if the stack runs over TLS
	// Cert is the file of the certificate to trust, for callers in other processes.
	Cert string
	// Log receives what such callers print; nil discards it.
	Log io.Writer
}

// RunDriver runs a session whose calls a load.Driver makes. It asks for a driver twice, so that
// what the warm-up records is dropped.
func RunDriver(ctx context.Context, p load.Plan, r Record, driver func(Record) load.Driver) (load.Tally, error) {
	warmed := load.WarmUp(ctx, driver(r.empty()), p)
	if p.Rate > 0 {
		p.Since = warmed.StoodStill
	}
	window := driver(r)
	if p.Meet != nil {
		at, err := p.Meet(ctx)
		if err != nil {
			return load.Tally{Warmed: warmed}, err
		}
		if p.Since.IsZero() { // a stall counts from its beginning
			p.Since = at
		}
	}
	if r.Begin != nil {
		r.Begin()
	}
	tally, err := load.Run(ctx, window, p)
	tally.Warmed = warmed
	return tally, err
}
