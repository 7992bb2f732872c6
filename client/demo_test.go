package main

import (
	"regexp"
	"strings"
	"sync"
	"testing"
)

// TestDemos shows each demo in every way. Apart from figures that depend on how
// fast things went, all ways print the same. TestDemoFlowControl has the demo that does not.
func TestDemos(t *testing.T) {
	want := map[string]*regexp.Regexp{
		"errors": regexp.MustCompile(`^--- errors: .* ---
\[client\] asking for -1 greetings
\[client\] code: invalid_argument
\[client\] text: count must be between 0 and 100000, got -1
\[client\] detail: field "count": count must be between 0 and 100000, got -1
$`),
		"deadline": regexp.MustCompile(`^--- deadline: .* ---
\[client\] asking for 100000 greetings within 1s, and reading one every 100ms
\[client\] (1 greeting|\d+ greetings) came
\[client\] then: deadline_exceeded
$`),
		"cancel": regexp.MustCompile(`^--- cancel: .* ---
\[client\] asking for 100000 greetings
\[client\] 3 greetings came; that is enough
\[client\] then: canceled
\[server\] canceled after receiving 1 and sending \d+ messages
$`),
		"metadata": regexp.MustCompile(`^--- metadata: .* ---
\[client\] request header greet-echo: hello
\[server\] response header greet-echo: hello
\[server\] response trailer greet-echo-trailer: hello
$`),
	}
	s := startServer(t)
	for name := range want {
		t.Run(name, func(t *testing.T) {
			var running sync.WaitGroup // all at once: one of them takes a second
			for _, way := range ways() {
				running.Go(func() {
					code, out, errs := command(t, append(s.args(way), "--demo", name)...)
					if code != exitOK || errs != "" || !want[name].MatchString(out) {
						t.Errorf("%s: got %d, stderr %q, stdout:\n%s\nwant 0, nothing, and:\n%v", way, code, errs, out, want[name])
					}
				})
			}
			running.Wait()
		})
	}
}

// TestDemoFlowControl shows it over each transport and with each library; protocols do
// not differ in it.
func TestDemoFlowControl(t *testing.T) {
	want := regexp.MustCompile(`^--- flow-control: .* ---
\[client\] asking for 100,000 greetings of 1 kB, and reading none of them
(\[wire\] the window was ([\d,]+) bytes; the server sent ([\d,]+), and stands still
((\[client\] read \d+ greetings
\[wire\] (WINDOW_UPDATE|MAX_STREAM_DATA) \+[\d,]+ bytes, in \d+ frames?, \d+ ms after the server's last byte
\[wire\] the server sent [\d,]+ bytes more, and stands still
){3})|\[wire\] HTTP/1.1 has no windows; TCP has one, in packets that a program does not see
)\[client\] giving up after \d+ greetings
\[server\] canceled after receiving 1 and sending \d+ messages
\[client\] [\d,]+ greetings waited in the window and in buffers; the other [\d,]+ were never made
$`)
	s := startServer(t)
	for _, way := range []string{"connect-go/connect/h1", "connect-go/connect/h2c", "grpc-go/grpc/h2c", "connect-go/grpcweb/h2", "connect-go/grpc/h3"} {
		t.Run(way, func(t *testing.T) {
			code, out, errs := command(t, append(s.args(way), "--demo", flowControl)...)
			if code != exitOK || errs != "" || !want.MatchString(out) {
				t.Errorf("got %d, stderr %q, stdout:\n%s\nwant 0, nothing, and:\n%v", code, errs, out, want)
			}
			checkFlow(t, way, out)
		})
	}
}

var (
	firstWindow = regexp.MustCompile(`the window was ([\d,]+) bytes; the server sent ([\d,]+),`)
	flowStep    = regexp.MustCompile(`(WINDOW_UPDATE|MAX_STREAM_DATA) \+([\d,]+) bytes.*\n\[wire\] the server sent ([\d,]+) bytes more`)
)

// checkFlow wants that the server sent all that the windows allowed, and not a byte
// more.
func checkFlow(t *testing.T, way, out string) {
	t.Helper()
	h1, quic := strings.HasSuffix(way, "/h1"), strings.HasSuffix(way, "/h3")
	windows := firstWindow.FindAllStringSubmatch(out, -1)
	if h1 != (len(windows) == 0) {
		t.Errorf("%s: %d windows in:\n%s", way, len(windows), out)
	}
	for _, m := range windows {
		if m[1] != m[2] {
			t.Errorf("%s: the first window is not what the server sent: %s", way, m[0])
		}
	}
	for _, step := range flowStep.FindAllStringSubmatch(out, -1) {
		if step[2] != step[3] || (step[1] == "MAX_STREAM_DATA") != quic {
			t.Errorf("%s: not what flow control does: %s", way, step[0])
		}
	}
}

// TestDemoDeadlineIsTheTimeout gives the call less than the demo would.
func TestDemoDeadlineIsTheTimeout(t *testing.T) {
	s := startServer(t)
	code, out, errs := command(t, "--demo", "deadline", "--timeout", "700ms", "--addr", s.connect)
	if code != exitOK || !strings.Contains(out, "within 700ms,") {
		t.Errorf("got %d, stderr %q, stdout:\n%s\nwant 0 and a deadline of 700ms", code, errs, out)
	}
}

func TestDemoWithoutServer(t *testing.T) {
	for name := range demos {
		code, out, errs := command(t, "--demo", name, "--addr", closedPort(t))
		if code != exitFailed || out != "" || !strings.Contains(errs, "no server answers") {
			t.Errorf("%s: got %d, stdout %q, stderr %q; want 1, nothing and that there is no server", name, code, out, errs)
		}
	}
}
