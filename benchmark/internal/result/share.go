package result

import "slices"

// shareTolerance is how far the true share of the capacity may lie from the case's load, relative
// to it: less than half the step from 70 to 90%, so that a row without a mark is nearer to its own
// load than to the next.
const shareTolerance = 0.10

// stateShares sets the true share of each case that has a load, and marks those that it contradicts.
func stateShares(all []Summary) {
	for i := range all {
		s := &all[i]
		if s.Share = shareOf(*s, all); s.Share != nil && contradictsLoad(*s.Share, s.Case.Load) {
			s.Verdicts = inOrder(setOf(append(s.Verdicts, LoadDiffers)))
		}
	}
}

// shareOf returns the case's arrivals as a share of what a closed loop of the same work did in the
// same rounds. It is nil if there is no such loop, or no load.
func shareOf(s Summary, all []Summary) *Estimate {
	i := slices.IndexFunc(all, func(other Summary) bool {
		return s.Case.Load > 0 && sameWork(s.Case, other.Case) && !other.Disqualified()
	})
	if i < 0 {
		return nil
	}
	own, _ := s.Metric(rateName)
	closed, _ := all[i].Metric(rateName)
	var shares []float64
	for slot := range own.values {
		if did := closed.values[slot]; did > 0 {
			shares = append(shares, s.Case.Rate/did)
		}
	}
	if len(shares) == 0 {
		return nil
	}
	return new(EstimateMedian(shares))
}

// sameWork reports whether a closed loop has the client make the calls of the open one, with as
// many in flight as the open one may have. One that is given no number of connections opens as many
// as it needs.
func sameWork(open, closed Case) bool {
	if closed.Rate > 0 || !closed.Timed() {
		return false
	}
	if open.Connections == 0 {
		closed.Connections = 0
	}
	closed.Scenario, closed.Rate = open.Scenario, open.Rate
	return closed.Key() == open.Key()
}

// contradictsLoad reports whether the whole interval of the share is off by more than the
// tolerance. Too few rounds for an interval contradict nothing.
func contradictsLoad(share Estimate, load float64) bool {
	return share.HasInterval && (share.High < (1-shareTolerance)*load || share.Low > (1+shareTolerance)*load)
}
