package floor_test

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"connectrpc.com/connect/v2"

	"example.com/greet/benchmark/internal/load"
	"example.com/greet/benchmark/internal/stack/floor"
	greetv1 "example.com/greet/gen/greet/v1"
	"example.com/greet/gen/greet/v1/greetv1connect"
	"example.com/greet/internal/greet"
	"example.com/greet/internal/stack"
	"example.com/greet/internal/stack/connectgo"
)

func connectDriver(t *testing.T, addr, name string) *floor.ConnectDriver {
	t.Helper()
	d, err := floor.NewConnectDriver(addr, greeting(name, 1))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	return d
}

// serveConnect serves by connect-go, over HTTP/1.1.
func serveConnect(t *testing.T, s greetv1connect.GreetServiceHandler) *httptest.Server {
	t.Helper()
	server := httptest.NewServer(connectgo.NewHandlerOf(s, stack.ServeOptions{}))
	t.Cleanup(server.Close)
	return server
}

// moody is a service that connect-go serves and that misbehaves by the length of names.
type moody struct {
	greetv1connect.UnimplementedGreetServiceHandler
}

func (moody) Greet(ctx context.Context, req *greetv1.GreetRequest) (*greetv1.GreetResponse, error) {
	switch len(req.GetName()) {
	case len("wrong"):
		return &greetv1.GreetResponse{Greeting: "Hello, rob!"}, nil
	case len("refused"):
		return nil, connect.NewError(connect.CodePermissionDenied, "not you")
	case len("hung"):
		<-ctx.Done()
		time.Sleep(50 * time.Millisecond) // so that the client learns it from its own clock
		return nil, ctx.Err()
	}
	return greet.Greet(req), nil
}

func TestConnectDriverCountsEveryCall(t *testing.T) {
	addr := serveConnect(t, moody{}).Listener.Addr().String()
	for _, test := range []struct {
		what, name  string
		concurrency int
		calls       int64
	}{
		{"one", "bob", 1, 100},
		{"many", "bob", 64, 5000},
		{"empty name", "", 8, 100},
		{"a reply in chunks", strings.Repeat("x", 10_000), 8, 200},
		{"large", strings.Repeat("x", 2<<20), 4, 20},
	} {
		d := connectDriver(t, addr, test.name)
		got, err := load.Run(t.Context(), d, load.Plan{Concurrency: test.concurrency, Calls: test.calls, Warmup: int64(test.concurrency), Deadline: 10 * time.Second})
		if err != nil || got.Calls != test.calls || got.Failures() > 0 || got.Latency.TotalCount() != test.calls {
			t.Errorf("%s: got %d calls, %d latencies, errors %v %q, %v, want %d calls", test.what, got.Calls, got.Latency.TotalCount(), got.Errors, got.Text, err, test.calls)
		}
		if d.Connections() > int64(test.concurrency) {
			t.Errorf("%s: %d connections, want at most %d", test.what, d.Connections(), test.concurrency)
		}
	}
}

func TestConnectDriverOpenLoop(t *testing.T) {
	addr := serveConnect(t, moody{}).Listener.Addr().String()
	plan := load.Plan{Concurrency: 16, Rate: 2000, Window: 250 * time.Millisecond, Deadline: 5 * time.Second}
	got, err := load.Run(t.Context(), connectDriver(t, addr, "bob"), plan)
	if err != nil || got.Calls < 500 || got.Calls > 1000 || got.Failures() > 0 {
		t.Errorf("got %d calls, errors %v, %v, want 500, and those that came while the last was in flight", got.Calls, got.Errors, err)
	}
}

func TestConnectDriverNamesFailures(t *testing.T) {
	addr := serveConnect(t, moody{}).Listener.Addr().String()
	for _, test := range []struct {
		name, code, text string
		deadline         time.Duration
	}{
		{"wrong", "wrong_reply", "rob", 10 * time.Second},
		{"refused", "permission_denied", "not you", 10 * time.Second},
		{"hung", "deadline_exceeded", "", 100 * time.Millisecond},
	} {
		plan := load.Plan{Concurrency: 4, Calls: 20, Deadline: test.deadline}
		got, err := load.Run(t.Context(), connectDriver(t, addr, test.name), plan)
		if err != nil || got.Errors[test.code] != 20 || got.Calls != 0 || !strings.Contains(got.Text, test.text) {
			t.Errorf("%s: got %d calls, errors %v, %q, %v, want 20 of %q, %q", test.name, got.Calls, got.Errors, got.Text, err, test.code, test.text)
		}
	}
}

// TestConnectDriverKeepsDeadlines makes calls for longer than the first of them may
// take, which is when the timer that they share fires.
func TestConnectDriverKeepsDeadlines(t *testing.T) {
	addr := serveConnect(t, moody{}).Listener.Addr().String()
	d := connectDriver(t, addr, "bob")
	for _, deadline := range []time.Duration{time.Second, 500 * time.Millisecond} {
		got, err := load.Run(t.Context(), d, load.Plan{Concurrency: 4, Window: 1200 * time.Millisecond, Deadline: deadline})
		if err != nil || got.Calls == 0 || got.Failures() > 0 {
			t.Errorf("deadline %v: got %d calls, errors %v, %v, want no error", deadline, got.Calls, got.Errors, err)
		}
	}
	if d.Connections() != 4 {
		t.Errorf("%d connections, want 4", d.Connections())
	}
}

// serveRaw answers each request with the same bytes, and then closes the connection
// if it is told to.
func serveRaw(t *testing.T, response string, end bool) (addr string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			nc, err := l.Accept()
			if err != nil {
				return
			}
			go answerRaw(nc, response, end)
		}
	}()
	return l.Addr().String()
}

func answerRaw(nc net.Conn, response string, end bool) {
	defer nc.Close()
	in := bufio.NewReader(nc)
	for {
		req, err := http.ReadRequest(in)
		if err != nil {
			return
		}
		if _, err := io.Copy(io.Discard, req.Body); err != nil {
			return
		}
		if _, err := io.WriteString(nc, response); err != nil || end {
			return
		}
	}
}

// TestConnectDriverIsNotLiedTo meets servers that break one rule or another.
func TestConnectDriverIsNotLiedTo(t *testing.T) {
	const (
		ok    = "HTTP/1.1 200 OK\r\ncontent-type: application/proto\r\n"
		bob   = "\n\x0bHello, xxx!"
		right = ok + "content-length: 13\r\n\r\n" + bob
	)
	for _, test := range []struct {
		what, response string
		end            bool
		code           string // empty if calls are to succeed
		opened         int64
	}{
		{"right", right, false, "", 1},
		{"right, and closes", ok + "content-length: 13\r\nconnection: close\r\n\r\n" + bob, true, "", 5},
		{"right, and ends with the connection", ok + "\r\n" + bob, true, "", 5},
		{"in chunks", ok + "transfer-encoding: chunked\r\n\r\n1\r\n\n\r\nc\r\n" + bob[1:] + "\r\n0\r\n\r\n", false, "", 1},
		{"two answers to one request", right + right, false, "", 5},
		{"cut body", ok + "content-length: 14\r\n\r\n" + bob, true, "unavailable", 5},
		{"cut head", ok, true, "unavailable", 5},
		{"nothing", "", true, "unavailable", 5},
		{"another message", ok + "content-length: 13\r\n\r\n\n\x0bHello, rob!", false, "wrong_reply", 1},
		{"no message", ok + "content-length: 3\r\n\r\n\n\x0bH", false, "internal", 1},
		{"another type", "HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: 2\r\n\r\nhi", false, "unknown", 1},
		{"compressed", ok + "content-encoding: gzip\r\ncontent-length: 13\r\n\r\n" + bob, false, "internal", 1},
		{"too large", ok + "content-length: 4194305\r\n\r\n", false, "resource_exhausted", 5},
		{"two lengths", ok + "content-length: 13\r\ncontent-length: 14\r\n\r\n" + bob, false, "internal", 5},
		{"not HTTP", "SSH-2.0-x\r\n\r\n", true, "internal", 5},
		{"a proxy's error", "HTTP/1.1 503 Sorry\r\ncontent-type: text/html\r\ncontent-length: 2\r\n\r\nhi", false, "unavailable", 1},
		{"an error of an unknown code", "HTTP/1.1 404 Gone\r\ncontent-type: application/json\r\ncontent-length: 12\r\n\r\n{\"code\":\"x\"}", false, "unimplemented", 1},
		{"an error", "HTTP/1.1 409 Conflict\r\ncontent-type: application/json\r\ncontent-length: 18\r\n\r\n{\"code\":\"aborted\"}", false, "aborted", 1},
		{"an error that is no JSON", "HTTP/1.1 500 Oops\r\ncontent-type: application/json\r\ncontent-length: 1\r\n\r\n{", false, "unknown", 1},
	} {
		d := connectDriver(t, serveRaw(t, test.response, test.end), "bob")
		got, err := load.Run(t.Context(), d, load.Plan{Concurrency: 1, Calls: 5, Deadline: 5 * time.Second})
		if err != nil || test.code == "" && got.Calls != 5 || test.code != "" && got.Errors[test.code] != 5 {
			t.Errorf("%s: got %d calls, errors %v %q, %v, want 5 of %q", test.what, got.Calls, got.Errors, got.Text, err, test.code)
		}
		if d.Connections() != test.opened {
			t.Errorf("%s: %d connections, want %d", test.what, d.Connections(), test.opened)
		}
	}
}

func TestConnectDriverWithoutServer(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l.Close()
	got, _ := load.Run(t.Context(), connectDriver(t, l.Addr().String(), "bob"), load.Plan{Concurrency: 4, Calls: 10, Deadline: time.Second})
	if got.Errors["unavailable"] != 10 || got.Calls != 0 {
		t.Errorf("got %d calls and errors %v, want 10 unavailable", got.Calls, got.Errors)
	}
}

// TestConnectDriverOutlivesCutConnections has the server cut all connections in the
// middle.
func TestConnectDriverOutlivesCutConnections(t *testing.T) {
	server := serveConnect(t, moody{})
	d := connectDriver(t, server.Listener.Addr().String(), "bob")
	time.AfterFunc(100*time.Millisecond, server.CloseClientConnections)
	got, err := load.Run(t.Context(), d, load.Plan{Concurrency: 8, Window: 400 * time.Millisecond, Deadline: 5 * time.Second})
	failed := got.Errors["unavailable"]
	if err != nil || got.Calls == 0 || failed == 0 || failed > 8 || got.Failures() != failed || d.Connections() != 8+failed {
		t.Errorf("got %d calls over %d connections, errors %v %q, %v, want one failure for each connection that was cut", got.Calls, d.Connections(), got.Errors, got.Text, err)
	}
}

func TestConnectDriverInterrupted(t *testing.T) {
	addr := serveConnect(t, moody{}).Listener.Addr().String()
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	begun := time.Now()
	got, err := load.Run(ctx, connectDriver(t, addr, "hung"), load.Plan{Concurrency: 8, Calls: 100, Deadline: time.Minute})
	if err != load.ErrInterrupted || got.Failures() > 0 || got.Calls > 0 || time.Since(begun) > 30*time.Second {
		t.Errorf("got %d calls, errors %v, %v, want none, and an interruption", got.Calls, got.Errors, err)
	}
}

func TestConnectDriverRefusesWhatItCannotDo(t *testing.T) {
	if _, err := floor.NewConnectDriver("127.0.0.1:1", greeting(strings.Repeat("x", stack.MaxMessageBytes), 1)); err == nil {
		t.Error("a name above the limit: got no error")
	}
}
