package rendezvous

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// admit makes the worker a guest, or returns why not.
func (h *Host) admit(hello Hello, w *wire) (*guest, string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	refusal, blame := h.objection(hello)
	if hello.Run == h.First.Run && hello.Index >= 0 && hello.Index < h.Count {
		h.told[hello.Index] = true
		defer h.settle()
	}
	if refusal != "" {
		if blame {
			h.blame(hello.Index, refusal)
		} else if hello.Run == h.First.Run {
			h.refused = append(h.refused, refusal)
		}
		return nil, refusal
	}
	g := &guest{Hello: hello, wire: w, at: -1, answered: -1}
	h.guests[hello.Index] = g
	h.there++
	if err := w.send(reply{Joined: true, Seed: h.Seed, PatienceNS: h.Patience}); err != nil {
		delete(h.guests, hello.Index)
		h.there--
		return nil, err.Error()
	}
	return g, ""
}

// objection says why the worker cannot take part, and whether the run then lacks a worker. A
// stranger, or a second worker of the same index, is sent away without a loss.
func (h *Host) objection(hello Hello) (text string, blame bool) {
	known, twice := h.guests[hello.Index]
	switch {
	case hello.Run != h.First.Run:
		return fmt.Sprintf("this is the meeting point of run %s, and %s is of run %s", h.First.Run, hello.name(), hello.Run), false
	case hello.Index < 0 || hello.Index >= h.Count:
		return fmt.Sprintf("%s is none of %d workers: want 0 to %d", hello.name(), h.Count, h.Count-1), false
	case twice:
		return fmt.Sprintf("%s is the second of this index: one on %s is there already", hello.name(), known.Host), false
	case h.failed != "":
		return h.failed, false
	case hello.Trouble != "":
		return hello.name() + " " + hello.Trouble, true
	case hello.differs(h.First) != "":
		return hello.differs(h.First), true
	case h.passed >= Joined:
		return fmt.Sprintf("%s came after the run had begun without it", hello.name()), false
	}
	return "", false
}

// lose records that a guest has gone before its end.
func (h *Host) lose(g *guest, err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.failed == "" && !h.closed {
		h.blame(g.Index, fmt.Sprintf("%s was lost %s: %v", g.name(), g.at.where(), err))
		return
	}
	h.lost[g.Index] = err.Error()
	h.advance()
}

// blame ends the run for the reason given, or continues without the worker.
func (h *Host) blame(index int, why string) {
	h.lost[index] = why
	if !h.GoOn || index == 0 {
		h.fail(why)
		return
	}
	h.advance()
}

// fail ends the run for all.
func (h *Host) fail(why string) {
	if h.failed != "" {
		return
	}
	h.failed = why
	h.await(0)
	for _, g := range h.guests {
		if !g.done {
			_ = g.wire.send(reply{Failed: why, Lost: h.missing()}) // a guest that has gone cannot be told
		}
	}
	h.settle()
}

// missing lists the workers that are lost.
func (h *Host) missing() []int { return slices.Sorted(maps.Keys(h.lost)) }

// giveUp is called when the time to come to a point is over.
func (h *Host) giveUp() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.due.IsZero() || time.Now().Before(h.due) {
		return // the timer was reset meanwhile
	}
	var late []int
	for index := range h.Count {
		_, lost := h.lost[index]
		g := h.guests[index]
		if !lost && (g == nil || !g.done && g.at <= h.passed) {
			late = append(late, index)
		}
	}
	if len(late) == 0 {
		return
	}
	why := h.tooLate(late)
	for _, index := range late {
		h.lost[index] = why
		if g := h.guests[index]; g != nil {
			_ = g.wire.conn.Close() // it must not come back
		}
	}
	if h.GoOn && !slices.Contains(late, 0) {
		h.advance()
		return
	}
	h.fail(why)
}

// tooLate says which workers did not come in time.
func (h *Host) tooLate(late []int) string {
	names := make([]string, len(late))
	for i, index := range late {
		names[i] = fmt.Sprint(index)
	}
	who := "worker " + names[0]
	if len(names) > 1 {
		who = "workers " + strings.Join(names, ", ")
	}
	if h.passed >= Joined {
		return fmt.Sprintf("%s did not come to the next slice within %v of the first", who, h.Patience)
	}
	why := fmt.Sprintf("%s did not come within %v", who, h.Wait)
	if len(h.refused) > 0 {
		why += "; sent away: " + strings.Join(h.refused, "; ")
	}
	return why
}
