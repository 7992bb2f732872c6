package hardening_test

import (
	"crypto/tls"
	"testing"
	"time"

	"golang.org/x/net/http2"

	"example.com/greet/gen/greet/v1/greetv1connect"
)

// TestTableResizes has a peer that makes calls and, between them, changes the size
// of the table that responses are encoded with. net/http alone does not survive
// it: "fatal error: concurrent map read and map write".
func TestTableResizes(t *testing.T) {
	const attackers, each = 5, time.Second
	server := startServer(t)
	for label, trust := range map[string]*tls.Config{"connect": nil, "tls": server.trust, "grpc": nil} {
		t.Run(label, func(t *testing.T) {
			for range attackers {
				peer := newH2Peer(t, dialBare(t, server.addr[label], trust, "h2"))
				peer.resizeTable(time.Now().Add(each))
				_ = peer.conn.Close()
				server.alive(t)
			}
		})
	}
	warmUp(t, server) // which calls in every mode on every listener
}

// resizeTable goes on until then, or until the server has had enough.
func (p *h2Peer) resizeTable(end time.Time) {
	_ = p.conn.SetWriteDeadline(end)
	for id := uint32(1); p.request(id, greetv1connect.GreetServiceGreetProcedure, emptyMessage) == nil; id += 2 {
		for _, size := range []uint32{0, 4096} {
			_ = p.WriteSettings(http2.Setting{ID: http2.SettingHeaderTableSize, Val: size}) // the next request tells
		}
	}
}
