package floor_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"example.com/greet/benchmark/internal/stack/floor"
	greetv1 "example.com/greet/gen/greet/v1"
	"example.com/greet/internal/greet"
	"example.com/greet/internal/listen"
	"example.com/greet/internal/stack"
)

// start serves the floor with the options. The function that it returns stops the
// server, and returns what Serve did.
func start(t testing.TB, o stack.ServeOptions) (addr string, stop func() error) {
	t.Helper()
	socket, err := listen.Bind("127.0.0.1:0", true, false)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	served := make(chan error, 1)
	go func() { served <- floor.Serve(ctx, socket, o) }()
	stop = sync.OnceValue(func() error {
		cancel()
		return <-served
	})
	t.Cleanup(func() { _ = stop() })
	return socket.Addr(), stop
}

func dial(t *testing.T, addr string) stack.Client {
	t.Helper()
	c, err := floor.Dial(addr, stack.DialOptions{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

const (
	greetPath = "/greet.v1.GreetService/Greet"
	bob       = "\x00\x00\x00\x00\x05\x0a\x03bob"
)

// TestServerAnswersAnyRequest is what a client gets that is not quite gRPC.
func TestServerAnswersAnyRequest(t *testing.T) {
	addr, _ := start(t, stack.ServeOptions{})
	protocols := new(http.Protocols)
	protocols.SetUnencryptedHTTP2(true)
	client := &http.Client{Transport: &http.Transport{Protocols: protocols}}
	defer client.CloseIdleConnections()
	for _, test := range []struct {
		what, method, path, body string
		header                   map[string]string
		http                     int
		status, message          string
	}{
		{what: "a call", body: bob, http: 200, status: "0"},
		{what: "content type with codec", body: bob, header: map[string]string{"Content-Type": "application/grpc+proto"}, http: 200, status: "0"},
		{what: "encoding identity", body: bob, header: map[string]string{"Grpc-Encoding": "identity"}, http: 200, status: "0"},
		{what: "GET", method: "GET", http: 405},
		{what: "JSON", body: "{}", header: map[string]string{"Content-Type": "application/json"}, http: 415},
		{what: "gRPC with JSON", header: map[string]string{"Content-Type": "application/grpc+json"}, http: 415},
		{what: "gRPC-Web", header: map[string]string{"Content-Type": "application/grpc-web+proto"}, http: 415},
		{what: "unknown method", path: "/greet.v1.GreetService/Shout", http: 200, status: "12", message: "unknown method"},
		{what: "gzip", header: map[string]string{"Grpc-Encoding": "gzip"}, http: 200, status: "12", message: "identity is"},
		{what: "bad timeout", header: map[string]string{"Grpc-Timeout": "soon"}, http: 200, status: "13", message: "grpc-timeout"},
		{what: "timeout 0", header: map[string]string{"Grpc-Timeout": "0n"}, http: 200, status: "4"},
		{what: "no message", http: 200, status: "12", message: "exactly one"},
		{what: "two messages", body: bob + bob, http: 200, status: "12", message: "exactly one"},
		{what: "half a prefix", body: bob[:3], http: 200, status: "13", message: "ends within"},
		{what: "half a message", body: bob[:7], http: 200, status: "13", message: "ends within"},
		{what: "not protobuf", body: "\x00\x00\x00\x00\x01\xff", http: 200, status: "13", message: "unmarshal"},
		{what: "invalid UTF-8", body: "\x00\x00\x00\x00\x03\x0a\x01\xff", http: 200, status: "13", message: "unmarshal"},
		{what: "compressed without an encoding", body: "\x01" + bob[1:], http: 200, status: "13", message: "compressed"},
		{what: "announced 4 GiB", body: "\x00\xff\xff\xff\xff", http: 200, status: "8", message: "4194304"},
	} {
		method, path := test.method, test.path
		if path == "" {
			path = greetPath
		}
		if method == "" {
			method = "POST"
		}
		req, err := http.NewRequestWithContext(t.Context(), method, "http://"+addr+path, strings.NewReader(test.body))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Content-Type", "application/grpc")
		for key, value := range test.header {
			req.Header.Set(key, value)
		}
		res, err := client.Do(req)
		if err != nil {
			t.Fatalf("%s: %v", test.what, err)
		}
		body, err := io.ReadAll(res.Body)
		res.Body.Close()
		status := res.Trailer.Get("Grpc-Status") + res.Header.Get("Grpc-Status")
		message := res.Trailer.Get("Grpc-Message") + res.Header.Get("Grpc-Message")
		if err != nil || res.StatusCode != test.http || status != test.status || !strings.Contains(message, test.message) {
			t.Errorf("%s: got HTTP %d, status %q %q, %v, want %d, %q, %q", test.what, res.StatusCode, status, message, err, test.http, test.status, test.message)
		}
		if test.status == "0" && !bytes.Equal(body, []byte("\x00\x00\x00\x00\x0d\x0a\x0bHello, bob!")) {
			t.Errorf("%s: got %q", test.what, body)
		}
		if test.http == 200 && res.Header.Get("Grpc-Accept-Encoding") != "identity" {
			t.Errorf("%s: accepted encodings are not said", test.what)
		}
	}
}

// TestLongestTimeout has a call with the longest timeout that gRPC can write. Other
// deadlines of the connection hold all the same.
func TestLongestTimeout(t *testing.T) {
	addr, _ := start(t, stack.ServeOptions{})
	protocols := new(http.Protocols)
	protocols.SetUnencryptedHTTP2(true)
	client := &http.Client{Transport: &http.Transport{Protocols: protocols}}
	defer client.CloseIdleConnections()
	body, never := io.Pipe()
	defer never.Close()
	for timeout, want := range map[string]string{"99999999H": "0", "99999998H": "0", "50m": "4"} {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://"+addr+greetPath, strings.NewReader(bob))
		if err != nil {
			t.Fatal(err)
		}
		if want != "0" {
			req.Body, req.ContentLength = body, -1
		}
		req.Header.Set("Content-Type", "application/grpc")
		req.Header.Set("Grpc-Timeout", timeout)
		res, err := client.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		_, err = io.Copy(io.Discard, res.Body)
		res.Body.Close()
		if status := res.Trailer.Get("Grpc-Status") + res.Header.Get("Grpc-Status"); status != want || err != nil {
			t.Errorf("timeout %s: got status %q, %v, want %s", timeout, status, err, want)
		}
	}
}

// TestLongChat runs in constant memory at both ends. A million messages, which take
// some seconds, are in no way different.
func TestLongChat(t *testing.T) {
	const messages = 200_000
	addr, _ := start(t, stack.ServeOptions{})
	chat, err := dial(t, addr).GreetChat(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer chat.Close()
	sent := make(chan error, 1)
	go func() {
		for range messages {
			if err := chat.Send(&greetv1.GreetChatRequest{Name: "bob"}); err != nil {
				sent <- err
				return
			}
		}
		sent <- chat.CloseSend()
	}()
	var most uint64
	for i := 0; ; i++ {
		res, err := chat.Receive()
		if errors.Is(err, io.EOF) && i == messages {
			break
		}
		if err != nil || res.GetGreeting() != "Hi, bob!" {
			t.Fatalf("message %d: got %v, %v", i, res, err)
		}
		if i%20_000 == 0 {
			var m runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&m)
			most = max(most, m.HeapAlloc)
		}
	}
	if err := <-sent; err != nil {
		t.Error(err)
	}
	if most > 16<<20 {
		t.Errorf("up to %d MiB were in use, want at most 16", most>>20)
	}
}

// TestDrain lets a call end that is open when the server is told to stop, and cuts
// one that does not end.
func TestDrain(t *testing.T) {
	for _, ends := range []bool{true, false} {
		limit := 5 * time.Second
		if !ends {
			limit = 100 * time.Millisecond
		}
		addr, stop := start(t, stack.ServeOptions{Drain: limit})
		client := dial(t, addr)
		chat, err := client.GreetChat(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		say := func() error {
			if err := chat.Send(&greetv1.GreetChatRequest{Name: "bob"}); err != nil {
				return err
			}
			_, err := chat.Receive()
			return err
		}
		if err := say(); err != nil {
			t.Fatal(err)
		}
		stopped := make(chan error, 1)
		go func() { stopped <- stop() }()
		if ends {
			err := errors.Join(say(), chat.CloseSend())
			if _, end := chat.Receive(); err != nil || !errors.Is(end, io.EOF) {
				t.Errorf("a call during the drain: got %v, and %v at its end", err, end)
			}
			if err := <-stopped; err != nil {
				t.Errorf("serve: got %v, want a whole drain", err)
			}
			continue
		}
		if _, err := chat.Receive(); greet.CodeOf(err) != greet.CodeUnavailable {
			t.Errorf("a call that was cut: got %v, want unavailable", err)
		}
		cut, ok := errors.AsType[*listen.CutError](<-stopped)
		if !ok || cut.Calls != 1 {
			t.Errorf("serve: got %v, want one call cut", cut)
		}
	}
}

// TestCallLimit frees what a peer has pinned that does not read.
func TestCallLimit(t *testing.T) {
	addr, _ := start(t, stack.ServeOptions{CallLimit: 200 * time.Millisecond})
	client := dial(t, addr)
	silent, err := client.GreetCount(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	unread, err := client.GreetStream(t.Context(), &greetv1.GreetStreamRequest{Name: strings.Repeat("x", 1000), Count: greet.MaxCount})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := silent.CloseAndReceive(); err != nil {
		t.Errorf("a call within its limit: got %v", err)
	}
	second, err := client.GreetCount(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for err == nil {
		err = second.Send(&greetv1.GreetCountRequest{})
		time.Sleep(10 * time.Millisecond) // at leisure, as long as it may
	}
	if _, err := second.CloseAndReceive(); greet.CodeOf(err) != greet.CodeDeadlineExceeded {
		t.Errorf("a call that goes on: got %v, want deadline_exceeded", err)
	}
	for err = nil; err == nil; {
		_, err = unread.Receive()
	}
	if code := greet.CodeOf(err); code != greet.CodeCanceled && code != greet.CodeDeadlineExceeded {
		t.Errorf("a call that nobody reads: got %v, want it to be cut", err)
	}
}
