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
	OffsetNS    int64 `json:"clock_offset_ns"` // what the clock of worker 0 was ahead of this worker's
	RoundTripNS int64 `json:"round_trip_ns"`   // of the exchange that the offset comes from
	LateNS      int64 `json:"late_ns"`         // how long after the start the worker was told of it
	Lost        []int `json:"lost,omitempty"`  // workers that were not there, or were lost by the end

	// Accepted and Server are of all workers together. Only worker 0 asks the server.
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

// MeasuredBy says how many workers on how many hosts made the load of the line, or which
// one of them. It is empty for a line of one process.
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

// workerLost reports whether workers that were to make part of the load did not.
func workerLost(l *Line) bool {
	return l.Worker != nil && len(l.Worker.Lost) > 0 || l.Workers != nil && len(l.Workers.Lost) > 0
}

// clockTolerance is the part of a slice by which clocks and starts may be off.
const clockTolerance = 0.10

// clocksApart reports whether the windows of workers lie less well over each other than
// rates that are added up need. An offset is corrected as far as it is known, but a clock
// that is so far off is one that nobody keeps.
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
