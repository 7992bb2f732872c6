package load

import (
	"sync"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// Range of the histograms, in nanoseconds. With a lowest value of 1 ns short times stay exact: with
// 1,000, HDR reads 5.0 µs as 5.1. The highest is more than a call can take: it ends by its
// deadline, and in an open loop waits for its turn at most a window and a deadline, each at most
// LongestWait.
const (
	lowest      = 1
	highest     = int64(4 * LongestWait)
	significant = 3
)

// LongestWait is the longest deadline and the longest window of a plan.
const LongestWait = 15 * time.Minute

// batch is how many completions a shard keeps before it merges them. It spreads the cost of the
// recorder's one lock over 256 calls, and lets a thousand calls in flight share one histogram of
// some 200 KB instead of one each.
const batch = 256

// lateness is how much later than intended a call of an open loop may begin before it counts as
// late. On a machine that is not busy, naps are exact to some tens of microseconds.
const lateness = time.Millisecond

// Recorder gathers completions from the goroutines or event loops of a Driver.
// It keeps every sample.
type Recorder struct {
	pace       *Pace
	window     time.Duration     // 0 if the number of calls ends it
	pause      time.Duration     // from one window on the server to the next
	failed     func(total int64) // is called after each failure
	standstill *standstill       // of a warm-up, else nil
	mu         sync.Mutex
	tally      Tally
	first      time.Duration // when the first call began; -1 before there is one
	last       time.Duration // when the last call ended
}

// Tally sums up the calls of one window.
type Tally struct {
	// Calls are successes. In a timed closed loop they ended within the window, so that Calls over
	// Window is its rate; AfterWindow are successes that began in it and ended later.
	Calls       int64
	AfterWindow int64
	Sent        int64 // messages of Calls
	Received    int64
	Errors      map[string]int64 // failures by code
	Text        string           // of one of the first failures
	Window      time.Duration    // the time of Calls; in an open loop it includes the overrun
	// Overrun is how long after a timed window the last of its calls ended: those that began in it
	// or, in an open loop, arrived in it.
	Overrun time.Duration
	// Latency has every successful call that began in the window, whenever it ended.
	Latency *hdrhistogram.Histogram
	// Service runs from when calls really began, Latency from when they should have. In a closed
	// loop both are the same.
	Service *hdrhistogram.Histogram
	// LatencyUnweighed and ServiceUnweighed are the part of each that percentiles over several
	// slices leave out: see Plan.LastSeen. They may be nil.
	LatencyUnweighed, ServiceUnweighed *hdrhistogram.Histogram
	Late                               int64 // successes that began later than intended
	Unsent                             int64 // arrivals of an open loop that never began
	// Began is when the window began.
	Began time.Time
	// Warmed sums up the warm-up, if the same function made both.
	Warmed Warmed
}

// Failures is the number of calls that failed.
func (t Tally) Failures() int64 {
	var n int64
	for _, count := range t.Errors {
		n += count
	}
	return n
}

// NewHistogram returns an empty histogram with the range that load records with.
func NewHistogram() *hdrhistogram.Histogram {
	return hdrhistogram.New(lowest, highest, significant)
}

func newRecorder(pace *Pace, window time.Duration, failed func(total int64)) *Recorder {
	return &Recorder{
		pace:   pace,
		window: window,
		failed: failed,
		first:  -1,
		tally:  Tally{Errors: make(map[string]int64), Latency: NewHistogram(), Service: NewHistogram()},
	}
}

// Completion is one call that has ended. Times are on the pace's clock.
type Completion struct {
	Intended time.Duration // when it was meant to begin, as Next said
	Begun    time.Duration
	Ended    time.Duration
	Outcome  Outcome
}

// Shard is the part of a recorder that one goroutine writes.
type Shard struct {
	to      *Recorder
	pending []Completion
}

// Shard returns a new shard. Its user flushes it before it is done.
func (r *Recorder) Shard() *Shard {
	return &Shard{to: r, pending: make([]Completion, 0, batch)}
}

// Add records that a call has ended. A failure is merged at once, so that a
// window can react to it.
func (s *Shard) Add(c Completion) {
	if a := s.to.pace.arrivals; a != nil {
		a.answered(c)
	}
	s.pending = append(s.pending, c)
	if len(s.pending) == batch || c.Outcome.Code != "" {
		s.Flush()
	}
}

// Flush merges what has been added into the recorder.
func (s *Shard) Flush() {
	s.to.mu.Lock()
	defer s.to.mu.Unlock()
	for _, c := range s.pending {
		s.to.count(c)
	}
	s.pending = s.pending[:0]
}

// count enters one completion.
func (r *Recorder) count(c Completion) {
	t := &r.tally
	if r.standstill != nil {
		r.standstill.ended(c.Ended)
	}
	if c.Outcome.Code != "" {
		t.Errors[c.Outcome.Code]++
		if t.Text == "" {
			t.Text = c.Outcome.Text
		}
		r.failed(t.Failures())
		return
	}
	r.time(c)
	if r.pace.arrivals == nil && r.window > 0 && c.Ended > r.window {
		t.AfterWindow++
		return
	}
	t.Calls++
	t.Sent += c.Outcome.Sent
	t.Received += c.Outcome.Received
	if c.Begun-c.Intended > lateness {
		t.Late++
	}
}

// time records how long a success took. One that ends after the window counts too, because that is
// where a stall shows.
func (r *Recorder) time(c Completion) {
	t := &r.tally
	r.last = max(r.last, c.Ended)
	if r.first < 0 || c.Begun < r.first {
		r.first = c.Begun
	}
	Record(t.Latency, c.Ended-c.Intended)
	Record(t.Service, c.Ended-c.Begun)
	if r.weighed(c.Intended) {
		return
	}
	if t.LatencyUnweighed == nil {
		t.LatencyUnweighed, t.ServiceUnweighed = NewHistogram(), NewHistogram()
	}
	Record(t.LatencyUnweighed, c.Ended-c.Intended)
	Record(t.ServiceUnweighed, c.Ended-c.Begun)
}

// weighed reports whether an arrival counts in percentiles over several slices: it is in the
// slice's window, or in one that would have come in its overrun; see Plan.LastSeen.
func (r *Recorder) weighed(intended time.Duration) bool {
	after := intended - r.window
	return r.window == 0 || after < 0 || after%(r.pause+r.window) >= r.pause
}

// Record adds a time to a histogram of NewHistogram. A longer time than its range counts as the
// longest, for which results have a verdict.
func Record(h *hdrhistogram.Histogram, d time.Duration) {
	_ = h.RecordValue(min(int64(d), highest)) // in range by then
}

// result returns the tally once every shard is flushed.
func (r *Recorder) result() Tally {
	t := r.tally
	t.Began = r.pace.epoch
	switch {
	case r.window == 0 && t.Calls > 0:
		t.Window = r.last - r.first
	case r.window > 0:
		t.Window = r.window
		t.Overrun = max(0, r.last-r.window)
		if r.pace.arrivals != nil {
			t.Window += t.Overrun
		}
	}
	return t
}
