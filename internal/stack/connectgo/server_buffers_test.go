package connectgo

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"connectrpc.com/connect/v2/connectproto"

	greetv1 "example.com/greet/gen/greet/v1"
)

// TestBuffersOfOtherCallsStay has a call encode a message that it never writes, as one
// that is too large. The buffer goes to another call, whose message must survive what
// the first call writes next.
func TestBuffersOfOtherCallsStay(t *testing.T) {
	codec := thriftyCodec{Codec: connectproto.NewBinaryCodec()}
	large := &greetv1.GreetResponse{Greeting: strings.Repeat("x", 2*largeBuffer)}
	exchanged(t, func(w http.ResponseWriter, r *http.Request) {
		var shared bytes.Buffer
		encode(t, codec, r, &shared, large)
		shared.Reset()
		shared.WriteString(strings.Repeat("y", largeBuffer)) // of another call
		if _, err := io.WriteString(w, "an error in place of the message"); err != nil {
			t.Fatal(err)
		}
		if shared.Len() != largeBuffer {
			t.Errorf("the other call's buffer has %d bytes, want %d", shared.Len(), largeBuffer)
		}
	})
	encodedMessages.Range(func(any, any) bool {
		t.Error("a message that was never written is remembered after its call")
		return false
	})
}

// TestLargeBuffersAreLetGo writes a large message as it is, and compressed.
func TestLargeBuffersAreLetGo(t *testing.T) {
	codec := thriftyCodec{Codec: connectproto.NewBinaryCodec()}
	large := &greetv1.GreetResponse{Greeting: strings.Repeat("x", 2*largeBuffer)}
	for name, write := range map[string]func(http.ResponseWriter, *bytes.Buffer) error{
		"plain": func(w http.ResponseWriter, b *bytes.Buffer) error {
			_, err := w.Write(b.Bytes())
			return err
		},
		"gzip": func(_ http.ResponseWriter, b *bytes.Buffer) error {
			packer, err := newThriftyGzip().Compress(io.Discard)
			if err == nil {
				_, err = b.WriteTo(packer)
			}
			return err
		},
	} {
		exchanged(t, func(w http.ResponseWriter, r *http.Request) {
			var buffer bytes.Buffer
			encode(t, codec, r, &buffer, large)
			if err := write(w, &buffer); err != nil || buffer.Cap() > 0 {
				t.Errorf("%s: %v, the buffer keeps %d bytes, want 0", name, err, buffer.Cap())
			}
			if exchangeOf(r.Context()).message != nil {
				t.Errorf("%s: the call holds a message that it has written", name)
			}
		})
	}
}

func exchanged(t *testing.T, handler http.HandlerFunc) {
	t.Helper()
	withExchange(handler).ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodPost, "/", nil))
}

func encode(t *testing.T, codec thriftyCodec, r *http.Request, to *bytes.Buffer, message *greetv1.GreetResponse) {
	t.Helper()
	if err := codec.MarshalWrite(r.Context(), to, message); err != nil {
		t.Fatal(err)
	}
}
