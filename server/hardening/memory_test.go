package hardening_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"net/http"
	"testing"
	"time"

	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"
	"google.golang.org/protobuf/proto"

	greetv1 "example.com/greet/gen/greet/v1"
	"example.com/greet/gen/greet/v1/greetv1connect"
	"example.com/greet/internal/greet"
	"example.com/greet/internal/stack"
)

// TestManyGzipMessages has 20 peers make 100 calls each with 3 KB of gzip for a
// message of 3 MiB, and read no answer. What they hold of the server is bounded, and
// so is what one of them holds, so that calls go on.
func TestManyGzipMessages(t *testing.T) { forEachHTTP2(t, testManyGzipMessages) }

func testManyGzipMessages(t *testing.T, flag string) {
	const (
		peers, calls = 20, 100
		most         = 128 * mebi
	)
	message := packed(t, 3*mebi)
	for _, test := range []struct {
		label, procedure string
		ends             bool   // with the message; otherwise the call is held open
		accepts          string // identity makes answers too large to be sent
	}{
		{"connect", greetv1connect.GreetServiceGreetProcedure, true, "identity"},
		{"tls", greetv1connect.GreetServiceGreetChatProcedure, false, "gzip"},
	} {
		t.Run(test.label, func(t *testing.T) {
			server := startServer(t, flag)
			warmUp(t, server)
			before := server.peak(t)
			var attackers []*h2Peer
			for range peers {
				peer := newH2Peer(t, server.dial(t, test.label))
				attackers = append(attackers, peer)
				for i := range calls {
					if err := peer.call(uint32(2*i+1), test.procedure, envelope(1, message), test.ends,
						hpack.HeaderField{Name: "grpc-encoding", Value: "gzip"},
						hpack.HeaderField{Name: "grpc-accept-encoding", Value: test.accepts}); err != nil {
						t.Fatal(err)
					}
				}
			}
			server.wantHonestCalls(t, 2*time.Second)
			if grown := server.peak(t) - before; grown > most {
				t.Errorf("the server grew by %d MiB, want at most %d", grown/mebi, most/mebi)
			}
			for _, peer := range attackers {
				_ = peer.conn.Close()
			}
			eventually(t, patience, "a large message is unpacked again", func() bool {
				header := http.Header{"Content-Type": {"application/proto"}, "Content-Encoding": {"gzip"}}
				return post(t, stack.H1, server.addr["connect"], nil, greetv1connect.GreetServiceGreetProcedure, header, message).status == http.StatusOK
			})
		})
	}
}

// TestWindowsOfZero has 50 peers of grpc-go make 100 calls each for 100,000 greetings, and
// take few of them or none.
func TestWindowsOfZero(t *testing.T) {
	t.Parallel()
	const (
		peers, calls = 50, 100
		most         = 100 * mebi
	)
	message, err := proto.Marshal(&greetv1.GreetStreamRequest{Name: "x", Count: greet.MaxCount})
	if err != nil {
		t.Fatal(err)
	}
	for name, settings := range map[string][]http2.Setting{
		"no window":    {{ID: http2.SettingInitialWindowSize, Val: 0}},
		"never opened": nil,
	} {
		t.Run(name, func(t *testing.T) {
			server := startServer(t)
			warmUp(t, server)
			before := server.peak(t)
			for range peers {
				peer := newH2Peer(t, server.dial(t, "grpc"), settings...)
				for i := range calls {
					if err := peer.request(uint32(2*i+1), greetv1connect.GreetServiceGreetStreamProcedure, envelope(0, message)); err != nil {
						t.Fatal(err)
					}
				}
			}
			server.wantHonestCalls(t, 2*time.Second)
			if grown := server.peak(t) - before; grown > most {
				t.Errorf("the server grew by %d MiB, want at most %d", grown/mebi, most/mebi)
			}
		})
	}
}

// packed is a request of the size, in gzip.
func packed(t *testing.T, size int) []byte {
	t.Helper()
	message, err := proto.Marshal(&greetv1.GreetRequest{Name: string(bytes.Repeat([]byte("x"), size))})
	if err != nil {
		t.Fatal(err)
	}
	var small bytes.Buffer
	w := gzip.NewWriter(&small)
	if _, err := w.Write(message); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return small.Bytes()
}

// wantHonestCalls calls every listener by new connections, for that long, and fails
// the test when a call takes more than a second.
func (s *serverProcess) wantHonestCalls(t *testing.T, during time.Duration) {
	t.Helper()
	for end := time.Now().Add(during); time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
		for _, of := range stacks(t) {
			ctx, cancel := context.WithTimeout(t.Context(), time.Second+slack)
			client := dialStack(t, of, s.addrOf(of.Name), s.trust)
			if err := makeCall(ctx, client, greet.Unary); err != nil {
				t.Errorf("an honest call by %s: %v", of.Name, err)
			}
			_ = client.Close()
			cancel()
		}
	}
}
