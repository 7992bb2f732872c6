package load

import (
	"context"
	"sync"
)

// Driver keeps calls in flight. Each kind of client has its own: one blocks a goroutine per call,
// another runs an event loop per connection.
type Driver interface {
	// Drive begins a call whenever fewer than concurrency are in flight and the pace's next
	// intended time has come. It gives each call the pace's deadline, and adds the end of each to
	// a shard of r. It returns when pace allows no more and every call has ended. When ctx is done
	// it gives up the calls in flight and does not add those that failed for that reason: their
	// failure says nothing about the server.
	Drive(ctx context.Context, concurrency int, pace *Pace, r *Recorder)
}

// Outcome is how one call ended.
type Outcome struct {
	Code     string // empty for success, else the normalised code of the failure
	Text     string // of the failure, for a person
	Sent     int64  // messages
	Received int64  // messages
}

// Call makes one call, checks its reply, and returns how it ended. Each calling goroutine has its
// own worker number, from 0 to below the concurrency.
type Call func(ctx context.Context, worker int) Outcome

// Drive implements Driver with one goroutine for each call in flight. It serves
// any client with blocking methods.
func (call Call) Drive(ctx context.Context, concurrency int, pace *Pace, r *Recorder) {
	var workers sync.WaitGroup
	next := newTurn(pace)
	for worker := range concurrency {
		workers.Go(func() { call.work(ctx, worker, next, r.Shard()) })
	}
	workers.Wait()
}

func (call Call) work(ctx context.Context, worker int, next turn, s *Shard) {
	defer s.Flush()
	pace := next.pace
	for {
		intended, ok := next.wait(ctx)
		if !ok {
			return
		}
		callCtx, cancel := context.WithTimeout(ctx, pace.deadline)
		begun := pace.Now()
		outcome := call(callCtx, worker)
		ended := pace.Now()
		cancel()
		if outcome.Code != "" && ctx.Err() != nil {
			return
		}
		s.Add(Completion{Intended: intended, Begun: begun, Ended: ended, Outcome: outcome})
	}
}
