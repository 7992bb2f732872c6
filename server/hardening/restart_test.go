package hardening_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"example.com/greet/internal/greet"
	"example.com/greet/internal/listen"
	"example.com/greet/internal/stack"
)

// endurance gives the tests that want much time all of it.
var endurance = os.Getenv("GREET_ENDURANCE") != ""

// TestRollingRestart restarts two servers in turn while clients call them, in every mode
// and over each transport. A client that finds a server unavailable tries the other one,
// and no call may fail beyond that. As an operator would, it restarts a server only once
// the other has answered every client: grpc-go waits a second or two before it dials
// a server again that was gone.
//
//	make restarts
func TestRollingRestart(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only Linux has more than one loopback address")
	}
	t.Parallel()
	restarts := 4
	if endurance {
		restarts = 20
	}
	// Addresses of their own, so that no client's connection takes a port meanwhile.
	servers := []*restarted{newRestarted(t, "127.0.0.2", "net/http"), newRestarted(t, "127.0.0.3", "fast")}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var calling sync.WaitGroup
	var callers []*caller
	for _, s := range stacks(t) {
		c := &caller{both: [2]stack.Client{servers[0].client(t, s), servers[1].client(t, s)}}
		callers = append(callers, c)
		calling.Go(func() {
			if err := c.callUntil(ctx, s); err != nil {
				t.Errorf("%s: %v", s.Name, err)
			}
		})
	}
	for i := range restarts {
		servers[i%2].restart(t)
		awaitAnswers(t, callers, i%2)
	}
	stop()
	calling.Wait()
	var made, retried int64
	for _, c := range callers {
		made, retried = made+c.answered[0].Load()+c.answered[1].Load(), retried+c.retried.Load()
	}
	t.Logf("%d calls, %d of them tried again", made, retried)
	if retried == 0 {
		t.Error("no call met a server that was going away")
	}
}

// awaitAnswers waits until a server has answered every client anew.
func awaitAnswers(t *testing.T, callers []*caller, server int) {
	t.Helper()
	for _, c := range callers {
		before := c.answered[server].Load()
		eventually(t, patience, "the server that came back answers every client", func() bool {
			return t.Failed() || c.answered[server].Load() > before
		})
	}
}

// restarted is a server that comes back at the same addresses.
type restarted struct {
	*serverProcess
	flags []string
}

func newRestarted(t *testing.T, host, http2 string) *restarted {
	t.Helper()
	cert, err := listen.SelfSigned(host)
	if err != nil {
		t.Fatal(err)
	}
	certFile, keyFile := filepath.Join(t.TempDir(), "cert.pem"), filepath.Join(t.TempDir(), "key.pem")
	if err := errors.Join(listen.WritePEM(certFile, cert), listen.WriteKeyPEM(keyFile, cert)); err != nil {
		t.Fatal(err)
	}
	r := &restarted{flags: []string{"--cert=" + certFile, "--key=" + keyFile, "--http2=" + http2}}
	r.serverProcess = runServer(t, certFile, append(r.flags, "--connect="+host+":0", "--tls="+host+":0", "--grpc="+host+":0")...)
	for label, addr := range r.addr {
		r.flags = append(r.flags, fmt.Sprintf("--%s=%s", label, addr))
	}
	return r
}

// restart stops the server as an operator does, and starts it again once it has ended.
func (r *restarted) restart(t *testing.T) {
	t.Helper()
	r.signal(t, syscall.SIGTERM)
	if err := r.wantExit(t, patience); err != nil {
		t.Errorf("exit: %v, want code 0\n%s", err, r.log)
	}
	r.serverProcess = runServer(t, r.flags[0][len("--cert="):], r.flags...)
}

// caller calls two servers.
type caller struct {
	both     [2]stack.Client
	answered [2]atomic.Int64
	retried  atomic.Int64
}

// callUntil makes one call after another, in each of the stack's modes, until ctx is done.
func (c *caller) callUntil(ctx context.Context, s stack.Stack) error {
	for i := 0; ctx.Err() == nil; i++ {
		if err := c.call(i, modeOf(s, i/2)); err != nil {
			return fmt.Errorf("%s: %w", modeOf(s, i/2), err)
		}
	}
	return nil
}

// call makes a call to one server, and to the other while it is unavailable, with pauses.
func (c *caller) call(first int, m greet.Mode) error {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	for pause := 10 * time.Millisecond; ; pause *= 2 {
		for _, server := range []int{first % 2, (first + 1) % 2} {
			err := makeCall(ctx, c.both[server], m)
			if err == nil {
				c.answered[server].Add(1)
			}
			if greet.CodeOf(err) != greet.CodeUnavailable || pause > time.Second {
				return err
			}
			c.retried.Add(1)
		}
		time.Sleep(pause)
	}
}
