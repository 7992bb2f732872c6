package load

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
	"testing/synctest"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// stalls is a server that answers in a millisecond, but stands still for a time once
// in each period, at a moment of its own in each.
type stalls struct {
	start        time.Time
	left         time.Time // when the slice before ended
	last, period time.Duration
	begins       []time.Duration // of each period's stall, from the period's beginning
}

// newStalls begins now, and knows of more periods than a test lasts.
func newStalls(r *rand.Rand, last, period time.Duration) *stalls {
	s := &stalls{start: time.Now(), left: time.Now(), last: last, period: period}
	for range 1000 {
		s.begins = append(s.begins, time.Duration(r.Int64N(int64(period-last))))
	}
	return s
}

// until is how long a call that comes now waits for the stall to end.
func (s *stalls) until() time.Duration {
	since := time.Since(s.start)
	begin := s.begins[since/s.period]
	in := since % s.period
	if in < begin || in >= begin+s.last {
		return 0
	}
	return begin + s.last - in
}

// waited counts calls, and those of them that waited at all, and for half a stall.
type waited struct{ calls, atAll, half float64 }

func (w waited) plus(o waited) waited {
	return waited{w.calls + o.calls, w.atAll + o.atAll, w.half + o.half}
}

// slice measures one slice as a scenario does, after others had their turn for a time.
func (s *stalls) slice(t *testing.T, others time.Duration) waited {
	time.Sleep(others)
	call := Call(func(context.Context, int) Outcome {
		time.Sleep(time.Millisecond + s.until())
		return Outcome{}
	})
	plan := Plan{Concurrency: 64, Rate: 40, Window: 250 * time.Millisecond, Warmup: 8, Deadline: 5 * time.Second, LastSeen: s.left}
	plan.Since = WarmUp(t.Context(), call, plan).StoodStill
	tally, err := Run(t.Context(), call, plan)
	if err != nil || tally.Failures() > 0 || tally.Unsent > 0 {
		t.Fatalf("errors %v, %d unsent, %v", tally.Errors, tally.Unsent, err)
	}
	s.left = time.Now()
	all, some := s.count(tally.Latency), s.count(tally.LatencyUnweighed)
	return waited{all.calls - some.calls, all.atAll - some.atAll, all.half - some.half}
}

func (s *stalls) count(h *hdrhistogram.Histogram) (w waited) {
	if h == nil {
		return w
	}
	for _, bar := range h.Distribution() {
		n := float64(bar.Count)
		w.calls += n
		if bar.From > 2*time.Millisecond.Nanoseconds() {
			w.atAll += n
		}
		if bar.From > (s.last / 2).Nanoseconds() {
			w.half += n
		}
	}
	return w
}

// TestSlicesWeighStallsAsOneLongSlice has runs of short slices come upon stalls of
// three lengths, on a server that is measured without a pause and on one of a few. The
// share of calls that waits, and that waits for half a stall or longer, is that of one
// long slice within 20%, or within what chance explains. What is missing is
// what a warm-up may wait for without a word, and the end of a stall, when the server has
// nearly caught up. GREET_SEEDS is the number of runs; 100 take minutes.
func TestSlicesWeighStallsAsOneLongSlice(t *testing.T) {
	seeds, err := strconv.Atoi(os.Getenv("GREET_SEEDS"))
	if err != nil {
		seeds = 20
	}
	for _, stall := range []struct{ last, period time.Duration }{
		{50 * time.Millisecond, time.Second}, {300 * time.Millisecond, 4 * time.Second}, {2 * time.Second, 10 * time.Second},
	} {
		for _, others := range []time.Duration{10 * time.Millisecond, 700 * time.Millisecond} {
			t.Run(fmt.Sprintf("%v of %v, others %v", stall.last, stall.period, others), func(t *testing.T) {
				t.Parallel()
				var runs []waited
				for seed := range seeds {
					runs = append(runs, turns(t, stall.last, stall.period, others, uint64(seed)))
				}
				above2ms := (stall.last - time.Millisecond).Seconds() / stall.period.Seconds()
				checkShare(t, runs, func(w waited) float64 { return w.atAll }, above2ms)
				checkShare(t, runs, func(w waited) float64 { return w.half }, stall.last.Seconds()/stall.period.Seconds()/2)
			})
		}
	}
}

// turns are forty slices with others in between.
func turns(t *testing.T, last, period, others time.Duration, seed uint64) (sum waited) {
	synctest.Test(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(seed, uint64(last^period^others)))
		s := newStalls(r, last, period)
		time.Sleep(time.Duration(r.Int64N(int64(period))))
		for range 40 {
			sum = sum.plus(s.slice(t, others+time.Duration(r.Int64N(int64(others)/5))))
		}
	})
	return sum
}

// checkShare compares a share of all runs with the true one. How much it varies from run
// to run says how far chance may carry it (a ratio estimator; Cochran, Sampling
// Techniques, 1977, section 6.3).
func checkShare(t *testing.T, runs []waited, of func(waited) float64, want float64) {
	var all waited
	for _, w := range runs {
		all = all.plus(w)
	}
	got := of(all) / all.calls
	var squares float64
	for _, w := range runs {
		squares += math.Pow(of(w)-got*w.calls, 2)
	}
	chance := math.Sqrt(squares) / all.calls
	t.Logf("%.4f ± %.4f of calls, want %.4f: %+.1f%%", got, chance, want, 100*(got/want-1))
	if math.Abs(got-want) > max(0.2*want, 4*chance) {
		t.Errorf("%.4f ± %.4f of calls, want %.4f", got, chance, want)
	}
}
