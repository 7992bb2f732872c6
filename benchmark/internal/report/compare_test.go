package report

import (
	"encoding/csv"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"example.com/greet/benchmark/internal/result"
	"example.com/greet/benchmark/internal/scenario"
)

// madeComparison compares six-rounds with a later run of it, in which grpc-go does
// 20% more with another version of the library, protobuf-go allocates once more
// per message, one case failed, one is gone and one is new.
func madeComparison(t *testing.T) Comparison {
	t.Helper()
	older := slices.DeleteFunc(readRun(t, "six-rounds"), func(l result.Line) bool {
		return l.Case.Mode == "" && l.Case.Payload != 64<<10
	})
	newer := slices.DeleteFunc(slices.Clone(older), func(l result.Line) bool {
		return l.Case.Stack == "connect-go/connect/h3" && l.Case.Concurrency == 64
	})
	for i := range newer {
		l := &newer[i]
		l.Run, l.Environment.Commit = "later", "fedcba987654"
		switch c := &l.Case; {
		case c.Stack == "grpc-go/grpc/h2c":
			c.Libraries = []string{"google.golang.org/grpc v1.86.0"}
			l.Metrics = slices.Clone(l.Metrics)
			for j := range l.Metrics {
				l.Metrics[j].Value *= 1.2
			}
		case c.Stack == "protobuf-go":
			l.Metrics = slices.Clone(l.Metrics)
			for j := range l.Metrics {
				if l.Metrics[j].Name == "allocations_per_op" {
					l.Metrics[j].Value++
				}
			}
		case c.Stack == "connect-go/connect/h1" && c.Concurrency == 4 && l.Round == 3:
			l.Errors, l.FirstError = map[string]int64{"unavailable": 2}, "gone"
		case c.Stack == "connect-go/connect/h2c" && c.Concurrency == 4:
			c.Concurrency = 5
		}
	}
	c, err := result.CompareAcross(older, newer)
	if err != nil {
		t.Fatal(err)
	}
	return NewComparison(c, scenario.Views())
}

func TestComparisonGolden(t *testing.T) {
	c := madeComparison(t)
	for name, path := range map[string]string{"markdown": "compare.md", "csv": "compare.csv"} {
		var b strings.Builder
		if err := Find(name).Comparison(&b, c); err != nil {
			t.Fatal(err)
		}
		wantGolden(t, filepath.Join("testdata", path), b.String())
		if err := Find(name).Comparison(full{}, c); !errors.Is(err, errFull) {
			t.Errorf("%s: error %v, want the writer's", name, err)
		}
	}
}

func TestComparisonCSVIsRectangular(t *testing.T) {
	var b strings.Builder
	if err := ComparisonCSV(&b, madeComparison(t)); err != nil {
		t.Fatal(err)
	}
	records, err := csv.NewReader(strings.NewReader(b.String())).ReadAll() // checks the number of fields
	if err != nil || len(records) < 2 {
		t.Errorf("error %v, %d records", err, len(records))
	}
}

func TestChangeText(t *testing.T) {
	for _, test := range []struct {
		name         string
		older, newer []float64
		better       result.Better
		want         string // of the change and its interval
	}{
		{"more is better", []float64{10, 10, 10, 10, 10, 10}, []float64{11, 11, 11, 11, 11, 11}, result.Higher, "+10.0% better, +10.0% to +10.0%"},
		{"less is better", []float64{10, 10, 10, 10, 10, 10}, []float64{11, 11, 11, 11, 11, 11}, result.Lower, "+10.0% worse, +10.0% to +10.0%"},
		{"fewer", []float64{10, 10, 10, 10, 10, 10}, []float64{9, 9, 9, 9, 9, 9}, result.Lower, "−10.0% better, −10.0% to −10.0%"},
		{"a tie", []float64{8, 9, 10, 11, 12, 13}, []float64{8, 9, 10, 11, 12, 14}, result.Higher, "~, −23.1% to +33.3%"},
		{"five rounds", []float64{10, 10, 10, 10, 10}, []float64{11, 11, 11, 11, 11}, result.Higher, "+10.0%?, –"},
		{"one round, no change", []float64{7}, []float64{7}, result.Lower, "~, –"},
		{"from nothing", []float64{0}, []float64{7}, result.Lower, "from 0?, –"},
		{"from nothing, for sure", []float64{0, 0, 0, 0, 0, 0}, []float64{7, 7, 7, 7, 7, 7}, result.Lower, "from 0 worse, –"},
	} {
		change, ok := result.CompareSamples(test.older, test.newer)
		if !ok {
			t.Fatalf("%s: nothing to compare", test.name)
		}
		m := result.MetricChange{New: result.MetricSummary{Better: test.better}, Change: change}
		if got := changeText(m, true); strings.Contains(got, "better") || strings.Contains(got, "worse") {
			t.Errorf("%s: a change that the measurement set is judged %q", test.name, got)
		}
		if got := changeText(m, false) + ", " + intervalText(change); got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}
