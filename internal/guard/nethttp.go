package guard

import (
	"crypto/tls"
	"net"
)

// Keys of the TLSNextProto maps of net/http's servers and transports. One is for HTTP/2 by ALPN;
// the other is net/http's way to take HTTP/2 over a connection that is no *tls.Conn, made for
// golang.org/x/net.
const (
	NextProtoTLS         = "h2"
	NextProtoUnencrypted = "unencrypted_http2"
)

// Parcel wraps a connection in the form that the functions of NextProtoUnencrypted take.
func Parcel(nc net.Conn) *tls.Conn { return tls.Client(parcel{content: nc}, nil) }

type parcel struct {
	net.Conn // unused
	content  net.Conn
}

// UnencryptedNetConn returns the connection. net/http looks for this method.
func (p parcel) UnencryptedNetConn() net.Conn { return p.content }

// Secure returns guarded with the TLS state of within, the connection inside it, because net/http
// asks for that.
func Secure(guarded *Conn, within *tls.Conn) net.Conn { return secure{guarded, within} }

type secure struct {
	*Conn
	tls *tls.Conn
}

func (s secure) ConnectionState() tls.ConnectionState { return s.tls.ConnectionState() }
