package report

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/greet/benchmark/internal/result"
)

// metRun makes up who called whom: two servers of gRPC and one of Connect that carries
// no bidi, and clients in three languages. Whatever broken marks has gone wrong.
func metRun(t *testing.T, broken func(*result.Line)) []result.Line {
	t.Helper()
	model := readRun(t, "two-rounds")[0]
	model.Metrics, model.Histograms, model.Accepted, model.Verdicts = nil, nil, nil, nil
	model.Calls, model.WindowNS, model.Environment.Command = 20, 5e6, "go run ./benchmark interop"
	model.Plan = &result.Plan{Skipped: []string{"peer perl-grpc: it needs perl on PATH"}}
	var lines []result.Line
	for _, server := range []struct{ stack, language, lib string }{
		{"tonic/grpc/h2c", "rust", "tonic v0.14.9"},
		{"grpc-go/grpc/h2c", "go", "google.golang.org/grpc v1.85.0"},
		{"connect-go/connect/h1", "go", "connectrpc.com/connect/v2 v2.0.2"},
	} {
		for _, client := range []struct{ name, language string }{
			{"grpcio", "python"}, {"tonic", "rust"}, {"grpc-go", "go"}, {"connect-go", "go"}, {"tonic+boxed", "rust"},
		} {
			grpc, onConnect := strings.Contains(server.stack, "/grpc/"), client.name == "connect-go"
			if !grpc && !onConnect {
				continue
			}
			for _, mode := range []string{"unary", "server_stream", "client_stream", "bidi"} {
				if !grpc && mode == "bidi" || client.name == "tonic+boxed" && mode == "client_stream" {
					continue // refused
				}
				l := model
				l.Case = result.Case{
					Stack: server.stack, Language: server.language, Libraries: []string{server.lib}, Client: client.name,
					ClientLanguage: client.language, Scenario: "interop", Mode: mode, Concurrency: 2, Connections: 1, Payload: 16, Calls: 20, Messages: 10,
				}
				if mode == "unary" {
					l.Case.Messages = 1
				}
				if broken(&l); len(l.Errors) > 0 {
					l.Calls = 0
				}
				l.Opened, l.Verdicts = 1, result.Judge(&l)
				lines = append(lines, l)
			}
		}
	}
	model.Plan.Rounds, model.Plan.Lines = 1, len(lines)
	return lines
}

// liesAndRefuses breaks two combinations, in ways of their own.
func liesAndRefuses(l *result.Line) {
	switch {
	case l.Case.Client == "grpcio" && l.Case.Stack == "tonic/grpc/h2c" && l.Case.Mode == "bidi":
		l.Errors, l.FirstError = map[string]int64{"wrong_reply": 12, "internal": 8}, `GreetChat: got "Hi, bob|", want "Hi, rob!"`
	case l.Case.Client == "grpc-go" && l.Case.Stack == "tonic/grpc/h2c" && l.Case.Mode == "unary":
		l.Errors, l.FirstError = map[string]int64{"unavailable": 20}, "connection refused"
	}
}

func metReport(t *testing.T, lines []result.Line) Report {
	t.Helper()
	r := newReport(t, lines)
	r.Refusals = append(r.Refusals, Refusal{Stack: "tonic/grpc/h2c+boxed", Mode: "client_stream", Reason: "it has lost the box"})
	return r
}

func TestInteropGolden(t *testing.T) {
	wantGolden(t, filepath.Join("testdata", "interop.md"), written(t, Markdown, metReport(t, metRun(t, liesAndRefuses))))
}

// TestInteropShowsEachFailure breaks each combination in turn.
func TestInteropShowsEachFailure(t *testing.T) {
	whole := gridOf(t, metRun(t, func(*result.Line) {}))
	for _, one := range metRun(t, func(*result.Line) {}) {
		key := one.Case.Key()
		lines := metRun(t, func(l *result.Line) {
			if l.Case.Key() == key {
				l.Errors = map[string]int64{"internal": 1}
			}
		})
		want := maps.Clone(whole)
		at := [2]string{one.Case.Stack, one.Case.Client}
		place := slices.IndexFunc(interopModes, func(m struct{ mode, letter string }) bool { return m.mode == one.Case.Mode })
		signs := []rune(want[at])
		signs[place] = '✗'
		want[at] = string(signs)
		if diff := cmp.Diff(want, gridOf(t, lines)); diff != "" {
			t.Errorf("%s is broken (-want +got):\n%s", key, diff)
		}
	}
}

// gridOf has what stands in each cell, by server and client.
func gridOf(t *testing.T, lines []result.Line) map[[2]string]string {
	t.Helper()
	grid := make(map[[2]string]string)
	for _, table := range metReport(t, lines).tablesOf("interop") {
		for _, row := range table.Rows {
			for i, c := range row[2:] {
				grid[[2]string{row[0].Text, table.Heads[i+2].Text}] = c.Text
			}
		}
	}
	return grid
}

func TestInteropOnAPage(t *testing.T) {
	r := metReport(t, metRun(t, liesAndRefuses))
	if page := written(t, HTML, r); !strings.Contains(page, "USC✗") {
		t.Error("the page has no grid")
	}
	for _, count := range r.standing().Verdicts {
		if !count.Disqualifies {
			t.Errorf("%s remarks on figures that are not there: %q", count.Verdict, count.Where)
		}
	}
}
