package report

import (
	"math/rand/v2"
	"strings"
	"testing"

	"example.com/greet/benchmark/internal/result"
)

// A run that was interrupted has other sizes for each stack.
func TestColumnsOfAPartOfARunAreInOrder(t *testing.T) {
	var lines []result.Line
	for stack, sizes := range map[string][]int{"copy": {1 << 20, 128 << 10}, "protobuf-go": {2 << 20, 64 << 10, 128 << 10}} {
		for _, size := range sizes {
			l := readRun(t, "two-rounds")[0]
			l.Case = result.Case{Stack: stack, Language: "go", Scenario: "codec", Direction: "marshal", Concurrency: 1, Payload: size}
			l.Metrics, l.Histograms = higher("throughput", "MB/s", 100), nil
			lines = append(lines, l)
		}
	}
	rand.Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
	text := written(t, Markdown, newReport(t, lines))
	if want := "| MB/s, 64 KiB | MB/s, 128 KiB | MB/s, 1 MiB | MB/s, 2 MiB |"; !strings.Contains(text, want) {
		t.Errorf("no %s in\n%s", want, text)
	}
}

func TestRowsAreInTheOrderOfNumbers(t *testing.T) {
	by := []parameter{stackName, concurrency}
	few, many := result.Case{Stack: "a", Mode: "unary", Concurrency: 4}, result.Case{Stack: "a", Mode: "unary", Concurrency: 16}
	if got := compareBy(by, few, many); got != -1 {
		t.Errorf("4 beside 16: %d, want -1", got)
	}
	if got := compareBy(by, many, result.Case{Stack: "b"}); got != -1 {
		t.Errorf("stack a beside b: %d, want -1", got)
	}
	if got := compareBy(by, few, few); got != 0 {
		t.Errorf("one case: %d, want 0", got)
	}
}

func TestCasesWithoutACallSayWhy(t *testing.T) {
	const stalled = "no call ended within the slice"
	for _, test := range []struct {
		name   string
		change func(*result.Line)
		want   bool
	}{
		{"nothing came back", func(*result.Line) {}, true},
		{"calls failed", func(l *result.Line) { l.Errors = map[string]int64{"unavailable": 3} }, false},
		{"interrupted", func(l *result.Line) { l.Verdicts = []result.Verdict{result.Partial} }, false},
	} {
		lines := readRun(t, "two-rounds")
		for i := range lines {
			lines[i].Calls, lines[i].Metrics, lines[i].Histograms, lines[i].Errors = 0, nil, nil, nil
			test.change(&lines[i])
		}
		text := written(t, Markdown, newReport(t, lines))
		if got := strings.Contains(text, stalled); got != test.want {
			t.Errorf("%s: says %q: %v, want %v", test.name, stalled, got, test.want)
		}
	}
}
