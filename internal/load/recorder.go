package load

import (
	"sync"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// Range of the latency histogram, in nanoseconds. A lowest value of 1 ns keeps
// short times exact: with 1,000 as lowest, HDR reads 5.0 µs as 5.1.
const (
	lowest      = 1
	highest     = int64(60 * time.Second)
	significant = 3
)

// batch is how many completions a shard keeps before it merges them. It makes the
// one lock of the recorder a cost per 256 calls, and lets a thousand calls in
// flight share one histogram of some 200 KB instead of having one each.
const batch = 256

// Recorder gathers completions from the goroutines or event loops of a Driver.
// It keeps every sample.
type Recorder struct {
	window   time.Duration // completions after it do not count; 0 means all count
	failed   func(total int64)
	mu       sync.Mutex
	latency  *hdrhistogram.Histogram
	tally    Tally
	first    time.Duration // when the first counted call began
	last     time.Duration // when the last counted call ended
	hasFirst bool
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
}

// Failures is the number of calls that failed.
func (t Tally) Failures() int64 {
	var n int64
	for _, count := range t.Errors {
		n += count
	}
	return n
}

func newRecorder(window time.Duration, failed func(total int64)) *Recorder {
	return &Recorder{
		window:  window,
		failed:  failed,
		latency: hdrhistogram.New(lowest, highest, significant),
		tally:   Tally{Errors: make(map[string]int64)},
	}
}

// shard is the part of a recorder that one goroutine writes.
type shard struct {
	to      *Recorder
	pending []completion
}

type completion struct {
	begun, ended time.Duration
	outcome      Outcome
}

func (r *Recorder) shard() *shard {
	return &shard{to: r, pending: make([]completion, 0, batch)}
}

// add records that a call has ended. A failure is merged at once, so that a
// window can react to it.
func (s *shard) add(begun, ended time.Duration, o Outcome) {
	s.pending = append(s.pending, completion{begun, ended, o})
	if len(s.pending) == batch || o.Code != "" {
		s.flush()
	}
}

func (s *shard) flush() {
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
func (r *Recorder) count(c completion) {
	if c.outcome.Code != "" {
		r.tally.Errors[c.outcome.Code]++
		if r.tally.Text == "" {
			r.tally.Text = c.outcome.Text
		}
		r.failed(r.tally.Failures())
		return
	}
	if r.window > 0 && c.ended > r.window {
		return
	}
	r.tally.Calls++
	r.tally.Sent += c.outcome.Sent
	r.tally.Received += c.outcome.Received
	r.last = max(r.last, c.ended)
	if !r.hasFirst || c.begun < r.first {
		r.first, r.hasFirst = c.begun, true
	}
	// Above the range only if a deadline of over a minute was asked for.
	_ = r.latency.RecordValue(min(int64(c.ended-c.begun), highest))
}

// result returns the tally once every shard is flushed.
func (r *Recorder) result() Tally {
	t := r.tally
	t.Latency = r.latency
	t.Window = r.window
	if r.window == 0 {
		t.Window = r.last - r.first
	}
	return t
}
