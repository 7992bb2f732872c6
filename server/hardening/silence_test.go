package hardening_test

import (
	"context"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"example.com/greet/internal/dial"
	"example.com/greet/internal/greet"
	"example.com/greet/internal/stack"
)

// TestDeadlineOfASilentClient has clients that open a stream with a deadline,
// send one message and then nothing, and that never give up by themselves. The
// server must end the call at the deadline.
func TestDeadlineOfASilentClient(t *testing.T) {
	t.Parallel()
	for _, s := range stacks(t) {
		for _, m := range s.Modes() {
			if m != greet.ClientStream && m != greet.Bidi {
				continue
			}
			t.Run(s.Name.String()+" "+string(m), func(t *testing.T) {
				t.Parallel()
				r := &rude{handle: readToEnd}
				srv := serveRude(t, s, r, stack.ServeOptions{CallLimit: patience})
				const deadline = "50"
				got := srv.callAndFallSilent(t, s, m, deadline)
				if s.Name.Library != grpcLibrary && !strings.Contains(got, "deadline_exceeded") && !strings.Contains(got, "grpc-status 4") {
					t.Errorf("got %q, want deadline_exceeded", got)
				}
				// The figure is 100 ms.
				eventually(t, 100*time.Millisecond+slack, "no handler is live", func() bool { return r.live.Load() == 0 })
				if r.most.Load() != 1 {
					t.Error("no call reached a handler")
				}
			})
		}
	}
}

// readToEnd is a handler that watches no context.
func readToEnd(_ context.Context, c call) error {
	for {
		if err := c.receive(); err != nil {
			return err
		}
	}
}

// callAndFallSilent opens a stream in the stack's protocol with a deadline in
// milliseconds, sends a message, and returns what the server said at the end.
func (s served) callAndFallSilent(t *testing.T, of stack.Stack, m greet.Mode, deadline string) string {
	t.Helper()
	client, err := dial.HTTP(of.Name.Transport, dial.Options{TLS: s.trust})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	body, feed := io.Pipe()
	defer feed.Close()
	go func() { _, _ = feed.Write(emptyMessage) }() // it fails if the call has ended before
	path := map[greet.Mode]string{greet.ClientStream: countPath, greet.Bidi: chatPath}[m]
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, client.URL(s.addr)+path, body)
	if err != nil {
		t.Fatal(err)
	}
	req.Header = headerWithDeadline(of.Name.Protocol, deadline)
	res, err := client.HTTP.Do(req)
	if err != nil {
		return err.Error()
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		return err.Error()
	}
	return response{res.StatusCode, res.Header, res.Trailer, string(text)}.text()
}

func headerWithDeadline(protocol, millis string) http.Header {
	if protocol == stack.Connect {
		return http.Header{"Content-Type": {"application/connect+proto"}, "Connect-Timeout-Ms": {millis}}
	}
	contentType := map[string]string{stack.GRPC: "application/grpc", stack.GRPCWeb: "application/grpc-web"}[protocol]
	return http.Header{"Content-Type": {contentType}, "Grpc-Timeout": {millis + "m"}, "Te": {"trailers"}}
}
