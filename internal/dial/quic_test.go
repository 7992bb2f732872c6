package dial

import (
	"crypto/tls"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/quic-go/quic-go/http3"
)

// TestQUICTriesEachAddress has a name with two addresses, of which the first or the
// second has a server.
func TestQUICTriesEachAddress(t *testing.T) {
	server := serveQUIC(t)
	nobody := netip.AddrPortFrom(netip.AddrFrom4([4]byte{127, 0, 0, 2}), server.Port())
	for name, remotes := range map[string][]netip.AddrPort{
		"the first answers":  {server, nobody},
		"the second answers": {nobody, server},
	} {
		t.Run(name, func(t *testing.T) {
			var opened atomic.Int64
			q := newQUIC(nil, &opened)
			defer q.Close()
			trust := &tls.Config{InsecureSkipVerify: true, NextProtos: []string{http3.NextProtoH3}}
			conn, err := q.dialFirst(t.Context(), remotes, trust, q.http.QUICConfig)
			if err != nil {
				t.Fatal(err)
			}
			if got := conn.RemoteAddr().String(); got != server.String() || opened.Load() != 1 {
				t.Errorf("connected to %s %d times, want to %s once", got, opened.Load(), server)
			}
			if err := conn.CloseWithError(0, ""); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestQUICNobodyListens wants the system's word for it, and not a timeout.
func TestQUICNobodyListens(t *testing.T) {
	q := newQUIC(nil, new(atomic.Int64))
	defer q.Close()
	trust := &tls.Config{NextProtos: []string{http3.NextProtoH3}}
	if _, err := q.dial(t.Context(), "127.0.0.1:1", trust, q.http.QUICConfig); !errors.Is(err, syscall.ECONNREFUSED) {
		t.Errorf("got %v, want that the connection was refused", err)
	}
}

// TestQUICAddresses lists what names and literals resolve to.
func TestQUICAddresses(t *testing.T) {
	for addr, want := range map[string]string{
		"127.0.0.1:80":      "127.0.0.1:80",
		"[::1]:80":          "[::1]:80",
		"[fe80::1%eth0]:80": "[fe80::1%eth0]:80",
	} {
		if got, err := resolve(t.Context(), addr); err != nil || len(got) != 1 || got[0].String() != want {
			t.Errorf("%s: got %v, %v", addr, got, err)
		}
	}
	for _, addr := range []string{"nothing", "127.0.0.1:http3", "127.0.0.1:65536"} {
		if got, err := resolve(t.Context(), addr); err == nil {
			t.Errorf("%s: got %v, want an error", addr, got)
		}
	}
}

// serveQUIC serves HTTP/3 on 127.0.0.1 until the test ends.
func serveQUIC(t *testing.T) netip.AddrPort {
	t.Helper()
	certified := httptest.NewTLSServer(nil) // for its certificate
	certified.Close()
	udp, err := net.ListenUDP("udp", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		t.Fatal(err)
	}
	server := &http3.Server{Handler: http.NotFoundHandler(), TLSConfig: http3.ConfigureTLSConfig(certified.TLS)}
	var serving sync.WaitGroup
	serving.Go(func() { _ = server.Serve(udp) })
	t.Cleanup(func() {
		_ = server.Close()
		serving.Wait()
		_ = udp.Close()
	})
	return udp.LocalAddr().(*net.UDPAddr).AddrPort()
}
