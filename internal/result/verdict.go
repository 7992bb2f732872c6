package result

// Verdict names one thing that is wrong with a result.
type Verdict string

// The verdicts. The first three stand in place of the number.
const (
	Errors            Verdict = "errors"             // at least one call failed
	WrongReply        Verdict = "wrong-reply"        // at least one call succeeded with a reply other than the expected one
	Partial           Verdict = "partial"            // the run was interrupted within this slice
	ConnectionsDiffer Verdict = "connections-differ" // opened, accepted and asked-for connections are not the same number
	LittlesLaw        Verdict = "littles-law"        // concurrency and rate × mean latency differ by more than 10%
	ThinPercentile    Verdict = "thin-percentile"    // fewer than 100 samples lie beyond a percentile
	WindowShort       Verdict = "window-short"       // less than 1 s measured over all rounds
)

// Disqualifies reports whether the verdict takes a row's number and rank, and
// makes the run fail.
func (v Verdict) Disqualifies() bool {
	return v == Errors || v == WrongReply || v == Partial
}
