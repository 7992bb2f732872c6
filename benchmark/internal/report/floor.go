package report

import (
	"slices"
	"strings"

	"example.com/greet/benchmark/internal/result"
)

// timesFloor says how many times the floor's time a stack needs, paired within
// rounds: the inverse ratio of their rates, or the ratio of their times.
func timesFloor(m, floor result.MetricSummary) (result.Ratio, bool) {
	if m.Better == result.Higher {
		m, floor = floor, m
	}
	return result.CompareMetrics(m, floor)
}

// hasFloor reports whether the table shows how many times the floor's time each stack needs. In an
// open loop both do the same amount, so there is nothing to compare.
func (g *grid) hasFloor() bool {
	if g.layout.Floor.None || g.layout.subject[0].name != stackName.name || g.floorMetric() == "" {
		return false
	}
	return slices.ContainsFunc(g.cases, func(s result.Summary) bool {
		_, ok := g.ratioToFloor(&s)
		return ok && s.Case.Rate == 0
	})
}

// floorMetric returns the layout's metric, else the table's rate, else its only metric.
func (g *grid) floorMetric() string {
	if g.layout.Floor.Metric != "" {
		return g.layout.Floor.Metric
	}
	for _, m := range g.metrics {
		if strings.HasSuffix(m.Unit, "/s") {
			return m.Name
		}
	}
	if len(g.metrics) == 1 {
		return g.metrics[0].Name
	}
	return ""
}

// timesFloor returns the figure of one case, ~ if it does not differ from the floor's, or a dash if
// there is no floor to compare with.
func (g *grid) timesFloor(s *result.Summary) string {
	ratio, ok := g.ratioToFloor(s)
	switch {
	case !ok:
		return dash
	case ratio.Claimed && ratio.Tie():
		return tie
	}
	return rounded(ratio.Mean, lastPlace(ratio.Mean, ratio.Low, ratio.High))
}

// overFloor returns by how much the median of the metric is above the floor's, or a dash.
func (g *grid) overFloor(metric string) func(*result.Summary) string {
	return func(s *result.Summary) string {
		floor := g.floorOf(s)
		if floor == nil || floor.Disqualified() || s.Disqualified() || isFloor(s.Case.Stack) {
			return dash
		}
		own, has := s.Metric(metric)
		least, there := floor.Metric(metric)
		if !has || !there {
			return dash
		}
		difference := own.Median - least.Median
		return signed(difference, lastPlace(own.Median, own.Low, own.High))
	}
}

// signed writes a difference with its sign, a plus too.
func signed(value float64, place int) string {
	if value < 0 {
		return "−" + rounded(-value, place)
	}
	return "+" + rounded(value, place)
}

// floorOf finds the floor under the same settings. One client calls the whole table.
func (g *grid) floorOf(s *result.Summary) *result.Summary {
	same := slices.Concat(g.columnBy, g.layout.rows)
	for i := range g.cases {
		other := &g.cases[i]
		if isFloor(other.Case.Stack) && other.Case.Replica == "" && key(same, other.Case) == key(same, s.Case) {
			return other
		}
	}
	return nil
}

// faults lists where a stack needs less time than the floor, which is then no floor.
func (g *grid) faults() []string {
	if !g.hasFloor() {
		return nil
	}
	var texts []string
	for i := range g.cases {
		s := &g.cases[i]
		ratio, ok := g.ratioToFloor(s)
		if !ok || yardstick(s.Case.Stack) || s.Opened.Max == 0 || !ratio.Claimed || ratio.High >= 1 {
			continue // a stack without a connection may need less
		}
		texts = append(texts, g.name(s.Case)+" "+times(ratio))
	}
	if len(texts) == 0 {
		return nil
	}
	return []string{"A fault of the yardstick: the floor is no floor here, because these need less time: " + strings.Join(texts, "; ") + "."}
}

// ratioToFloor returns false for the floor itself and if there is nothing to compare.
func (g *grid) ratioToFloor(s *result.Summary) (result.Ratio, bool) {
	floor := g.floorOf(s)
	if floor == nil || floor.Disqualified() || s.Disqualified() || isFloor(s.Case.Stack) {
		return result.Ratio{}, false
	}
	own, _ := s.Metric(g.floorMetric())
	least, _ := floor.Metric(g.floorMetric())
	return timesFloor(own, least)
}

// floorNote explains the column to someone who has not read the method.
func (g *grid) floorNote() []string {
	if !g.hasFloor() {
		return nil
	}
	return []string{"× floor: how many times the time of the hand-framed HTTP/2 stack a stack needs for the same, paired round by round; " +
		tie + " where the two cannot be told apart. How much of it is the framework?"}
}
