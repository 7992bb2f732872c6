package main

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"example.com/greet/benchmark/internal/result"
	"example.com/greet/benchmark/internal/run"
)

// live shows a run on a terminal: its progress, the current slice, and tables that fill. It draws
// below what is there already and never hides the cursor, so that the terminal stays usable even
// after a kill.
//
// It draws before a slice begins, and never during one: drawing allocates and uses a processor, and
// both would be counted.
type live struct {
	w    io.Writer
	size func() (width, height int)

	mu     sync.Mutex
	begun  time.Time
	doing  string // before the first slice
	at     run.At
	asked  time.Time // when at was reported
	kase   result.Case
	tables *tables
	width  int // of the terminal when the lines were drawn
	drawn  int // lines on the screen

	measuring bool // during a slice nothing is drawn
}

// newLive shows a run on a terminal. It asks for the size before each drawing.
func newLive(w io.Writer, size func() (width, height int)) *live {
	return &live{w: w, size: size, begun: time.Now(), tables: newTables(nil)}
}

// Expect implements display.
func (l *live) Expect(cases []result.Case) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.tables = newTables(cases)
}

// Prepare implements run.Progress.
func (l *live) Prepare(doing string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.doing = doing
	l.draw()
}

// Begin implements run.Progress. It draws, and only then lets the slice begin.
func (l *live) Begin(at run.At, c result.Case) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.doing, l.at, l.kase, l.asked, l.measuring = "", at, c, time.Now(), true
	l.draw()
}

// Measured implements run.Progress.
func (l *live) Measured(line result.Line) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.tables.add(line)
	l.measuring = false
}

// End implements run.Progress. The view shows by itself that a round has ended.
func (l *live) End(at run.At, slices int, took time.Duration) {
	l.mu.Lock()
	l.measuring = false
	l.mu.Unlock()
	if at.Round == 0 || at.Round == at.Rounds {
		_, _ = io.WriteString(l, roundLine(at, slices, took)+"\n") // as in Close
	}
}

// Log implements display.
func (l *live) Log() io.Writer { return l }

// Write prints whole lines above the view. During a slice the view disappears until the next
// begins.
func (l *live) Write(text []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	var b bytes.Buffer
	l.erase(&b)
	b.Write(text)
	if !bytes.HasSuffix(text, []byte("\n")) {
		b.WriteByte('\n')
	}
	if _, err := l.w.Write(b.Bytes()); err != nil {
		return 0, err
	}
	if !l.measuring {
		l.draw()
	}
	return len(text), nil
}

// Close implements display.
func (l *live) Close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	var b bytes.Buffer
	l.erase(&b)
	_, _ = l.w.Write(b.Bytes()) // a terminal that has gone needs no clearing
}

// erase removes the view from the screen, and moves the cursor to its first line.
func (l *live) erase(b *bytes.Buffer) {
	if l.drawn > 0 {
		fmt.Fprintf(b, "\r\x1b[%dA", l.drawn)
	}
	b.WriteString("\r\x1b[J")
	l.drawn = 0
}

// draw replaces the view on the screen, in one write.
func (l *live) draw() {
	width, height := l.size()
	var b bytes.Buffer
	if l.width != 0 && l.width != width {
		b.WriteString("\x1b[2J\x1b[H") // the terminal has wrapped its lines anew, nobody knows where
		l.drawn = 0
	}
	l.width = width
	if l.drawn > 0 {
		fmt.Fprintf(&b, "\r\x1b[%dA", l.drawn)
	}
	view := l.view(width-1, height-1)
	view = view[:min(len(view), max(0, height-1))] // one line more would scroll the first out of reach
	for _, line := range view {
		b.WriteString(clip(line, width-1) + "\x1b[K\n")
	}
	b.WriteString("\x1b[J")
	l.drawn = len(view)
	_, _ = l.w.Write(b.Bytes()) // as in Close
}

// view returns the lines for the screen, at most height.
func (l *live) view(width, height int) []string {
	gone := time.Since(l.begun)
	switch {
	case l.doing == "" && l.at.Total == 0:
		return nil
	case l.doing != "":
		return []string{fmt.Sprintf("%s · %s gone", l.doing, forPeople(gone.Truncate(time.Second)))}
	}
	left := max(0, l.at.Left-time.Since(l.asked))
	round := fmt.Sprintf("round %d of %d", l.at.Round, l.at.Rounds)
	if l.at.Round == 0 {
		round = "rehearsal"
	}
	view := []string{
		fmt.Sprintf("%s · slice %d of %d · %s gone · about %s left", round, l.at.Done+1, l.at.Total,
			forPeople(gone.Truncate(time.Second)), forPeople(left.Truncate(time.Second))),
		bar(float64(l.at.Done)/float64(l.at.Total), min(width, 100)),
		fmt.Sprintf("now: %s, %s: %s", titleOf(l.kase), columnOf(l.kase).label, rowOf(l.kase)),
		"",
	}
	const hint = "Ctrl-C ends the run and prints what there is."
	page := int(gone / turn)
	view = append(view, l.tables.view(page, height-len(view)-1)...)
	return append(view, hint)
}

// bar draws a share of 1 in the width. If there is no room, it returns the number alone.
func bar(share float64, width int) string {
	text := fmt.Sprintf("%3.0f%%", 100*share)
	room := max(0, width-len(text)-1)
	full := min(max(0, int(share*float64(room))), room)
	return text + " " + strings.Repeat("█", full) + strings.Repeat("░", room-full)
}

// clip cuts a line to the width, by runes, since all shown ones are one column wide.
func clip(text string, width int) string {
	switch {
	case utf8.RuneCountInString(text) <= width:
		return text
	case width < 1:
		return ""
	}
	return string([]rune(text)[:width-1]) + "…"
}
