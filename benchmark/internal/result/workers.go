package result

import (
	"cmp"
	"fmt"
	"time"
)

// Worker says which of several workers measured a line, and how well they agreed on the
// time.
type Worker struct {
	Index int    `json:"index"` // from 0; worker 0 is where they met
	Count int    `json:"count"` // that were to measure together
	Host  string `json:"host"`  // a hash, equal for workers on one machine

	StartUS     int64 `json:"start_us"`        // when the window began by the clock of worker 0, since 1970
	OffsetNS    int64 `json:"clock_offset_ns"` // how far the clock of worker 0 was ahead of this worker's
	RoundTripNS int64 `json:"round_trip_ns"`   // of the exchange that the offset comes from
	LateNS      int64 `json:"late_ns"`         // how long after the start the worker learned of it
	Lost        []int `json:"lost,omitempty"`  // workers that did not come or were lost

	// Accepted and Server are for all workers together. Only worker 0 asks the server.
	Accepted *int64 `json:"connections_accepted,omitempty"`
	Server   *Usage `json:"server_usage,omitempty"`
}

// Workers says whose lines were merged into one.
type Workers struct {
	Count  int `json:"count"`  // that were to measure together
	Shards int `json:"shards"` // of workers whose lines are in this one
	Hosts  int `json:"hosts"`

	OffsetNS    int64 `json:"clock_offset_ns"` // the largest, whatever its sign
	RoundTripNS int64 `json:"round_trip_ns"`   // the largest
	LateNS      int64 `json:"late_ns"`         // the largest
	Lost        []int `json:"lost,omitempty"`
}

// MeasuredBy says how many workers on how many hosts made the load of the line, or which worker
// did. It is empty for a line of one process.
func (l *Line) MeasuredBy() string {
	switch {
	case l.Worker != nil:
		return fmt.Sprintf("worker %d of %d", l.Worker.Index, l.Worker.Count)
	case l.Workers == nil:
		return ""
	}
	hosts := fmt.Sprintf("%d hosts", l.Workers.Hosts)
	if l.Workers.Hosts == 1 {
		hosts = "one host"
	}
	return fmt.Sprintf("%d workers on %s", l.Workers.Count, hosts)
}

// workerLost reports whether part of the planned workers is missing.
func workerLost(l *Line) bool {
	return l.Worker != nil && len(l.Worker.Lost) > 0 || l.Workers != nil && len(l.Workers.Lost) > 0
}

// clockTolerance is the share of a slice by which clocks and starts may differ.
const clockTolerance = 0.10

// clocksApart reports whether the windows of the workers overlap too little for their rates to be
// added up. The known offset of a clock is corrected, but nobody keeps a clock that is far off, so
// it cannot be trusted.
func clocksApart(l *Line) bool {
	var offset, roundTrip, late int64
	switch {
	case l.Worker != nil:
		offset, roundTrip, late = l.Worker.OffsetNS, l.Worker.RoundTripNS, l.Worker.LateNS
	case l.Workers != nil:
		offset, roundTrip, late = l.Workers.OffsetNS, l.Workers.RoundTripNS, l.Workers.LateNS
	}
	worst := max(offset, -offset, roundTrip/2, late)
	return float64(worst) > clockTolerance*float64(cmp.Or(l.sliceNS(), time.Hour.Nanoseconds()))
}
