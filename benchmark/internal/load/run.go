package load

import (
	"context"
	"errors"
)

// ErrInterrupted says that the context ended before the slice did. The tally
// that comes with it counts what had ended by then.
var ErrInterrupted = errors.New("interrupted")

// WarmUp drives the plan's warm-up only. Run does so itself; this is for drivers
// that gather figures of their own and must not do so in the warm-up.
func WarmUp(ctx context.Context, d Driver, p Plan) {
	if p.Warmup > 0 {
		pace, unrecorded := p.warmup()
		d.Drive(ctx, p.Concurrency, pace, unrecorded)
	}
}

// Run drives one slice: the warm-up, then the window. It returns once every call
// that it began has ended. The error is ErrInterrupted or nil; calls that failed
// are in the tally.
func Run(ctx context.Context, d Driver, p Plan) (Tally, error) {
	WarmUp(ctx, d, p)
	pace, recorder := p.window()
	d.Drive(ctx, p.Concurrency, pace, recorder)
	tally := recorder.result()
	if pace.arrivals != nil {
		tally.Unsent = pace.arrivals.left()
		tally.Window = max(p.Window, recorder.last)
	}
	if ctx.Err() != nil {
		return tally, ErrInterrupted
	}
	return tally, nil
}
