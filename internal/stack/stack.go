package stack

import (
	"context"
	"crypto/tls"
	"log/slog"
	"slices"
	"time"

	"example.com/greet/internal/greet"
	"example.com/greet/internal/listen"
)

// MaxMessageBytes is the largest message that any of our servers and clients
// sends or accepts. It is grpc-go's and connect-go's own default, stated once.
const MaxMessageBytes = 4 << 20

// Stack is one library, protocol and transport, with both ends.
type Stack struct {
	Name     Name
	Language string
	// Client names the library of Dial if that is another one than the stack's, as for a server in
	// another language.
	Client string
	// Libraries are the modules under test with their versions, such as
	// "google.golang.org/grpc v1.85.0".
	Libraries []string
	// Refuses says, for each mode that the stack cannot carry, why not and what
	// would work. The contract checks the statement.
	Refuses map[greet.Mode]string
	// Demo says that Serve heeds ServeOptions.Demo. A stack that is only measured need not.
	Demo bool
	// Serve answers calls on the socket until ctx is done, then drains.
	Serve func(ctx context.Context, socket listen.Socket, o ServeOptions) error
	// Dial makes a client of the server at addr, "host:port". It connects with
	// the first call.
	Dial func(addr string, o DialOptions) (Client, error)
}

// Carries reports whether the stack offers the mode.
func (s Stack) Carries(m greet.Mode) bool { return s.Refuses[m] == "" }

// Modes lists the modes that the stack offers.
func (s Stack) Modes() []greet.Mode {
	return slices.DeleteFunc(slices.Clone(greet.Modes), func(m greet.Mode) bool { return !s.Carries(m) })
}

// ServeOptions are a server's settings. The zero value is what the benchmark measures: greet.v1
// alone, the library with its defaults, and the limits that every server here has.
type ServeOptions struct {
	// TLS is needed by the transports that run over it, and unused by the others.
	TLS *tls.Config
	// Drain is how long calls in flight may go on once ctx is done.
	Drain time.Duration
	// Streams is how many streams one connection may have open; 0 means the safe
	// default of 100. A benchmark lifts it where it would distort a scenario.
	Streams uint32
	// CallLimit ends any call that lasts longer; 0 means no limit. It frees handlers whose peer
	// does not read.
	CallLimit time.Duration
	// FastHTTP2 serves HTTP/2 by package h2http, in stacks on net/http. Some variants do so
	// without it.
	FastHTTP2 bool
	// Demo adds what people want when they explore a server: reflection, health, CORS, error
	// recovery, a log of calls and the metadata echo.
	Demo *Demo
}

// Demo holds what the listeners of a demo server share.
type Demo struct {
	Log   *slog.Logger
	Calls *greet.CallLog
	// Stopping is closed when the drain begins, so that health can say so first.
	Stopping <-chan struct{}
}

// DialOptions are a client's settings.
type DialOptions struct {
	// TLS is needed by the transports that run over it, and unused by the others.
	TLS *tls.Config
	// InFlight is how many calls will be in flight at once; 0 means any number.
	// Over HTTP/1.1, which carries one call at a time on a connection, it bounds
	// the connections; the other transports carry all calls on one connection,
	// and a caller who wants more dials more clients.
	InFlight int
	// FastHTTP2 uses package h2http for HTTP/2, in stacks on net/http.
	FastHTTP2 bool
	// Tap sees what the connections carry; it may be nil.
	Tap *Tap
}
