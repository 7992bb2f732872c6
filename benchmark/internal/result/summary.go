package result

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
)

// Summary sums up all rounds of one case.
type Summary struct {
	Case       Case
	Rounds     int
	Metrics    []MetricSummary // by name; empty when nothing succeeded
	Histograms []Histogram     // by name; each merged over the rounds
	WindowNS   int64           // all rounds together, like the counts below
	Calls      int64           // successes
	// Seen is the share of the run's time in which windows watched the case's server; 0 if
	// unknown.
	Seen       float64
	Errors     map[string]int64 // by normalised code
	FirstError string
	Opened     Count  // connections, counted by the client
	Accepted   *Count // and by the server; nil if it could not say in each round
	Verdicts   []Verdict
	// Share is what the arrivals of an open loop are of the rate of the closed loop in the same
	// rounds; nil if the run has none of the same work.
	Share *Estimate

	times []MetricSummary // percentiles by rounds
	first *Line
}

// Disqualified reports whether a verdict stands in place of the numbers.
func (s Summary) Disqualified() bool { return Disqualified(s.Verdicts) }

// Metric returns the metric of that name, if the summary has it.
func (s Summary) Metric(name string) (MetricSummary, bool) {
	for _, m := range s.Metrics {
		if m.Name == name {
			return m, true
		}
	}
	return MetricSummary{}, false
}

// VerdictsOn lists the verdicts that concern a metric of the summary: all but those that are on
// other metrics alone.
func (s Summary) VerdictsOn(m MetricSummary) []Verdict {
	return slices.DeleteFunc(slices.Clone(s.Verdicts), func(v Verdict) bool {
		return (v == Drift || v == Noisy) && !slices.Contains(m.Verdicts, v)
	})
}

// Count is a number that should be the same in each round.
type Count struct {
	Max    int64
	Varies bool
}

// MetricSummary is one metric over the rounds that have it.
type MetricSummary struct {
	Name   string
	Unit   string
	Better Better
	Estimate
	// Verdicts are those on this metric alone, Drift and Noisy.
	Verdicts []Verdict

	values map[slot]float64
}

// slot is one round of one run. Figures of one slot may be paired.
type slot struct {
	run   string
	round int
}

// CompareMetrics returns the ratio of a to b over the rounds that have both. It is false if there
// is none.
func CompareMetrics(a, b MetricSummary) (Ratio, bool) {
	var as, bs []float64
	for _, s := range slices.SortedFunc(maps.Keys(a.values), compareSlots) {
		if value, ok := b.values[s]; ok {
			as, bs = append(as, a.values[s]), append(bs, value)
		}
	}
	return Compare(as, bs)
}

// compareSlots orders by time: a run's id begins with when it started.
func compareSlots(a, b slot) int {
	return cmp.Or(cmp.Compare(a.run, b.run), cmp.Compare(a.round, b.round))
}

// Summarize sums up the rounds of each case. The summaries are ordered by their cases' parameters,
// whatever the order of the lines. Lines that must not stand in one table are an error that names
// the field in which they differ.
func Summarize(lines []Line) ([]Summary, error) {
	if err := checkComparable(lines); err != nil {
		return nil, err
	}
	cases := map[string][]Line{}
	for _, l := range lines {
		cases[l.Case.Key()] = append(cases[l.Case.Key()], l)
	}
	summaries := make([]Summary, 0, len(cases))
	for _, rounds := range cases {
		s, err := summarize(rounds)
		if err != nil {
			return nil, err
		}
		summaries = append(summaries, s)
	}
	slices.SortFunc(summaries, func(a, b Summary) int { return compareCases(a.Case, b.Case) })
	stateShares(summaries)
	return summaries, nil
}

// compareCases orders by what is measured, then by who is measured.
func compareCases(a, b Case) int {
	return cmp.Or(
		cmp.Compare(a.Scenario, b.Scenario), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Mode, b.Mode), cmp.Compare(a.Direction, b.Direction),
		cmp.Compare(a.Payload, b.Payload), cmp.Compare(a.Messages, b.Messages), cmp.Compare(a.Calls, b.Calls),
		cmp.Compare(a.Rate, b.Rate), cmp.Compare(a.Connections, b.Connections), cmp.Compare(a.Concurrency, b.Concurrency),
		cmp.Compare(a.Stack, b.Stack), cmp.Compare(a.Client, b.Client), cmp.Compare(a.Replica, b.Replica),
	)
}

// summarize gathers the lines of one case.
func summarize(lines []Line) (Summary, error) {
	slices.SortFunc(lines, func(a, b Line) int { return compareSlots(slotOf(a), slotOf(b)) })
	s := Summary{Case: lines[0].Case, Rounds: len(lines), Errors: map[string]int64{}, first: &lines[0]}
	for i, l := range lines {
		if i > 0 && slotOf(l) == slotOf(lines[i-1]) {
			return Summary{}, fmt.Errorf("summarize %s: round %d of run %s is there twice", l.Case.Key(), l.Round, l.Run)
		}
		s.WindowNS += l.WindowNS
		s.Calls += l.Calls
		for code, count := range l.failures() {
			s.Errors[code] += count
		}
		s.FirstError = cmp.Or(s.FirstError, l.FirstError)
	}
	s.Opened, s.Accepted = connections(lines)
	var err error
	if s.Metrics, err = summarizeMetrics(lines); err != nil {
		return Summary{}, err
	}
	s.Seen = seen(lines)
	if s.Histograms, err = mergeHistograms(lines); err != nil {
		return Summary{}, err
	}
	s.times = timesByRound(lines)
	s.Verdicts = judgeAll(lines, s)
	return s, nil
}

func slotOf(l Line) slot { return slot{l.Run, l.Round} }

func connections(lines []Line) (opened Count, accepted *Count) {
	var open, accept []int64
	for _, l := range lines {
		open = append(open, l.Opened)
		if l.Accepted != nil {
			accept = append(accept, *l.Accepted)
		}
	}
	if len(accept) == len(lines) {
		accepted = new(countOf(accept))
	}
	return countOf(open), accepted
}

func countOf(values []int64) Count {
	return Count{Max: slices.Max(values), Varies: slices.Min(values) != slices.Max(values)}
}

func summarizeMetrics(lines []Line) ([]MetricSummary, error) {
	byName := map[string]MetricSummary{}
	for _, l := range lines {
		for _, m := range l.Metrics {
			sum, ok := byName[m.Name]
			if !ok {
				sum = MetricSummary{Name: m.Name, Unit: m.Unit, Better: m.Better, values: map[slot]float64{}}
				byName[m.Name] = sum
			}
			if sum.Unit != m.Unit || sum.Better != m.Better {
				return nil, fmt.Errorf("summarize %s: metric %q is in %q (%s is better) and in %q (%s is better)",
					l.Case.Key(), m.Name, sum.Unit, sum.Better, m.Unit, m.Better)
			}
			sum.values[slotOf(l)] = m.Value
		}
	}
	sums := make([]MetricSummary, 0, len(byName))
	for _, name := range slices.Sorted(maps.Keys(byName)) {
		sum := byName[name]
		sum.Estimate = EstimateMedian(slices.Collect(maps.Values(sum.values)))
		sum.Verdicts = steadiness(sum)
		sums = append(sums, sum)
	}
	return sums, nil
}

// seen is the share of the time in which a window was on the case's server. The rest is the time
// between its windows.
func seen(lines []Line) float64 {
	var windows, unseen float64
	for i := range lines {
		if lines[i].UnseenNS > 0 {
			windows += float64(lines[i].sliceNS())
			unseen += float64(lines[i].UnseenNS)
		}
	}
	if unseen == 0 {
		return 0
	}
	return windows / (windows + unseen)
}

func mergeHistograms(lines []Line) ([]Histogram, error) {
	parts := map[string][]Histogram{}
	for _, l := range lines {
		for _, h := range l.Histograms {
			parts[h.Name] = append(parts[h.Name], h)
		}
	}
	var merged []Histogram
	for _, name := range slices.Sorted(maps.Keys(parts)) {
		whole, err := Merge(parts[name])
		if err != nil {
			return nil, fmt.Errorf("summarize %s: %w", lines[0].Case.Key(), err)
		}
		merged = append(merged, whole)
	}
	return merged, nil
}

// judgeAll unites the verdicts of the rounds: one bad round disqualifies the case. It judges the
// lines anew, for another program may have written the file.
//
// Some verdicts are about all rounds together, and those that a line states of itself count for
// nothing. ThinPercentile is about the merged histograms, which have more samples. LittlesLaw and
// BehindSchedule are about the calls of all slices: one stall of 25 ms breaks them in a slice of
// 250 ms, and on a busy machine some slice of each case has one. WindowShort, Drift and Noisy are
// about the rounds.
func judgeAll(lines []Line, s Summary) []Verdict {
	var ofLines []Verdict
	for i := range lines {
		ofLines = slices.Concat(ofLines, lines[i].Verdicts, Judge(&lines[i]))
	}
	holds := setOf(ofLines)
	holds[LoadDiffers] = false // stateShares gives it
	holds[LittlesLaw] = breaksLittlesLaw(loopOf(s.Case, lines...))
	holds[BehindSchedule] = behindSchedule(lines...)
	holds[ThinPercentile] = slices.ContainsFunc(s.Histograms, hasThin)
	holds[WindowShort] = s.WindowNS < ShortWindow.Nanoseconds()
	for _, v := range []Verdict{Drift, Noisy} {
		holds[v] = slices.ContainsFunc(s.Metrics, func(m MetricSummary) bool { return slices.Contains(m.Verdicts, v) })
	}
	return inOrder(holds)
}
