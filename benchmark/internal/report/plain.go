package report

import (
	"slices"
	"strings"

	"example.com/greet/benchmark/internal/result"
)

// timesPlain says how many times the time of the plain stack a variant needs, paired within rounds,
// with the interval, and ~ before it if the two do not differ. It is a dash if the stack has no
// variant.
func (g *grid) timesPlain(s *result.Summary) string {
	plain := g.plainOf(s)
	if plain == nil || plain.Disqualified() || s.Disqualified() {
		return dash
	}
	own, _ := s.Metric(g.floorMetric())
	without, _ := plain.Metric(g.floorMetric())
	ratio, ok := timesFloor(own, without)
	switch {
	case !ok:
		return dash
	case ratio.Claimed && ratio.Tie():
		return tie + " " + times(ratio)
	}
	return times(ratio)
}

// plainOf finds the stack without variants under the same settings, called by the
// same client.
func (g *grid) plainOf(s *result.Summary) *result.Summary {
	name, _, variant := strings.Cut(s.Case.Stack, "+")
	if !variant {
		return nil
	}
	same := slices.Concat(g.columnBy, g.layout.rows)
	i := slices.IndexFunc(g.cases, func(other result.Summary) bool {
		return other.Case.Stack == name && other.Case.Replica == "" && key(same, other.Case) == key(same, s.Case)
	})
	if i < 0 {
		return nil
	}
	return &g.cases[i]
}

// hasPlain reports whether the table shows what variants change.
func (g *grid) hasPlain() bool {
	return g.layout.Variants && slices.ContainsFunc(g.cases, func(s result.Summary) bool { return g.plainOf(&s) != nil })
}

// plainNote explains the column.
func (g *grid) plainNote() []string {
	if !g.hasPlain() {
		return nil
	}
	return []string{"× plain: how many times the time of the same stack without the variant it needs, paired round by round, with the 95% interval; " +
		tie + " where the variant changes nothing that can be seen."}
}
