//go:build clients

package conformance_test

import (
	"context"
	"encoding/xml"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/greet/internal/dial"
	"example.com/greet/internal/h2"
	"example.com/greet/internal/listen"
	"example.com/greet/internal/stack"
)

// TestH2Spec holds each HTTP/2 that serves here to h2spec
// (https://github.com/summerwind/h2spec), which tests the rules of RFC 7540 and 7541. The
// cases that fail are those of h2specFailures, no more and no fewer, and the server
// answers as before afterwards. Servers of package http have a handler that reads and then
// answers: one that refuses early hides some faults of a request.
//
//	make h2spec
func TestH2Spec(t *testing.T) {
	suite := tool(t, "h2spec", "h2spec")
	for _, server := range http2Servers {
		t.Run(server.name, func(t *testing.T) {
			t.Parallel()
			addr, trust := serveInTest(t, server.serve)
			if !server.secure {
				trust = nil
			}
			got := runH2Spec(t, suite, addr, server.secure)
			if diff := cmp.Diff(h2specFailures(server.name), got); diff != "" {
				t.Errorf("failures (-want +got):\n%s", diff)
			}
			transport := map[bool]string{false: stack.H2C, true: stack.H2}[server.secure]
			client, err := dial.HTTP(transport, dial.Options{TLS: trust})
			if err != nil {
				t.Fatal(err)
			}
			defer client.Close()
			res, err := client.HTTP.Get(client.URL(addr))
			if err != nil {
				t.Fatalf("the next request: %v", err)
			}
			res.Body.Close()
		})
	}
}

// http2Servers are the listeners of the server command, with both of their HTTP/2, and the
// package that the floor stack's server is made of.
var http2Servers = []struct {
	name   string
	secure bool
	serve  serveFunc
}{
	{"connect", false, serveReader(false, false)},
	{"tls", true, serveReader(true, false)},
	{"connect fast", false, serveReader(false, true)},
	{"tls fast", true, serveReader(true, true)},
	{"grpc", false, func(ctx context.Context, socket listen.Socket, o stack.ServeOptions) error {
		o.TLS = nil
		return serveGRPC(ctx, socket, o)
	}},
	{"floor", false, func(ctx context.Context, socket listen.Socket, _ stack.ServeOptions) error {
		return serveH2(ctx, socket.TCP)
	}},
}

// response is long enough for windows to matter.
const response = "a response of more than a few bytes"

// serveReader serves a handler that reads a request to its end and then answers.
func serveReader(secure, fast bool) serveFunc {
	return func(ctx context.Context, socket listen.Socket, o stack.ServeOptions) error {
		if !secure {
			o.TLS = nil
		}
		o.FastHTTP2 = fast
		return listen.ServeHTTP(ctx, socket, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if _, err := io.Copy(io.Discard, r.Body); err != nil {
				return
			}
			_, _ = io.WriteString(w, response)
		}), stack.AllHTTP(o))
	}
}

// serveH2 does the same by package h2.
func serveH2(ctx context.Context, l net.Listener) error {
	defer context.AfterFunc(ctx, func() { _ = l.Close() })()
	for {
		conn, err := l.Accept()
		if err != nil {
			return nil // closed
		}
		served := h2.NewServer(conn, reader{}, 100)
		stop := context.AfterFunc(ctx, served.Close)
		go func() {
			defer stop()
			_ = served.Run() // the suite knows how it ended
		}()
	}
}

// reader is an h2.Handler that answers each request once it is whole.
type reader struct{}

func (reader) Headers(s *h2.Stream, _ *h2.Header, end bool) { answerAt(s, end) }

func (reader) Data(s *h2.Stream, p []byte, end bool) {
	s.Consumed(len(p))
	answerAt(s, end)
}

func answerAt(s *h2.Stream, end bool) {
	if end {
		s.Headers(h2.NewBlock(h2.Field{Name: ":status", Value: "200"}), nil, false)
		s.Write([]byte(response), true)
	}
}

func (reader) Writable(*h2.Stream)       {}
func (reader) Expired(*h2.Stream)        {}
func (reader) Closed(*h2.Stream, h2.End) {}
func (reader) Changed(*h2.Conn)          {}
func (reader) Ended(*h2.Conn, error)     {}

// h2specParts are parts of the suite that run at the same time: most of what a case takes
// is waiting for what a server does not do.
var h2specParts = []string{"generic", "hpack", "http2/3", "http2/4", "http2/5", "http2/6", "http2/7", "http2/8"}

// runH2Spec returns the cases that failed or were skipped, by section and description, in
// order.
func runH2Spec(t *testing.T, suite, addr string, secure bool) []string {
	t.Helper()
	_, port, err := net.SplitHostPort(addr)
	if err != nil {
		t.Fatal(err)
	}
	reports := make([]h2specReport, len(h2specParts))
	var running sync.WaitGroup
	for i, part := range h2specParts {
		file := filepath.Join(t.TempDir(), "report.xml")
		args := []string{part, "-p", port, "-j", file}
		if secure {
			args = append(args, "-t", "-k")
		}
		running.Go(func() {
			// Its exit status says that some case failed, which the report says too.
			out, _ := exec.CommandContext(t.Context(), suite, args...).CombinedOutput()
			t.Logf("%s", out)
			if err := reports[i].read(file); err != nil {
				t.Errorf("read the report of %s: %v", part, err)
			}
		})
	}
	running.Wait()
	cases, failed := 0, []string(nil)
	for _, r := range reports {
		n, f := r.failures()
		cases, failed = cases+n, append(failed, f...)
	}
	if cases != h2specCases {
		t.Errorf("h2spec ran %d cases, want %d", cases, h2specCases)
	}
	slices.Sort(failed)
	return failed
}

// h2specCases is how many cases h2spec v2.2.1 has.
const h2specCases = 145

// h2specReport is what is used of h2spec's report in the form of JUnit.
type h2specReport struct {
	Suites []struct {
		Cases []struct {
			Section     string    `xml:"package,attr"`
			Description string    `xml:"classname,attr"`
			Failed      *string   `xml:"error"`
			Skipped     *struct{} `xml:"skipped"`
		} `xml:"testcase"`
	} `xml:"testsuite"`
}

func (r *h2specReport) read(file string) error {
	encoded, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	return xml.Unmarshal(encoded, r)
}

func (r *h2specReport) failures() (cases int, failed []string) {
	for _, suite := range r.Suites {
		for _, c := range suite.Cases {
			cases++
			if c.Failed != nil && !wasClosed(*c.Failed) || c.Skipped != nil {
				failed = append(failed, c.Section+": "+c.Description)
			}
		}
	}
	return cases, failed
}

// wasClosed reports whether a case failed because the connection was closed, as it should,
// and some bytes were left that nobody had read. Linux then resets it, which h2spec does
// not take for a close.
func wasClosed(failure string) bool {
	return strings.Contains(failure, "Connection closed") && strings.Contains(failure, "connection reset by peer")
}
