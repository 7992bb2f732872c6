package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"example.com/greet/internal/stack"
	"example.com/greet/internal/wire"
)

// view prints the results of calls, and with --wire the traffic on the connection.
type view struct {
	out      io.Writer
	recorder *wire.Recorder // nil unless a call is watched
	format   wireFormat     // "" without --wire
	seen     wire.Timeline  // of this call so far
	title    string
	titled   bool // the title of this call has been printed
	shown    int  // titles printed so far
	sections []wire.Section
}

// newView returns a view. watch records the connection even without --wire.
func newView(out io.Writer, format wireFormat, watch bool) *view {
	v := &view{out: out, format: format}
	if format != "" || watch {
		v.recorder = wire.NewRecorder()
	}
	return v
}

// tap returns the tap to dial with, or nil if nobody watches.
func (v *view) tap() *stack.Tap {
	if v.recorder == nil {
		return nil
	}
	return v.recorder.Tap()
}

// begin starts a call. It prints the title only with the first line, so that when no server answers
// the error is all that is printed.
func (v *view) begin(title string) {
	v.title, v.titled = title, false
	v.seen = wire.Timeline{}
	if v.recorder != nil {
		v.recorder.Begin()
	}
}

// look returns what the connections have carried since the call began, in order of time. A write
// may be recorded after the read of its answer.
func (v *view) look() wire.Timeline {
	v.seen.Lines = append(v.seen.Lines, v.recorder.Take().Lines...)
	byTime := func(a, b wire.Line) int { return cmp.Compare(a.At, b.At) }
	if !slices.IsSortedFunc(v.seen.Lines, byTime) {
		slices.SortStableFunc(v.seen.Lines, byTime)
	}
	return v.seen
}

// sayer prints a call's results: at once, or with --wire at their place in the timeline.
func (v *view) sayer(who string) sayer {
	return func(format string, args ...any) {
		line := fmt.Sprintf("[%s] %s", who, printable(fmt.Sprintf(format, args...)))
		if v.format != "" {
			v.recorder.Mark(line)
			return
		}
		v.heading()
		fmt.Fprintln(v.out, line)
	}
}

func (v *view) heading() {
	if v.titled {
		return
	}
	fmt.Fprintf(v.out, "%s--- %s ---\n", strings.Repeat("\n", min(v.shown, 1)), v.title)
	v.titled = true
	v.shown++
}

// end ends a call, which failed if err is not nil, and shows its timeline.
func (v *view) end(err error) error {
	if v.format == "" {
		if err == nil {
			v.heading()
		}
		return nil
	}
	v.recorder.Settle()
	return v.show(v.look())
}

// endSilently ends a call without results, and shows its timeline if there is one.
func (v *view) endSilently() error {
	if v.format == "" {
		return nil
	}
	return v.end(nil)
}

// finish shows how the connections were closed, and writes the page of --wire=html.
func (v *view) finish() error {
	if v.format == "" {
		return nil
	}
	v.title, v.titled = "after the last call: closing the connection", false
	if err := v.show(v.recorder.Finish()); err != nil {
		return err
	}
	if v.format != wireHTML || len(v.sections) == 0 {
		return nil
	}
	return wire.WriteHTML(v.out, v.sections)
}

func (v *view) show(t wire.Timeline) error {
	if len(t.Lines) == 0 {
		return nil
	}
	if v.format == wireHTML {
		v.sections = append(v.sections, wire.Section{Title: v.title, Timeline: t})
		return nil
	}
	v.heading()
	return wire.WriteText(v.out, t)
}
