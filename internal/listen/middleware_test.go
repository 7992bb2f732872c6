package listen_test

import (
	"context"
	"errors"
	"fmt"
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
// peer that sends nothing, or reads nothing. They are pinned all at once, so that
// the limit is waited for once.
func TestCallLimitFreesHandlers(t *testing.T) {
	t.Parallel()
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
	freed := make(map[string]<-chan error)
	for _, transport := range transports {
		freed[transport+" reading"] = pin(t, transport, read)
		freed[transport+" writing"] = pin(t, transport, write)
	}
	patience := time.After(callLimit + 5*time.Second)
	for name, ended := range freed {
		select {
		case err := <-ended:
			if err == nil {
				t.Errorf("%s: the handler ended without an error", name)
			}
		case <-patience:
			t.Fatalf("%s: the handler is still pinned", name)
		}
	}
}

// pin makes a call whose client neither sends nor reads, and returns a channel
// that tells how its handler ended.
func pin(t *testing.T, transport string, handle func(http.ResponseWriter, *http.Request) error) <-chan error {
	t.Helper()
	ended := make(chan error, 1)
	srv := start(t, transport, func(w http.ResponseWriter, r *http.Request) {
		control := http.NewResponseController(w)
		_ = control.EnableFullDuplex() // only HTTP/1.1 needs it and knows it
		_ = control.Flush()            // lets the client's call return
		ended <- handle(w, r)
	}, listen.Options{CallLimit: callLimit})
	client := newClient(t, transport, srv.config)
	body, feed := io.Pipe()
	t.Cleanup(func() { _ = feed.Close() })
	req, _ := http.NewRequestWithContext(t.Context(), http.MethodPost, client.URL(srv.addr), body)
	res, err := client.HTTP.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = res.Body.Close() })
	return ended
}

// TestCallLimitLeavesConnectionsUsable makes a call on each connection after it
// has idled for longer than a call lasts before it is cut.
func TestCallLimitLeavesConnectionsUsable(t *testing.T) {
	t.Parallel()
	call := make(map[string]func() error)
	for _, transport := range transports {
		srv := start(t, transport, func(http.ResponseWriter, *http.Request) {}, listen.Options{CallLimit: callLimit})
		client := newClient(t, transport, srv.config)
		call[transport] = func() error {
			_, _, err := get(t, client, srv.addr)
			if opened := client.Connections(); opened > 1 {
				return fmt.Errorf("opened %d connections: a deadline closed the first", opened)
			}
			return err
		}
		if err := call[transport](); err != nil {
			t.Fatalf("%s: first call: %v", transport, err)
		}
	}
	time.Sleep(callLimit + 1500*time.Millisecond) // the deadlines themselves are what is waited for
	for transport, again := range call {
		if err := again(); err != nil {
			t.Errorf("%s: second call: %v", transport, err)
		}
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

// TestCallLimitIsNoDeadline has a handler ask for its deadline.
func TestCallLimitIsNoDeadline(t *testing.T) {
	for _, transport := range transports {
		t.Run(transport, func(t *testing.T) {
			srv := start(t, transport, func(w http.ResponseWriter, r *http.Request) {
				_, ok := r.Context().Deadline()
				_, _ = fmt.Fprint(w, ok)
			}, listen.Options{CallLimit: callLimit})
			if body, _, err := get(t, newClient(t, transport, srv.config), srv.addr); err != nil || body != "false" {
				t.Errorf("the handler sees a deadline: %s, %v", body, err)
			}
		})
	}
}
