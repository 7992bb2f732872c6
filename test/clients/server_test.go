//go:build clients

package clients_test

import (
	"iter"
	"path/filepath"
	"testing"

	"example.com/greet/test/built"
)

// endpoints are where a running server listens, and the certificate to trust.
type endpoints struct{ connect, tls, grpc, cert string }

// startServer starts the server on free ports until the test ends.
func startServer(t *testing.T) endpoints {
	t.Helper()
	cert := filepath.Join(t.TempDir(), "cert.pem")
	server := built.Command(t.Context(), t, "server", "--connect", ":0", "--tls", ":0", "--grpc", ":0", "--cert-out", cert)
	addr := built.Serve(t, server, "connect", "tls", "grpc")
	return endpoints{addr["connect"], addr["tls"], addr["grpc"], cert}
}

// grpcPorts yields the ports that speak gRPC by name, with the arguments that
// lead there.
func (s endpoints) grpcPorts(plaintext, trust string) iter.Seq2[string, []string] {
	return func(yield func(string, []string) bool) {
		_ = yield("connect-port", []string{plaintext, s.connect}) &&
			yield("grpc-port", []string{plaintext, s.grpc}) &&
			yield("tls-port", []string{trust, s.cert, s.tls})
	}
}
