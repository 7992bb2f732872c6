package result

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParseGates(t *testing.T) {
	for _, test := range []struct {
		expression string
		want       []Gate
	}{
		{"allocations_per_call>+2%", []Gate{{"allocations_per_call", 2, false}}},
		{"wire_bytes_per_call>+2%,allocations_per_op>+0.5%", []Gate{{"wire_bytes_per_call", 2, false}, {"allocations_per_op", 0.5, false}}},
		{"  syscalls_per_message > + 0 % , instructions_per_message <- 10%", []Gate{{"syscalls_per_message", 0, false}, {"instructions_per_message", 10, true}}},
	} {
		got, err := ParseGates(test.expression)
		if err != nil {
			t.Errorf("%q: %v", test.expression, err)
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%q: -want +got:\n%s", test.expression, diff)
		}
	}
}

func TestParseGatesRefuses(t *testing.T) {
	for _, test := range []struct{ expression, want string }{
		{"", "want METRIC>+PERCENT%"},
		{"allocations_per_op", "want METRIC>+PERCENT%"},
		{"alloc*>+2%", "alloc* is not deterministic"},
		{"allocations*per_op>+2%", "want METRIC>+PERCENT%"},
		{"allocations_per_op>2%", "want METRIC>+PERCENT%"},
		{"allocations_per_op>+2", "want METRIC>+PERCENT%"},
		{"allocations_per_op>+2%,", `parse gate ""`},
		{"allocations_per_op>+2% wire_bytes>+2%", "want METRIC>+PERCENT%"},
		{"allocations_per_op>+1e999%", "want METRIC>+PERCENT%"},
		{"allocations_per_op>+-2%", "want METRIC>+PERCENT%"},
		{"allocations_per_op<+2%", "want METRIC>+PERCENT%"},
		{"rate<-5%", "rate is not deterministic: times, rates"},
		{"time_per_op>+5%", "time_per_op is not deterministic"},
		{"allocations_per_op>+2%,late>+5%", "late is not deterministic"},
	} {
		if got, err := ParseGates(test.expression); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%q: %v and error %v, want one with %q", test.expression, got, err, test.want)
		}
	}
}

// Whatever is parsed means the same when it is written and parsed again.
func FuzzParseGates(f *testing.F) {
	for _, seed := range []string{"allocations_per_call>+2%", "wire_bytes>+0.25%,syscalls<-10%", ",", "rate>+2%", "allocations>+999999.999999%"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, expression string) {
		gates, err := ParseGates(expression)
		if err != nil {
			return
		}
		texts := make([]string, len(gates))
		for i, g := range gates {
			if g.Percent < 0 || timed(g.Metric) {
				t.Errorf("%q: got %+v", expression, g)
			}
			texts[i] = g.String()
		}
		again, err := ParseGates(strings.Join(texts, ","))
		if err != nil {
			t.Fatalf("%q becomes %q: %v", expression, texts, err)
		}
		if diff := cmp.Diff(gates, again); diff != "" {
			t.Errorf("%q becomes %q:\n%s", expression, texts, diff)
		}
	})
}

// allocating makes rounds with so many allocations per call.
func allocating(t *testing.T, id, unit string, counts ...float64) []Line {
	lines := runOf(t, id, counts...)
	for i := range lines {
		lines[i].Metrics = []Metric{
			{Name: "rate", Unit: "req/s", Better: Higher, Value: 1000},
			{Name: "allocations_per_call", Unit: unit, Better: Lower, Value: counts[i]},
		}
	}
	return lines
}

func TestGateCheck(t *testing.T) {
	for _, test := range []struct {
		name         string
		gate         string
		older, newer []float64
		change       func([]Line) // of the new ones
		want         string       // of the failure; empty if the gate lets it pass
	}{
		{name: "the same", gate: ">+2%", older: []float64{100}, newer: []float64{100}},
		{name: "exactly the bound", gate: ">+2%", older: []float64{100}, newer: []float64{102}},
		{name: "exactly a bound that is no binary fraction", gate: ">+0.1%", older: []float64{1000}, newer: []float64{1001}},
		{name: "just above it", gate: ">+2%", older: []float64{100}, newer: []float64{102.01}, want: "+2.01%, from 100 to 102.01"},
		{name: "fewer", gate: ">+2%", older: []float64{100}, newer: []float64{50}},
		{name: "one outlier of three", gate: ">+2%", older: []float64{100, 100, 100}, newer: []float64{100, 100, 900}},
		{name: "falling by the bound", gate: "<-2%", older: []float64{100}, newer: []float64{98}},
		{name: "falling further", gate: "<-2%", older: []float64{100}, newer: []float64{97}, want: "-3%, from 100 to 97"},
		{name: "none and none", gate: ">+2%", older: []float64{0}, newer: []float64{0}},
		{name: "none, then some", gate: ">+2%", older: []float64{0}, newer: []float64{1}, want: "something where there was nothing"},
		{name: "a failed case", gate: ">+2%", older: []float64{100}, newer: []float64{100},
			change: func(l []Line) { l[0].Errors = map[string]int64{"internal": 1} }, want: "the new results have the verdict errors"},
		{name: "no such figure any more", gate: ">+2%", older: []float64{100}, newer: []float64{100},
			change: func(l []Line) { l[0].Metrics = l[0].Metrics[:1] }, want: "the new results lack it"},
	} {
		t.Run(test.name, func(t *testing.T) {
			newer := allocating(t, "r2", "1", test.newer...)
			if test.change != nil {
				test.change(newer)
			}
			c, err := CompareAcross(allocating(t, "r1", "1", test.older...), newer)
			if err != nil {
				t.Fatal(err)
			}
			gates, err := ParseGates("allocations_per_call" + test.gate)
			if err != nil {
				t.Fatal(err)
			}
			failures, err := gates[0].Check(c)
			if err != nil {
				t.Fatal(err)
			}
			switch {
			case test.want == "" && len(failures) > 0:
				t.Errorf("fails: %s", failures[0].Text)
			case test.want != "" && (len(failures) != 1 || !strings.Contains(failures[0].Text, test.want)):
				t.Errorf("got %+v, want one failure with %q", failures, test.want)
			}
		})
	}
}

// A change that loses a case must not pass for one that costs nothing.
func TestGateOnACaseThatIsGone(t *testing.T) {
	older := slices.Concat(allocating(t, "r1", "1", 100), allocating(t, "r1", "1", 100))
	older[1].Case.Concurrency = 64
	c, err := CompareAcross(older, allocating(t, "r2", "1", 100))
	if err != nil {
		t.Fatal(err)
	}
	failures, err := Gate{Metric: "allocations*", Percent: 2}.Check(c)
	if err != nil {
		t.Fatal(err)
	}
	if len(failures) != 1 || failures[0].Case.Concurrency != 64 || !strings.Contains(failures[0].Text, "missing from the new results") {
		t.Errorf("got %+v, want one failure of the case with concurrency 64", failures)
	}
}

// A gate that guards nothing, or looks at time under another name, must not pass.
func TestGateCheckRefuses(t *testing.T) {
	for _, test := range []struct{ unit, metric, want string }{
		{"1", "allocations_per_op", "no case on both sides has that metric; gates are possible on: allocations_per_call"},
		{"1/s", "allocations_per_call", "a time or a rate"},
		{"ns", "allocations_per_call", "a time or a rate"},
		{"ms/call", "allocations_per_call", "a time or a rate"},
		{"ns", "wire_bytes_per_call", "none, for these results have no deterministic metric"},
	} {
		c, err := CompareAcross(allocating(t, "r1", test.unit, 1), allocating(t, "r2", test.unit, 1))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := (Gate{Metric: test.metric, Percent: 2}).Check(c); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s in %s: error %v, want one with %q", test.metric, test.unit, err, test.want)
		}
	}
}
