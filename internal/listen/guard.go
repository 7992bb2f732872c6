package listen

import (
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"

	"golang.org/x/net/http2"

	"example.com/greet/internal/guard"
)

// Guarded returns the listener with every connection guarded, for libraries that
// speak HTTP/2 in cleartext.
func Guarded(l net.Listener) net.Listener { return guardedListener{l} }

type guardedListener struct{ net.Listener }

func (l guardedListener) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return guard.Server(conn), nil
}

// guardTLS guards connections of HTTP/2 over TLS. net/http wants a *tls.Conn for them, but the
// frames are inside it. So guardTLS takes the connection once TLS is set up, and gives it back
// guarded, as if there were no TLS.
func guardTLS(srv *http.Server) {
	// BaseContext is called once net/http has made the entries, and before any
	// connection is accepted.
	srv.BaseContext = func(net.Listener) context.Context {
		serve := srv.TLSNextProto[guard.NextProtoUnencrypted]
		srv.TLSNextProto[guard.NextProtoTLS] = func(srv *http.Server, conn *tls.Conn, h http.Handler) {
			guarded, err := prefaced(conn, srv.ReadHeaderTimeout)
			if err != nil {
				srv.ErrorLog.Printf("http2: %v", err)
				_ = conn.Close() // nobody will serve it
				return
			}
			serve(srv, guard.Parcel(guarded), h)
		}
		return context.Background()
	}
}

// prefaced reads the preface of HTTP/2 from the connection, within the time given. net/http by
// itself would wait ten seconds.
func prefaced(conn *tls.Conn, within time.Duration) (net.Conn, error) {
	guarded := guard.Secure(guard.Server(conn), conn)
	_ = conn.SetReadDeadline(time.Now().Add(within)) // fails only on a closed connection, and so will the read
	preface := make([]byte, len(http2.ClientPreface))
	if _, err := io.ReadFull(guarded, preface); err != nil {
		return nil, fmt.Errorf("read the preface of %s: %w", conn.RemoteAddr(), err)
	}
	if string(preface) != http2.ClientPreface {
		return nil, fmt.Errorf("read the preface of %s: got %q", conn.RemoteAddr(), preface)
	}
	return guarded, conn.SetReadDeadline(time.Time{})
}
