package listen

import (
	"crypto/tls"
	"log/slog"
	"net/http"
	"time"

	"github.com/quic-go/quic-go"
	"github.com/quic-go/quic-go/http3"

	"example.com/greet/internal/h2http"
)

// Limits that all versions of HTTP share.
const (
	// defaultStreams bounds the handlers that one connection can keep busy. RFC 9113, section
	// 6.5.2, recommends no less. It also bounds rapid resets (CVE-2023-44487): net/http serves no
	// more than this many at once, whatever the peer has reset meanwhile.
	defaultStreams = 100
	// maxHeaderBytes is plenty for metadata. With the default of 1 MiB, a hundred half-sent
	// headers would hold 100 MiB.
	maxHeaderBytes = 64 << 10
)

// newTCPServer serves HTTP/1.1 and HTTP/2 with limits that net/http leaves open.
func newTCPServer(handler http.Handler, o Options) *http.Server {
	protocols := new(http.Protocols)
	protocols.SetHTTP1(o.HTTP1)
	// Cleartext HTTP/2 comes from net/http itself: x/net's h2c handler hijacks its
	// connections, and Shutdown does not drain those (golang/go 26682).
	protocols.SetHTTP2(o.HTTP2 && o.TLS != nil)
	protocols.SetUnencryptedHTTP2(o.HTTP2 && o.TLS == nil)
	srv := &http.Server{
		Handler:   handler,
		TLSConfig: o.TLS,
		Protocols: protocols,
		// A header that takes longer comes from an attack (slowloris) or a dead peer. The limit
		// covers the TLS handshake too.
		ReadHeaderTimeout: 5 * time.Second,
		// Longer than the pauses of a person. Shorter than common proxies keep idle connections,
		// so that they see the close in time.
		IdleTimeout:    120 * time.Second,
		MaxHeaderBytes: maxHeaderBytes,
		// ReadTimeout and WriteTimeout stay 0: they count from the request's header, and would
		// cut busy streams that live longer. CallLimit does their work.
		HTTP2:    http2Limits(o),
		ErrorLog: slog.NewLogLogger(o.Log.Handler(), slog.LevelWarn),
	}
	if o.FastHTTP2 {
		h2http.Configure(srv)
	}
	return srv
}

func http2Limits(o Options) *http.HTTP2Config {
	limits := &http.HTTP2Config{
		MaxConcurrentStreams: int(o.Streams),
		// One frame is buffered whole before it is handed on.
		MaxReadFrameSize: 64 << 10,
		// The most that a peer can make us hold for a handler that does not read: per stream, and
		// per connection for all its streams.
		MaxReceiveBufferPerStream:     256 << 10,
		MaxReceiveBufferPerConnection: 1 << 20,
		// A peer that vanished without a FIN is found by ping: after 30 s of silence,
		// and 15 s more for the answer.
		SendPingTimeout: 30 * time.Second,
		PingTimeout:     15 * time.Second,
		// A peer that takes no byte for this long makes us hold its data.
		WriteByteTimeout: 30 * time.Second,
	}
	if o.TuneHTTP2 != nil {
		o.TuneHTTP2(limits)
	}
	return limits
}

// newHTTP3Server serves HTTP/3 on listeners made with quicLimits.
func newHTTP3Server(handler http.Handler, o Options) *http3.Server {
	return &http3.Server{
		Handler:        handler,
		MaxHeaderBytes: maxHeaderBytes,
		Logger:         o.Log,
	}
}

func quicLimits(streams uint32) *quic.Config {
	return &quic.Config{
		MaxIncomingStreams: int64(streams),
		// HTTP/3 uses three: control, and two for QPACK (RFC 9114, section 6.2).
		MaxIncomingUniStreams: 10,
		// A peer that takes longer for its handshake is gone or an attacker.
		HandshakeIdleTimeout: 5 * time.Second,
		MaxIdleTimeout:       30 * time.Second,
		// The most that a peer can make us hold for handlers that do not read.
		MaxStreamReceiveWindow:     1 << 20,
		MaxConnectionReceiveWindow: 4 << 20,
		// Early data can be replayed by whoever captured it (RFC 8470), and not every
		// call is safe to make twice.
		Allow0RTT: false,
	}
}

// quicTLS is the TLS configuration for HTTP/3, which has an ALPN name of its own
// and TLS 1.3 as its least version.
func quicTLS(config *tls.Config) *tls.Config {
	config = http3.ConfigureTLSConfig(config.Clone())
	config.MinVersion = tls.VersionTLS13
	return config
}
