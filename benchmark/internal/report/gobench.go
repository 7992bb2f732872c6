package report

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"golang.org/x/perf/benchfmt"

	"example.com/greet/benchmark/internal/result"
)

// GoBench writes one line for each slice in the Go benchmark format (Go proposal 14313), for
// benchstat and similar tools. Configuration lines hold what is the same for the whole report; the
// parameters of a case are keys of its name: with benchstat, -col /stack sets stacks side by side.
// A slash separates keys there, so stacks have dots: grpc-go.grpc.h2c. A case that a verdict
// disqualifies has a line that says so, without figures. Results without any figure, such as those
// of interop, are an error.
func GoBench(w io.Writer, r Report) error {
	var b bytes.Buffer
	out := benchfmt.NewWriter(&b)
	units, err := benchUnits(r.Lines)
	if err != nil {
		return fmt.Errorf("write Go benchmark format: %w", err)
	}
	names, partial := benchNames(r), strings.Join(unfinished(r.Lines), "; ")
	for _, s := range r.Summaries {
		if s.Disqualified() {
			fmt.Fprintf(&b, "--- FAIL: Benchmark%s: %s\n", names[s.Case.Key()], strings.Join(disqualifying(s.Verdicts), ", "))
			delete(names, s.Case.Key())
		}
	}
	for _, unit := range units {
		if err := out.Write(&unit); err != nil {
			return fmt.Errorf("write Go benchmark format: %w", err)
		}
	}
	for _, l := range r.Lines {
		name, good := names[l.Case.Key()]
		if values := benchValues(l); good && len(values) > 0 {
			record := benchfmt.Result{Config: benchConfig(l, partial), Name: benchfmt.Name(name), Iters: int(l.Calls), Values: values}
			if err := out.Write(&record); err != nil {
				return fmt.Errorf("write Go benchmark format: %w", err)
			}
		}
	}
	if b.Len() == 0 {
		return errors.New("write Go benchmark format: there is no figure in these results, as in those of interop: --format markdown shows them")
	}
	_, err = w.Write(b.Bytes())
	return err
}

// benchConfig returns the environment, under the keys of go test if it has them, and how much there
// is of a run that ended early.
func benchConfig(l result.Line, partial string) []benchfmt.Config {
	e := l.Environment
	var config []benchfmt.Config
	for _, c := range []struct{ key, value string }{
		{"goos", e.OS}, {"goarch", e.Arch}, {"pkg", "example.com/greet/benchmark"}, {"cpu", e.CPU},
		{"cpus", grouped(e.CPUs)}, {"kernel", e.Kernel}, {"go", e.Go}, {"build", e.Build}, {"governor", e.Governor},
		{"virtual", yesOrNo(e.Virtual)}, {"pinned", yesOrNo(e.Pinned)}, {"host", e.Host}, {"variables", strings.Join(e.Assignments(), " ")},
		{"partial", partial},
	} {
		if c.value != "" {
			config = append(config, benchfmt.Config{Key: c.key, Value: []byte(oneLine(c.value)), File: true})
		}
	}
	return config
}

// benchNames names the cases by their keys. It leaves out the number of connections and of arrivals
// if they follow from the rest: benchstat would not set stacks side by side that differ in them.
func benchNames(r Report) map[string]string {
	names := map[string]string{}
	for _, cases := range split(r.Summaries, []parameter{scenarioName}) {
		by := dropRedundant(cases, slices.Concat([]parameter{stackName, client, replica}, settings), connections, rate)
		for _, s := range cases {
			names[s.Case.Key()] = benchName(s.Case, by, r.Environment.GoMaxProcs)
		}
	}
	return names
}

// benchName returns the scenario with the parameters, and at the end GOMAXPROCS, as go test does.
func benchName(c result.Case, by []parameter, procs int) string {
	words := []string{benchWord(capital(c.Scenario))}
	for _, p := range by {
		value := p.value(c)
		if p.name == payload.name {
			value = fmt.Sprintf("%dB", c.Payload)
		}
		if value != "" {
			words = append(words, benchWord(p.name)+"="+benchWord(value))
		}
	}
	name := strings.Join(words, "/")
	if procs > 1 {
		name += fmt.Sprintf("-%d", procs)
	}
	return name
}

// benchWord replaces the format's separators.
func benchWord(text string) string {
	return strings.NewReplacer("/", ".", ",", "").Replace(oneWord(text))
}

// benchValues are the metrics, and the percentiles of each histogram.
func benchValues(l result.Line) []benchfmt.Value {
	var values []benchfmt.Value
	for _, m := range l.Metrics {
		values = append(values, benchfmt.Value{Value: m.Value, Unit: benchUnit(l, m)})
	}
	for _, h := range l.Histograms {
		for _, p := range h.Percentiles() {
			if p.NS != nil {
				values = append(values, benchfmt.Value{Value: float64(*p.NS), Unit: benchWord(h.Name) + "-" + p.Name + "-ns"})
			}
		}
	}
	return values
}

// benchUnit returns the metric's unit, which is also its name in this format: a rate and a cost per
// operation need no other, unless a line has two of them.
func benchUnit(l result.Line, m result.Metric) string {
	alone := !slices.ContainsFunc(l.Metrics, func(other result.Metric) bool { return other.Unit == m.Unit && other.Name != m.Name })
	if alone && strings.Contains(m.Unit, "/") {
		return oneWord(m.Unit)
	}
	return benchWord(m.Name) + "-" + strings.ReplaceAll(oneWord(m.Unit), "µs", "us")
}

// oneWord replaces spaces, which end a word in the format, by hyphens.
func oneWord(text string) string { return strings.Join(strings.Fields(oneLine(text)), "-") }

// benchUnits says in which direction each unit improves: benchstat knows only those of go test.
func benchUnits(lines []result.Line) ([]benchfmt.UnitMetadata, error) {
	better := map[string]result.Better{}
	for _, l := range lines {
		for _, m := range l.Metrics {
			unit := benchUnit(l, m)
			if known, ok := better[unit]; ok && known != m.Better {
				return nil, fmt.Errorf("metric %q: %s is better, and %s is of another with the unit %q", m.Name, m.Better, known, unit)
			}
			better[unit] = m.Better
		}
	}
	var units []benchfmt.UnitMetadata
	for _, unit := range slices.Sorted(maps.Keys(better)) {
		units = append(units, benchfmt.UnitMetadata{
			UnitMetadataKey: benchfmt.UnitMetadataKey{Unit: unit, Key: "better"}, OrigUnit: unit, Value: string(better[unit]),
		})
	}
	return units, nil
}

// inOrderOfTime sorts lines as they were measured.
func inOrderOfTime(lines []result.Line) []result.Line {
	return slices.SortedFunc(slices.Values(lines), func(a, b result.Line) int {
		return cmp.Or(a.Started.Compare(b.Started), cmp.Compare(a.Run, b.Run), cmp.Compare(a.Round, b.Round),
			cmp.Compare(a.Order, b.Order), cmp.Compare(a.Case.Key(), b.Case.Key()))
	})
}
