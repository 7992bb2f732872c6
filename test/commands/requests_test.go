package commands_test

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"io"
	"net/http"
	"strings"
	"testing"

	"example.com/greet/test/built"
)

// TestRequestsAsStrangersSendThem has requests that no client here makes.
func TestRequestsAsStrangersSendThem(t *testing.T) {
	server := built.Command(t.Context(), t, "server", "--connect", "127.0.0.1:0", "--tls", "off", "--grpc", "127.0.0.1:0")
	addr := built.Serve(t, server, "connect", "grpc")

	t.Run("base64 that is none", func(t *testing.T) {
		res, err := http.Get("http://" + addr["connect"] + "/greet.v1.GreetService/Greet?connect=v1&encoding=proto&base64=1&message=!!")
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		body, err := io.ReadAll(res.Body)
		if err != nil || res.StatusCode != http.StatusBadRequest || !strings.Contains(string(body), `"invalid_argument"`) {
			t.Errorf("status %s, %v: %s", res.Status, err, body)
		}
	})
	for listener, want := range map[string]string{"connect": "0", "grpc": "12"} { // OK, UNIMPLEMENTED
		t.Run("gzip to the listener "+listener, func(t *testing.T) {
			if got := grpcStatus(t, addr[listener], zipped(t, "\n\x03Ann")); got != want {
				t.Errorf("grpc-status is %q, want %q", got, want)
			}
		})
	}
}

// zipped is a gRPC message in gzip.
func zipped(t *testing.T, message string) []byte {
	t.Helper()
	var short bytes.Buffer
	zip := gzip.NewWriter(&short)
	if _, err := io.WriteString(zip, message); err != nil {
		t.Fatal(err)
	}
	if err := zip.Close(); err != nil {
		t.Fatal(err)
	}
	head := binary.BigEndian.AppendUint32([]byte{1}, uint32(short.Len()))
	return append(head, short.Bytes()...)
}

// grpcStatus calls Greet with a message in gzip and returns the status of the reply.
func grpcStatus(t *testing.T, addr string, message []byte) string {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://"+addr+"/greet.v1.GreetService/Greet", bytes.NewReader(message))
	if err != nil {
		t.Fatal(err)
	}
	req.Header = http.Header{"Content-Type": {"application/grpc"}, "Te": {"trailers"}, "Grpc-Encoding": {"gzip"}}
	transport := &http.Transport{Protocols: new(http.Protocols)}
	transport.Protocols.SetUnencryptedHTTP2(true)
	defer transport.CloseIdleConnections()
	res, err := transport.RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if _, err := io.Copy(io.Discard, res.Body); err != nil {
		t.Fatal(err)
	}
	if status := res.Trailer.Get("Grpc-Status"); status != "" {
		return status
	}
	return res.Header.Get("Grpc-Status")
}
