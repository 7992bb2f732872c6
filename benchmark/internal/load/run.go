package load

import (
	"context"
	"errors"
	"time"
)

// ErrInterrupted says that the context ended before the slice did. The tally
// that comes with it counts what had ended by then.
var ErrInterrupted = errors.New("interrupted")

// Warmed is what a warm-up came to.
type Warmed struct {
	Calls  int64            // made, those that failed included
	Errors map[string]int64 // failures by code
	Text   string           // of one of the first failures
	// StoodStill is when the server stopped answering for longer than any warm-up
	// explains, or zero. An open loop that begins its window then, in the past, charges
	// the server for the calls that would have come meanwhile.
	StoodStill time.Time
}

// WarmUp makes the plan's warm-up calls. A window that follows it must not hide
// what went wrong in it.
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

// Run drives the window of one slice. It returns once every call that it began has
// ended. The error is ErrInterrupted or nil; calls that failed are in the tally.
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
