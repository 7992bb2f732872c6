package report

import (
	"math"
	"slices"
	"strings"

	"example.com/greet/benchmark/internal/result"
)

const (
	tie       = "~"
	unclaimed = "?" // beside a change that is not claimed
)

// comparisonCells returns the rest of each row of a case, and adds its verdicts to used. Inputs are
// metrics of which no change is better.
func comparisonCells(one result.CaseChange, inputs []string, used map[result.Verdict]bool) [][]cell {
	if one.Disqualified() {
		for _, s := range []result.Summary{one.Old, one.New} {
			for _, v := range s.Verdicts {
				used[v] = used[v] || v.Disqualifies()
			}
		}
		return [][]cell{{{Text: "all"}, verdictCell(one.Old), verdictCell(one.New), {Text: dash}, {Text: dash}}}
	}
	var rows [][]cell
	for _, m := range one.Metrics {
		m.Old, m.New = inMicroseconds(m.Old), inMicroseconds(m.New)
		rows = append(rows, []cell{
			{Text: metricText(m.New)}, sideCell(one.Old, m.Old, used), sideCell(one.New, m.New, used),
			{Text: changeText(m, slices.Contains(inputs, m.New.Name))}, {Text: intervalText(m.Change)},
		})
	}
	return rows
}

// inMicroseconds converts percentiles to the unit of tables.
func inMicroseconds(m result.MetricSummary) result.MetricSummary {
	if m.Unit == "ns" && slices.ContainsFunc(shownPercentiles, func(p string) bool { return strings.HasSuffix(m.Name, "_"+p) }) {
		m.Unit, m.Median, m.Low, m.High = "µs", m.Median/1e3, m.Low/1e3, m.High/1e3
	}
	return m
}

func metricText(m result.MetricSummary) string {
	if m.Unit == "1" {
		return words(m.Name)
	}
	return words(m.Name) + ", " + m.Unit
}

// verdictCell says why a side has no figures, or that it has some.
func verdictCell(s result.Summary) cell {
	if s.Disqualified() {
		return cell{Text: strings.Join(disqualifying(s.Verdicts), ", ")}
	}
	return cell{Text: "good"}
}

func sideCell(s result.Summary, m result.MetricSummary, used map[result.Verdict]bool) cell {
	var marks strings.Builder
	for _, v := range s.VerdictsOn(m) {
		if signs[v] != "" {
			marks.WriteString(signs[v])
			used[v] = true
		}
	}
	return cell{Text: figure(m.Estimate), Marks: marks.String()}
}

// changeText says whether a change is better, worse or neither.
func changeText(m result.MetricChange, input bool) string {
	switch {
	case m.Ratio == 1 || m.Claimed && m.Tie():
		return tie
	case !m.Claimed:
		return ratioPercent(m.Ratio) + unclaimed
	case input:
		return ratioPercent(m.Ratio) + " as set"
	case (m.Ratio > 1) == (m.New.Better == result.Higher):
		return ratioPercent(m.Ratio) + " better"
	}
	return ratioPercent(m.Ratio) + " worse"
}

func intervalText(c result.Change) string {
	if !c.Claimed || math.IsInf(c.High, 0) {
		return dash
	}
	return ratioPercent(c.Low) + " to " + ratioPercent(c.High)
}

// ratioPercent writes a ratio as a change. A change from zero has no percentage.
func ratioPercent(ratio float64) string {
	if math.IsInf(ratio, 0) || math.IsNaN(ratio) {
		return "from 0"
	}
	return signedPercent(ratio)
}
