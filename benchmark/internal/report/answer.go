package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"example.com/greet/benchmark/internal/result"
	"example.com/greet/benchmark/internal/view"
)

// answer is a ranking of the cases of one contest for the question of its view.
type answer struct {
	contest
	question   view.Question
	names      []parameter      // the parameters in which the ranked differ
	ranked     []result.Summary // with a figure, the best first
	better     result.Better
	yardsticks []string
	failed     []string // have no figure
}

// answers ranks the cases of a scenario, with one answer for each contest. A scenario without a
// question has none, and neither has a contest without figures.
func (r Report) answers(scenario string) []answer {
	question := r.layoutOf(scenario).Question
	if question == nil {
		return nil
	}
	var answers []answer
	for _, c := range r.contests(scenario) {
		if a := newAnswer(c, *question); len(a.ranked) > 1 {
			answers = append(answers, a)
		}
	}
	// The contest with the most cases comes first.
	slices.SortStableFunc(answers, func(a, b answer) int {
		return cmp.Or(cmp.Compare(comparison(a.cases[0].Case), comparison(b.cases[0].Case)), cmp.Compare(len(b.ranked), len(a.ranked)))
	})
	return answers
}

// headline returns the answers of the first scenario that has any. The report begins with them.
func (r Report) headline() []answer {
	for _, scenario := range r.scenarios() {
		if answers := r.answers(scenario); len(answers) > 0 {
			return answers
		}
	}
	return nil
}

func newAnswer(c contest, q view.Question) answer {
	a := answer{contest: c, question: q}
	a.cases = rankable(c.cases, q)
	if len(a.cases) == 0 {
		return a
	}
	all := dropRedundant(a.cases, slices.Concat(a.subject, who, settings), connections, rate)
	a.names = slices.Concat(a.subject[:1], varying(without(all, a.subject), a.cases))
	for _, s := range a.cases {
		name := a.subject[0].value(s.Case)
		m, measured := s.Metric(q.Metric)
		switch {
		case s.Case.Replica != "":
		case yardstick(name):
			a.yardsticks = append(a.yardsticks, name)
		case s.Disqualified() || !measured:
			a.failed = append(a.failed, name)
		default:
			a.better, a.ranked = m.Better, append(a.ranked, s)
		}
	}
	slices.SortStableFunc(a.ranked, func(x, y result.Summary) int {
		if a.better == result.Higher {
			x, y = y, x
		}
		return cmp.Compare(a.metric(x).Median, a.metric(y).Median)
	})
	return a
}

// rankable returns the cases with the settings that the question prefers, or else with those that
// most cases have.
func rankable(cases []result.Summary, q view.Question) []result.Summary {
	has := func(s result.Summary) bool { _, ok := s.Metric(q.Metric); return ok || s.Disqualified() }
	chosen := slices.DeleteFunc(slices.Clone(cases), func(s result.Summary) bool { return !has(s) })
	if q.Prefer != nil {
		preferred := slices.DeleteFunc(slices.Clone(chosen), func(s result.Summary) bool { return !q.Prefer(s.Case) })
		if len(preferred) > 0 {
			chosen = preferred
		}
	}
	same := without(settings, []parameter{connections, rate})
	var most []result.Summary
	for _, group := range groupBy(chosen, func(c result.Case) string { return key(same, c) }) {
		if len(group) >= len(most) {
			most = group
		}
	}
	return most
}

func (a answer) metric(s result.Summary) result.MetricSummary {
	m, _ := s.Metric(a.question.Metric)
	return m
}

// name is what the case is called in a sentence.
func (a answer) name(s result.Summary) string { return a.names[0].value(s.Case) + a.more(s) }

func (a answer) more(s result.Summary) string {
	if a.subject[0].name == client.name {
		return ""
	}
	if text := phrases(without(a.names[1:], who), s.Case); text != "" {
		return " (" + text + ")"
	}
	return ""
}

// setting describes the settings that all of the ranked share.
func (a answer) setting() string {
	first := a.cases[0].Case
	facts := []string{first.Scenario}
	shown := without(slices.Concat(a.kind, a.held, settings, []parameter{client}), a.names, varying(settings, a.cases), []parameter{connections, calls})
	for _, p := range shown {
		if text := p.phrase(first); text != "" && !slices.Contains(facts, text) {
			facts = append(facts, text)
		}
	}
	return strings.Join(facts, ", ")
}

// distinction describes what sets this answer apart from the report's others.
func (a answer) distinction() string {
	return a.cases[0].Case.Scenario + " " + phrases(slices.Concat(a.kind, a.held), a.cases[0].Case)
}

// sentence is the answer in one or two sentences. It claims what the paired comparison of rounds
// supports, and no more.
func (a answer) sentence() string {
	low, _ := rounds(a.ranked)
	if low < result.MinRounds {
		return fmt.Sprintf("Nothing can be claimed from %s: it takes %d. In the order of medians, %s is first and %s last.",
			countOfRounds(low), result.MinRounds, code(a.name(a.ranked[0])), code(a.name(a.ranked[len(a.ranked)-1])))
	}
	tied, apart := a.tied()
	var texts []string
	if len(tied) > 1 {
		texts = append(texts, a.tieText(tied))
	}
	if len(apart) > 1 && len(tied) == 1 {
		texts = append(texts, a.factor(a.ranked[0], apart[0], "the next", "the first"))
	}
	if n := len(apart); n > 0 {
		all := grouped(len(a.ranked))
		texts = append(texts, a.factor(a.ranked[0], apart[n-1], "the last of "+all, "the first of "+all))
	}
	return strings.Join(texts, " ")
}

// tied returns the first with those that the comparison cannot tell from it, after Holm's
// correction for the number of comparisons; apart are the others.
func (a answer) tied() (tied, apart []result.Summary) {
	tied = a.ranked[:1:1]
	p := make([]float64, 0, len(a.ranked))
	for _, s := range a.ranked[1:] {
		ratio, ok := result.CompareMetrics(a.metric(a.ranked[0]), a.metric(s))
		if !ok {
			ratio.P = 1
		}
		p = append(p, ratio.P)
	}
	for i, different := range result.Significant(p) {
		if different {
			apart = append(apart, a.ranked[i+1])
		} else {
			tied = append(tied, a.ranked[i+1])
		}
	}
	return tied, apart
}

func (a answer) tieText(tied []result.Summary) string {
	names := make([]string, len(tied))
	for i, s := range tied {
		names[i] = code(a.name(s))
	}
	head, last := strings.Join(names[:len(names)-1], ", "), names[len(names)-1]
	if len(tied) == 2 {
		return fmt.Sprintf("%s and %s tie: %d rounds do not tell them apart.", head, last, a.ranked[0].Rounds)
	}
	return fmt.Sprintf("%s and %s tie for the first place: %d rounds do not tell them apart from the first.", head, last, a.ranked[0].Rounds)
}

// factor says how many times as much the larger has as the smaller. The words after the smaller's
// name depend on which of the two it is.
func (a answer) factor(first, second result.Summary, ofSecond, ofFirst string) string {
	larger, smaller, place := first, second, ofSecond
	if a.better == result.Lower {
		larger, smaller, place = second, first, ofFirst
	}
	ratio, ok := result.CompareMetrics(a.metric(larger), a.metric(smaller))
	if !ok {
		return ""
	}
	digit := lastPlace(ratio.Mean, ratio.Low, ratio.High)
	between := rounded(ratio.Low, digit)
	if high := rounded(ratio.High, digit); high != between {
		between += " to " + high
	}
	text := fmt.Sprintf("%s %s %s", code(a.name(larger)), fmt.Sprintf(a.question.Claim, between), code(a.name(smaller)))
	if len(a.ranked) > 2 {
		text += ", " + place
	}
	return text + "."
}

// text returns the answer with its context, for Markdown.
func (a answer) text() string { return a.sentence() + " " + plain(a.context()) }

// context returns what belongs to the answer's sentence: the setting, and which cases the ranking
// leaves out.
func (a answer) context() string {
	texts := []string{capital(a.setting())}
	for _, left := range []struct {
		why   string
		names []string
	}{{"yardsticks, not ranked", a.yardsticks}, {"without a figure", a.failed}} {
		if len(left.names) > 0 {
			slices.Sort(left.names)
			texts = append(texts, left.why+": "+strings.Join(slices.Compact(left.names), ", "))
		}
	}
	return strings.Join(texts, "; ") + "."
}
