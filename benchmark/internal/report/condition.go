package report

import (
	"fmt"
	"slices"

	"example.com/greet/benchmark/internal/result"
)

// conditions says what is missing or unusual in the report: it goes before everything else.
func conditions(r Report) []string {
	var texts []string
	for _, part := range unfinished(r.Lines) {
		texts = append(texts, "Partial: "+plain(part)+".")
	}
	texts = append(texts, skipped(r.Lines)...)
	if kind := r.Environment.Profile; kind != "" {
		texts = append(texts, fmt.Sprintf("Profiled (%s): that costs speed, so these figures are for reading beside the profiles, "+
			"and stand\nin no table with others.", kind))
	}
	return texts
}

// unfinished lists the runs that have fewer lines than planned, with how many they have.
func unfinished(lines []result.Line) []string {
	var runs []string
	there, first := map[string]int{}, map[string]result.Line{}
	for _, l := range lines {
		if there[l.Run] == 0 {
			runs, first[l.Run] = append(runs, l.Run), l
		}
		there[l.Run]++
	}
	var texts []string
	for _, run := range runs {
		plan := first[run].Plan
		if plan == nil || there[run] >= plan.Lines {
			continue
		}
		texts = append(texts, fmt.Sprintf("run %s was ended early, with %s of its %s slices",
			run, grouped(there[run]), grouped(plan.Lines)))
	}
	return texts
}

// skipped lists what was asked for and could not be measured, and why.
func skipped(lines []result.Line) []string {
	var texts []string
	for _, l := range lines {
		if l.Plan == nil {
			continue
		}
		for _, text := range l.Plan.Skipped {
			if text = "Not measured: " + plain(text) + "."; !slices.Contains(texts, text) {
				texts = append(texts, text)
			}
		}
	}
	return texts
}
