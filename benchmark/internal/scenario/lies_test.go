package scenario

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"example.com/greet/benchmark/internal/calls"
	"example.com/greet/benchmark/internal/result"
	"example.com/greet/benchmark/internal/stack/floor"
)

// lie is one way in which a server can seem faster than it is, to someone who does not
// check. docs/lies.md has a row for each.
type lie struct {
	name      string
	server    func() faulty // a new one, for those that count calls
	code      string        // that the calls fail with
	scenarios []string      // that see it
}

var (
	streams   = []string{"server-stream", "bidi-pingpong", "bidi-flood"}
	several   = slices.Concat(streams, []string{"client-stream"})
	greetings = slices.Concat(streams, []string{"unary", "open", "channels", "idle"})
	every     = slices.Concat(greetings, []string{"client-stream"})
	steady    = []string{"unary", "open", "channels", "server-stream", "bidi-pingpong", "bidi-flood"} // with calls or messages enough
)

var lies = []lie{
	{"refuses every call", always(faulty{before: refuse}), "unavailable", every},
	{"says that it is overloaded", refusing(codes.ResourceExhausted), "resource_exhausted", every},
	{"says that the call was cancelled", refusing(codes.Canceled), "canceled", every},
	{"says that the time is over", refusing(codes.DeadlineExceeded), "deadline_exceeded", every},
	{"says that it knows no such method", refusing(codes.Unimplemented), "unimplemented", every},
	{"says that it has an error of its own", refusing(codes.Internal), "internal", every},
	{"asks who is there", refusing(codes.Unauthenticated), "unauthenticated", every},
	{"hangs", always(faulty{before: hang}), "deadline_exceeded", every},
	{"hangs at every fiftieth call", nth50(hang), "deadline_exceeded", []string{"unary", "open"}},
	{"refuses the first call", first(refuse), "unavailable", every},
	{"refuses every fiftieth call", nth50(refuse), "unavailable", []string{"unary", "open", "channels"}},
	{"answers with another text", saying(misspell), "wrong_reply", greetings},
	{"answers with nothing", saying(func(int, string) string { return "" }), "wrong_reply", greetings},
	{"answers one byte short", saying(func(_ int, g string) string { return g[:len(g)-1] }), "wrong_reply", greetings},
	{"answers one byte long", saying(func(_ int, g string) string { return g + "!" }), "wrong_reply", greetings},
	{"answers with a space more", saying(func(_ int, g string) string { return g + " " }), "wrong_reply", greetings},
	{"answers in capitals", saying(func(_ int, g string) string { return strings.ToUpper(g) }), "wrong_reply", greetings},
	{"answers with a letter that looks alike", saying(func(_ int, g string) string { return strings.Replace(g, "H", "Н", 1) }), "wrong_reply", greetings},
	{"answers without the name", saying(func(_ int, g string) string { before, _, _ := strings.Cut(g, ","); return before + ", !" }), "wrong_reply", greetings},
	{"answers every fiftieth message wrongly", nth50Text(misspell), "wrong_reply", steady},
	{"says a message twice", saying(stammer), "wrong_reply", streams},
	{"numbers messages from the wrong end", saying(renumber), "wrong_reply", streams},
	{"says the last message wrongly", saying(last), "wrong_reply", streams},
	{"ends a stream early, with a good status", sending(func(int32) int32 { return 7 }), "wrong_reply", several},
	{"sends nothing, with a good status", sending(func(int32) int32 { return 0 }), "wrong_reply", several},
	{"sends one message too many", sending(func(n int32) int32 { return n + 1 }), "wrong_reply", []string{"server-stream", "client-stream"}},
	{"sends one message too few", sending(func(n int32) int32 { return n - 1 }), "wrong_reply", several},
	{"counts below nothing", sending(func(n int32) int32 { return -n }), "wrong_reply", []string{"client-stream"}},
	{"counts twice as many", sending(func(n int32) int32 { return 2 * n }), "wrong_reply", []string{"client-stream"}},
	{"is cut after all messages", always(faulty{end: status.Error(codes.Unavailable, "cut")}), "unavailable", several},
	{"loses data after all messages", always(faulty{end: status.Error(codes.DataLoss, "lost")}), "data_loss", several},
}

// liesElsewhere are those that need a server of their own, with their tests.
var liesElsewhere = map[string]string{
	"answers before it is asked":               "TestRepliesAheadAreWrong",
	"hangs at one call of many":                "TestSomeFailuresAreSeenBesideSuccesses",
	"stands still for a while":                 "TestStallOfARealServer",
	"stands still between slices":              "TestSlicesWeighStallsAsOneLongSlice",
	"leads to a figure that cannot be":         "TestFiguresThatCannotBeFailTheirCaseAlone",
	"has a client that counts what it made up": "TestClientIsDoubted",
}

func always(f faulty) func() faulty { return func() faulty { return f } }

func refusing(code codes.Code) func() faulty {
	return always(faulty{before: func(context.Context) error { return status.Error(code, "no") }})
}

func saying(hello func(int, string) string) func() faulty { return always(faulty{hello: hello}) }

func sending(count func(int32) int32) func() faulty { return always(faulty{count: count}) }

// nth50 does it to every fiftieth call.
func nth50(do func(context.Context) error) func() faulty {
	return when(func(n int64) bool { return n%50 == 0 }, do)
}

// first does it to the first call, which a warm-up makes.
func first(do func(context.Context) error) func() faulty {
	return when(func(n int64) bool { return n == 1 }, do)
}

// when does it to the calls, counted from 1, that are to have it done to them.
func when(due func(n int64) bool, do func(context.Context) error) func() faulty {
	return func() faulty {
		var n atomic.Int64
		return faulty{before: func(ctx context.Context) error {
			if due(n.Add(1)) {
				return do(ctx)
			}
			return nil
		}}
	}
}

func nth50Text(hello func(int, string) string) func() faulty {
	return func() faulty {
		var n atomic.Int64
		return faulty{hello: func(i int, greeting string) string {
			if n.Add(1)%50 == 0 {
				return hello(i, greeting)
			}
			return greeting
		}}
	}
}

// stammer says the same number again from the tenth message on.
func stammer(i int, greeting string) string {
	if i < 10 {
		return greeting
	}
	return strings.NewReplacer("#11,", "#10,", "0000010-", "0000009-").Replace(greeting)
}

// renumber swaps the numbers of the first two messages.
func renumber(_ int, greeting string) string {
	return strings.NewReplacer("#1,", "#2,", "#2,", "#1,", "0000000-", "0000001-", "0000001-", "0000000-").Replace(greeting)
}

// last is wrong in the last message of a test's streams alone.
func last(i int, greeting string) string {
	if i == 49 {
		return misspell(i, greeting)
	}
	return greeting
}

// TestLies wants each lie to take its case the number, by whichever client.
func TestLies(t *testing.T) {
	for _, l := range lies {
		t.Run(l.name, func(t *testing.T) {
			t.Parallel()
			for _, caller := range []calls.Caller{Own(overGRPC()), floor.Caller{}} {
				for _, name := range l.scenarios {
					if name != "idle" || caller.Name() == OwnName { // only a library can hold its calls
						tell(t, l, name, caller)
					}
				}
			}
		})
	}
}

func tell(t *testing.T, l lie, scenario string, caller calls.Caller) {
	t.Helper()
	setup := servedBy(t, l.server())
	setup.Caller = caller
	if l.code == "deadline_exceeded" {
		setup.Deadline = 300 * time.Millisecond
	}
	c, measure := oneCase(t, scenario)
	if !slices.Contains(streams, scenario) && strings.Contains(l.name, "fiftieth") {
		c.Calls = 200
	}
	line, err := measure(t.Context(), setup, c)
	if err != nil {
		t.Errorf("%s by %s: %v", scenario, caller.Name(), err)
	}
	line.Case = c
	if line.Errors[l.code]+line.WarmupErrors[l.code] == 0 || !result.Disqualified(result.Judge(&line)) {
		t.Errorf("%s by %s: errors %v and %v (%s), want %s and no rank",
			scenario, caller.Name(), line.WarmupErrors, line.Errors, line.FirstError, l.code)
	}
	if line.Calls == 0 && len(line.Metrics)+len(line.Histograms) > 0 {
		t.Errorf("%s by %s: metrics %v, want no number", scenario, caller.Name(), line.Metrics)
	}
}

// TestLiesHaveARow wants each lie on the page, with what a table says and the test.
func TestLiesHaveARow(t *testing.T) {
	page, err := os.ReadFile("../../../docs/lies.md")
	if err != nil {
		t.Fatal(err)
	}
	var rows []string
	for _, l := range lies {
		says := "errors"
		if l.code == result.WrongReplyCode {
			says = "wrong-reply"
		}
		rows = append(rows, fmt.Sprintf("| %s | **%s**: %s | `TestLies/%s` |", l.name, says, l.code, strings.ReplaceAll(l.name, " ", "_")))
	}
	for _, row := range rows {
		if !strings.Contains(string(page), row+"\n") {
			t.Errorf("docs/lies.md lacks the row\n%s", row)
		}
	}
	for name, test := range liesElsewhere {
		if !strings.Contains(string(page), "| "+name+" | ") || !strings.Contains(string(page), "`"+test+"`") {
			t.Errorf("docs/lies.md lacks %s, with %s", name, test)
		}
	}
}
