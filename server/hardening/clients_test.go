package hardening_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"slices"
	"sync"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"

	greetv1 "example.com/greet/gen/greet/v1"
	"example.com/greet/internal/greet"
	"example.com/greet/internal/listen"
	"example.com/greet/internal/stack"
)

// serveHandler serves a handler that speaks no protocol well, over the stack's
// transport, until the test ends.
func serveHandler(t *testing.T, s stack.Stack, handler http.HandlerFunc) served {
	t.Helper()
	socket, err := listen.Bind("127.0.0.1:0", true, s.Name.Transport == stack.H3)
	if err != nil {
		t.Fatal(err)
	}
	serverTLS, trust := certified(t)
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() {
		ended <- listen.ServeHTTP(ctx, socket, handler, s.Name.HTTP(stack.ServeOptions{TLS: serverTLS}))
	}()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil && !isCut(err) {
			t.Errorf("serve: %v", err)
		}
		_ = socket.Close()
	})
	return served{addr: socket.Addr(), trust: trust}
}

// TestCutStreamsAreErrors has servers that send one greeting and then stop short
// in the ways that look most like an end. Only a connection that was lost makes a
// call unavailable, which invites clients to try again: a server that ends a response
// by the rules of HTTP and leaves it incomplete would do so again.
func TestCutStreamsAreErrors(t *testing.T) {
	message, err := proto.Marshal(&greetv1.GreetStreamResponse{Greeting: "the first of many"})
	if err != nil {
		t.Fatal(err)
	}
	whole := envelope(0, message)
	for name, cut := range map[string]struct {
		body  []byte
		abort bool // cut the connection or stream rather than end the body
	}{
		"before any message":       {body: nil},
		"after a message":          {body: whole},
		"within a message":         {body: whole[:len(whole)-3]},
		"within an envelope":       {body: slices.Concat(whole, whole[:3])},
		"after a message, aborted": {body: whole, abort: true},
	} {
		t.Run(name, func(t *testing.T) {
			forEachStack(t, func(t *testing.T, s stack.Stack) {
				srv := serveHandler(t, s, func(w http.ResponseWriter, r *http.Request) {
					_, _ = io.Copy(io.Discard, r.Body)
					w.Header().Set("Content-Type", r.Header.Get("Content-Type"))
					w.WriteHeader(http.StatusOK)
					_, _ = w.Write(cut.body)
					_ = http.NewResponseController(w).Flush()
					if cut.abort {
						panic(http.ErrAbortHandler)
					}
				})
				ctx, cancel := context.WithTimeout(t.Context(), patience)
				defer cancel()
				client := srv.client(t, s)
				for _, m := range []greet.Mode{greet.ServerStream, greet.ClientStream} {
					err := makeCall(ctx, client, m)
					if code := greet.CodeOf(err); !slices.Contains(blame(cut.abort, s), code) {
						t.Errorf("%s: got %v, want one of %v", m, err, blame(cut.abort, s))
					}
				}
			})
		})
	}
}

// blame lists the codes of a response that ended early, or was aborted. To abort
// closes the connection over HTTP/1.1 and resets a stream over the others.
func blame(aborted bool, s stack.Stack) []greet.Code {
	if aborted && s.Name.Transport == stack.H1 {
		return []greet.Code{greet.CodeUnavailable}
	}
	return []greet.Code{greet.CodeInternal, greet.CodeUnknown}
}

// TestErrorReachesSlowSender has handlers that fail after the first message while
// their client, in no hurry, goes on sending and does not look.
func TestErrorReachesSlowSender(t *testing.T) {
	t.Parallel()
	forEachStack(t, func(t *testing.T, s stack.Stack) {
		failed := make(chan struct{}, 1)
		r := &rude{handle: func(_ context.Context, c call) error {
			defer func() { failed <- struct{}{} }()
			if err := c.receive(); err != nil {
				return err
			}
			return &greet.Error{Code: greet.CodeFailedPrecondition, Message: "not now"}
		}}
		srv := serveRude(t, s, r, stack.ServeOptions{})
		ctx, cancel := context.WithTimeout(t.Context(), patience)
		defer cancel()
		if s.Carries(greet.Bidi) {
			t.Run("bidi", func(t *testing.T) {
				chat, err := srv.client(t, s).GreetChat(ctx)
				if err != nil {
					t.Fatal(err)
				}
				defer chat.Close()
				sendSlowly(t, s, failed, func() error { return chat.Send(&greetv1.GreetChatRequest{Name: "x"}) })
				_, err = chat.Receive()
				wantFailure(t, err)
			})
		}
		t.Run("client_stream", func(t *testing.T) {
			count, err := srv.client(t, s).GreetCount(ctx)
			if err != nil {
				t.Fatal(err)
			}
			sendSlowly(t, s, failed, func() error { return count.Send(&greetv1.GreetCountRequest{Name: "x"}) })
			_, err = count.CloseAndReceive()
			wantFailure(t, err)
		})
	})
}

// sendSlowly sends once, waits for the handler to fail, and goes on until a send
// says that the call is over, which the second must at the latest.
//
// Over HTTP/1.1 none does: net/http's server answers once it has read the request
// to its end, or 256 KiB of it. There the client learns when it half-closes.
func sendSlowly(t *testing.T, s stack.Stack, failed <-chan struct{}, send func() error) {
	t.Helper()
	const leisure = 100 * time.Millisecond
	if err := send(); err != nil {
		t.Fatalf("the first send: %v", err)
	}
	<-failed
	for range 2 {
		time.Sleep(leisure) // this is what a slow sender is
		err := send()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatalf("send: %v, want io.EOF", err)
		}
	}
	if s.Name.Transport != stack.H1 {
		t.Error("two more sends succeeded")
	}
}

func wantFailure(t *testing.T, err error) {
	t.Helper()
	failed, ok := errors.AsType[*greet.Error](err)
	if !ok || failed.Code != greet.CodeFailedPrecondition || failed.Message != "not now" {
		t.Errorf("got %v, want failed_precondition: not now", err)
	}
}

// TestStoppedServer stops the built server in the middle of calls, as a machine
// does that swaps, or a debugger. Nothing tells the client but its deadline.
func TestStoppedServer(t *testing.T) {
	const (
		deadline = time.Second
		late     = 1200*time.Millisecond + slack
	)
	server := startServer(t)
	clients := make(map[string]stack.Client)
	for _, s := range stacks(t) {
		c := server.client(t, s)
		if err := makeCall(t.Context(), c, greet.Unary); err != nil {
			t.Fatalf("%s: %v", s.Name, err)
		}
		clients[s.Name.String()] = c
	}
	ctx, cancel := context.WithTimeout(t.Context(), deadline)
	defer cancel()
	begun := time.Now()
	ends := make(map[string]func() error)
	for name, c := range clients {
		ends[name+" in mid-stream"] = beginCount(ctx, t, c)
		ends[name+" unary"] = func() error { return makeCall(ctx, c, greet.Unary) }
	}
	server.freeze(t)
	var waiting sync.WaitGroup
	for name, end := range ends {
		waiting.Go(func() {
			if err := end(); greet.CodeOf(err) != greet.CodeDeadlineExceeded {
				t.Errorf("%s: got %v, want code deadline_exceeded", name, err)
			}
			if took := time.Since(begun); took > late {
				t.Errorf("%s: back after %v, want at most %v", name, took, late)
			}
		})
	}
	waiting.Wait()
}

// beginCount sends the first message of a stream, and returns what ends it.
func beginCount(ctx context.Context, t *testing.T, c stack.Client) (end func() error) {
	t.Helper()
	count, err := c.GreetCount(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if err := count.Send(&greetv1.GreetCountRequest{Name: "x"}); err != nil {
		t.Fatal(err)
	}
	return func() error {
		_, err := count.CloseAndReceive()
		return err
	}
}

// TestThousandStreamsOneConnection reads streams to the end, which is what lets
// a client use a connection again.
func TestThousandStreamsOneConnection(t *testing.T) {
	server := startServer(t)
	forEachStack(t, func(t *testing.T, s stack.Stack) {
		client := server.client(t, s)
		for range 1_000 {
			if err := makeCall(t.Context(), client, greet.ServerStream); err != nil {
				t.Fatal(err)
			}
		}
		if n := client.Connections(); n != 1 {
			t.Errorf("opened %d connections, want 1", n)
		}
	})
}
