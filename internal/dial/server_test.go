package dial_test

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/quic-go/quic-go/http3"

	"example.com/greet/internal/stack"
)

// connKey finds a request's connection in its context.
type connKey struct{}

// serve runs handler on a loopback port over the transport and returns its
// address and the TLS settings that trust it.
func serve(t *testing.T, transport string, handler http.Handler) (string, *tls.Config) {
	t.Helper()
	s := httptest.NewUnstartedServer(handler)
	s.Config.Protocols = new(http.Protocols)
	s.Config.ConnContext = func(ctx context.Context, c net.Conn) context.Context {
		return context.WithValue(ctx, connKey{}, c)
	}
	switch transport {
	case stack.H1:
		s.Config.Protocols.SetHTTP1(true)
		s.Start()
	case stack.H2C:
		s.Config.Protocols.SetUnencryptedHTTP2(true)
		s.Start()
	default:
		s.Config.Protocols.SetHTTP2(true)
		s.EnableHTTP2 = true
		s.StartTLS()
	}
	t.Cleanup(s.Close)
	roots := x509.NewCertPool()
	if s.TLS == nil {
		return s.Listener.Addr().String(), nil
	}
	roots.AddCert(s.Certificate())
	trust := &tls.Config{RootCAs: roots}
	if transport == stack.H3 {
		return serveH3(t, s.TLS, handler), trust
	}
	return s.Listener.Addr().String(), trust
}

func serveH3(t *testing.T, config *tls.Config, handler http.Handler) string {
	t.Helper()
	udp, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := &http3.Server{Handler: handler, TLSConfig: http3.ConfigureTLSConfig(config)}
	var serving sync.WaitGroup
	serving.Go(func() { server.Serve(udp) })
	t.Cleanup(func() {
		server.Close()
		serving.Wait()
		udp.Close()
	})
	return udp.LocalAddr().String()
}

// tlsListener completes TLS handshakes and then says nothing.
func tlsListener(t *testing.T, protos []string) net.Listener {
	t.Helper()
	s := httptest.NewTLSServer(nil) // for its certificate
	s.Close()
	config := &tls.Config{Certificates: s.TLS.Certificates, NextProtos: protos}
	listener, err := tls.Listen("tcp", "127.0.0.1:0", config)
	if err != nil {
		t.Fatal(err)
	}
	var serving sync.WaitGroup
	serving.Go(func() {
		for {
			accepted, err := listener.Accept()
			if err != nil {
				return
			}
			accepted.SetDeadline(time.Now().Add(5 * time.Second))
			io.Copy(io.Discard, accepted)
			accepted.Close()
		}
	})
	t.Cleanup(func() {
		listener.Close()
		serving.Wait()
	})
	return listener
}
