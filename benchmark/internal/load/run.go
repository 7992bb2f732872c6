package load

import (
	"context"
	"errors"
	"time"
)

// ErrInterrupted says that the context ended before the slice did. The tally beside it counts the
// calls that had ended by then.
var ErrInterrupted = errors.New("interrupted")

// Warmed sums up a warm-up.
type Warmed struct {
	Calls  int64            // made, those that failed included
	Errors map[string]int64 // failures by code
	Text   string           // of one of the first failures
	// StoodStill is when the server stopped answering for longer than a warm-up explains, or zero.
	// An open loop can begin its window then, in the past, and so charge the server for the calls
	// that were due since.
	StoodStill time.Time
}

// WarmUp makes the plan's warm-up calls. The window's result must report what failed in them.
func WarmUp(ctx context.Context, d Driver, p Plan) Warmed {
	if p.Warmup == 0 {
		return Warmed{}
	}
	pace, recorder := p.warmup()
	d.Drive(ctx, p.Concurrency, pace, recorder)
	t := recorder.tally
	warmed := Warmed{Calls: t.Calls + t.Failures(), Errors: t.Errors, Text: t.Text}
	if begun, ok := recorder.standstill.first(); ok {
		warmed.StoodStill = pace.epoch.Add(begun)
	}
	return warmed
}

// Run makes the calls of one window. It returns once every call has ended. The error is
// ErrInterrupted or nil; failed calls are in the tally.
func Run(ctx context.Context, d Driver, p Plan) (Tally, error) {
	pace, recorder := p.window()
	sleepUntil(ctx, pace, 0)
	d.Drive(ctx, p.Concurrency, pace, recorder)
	tally := recorder.result()
	if pace.arrivals != nil {
		tally.Unsent = pace.arrivals.left(min(pace.end, pace.Now()))
	}
	if ctx.Err() != nil {
		return tally, ErrInterrupted
	}
	return tally, nil
}
