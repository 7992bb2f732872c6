package load

import (
	"sync"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// Times records how long parts of calls took, such as the gaps between the messages of a stream. A
// Recorder records whole calls. Times keeps every sample. It is safe for concurrent use; each
// goroutine adds through a batch of its own.
type Times struct {
	mu        sync.Mutex
	histogram *hdrhistogram.Histogram
}

// NewTimes returns an empty Times.
func NewTimes() *Times { return &Times{histogram: NewHistogram()} }

// Histogram returns the kept times in nanoseconds. The caller owns it once no batch is in use.
func (t *Times) Histogram() *hdrhistogram.Histogram { return t.histogram }

// Batch returns a new batch, for one goroutine at a time.
func (t *Times) Batch() *Batch { return &Batch{to: t} }

// Batch holds the times of one call until its outcome is known: the times of a failed call must not
// enter a percentile.
type Batch struct {
	to      *Times
	pending []time.Duration
}

// Add notes one time, without a lock.
func (b *Batch) Add(d time.Duration) { b.pending = append(b.pending, d) }

// Keep merges what was added, and empties the batch.
func (b *Batch) Keep() {
	b.to.mu.Lock()
	defer b.to.mu.Unlock()
	for _, d := range b.pending {
		Record(b.to.histogram, d)
	}
	b.pending = b.pending[:0]
}

// Drop forgets what was added.
func (b *Batch) Drop() { b.pending = b.pending[:0] }
