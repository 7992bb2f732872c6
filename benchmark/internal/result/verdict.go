package result

import (
	"maps"
	"slices"
	"time"
)

// Verdict names one thing that is wrong with a result.
type Verdict string

// The verdicts. The first five stand in place of the number.
const (
	Errors            Verdict = "errors"             // at least one call failed
	WrongReply        Verdict = "wrong-reply"        // at least one call had status OK and a wrong reply
	Partial           Verdict = "partial"            // the run was interrupted within this slice
	NoSuccess         Verdict = "no-success"         // not one call succeeded within the window
	Incomplete        Verdict = "incomplete"         // the shards of the workers do not make one whole
	ConnectionsDiffer Verdict = "connections-differ" // opened, accepted and asked-for connections are not the same number
	Stalled           Verdict = "stalled"            // a call took longer than 10% of the window that it began in
	Clamped           Verdict = "clamped"            // a time is longer than the histograms reach
	LittlesLaw        Verdict = "littles-law"        // concurrency and rate × mean latency differ by more than 10%
	BehindSchedule    Verdict = "behind-schedule"    // open loop: more than 1% of the arrivals began late, or one never did
	LoadDiffers       Verdict = "load-differs"       // open loop: the closed loop says that the load is another, by more than 10%
	ClientSaturated   Verdict = "client-saturated"   // the client has cores of its own and used more than 80% of them
	WorkerLost        Verdict = "worker-lost"        // fewer workers made the load than planned
	ClocksApart       Verdict = "clocks-apart"       // a worker's clock or start is off by more than 10% of a slice
	ThinPercentile    Verdict = "thin-percentile"    // fewer than 100 samples lie beyond a percentile
	WindowShort       Verdict = "window-short"       // less than 1 s measured over all rounds
	Drift             Verdict = "drift"              // the first and the last half of the rounds differ significantly
	Noisy             Verdict = "noisy"              // a median's interval is wider than ±10%
)

// Verdicts lists all verdicts, those that disqualify first. Results and tables list them in this
// order.
var Verdicts = []Verdict{
	Errors, WrongReply, Partial, NoSuccess, Incomplete, ConnectionsDiffer, Stalled, Clamped, LittlesLaw, BehindSchedule,
	LoadDiffers, ClientSaturated, WorkerLost, ClocksApart, ThinPercentile, WindowShort,
	Drift, Noisy,
}

const (
	// WrongReplyCode is the key in Line.Errors of calls with status OK and a wrong reply.
	WrongReplyCode = "wrong_reply"
	// Latency names the histogram of the times of whole calls. In an open loop they run from the
	// intended time of the call.
	Latency = "latency"
	// rateName names the metric for successful calls a second.
	rateName = "rate"
	// Late names the metric for the fraction of an open loop's calls that began later than
	// intended.
	Late = "late"
	// Unsent names the metric for the number of calls that never began.
	Unsent = "unsent"
	// ShortWindow is the time that a case is measured, over all rounds, below
	// which WindowShort marks it.
	ShortWindow = time.Second

	// lateTolerance is the fraction of late calls beyond which the 99th percentile, the highest
	// that a few rounds support, shows how long calls waited for their turn, and not how the
	// server answers at that rate.
	lateTolerance    = 0.01
	saturation       = 0.80 // of the client's cores
	stallTolerance   = 0.10 // of the window
	shortestRange    = int64(59 * time.Second)
	littlesTolerance = 0.10
	// A slice needs littlesCalls times the concurrency before the ramps at its two ends are too
	// small to matter to Little's law.
	littlesCalls = 20
)

// Disqualifies reports whether the verdict takes a row's number and rank, and
// makes the run fail.
func (v Verdict) Disqualifies() bool {
	return v == Errors || v == WrongReply || v == Partial || v == NoSuccess || v == Incomplete
}

// Disqualified reports whether one of the verdicts disqualifies.
func Disqualified(verdicts []Verdict) bool {
	return slices.ContainsFunc(verdicts, Verdict.Disqualifies)
}

// Judge returns the verdicts on the line by itself, in the order of Verdicts, and does not change
// the line. It keeps Partial and Incomplete if the line has them, since figures do not show them;
// Partial explains why calls and connections are missing. Summarize gives WindowShort, Drift and
// Noisy, which are about all rounds, and LoadDiffers, which takes another case too.
func Judge(l *Line) []Verdict {
	partial := slices.Contains(l.Verdicts, Partial)
	holds := map[Verdict]bool{
		Errors:            failed(l),
		WrongReply:        l.failures()[WrongReplyCode] > 0,
		Partial:           partial,
		NoSuccess:         l.Calls == 0 && !partial,
		Incomplete:        slices.Contains(l.Verdicts, Incomplete),
		ConnectionsDiffer: connectionsDiffer(l) && !partial,
		Stalled:           stalled(l),
		Clamped:           slices.ContainsFunc(l.Histograms, clamped),
		LittlesLaw:        breaksLittlesLaw(loopOf(l.Case, *l)),
		BehindSchedule:    behindSchedule(*l),
		ClientSaturated:   clientSaturated(l),
		WorkerLost:        workerLost(l),
		ClocksApart:       clocksApart(l),
		ThinPercentile:    slices.ContainsFunc(l.Histograms, hasThin),
	}
	return inOrder(holds)
}

// inOrder lists the verdicts that hold, and is nil if none does.
func inOrder(holds map[Verdict]bool) []Verdict {
	var verdicts []Verdict
	for _, v := range Verdicts {
		if holds[v] {
			verdicts = append(verdicts, v)
		}
	}
	return verdicts
}

func setOf(verdicts []Verdict) map[Verdict]bool {
	set := map[Verdict]bool{}
	for _, v := range verdicts {
		set[v] = true
	}
	return set
}

// failed reports whether a call failed otherwise than by a wrong reply.
func failed(l *Line) bool {
	for code, count := range l.failures() {
		if code != WrongReplyCode && count > 0 {
			return true
		}
	}
	return false
}

// failures adds those of the warm-up to those of the window: users cannot wait for a server to be
// warm.
func (l *Line) failures() map[string]int64 {
	all := maps.Clone(l.Errors)
	for code, count := range l.WarmupErrors {
		if all == nil {
			all = map[string]int64{}
		}
		all[code] += count
	}
	return all
}

// connectionsDiffer compares the connections that the client opened with those that the server
// accepted, if it can say, and with those that were asked for, if any were.
func connectionsDiffer(l *Line) bool {
	if l.Accepted != nil && *l.Accepted != l.Opened {
		return true
	}
	return l.Case.Connections > 0 && int64(l.Case.Connections) != l.Opened
}

// behindSchedule reports whether the slices of an open loop made less load than asked for. Their
// latency is still right, because it runs from the intended times, and so is their rate: the server
// did that much.
func behindSchedule(slices ...Line) bool {
	var late, calls float64
	for _, l := range slices {
		if l.Case.Rate == 0 {
			return false
		}
		for _, m := range l.Metrics {
			switch {
			case m.Name == Unsent && m.Value > 0:
				return true
			case m.Name == Late:
				late += m.Value * float64(l.Calls)
				calls += float64(l.Calls)
			}
		}
	}
	return late > lateTolerance*calls
}

// clientSaturated reports whether the figure may be the client's limit rather than the server's. If
// the two share cores that cannot be known, and without a server the client is what is measured.
func clientSaturated(l *Line) bool {
	if l.Workers != nil { // each has been judged by itself
		return slices.Contains(l.Verdicts, ClientSaturated)
	}
	if own := l.Environment.Pinned || l.Worker != nil; !own || l.Case.Mode == "" || l.Client == nil || l.Client.WallNS <= 0 {
		return false
	}
	offered := float64(l.Client.WallNS) * float64(l.Environment.GoMaxProcs)
	return float64(l.Client.UserNS+l.Client.SystemNS) > saturation*offered
}

// loop sums up the calls of one or more slices of one case.
type loop struct {
	of       Case
	slices   int
	calls    int64 // that began, whenever they ended
	tookNS   float64
	beyondNS float64 // at most so much of that lies after the windows
	windowNS int64
}

func loopOf(of Case, lines ...Line) loop {
	l := loop{of: of, slices: len(lines)}
	for i := range lines {
		h, ok := lines[i].histogram(Latency)
		if !ok {
			continue
		}
		l.calls += h.Count
		l.tookNS += float64(h.Count) * h.MeanNS
		l.beyondNS += float64(lines[i].AfterWindow) * float64(lines[i].OverrunNS)
		l.windowNS += lines[i].WindowNS
	}
	return l
}

// breaksLittlesLaw checks L = λW (Little, Operations Research 9(3), 1961): in a closed loop the
// calls in flight are the rate times the mean latency. If not, the loop did not keep its calls in
// flight, or the clock is wrong. The law applies to whole calls, so only the unary mode is checked.
func breaksLittlesLaw(l loop) bool {
	c := l.of
	if c.Mode != "unary" || c.Rate != 0 || c.Concurrency < 1 || l.windowNS <= 0 ||
		l.calls < littlesCalls*int64(c.Concurrency)*int64(l.slices) {
		return false
	}
	window, asked := float64(l.windowNS), float64(c.Concurrency)
	least, most := (l.tookNS-l.beyondNS)/window, l.tookNS/window
	return most < (1-littlesTolerance)*asked || least > (1+littlesTolerance)*asked
}

// stalled reports whether a call took so long that the slice is too short to show the weight of
// such calls. A window with a fixed number of calls lasts as long as they do and so misses nothing.
// Lines of the first method lack the calls that would show it.
func stalled(l *Line) bool {
	h, ok := l.histogram(Latency)
	return ok && l.Method > 0 && l.Case.Timed() && float64(h.MaxNS) > stallTolerance*float64(l.sliceNS())
}

// sliceNS is the time in which calls began that count. An open loop's window is longer by its
// overrun.
func (l *Line) sliceNS() int64 {
	if l.Case.Rate > 0 {
		return l.WindowNS - l.OverrunNS
	}
	return l.WindowNS
}

func (l *Line) histogram(name string) (Histogram, bool) {
	i := slices.IndexFunc(l.Histograms, func(h Histogram) bool { return h.Name == name })
	if i < 0 {
		return Histogram{}, false
	}
	return l.Histograms[i], true
}

// clamped reports whether a sample may be longer than the histogram says, because it is in the last
// bucket. No histogram of ours ended below shortestRange.
func clamped(h Histogram) bool {
	if h.MaxNS < shortestRange {
		return false
	}
	decoded, err := h.Decode()
	return err == nil && h.MaxNS >= decoded.HighestTrackableValue()
}

// hasThin reports whether the histogram leaves a percentile blank.
func hasThin(h Histogram) bool {
	return slices.ContainsFunc(h.Percentiles(), func(p Percentile) bool { return p.thinFor(h.Count) })
}
