package wire_test

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"

	greetv1 "example.com/greet/gen/greet/v1"
	"example.com/greet/internal/listen"
	"example.com/greet/internal/stack"
	"example.com/greet/internal/wire"
)

func serverTLS(t *testing.T) *tls.Config {
	t.Helper()
	certificate, err := listen.SelfSigned()
	if err != nil {
		t.Fatal(err)
	}
	return listen.ServerTLS(certificate)
}

// dial makes a client; tap may be nil.
func dial(t *testing.T, s stack.Stack, addr string, tap *stack.Tap) stack.Client {
	t.Helper()
	o := stack.DialOptions{InFlight: 1, Tap: tap}
	if s.Name.Secure() {
		o.TLS = &tls.Config{InsecureSkipVerify: true}
	}
	client, err := s.Dial(addr, o)
	if err != nil {
		t.Fatal(err)
	}
	return client
}

// call makes a call of each mode that the stack carries, without a deadline, whose
// milliseconds would differ from run to run.
func call(t *testing.T, s stack.Stack, c stack.Client) {
	t.Helper()
	ctx := context.Background()
	if _, err := c.Greet(ctx, &greetv1.GreetRequest{Name: "world"}); err != nil {
		t.Fatal(err)
	}
	stream, err := c.GreetStream(ctx, &greetv1.GreetStreamRequest{Name: "streamer", Count: 3})
	for err == nil {
		_, err = stream.Receive()
	}
	if !errors.Is(err, io.EOF) {
		t.Fatal(err)
	}
	if err := countTwo(ctx, c); err != nil {
		t.Fatal(err)
	}
	if s.Refuses["bidi"] == "" {
		if err := chatOnce(ctx, c); err != nil {
			t.Fatal(err)
		}
	}
}

func countTwo(ctx context.Context, c stack.Client) error {
	count, err := c.GreetCount(ctx)
	if err != nil {
		return err
	}
	for _, name := range []string{"alice", "bob"} {
		if err := count.Send(&greetv1.GreetCountRequest{Name: name}); err != nil {
			return err
		}
	}
	_, err = count.CloseAndReceive()
	return err
}

func chatOnce(ctx context.Context, c stack.Client) error {
	chat, err := c.GreetChat(ctx)
	if err != nil {
		return err
	}
	defer chat.Close()
	if err := chat.Send(&greetv1.GreetChatRequest{Name: "alice"}); err != nil {
		return err
	}
	if _, err := chat.Receive(); err != nil {
		return err
	}
	if err := chat.CloseSend(); err != nil {
		return err
	}
	if _, err = chat.Receive(); errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// TestSizesAddUp compares what the lines add up to with what a relay between client
// and server has passed on.
func TestSizesAddUp(t *testing.T) {
	config := serverTLS(t)
	plain, secure := startServer(t, nil), startServer(t, config)
	for _, s := range ways(t) {
		t.Run(s.Name.String(), func(t *testing.T) {
			addr := plain
			if s.Name.Secure() {
				addr = secure
			}
			var got, want wire.Sum
			if s.Name.Transport == stack.H3 {
				d := startDatagrams(t, addr)
				got = recordedSum(t, s, d.front.LocalAddr().String())
				time.Sleep(50 * time.Millisecond) // the last datagrams may still be on their way to the relay
				d.end()
				want = wire.Sum{Sent: d.sent, Received: d.received}
			} else {
				r := startRelay(t, addr, nil)
				got = recordedSum(t, s, r.listener.Addr().String())
				r.end()
				want = wire.Sum{Sent: r.sent.Len(), Received: r.received.Len()}
			}
			want.Message = messageBytes(s)
			// Of what came after the client had closed, it knows nothing: a frame, or a
			// datagram with which QUIC tries how large they may be.
			const late = 1500
			if got.Sent != want.Sent || got.Message != want.Message || got.Received > want.Received || got.Received < want.Received-late {
				t.Errorf("lines add up to %+v, the relay passed %+v", got, want)
			}
		})
	}
}

func recordedSum(t *testing.T, s stack.Stack, addr string) (sum wire.Sum) {
	t.Helper()
	recorder := wire.NewRecorder()
	client := dial(t, s, addr, recorder.Tap())
	call(t, s, client)
	recorder.Settle()
	first := recorder.Take().Sum()
	if err := client.Close(); err != nil {
		t.Fatal(err)
	}
	time.Sleep(50 * time.Millisecond) // goroutines of grpc-go end after Close
	last := recorder.Finish().Sum()
	return wire.Sum{Sent: first.Sent + last.Sent, Received: first.Received + last.Received, Message: first.Message + last.Message}
}

// messageBytes is what the messages of call are long.
func messageBytes(s stack.Stack) int {
	const greetCalls, streamCalls, countCalls = 7 + 15, 12 + 3*21, 7 + 5 + 2
	if s.Refuses["bidi"] != "" {
		return greetCalls + streamCalls + countCalls
	}
	return greetCalls + streamCalls + countCalls + 7 + 12
}

// TestNothingIsChanged makes the same calls with and without a recorder and compares
// what a relay saw of the client. Over HTTP/1.1 that is the very bytes; of HTTP/2
// the frames, without those that answer the server's whenever these come, and with
// header fields sorted, which net/http takes from a map.
func TestNothingIsChanged(t *testing.T) {
	config := serverTLS(t)
	plain, secure := startServer(t, nil), startServer(t, config)
	for _, s := range ways(t) {
		if s.Name.Transport == stack.H3 {
			continue // TestSizesAddUp counts its datagrams
		}
		t.Run(s.Name.String(), func(t *testing.T) {
			addr, inside := plain, (*tls.Config)(nil)
			if s.Name.Secure() {
				addr, inside = secure, config
			}
			without := sentBytes(t, s, addr, inside, nil)
			with := sentBytes(t, s, addr, inside, wire.NewRecorder().Tap())
			if diff := cmp.Diff(comparableFrames(t, s, without), comparableFrames(t, s, with)); diff != "" {
				t.Errorf("sent (-without +with):\n%s", diff)
			}
		})
	}
}

func sentBytes(t *testing.T, s stack.Stack, addr string, config *tls.Config, tap *stack.Tap) []byte {
	t.Helper()
	r := startRelay(t, addr, config)
	client := dial(t, s, r.listener.Addr().String(), tap)
	call(t, s, client)
	if err := client.Close(); err != nil {
		t.Fatal(err)
	}
	r.end()
	port := r.listener.Addr().String()
	return bytes.ReplaceAll(r.sent.Bytes(), []byte(port), []byte("relay"))
}

// comparable lists what was sent in a form that does not depend on time or chance.
func comparableFrames(t *testing.T, s stack.Stack, sent []byte) []string {
	t.Helper()
	if s.Name.Transport == stack.H1 {
		return []string{string(sent)}
	}
	body, found := bytes.CutPrefix(sent, []byte(http2.ClientPreface))
	if !found {
		t.Fatalf("no preface in %q", sent[:min(40, len(sent))])
	}
	framer := http2.NewFramer(io.Discard, bytes.NewReader(body))
	framer.ReadMetaHeaders = hpack.NewDecoder(4096, nil)
	var list []string
	for {
		frame, err := framer.ReadFrame()
		if errors.Is(err, io.EOF) {
			return list
		}
		if err != nil {
			t.Fatal(err)
		}
		switch f := frame.(type) {
		case *http2.MetaHeadersFrame:
			var fields []string
			for _, field := range f.Fields {
				if field.Name != ":authority" {
					fields = append(fields, field.String())
				}
			}
			slices.Sort(fields)
			list = append(list, fmt.Sprintf("HEADERS %d %v %s", f.StreamID, f.Flags, strings.Join(fields, "; ")))
		case *http2.DataFrame:
			list = append(list, fmt.Sprintf("DATA %d %v %x", f.StreamID, f.Flags, f.Data()))
		case *http2.SettingsFrame:
			if !f.IsAck() {
				list = append(list, fmt.Sprint(f))
			}
		}
	}
}
