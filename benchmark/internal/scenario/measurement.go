package scenario

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"example.com/greet/benchmark/internal/calls"
	"example.com/greet/benchmark/internal/load"
	"example.com/greet/benchmark/internal/result"
	"example.com/greet/internal/greet"
)

const (
	// callDeadline bounds one call; in an open loop, lateDeadline does.
	callDeadline = 10 * time.Second
	// slicePatience bounds a slice with a fixed number of calls.
	slicePatience = 20 * time.Second
)

// measurement says how to measure one slice of a case. A case with Calls has that many; without, it
// is timed.
type measurement struct {
	work   calls.Work
	warmup int // calls made before and never counted
	// poisson and seed are about arrivals; see load.Plan.
	poisson bool
	seed    uint64
	// record says what the caller records within calls. If it records times, they replace the
	// latency of whole calls, of which a slice has but a few.
	record calls.Record
	// service adds a histogram of the times from when calls really began; latency runs from their
	// intended times.
	service bool
	// metrics is called after the window, if any call succeeded.
	metrics func(load.Tally) []result.Metric
}

// workOf returns the plain work of a case, drawn at random.
func workOf(c result.Case) calls.Work {
	return calls.Work{
		Mode: greet.Mode(c.Mode), Payload: c.Payload, Messages: c.Messages,
		Concurrency: c.Concurrency, Connections: c.Connections, Drawn: true,
	}
}

// of measures the case in a closed loop or, if it has a rate, in an open one.
func (m measurement) of(ctx context.Context, s Setup, c result.Case) (result.Line, error) {
	session, err := s.Caller.Open(s.Server, m.work)
	if err != nil {
		return result.Line{}, fmt.Errorf("open %s at %s for the client %s: %w", s.Stack.Name, s.Addr, s.Caller.Name(), err)
	}
	tally, runErr := session.Run(ctx, m.plan(s, c), m.record)
	line, err := m.lineOf(tally, c)
	line.Opened = session.Connections()
	if !tally.Began.IsZero() && !s.LastSeen.IsZero() { // a caller in another process does not tell
		line.UnseenNS = max(0, tally.Began.Sub(s.LastSeen).Nanoseconds())
	}
	return line, errors.Join(runErr, err, session.Close())
}

func (m measurement) plan(s Setup, c result.Case) load.Plan {
	plan := load.Plan{
		Concurrency: c.Concurrency,
		Calls:       int64(c.Calls),
		Window:      s.Window,
		Rate:        c.Rate,
		Poisson:     m.poisson,
		Seed:        m.seed,
		Warmup:      int64(m.warmup),
		LastSeen:    s.LastSeen,
		Meet:        s.Meet,
		Deadline:    s.deadline(callDeadline),
		Patience:    slicePatience,
	}
	if c.Rate > 0 {
		plan.Deadline = s.deadline(lateDeadline)
	}
	return plan
}

func (s Setup) deadline(otherwise time.Duration) time.Duration {
	return cmp.Or(s.Deadline, otherwise)
}
