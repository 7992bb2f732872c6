package listen_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"testing"
	"time"

	"example.com/greet/internal/listen"
	"example.com/greet/internal/stack"
)

// callLimit is short for a test; a call is cut a second after it.
const callLimit = 200 * time.Millisecond

// TestCallLimitEndsContext has a handler that watches its context and still has
// the time to say so.
func TestCallLimitEndsContext(t *testing.T) {
	for _, transport := range transports {
		t.Run(transport, func(t *testing.T) {
			srv := start(t, transport, func(w http.ResponseWriter, r *http.Request) {
				<-r.Context().Done()
				_, _ = io.WriteString(w, r.Context().Err().Error())
			}, listen.Options{CallLimit: callLimit})
			body, _, err := get(t, newClient(t, transport, srv.config), srv.addr)
			if err != nil || body != context.DeadlineExceeded.Error() {
				t.Errorf("got %q, %v; want the handler's %q", body, err, context.DeadlineExceeded)
			}
		})
	}
}

// TestCallLimitFreesHandlers has handlers that ignore their context, pinned by a
// peer that sends nothing, or reads nothing.
func TestCallLimitFreesHandlers(t *testing.T) {
	read := func(_ http.ResponseWriter, r *http.Request) error {
		_, err := io.Copy(io.Discard, r.Body)
		return err
	}
	write := func(w http.ResponseWriter, _ *http.Request) error {
		for chunk := make([]byte, 64<<10); ; {
			if _, err := w.Write(chunk); err != nil {
				return err
			}
		}
	}
	for _, transport := range transports {
		for name, pinned := range map[string]func(http.ResponseWriter, *http.Request) error{"reading": read, "writing": write} {
			t.Run(transport+"/"+name, func(t *testing.T) {
				t.Parallel()
				freed := make(chan error, 1)
				srv := start(t, transport, func(w http.ResponseWriter, r *http.Request) {
					_ = http.NewResponseController(w).EnableFullDuplex()
					w.WriteHeader(http.StatusOK)
					_ = http.NewResponseController(w).Flush()
					freed <- pinned(w, r)
				}, listen.Options{CallLimit: callLimit})
				client := newClient(t, transport, srv.config)
				body, feed := io.Pipe()
				defer feed.Close()
				req, _ := http.NewRequestWithContext(t.Context(), http.MethodPost, client.URL(srv.addr), body)
				res, err := client.HTTP.Do(req)
				if err != nil {
					t.Fatal(err)
				}
				defer res.Body.Close()
				select {
				case err := <-freed:
					if err == nil {
						t.Error("the handler ended without an error")
					}
				case <-time.After(callLimit + 5*time.Second):
					t.Error("the handler is still pinned")
				}
			})
		}
	}
}

// TestCallLimitLeavesConnectionsUsable makes a call on a connection that has
// idled for longer than the limit and the time after which a call is cut.
func TestCallLimitLeavesConnectionsUsable(t *testing.T) {
	for _, transport := range transports {
		t.Run(transport, func(t *testing.T) {
			t.Parallel()
			srv := start(t, transport, func(w http.ResponseWriter, _ *http.Request) {
				_, _ = io.WriteString(w, "hello")
			}, listen.Options{CallLimit: callLimit})
			client := newClient(t, transport, srv.config)
			for i := range 2 {
				if i > 0 {
					time.Sleep(callLimit + 1500*time.Millisecond)
				}
				if body, _, err := get(t, client, srv.addr); err != nil || body != "hello" {
					t.Fatalf("call %d: got %q, %v", i, body, err)
				}
			}
			if got := client.Connections(); got != 1 {
				t.Errorf("opened %d connections, want 1: a deadline closed the first", got)
			}
		})
	}
}

func TestNoCallLimitNoDeadline(t *testing.T) {
	has := make(chan error, 1)
	srv := start(t, stack.H1, func(_ http.ResponseWriter, r *http.Request) {
		if _, ok := r.Context().Deadline(); ok {
			has <- errors.New("the context has a deadline")
		}
		has <- nil
	}, listen.Options{})
	if _, _, err := get(t, newClient(t, stack.H1, srv.config), srv.addr); err != nil {
		t.Fatal(err)
	}
	if err := <-has; err != nil {
		t.Error(err)
	}
}
