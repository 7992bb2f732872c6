package report

import (
	"slices"

	"example.com/greet/benchmark/internal/result"
)

// standing says which cases have a number, and what is remarked on those.
type standing struct {
	Cases, Stacks, Good int
	Verdicts            []verdictCount
}

// verdictCount is one verdict with the cases that have it.
type verdictCount struct {
	Verdict      result.Verdict
	Disqualifies bool
	Remark       string
	Cases        []string
}

func (r Report) standing() standing {
	s := standing{Cases: len(r.Summaries), Stacks: len(distinctStacks(called(r.Summaries)))}
	for _, v := range result.Verdicts {
		count := verdictCount{Verdict: v, Disqualifies: v.Disqualifies(), Remark: remarks[v]}
		for _, sum := range r.Summaries {
			remarkable := v.Disqualifies() || !r.layoutOf(sum.Case.Scenario).Compatibility // which has no figure to remark on
			if remarkable && slices.Contains(sum.Verdicts, v) {
				count.Cases = append(count.Cases, describe(sum.Case))
			}
		}
		if len(count.Cases) > 0 {
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

// called leaves out what runs in process, where there is no stack.
func called(summaries []result.Summary) []result.Summary {
	return slices.DeleteFunc(slices.Clone(summaries), func(s result.Summary) bool { return s.Case.Mode == "" })
}

// describe names a case wherever it stands.
func describe(c result.Case) string {
	return "`" + oneLine(c.Stack) + "`, " + c.Scenario + ": " + phrases(slices.Concat(settings, []parameter{client, replica}), c)
}
