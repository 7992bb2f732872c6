package load

import (
	"sync"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// Range of the histograms, in nanoseconds. A lowest value of 1 ns keeps short
// times exact: with 1,000 as lowest, HDR reads 5.0 µs as 5.1.
const (
	lowest      = 1
	highest     = int64(60 * time.Second)
	significant = 3
)

// batch is how many completions a shard keeps before it merges them. It makes the
// one lock of the recorder a cost per 256 calls, and lets a thousand calls in
// flight share one histogram of some 200 KB instead of having one each.
const batch = 256

// lateness is how much later than intended a call of an open loop may begin
// before it counts as late. Where the machine has time, naps are good to some tens
// of microseconds.
const lateness = time.Millisecond

// Recorder gathers completions from the goroutines or event loops of a Driver.
// It keeps every sample.
type Recorder struct {
	window time.Duration     // successes after it do not count; 0 means all count
	failed func(total int64) // told of each failure
	mu     sync.Mutex
	tally  Tally
	first  time.Duration // when the first counted call began; -1 before there is one
	last   time.Duration // when the last counted call ended
}

// Tally is what the calls of one window came to.
type Tally struct {
	Calls    int64 // successes
	Sent     int64 // messages of the successes
	Received int64
	Errors   map[string]int64 // failures by code
	Text     string           // of one of the first failures
	Window   time.Duration    // what the successes took, all together
	Latency  *hdrhistogram.Histogram
	// Service is the time from when calls did begin, where Latency runs from when
	// they were meant to. In a closed loop both are the same.
	Service *hdrhistogram.Histogram
	Late    int64 // successes that began later than meant to
	Unsent  int64 // arrivals of an open loop that never got their turn
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

func newRecorder(window time.Duration, failed func(total int64)) *Recorder {
	return &Recorder{
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

// count enters one completion. A success after the window is not counted, since
// the window did not see it; a failure is, so that a server that hangs at the
// end of a window cannot hide it.
func (r *Recorder) count(c Completion) {
	t := &r.tally
	if c.Outcome.Code != "" {
		t.Errors[c.Outcome.Code]++
		if t.Text == "" {
			t.Text = c.Outcome.Text
		}
		r.failed(t.Failures())
		return
	}
	if r.window > 0 && c.Ended > r.window {
		return
	}
	t.Calls++
	t.Sent += c.Outcome.Sent
	t.Received += c.Outcome.Received
	if c.Begun-c.Intended > lateness {
		t.Late++
	}
	r.last = max(r.last, c.Ended)
	if r.first < 0 || c.Begun < r.first {
		r.first = c.Begun
	}
	// Out of range only if a deadline of over a minute was asked for.
	_ = t.Latency.RecordValue(min(int64(c.Ended-c.Intended), highest))
	_ = t.Service.RecordValue(min(int64(c.Ended-c.Begun), highest))
}

// result returns the tally once every shard is flushed.
func (r *Recorder) result() Tally {
	t := r.tally
	t.Window = r.window
	if r.window == 0 && t.Calls > 0 {
		t.Window = r.last - r.first
	}
	return t
}
