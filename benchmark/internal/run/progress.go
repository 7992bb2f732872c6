package run

import (
	"time"

	"example.com/greet/benchmark/internal/result"
)

// Progress is told what the run does. Its methods are called one at a time.
type Progress interface {
	// Prepare says what is done before the first slice.
	Prepare(doing string)
	// Begin says that a slice of the case begins.
	Begin(at At, c result.Case)
	// Measured gives the line of the slice, after it is written.
	Measured(l result.Line)
	// End says that the round has ended, and how many of its slices were measured now.
	End(at At, slices int, took time.Duration)
}

// At is how far the run has come.
type At struct {
	Round, Rounds int           // Round is 0 in the rehearsal
	Done, Total   int           // slices; of the rehearsal alone while it lasts
	Left          time.Duration // the expected time of the rest
}
