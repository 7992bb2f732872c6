//go:build unix

package scenario

import (
	"context"
	"os"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"example.com/greet/benchmark/internal/calls"
	"example.com/greet/benchmark/internal/load"
	"example.com/greet/benchmark/internal/process"
	"example.com/greet/internal/stack"
)

// TestStallOfARealServer stops a server process for 2 s of 10, at no more than 10%
// of its capacity. Two open loops with different bounds on the calls in flight both show
// it: half of the calls that arrive in those 2 s wait for more than one, which is
// the tenth of all calls above the 90th percentile. The closed loop beside them
// has one call in flight, so one sample of its many thousands sees it.
func TestStallOfARealServer(t *testing.T) {
	if testing.Short() {
		t.Skip("takes 12 s")
	}
	t.Parallel()
	server, client := startProcess(t)
	// Both loops together have 10% of the capacity, or less: what was kept waiting
	// must be worked off soon also where many tests share the machine.
	rate := min(capacityOf(t, server)/10/2, 200)
	time.AfterFunc(4*time.Second, func() { _ = syscall.Kill(server.PID(), syscall.SIGSTOP) })
	time.AfterFunc(6*time.Second, func() { _ = syscall.Kill(server.PID(), syscall.SIGCONT) })

	call := unaryCall(client, strings.Repeat("x", small))
	plan := load.Plan{Window: 10 * time.Second, Deadline: 5 * time.Second}
	var loops sync.WaitGroup
	for _, bound := range []int{8, openBound} {
		loops.Go(func() {
			plan := plan
			plan.Rate, plan.Concurrency = rate, bound
			got := run(t, call, plan)
			p90, p99 := got.Latency.ValueAtQuantile(90), got.Latency.ValueAtQuantile(99)
			t.Logf("open loop, at most %d in flight, %.0f/s: p90 %v, p99 %v", bound, plan.Rate, time.Duration(p90), time.Duration(p99))
			if s := time.Duration(p90).Seconds(); s < 0.8 || s > 1.4 {
				t.Errorf("at most %d in flight: p90 %.2f s, want about 1", bound, s)
			}
			if s := time.Duration(p99).Seconds(); s < 1.8 || s > 2.6 {
				t.Errorf("at most %d in flight: p99 %.2f s, want about 2", bound, s)
			}
		})
	}
	loops.Go(func() {
		plan := plan
		plan.Concurrency = 1
		got := run(t, call, plan)
		p99 := time.Duration(got.Latency.ValueAtQuantile(99))
		t.Logf("closed loop, 1 in flight: p99 %v, max %v", p99, time.Duration(got.Latency.Max()))
		if p99.Seconds() > 0.5 || time.Duration(got.Latency.Max()).Seconds() < 1.8 {
			t.Errorf("closed loop: p99 %v, max %v, want the stall in one call only", p99, time.Duration(got.Latency.Max()))
		}
	})
	loops.Wait()
}

func run(t *testing.T, call load.Call, plan load.Plan) load.Tally {
	got, err := load.Run(t.Context(), call, plan)
	if err != nil || got.Failures() > 0 || got.Unsent > 0 {
		t.Errorf("errors %v (%s), %d unsent, %v, want none: no call waits for its deadline", got.Errors, got.Text, got.Unsent, err)
	}
	return got
}

// startProcess starts a server as a process of its own, and dials it.
func startProcess(t *testing.T) (*process.Server, stack.Client) {
	t.Helper()
	server, err := process.Start(context.Background(), process.Command{
		Name: "stalling", Argv: []string{os.Args[0], "serve", "{addr}"},
	})
	if err != nil {
		t.Fatal(err)
	}
	client, err := overGRPC().Dial(server.Addr(), stack.DialOptions{InFlight: openBound})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		client.Close()
		_ = server.Stop(5 * time.Second)
	})
	return server, client
}

func capacityOf(t *testing.T, server *process.Server) float64 {
	t.Helper()
	perSecond, err := capacity(t.Context(), Setup{Server: calls.Server{Stack: overGRPC(), Addr: server.Addr()}, Caller: Own(overGRPC())})
	if err != nil || perSecond == 0 {
		t.Fatalf("capacity %g, error %v", perSecond, err)
	}
	return perSecond
}
