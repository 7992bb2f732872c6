package report

import (
	"slices"
	"strings"

	"example.com/greet/benchmark/internal/result"
)

// columnParameters returns the settings that vary within the table and have no other place. The
// number of connections often depends on a stack's transport alone, and the number of arrivals on
// its capacity. They have columns of their own, and so tell columns apart only if one stack has
// several.
func (g *grid) columnParameters() []parameter {
	l := g.layout
	across := slices.Concat(l.across, without(settings, l.split, l.rows, l.across))
	placed := dropRedundant(g.cases, slices.Concat(g.rowBy, across), g.ownColumns()...)
	return varying(without(placed, g.rowBy), g.cases)
}

// ownColumns returns the parameters that have a column of their own.
func (g *grid) ownColumns() []parameter {
	var own []parameter
	if g.layout.Connections {
		own = append(own, connections)
	}
	if g.hasShares() {
		own = append(own, rate)
	}
	return own
}

// hasShares reports whether arrivals were set as a share of a stack's capacity.
func (g *grid) hasShares() bool {
	return slices.ContainsFunc(g.cases, func(s result.Summary) bool { return s.Case.Load > 0 })
}

// hasOtherShares reports whether a load of the table is not the one that its case says.
func (g *grid) hasOtherShares() bool { return slices.ContainsFunc(g.cases, loadDiffers) }

func loadDiffers(s result.Summary) bool { return slices.Contains(s.Verdicts, result.LoadDiffers) }

// trueLoad returns the arrivals in percent of what the closed loop of the same rounds did.
func trueLoad(s *result.Summary) string {
	if s.Share == nil {
		return dash
	}
	percent := *s.Share
	percent.Median, percent.Low, percent.High = 100*percent.Median, 100*percent.Low, 100*percent.High
	return figure(percent)
}

// lastHeads returns the heads of the columns after the figures; lastCells fills them.
func (g *grid) lastHeads() []head {
	var heads []head
	if g.hasShares() {
		heads = append(heads, head{Text: g.eachHead("arrivals/s"), Number: true})
	}
	if g.hasOtherShares() {
		heads = append(heads, head{Text: g.eachHead("true load, %"), Number: true})
	}
	if g.layout.Connections {
		heads = append(heads, head{Text: g.eachHead("connections"), Number: true})
	}
	if g.hasSpeedUp() {
		first, last := g.columns[0], g.columns[len(g.columns)-1]
		text := "speed-up, " + g.columnBy[0].value(last) + " over " + g.columnBy[0].value(first)
		heads = append(heads, head{Text: text, Number: true, Better: result.Higher})
	}
	if g.hasFloor() {
		heads = append(heads, head{Text: g.eachHead("× floor"), Number: true})
		for _, m := range g.layout.Floor.Above {
			heads = append(heads, head{Text: g.eachHead(words(m) + " over floor"), Number: true})
		}
	}
	if g.hasPlain() {
		heads = append(heads, head{Text: g.eachHead("× plain"), Number: true})
	}
	return heads
}

func (g *grid) lastCells(row result.Case) []cell {
	var cells []cell
	if g.hasShares() {
		cells = append(cells, cell{Text: g.inEach(row, func(s *result.Summary) string {
			return ThreeDigits(s.Case.Rate)
		})})
	}
	if g.hasOtherShares() {
		cells = append(cells, cell{Text: g.inEach(row, trueLoad)})
	}
	if g.layout.Connections {
		cells = append(cells, cell{Text: g.inEach(row, connectionCount)})
	}
	if g.hasSpeedUp() {
		cells = append(cells, g.speedUp(row))
	}
	if g.hasFloor() {
		cells = append(cells, cell{Text: g.inEach(row, g.timesFloor)})
		for _, m := range g.layout.Floor.Above {
			cells = append(cells, cell{Text: g.inEach(row, g.overFloor(m))})
		}
	}
	if g.hasPlain() {
		cells = append(cells, cell{Text: g.inEach(row, g.timesPlain)})
	}
	return cells
}

// inEach joins the texts for each column, or returns one text if all are the same.
func (g *grid) inEach(row result.Case, text func(*result.Summary) string) string {
	var texts []string
	for _, column := range g.columns {
		if s := g.at[g.place(row, column)]; s != nil {
			texts = append(texts, text(s))
		} else {
			texts = append(texts, dash)
		}
	}
	if len(slices.Compact(slices.Clone(texts))) == 1 {
		return texts[0]
	}
	return strings.Join(texts, " / ")
}

func connectionCount(s *result.Summary) string {
	text := countText(s.Opened)
	if s.Accepted != nil && *s.Accepted != s.Opened {
		text += " (" + countText(*s.Accepted) + " accepted)"
	}
	return text
}

func countText(c result.Count) string {
	if c.Varies {
		return "≤ " + grouped(c.Max)
	}
	return grouped(c.Max)
}

// eachHead names the columns that the texts of inEach belong to.
func (g *grid) eachHead(name string) string {
	if len(g.columns) == 1 {
		return name
	}
	values := make([]string, len(g.columns))
	for i, column := range g.columns {
		values[i] = phrases(g.columnBy, column)
		if len(g.columnBy) == 1 {
			values[i] = g.columnBy[0].value(column)
		}
	}
	return name + " at " + strings.Join(values, " / ")
}

// hasSpeedUp reports whether one figure has several values of the one parameter that the layout
// lays across.
func (g *grid) hasSpeedUp() bool {
	return g.layout.SpeedUp && len(g.metrics) == 1 && len(g.columns) > 1 &&
		len(g.columnBy) == 1 && g.columnBy[0].name == g.layout.across[0].name
}

// speedUp compares the last column with the first within each round.
func (g *grid) speedUp(row result.Case) cell {
	first, last := g.at[g.place(row, g.columns[0])], g.at[g.place(row, g.columns[len(g.columns)-1])]
	if first == nil || last == nil || first.Disqualified() || last.Disqualified() {
		return cell{Text: dash}
	}
	from, _ := first.Metric(g.metrics[0].Name)
	to, _ := last.Metric(g.metrics[0].Name)
	ratio, ok := result.CompareMetrics(to, from)
	if !ok {
		return cell{Text: dash}
	}
	return cell{Text: times(ratio)}
}
