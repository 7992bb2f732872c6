package run

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"example.com/greet/benchmark/internal/process"
	"example.com/greet/benchmark/internal/result"
	"example.com/greet/benchmark/internal/scenario"
	"example.com/greet/internal/stack"
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

// asking is a scenario that asks the client of that name.
func asking(client string, said func(addr string, pid int, err error)) scenario.Scenario {
	s := perStack("asking")
	cases := s.Cases
	s.Cases = func(stacks []stack.Stack) []result.Case {
		all := cases(stacks)
		for i := range all {
			all[i].Client = client
		}
		return all
	}
	s.Measure = func(ctx context.Context, t scenario.Target, _ result.Case) (result.Line, error) {
		var reply struct {
			Addr string
			PID  int
		}
		err := t.Peers[client].Ask(ctx, "?", &reply, time.Minute)
		said(reply.Addr, reply.PID, err)
		return success(), nil
	}
	return s
}

func TestPeersClientsCall(t *testing.T) {
	target := running(t, two[0])
	argv := []string{os.Args[0], asClient, "{addr}"}
	target.Clients = []PeerClient{{Name: "tonic", Argv: argv}, {Name: "never needed", Argv: []string{"/no/such/program"}}}
	pids := make(map[int]bool)
	r, kept := newRun(t, []Target{target}, asking("tonic", func(addr string, pid int, err error) {
		if pids[pid] = true; err != nil || addr != target.Addr {
			t.Errorf("called %q, error %v, want %s", addr, err, target.Addr)
		}
	}))
	if err := r.Do(t.Context()); err != nil {
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
	target := running(t, two[0])
	target.Clients = []PeerClient{{Name: "tonic", Argv: []string{"/no/such/program"}}}
	r, kept := newRun(t, []Target{target}, asking("tonic", func(_ string, _ int, err error) {
		if err == nil || !strings.Contains(err.Error(), "no such file") {
			t.Errorf("error %v, want that there is no such program", err)
		}
	}))
	if err := r.Do(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, l := range kept.lines {
		if l.Client != nil {
			t.Errorf("usage %+v of a client that never was", l.Client)
		}
	}
}

// TestPeersCodecIsAsked finds the client by its own name, since it calls no server.
func TestPeersCodecIsAsked(t *testing.T) {
	target := running(t, two[0])
	target.Clients = []PeerClient{{Name: "tonic", Codec: true, Argv: []string{os.Args[0], asClient, "{addr}"}}}
	asked := 0
	s := inProcess("codec")
	s.Cases = func([]stack.Stack) []result.Case {
		return []result.Case{{Stack: "tonic", Language: "rust", Client: "none", Scenario: "codec", Concurrency: 1}}
	}
	s.Measure = func(ctx context.Context, t scenario.Target, _ result.Case) (result.Line, error) {
		if t.Peers["tonic"].Ask(ctx, "?", new(any), time.Minute) == nil {
			asked++
		}
		return success(), nil
	}
	r, _ := newRun(t, []Target{target}, s)
	if err := r.Do(t.Context()); err != nil || asked != 1 {
		t.Errorf("error %v, asked %d times, want once", err, asked)
	}
}
