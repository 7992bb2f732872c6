package report

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"example.com/greet/benchmark/internal/result"
)

// title returns the scenario and what sets this table apart from its others.
func (g *grid) title() string {
	scenario := g.layout.Scenario
	if setting := phrases(g.layout.split, g.cases[0].Case); setting != "" {
		return scenario + ": " + setting
	}
	return scenario
}

// facts returns the settings that all cases share, and the basis of the figures.
func (g *grid) facts() []string {
	var facts []string
	all := slices.Concat(settings, who)
	shown := []parameter{language} // the header's libraries show it
	shown = append(shown, g.ownColumns()...)
	for _, p := range without(all, g.layout.split, g.layout.subject, varying(all, g.cases), shown) {
		if text := p.phrase(g.cases[0].Case); text != "" {
			facts = append(facts, text)
		}
	}
	switch c := g.cases[0].Case; {
	case c.Rate > 0:
		facts = append(facts, "open loop")
	case c.Mode != "":
		facts = append(facts, "closed loop")
	}
	return append(facts, intervalsOf(g.cases))
}

// intervalsOf says how many rounds figures rest on, and so how to read them.
func intervalsOf(cases []result.Summary) string {
	low, high := rounds(cases)
	count := countOfRounds(high)
	if low < high {
		count = fmt.Sprintf("%d to %d rounds", low, high)
	}
	switch {
	case high == 1:
		return "1 round: single values, so no comparison is claimed"
	case low >= result.MinRounds:
		return count + ": median (95% interval of the median)"
	case high < result.MinRounds:
		return count + fmt.Sprintf(", fewer than %d: median (lowest–highest), and no comparison is claimed", result.MinRounds)
	}
	return count + fmt.Sprintf(": median (95%% interval of the median; lowest–highest where there are fewer than %d)", result.MinRounds)
}

func countOfRounds(n int) string {
	if n == 1 {
		return "1 round"
	}
	return fmt.Sprintf("%d rounds", n)
}

// once returns the remarks on the whole table, which would clutter its cells.
func (g *grid) once() []string {
	var texts []string
	if g.layout.ShortWindows {
		if text := g.windows(); text != "" {
			texts = append(texts, text)
		}
	}
	if text := g.unseen(); text != "" {
		texts = append(texts, text)
	}
	for _, v := range result.Verdicts {
		said := v == result.WindowShort && g.layout.ShortWindows
		if g.verdicts[v] && !said {
			texts = append(texts, fmt.Sprintf("All of this table: %s (%s).", remarks[v], v))
		}
	}
	return append(texts, g.faults()...)
}

// unseen says in what share of the time no window was on a stack's server.
func (g *grid) unseen() string {
	low, high := 1.0, 0.0
	for _, s := range g.cases {
		if s.Case.Timed() && s.Seen > 0 {
			low, high = min(low, 1-s.Seen), max(high, 1-s.Seen)
		}
	}
	switch least, most := percentOf(low), percentOf(high); {
	case high == 0:
		return ""
	case least == most:
		return fmt.Sprintf("In %s of the time no window was on a given server, and a stall would not be seen.", most)
	default:
		return fmt.Sprintf("In %s to %s of the time no window was on a given server, and a stall would not be seen.", least, most)
	}
}

func percentOf(share float64) string { return fmt.Sprintf("%.0f%%", 100*share) }

// rounds returns the fewest and the most rounds of a case.
func rounds(cases []result.Summary) (low, high int) {
	low, high = cases[0].Rounds, cases[0].Rounds
	for _, s := range cases {
		low, high = min(low, s.Rounds), max(high, s.Rounds)
	}
	return low, high
}

// windows says how long the cases were measured, if one was too short.
func (g *grid) windows() string {
	low, high, short := g.cases[0].WindowNS, g.cases[0].WindowNS, false
	for _, s := range g.cases {
		low, high = min(low, s.WindowNS), max(high, s.WindowNS)
		short = short || slices.Contains(s.Verdicts, result.WindowShort)
	}
	if !short {
		return ""
	}
	between := seconds(low) + " s"
	if seconds(high) != seconds(low) {
		between = seconds(low) + " to " + seconds(high) + " s"
	}
	return fmt.Sprintf("The windows are short, because the counts are fixed: each case was measured for %s, "+
		"all rounds together (%s).", between, result.WindowShort)
}

// notes explain the verdicts, signs and dashes that the cells use.
func (g *grid) notes() []string {
	var notes []string
	used := map[result.Verdict]bool{}
	for i := range g.cases {
		s := &g.cases[i]
		for _, v := range s.Verdicts {
			used[v] = used[v] || s.Disqualified() && v.Disqualifies()
		}
		if !s.Disqualified() {
			for _, m := range g.shown(s) {
				for _, v := range g.marks(s.VerdictsOn(m)) {
					used[v] = true
				}
			}
		}
	}
	for _, v := range result.Verdicts {
		if used[v] {
			notes = append(notes, noteOn(v))
		}
	}
	notes = append(notes, slices.Concat(g.floorNote(), g.plainNote())...)
	notes = append(notes, g.failures()...)
	return append(notes, g.dashes()...)
}

// noteOn explains a verdict, with its sign if it has one.
func noteOn(v result.Verdict) string {
	return strings.TrimSpace(fmt.Sprintf("%s %s: %s.", signs[v], v, remarks[v]))
}

// failures says what went wrong in each case without a figure.
func (g *grid) failures() []string {
	var notes []string
	for _, s := range g.cases {
		if slices.Contains(s.Verdicts, result.NoSuccess) && len(s.Errors) == 0 {
			notes = append(notes, g.name(s.Case)+": no call ended within the slice, and none failed: the machine stalled, or the window is too short.")
		}
		if !s.Disqualified() || len(s.Errors) == 0 {
			continue
		}
		notes = append(notes, g.name(s.Case)+": "+whatFailed(s)+".")
	}
	return notes
}

// whatFailed says how many calls of the case failed, how, and what was first.
func whatFailed(s result.Summary) string {
	var failed int64
	var codes []string
	for _, code := range slices.Sorted(maps.Keys(s.Errors)) {
		failed += s.Errors[code]
		codes = append(codes, fmt.Sprintf("%s %s", code, grouped(s.Errors[code])))
	}
	text := fmt.Sprintf("%s of %s calls failed (%s)", grouped(failed), grouped(failed+s.Calls), strings.Join(codes, ", "))
	if s.FirstError != "" {
		text += "; the first: " + code(s.FirstError)
	}
	return text
}

// name is the name of a case below its table.
func (g *grid) name(c result.Case) string {
	name := code(g.layout.subject[0].value(c))
	if setting := phrases(slices.Concat(g.rowBy[1:], g.columnBy), c); setting != "" {
		name += ", " + setting
	}
	return name
}

// dashes returns the known reasons for empty cells.
func (g *grid) dashes() []string {
	var notes []string
	unknown := false
	for _, row := range g.rows {
		if !slices.ContainsFunc(g.columns, func(column result.Case) bool { return g.at[g.place(row, column)] == nil }) {
			continue
		}
		i := slices.IndexFunc(g.refusals, func(r Refusal) bool { return r.Stack == row.Stack })
		if i < 0 {
			unknown = true
			continue
		}
		notes = append(notes, fmt.Sprintf("%s %s: %s.", dash, code(row.Stack), strings.TrimSuffix(g.refusals[i].Reason, ".")))
	}
	if unknown {
		notes = append(notes, dash+" not measured.")
	}
	return notes
}
