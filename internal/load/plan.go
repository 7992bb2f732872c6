package load

import "time"

// Plan says how much load one slice is.
type Plan struct {
	// Concurrency is how many calls are kept in flight.
	Concurrency int
	// Calls is how many calls the window has. 0 means that Window ends it.
	Calls int64
	// Window is how long a timed window lasts. Unused if Calls is set.
	Window time.Duration
	// Warmup is how many calls are made, at the same concurrency, before the
	// window; they are never counted.
	Warmup int64
	// Deadline is how long one call may take.
	Deadline time.Duration
	// Patience bounds a window that has Calls: once it is over, no further call
	// begins. It keeps a server that hangs from holding up the run. 0 means no
	// bound.
	Patience time.Duration
}

// maxFailures is how many failed calls a window with a fixed number of calls
// bears before it begins no more. The result has lost its rank with the first of
// them; the rest would only cost time.
const maxFailures = 100
