package report

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/greet/benchmark/internal/result"
)

// contestant is a case of a comparison, with the rate that it has in each round as a
// share of what the machine does then.
type contestant struct {
	kind, stack, client, replica string
	share                        float64
}

// compared makes six rounds of the contestants. The rounds differ much, and the
// contestants' shares in them by 1%.
func compared(t *testing.T, scenario string, all ...contestant) []result.Line {
	t.Helper()
	var lines []result.Line
	for round := range 6 {
		for _, c := range all {
			l := readRun(t, "two-rounds")[0]
			l.Round, l.WindowNS, l.Histograms, l.Verdicts = round+1, 1e9, nil, nil
			l.Case.Scenario, l.Case.Kind, l.Case.Stack, l.Case.Client, l.Case.Replica = scenario, c.kind, c.stack, c.client, c.replica
			l.Case.Mode, l.Case.Concurrency, l.Case.Payload = "unary", 16, 16
			rate := 1000 * float64(1+round) * c.share * []float64{1, 1.01}[round%2]
			l.Metrics = []result.Metric{{Name: "rate", Unit: "req/s", Better: result.Higher, Value: rate}}
			lines = append(lines, l)
		}
	}
	return lines
}

// bolds names the rows in bold of each table, and in which column.
func bolds(t *testing.T, r Report, scenario string) map[string][]string {
	t.Helper()
	found := map[string][]string{}
	for _, table := range r.tablesOf(scenario) {
		found[table.Title] = nil
		for i, h := range table.Heads {
			n := 0
			for _, row := range table.Rows {
				if row[i].Best {
					n++
					found[table.Title] = append(found[table.Title], row[0].Text)
				}
			}
			if n > 1 {
				t.Errorf("%s: %d figures of %q are bold", table.Title, n, h.Text)
			}
		}
	}
	return found
}

// One row of a column is the best at most. Clients of one stack are rivals of each
// other, and a control is none of its stack.
func TestOneBestInAColumn(t *testing.T) {
	const server = "grpc-go/grpc/h2c"
	for _, test := range []struct {
		name string
		all  []contestant
		want map[string][]string
	}{
		{"clients of one server", []contestant{
			{"clients", server, "tonic", "", 9}, {"clients", server, "grpc-go", "", 6}, {"clients", server, "grpcio", "", 1},
		}, map[string][]string{"unary: clients, 16 B": {"tonic"}}},
		{"two clients tie", []contestant{
			{"clients", server, "tonic", "", 6}, {"clients", server, "grpc-go", "", 6}, {"clients", server, "grpcio", "", 1},
		}, map[string][]string{"unary: clients, 16 B": nil}},
		{"the floor's client is a rival", []contestant{
			{"clients", server, "floor", "", 9}, {"clients", server, "grpc-go", "", 6}, {"clients", server, "grpcio", "", 1},
		}, map[string][]string{"unary: clients, 16 B": {"floor"}}},
		{"a stack and its control", []contestant{
			{"", "a/grpc/h2c", "own", "", 9}, {"", "a/grpc/h2c", "own", "control", 9}, {"", "b/grpc/h2c", "own", "", 6},
		}, map[string][]string{"unary: 16 B": {"a/grpc/h2c"}}},
		{"another's control is a rival", []contestant{
			{"", "a/grpc/h2c", "own", "", 6}, {"", "b/grpc/h2c", "own", "", 1}, {"", "b/grpc/h2c", "own", "control", 9},
		}, map[string][]string{"unary: 16 B": nil}},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := bolds(t, newReport(t, compared(t, "unary", test.all...)), "unary")
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// What the measurement sets is not better in one row than in another.
func TestInputsAreNotJudged(t *testing.T) {
	lines := compared(t, "open", contestant{"", "a/grpc/h2c", "own", "", 9}, contestant{"", "b/grpc/h2c", "own", "", 6})
	for i := range lines {
		lines[i].Case.Rate, lines[i].Case.Load = 1000, 0.5
		late := []float64{0.1, 0.2}[i%2] * (1 + float64(i/2)/100)
		lines[i].Metrics = append(lines[i].Metrics, result.Metric{Name: result.Late, Unit: "fraction", Better: result.Lower, Value: late})
	}
	r := newReport(t, lines)
	for _, table := range r.tablesOf("open") {
		for i, h := range table.Heads {
			best := slices.ContainsFunc(table.Rows, func(row []cell) bool { return row[i].Best })
			if want := strings.HasPrefix(h.Text, "late"); best != want {
				t.Errorf("a figure of %q is bold: %v, want %v", h.Text, best, want)
			}
		}
	}
}

// Rows that another client calls stand in another table, and have another floor or none.
func TestOneClientInATable(t *testing.T) {
	r := newReport(t, compared(t, "unary",
		contestant{"servers", "floor/grpc/h2c", "floor", "", 100}, contestant{"servers", "a/grpc/h2c", "floor", "", 50},
		contestant{"servers", "floor/grpc/h2c", "grpc-go", "", 20}, contestant{"servers", "a/grpc/h2c", "grpc-go", "", 15},
		contestant{"servers", "b/connect/h1", "connect-go", "", 10}, contestant{"servers", "c/connect/h1", "connect-go", "", 5},
	))
	got := map[string][]string{}
	for _, table := range r.tablesOf("unary") {
		last := len(table.Heads) - 1
		for _, row := range table.Rows {
			entry := row[0].Text
			if table.Heads[last].Text == "× floor" {
				entry += " " + row[last].Text
			}
			got[table.Title] = append(got[table.Title], entry)
		}
	}
	want := map[string][]string{
		"unary: servers, 16 B, client: floor":      {"a/grpc/h2c 2.00", "floor/grpc/h2c –"},
		"unary: servers, 16 B, client: grpc-go":    {"a/grpc/h2c 1.33", "floor/grpc/h2c –"},
		"unary: servers, 16 B, client: connect-go": {"b/connect/h1", "c/connect/h1"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// A stack's own client is the one that others are called by, where that has its name.
func TestOwnClientIsTheOneOfItsLibrary(t *testing.T) {
	r := newReport(t, compared(t, "unary",
		contestant{"", "grpc-go/grpc/h2c", "own", "", 9}, contestant{"", "tonic/grpc/h2c", "grpc-go", "", 12},
		contestant{"", "connect-go/connect/h1", "own", "", 5},
	))
	var got []string
	for _, table := range r.tablesOf("unary") {
		for _, row := range table.Rows {
			got = append(got, fmt.Sprintf("%s: %s", table.Title, row[0].Text))
		}
	}
	want := []string{
		"unary: 16 B, client: own: connect-go/connect/h1",
		"unary: 16 B, client: grpc-go: grpc-go/grpc/h2c", "unary: 16 B, client: grpc-go: tonic/grpc/h2c",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// The answer claims what the paired rounds bear out, and no more.
func TestAnswer(t *testing.T) {
	stacks := func(shares ...float64) []contestant {
		all := []contestant{{"", "floor/grpc/h2c", "own", "", 100}}
		for i, share := range shares {
			all = append(all, contestant{"", []string{"a", "b", "c"}[i] + "/grpc/h2c", "own", "", share})
		}
		return all
	}
	for _, test := range []struct {
		name string
		all  []contestant
		want string
	}{
		{"one is first", stacks(4, 8, 2), "`b/grpc/h2c` serves 2.00 times the calls of `a/grpc/h2c`, the next. `b/grpc/h2c` serves 4.00 times the calls of `c/grpc/h2c`, the last of 3."},
		{"two", stacks(4, 8), "`b/grpc/h2c` serves 2.00 times the calls of `a/grpc/h2c`."},
		{"a tie", stacks(8, 8), "`a/grpc/h2c` and `b/grpc/h2c` tie: 6 rounds do not tell them apart."},
		{"a tie and another", stacks(8, 8, 4), "`a/grpc/h2c` and `b/grpc/h2c` tie: 6 rounds do not tell them apart. `a/grpc/h2c` serves 2.00 times the calls of `c/grpc/h2c`, the last of 3."},
	} {
		answers := newReport(t, compared(t, "unary", test.all...)).answers("unary")
		if len(answers) != 1 || answers[0].sentence() != test.want {
			t.Errorf("%s: %d answers, the first %q, want %q", test.name, len(answers), answers[0].sentence(), test.want)
			continue
		}
		if left := "yardsticks, not ranked: floor/grpc/h2c."; !strings.HasSuffix(answers[0].context(), left) {
			t.Errorf("%s: context %q, want %q at its end", test.name, answers[0].context(), left)
		}
	}
}
