package report

import (
	"io"
	"strings"
	"testing"

	"example.com/greet/benchmark/internal/result"
)

// measured makes six rounds of unary cases at a concurrency, one for each stack,
// with the rates given as percent of what the machine does in that round.
func measured(t *testing.T, concurrency int, stacks map[string][]float64) []result.Line {
	t.Helper()
	model := readRun(t, "two-rounds")[0]
	model.Case = result.Case{
		Language: "go", Client: "own", Scenario: "unary", Mode: "unary", Concurrency: concurrency, Payload: 16, Messages: 1,
	}
	model.Histograms, model.WindowNS, model.Calls, model.Verdicts = nil, 250e6, 1000, nil
	var lines []result.Line
	for stack, percents := range stacks {
		for i, percent := range percents {
			l := model
			l.Round, l.Case.Stack = i+1, stack
			l.Case.Stack, l.Case.Replica, _ = strings.Cut(stack, "#")
			l.Metrics = []result.Metric{{Name: "rate", Unit: "req/s", Better: result.Higher, Value: percent * 100 * float64(i+1)}}
			lines = append(lines, l)
		}
	}
	return lines
}

func TestFloorColumn(t *testing.T) {
	const floor = "floor/grpc/h2c"
	for _, test := range []struct {
		name   string
		stacks map[string][]float64
		change func(*result.Line)
		want   string // the last cell of a/grpc/h2c, if there is a column × floor
	}{
		{"half as fast", map[string][]float64{floor: {100, 100, 100, 100, 100, 100}, "a/grpc/h2c": {49, 51, 49, 51, 49, 51}}, nil, "2.00"},
		{"as fast", map[string][]float64{floor: {100, 100, 100, 100, 100, 100}, "a/grpc/h2c": {97, 103, 97, 103, 97, 103}}, nil, "~"},
		{"few rounds", map[string][]float64{floor: {100, 100}, "a/grpc/h2c": {49, 51}}, nil, "2.00"},
		{"no floor", map[string][]float64{"b/grpc/h2c": {100, 100}, "a/grpc/h2c": {49, 51}}, nil, ""},
		{"the floor failed", map[string][]float64{floor: {100, 100}, "a/grpc/h2c": {49, 51}},
			func(l *result.Line) {
				if l.Case.Stack == floor {
					l.Errors = map[string]int64{"internal": 1}
				}
			}, ""},
		{"an open loop", map[string][]float64{floor: {100, 100}, "a/grpc/h2c": {49, 51}},
			func(l *result.Line) { l.Case.Rate = 1000 }, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			lines := measured(t, 16, test.stacks)
			for i := range lines {
				if test.change != nil {
					test.change(&lines[i])
				}
			}
			text := written(t, Markdown, newReport(t, lines))
			if got := strings.Contains(text, "× floor"); got != (test.want != "") {
				t.Fatalf("a column is %v, want %v:\n%s", got, test.want != "", text)
			}
			cells := strings.Split(strings.TrimSpace(lineWith(text, "| `a/grpc/h2c`")), "|")
			if got := strings.TrimSpace(cells[len(cells)-2]); test.want != "" && got != test.want {
				t.Errorf("the last cell is %q, want %q:\n%s", got, test.want, text)
			}
		})
	}
}

// A stack that needs less time than the floor shows that the floor is none: the report
// says so before the table, and only where the whole interval says so.
func TestFloorAtFault(t *testing.T) {
	const floor, fault = "floor/grpc/h2c", "A fault of the yardstick"
	steady := []float64{100, 100, 100, 100, 100, 100}
	for _, test := range []struct {
		name     string
		stack    string
		percents []float64
		rounds   int
		want     bool
	}{
		{"twice as fast", "a/grpc/h2c", []float64{190, 210, 190, 210, 190, 210}, 6, true},
		{"a little faster", "a/grpc/h2c", []float64{104, 106, 104, 106, 104, 106}, 6, true},
		{"as fast", "a/grpc/h2c", []float64{90, 112, 90, 112, 90, 112}, 6, false},
		{"half as fast", "a/grpc/h2c", []float64{49, 51, 49, 51, 49, 51}, 6, false},
		{"too few rounds to tell", "a/grpc/h2c", []float64{200, 200}, 2, false},
		{"a rung below the floor", "bare/bytes/tcp", []float64{200, 200, 200, 200, 200, 200}, 6, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			lines := measured(t, 16, map[string][]float64{floor: steady[:test.rounds], test.stack: test.percents})
			for _, format := range []func(io.Writer, Report) error{Markdown, HTML} {
				text := written(t, format, newReport(t, lines))
				at := strings.Index(text, fault)
				if got := at >= 0; got != test.want {
					t.Fatalf("says so: %v, want %v:\n%s", got, test.want, text)
				}
				if row := strings.Index(text, "× floor"); test.want && (row < at || !strings.Contains(lineWith(text, fault), test.stack)) {
					t.Errorf("want it before the table, with the stack's name:\n%s", text)
				}
			}
		})
	}
}

// Each column has its own floor.
func TestFloorOfEachColumn(t *testing.T) {
	var lines []result.Line
	for concurrency, percent := range map[int]float64{1: 50, 4: 25} {
		lines = append(lines, measured(t, concurrency, map[string][]float64{
			"floor/grpc/h2c": {100, 100}, "a/grpc/h2c": {percent, percent},
		})...)
	}
	text := written(t, Markdown, newReport(t, lines))
	if !strings.Contains(text, "× floor at 1 / 4") || !strings.Contains(lineWith(text, "| `a/grpc/h2c`"), "2.00 / 4.00") {
		t.Errorf("want 2 at concurrency 1 and 4 at 4:\n%s", text)
	}
}

func TestControls(t *testing.T) {
	for _, test := range []struct {
		name   string
		stacks map[string][]float64
		want   string
	}{
		{"none", map[string][]float64{"a/grpc/h2c": {100, 100}}, ""},
		{"noise", map[string][]float64{"a/grpc/h2c": {100, 100, 100, 100, 100, 100}, "a/grpc/h2c#again": {102, 98, 102, 98, 102, 98}},
			"A/A control: `a/grpc/h2c` under two names differs from itself by −2.3% to +2.3% in rate. Less"},
		{"too few rounds", map[string][]float64{"a/grpc/h2c": {100, 100}, "a/grpc/h2c#again": {102, 98}},
			"by −2.0% to +2.0% in rate (single rounds, for there are too few for an interval). Less"},
		{"called different", map[string][]float64{"a/grpc/h2c": {100, 100, 100, 100, 100, 100}, "a/grpc/h2c#again": {102, 102, 102, 102, 102, 102}},
			"by +2.0% to +2.0% in rate (1 of 1 called different, where 1 in 20 is to be expected). Less"},
	} {
		got := strings.Join(controls(newReport(t, measured(t, 16, test.stacks))), "\n")
		if !strings.Contains(got, test.want) || (got == "") != (test.want == "") {
			t.Errorf("%s: %q, want %q in it", test.name, got, test.want)
		}
	}
	if got := signedPercent(0.9999); got != "+0.0%" {
		t.Errorf("next to nothing is %q", got)
	}
}

// TestFixedCostOverFloor has a rung above the floor, one below it, and a variant of
// the floor, which is a rung and no floor, and is compared with what it varies.
func TestFixedCostOverFloor(t *testing.T) {
	calls := map[string]float64{"floor/grpc/h2c": 20, "floor/grpc/h2c+workers=1": 30, "a/grpc/h2c": 50, "bare/bytes/tcp": 15}
	model := readRun(t, "two-rounds")[0]
	model.Histograms, model.WindowNS, model.Calls, model.Verdicts = nil, 250e6, 1000, nil
	var lines []result.Line
	for stack, micros := range calls {
		for round := range 6 {
			l := model
			l.Round = round + 1
			if !isFloor(stack) {
				micros *= []float64{1.02, 1 / 1.02}[round%2]
			}
			l.Case = result.Case{Stack: stack, Language: "go", Client: "own", Scenario: "fixed-cost", Mode: "unary", Concurrency: 1, Payload: 1024, Messages: 1}
			l.Metrics = []result.Metric{
				{Name: "median_call", Unit: "µs", Better: result.Lower, Value: micros},
				{Name: "server_allocations", Unit: "allocs/call", Better: result.Lower, Value: micros * 2},
			}
			lines = append(lines, l)
		}
	}
	text := written(t, Markdown, newReport(t, lines))
	for row, want := range map[string][]string{
		"`a/grpc/h2c`":               {"2.52", "+30.5", "+61.0", "–"},
		"`bare/bytes/tcp`":           {"0.757", "−4.85", "−9.7", "–"},
		"`floor/grpc/h2c+workers=1`": {"1.515", "+10.3", "+20.6", "1.515× (1.498–1.532)"},
		"`floor/grpc/h2c`":           {"–", "–", "–", "–"},
	} {
		cells := strings.Split(strings.TrimSuffix(strings.TrimSpace(lineWith(text, "| "+row)), "|"), "|")
		var got []string
		for _, c := range cells[len(cells)-4:] {
			got = append(got, strings.TrimSpace(c))
		}
		if strings.Join(got, " ") != strings.Join(want, " ") {
			t.Errorf("%s: got %q, want %q:\n%s", row, got, want, text)
		}
	}
}
