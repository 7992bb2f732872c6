package load

import (
	"context"
	"math"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// takes returns a call that takes d and succeeds.
func takes(d time.Duration) Call {
	return func(context.Context, int) Outcome {
		time.Sleep(d)
		return Outcome{Sent: 1, Received: 1}
	}
}

// hangs never answers; it ends with its deadline or by cancellation.
func hangs(ctx context.Context, _ int) Outcome {
	<-ctx.Done()
	if ctx.Err() == context.DeadlineExceeded {
		return Outcome{Code: "deadline_exceeded", Text: "hung"}
	}
	return Outcome{Code: "canceled"}
}

func TestFixedNumberOfCalls(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var made atomic.Int64
		call := Call(func(ctx context.Context, worker int) Outcome {
			made.Add(1)
			return takes(10*time.Millisecond)(ctx, worker)
		})
		plan := Plan{Concurrency: 4, Calls: 1000, Warmup: 40, Deadline: time.Second}
		if warmed := WarmUp(t.Context(), call, plan); warmed.Calls != 40 || len(warmed.Errors) > 0 || !warmed.StoodStill.IsZero() {
			t.Errorf("warm-up came to %+v, want 40 calls and nothing wrong", warmed)
		}
		got, err := Run(t.Context(), call, plan)
		if err != nil {
			t.Fatal(err)
		}
		if got.Calls != 1000 || made.Load() != 1040 {
			t.Errorf("counted %d of %d calls, want 1000 of 1040", got.Calls, made.Load())
		}
		if want := 2500 * time.Millisecond; got.Window != want {
			t.Errorf("window %v, want %v", got.Window, want)
		}
		if p50 := time.Duration(got.Latency.ValueAtQuantile(50)); p50.Round(time.Millisecond) != 10*time.Millisecond {
			t.Errorf("p50 %v, want 10ms", p50)
		}
		if n := got.Latency.TotalCount(); n != got.Calls {
			t.Errorf("histogram holds %d samples, want %d", n, got.Calls)
		}
		if got.Sent != 1000 || got.Received != 1000 {
			t.Errorf("messages %d sent, %d received, want 1000 each", got.Sent, got.Received)
		}
	})
}

func TestConcurrencyAboveTheNumberOfCalls(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		got, err := Run(t.Context(), takes(time.Millisecond), Plan{Concurrency: 64, Calls: 3, Deadline: time.Second})
		if err != nil || got.Calls != 3 {
			t.Errorf("got %d calls, error %v, want 3 calls", got.Calls, err)
		}
	})
}

// The rate counts what ended within the window; the latencies are of all that began.
func TestTimedWindow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		// Each worker ends calls at 300, 600, 900 ms; the one that ends at
		// 1200 ms is awaited, and counts as a latency alone.
		start := time.Now()
		got, err := Run(t.Context(), takes(300*time.Millisecond), Plan{Concurrency: 2, Window: time.Second, Deadline: time.Second})
		if err != nil {
			t.Fatal(err)
		}
		if got.Calls != 6 || got.Window != time.Second {
			t.Errorf("got %d calls in %v, want 6 in 1s", got.Calls, got.Window)
		}
		if took := time.Since(start); took != 1200*time.Millisecond || got.Overrun != 200*time.Millisecond {
			t.Errorf("run took %v with an overrun of %v, want 1.2s and 200ms: calls in flight are awaited", took, got.Overrun)
		}
		if n := got.Latency.TotalCount(); n != 8 || got.AfterWindow != 2 {
			t.Errorf("%d latencies, %d calls ended after the window, want 8 and 2: each that began is recorded", n, got.AfterWindow)
		}
	})
}

func TestHangAtTheEndOfTheWindowIsAFailure(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		call := Call(func(ctx context.Context, worker int) Outcome {
			if time.Since(start) >= 900*time.Millisecond {
				return hangs(ctx, worker)
			}
			return takes(100*time.Millisecond)(ctx, worker)
		})
		got, err := Run(t.Context(), call, Plan{Concurrency: 4, Window: time.Second, Deadline: 5 * time.Second})
		if err != nil {
			t.Fatal(err)
		}
		if got.Calls != 36 || got.Errors["deadline_exceeded"] != 4 {
			t.Errorf("got %d calls and errors %v, want 36 and 4 deadline_exceeded", got.Calls, got.Errors)
		}
		if got.Text != "hung" {
			t.Errorf("text %q, want that of a failure", got.Text)
		}
	})
}

func TestServerThatRefusesEveryCallEndsTheWindowEarly(t *testing.T) {
	refuses := Call(func(context.Context, int) Outcome { return Outcome{Code: "unavailable"} })
	got, err := Run(t.Context(), refuses, Plan{Concurrency: 1, Calls: 1_000_000, Deadline: time.Second})
	if err != nil {
		t.Fatal(err)
	}
	if got.Calls != 0 || got.Errors["unavailable"] != maxFailures {
		t.Errorf("got %d calls and errors %v, want 0 and %d unavailable", got.Calls, got.Errors, maxFailures)
	}
}

func TestServerThatHangsEndsTheWindowByPatience(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		plan := Plan{Concurrency: 2, Calls: 2000, Deadline: 5 * time.Second, Patience: 12 * time.Second}
		start := time.Now()
		got, _ := Run(t.Context(), Call(hangs), plan)
		if got.Calls != 0 || got.Failures() != 6 {
			t.Errorf("got %d calls and %d failures, want 0 and 6", got.Calls, got.Failures())
		}
		if took := time.Since(start); took != 15*time.Second {
			t.Errorf("took %v, want 15s", took)
		}
	})
}

func TestInterruptionKeepsWhatHadEnded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 950*time.Millisecond)
		defer cancel()
		call := Call(func(ctx context.Context, _ int) Outcome {
			select {
			case <-time.After(100 * time.Millisecond):
				return Outcome{}
			case <-ctx.Done():
				return Outcome{Code: "canceled"}
			}
		})
		got, err := Run(ctx, call, Plan{Concurrency: 2, Calls: 1000, Deadline: time.Minute})
		if err != ErrInterrupted {
			t.Fatalf("error %v, want ErrInterrupted", err)
		}
		if got.Calls != 18 || got.Failures() != 0 {
			t.Errorf("got %d calls and errors %v, want 18 and none", got.Calls, got.Errors)
		}
	})
}

func TestEverySampleIsKept(t *testing.T) {
	// Twice as many as fit in any round number of batches, by many goroutines:
	// the buckets of the histogram add up to the successes.
	const calls = 300_007
	var n atomic.Int64
	call := Call(func(context.Context, int) Outcome {
		if n.Add(1)%1000 == 0 && n.Load() < 50_000 {
			return Outcome{Code: "internal"}
		}
		return Outcome{Received: 2}
	})
	got, err := Run(t.Context(), call, Plan{Concurrency: 7, Calls: calls, Deadline: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	if got.Calls+got.Failures() != calls {
		t.Errorf("%d successes and %d failures, want %d in all", got.Calls, got.Failures(), calls)
	}
	var sum int64
	for _, bar := range got.Latency.Distribution() {
		sum += bar.Count
	}
	if sum != got.Calls || got.Received != 2*got.Calls {
		t.Errorf("buckets add up to %d and messages to %d, want %d and %d", sum, got.Received, got.Calls, 2*got.Calls)
	}
}

func TestLatencyRangeIsExactForShortTimes(t *testing.T) {
	r := newRecorder(new(Pace), 0, func(int64) {})
	s := r.Shard()
	s.Add(Completion{Ended: 5000})
	s.Flush()
	if got := r.result().Latency.Max(); math.Abs(float64(got)-5000) > 5 {
		t.Errorf("5,000 ns read back as %d", got)
	}
}

func TestEachCallHasItsDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		call := Call(func(ctx context.Context, _ int) Outcome {
			deadline, ok := ctx.Deadline()
			if left := time.Until(deadline); !ok || left != 3*time.Second {
				return Outcome{Code: "internal", Text: left.String()}
			}
			return Outcome{}
		})
		got, _ := Run(t.Context(), call, Plan{Concurrency: 2, Calls: 10, Deadline: 3 * time.Second})
		if got.Failures() != 0 {
			t.Errorf("deadline left at the start of a call: %s, want 3s", got.Text)
		}
	})
}

func TestWarmUpSaysWhatWentWrong(t *testing.T) {
	var n atomic.Int64
	call := Call(func(context.Context, int) Outcome {
		if n.Add(1) == 7 {
			return Outcome{Code: "wrong_reply", Text: "the seventh"}
		}
		return Outcome{}
	})
	got := WarmUp(t.Context(), call, Plan{Concurrency: 1, Warmup: 200, Deadline: time.Second})
	if got.Calls != 7 || got.Errors["wrong_reply"] != 1 || got.Text != "the seventh" {
		t.Errorf("warm-up came to %+v, want 7 calls, the last one wrong", got)
	}
}

func TestWarmUpNoticesAStandstill(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		call := Call(func(ctx context.Context, worker int) Outcome {
			since := time.Since(start)
			if since >= 40*time.Millisecond && since < time.Second {
				time.Sleep(time.Second - since)
			}
			return takes(10*time.Millisecond)(ctx, worker)
		})
		got := WarmUp(t.Context(), call, Plan{Concurrency: 2, Warmup: 20, Deadline: 5 * time.Second})
		if at := got.StoodStill.Sub(start); at != 40*time.Millisecond || got.Calls != 20 {
			t.Errorf("stood still from %v, %d calls, want from 40ms, 20", at, got.Calls)
		}
	})
}
