package hardening_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	greetv1 "example.com/greet/gen/greet/v1"
	"example.com/greet/internal/greet"
	"example.com/greet/internal/stack"
)

// faultyNetwork names, in the environment of a process with a network of its own, which of
// networkFaults it is to test.
const faultyNetwork = "GREET_TEST_NETWORK"

var networkFaults = map[string]struct {
	link faults
	test func(t *testing.T, l *link, clients map[string]faultyClient)
}{
	"delay":   {faults{delay: 100 * time.Millisecond}, wantCallsEndWell},
	"loss":    {faults{delay: 5 * time.Millisecond, loss: 0.05}, wantCallsEndWell},
	"reorder": {faults{delay: 20 * time.Millisecond, reorder: 0.25}, wantCallsEndWell},
	"all":     {faults{delay: 100 * time.Millisecond, loss: 0.05, reorder: 0.25}, wantCallsEndWell},
	"cut":     {faults{delay: 5 * time.Millisecond}, wantSurvivedCut},
}

// TestNetworkFaults calls built servers over a network that delays packets, loses them,
// has some overtake others, or is cut for five seconds in the middle of streams. Every
// call must end well, or with the right code at its deadline.
func TestNetworkFaults(t *testing.T) {
	if name := os.Getenv(faultyNetwork); name != "" {
		testNetworkFault(t, name)
		return
	}
	t.Parallel()
	for name := range networkFaults {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestNetworkFaults$", "-test.v")
			cmd.Env = append(os.Environ(), faultyNetwork+"="+name, builtServer+"="+serverBinary)
			cmd.SysProcAttr = &syscall.SysProcAttr{
				Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWNET,
				UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}},
				GidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}},
			}
			out, err := cmd.CombinedOutput()
			switch {
			case errors.Is(err, os.ErrPermission):
				t.Skipf("a network of one's own is not permitted here: %v", err)
			case err != nil:
				t.Fatalf("%v\n%s", err, out)
			case bytes.Contains(out, []byte("--- SKIP")):
				t.Skipf("%s", out)
			}
			t.Logf("%s", out)
		})
	}
}

// faultyClient is a client beyond a link.
type faultyClient struct {
	stack.Client
	stack stack.Stack
}

func testNetworkFault(t *testing.T, name string) {
	l := newLink(t, networkFaults[name].link)
	startCommand = l.startFar
	servers := map[bool]*restarted{
		false: newRestarted(t, farEnd.String(), "net/http"),
		true:  newRestarted(t, farEnd.String(), "fast"),
	}
	clients := make(map[string]faultyClient)
	for _, s := range stacks(t) {
		clients[s.Name.String()] = faultyClient{servers[s.Name.Has(stack.FastHTTP2)].client(t, s), s}
	}
	networkFaults[name].test(t, l, clients)
}

// forAll runs do for each client at the same time.
func forAll(t *testing.T, clients map[string]faultyClient, do func(c faultyClient) error) {
	t.Helper()
	var calling sync.WaitGroup
	for name, c := range clients {
		calling.Go(func() {
			if err := do(c); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		})
	}
	calling.Wait()
}

// wantCallsEndWell makes calls in each mode, large ones among them.
func wantCallsEndWell(t *testing.T, _ *link, clients map[string]faultyClient) {
	forAll(t, clients, func(c faultyClient) error {
		ctx, cancel := context.WithTimeout(t.Context(), patience)
		defer cancel()
		for _, m := range c.stack.Modes() {
			if err := makeCall(ctx, c, m); err != nil {
				return fmt.Errorf("%s: %w", m, err)
			}
		}
		return largeCall(ctx, c, 64<<10)
	})
}

// wantSurvivedCut cuts the link while streams are open. A call that has less time than
// the cut takes ends at its deadline, and the streams go on afterwards.
func wantSurvivedCut(t *testing.T, l *link, clients map[string]faultyClient) {
	const long, deadline = 5 * time.Second, 2 * time.Second
	ctx, cancel := context.WithTimeout(t.Context(), long+patience)
	defer cancel()
	ends := make(map[string]func() error)
	for name, c := range clients {
		ends[name] = openCount(ctx, t, c)
	}
	l.cut.Store(true)
	healed := time.AfterFunc(long, func() { l.cut.Store(false) })
	defer healed.Stop()
	begun := time.Now()
	forAll(t, clients, func(c faultyClient) error {
		ctx, cancel := context.WithTimeout(ctx, deadline)
		defer cancel()
		err := wantCode(makeCall(ctx, c, greet.Unary), greet.CodeDeadlineExceeded)
		if took := time.Since(begun); took > deadline+slack {
			err = errors.Join(err, fmt.Errorf("back after %v, want %v", took, deadline))
		}
		return err
	})
	forAll(t, clients, func(c faultyClient) error { return ends[c.stack.Name.String()]() })
	if took := time.Since(begun); took < long {
		t.Errorf("the streams ended after %v, while the link was cut", took)
	}
}

// openCount sends a message of a stream over a connection that is up, and returns what
// sends another and ends it.
func openCount(ctx context.Context, t *testing.T, c faultyClient) (end func() error) {
	t.Helper()
	if err := makeCall(ctx, c, greet.Unary); err != nil {
		t.Fatalf("%s: %v", c.stack.Name, err)
	}
	count, err := c.GreetCount(ctx)
	send := func() error { return count.Send(&greetv1.GreetCountRequest{Name: strings.Repeat("x", 100)}) }
	if err == nil {
		err = send()
	}
	if err != nil {
		t.Fatalf("%s: %v", c.stack.Name, err)
	}
	return func() error {
		if err := send(); err != nil {
			return err
		}
		reply, err := count.CloseAndReceive()
		if err == nil && reply.GetCount() != 2 {
			err = fmt.Errorf("the server counted %d, want 2", reply.GetCount())
		}
		return err
	}
}
