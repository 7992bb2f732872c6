package load

import (
	"context"
	"errors"
)

// ErrInterrupted says that the context ended before the slice did. The tally
// that comes with it counts what had ended by then.
var ErrInterrupted = errors.New("interrupted")

// Run drives one slice: the warm-up, then the window. It returns once every call
// that it began has ended. The error is ErrInterrupted or nil; calls that failed
// are in the tally.
func Run(ctx context.Context, d Driver, p Plan) (Tally, error) {
	if p.Warmup > 0 {
		pace, unrecorded := p.warmup()
		d.Drive(ctx, p.Concurrency, pace, unrecorded)
	}
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
