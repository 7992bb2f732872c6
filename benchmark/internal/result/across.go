package result

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Comparison compares two sets of results that were measured at different times, such as before and
// after a change, by the cases that both have.
type Comparison struct {
	Old, New []Line
	Cases    []CaseChange // in the order of summaries
	OnlyOld  []Case
	OnlyNew  []Case
	// Paired says that the two sides took turns in the same rounds.
	Paired bool

	gone []Summary // of OnlyOld
}

// CompareAcross compares the new lines with the old ones, unpaired. The two may differ in the
// commit, in the versions of libraries and in the time of measuring, since that is what such
// comparisons are about. If they differ in anything else, the error names the field and both
// values.
//
// The rounds of one run share its circumstances, such as the placement of its processes and what
// else ran then. So they do not show what another run would yield, and each run counts as one
// value: only several runs on each side can show chance. Two kinds of figures are compared by
// rounds: those that are the same whenever a program does the same, and all figures if the two
// sides took turns in the same rounds, which are then pairs.
func CompareAcross(older, newer []Line) (Comparison, error) {
	return compareAcross(older, newer, ComparableAcross)
}

// compareAcross compares two sides if alike allows it for their first lines.
func compareAcross(older, newer []Line, alike func(older, newer *Line) error) (Comparison, error) {
	c := Comparison{Old: older, New: newer, Paired: tookTurns(older, newer)}
	olds, err := summariesOf("old", older)
	if err != nil {
		return c, err
	}
	news, err := summariesOf("new", newer)
	if err != nil {
		return c, err
	}
	if err := alike(&older[0], &newer[0]); err != nil {
		return c, err
	}
	for _, key := range slices.Sorted(maps.Keys(olds)) {
		if _, ok := news[key]; !ok {
			c.OnlyOld, c.gone = append(c.OnlyOld, olds[key].Case), append(c.gone, olds[key])
		}
	}
	for _, key := range slices.Sorted(maps.Keys(news)) {
		n := news[key]
		o, ok := olds[key]
		if !ok {
			c.OnlyNew = append(c.OnlyNew, n.Case)
			continue
		}
		if o.Case.Language != n.Case.Language {
			return c, incomparable("case.language of "+o.Case.Key(), o.Case.Language, n.Case.Language)
		}
		if field, was, is := differentMeasure(o.first, n.first); field != "" {
			return c, incomparable(field+" of "+o.Case.Key(), was, is)
		}
		c.Cases = append(c.Cases, changeOf(o, n, c.Paired))
	}
	slices.SortFunc(c.Cases, func(a, b CaseChange) int { return compareCases(a.New.Case, b.New.Case) })
	slices.SortFunc(c.OnlyOld, compareCases)
	slices.SortFunc(c.OnlyNew, compareCases)
	slices.SortFunc(c.gone, func(a, b Summary) int { return compareCases(a.Case, b.Case) })
	return c, sameParameters(c.OnlyOld, c.OnlyNew)
}

// summariesOf summarizes one side. The keys are equal for the same case in another run.
func summariesOf(side string, lines []Line) (map[string]Summary, error) {
	all, err := Summarize(lines)
	if err != nil {
		return nil, fmt.Errorf("read the %s results: %w", side, err)
	}
	byKey := map[string]Summary{}
	for _, s := range all {
		key := acrossKey(s.Case)
		if twin, ok := byKey[key]; ok {
			return nil, fmt.Errorf("read the %s results: %s was measured at %g and at %g arrivals a second, each the same "+
				"share of a run's capacity: give one run", side, s.Case.Stack, twin.Case.Rate, s.Case.Rate)
		}
		byKey[key] = s
	}
	return byKey, nil
}

// acrossKey leaves out a rate that was set as a share of the capacity, since the share is what was
// asked for.
func acrossKey(c Case) string {
	if c.Load > 0 {
		c.Rate = 0
		return fmt.Sprintf("%s|l%g", c.Key(), c.Load)
	}
	return c.Key()
}

// ComparableAcross checks what Summarize checks between the lines of one side, except commit and
// program. The error names the first field in which the two differ.
func ComparableAcross(older, newer *Line) error {
	for _, t := range traits {
		version := t.field == "environment.commit" || t.field == "environment.program"
		if o, n := t.of(older), t.of(newer); o != n && !version {
			return incomparable(t.field, o, n)
		}
	}
	return nil
}

func incomparable(field string, older, newer any) error {
	return fmt.Errorf("compare results: %s is %#v in the old ones and %#v in the new ones: "+
		"the difference would not be that of what was measured", field, older, newer)
}

// sameParameters finds cases that only seem to be on one side because a scenario's fixed count has
// changed: they are one case measured in two ways. Cases that differ in what scenarios vary are
// listed elsewhere.
func sameParameters(older, newer []Case) error {
	for _, o := range older {
		for _, n := range newer {
			loose := n
			loose.Calls, loose.Messages, loose.Rate = o.Calls, o.Messages, o.Rate
			if acrossKey(loose) != acrossKey(o) {
				continue
			}
			of := " of " + o.Stack + " in " + o.Scenario
			switch {
			case o.Calls != n.Calls:
				return incomparable("case.calls_asked"+of, o.Calls, n.Calls)
			case o.Messages != n.Messages:
				return incomparable("case.messages_per_call"+of, o.Messages, n.Messages)
			}
			return incomparable("case.rate_per_s"+of, o.Rate, n.Rate)
		}
	}
	return nil
}

// Figures counts the figures about which the comparison makes a claim. One in 20 of them differs by
// chance even if nothing changed.
func (c Comparison) Figures() int {
	count := 0
	for _, one := range c.Cases {
		for _, m := range one.Metrics {
			if m.Claimed {
				count++
			}
		}
	}
	return count
}

// ChangedLibraries lists the modules of a case whose versions differ, such as
// "google.golang.org/grpc v1.84.0 → v1.85.0".
func (c CaseChange) ChangedLibraries() []string {
	versions := map[string]string{}
	for _, l := range c.Old.Case.Libraries {
		path, version, _ := strings.Cut(l, " ")
		versions[path] = version
	}
	var changed []string
	for _, l := range c.New.Case.Libraries {
		path, version, _ := strings.Cut(l, " ")
		if was := versions[path]; was != version {
			changed = append(changed, fmt.Sprintf("%s %s → %s", path, orNone(was), orNone(version)))
		}
		delete(versions, path)
	}
	for _, path := range slices.Sorted(maps.Keys(versions)) {
		changed = append(changed, fmt.Sprintf("%s %s → none", path, versions[path]))
	}
	return changed
}

func orNone(version string) string {
	if version == "" {
		return "none"
	}
	return version
}
