package scenario

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"example.com/greet/benchmark/internal/load"
	"example.com/greet/benchmark/internal/result"
	"example.com/greet/internal/stack"
)

const (
	// callDeadline bounds one call; in an open loop, lateDeadline does.
	callDeadline = 10 * time.Second
	// slicePatience bounds a slice with a fixed number of calls.
	slicePatience = 20 * time.Second
)

// slice is how one slice of a case is measured. A case with Calls has that many;
// without, it is timed.
type slice struct {
	clients int // dialled; 0 means 1
	warmup  int // calls made before and never counted
	// poisson and seed are about arrivals; see load.Plan.
	poisson bool
	seed    uint64
	// prepare makes the calls over the clients. It is called once for the warm-up
	// and once for the window, so that what the warm-up gathers is left behind. There
	// are no clients, and no calls to make, where an engine or a peer calls.
	prepare func(clients []stack.Client) driven
}

// driven are the calls of a window and what is gathered from them.
type driven struct {
	call load.Call
	// times of parts of calls. Where there are any they take the place of the latency
	// of whole calls, of which a slice has but a few.
	times []namedTimes
	// service adds the times from when calls did begin, where latency runs from when
	// they were meant to.
	service bool
	// metrics are asked for when the window is over, if any call succeeded.
	metrics func(load.Tally) []result.Metric
}

type namedTimes struct {
	name  string
	times *load.Times
}

// measure measures the case in a closed loop or, if it has a rate, in an open one.
func (s slice) measure(ctx context.Context, t Target, c result.Case) (result.Line, error) {
	if t.peer != nil {
		return s.ask(ctx, t, c)
	}
	begun := time.Now()
	end, err := s.dial(t, c)
	if err != nil {
		return result.Line{}, err
	}
	plan := s.plan(t, c)
	warmed := load.WarmUp(ctx, end.driver(s.prepare(end.clients)), plan)
	plan.Since = warmed.StoodStill
	window := s.prepare(end.clients)
	tally, runErr := load.Run(ctx, end.driver(window), plan)
	tally.Warmed = warmed
	line, err := lineOf(tally, window, c)
	line.UnseenNS, line.Opened = tally.Began.Sub(begun).Nanoseconds(), end.opened()
	return line, errors.Join(runErr, err, end.hangUp())
}

// calling is the end of a slice that calls: clients of the stack's own, or an
// engine in their place.
type calling struct {
	clients []stack.Client
	engine  EngineDriver
}

func (s slice) dial(t Target, c result.Case) (end calling, err error) {
	if t.Engine == nil {
		end.clients, err = dial(t, c, max(1, s.clients))
		return end, err
	}
	end.engine, err = t.Engine.Dial(t.Stack.Name, t.Addr, strings.Repeat("x", c.Payload), c.Connections)
	if err != nil {
		return end, fmt.Errorf("dial %s at %s with the %s client: %w", c.Stack, t.Addr, t.Engine.Name, err)
	}
	return end, nil
}

func (e calling) driver(d driven) load.Driver {
	if e.engine != nil {
		return e.engine
	}
	return d.call
}

func (e calling) opened() int64 {
	if e.engine != nil {
		return e.engine.Connections()
	}
	return opened(e.clients)
}

func (e calling) hangUp() error {
	if e.engine != nil {
		return e.engine.Close()
	}
	return hangUp(e.clients)
}

func (s slice) plan(t Target, c result.Case) load.Plan {
	plan := load.Plan{
		Concurrency: c.Concurrency,
		Calls:       int64(c.Calls),
		Window:      t.Window,
		Rate:        c.Rate,
		Poisson:     s.poisson,
		Seed:        s.seed,
		Warmup:      int64(s.warmup),
		Deadline:    t.deadline(callDeadline),
		Patience:    slicePatience,
	}
	if c.Rate > 0 {
		plan.Deadline = t.deadline(lateDeadline)
	}
	return plan
}

func (t Target) deadline(otherwise time.Duration) time.Duration {
	return cmp.Or(t.Deadline, otherwise)
}

// dial makes n clients for the case's concurrency together.
func dial(t Target, c result.Case, n int) ([]stack.Client, error) {
	var clients []stack.Client
	for range n {
		client, err := t.Stack.Dial(t.Addr, stack.DialOptions{TLS: t.TLS, InFlight: max(1, c.Concurrency/n)})
		if err != nil {
			return nil, errors.Join(fmt.Errorf("dial %s at %s: %w", c.Stack, t.Addr, err), hangUp(clients))
		}
		clients = append(clients, client)
	}
	return clients, nil
}

// first is nil where there are no clients.
func first(clients []stack.Client) stack.Client {
	if len(clients) == 0 {
		return nil
	}
	return clients[0]
}

// opened counts the connections of all clients.
func opened(clients []stack.Client) (n int64) {
	for _, client := range clients {
		n += client.Connections()
	}
	return n
}

// hangUp closes all clients.
func hangUp(clients []stack.Client) error {
	var errs []error
	for _, client := range clients {
		errs = append(errs, client.Close())
	}
	return errors.Join(errs...)
}
