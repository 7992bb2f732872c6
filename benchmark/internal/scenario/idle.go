package scenario

import (
	"cmp"
	"context"
	"errors"
	"runtime"
	"time"

	"example.com/greet/benchmark/internal/load"
	"example.com/greet/benchmark/internal/result"
	"example.com/greet/benchmark/internal/view"
	"example.com/greet/internal/greet"
	"example.com/greet/internal/stack"
)

// idle measures a server's memory for peers that have spoken once and stay connected.
var idle = onLinux(runtime.GOOS, "the memory of servers", Scenario{
	Name:      idleName,
	About:     "1,000 connections that have made one call each, and 1,000 open chats with nothing on them: server memory for each",
	Once:      true,
	OwnClient: true,
	Cases:     ofRPC(idleCases),
	Measure:   measureIdle,
	View:      idleView,
})

const (
	idleName = "idle"
	// idleCount is large enough for their memory to stand out from the pages that a server gains
	// and loses by itself.
	idleCount = 1000
	// streamsEach is how many streams one connection holds: as many as the servers
	// allow.
	streamsEach = 100
	// idleWindow is how long all is silent before memory is read, so that buffers that are only
	// lent have been returned.
	idleWindow = time.Second
	// openers is how many connections or streams are opened at a time.
	openers = 16
	// idleWarmup is how many calls make a server allocate what it allocates once.
	idleWarmup = 100
)

func idleCases(stacks []stack.Stack) []result.Case {
	var cases []result.Case
	for _, s := range stacks {
		for _, m := range []greet.Mode{greet.Unary, greet.Bidi} {
			if !s.Carries(m) {
				continue
			}
			c := caseOf(idleName, s)
			c.Mode, c.Calls, c.Messages, c.Payload = string(m), idleCount, 1, small
			c.Concurrency, c.Connections = openers, idleCount
			if m == greet.Bidi {
				c.Concurrency, c.Connections = idleCount, idleCount/streamsEach
			}
			cases = append(cases, c)
		}
	}
	return cases
}

func measureIdle(ctx context.Context, t Setup, c result.Case) (result.Line, error) {
	clients, err := t.dial(c.Connections, c.Concurrency)
	if err != nil {
		return result.Line{}, err
	}
	chats := newChats(clients, newScript(workOf(c).Names()))
	p := parking{metric: "memory_per_connection", warm: chats.greetOne, open: inTurn(chats.greet), again: inTurn(chats.greet)}
	p.gained = c.Calls - 1 // the warm-up opens the first
	if c.Mode == string(greet.Bidi) {
		p = parking{metric: "memory_per_stream", warm: inTurn(chats.greet), open: inTurn(chats.open), again: inTurn(chats.speak)}
		p.gained = c.Calls
	}
	line, err := p.measure(ctx, t, c.Calls)
	line.Opened = clients.Connections()
	chats.leave()
	return line, errors.Join(err, clients.Close())
}

// parking is how peers become idle. Open and again are called once for each.
type parking struct {
	metric string
	gained int       // how many more peers there are after open than after warm
	warm   load.Call // makes the server ready, and what else must not count
	open   load.Call
	again  load.Call // shows that the peer is still there
}

// measure opens the peers, lets them be idle, and reads how much memory the server has gained. Then
// each speaks again: a peer that the server had dropped would have cost it nothing.
func (p parking) measure(ctx context.Context, t Setup, peers int) (result.Line, error) {
	plan := load.Plan{
		Concurrency: openers, Calls: int64(peers), Warmup: idleWarmup,
		Deadline: t.deadline(callDeadline), Patience: slicePatience,
	}
	warmed := load.WarmUp(ctx, p.warm, plan)
	wait(ctx) // first the server frees what earlier slices left
	before, beforeErr := memory(t)
	tally, err := load.Run(ctx, p.open, plan)
	tally.Warmed = warmed
	line := countsOf(tally)
	line.WindowNS = idleWindow.Nanoseconds()
	if err != nil || tally.Failures() > 0 {
		return line, err
	}
	wait(ctx)
	after, afterErr := memory(t)
	tally, err = load.Run(ctx, p.again, plan)
	line.Errors, line.FirstError = tally.Errors, cmp.Or(line.FirstError, tally.Text)
	if err != nil || tally.Failures() > 0 || t.Memory == nil {
		return line, err
	}
	// If the server freed more than it took, there is no figure for a peer.
	if after > before {
		line.Metrics = []result.Metric{lower(p.metric, "B", float64(after-before)/float64(p.gained))}
	}
	return line, errors.Join(beforeErr, afterErr)
}

// memory is 0 where the server's is not ours to read.
func memory(t Setup) (int64, error) {
	if t.Memory == nil {
		return 0, nil
	}
	return t.Memory()
}

// wait lets the peers be idle.
func wait(ctx context.Context) {
	select {
	case <-time.After(idleWindow):
	case <-ctx.Done():
	}
}

var idleView = view.View{
	About:       "The server's memory for each idle connection and each idle stream.",
	Split:       []view.Field{view.Mode, view.Payload},
	Connections: true,
}
