package bare

import (
	"context"
	"fmt"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"example.com/greet/benchmark/internal/calls"
	"example.com/greet/benchmark/internal/load"
	"example.com/greet/internal/greet"
	"example.com/greet/internal/stack"
)

// works are calls in each mode, small and large.
var works = map[string]calls.Work{
	"unary":               {Mode: greet.Unary, Payload: 16, Messages: 1},
	"unary of 2 MiB":      {Mode: greet.Unary, Payload: 2 << 20, Messages: 1},
	"empty name":          {Mode: greet.Unary, Messages: 1},
	"server stream":       {Mode: greet.ServerStream, Payload: 1 << 10, Messages: 200},
	"large server stream": {Mode: greet.ServerStream, Payload: 1 << 20, Messages: 3},
	"client stream":       {Mode: greet.ClientStream, Payload: 16, Messages: 10},
	"long client stream":  {Mode: greet.ClientStream, Payload: 1 << 10, Messages: 2000},
	"large client stream": {Mode: greet.ClientStream, Payload: 1 << 20, Messages: 3},
	"ping-pong":           {Mode: greet.Bidi, Payload: 1 << 10, Messages: 50, Numbered: true, InTurn: true},
	"large ping-pong":     {Mode: greet.Bidi, Payload: 1 << 20, Messages: 3, Numbered: true, InTurn: true},
	"flood":               {Mode: greet.Bidi, Payload: 1 << 10, Messages: 3000, Numbered: true},
	"large flood":         {Mode: greet.Bidi, Payload: 1 << 20, Messages: 5, Numbered: true},
}

func driverOf(t *testing.T, addr string, w calls.Work) *Driver {
	t.Helper()
	d, err := NewDriver(addr, w)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	return d
}

// TestDriverModes has the server called in each mode, by one call and by several at a
// time, over one connection and over several.
func TestDriverModes(t *testing.T) {
	addr := serving(t)
	for what, w := range works {
		for _, concurrency := range []int{1, 5} {
			for _, drawn := range []bool{false, true} {
				t.Run(fmt.Sprintf("%s/%d/drawn %v", what, concurrency, drawn), func(t *testing.T) {
					w.Drawn, w.Connections = drawn, min(2, concurrency)
					checkMode(t, driverOf(t, addr, w), w, concurrency)
				})
			}
		}
	}
}

// checkMode makes calls, twice over the same connections, and looks at what the driver
// says of them.
func checkMode(t *testing.T, d *Driver, w calls.Work, concurrency int) {
	t.Helper()
	n := int64(2 * concurrency)
	for range 2 {
		record := calls.Record{First: load.NewTimes(), Gap: load.NewTimes(), Trip: load.NewTimes()}
		if concurrency == 1 {
			record.InFlight = new(calls.InFlight)
		}
		got, err := load.Run(t.Context(), d.Recording(record), load.Plan{Concurrency: concurrency, Calls: n, Deadline: 20 * time.Second})
		if err != nil || got.Calls != n || got.Failures() > 0 || got.Latency.TotalCount() != n {
			t.Fatalf("got %d calls, errors %v %q, %v, want %d calls", got.Calls, got.Errors, got.Text, err, n)
		}
		sent, received := messages(w)
		if varies := w.Drawn && w.Mode == greet.ClientStream; !varies && got.Sent != n*sent || got.Received != n*received {
			t.Errorf("%d messages sent and %d received, want %d and %d", got.Sent, got.Received, n*sent, n*received)
		}
		if first, gaps := record.First.Histogram().TotalCount(), record.Gap.Histogram().TotalCount(); first != n || gaps != n*(received-1) {
			t.Errorf("%d times of first messages and %d gaps, want %d and %d", first, gaps, n, n*(received-1))
		}
		if in := record.InFlight; in != nil && w.InTurn && in.Most() != 1 {
			t.Errorf("up to %d messages in flight, want 1", in.Most())
		}
	}
	if want := int64(w.Connections); d.Connections() != want {
		t.Errorf("%d connections, want %d", d.Connections(), want)
	}
}

// messages are those that a call sends and receives.
func messages(w calls.Work) (sent, received int64) {
	n := int64(w.Messages)
	switch w.Mode {
	case greet.ServerStream:
		return 1, n
	case greet.ClientStream:
		return n, 1
	case greet.Bidi:
		return n, n
	}
	return 1, 1
}

var small = calls.Work{Mode: greet.Unary, Payload: 3, Messages: 1, Connections: 2}

func TestDriverOpenLoop(t *testing.T) {
	plan := load.Plan{Concurrency: 16, Rate: 2000, Window: 250 * time.Millisecond, Deadline: 5 * time.Second}
	got, err := load.Run(t.Context(), driverOf(t, serving(t), small), plan)
	if err != nil || got.Calls < 500 || got.Calls > 1000 || got.Failures() > 0 {
		t.Errorf("got %d calls, errors %v, %v, want 500, and those that came while the last was in flight", got.Calls, got.Errors, err)
	}
	if got.Window < 240*time.Millisecond {
		t.Errorf("the calls took %v, want to begin over 250ms", got.Window)
	}
}

func TestDriverWithoutServer(t *testing.T) {
	got, _ := load.Run(t.Context(), driverOf(t, deaf(t, nil), small), load.Plan{Concurrency: 4, Calls: 10, Deadline: time.Second})
	if got.Errors["unavailable"] != 10 || got.Calls != 0 {
		t.Errorf("got %d calls and errors %v, want 10 unavailable", got.Calls, got.Errors)
	}
}

// deaf is a server that says to each connection what it is given, whatever comes, and no
// more. Given nil, it is not there.
func deaf(t *testing.T, says []byte) (addr string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	if says == nil {
		l.Close()
		return l.Addr().String()
	}
	ended := make(chan struct{})
	t.Cleanup(func() {
		l.Close()
		<-ended
	})
	go func() {
		defer close(ended)
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				_, _ = io.ReadFull(conn, make([]byte, 8)) // the mode and the first request, or some of it
				_, _ = conn.Write(says)
				_, _ = io.Copy(io.Discard, conn)
			}()
		}
	}()
	return l.Addr().String()
}

// TestDriverNamesFailures of a server that says what it should not.
func TestDriverNamesFailures(t *testing.T) {
	chat := calls.Work{Mode: greet.Bidi, Payload: 3, Messages: 2, Connections: 1, InTurn: true}
	flood := chat
	flood.InTurn = false
	hi := appendMessage(nil, greet.Hi("xxx"))
	count := calls.Work{Mode: greet.ClientStream, Payload: 1 << 20, Messages: 30, Connections: 1}
	for _, test := range []struct {
		what       string
		work       calls.Work
		says       []byte
		code, text string
	}{
		{"another greeting", small, appendMessage(nil, "Hello, rob!"), "wrong_reply", "rob"},
		{"a large wrong one", small, appendMessage(nil, strings.Repeat("x", 300_000)), "wrong_reply", "300000 bytes"},
		{"an end in place of a greeting", small, appendEnd(nil), "wrong_reply", "an end"},
		{"a greeting too large", small, []byte{0x7f, 0xff, 0xff, 0xff}, "unavailable", "at most"},
		{"an early end", flood, appendEnd(append([]byte{}, hi...)), "wrong_reply", "an end"},
		{"a greeting before its request", chat, append(hi, hi...), "unavailable", "none before its request"},
		{"a count before the end", count, appendWord(appendWord(nil, prefix), 30), "wrong_reply", "none before its request"},
		{"nothing", small, []byte{}, "deadline_exceeded", "deadline"},
	} {
		d := driverOf(t, deaf(t, test.says), test.work)
		got, err := load.Run(t.Context(), d, load.Plan{Concurrency: 1, Calls: 1, Deadline: 300 * time.Millisecond})
		if err != nil || got.Calls != 0 || got.Errors[test.code] != 1 || !strings.Contains(got.Text, test.text) {
			t.Errorf("%s: got %d calls, errors %v, %q, %v, want %q, %q", test.what, got.Calls, got.Errors, got.Text, err, test.code, test.text)
		}
	}
}

func TestDriverInterrupted(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	got, err := load.Run(ctx, driverOf(t, deaf(t, []byte{}), small), load.Plan{Concurrency: 8, Calls: 100, Deadline: time.Minute})
	if err != load.ErrInterrupted || got.Failures() > 0 || got.Calls > 0 {
		t.Errorf("got %d calls, errors %v, %v, want none, and an interruption", got.Calls, got.Errors, err)
	}
}

func TestDriverRefusesWhatItCannotDo(t *testing.T) {
	for what, w := range map[string]calls.Work{
		"no connections": {Mode: greet.Unary},
		"a large name":   {Mode: greet.Unary, Payload: stack.MaxMessageBytes, Connections: 1},
		"headers":        {Mode: greet.Unary, Headers: 1, Connections: 1},
		"a refusal":      {Mode: greet.ServerStream, Refused: true, Connections: 1},
	} {
		if _, err := NewDriver("127.0.0.1:1", w); err == nil {
			t.Errorf("%s: got no error", what)
		}
	}
}
