package scenario

import (
	"context"
	"fmt"
	"runtime"

	"example.com/greet/benchmark/internal/result"
	"example.com/greet/benchmark/internal/view"
	"example.com/greet/internal/greet"
	"example.com/greet/internal/stack"
)

// cost measures what one call, or one message of a long stream, costs each process: allocations,
// bytes sent, system calls, waits in the kernel, and processor time. All but the last hardly depend
// on the machine or on what else runs on it, and they explain why one stack is slower than another.
//
// The counters are read before and after a window that follows a warm-up, so that the cost of the
// process and of its connections is not included. They are read twice before it, so that the cost
// of reading can be subtracted. The difference between windows of n and of 2n calls would need
// neither, but has nine times the variance for as many calls.
var cost = onLinux(runtime.GOOS, "counters of processes", Scenario{
	Name:      costName,
	About:     "what a call takes of client and server: allocations, bytes sent, system calls, context switches, processor time; and a cold start",
	OwnClient: true,
	Cases:     costCases,
	Measure:   measureCost,
	Lacks:     costLacks,
	View:      costView,
})

const costName = "cost"

// Kinds of cases. Those of the plain kind are calls that succeed.
const (
	refusedKind      = "refused"      // calls that the server answers with an error
	metadataKind     = "metadata"     // calls with ten request headers
	syscallsKind     = "syscalls"     // counted by strace, which slows everything else down
	startKind        = "cold start"   // of a server, up to its first reply
	instructionsKind = "instructions" // counted by callgrind
)

// The number of calls and messages, by mode: enough for an error below one percent, within a few
// tenths of a second.
var costCalls = map[greet.Mode]struct{ calls, messages int }{
	greet.Unary:        {1000, 1},
	greet.ServerStream: {20, 100},
	greet.ClientStream: {200, 10},
	greet.Bidi:         {20, 100},
}

func costCases(stacks []stack.Stack) []result.Case {
	var cases []result.Case
	for _, s := range stacks {
		if !s.Name.RPC() {
			continue
		}
		for _, m := range s.Modes() {
			for _, payload := range []int{small, 1 << 10} {
				cases = append(cases, costCase(s, m, payload, 1))
			}
			if canTrace() == nil {
				cases = append(cases, ofKind(syscallsKind, costCase(s, m, small, 1)))
			}
			if canCount() == nil {
				cases = append(cases, elsewhere(ofKind(instructionsKind, costCase(s, m, small, 1))))
			}
		}
		large := costCase(s, greet.Unary, 2<<20, 1)
		large.Calls = 30
		refused := ofKind(refusedKind, costCase(s, greet.ServerStream, small, 1))
		refused.Calls, refused.Messages = 1000, 0
		cases = append(cases, large, startCase(s), refused,
			ofKind(metadataKind, costCase(s, greet.Unary, small, 1)),
			costCase(s, greet.ClientStream, small, 8))
	}
	return cases
}

func costCase(s stack.Stack, m greet.Mode, payload, concurrency int) result.Case {
	c := callsCase(costName, s, m, concurrency)
	c.Payload, c.Calls, c.Messages = payload, costCalls[m].calls, costCalls[m].messages
	return c
}

func startCase(s stack.Stack) result.Case {
	c := elsewhere(ofKind(startKind, costCase(s, greet.Unary, small, 1)))
	c.Calls = 1
	return c
}

// elsewhere drops the count of connections from a case: its calls go to another server than the one
// whose connections are counted.
func elsewhere(c result.Case) result.Case {
	c.Connections = 0
	return c
}

func ofKind(kind string, c result.Case) result.Case {
	c.Kind = kind
	return c
}

// measureCost calls the server. It measures nothing if the server is not ours to observe.
func measureCost(ctx context.Context, t Setup, c result.Case) (result.Line, error) {
	switch c.Kind {
	case startKind:
		return measureStart(ctx, t, c)
	case instructionsKind:
		return measureInstructions(ctx, t, c)
	case syscallsKind:
		return costSlice{t, c}.measureSyscalls(ctx)
	case "", refusedKind, metadataKind:
		return costSlice{t, c}.measure(ctx)
	}
	return result.Line{}, fmt.Errorf("measure cost: no kind %q", c.Kind)
}

var costView = view.View{
	About: "The cost of a call, or of a message of a long stream, for each process. The client's includes the load engine.\n" +
		"System calls are counted in slices of their own, because strace slows everything else down.",
	Split:        []view.Field{view.Kind, view.Mode, view.Payload, view.Messages},
	Across:       []view.Field{view.Concurrency},
	Metrics:      []string{"start…", "allocations…", "allocated_bytes…", "wire_bytes…", "syscalls…", "switches…", "cpu…", "instructions…"},
	ShortWindows: true,
	Question: &view.Question{
		Metric: "cpu_user_per_call_server", Claim: "takes %s times the server's processor time, in user mode, of", Prefer: plainSmallCall,
	},
}

// plainSmallCall chooses small calls without the extras of another kind.
func plainSmallCall(c result.Case) bool {
	return c.Mode == string(greet.Unary) && c.Kind == "" && c.Payload == small && c.Concurrency == 1
}
