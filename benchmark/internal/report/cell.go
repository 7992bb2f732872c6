package report

import (
	"slices"
	"strings"

	"example.com/greet/benchmark/internal/result"
)

// signs mark figures that need a remark.
var signs = map[result.Verdict]string{
	result.LittlesLaw:        "†",
	result.ConnectionsDiffer: "‡",
	result.Stalled:           "⏸",
	result.Clamped:           "⊤",
	result.WindowShort:       "§",
	result.BehindSchedule:    "◊",
	result.LoadDiffers:       "≠",
	result.ClientSaturated:   "‖",
	result.WorkerLost:        "⊖",
	result.ClocksApart:       "⏱",
	result.Drift:             "¶",
	result.Noisy:             "≈",
}

// remarks explain verdicts to someone who has not read the method.
var remarks = map[result.Verdict]string{
	result.Errors:            "at least one call failed, so there is no figure",
	result.WrongReply:        "at least one reply was not the expected one, so there is no figure",
	result.Partial:           "the run was interrupted, so there is no figure",
	result.NoSuccess:         "not one call succeeded",
	result.Incomplete:        "the shards of the workers do not make one whole, so there is no figure",
	result.LittlesLaw:        "concurrency and rate × mean latency differ by more than 10%: the calls were not kept in flight all the time",
	result.ConnectionsDiffer: "the numbers of connections opened, accepted and asked for are not the same",
	result.Stalled:           "some call took more than a tenth of its window: percentiles include it, but a closed loop's rate leaves out what happened after the window",
	result.Clamped:           "some time is longer than the histograms reach, so the highest percentiles are too low",
	result.ThinPercentile:    "fewer than 100 samples lie beyond a percentile, which stays blank",
	result.BehindSchedule:    "more than 1% of the calls began late, or one never did: the load was lower than asked for, and latency includes their wait",
	result.LoadDiffers:       "the load is off by more than 10% of what the case says: the true load is the arrivals over the rate of the closed loop in the same rounds",
	result.ClientSaturated:   "the client used more than 80% of its cores: the server could perhaps do more",
	result.WorkerLost:        "fewer workers made the load than planned: the figures of those that did are added up",
	result.ClocksApart:       "the clock or the start of some worker was off by more than a tenth of a slice, so the windows may not fully overlap",
	result.WindowShort:       "measured for less than 1 s, all rounds together",
	result.Drift:             "the first and the last half of the rounds differ significantly, so the interval is too narrow; comparisons within rounds stand",
	result.Noisy:             "the interval is wider than ±10%; comparisons within rounds may still be sharp",
}

// cell returns the figure of one metric, or the verdicts in its place, or a dash.
func (g *grid) cell(row, column result.Case, metric string) cell {
	s := g.at[g.place(row, column)]
	if s == nil {
		return cell{Text: dash}
	}
	if s.Disqualified() {
		return cell{Text: strings.Join(disqualifying(s.Verdicts), ", ")}
	}
	m, ok := s.Metric(metric)
	if !ok {
		return cell{Text: dash}
	}
	var marks strings.Builder
	doubtful := false
	for _, v := range g.marks(s.VerdictsOn(m)) {
		marks.WriteString(signs[v])
		doubtful = doubtful || v != result.Drift && v != result.Noisy // comparing within rounds cancels these two out
	}
	return cell{Text: figure(m.Estimate), Best: !doubtful && g.best(s, m), Marks: marks.String()}
}

func disqualifying(verdicts []result.Verdict) []string {
	var names []string
	for _, v := range verdicts {
		if v.Disqualifies() {
			names = append(names, string(v))
		}
	}
	return names
}

// marks lists the verdicts that stand beside a figure: they have a sign, and no remark for the
// whole table.
func (g *grid) marks(verdicts []result.Verdict) []result.Verdict {
	return slices.DeleteFunc(slices.Clone(verdicts), func(v result.Verdict) bool {
		return signs[v] == "" || g.verdicts[v]
	})
}

// shown lists the metrics of a case that the table has columns for.
func (g *grid) shown(s *result.Summary) []result.MetricSummary {
	var shown []result.MetricSummary
	for _, m := range g.metrics {
		if own, ok := s.Metric(m.Name); ok {
			shown = append(shown, own)
		}
	}
	return shown
}

// marksOfAll finds the verdicts that every figure has. They stand once above the table.
func (g *grid) marksOfAll() map[result.Verdict]bool {
	all := map[result.Verdict]bool{}
	for v := range signs {
		all[v] = !slices.ContainsFunc(g.cases, func(s result.Summary) bool {
			return !slices.Contains(s.Verdicts, v) || slices.ContainsFunc(g.shown(&s), func(m result.MetricSummary) bool {
				return !slices.Contains(s.VerdictsOn(m), v)
			})
		})
	}
	if g.layout.ShortWindows {
		all[result.WindowShort] = true
	}
	return all
}

// best reports whether the figure is better than that of each other row in its column, after
// correction for their number. So a column has one best row at most. A stack's own replica does not
// count, and neither do rows that can never be the best. No value of a metric that the measurement
// sets is better than another.
func (g *grid) best(s *result.Summary, m result.MetricSummary) bool {
	if slices.Contains(g.layout.Inputs, m.Name) || s.Case.Replica != "" {
		return false
	}
	row := without(g.rowBy, []parameter{replica})
	var p []float64
	for _, other := range g.cases {
		if key(row, other.Case) == key(row, s.Case) || other.Disqualified() || key(g.columnBy, other.Case) != key(g.columnBy, s.Case) {
			continue
		}
		figure, ok := other.Metric(m.Name)
		if !ok {
			continue
		}
		ratio, ok := result.CompareMetrics(m, figure)
		if !ok || ratio.Tie() || (ratio.Mean > 1) != (m.Better == result.Higher) {
			return false
		}
		p = append(p, ratio.P)
	}
	return result.AllSignificant(p)
}
