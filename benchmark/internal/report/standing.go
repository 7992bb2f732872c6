package report

import (
	"slices"

	"example.com/greet/benchmark/internal/result"
)

// standing says which cases have a figure, and which remarks there are on those.
type standing struct {
	Cases, Stacks, Good int
	Verdicts            []verdictCount
}

// verdictCount is one verdict with the cases that have it.
type verdictCount struct {
	Verdict      result.Verdict
	Disqualifies bool
	Remark       string
	Count        int
	// Where names the cases without a figure. Cases with a figure are marked in their tables;
	// Where only counts them by scenario.
	Where []string
}

func (r Report) standing() standing {
	s := standing{Cases: len(r.Summaries), Stacks: len(distinctStacks(called(r.Summaries)))}
	for _, v := range result.Verdicts {
		count := verdictCount{Verdict: v, Disqualifies: v.Disqualifies(), Remark: remarks[v]}
		for _, scenario := range r.scenarios() {
			if !v.Disqualifies() && r.layoutOf(scenario).Compatibility {
				continue // it has no figure to remark on
			}
			cases := r.with(v, scenario)
			count.Count += len(cases)
			count.Where = append(count.Where, where(v, scenario, cases)...)
		}
		if count.Count > 0 {
			s.Verdicts = append(s.Verdicts, count)
		}
	}
	for _, sum := range r.Summaries {
		if !sum.Disqualified() {
			s.Good++
		}
	}
	return s
}

// with lists the cases of the scenario that have the verdict.
func (r Report) with(v result.Verdict, scenario string) []result.Case {
	var cases []result.Case
	for _, s := range r.Summaries {
		if s.Case.Scenario == scenario && slices.Contains(s.Verdicts, v) {
			cases = append(cases, s.Case)
		}
	}
	return cases
}

func where(v result.Verdict, scenario string, cases []result.Case) []string {
	if len(cases) > 0 && !v.Disqualifies() {
		return []string{scenario + ": " + grouped(len(cases))}
	}
	var names []string
	for _, c := range cases {
		names = append(names, describe(c))
	}
	return names
}

// called leaves out cases that run in process and have no stack.
func called(summaries []result.Summary) []result.Summary {
	return slices.DeleteFunc(slices.Clone(summaries), func(s result.Summary) bool { return s.Case.Mode == "" })
}

// describe names a case outside of its table.
func describe(c result.Case) string {
	return "`" + oneLine(c.Stack) + "`, " + c.Scenario + ": " + phrases(slices.Concat(settings, []parameter{client, replica}), c)
}
