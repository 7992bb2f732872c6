package connectgo

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
	"syscall"
	"testing"
	"time"

	"connectrpc.com/connect/v2"
	"github.com/quic-go/quic-go"
	"github.com/quic-go/quic-go/http3"

	greetv1 "example.com/greet/gen/greet/v1"
	httpdial "example.com/greet/internal/dial"
	"example.com/greet/internal/greet"
	"example.com/greet/internal/listen"
	"example.com/greet/internal/stack"
)

func TestCallError(t *testing.T) {
	goAway := errors.New(`http2: server sent GOAWAY and closed the connection; LastStreamID=1, ErrCode=NO_ERROR, debug=""`)
	local := func(code connect.Code, cause error) error {
		return connect.Errorf(code, "protocol error: %v", cause).WithCause(cause)
	}
	for name, test := range map[string]struct {
		err  error
		code greet.Code
		text string // empty: the library's own
	}{
		"GOAWAY":             {local(connect.CodeInternal, goAway), greet.CodeUnavailable, goAway.Error()},
		"connection lost":    {local(connect.CodeUnknown, errors.New("http2: client connection lost")), greet.CodeUnavailable, "http2: client connection lost"},
		"reset":              {local(connect.CodeCanceled, syscall.ECONNRESET), greet.CodeUnavailable, ""},
		"broken pipe":        {local(connect.CodeCanceled, syscall.EPIPE), greet.CodeUnavailable, ""},
		"cut body":           {local(connect.CodeInternal, &httpdial.LostError{Cause: io.ErrUnexpectedEOF}), greet.CodeUnavailable, "unexpected EOF"},
		"short body":         {local(connect.CodeInternal, io.ErrUnexpectedEOF), greet.CodeInternal, ""},
		"closed socket":      {local(connect.CodeUnknown, net.ErrClosed), greet.CodeUnavailable, net.ErrClosed.Error()},
		"QUIC closed":        {local(connect.CodeUnknown, &http3.Error{Remote: true, ErrorCode: http3.ErrCodeNoError}), greet.CodeUnavailable, "H3_NO_ERROR"},
		"QUIC silent":        {local(connect.CodeInternal, &quic.IdleTimeoutError{}), greet.CodeUnavailable, (&quic.IdleTimeoutError{}).Error()},
		"HTTP/3 canceled":    {local(connect.CodeUnknown, &http3.Error{Remote: true, ErrorCode: http3.ErrCodeRequestCanceled}), greet.CodeCanceled, ""},
		"HTTP/3 reset":       {local(connect.CodeUnavailable, &http3.Error{Remote: true, ErrorCode: http3.ErrCodeInternalError}), greet.CodeInternal, ""},
		"broken rules":       {local(connect.CodeInternal, errors.New("invalid flags")), greet.CodeInternal, ""},
		"too large":          {local(connect.CodeResourceExhausted, io.ErrUnexpectedEOF), greet.CodeResourceExhausted, ""},
		"deadline":           {local(connect.CodeDeadlineExceeded, context.DeadlineExceeded), greet.CodeDeadlineExceeded, ""},
		"deadline of socket": {local(connect.CodeDeadlineExceeded, os.ErrDeadlineExceeded), greet.CodeDeadlineExceeded, ""},
		"deadline by a pipe": {local(connect.CodeDeadlineExceeded, io.ErrClosedPipe), greet.CodeDeadlineExceeded, "context deadline exceeded"},
		"server's internal":  {connect.NewError(connect.CodeInternal, "unexpected EOF").WithRemote(), greet.CodeInternal, "unexpected EOF"},
		"server's cut":       {connect.NewError(connect.CodeInternal, goAway.Error()).WithRemote(), greet.CodeInternal, goAway.Error()},
		"server's deadline":  {connect.NewError(connect.CodeDeadlineExceeded, "too slow").WithRemote(), greet.CodeDeadlineExceeded, "too slow"},
	} {
		got := callError(test.err)
		want := test.text
		if rpc, ok := errors.AsType[*connect.Error](test.err); ok && want == "" {
			want = rpc.Message()
		}
		if got.Code != test.code || got.Message != want || !errors.Is(got, test.err) {
			t.Errorf("%s: got %v, want %v: %s", name, got, test.code, want)
		}
	}
}

// TestServerGoesDown ends the server in the middle of a chat.
func TestServerGoesDown(t *testing.T) {
	cert, err := listen.SelfSigned()
	if err != nil {
		t.Fatal(err)
	}
	for _, protocol := range []string{stack.Connect, stack.GRPC, stack.GRPCWeb} {
		for _, transport := range []string{stack.H2C, stack.H2, stack.H3} {
			s := New(protocol, transport, "proto")
			t.Run(s.Name.String(), func(t *testing.T) {
				client, stop := serveUntil(t, s, stack.ServeOptions{TLS: listen.ServerTLS(cert), Drain: 50 * time.Millisecond})
				chat, err := client.GreetChat(t.Context())
				if err == nil {
					err = chat.Send(&greetv1.GreetChatRequest{Name: "x"})
				}
				if err == nil {
					_, err = chat.Receive()
				}
				if err != nil {
					t.Fatal(err)
				}
				if _, ok := errors.AsType[*listen.CutError](stop()); !ok {
					t.Error("the server says nothing of the call that it cut")
				}
				if _, err = chat.Receive(); greet.CodeOf(err) != greet.CodeUnavailable {
					t.Errorf("got %v, want unavailable", err)
				}
			})
		}
	}
}

// serveUntil runs the stack's server until stop is called, which returns what
// serving did.
func serveUntil(t *testing.T, s stack.Stack, o stack.ServeOptions) (client stack.Client, stop func() error) {
	t.Helper()
	udp := s.Name.Transport == stack.H3
	socket, err := listen.Bind("127.0.0.1:0", !udp, udp)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = socket.Close() })
	trust, err := listen.ClientTLS("", true)
	if err != nil {
		t.Fatal(err)
	}
	client, err = s.Dial(socket.Addr(), stack.DialOptions{TLS: trust})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = client.Close() })
	ctx, cancel := context.WithCancel(context.Background())
	served := make(chan error, 1)
	go func() { served <- s.Serve(ctx, socket, o) }()
	t.Cleanup(cancel)
	return client, func() error {
		cancel()
		return <-served
	}
}
