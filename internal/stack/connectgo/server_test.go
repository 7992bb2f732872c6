package connectgo

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	greetv1 "example.com/greet/gen/greet/v1"
	"example.com/greet/gen/greet/v1/greetv1connect"
	"example.com/greet/internal/greet"
	"example.com/greet/internal/listen"
	"example.com/greet/internal/stack"
)

// Goroutines are looked for once all tests are over: a test may run several servers,
// of which one may be starting when another has stopped.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// serve serves handler over HTTP/1.1 and h2c until the test ends, and returns its
// address.
func serve(t *testing.T, handler http.Handler) string {
	t.Helper()
	socket, err := listen.Bind("127.0.0.1:0", true, false)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	served := make(chan error, 1)
	go func() { served <- listen.ServeHTTP(ctx, socket, handler, listen.Options{HTTP1: true, HTTP2: true}) }()
	t.Cleanup(func() {
		cancel()
		<-served
		_ = socket.Close()
	})
	return socket.Addr()
}

// newClient calls the server at addr as the stack of that name does.
func newClient(t *testing.T, protocol, transport, addr string) stack.Client {
	t.Helper()
	client, err := New(protocol, transport, "proto").Dial(addr, stack.DialOptions{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = client.Close() })
	return client
}

// request is one hand-made HTTP/1.1 request.
type request struct {
	method, path, body string
	header             map[string]string
}

// answer is what came back.
type answer struct {
	status int
	header http.Header
	body   string
}

func (r request) send(t *testing.T, addr string) answer {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), r.method, "http://"+addr+r.path, strings.NewReader(r.body))
	if err != nil {
		t.Fatal(err)
	}
	for key, value := range r.header {
		req.Header.Set(key, value)
	}
	transport := &http.Transport{DisableCompression: true}
	defer transport.CloseIdleConnections()
	res, err := transport.RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer{res.StatusCode, res.Header, string(body)}
}

func contentType(value string) map[string]string { return map[string]string{"Content-Type": value} }

// TestWire sends what well-behaved clients do not.
func TestWire(t *testing.T) {
	addr := serve(t, NewHandler(stack.ServeOptions{}))
	const unary, bidi = greetv1connect.GreetServiceGreetProcedure, greetv1connect.GreetServiceGreetChatProcedure
	timeout := func(value string) map[string]string {
		return map[string]string{"Content-Type": "application/json", "Connect-Timeout-Ms": value}
	}
	get := unary + "?encoding=json&message=" + url.QueryEscape(`{"name":"Ann"}`)
	for name, test := range map[string]struct {
		request request
		status  int
		body    string // part of it
	}{
		"unary":                {request{"POST", unary, `{"name":"Ann"}`, contentType("application/json")}, 200, "Hello, Ann!"},
		"connect get":          {request{"GET", get, "", nil}, 200, "Hello, Ann!"},
		"unknown field":        {request{"POST", unary, `{"name":"Ann","age":7}`, contentType("application/json")}, 200, "Hello, Ann!"},
		"broken json":          {request{"POST", unary, `{`, contentType("application/json")}, 400, "invalid_argument"},
		"unknown codec":        {request{"POST", unary, `{}`, contentType("application/grpc+thrift")}, 415, ""},
		"no content type":      {request{"POST", unary, `{}`, nil}, 415, ""},
		"wrong method":         {request{"PUT", unary, `{}`, contentType("application/json")}, 405, ""},
		"get with effects":     {request{"GET", bidi, "", nil}, 505, ""},
		"unknown path":         {request{"POST", "/nobody.v1.Nothing/Do", `{}`, contentType("application/json")}, 404, ""},
		"unknown procedure":    {request{"POST", "/greet.v1.GreetService/Wave", `{}`, contentType("application/json")}, 501, "unimplemented"},
		"negative timeout":     {request{"POST", unary, `{}`, timeout("-5")}, 400, "invalid_argument"},
		"timeout of 11 digits": {request{"POST", unary, `{}`, timeout("12345678901")}, 400, "invalid_argument"},
		"connect bidi on h1":   {request{"POST", bidi, "", contentType("application/connect+proto")}, 505, ""},
		"grpc bidi on h1":      {request{"POST", bidi, "", contentType("application/grpc")}, 505, ""},
		"grpcweb bidi on h1":   {request{"POST", bidi, "", contentType("application/grpc-web+proto")}, 505, ""},
	} {
		t.Run(name, func(t *testing.T) {
			got := test.request.send(t, addr)
			if got.status != test.status || !strings.Contains(got.body, test.body) {
				t.Errorf("got %d %q, want %d and %q in it", got.status, got.body, test.status, test.body)
			}
		})
	}
}

// TestCompression offers gzip, which a demo takes for large messages and a
// server under measurement never.
func TestCompression(t *testing.T) {
	plain := serve(t, NewHandler(stack.ServeOptions{}))
	demo, _ := serveDemo(t, service{})
	large := strings.Repeat("x", 4*compressFrom)
	for _, test := range []struct {
		addr, name, encoding string
	}{
		{plain, large, ""},
		{plain, "Ann", ""},
		{demo, large, "gzip"},
		{demo, "Ann", ""},
	} {
		header := contentType("application/json")
		header["Accept-Encoding"] = "gzip"
		r := request{"POST", greetv1connect.GreetServiceGreetProcedure, `{"name":"` + test.name + `"}`, header}
		got := r.send(t, test.addr)
		if encoding := got.header.Get("Content-Encoding"); encoding != test.encoding {
			t.Errorf("%d bytes: encoding %q, want %q", len(test.name), encoding, test.encoding)
			continue
		}
		body := got.body
		if test.encoding == "gzip" {
			body = unzip(t, body)
		}
		if !strings.Contains(body, greet.Hello(test.name)) {
			t.Errorf("%d bytes: the greeting is not in the body", len(test.name))
		}
	}
}

func unzip(t *testing.T, text string) string {
	t.Helper()
	r, err := gzip.NewReader(bytes.NewBufferString(text))
	if err != nil {
		t.Fatal(err)
	}
	plain, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(plain)
}

// TestLimits sends and asks for messages above the limit.
func TestLimits(t *testing.T) {
	addr := serve(t, NewHandler(stack.ServeOptions{}))
	large := `{"name":"` + strings.Repeat("x", stack.MaxMessageBytes) + `"}`
	r := request{"POST", greetv1connect.GreetServiceGreetProcedure, large, contentType("application/json")}
	if got := r.send(t, addr); got.status != http.StatusTooManyRequests || !strings.Contains(got.body, "resource_exhausted") {
		t.Errorf("got %d %q, want resource_exhausted", got.status, got.body)
	}
	for _, protocol := range []string{"connect", "grpc", "grpcweb"} {
		// Just below the limit on the way in, and above it as a greeting.
		client := newClient(t, protocol, stack.H2C, addr)
		name := strings.Repeat("x", stack.MaxMessageBytes-8)
		_, err := client.Greet(t.Context(), &greetv1.GreetRequest{Name: name})
		if greet.CodeOf(err) != greet.CodeResourceExhausted || !strings.Contains(err.Error(), "4194304") {
			t.Errorf("%s: got %v, want resource_exhausted that names the limit", protocol, err)
		}
	}
}

// TestErrorsAlikeOverAllProtocols looks at an error of the service itself.
func TestErrorsAlikeOverAllProtocols(t *testing.T) {
	addr := serve(t, NewHandler(stack.ServeOptions{}))
	want, _ := errors.AsType[*greet.Error](greet.CheckCount(-1))
	for _, protocol := range []string{"connect", "grpc", "grpcweb"} {
		stream, err := newClient(t, protocol, stack.H2C, addr).GreetStream(t.Context(), &greetv1.GreetStreamRequest{Count: -1})
		if err != nil {
			t.Fatal(err)
		}
		_, err = stream.Receive()
		failed, ok := errors.AsType[*greet.Error](err)
		if !ok || failed.Code != want.Code || failed.Message != want.Message || len(failed.Details) != 1 {
			t.Errorf("%s: got %#v, want code, message and one detail of %v", protocol, err, want)
		}
		_ = stream.Close()
	}
}

// TestDeadlineReachesTheServer has a client that allows little time for a chat
// in which it says nothing.
func TestDeadlineReachesTheServer(t *testing.T) {
	addr := serve(t, NewHandler(stack.ServeOptions{}))
	for _, protocol := range []string{"connect", "grpc", "grpcweb"} {
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		chat, err := newClient(t, protocol, stack.H2C, addr).GreetChat(ctx)
		if err != nil {
			t.Fatal(err)
		}
		_, err = chat.Receive()
		if got := greet.CodeOf(err); got != greet.CodeDeadlineExceeded {
			t.Errorf("%s: got %v, want deadline_exceeded", protocol, err)
		}
		_ = chat.Close()
		cancel()
	}
}
