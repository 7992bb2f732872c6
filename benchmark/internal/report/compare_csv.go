package report

import (
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"example.com/greet/benchmark/internal/result"
)

// comparisonHead names the columns that follow those of the case.
var comparisonHead = []string{
	"metric", "unit", "better",
	"old_median", "old_low", "old_high", "old_interval", "old_rounds", "old_verdicts",
	"new_median", "new_low", "new_high", "new_interval", "new_rounds", "new_verdicts",
	"ratio", "ratio_low", "ratio_high", "claim", "old_partial", "new_partial",
}

// ComparisonCSV writes one record for each metric of each case, in long form (RFC 4180), with all
// digits. The claim is "different", "tie", or "none" if there are too few rounds, and then no
// interval. A case that a verdict disqualifies has one record without figures; one that only one
// side has is claimed "old only" or "new only". The last two columns name runs that ended early.
func ComparisonCSV(w io.Writer, c Comparison) error {
	partial := []string{strings.Join(unfinished(c.Old), "; "), strings.Join(unfinished(c.New), "; ")}
	columns := slices.Index(csvHead, "metric") // of the case
	records := [][]string{slices.Concat(csvHead[:columns], comparisonHead)}
	for _, one := range c.Cases {
		for _, figures := range comparisonRecords(one) {
			records = append(records, slices.Concat(csvCase(one.New.Case), figures, partial))
		}
	}
	for _, side := range []struct {
		claim string
		cases []result.Case
	}{{"old only", c.OnlyOld}, {"new only", c.OnlyNew}} {
		for _, lone := range side.cases {
			figures := make([]string, len(comparisonHead)-len(partial))
			figures[len(figures)-1] = side.claim
			records = append(records, slices.Concat(csvCase(lone), figures, partial))
		}
	}
	return writeCSV(w, records)
}

func comparisonRecords(one result.CaseChange) [][]string {
	if len(one.Metrics) == 0 {
		none := slices.Concat([]string{"", "", ""}, csvSide(one.Old, result.Estimate{}), csvSide(one.New, result.Estimate{}))
		return [][]string{append(none, "", "", "", "none")}
	}
	var records [][]string
	for _, m := range one.Metrics {
		records = append(records, slices.Concat([]string{m.New.Name, m.New.Unit, string(m.New.Better)},
			csvSide(one.Old, m.Old.Estimate), csvSide(one.New, m.New.Estimate), csvChange(m.Change)))
	}
	return records
}

// csvSide leaves the figures of an estimate of nothing empty.
func csvSide(s result.Summary, e result.Estimate) []string {
	figures := []string{"", "", "", ""}
	if e.N > 0 {
		figures = csvEstimate(e)
	}
	var verdicts []string
	for _, v := range s.Verdicts {
		verdicts = append(verdicts, string(v))
	}
	return append(figures, strconv.Itoa(s.Rounds), strings.Join(verdicts, " "))
}

func csvChange(c result.Change) []string {
	switch {
	case math.IsInf(c.Ratio, 0) || math.IsNaN(c.Ratio):
		return []string{"", "", "", claimText(c)}
	case !c.Claimed:
		return []string{number(c.Ratio), "", "", claimText(c)}
	}
	high := ""
	if !math.IsInf(c.High, 0) {
		high = number(c.High)
	}
	return []string{number(c.Ratio), number(c.Low), high, claimText(c)}
}

func claimText(c result.Change) string {
	switch {
	case !c.Claimed:
		return "none"
	case c.Tie():
		return "tie"
	}
	return "different"
}
