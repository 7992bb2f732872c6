package floor_test

import (
	"bufio"
	"context"
	"io"
	"net"
	"runtime"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"example.com/greet/benchmark/internal/calls"
	"example.com/greet/benchmark/internal/load"
	"example.com/greet/benchmark/internal/stack/floor"
	greetv1 "example.com/greet/gen/greet/v1"
	"example.com/greet/internal/greet"
	"example.com/greet/internal/stack"
)

// greeting is the work of greeting somebody whose name is as long as the given one.
func greeting(name string, connections int) calls.Work {
	return calls.Work{Mode: greet.Unary, Payload: len(name), Messages: 1, Connections: connections}
}

func driver(t *testing.T, addr, name string, connections int) *floor.Driver {
	t.Helper()
	return driverOf(t, addr, stack.GRPC, greeting(name, connections))
}

func driverOf(t *testing.T, addr, protocol string, w calls.Work) *floor.Driver {
	t.Helper()
	d, err := floor.NewDriver(addr, protocol, w)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	return d
}

func TestDriverCountsEveryCall(t *testing.T) {
	addr, _ := start(t, stack.ServeOptions{})
	for _, test := range []struct {
		what                     string
		name                     string
		concurrency, connections int
		calls                    int64
		opened                   int64
	}{
		{"one", "bob", 1, 1, 100, 1},
		{"many", "bob", 64, 1, 20_000, 1},
		{"spread", "bob", 64, 4, 20_000, 4},
		{"more than a connection carries", "bob", 250, 1, 20_000, 3},
		{"fewer calls than places", "bob", 64, 2, 3, 2},
		{"empty name", "", 8, 1, 100, 1},
		{"large", strings.Repeat("x", 2<<20), 8, 1, 40, 1},
	} {
		d := driver(t, addr, test.name, test.connections)
		got, err := load.Run(t.Context(), d, load.Plan{Concurrency: test.concurrency, Calls: test.calls, Warmup: 10, Deadline: 10 * time.Second})
		if err != nil || got.Calls != test.calls || got.Failures() > 0 || got.Latency.TotalCount() != test.calls {
			t.Errorf("%s: got %d calls, %d latencies, errors %v %q, %v, want %d calls", test.what, got.Calls, got.Latency.TotalCount(), got.Errors, got.Text, err, test.calls)
		}
		if d.Connections() != test.opened {
			t.Errorf("%s: %d connections, want %d", test.what, d.Connections(), test.opened)
		}
	}
}

func TestDriverOpenLoop(t *testing.T) {
	addr, _ := start(t, stack.ServeOptions{})
	plan := load.Plan{Concurrency: 16, Rate: 2000, Window: 250 * time.Millisecond, Deadline: 5 * time.Second}
	got, err := load.Run(t.Context(), driver(t, addr, "bob", 2), plan)
	if err != nil || got.Calls < 500 || got.Calls > 1000 || got.Failures() > 0 {
		t.Errorf("got %d calls, errors %v, %v, want 500, and those that came while the last was in flight", got.Calls, got.Errors, err)
	}
	if got.Window < 240*time.Millisecond {
		t.Errorf("the calls took %v, want to begin over 250ms", got.Window)
	}
}

// rude is a server that grpc-go serves and that misbehaves by the length of names.
type rude struct {
	greetv1.UnimplementedGreetServiceServer
}

func (rude) Greet(ctx context.Context, req *greetv1.GreetRequest) (*greetv1.GreetResponse, error) {
	switch name := req.GetName(); {
	case len(name) == len("wrong"):
		return &greetv1.GreetResponse{Greeting: "Hello, rob!"}, nil
	case len(name) == len("refused"):
		return nil, status.Error(codes.PermissionDenied, "not you")
	case len(name) == len("hung"):
		<-ctx.Done()
		return nil, ctx.Err()
	case len(name) > 100_000: // right at both ends and in length
		return &greetv1.GreetResponse{Greeting: strings.Replace(greet.Hello(name), "xxx", "yyy", 1)}, nil
	}
	return greet.Greet(req), nil
}

func serveRude(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := grpc.NewServer(grpc.MaxConcurrentStreams(40))
	greetv1.RegisterGreetServiceServer(s, rude{})
	served := make(chan error, 1)
	go func() { served <- s.Serve(l) }()
	t.Cleanup(func() {
		s.Stop()
		<-served
	})
	return l.Addr().String()
}

func TestDriverNamesFailures(t *testing.T) {
	addr := serveRude(t)
	for _, test := range []struct{ name, code, text string }{
		{"bob", "", ""},
		{"wrong", "wrong_reply", "rob"},
		{"refused", "permission_denied", "not you"},
		{"hung", "deadline_exceeded", ""},
		{strings.Repeat("x", 200_000), "wrong_reply", "200008 bytes"},
	} {
		plan := load.Plan{Concurrency: 4, Calls: 20, Deadline: 10 * time.Second}
		if test.name == "hung" {
			plan.Deadline = 100 * time.Millisecond
		}
		got, err := load.Run(t.Context(), driver(t, addr, test.name, 1), plan)
		if err != nil {
			t.Fatal(err)
		}
		if test.code == "" && got.Calls != 20 || test.code != "" && (got.Errors[test.code] != 20 || got.Calls != 0) || !strings.Contains(got.Text, test.text) {
			t.Errorf("%.10s: got %d calls, errors %v, %q, want 20 of %q, %q", test.name, got.Calls, got.Errors, got.Text, test.code, test.text)
		}
	}
}

func TestDriverWithoutServer(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l.Close()
	got, _ := load.Run(t.Context(), driver(t, l.Addr().String(), "bob", 2), load.Plan{Concurrency: 4, Calls: 10, Deadline: time.Second})
	if got.Errors["unavailable"] != 10 || got.Calls != 0 {
		t.Errorf("got %d calls and errors %v, want 10 unavailable", got.Calls, got.Errors)
	}
}

// TestDriverOutlivesItsServer has the server end in the middle, and another take
// its place.
func TestDriverOutlivesItsServer(t *testing.T) {
	addr, stop := start(t, stack.ServeOptions{})
	d := driver(t, addr, "bob", 2)
	plan := load.Plan{Concurrency: 16, Window: 600 * time.Millisecond, Deadline: time.Second}
	time.AfterFunc(200*time.Millisecond, func() { _ = stop() })
	got, err := load.Run(t.Context(), d, plan)
	if err != nil || got.Calls == 0 || got.Errors["unavailable"] == 0 {
		t.Errorf("got %d calls, errors %v, %v, want some of both", got.Calls, got.Errors, err)
	}
}

func TestDriverInterrupted(t *testing.T) {
	addr := serveRude(t)
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	got, err := load.Run(ctx, driver(t, addr, "hung", 2), load.Plan{Concurrency: 8, Calls: 100, Deadline: time.Minute})
	if err != load.ErrInterrupted || got.Failures() > 0 || got.Calls > 0 {
		t.Errorf("got %d calls, errors %v, %v, want none, and an interruption", got.Calls, got.Errors, err)
	}
}

// TestDriverTalksToNoServerOfGRPC is told so, rather than left to wait.
func TestDriverTalksToNoServerOfGRPC(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	go func() {
		for {
			nc, err := l.Accept()
			if err != nil {
				return
			}
			_, _ = bufio.NewReader(nc).Peek(1)
			_, _ = io.WriteString(nc, "HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n")
			nc.Close()
		}
	}()
	got, _ := load.Run(t.Context(), driver(t, l.Addr().String(), "bob", 1), load.Plan{Concurrency: 2, Calls: 3, Deadline: time.Second})
	if got.Errors["unavailable"] != 3 {
		t.Errorf("got %d calls and errors %v, want 3 unavailable", got.Calls, got.Errors)
	}
}

func TestDriverRefusesWhatItCannotDo(t *testing.T) {
	if _, err := floor.NewDriver("127.0.0.1:1", stack.GRPC, greeting("", 0)); err == nil {
		t.Error("0 connections: got no error")
	}
	if _, err := floor.NewDriver("127.0.0.1:1", stack.GRPC, greeting(strings.Repeat("x", stack.MaxMessageBytes), 1)); err == nil {
		t.Error("a name above the limit: got no error")
	}
}

// TestManyInFlight looks at what both ends hold together, which bounds the driver's own
// part.
func TestManyInFlight(t *testing.T) {
	for _, test := range []struct {
		what        string
		work        calls.Work
		streams     uint32
		concurrency int
		most        int64 // bytes
	}{
		{"10,000 calls", calls.Work{Mode: greet.Unary, Payload: 3, Messages: 1}, 100, 10_000, 64 << 20},
		{"100,000 calls", calls.Work{Mode: greet.Unary, Payload: 3, Messages: 1}, 1000, 100_000, 256 << 20},
		{"10,000 chats that talk", calls.Work{Mode: greet.Bidi, Payload: 16, Messages: 10, Numbered: true, InTurn: true}, 100, 10_000, 128 << 20},
	} {
		before := inUse()
		addr, _ := start(t, stack.ServeOptions{Streams: test.streams})
		test.work.Connections = 1
		d := driverOf(t, addr, stack.GRPC, test.work)
		n, connections := int64(2*test.concurrency), int64(test.concurrency)/int64(test.streams)
		got, err := load.Run(t.Context(), d, load.Plan{Concurrency: test.concurrency, Calls: n, Deadline: 60 * time.Second})
		if err != nil || got.Calls != n || d.Connections() != connections {
			t.Errorf("%s: got %d over %d connections, errors %v, want %d over %d", test.what, got.Calls, d.Connections(), got.Errors, n, connections)
		}
		grown := inUse() - before
		t.Logf("%s: %d MiB more in use than before", test.what, grown>>20)
		if grown > test.most {
			t.Errorf("%s: %d MiB more in use than before, want at most %d", test.what, grown>>20, test.most>>20)
		}
	}
}

func inUse() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC() // what the first has left in pools
	runtime.ReadMemStats(&m)
	return int64(m.HeapInuse + m.StackInuse)
}

// BenchmarkDriver is both ends in one process.
func BenchmarkDriver(b *testing.B) {
	addr, _ := start(b, stack.ServeOptions{})
	d, err := floor.NewDriver(addr, stack.GRPC, greeting(strings.Repeat("x", 16), 1))
	if err != nil {
		b.Fatal(err)
	}
	defer d.Close()
	b.ReportAllocs()
	if _, err := load.Run(b.Context(), d, load.Plan{Concurrency: 64, Calls: int64(b.N), Deadline: 10 * time.Second}); err != nil {
		b.Fatal(err)
	}
}
