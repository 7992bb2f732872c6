package catalog

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"

	greetv1 "example.com/greet/gen/greet/v1"
	"example.com/greet/internal/contract"
	"example.com/greet/internal/contract/contracttest"
	"example.com/greet/internal/dial"
	"example.com/greet/internal/greet"
	"example.com/greet/internal/stack"
)

// ended is how a call ended.
type ended struct {
	Code    greet.Code
	Message string
}

// The errors that a library makes itself are its own: these tables say where
// they differ, and will say so when a new version changes them. What the service
// refuses is alike everywhere, which TestContract checks.

// The names that libraries refuse by themselves.
var (
	notUTF8             = "\xff"
	tooLarge            = strings.Repeat("x", 5<<20)
	tooLargeOnceGreeted = contract.LargestName(stack.Name{})
)

// TestLibrariesOwnClientErrors is about requests that do not leave the client.
// For a text that is not UTF-8 all say internal, since it is the caller's
// program that is wrong and not what somebody typed.
func TestLibrariesOwnClientErrors(t *testing.T) {
	tests := []struct {
		stack, what, name string
		want              ended
	}{
		{"connect-go/connect/h2c", "request too large", tooLarge,
			ended{greet.CodeResourceExhausted, "message size 5242885 exceeds sendMaxBytes 4194304"}},
		{"connect-go/grpc/h2c", "request too large", tooLarge,
			ended{greet.CodeResourceExhausted, "message size 5242885 exceeds sendMaxBytes 4194304"}},
		{"connect-go-v1/connect/h2c", "request too large", tooLarge,
			ended{greet.CodeResourceExhausted, "message size 5242885 exceeds sendMaxBytes 4194304"}},
		{"grpc-go/grpc/h2c", "request too large", tooLarge,
			ended{greet.CodeResourceExhausted, "trying to send message larger than max (5242885 vs. 4194304)"}},
		{"connect-go/connect/h2c", "not UTF-8", notUTF8,
			ended{greet.CodeInternal, "marshal message: string field contains invalid UTF-8"}},
		{"connect-go/grpc/h2c", "not UTF-8", notUTF8,
			ended{greet.CodeInternal, "marshal message: string field contains invalid UTF-8"}},
		{"connect-go-v1/connect/h2c", "not UTF-8", notUTF8,
			ended{greet.CodeInternal, "marshal message: string field contains invalid UTF-8"}},
		{"grpc-go/grpc/h2c", "not UTF-8", notUTF8,
			ended{greet.CodeInternal, "grpc: error while marshaling: string field contains invalid UTF-8"}},
	}
	for _, tt := range tests {
		t.Run(tt.stack+"/"+tt.what, func(t *testing.T) {
			s := found(t, tt.stack)
			subject := contracttest.Serve(t, contracttest.Both(s), false)
			client, err := s.Dial(subject.Addr, stack.DialOptions{})
			if err != nil {
				t.Fatal(err)
			}
			defer client.Close()
			_, err = client.Greet(t.Context(), &greetv1.GreetRequest{Name: tt.name})
			wantEnded(t, err, tt.want)
		})
	}
}

// TestLibrariesOwnServerErrors sends by hand what no client would send, and asks
// for a reply that is too large. For a text that is not UTF-8 the libraries
// differ in the code: to connect-go the peer has sent a bad argument, to grpc-go
// the two ends do not understand each other.
func TestLibrariesOwnServerErrors(t *testing.T) {
	tests := []struct {
		stack, what, name string
		want              ended
	}{
		{"connect-go/connect/h2c", "request too large", tooLarge, // it does not read on to learn the size
			ended{greet.CodeResourceExhausted, "message is larger than configured max 4194304"}},
		{"connect-go/grpc/h2c", "request too large", tooLarge,
			ended{greet.CodeResourceExhausted, "message size 5242885 is larger than configured max 4194304"}},
		{"connect-go-v1/connect/h2c", "request too large", tooLarge,
			ended{greet.CodeResourceExhausted, "message size 5242885 is larger than configured max 4194304"}},
		{"grpc-go/grpc/h2c", "request too large", tooLarge,
			ended{greet.CodeResourceExhausted, "grpc: received message larger than max (5242885 vs. 4194304)"}},
		{"connect-go/connect/h2c", "reply too large", tooLargeOnceGreeted,
			ended{greet.CodeResourceExhausted, "message size 4194312 exceeds sendMaxBytes 4194304"}},
		{"connect-go/grpc/h2c", "reply too large", tooLargeOnceGreeted,
			ended{greet.CodeResourceExhausted, "message size 4194312 exceeds sendMaxBytes 4194304"}},
		{"connect-go-v1/connect/h2c", "reply too large", tooLargeOnceGreeted,
			ended{greet.CodeResourceExhausted, "message size 4194312 exceeds sendMaxBytes 4194304"}},
		{"grpc-go/grpc/h2c", "reply too large", tooLargeOnceGreeted,
			ended{greet.CodeResourceExhausted, "trying to send message larger than max (4194312 vs. 4194304)"}},
		{"connect-go/connect/h2c", "not UTF-8", notUTF8,
			ended{greet.CodeInvalidArgument, "unmarshal message: string field contains invalid UTF-8"}},
		{"connect-go/grpc/h2c", "not UTF-8", notUTF8,
			ended{greet.CodeInvalidArgument, "unmarshal message: string field contains invalid UTF-8"}},
		{"connect-go-v1/connect/h2c", "not UTF-8", notUTF8,
			ended{greet.CodeInvalidArgument, "unmarshal message: unmarshal into *greetv1.GreetRequest: string field contains invalid UTF-8"}},
		{"grpc-go/grpc/h2c", "not UTF-8", notUTF8,
			ended{greet.CodeInternal, "grpc: failed to unmarshal the received message: string field contains invalid UTF-8"}},
	}
	for _, tt := range tests {
		t.Run(tt.stack+"/"+tt.what, func(t *testing.T) {
			s := found(t, tt.stack)
			subject := contracttest.Serve(t, contracttest.Both(s), false)
			wantEnded(t, greetByHand(t, s.Name.Protocol, subject.Addr, tt.name), tt.want)
		})
	}
}

func found(t *testing.T, name string) stack.Stack {
	t.Helper()
	s, err := Find(name)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func wantEnded(t *testing.T, err error, want ended) {
	t.Helper()
	got := ended{Code: greet.CodeOf(err)}
	if e, ok := err.(*greet.Error); ok {
		got.Message = e.Message
	}
	if got != want {
		t.Errorf("ended with\n%s: %s, want\n%s: %s", got.Code, got.Message, want.Code, want.Message)
	}
}

// greetByHand makes a unary call over h2c with a request that nobody has checked.
func greetByHand(t *testing.T, protocol, addr, name string) error {
	t.Helper()
	message := protowire.AppendString(protowire.AppendTag(nil, 1, protowire.BytesType), name)
	contentType, ending := "application/proto", connectEnding
	if protocol == stack.GRPC {
		contentType, ending = "application/grpc", grpcEnding
		message = append(binary.BigEndian.AppendUint32([]byte{0}, uint32(len(message))), message...)
	}
	client, err := dial.HTTP(stack.H2C, dial.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost,
		client.URL(addr)+greetv1.GreetService_Greet_FullMethodName, bytes.NewReader(message))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", contentType)
	req.Header.Set("TE", "trailers")
	res, err := client.HTTP.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return ending(t, res, body)
}

// connectEnding reads the error of a unary call
// (https://connectrpc.com/docs/protocol#unary-response).
func connectEnding(t *testing.T, res *http.Response, body []byte) error {
	t.Helper()
	if res.StatusCode == http.StatusOK {
		return nil
	}
	var e struct{ Code, Message string }
	if err := json.Unmarshal(body, &e); err != nil {
		t.Fatalf("status %s with body %.100q: %v", res.Status, body, err)
	}
	for code := range greet.CodeUnauthenticated + 1 {
		if code.String() == e.Code {
			return &greet.Error{Code: code, Message: e.Message}
		}
	}
	t.Fatalf("no such code: %q", e.Code)
	return nil
}

// grpcEnding reads the status, which is in the header when there is no message.
func grpcEnding(t *testing.T, res *http.Response, _ []byte) error {
	t.Helper()
	from := res.Trailer
	if res.Header.Get("Grpc-Status") != "" {
		from = res.Header
	}
	code, err := strconv.Atoi(from.Get("Grpc-Status"))
	if err != nil {
		t.Fatalf("status %s without a gRPC status: %v", res.Status, err)
	}
	message, err := url.PathUnescape(from.Get("Grpc-Message"))
	if err != nil {
		t.Fatal(err)
	}
	if code == 0 {
		return nil
	}
	return &greet.Error{Code: greet.Code(code), Message: message}
}
