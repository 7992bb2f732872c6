package main

import (
	"fmt"
	"io"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"example.com/greet/benchmark/internal/result"
	"example.com/greet/benchmark/internal/run"
)

// screen is a terminal that understands what a live view sends: text, the end of
// a line, and the few sequences that move the cursor up or clear.
type screen struct {
	t             *testing.T
	width, height int
	rows          []string
	row           int
	most          int // columns that a line has had
	writes        int
}

func newScreen(t *testing.T, width, height int) *screen {
	t.Helper()
	return &screen{t: t, width: width, height: height, rows: make([]string, 1)}
}

func (s *screen) size() (width, height int) { return s.width, s.height }

func (s *screen) Write(text []byte) (int, error) {
	s.writes++
	for rest := string(text); rest != ""; {
		rest = s.take(rest)
	}
	return len(text), nil
}

// take takes the first thing off the text.
func (s *screen) take(text string) (rest string) {
	var up int
	switch {
	case strings.HasPrefix(text, "\x1b[J"):
		s.rows = append(s.rows[:s.row], "")
		return text[3:]
	case strings.HasPrefix(text, "\x1b[K"):
		return text[3:]
	case strings.HasPrefix(text, "\x1b["):
		if _, err := fmt.Sscanf(text, "\x1b[%dA", &up); err != nil || up > s.row || up >= s.height {
			s.t.Errorf("up %d from row %d of %d, or an unknown sequence: %q", up, s.row, s.height, text)
			return ""
		}
		s.row -= up
		return text[strings.IndexByte(text, 'A')+1:]
	case text[0] == '\r':
		return text[1:]
	case text[0] == '\n':
		if s.row++; s.row == len(s.rows) {
			s.rows = append(s.rows, "")
		}
		return text[1:]
	}
	end := strings.IndexAny(text, "\r\n\x1b")
	if end < 0 {
		end = len(text)
	}
	s.rows[s.row] = text[:end]
	s.most = max(s.most, utf8.RuneCountInString(text[:end]))
	return text[end:]
}

func (s *screen) String() string { return strings.Join(s.rows, "\n") }

func unaryLine(stack string, concurrency int, rate float64, verdicts ...result.Verdict) result.Line {
	l := result.Line{
		Case:     result.Case{Stack: stack, Scenario: "unary", Mode: "unary", Concurrency: concurrency, Payload: 1024},
		Verdicts: verdicts,
	}
	if rate > 0 {
		l.Metrics = []result.Metric{{Name: "rate", Unit: "req/s", Better: result.Higher, Value: rate}}
	}
	return l
}

func TestLiveViewFillsItsTable(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {120, 40}, {40, 8}, {30, 3}} {
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			seen := newScreen(t, size[0], size[1])
			l := newLive(seen, seen.size)
			var cases []result.Case
			for i := range 20 {
				cases = append(cases, unaryLine(fmt.Sprintf("library-%02d/grpc/h2c", i), 1, 0).Case,
					unaryLine(fmt.Sprintf("library-%02d/grpc/h2c", i), 64, 0).Case)
			}
			l.Expect(cases)
			l.Prepare("starting 20 servers")
			if !strings.Contains(seen.String(), "starting 20 serv") {
				t.Errorf("before the first slice:\n%s", seen)
			}
			l.Measured(unaryLine("library-00/grpc/h2c", 1, 12_345))
			l.Measured(unaryLine("library-00/grpc/h2c", 64, 0, result.NoSuccess))
			fmt.Fprintln(l.Log(), "a server says something")
			l.Begin(run.At{Round: 2, Rounds: 5, Done: 50, Total: 200, Left: time.Minute}, cases[1])
			checkView(t, seen)
			l.Close()
			if got := strings.TrimRight(seen.String(), "\n"); got != "a server says something" {
				t.Errorf("left on the screen:\n%s", got)
			}
		})
	}
}

// A terminal of any size is drawn on: nothing is wider or higher than it.
func TestLiveViewOnTerminalsTooSmallForIt(t *testing.T) {
	c := unaryLine("library/grpc/h2c", 1, 0).Case
	for _, size := range [][2]int{{1, 1}, {2, 3}, {4, 4}, {5, 80}, {6, 2}, {200, 1}} {
		seen := newScreen(t, size[0], size[1])
		l := newLive(seen, seen.size)
		l.Expect([]result.Case{c})
		for done := range 3 {
			l.Begin(run.At{Round: 1, Rounds: 1, Done: done, Total: 2}, c)
			if seen.most > max(0, size[0]-1) || len(seen.rows)-1 > size[1]-1 {
				t.Errorf("at %v, %d lines of up to %d columns:\n%s", size, len(seen.rows)-1, seen.most, seen)
			}
		}
		l.Close()
	}
}

// The codec scenario counts the allocations of the whole process.
func TestNothingIsDrawnWithinASlice(t *testing.T) {
	seen := newScreen(t, 80, 24)
	l := newLive(seen, seen.size)
	c := unaryLine("library/grpc/h2c", 1, 0).Case
	l.Expect([]result.Case{c})
	l.Begin(run.At{Round: 1, Rounds: 1, Total: 1}, c)
	before := seen.writes
	time.Sleep(300 * time.Millisecond) // longer than anything that is drawn by the clock
	if seen.writes != before {
		t.Errorf("%d writes to the terminal within a slice", seen.writes-before)
	}
	fmt.Fprintln(l.Log(), "a server says something")
	if got := strings.TrimRight(seen.String(), "\n"); got != "a server says something" {
		t.Errorf("within the slice, after a line of the log, the screen has\n%s", got)
	}
	l.Close()
}

func checkView(t *testing.T, seen *screen) {
	t.Helper()
	want := []string{"a server says something", "round 2 of 5"}
	if seen.height >= 24 {
		want = append(want, "slice 51 of 200", "25%", "now: unary, 1 KiB, c=64: library-00/grpc/h2c", "12,300", "no-success", "·", "Ctrl-C")
	}
	for _, text := range want {
		if !strings.Contains(seen.String(), text) {
			t.Errorf("the screen lacks %q:\n%s", text, seen)
		}
	}
	if seen.most >= seen.width {
		t.Errorf("a line has %d columns of %d, which wraps", seen.most, seen.width)
	}
}

func TestOneLineARound(t *testing.T) {
	var out strings.Builder
	shown := newDisplay(&out)
	shown.Expect(nil)
	shown.Prepare("starting")
	shown.Begin(run.At{Round: 1, Rounds: 2}, result.Case{})
	shown.End(run.At{Rounds: 19, Left: 50 * time.Minute}, 300, 150*time.Second)
	shown.End(run.At{Round: 1, Rounds: 2, Left: 34 * time.Second}, 40, 33*time.Second)
	shown.End(run.At{Round: 2, Rounds: 2}, 40, 9*time.Second)
	_, _ = io.WriteString(shown.Log(), "a server's\n")
	shown.Close()
	want := "rehearsal for 19 rounds: 300 slices in 2m30s; about 50m left\n" +
		"round 1 of 2: 40 slices in 33s; about 34s left\n" +
		"round 2 of 2: 40 slices in 9s\n" +
		"a server's\n"
	if out.String() != want {
		t.Errorf("printed\n%swant\n%s", &out, want)
	}
}

func TestTablesHaveAPageForEachKind(t *testing.T) {
	tables := newTables([]result.Case{
		{Stack: "b/grpc/h2c", Scenario: "open", Mode: "unary", Load: 0.9, Concurrency: 64, Payload: 16},
		{Stack: "b/grpc/h2c", Scenario: "open", Mode: "unary", Load: 0.1, Concurrency: 64, Payload: 16},
		{Stack: "b/grpc/h2c", Scenario: "open", Mode: "unary", Load: 0.1, Concurrency: 64, Payload: 16, Replica: "control"},
		{Stack: "copy", Scenario: "codec", Direction: "marshal", Payload: 2 << 20},
		{Stack: "b/grpc/h2c", Scenario: "channels", Mode: "unary", Connections: 8, Concurrency: 64, Payload: 16},
	})
	got := strings.Join(tables.view(1, 100), "\n")
	want := `codec, marshal (table 2 of 3)
           2 MiB
copy           ·

channels, unary, 16 B (table 3 of 3)
                   n=8
b/grpc/h2c           ·

open, unary, 16 B (table 1 of 3)
                             10%         90%
b/grpc/h2c                     ·           ·
b/grpc/h2c (control)           ·           ·
`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
