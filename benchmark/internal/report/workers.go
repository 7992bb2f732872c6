package report

import (
	"fmt"
	"time"
)

// workerNote says which workers made the load. It is empty if one process did.
func (r Report) workerNote() string {
	by := r.Lines[0].MeasuredBy()
	switch {
	case by == "":
		return ""
	case r.Lines[0].Worker != nil:
		return fmt.Sprintf("These are the figures of %s alone: the others loaded the server at the same time. benchmark merge adds them up.", by)
	}
	var offset, roundTrip int64
	for _, l := range r.Lines {
		offset, roundTrip = max(offset, l.Workers.OffsetNS), max(roundTrip, l.Workers.RoundTripNS)
	}
	return fmt.Sprintf("%s made the load together, each slice in one window: rates and calls in flight are those of all of them.\n"+
		"Their clocks were up to %v apart, which is corrected, and known to within %v. The machine above is that of the first.",
		capital(by), time.Duration(offset).Round(time.Microsecond), time.Duration(roundTrip/2).Round(time.Microsecond))
}
