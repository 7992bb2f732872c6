package hardening_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/prometheus/procfs"

	greetv1 "example.com/greet/gen/greet/v1"
	"example.com/greet/internal/greet"
	"example.com/greet/internal/stack"
)

// TestSoak calls the built server at full load, on every listener, in ways that end well
// and in ways that do not. Each call must end as it was made to, and afterwards the
// server must hold no more than after its first seconds.
//
//	make soak
func TestSoak(t *testing.T) {
	long := 12 * time.Second
	if endurance {
		long = 10 * time.Minute
	}
	servers := map[bool]*serverProcess{
		false: startServer(t, "--http2=net/http", "--log-level=warn"),
		true:  startServer(t, "--http2=fast", "--log-level=warn"),
	}
	soak(t, servers, min(long/4, time.Minute)) // what any load needs
	before := make(map[bool]held)
	for fast, server := range servers {
		before[fast] = server.held(t)
	}
	made := soak(t, servers, long)
	t.Logf("%d calls in %v", made, long)
	for fast, server := range servers {
		server.wantFlat(t, before[fast])
	}
}

// soakers is how many callers each stack has. Two or three of them fill two processors.
const soakers = 2

// soak calls for some time, and returns how many calls it made.
func soak(t *testing.T, servers map[bool]*serverProcess, long time.Duration) (made int64) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), long)
	defer cancel()
	var calls atomic.Int64
	var soaking sync.WaitGroup
	for _, s := range stacks(t) {
		server := servers[s.Name.Has(stack.FastHTTP2)]
		for i := range soakers {
			soaking.Go(func() {
				k := &soaker{stack: s, dial: func() (stack.Client, error) {
					return s.Dial(server.addrOf(s.Name), stack.DialOptions{TLS: server.trust})
				}}
				if err := k.run(ctx, i); err != nil {
					t.Errorf("%s: %v", s.Name, err)
				}
				calls.Add(k.calls)
			})
		}
	}
	soaking.Wait()
	return calls.Load()
}

// soaker makes one call after another.
type soaker struct {
	stack  stack.Stack
	dial   func() (stack.Client, error)
	client stack.Client
	calls  int64
}

// run calls until ctx is done, by a new client for every few hundred calls. Its error is
// that of a call which ended in another way than it was made to.
func (k *soaker) run(ctx context.Context, first int) (err error) {
	const perClient = 300
	defer func() { _ = k.client.Close() }()
	for i := first; ctx.Err() == nil; i++ {
		if k.client == nil || i%perClient == 0 {
			if k.client != nil {
				_ = k.client.Close()
			}
			if k.client, err = k.dial(); err != nil {
				return err
			}
		}
		kind := soakKinds[i%len(soakKinds)]
		if err := k.call(kind, modeOf(k.stack, i/len(soakKinds))); err != nil {
			return fmt.Errorf("%s: %w", kind.name, err)
		}
		k.calls++
	}
	return nil
}

func (k *soaker) call(kind soakKind, m greet.Mode) error {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	return kind.call(ctx, k.client, m)
}

// soakKind is a way to make a call.
type soakKind struct {
	name string
	call func(ctx context.Context, c stack.Client, m greet.Mode) error
}

var soakKinds = []soakKind{
	{"plain", makeCall},
	{"many replies", manyReplies},
	{"plain", makeCall},
	{"large", func(ctx context.Context, c stack.Client, _ greet.Mode) error { return largeCall(ctx, c, 1<<20) }},
	{"plain", makeCall},
	{"too large", func(ctx context.Context, c stack.Client, _ greet.Mode) error {
		return wantCode(largeCall(ctx, c, 5<<20), greet.CodeResourceExhausted)
	}},
	{"cancelled", func(ctx context.Context, c stack.Client, _ greet.Mode) error {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		defer time.AfterFunc(2*time.Millisecond, cancel).Stop()
		return wantCode(sendUntilDone(ctx, c), greet.CodeCanceled)
	}},
	{"cancelled within replies", cancelledStream},
	{"expired", func(ctx context.Context, c stack.Client, _ greet.Mode) error {
		ctx, cancel := context.WithTimeout(ctx, 5*time.Millisecond)
		defer cancel()
		return wantCode(sendUntilDone(ctx, c), greet.CodeDeadlineExceeded)
	}},
}

// manyReplies reads a stream to its end.
func manyReplies(ctx context.Context, c stack.Client, _ greet.Mode) error {
	const replies = 500
	stream, err := c.GreetStream(ctx, &greetv1.GreetStreamRequest{Name: "x", Count: replies})
	if err != nil {
		return err
	}
	defer stream.Close()
	for i := 0; ; i++ {
		reply, err := stream.Receive()
		switch {
		case errors.Is(err, io.EOF) && i == replies:
			return nil
		case err != nil:
			return fmt.Errorf("after %d of %d replies: %w", i, replies, err)
		}
		if want := fmt.Sprintf("Hello #%d, x!", i+1); reply.GetGreeting() != want {
			return fmt.Errorf("got %q, want %q", reply.GetGreeting(), want)
		}
	}
}

// largeCall sends a name of that size and gets it back.
func largeCall(ctx context.Context, c stack.Client, size int) error {
	name := strings.Repeat("x", size)
	reply, err := c.Greet(ctx, &greetv1.GreetRequest{Name: name})
	if err == nil && reply.GetGreeting() != "Hello, "+name+"!" {
		err = fmt.Errorf("sent %d bytes and got %d others", size, len(reply.GetGreeting()))
	}
	return err
}

// sendUntilDone sends until the context ends.
func sendUntilDone(ctx context.Context, c stack.Client) error {
	count, err := c.GreetCount(ctx)
	for err == nil && ctx.Err() == nil {
		err = count.Send(&greetv1.GreetCountRequest{Name: "x"})
	}
	if count == nil {
		return err
	}
	_, err = count.CloseAndReceive()
	return err
}

// cancelledStream cancels between the first reply and the last of very many.
func cancelledStream(ctx context.Context, c stack.Client, _ greet.Mode) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	stream, err := c.GreetStream(ctx, &greetv1.GreetStreamRequest{Name: "x", Count: 100_000})
	if err != nil {
		return err
	}
	defer stream.Close()
	if _, err := stream.Receive(); err != nil {
		return err
	}
	cancel()
	return wantCode(toEnd(stream.Receive), greet.CodeCanceled)
}

// held is what a server holds while nobody calls.
type held struct {
	bytes       int64
	descriptors int
}

func (s *serverProcess) held(t *testing.T) (h held) {
	t.Helper()
	p, err := procfs.NewProc(s.cmd.Process.Pid)
	if err != nil {
		t.Fatal(err)
	}
	status, err := p.NewStatus()
	if err != nil {
		t.Fatal(err)
	}
	h.bytes = int64(status.VmRSS)
	if h.descriptors, err = p.FileDescriptorsLen(); err != nil {
		t.Fatal(err)
	}
	return h
}

// wantFlat fails the test if the server, which nobody calls any more, holds more than
// before. It ends the server, which tells of every goroutine as it goes.
func (s *serverProcess) wantFlat(t *testing.T, before held) {
	t.Helper()
	const (
		grown = 64 * mebi // large calls leave the collector more or less behind
		most  = 60        // goroutines of a server without connections, with room
	)
	settling := patience
	if endurance { // the runtime collects every two minutes, and then gives memory back
		settling = 4 * time.Minute
	}
	eventually(t, patience, "no more descriptors than before", func() bool { return s.held(t).descriptors <= before.descriptors })
	eventually(t, settling, "no more memory than before", func() bool { return s.held(t).bytes <= before.bytes+grown })
	now := s.held(t)
	s.signal(t, syscall.SIGQUIT)
	_ = s.wantExit(t, patience)
	goroutines := strings.Count(s.log.String(), "\ngoroutine ")
	if goroutines == 0 || goroutines > most {
		t.Errorf("the server has %d goroutines while nobody calls, want 1 to %d", goroutines, most)
	}
	t.Logf("held %d bytes before and %d after, %d descriptors, %d goroutines", before.bytes, now.bytes, before.descriptors, goroutines)
}
