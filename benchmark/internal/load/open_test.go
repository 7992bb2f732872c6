package load

import (
	"context"
	"math"
	"testing"
	"testing/synctest"
	"time"
)

// stalled is a server that answers in a millisecond, except that it stands still
// from 4 s to 6 s.
func stalled(start time.Time) Call {
	return func(ctx context.Context, _ int) Outcome {
		wait := time.Millisecond
		if since := time.Since(start); since >= 4*time.Second && since < 6*time.Second {
			wait += 6*time.Second - since
		}
		select {
		case <-time.After(wait):
			return Outcome{Sent: 1, Received: 1}
		case <-ctx.Done():
			return Outcome{Code: "deadline_exceeded"}
		}
	}
}

// TestOpenLoopSeesAStall is the example with which coordinated omission is
// explained: in an open loop a server that stands still for 2 s of 10 delays a
// fifth of all calls by up to 2 s, and the percentiles show it whatever the bound
// on calls in flight. A closed loop beside it hides nearly all of it.
func TestOpenLoopSeesAStall(t *testing.T) {
	for _, bound := range []int{1, 16, 10_000} {
		synctest.Test(t, func(t *testing.T) {
			got, err := Run(t.Context(), stalled(time.Now()), Plan{
				Concurrency: bound, Rate: 500, Window: 10 * time.Second, Deadline: 5 * time.Second,
			})
			if got.Latency.TotalCount() != 5000 {
				t.Errorf("bound %d: %d latencies, want 5,000 and no overrun: nothing was outstanding", bound, got.Latency.TotalCount())
			}
			if err != nil || got.Calls != 5000 || got.Failures() != 0 {
				t.Fatalf("bound %d: %d calls, errors %v, %v; want 5,000 and none", bound, got.Calls, got.Errors, err)
			}
			p90, p99 := seconds(got.Latency.ValueAtQuantile(90)), seconds(got.Latency.ValueAtQuantile(99))
			if p90 < 0.9 || p99 < 1.8 {
				t.Errorf("bound %d: p90 %.2f s, p99 %.2f s, want ≈ 1 and ≥ 1.8", bound, p90, p99)
			}
			if bound == 1 {
				if service := seconds(got.Service.ValueAtQuantile(99)); service > 0.1 {
					t.Errorf("service time p99 %.2f s: with one call in flight one alone can see the stall", service)
				}
				if got.Late < 900 {
					t.Errorf("%d calls late, want the thousand that arrived in the stall", got.Late)
				}
			}
		})
	}
	synctest.Test(t, func(t *testing.T) {
		got, _ := Run(t.Context(), stalled(time.Now()), Plan{Concurrency: 1, Window: 10 * time.Second, Deadline: 5 * time.Second})
		if p99 := seconds(got.Latency.ValueAtQuantile(99)); p99 > 0.1 {
			t.Errorf("closed loop: p99 %.2f s, which would be a surprise", p99)
		}
	})
}

func seconds(ns int64) float64 { return time.Duration(ns).Seconds() }

func TestRateAboveCapacity(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		// 4 in flight of 10 ms each is 400 a second; asked for are 1,000.
		plan := Plan{Concurrency: 4, Rate: 1000, Window: 10 * time.Second, Deadline: time.Second}
		got, err := Run(t.Context(), takes(10*time.Millisecond), plan)
		if err != nil {
			t.Fatal(err)
		}
		if got.Calls+got.Unsent != 11_000 || got.Unsent == 0 {
			t.Errorf("%d calls and %d unsent, want the arrivals of the window and a deadline, some unsent", got.Calls, got.Unsent)
		}
		if rate := float64(got.Calls) / got.Window.Seconds(); math.Abs(rate-400) > 4 {
			t.Errorf("rate %.0f, want the 400 that the server does", rate)
		}
		if got.Late < got.Calls*9/10 {
			t.Errorf("%d of %d calls late, want nearly all", got.Late, got.Calls)
		}
	})
}

func TestConstantArrivalsKeepTheirRate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		got, _ := Run(t.Context(), takes(time.Millisecond), Plan{Concurrency: 100, Rate: 333, Window: 3 * time.Second, Deadline: time.Second})
		if got.Calls != 999 || got.Unsent != 0 || got.Late != 0 {
			t.Errorf("%d calls, %d unsent, %d late, want 999 and none", got.Calls, got.Unsent, got.Late)
		}
	})
}

func TestPoissonArrivals(t *testing.T) {
	plan := Plan{Rate: 1000, Window: 100 * time.Second, Poisson: true, Seed: 7}
	a, again := newArrivals(plan), newArrivals(plan)
	var last time.Duration
	var gaps, squares float64
	n := 0
	for {
		at, _ := a.next(0)
		if same, _ := again.next(0); same != at {
			t.Fatalf("arrival %d at %v and %v with the same seed", n, at, same)
		}
		if at >= plan.Window {
			break
		}
		gap := (at - last).Seconds()
		gaps, squares, last, n = gaps+gap, squares+gap*gap, at, n+1
	}
	// 100,000 expected; the standard deviation of the count is its square root.
	if math.Abs(float64(n)-100_000) > 4*math.Sqrt(100_000) {
		t.Errorf("%d arrivals, want about 100,000", n)
	}
	mean := gaps / float64(n)
	if cv := math.Sqrt(squares/float64(n)-mean*mean) / mean; math.Abs(cv-1) > 0.02 {
		t.Errorf("gaps vary by %.3f of their mean, want 1: an exponential distribution", cv)
	}
}

// TestArrivalsGoOnThroughAStall has a window end early in a stall of 2 s. The calls
// that would have come meanwhile are made, at their times.
func TestArrivalsGoOnThroughAStall(t *testing.T) {
	for _, bound := range []int{1, 10_000} {
		synctest.Test(t, func(t *testing.T) {
			start := time.Now()
			time.Sleep(3900 * time.Millisecond)
			got, err := Run(t.Context(), stalled(start), Plan{
				Concurrency: bound, Rate: 500, Window: 250 * time.Millisecond, Deadline: 5 * time.Second,
			})
			if err != nil || got.Failures() != 0 || got.Unsent != 0 {
				t.Fatalf("bound %d: errors %v, %d unsent, %v, want none", bound, got.Errors, got.Unsent, err)
			}
			// From 4.15 s until the stall is over at 6 s; one in flight at a time takes
			// until 8 s for the backlog, during which calls come at half the rate at which
			// they are answered.
			if got.LatencyUnweighed != nil {
				t.Errorf("bound %d: %d calls unweighed, want none where nobody else has a turn", bound, got.LatencyUnweighed.TotalCount())
			}
			overrun := got.Calls - 125
			if want := map[int]int64{1: 1860, 10_000: 925}[bound]; overrun < want || overrun > want+60 {
				t.Errorf("bound %d: %d calls in the overrun, want about %d", bound, overrun, want)
			}
			if got.Calls != overrun+125 || got.Latency.TotalCount() != got.Calls {
				t.Errorf("bound %d: %d calls, %d latencies, %d in the overrun, want all in one histogram", bound, got.Calls, got.Latency.TotalCount(), overrun)
			}
		})
	}
}

// TestWindowThatBeganInTheWarmUp has the window begin when the server stood still.
func TestWindowThatBeganInTheWarmUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		since := time.Now()
		time.Sleep(600 * time.Millisecond)
		got, _ := Run(t.Context(), takes(time.Millisecond), Plan{
			Concurrency: 64, Rate: 100, Window: 250 * time.Millisecond, Deadline: 5 * time.Second, Since: since,
		})
		if slowest := seconds(got.Latency.Max()); slowest < 0.59 || slowest > 0.62 {
			t.Errorf("longest latency %.3f s, want that of the call that was due 600 ms ago", slowest)
		}
		if n := got.Calls - 25; n < 33 || n > 38 {
			t.Errorf("%d calls in the overrun, want the 35 that were due since the window's end", n)
		}
	})
}

// TestOverrunIsWeighedWhereWindowsWouldHaveBeen has a stall of 1.9 s begin 100 ms
// before a window of 250 ms ends that was half a second after the one before.
func TestOverrunIsWeighedWhereWindowsWouldHaveBeen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		time.Sleep(3850 * time.Millisecond)
		got, err := Run(t.Context(), stalled(start), Plan{
			Concurrency: 10_000, Rate: 100, Window: 250 * time.Millisecond, Deadline: 5 * time.Second,
			LastSeen: time.Now().Add(-500 * time.Millisecond),
		})
		if err != nil || got.Failures() > 0 {
			t.Fatal(got.Errors, err)
		}
		// From 4.1 s to 6 s: pauses from 0, 0.75 and 1.5 s on, windows from 0.5 and 1.25.
		if n := got.LatencyUnweighed.TotalCount(); n < 138 || n > 142 || got.Calls < 213 || got.Calls > 217 {
			t.Errorf("%d calls, %d of them unweighed, want 25 and 190, with all but two times 25 of these", got.Calls, n)
		}
	})
}
