package load

import (
	"context"
	"errors"
	"time"
)

// ErrInterrupted says that the context ended before the slice did. The tally
// that comes with it counts what had ended by then.
var ErrInterrupted = errors.New("interrupted")

// Run drives one slice: the warm-up, then the window. It returns once every call
// that it began has ended. The error is ErrInterrupted or nil; calls that failed
// are in the tally.
func Run(ctx context.Context, d Driver, p Plan) (Tally, error) {
	if p.Warmup > 0 {
		pace := &Pace{epoch: time.Now(), deadline: p.Deadline, calls: p.Warmup, end: p.Patience}
		d.Drive(ctx, p.Concurrency, pace, newRecorder(0, stopAfter(pace, 1)))
	}
	pace := &Pace{epoch: time.Now(), deadline: p.Deadline, calls: p.Calls, end: p.Patience}
	recorder := newRecorder(0, stopAfter(pace, maxFailures))
	if p.Calls == 0 {
		pace.end = p.Window
		recorder = newRecorder(p.Window, func(int64) {})
	}
	d.Drive(ctx, p.Concurrency, pace, recorder)
	if ctx.Err() != nil {
		return recorder.result(), ErrInterrupted
	}
	return recorder.result(), nil
}

// stopAfter stops the pace once enough calls have failed.
func stopAfter(p *Pace, enough int64) func(total int64) {
	return func(total int64) {
		if total >= enough {
			p.stop()
		}
	}
}
