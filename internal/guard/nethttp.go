package guard

import (
	"crypto/tls"
	"net"
)

// Names in the maps called TLSNextProto of net/http's servers and transports: of
// HTTP/2 by ALPN, and of net/http's way to take HTTP/2 over a connection that is no
// *tls.Conn. That way is there for golang.org/x/net to plug itself in.
const (
	NextProtoTLS         = "h2"
	NextProtoUnencrypted = "unencrypted_http2"
)

// Parcel wraps a connection as the functions of NextProtoUnencrypted take it.
func Parcel(nc net.Conn) *tls.Conn { return tls.Client(parcel{content: nc}, nil) }

type parcel struct {
	net.Conn // has no use
	content  net.Conn
}

// UnencryptedNetConn is what net/http looks for.
func (p parcel) UnencryptedNetConn() net.Conn { return p.content }

// Secure returns guarded, which guards within, with the state of within's TLS, for
// which net/http asks.
func Secure(guarded *Conn, within *tls.Conn) net.Conn { return secure{guarded, within} }

type secure struct {
	*Conn
	tls *tls.Conn
}

func (s secure) ConnectionState() tls.ConnectionState { return s.tls.ConnectionState() }
