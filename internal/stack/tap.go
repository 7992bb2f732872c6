package stack

import (
	"context"
	"io"
	"net"
	"net/http"

	"github.com/quic-go/quic-go"
	"github.com/quic-go/quic-go/qlogwriter"
)

// Tap sees what a client's connections carry, and never changes it. All fields are set; a client
// uses those that its transport needs.
type Tap struct {
	// Conn returns a connection that copies what c carries. It is called outside TLS.
	Conn func(c net.Conn) net.Conn
	// Keys takes a key log, with which what Conn has copied can be read inside TLS.
	Keys io.Writer
	// QUIC makes the trace of a QUIC connection.
	QUIC func(ctx context.Context, isClient bool, id quic.ConnectionID) qlogwriter.Trace
	// Bodies returns a RoundTripper that copies the bodies of HTTP/3 calls, which the trace does
	// not contain.
	Bodies func(next http.RoundTripper) http.RoundTripper
}
