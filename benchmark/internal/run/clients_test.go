package run

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"example.com/greet/benchmark/internal/calls"
	"example.com/greet/benchmark/internal/peer"
	"example.com/greet/benchmark/internal/plan"
	"example.com/greet/benchmark/internal/process"
	"example.com/greet/benchmark/internal/result"
	"example.com/greet/benchmark/internal/scenario"
)

// asClient makes the test binary a peer's client, which answers each request with
// its address and process id, and has work to do for that.
const asClient = "be-a-client"

func answerRequests(addr string) {
	for requests := bufio.NewScanner(os.Stdin); requests.Scan(); {
		for begun := ownTime(); ownTime()-begun < 50*time.Millisecond; {
			_ = fmt.Sprint(begun)
		}
		fmt.Printf("{\"addr\":%q,\"pid\":%d}\n", addr, os.Getpid())
	}
}

// ownTime is the processor time of this process.
func ownTime() time.Duration {
	own := process.Own()
	return time.Duration(own.UserNS + own.SystemNS)
}

// asking is a scenario that asks the caller, and tells what it said.
func asking(said func(addr string, pid int, err error)) scenario.Scenario {
	s := perStack("asking")
	s.Measure = func(ctx context.Context, s scenario.Setup, _ result.Case) (result.Line, error) {
		var reply struct {
			Addr string
			PID  int
		}
		err := s.Caller.(calls.Asker).Ask(ctx, s.Server, "?", &reply, time.Minute)
		said(reply.Addr, reply.PID, err)
		return success(), nil
	}
	return s
}

// calledBy has a peer's client that is started by argv make all calls of the run.
func calledBy(r Run, argv ...string) Run {
	client := peer.NewClient("tonic", r.Plan.Targets[0].Stack, argv, "")
	for i := range r.Plan.Entries {
		r.Plan.Entries[i].Caller = client
	}
	return r
}

func TestPeersClientsCall(t *testing.T) {
	target := running(t, two[0])
	pids := make(map[int]bool)
	r, kept := newRun(t, []*plan.Target{target}, asking(func(addr string, pid int, err error) {
		if pids[pid] = true; err != nil || addr != target.Addr {
			t.Errorf("called %q, error %v, want %s", addr, err, target.Addr)
		}
	}))
	if err := calledBy(r, os.Args[0], asClient, "{addr}").Do(t.Context()); err != nil {
		t.Fatal(err)
	}
	if len(pids) != 1 {
		t.Errorf("%d processes for one client", len(pids))
	}
	for _, l := range kept.lines {
		if l.Client == nil || l.Client.UserNS+l.Client.SystemNS < 20*time.Millisecond.Nanoseconds() || l.Client.Allocs != 0 {
			t.Errorf("client's usage %+v, want what the other process used", l.Client)
		}
	}
}

// TestPeersClientThatIsMissing fails its slices, not the run.
func TestPeersClientThatIsMissing(t *testing.T) {
	r, kept := newRun(t, []*plan.Target{running(t, two[0])}, asking(func(_ string, _ int, err error) {
		if err == nil || !strings.Contains(err.Error(), "no such file") {
			t.Errorf("error %v, want that there is no such program", err)
		}
	}))
	if err := calledBy(r, "/no/such/program").Do(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, l := range kept.lines {
		if l.Client != nil {
			t.Errorf("usage %+v of a client that never was", l.Client)
		}
	}
}
