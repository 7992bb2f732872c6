package calls

import (
	"time"

	"example.com/greet/benchmark/internal/load"
)

// Notes keeps a Note for each call in flight on a connection. One goroutine at a time
// uses it.
type Notes struct {
	record Record
	unused []*Note // for calls to come
}

// NewNotes returns Notes of what the record wants noted.
func NewNotes(r Record) Notes { return Notes{record: r} }

// Note notes when the messages of one call were sent and came. A nil one notes nothing.
type Note struct {
	first, gap, trip *load.Batch   // those that are nil are not noted
	last             time.Duration // when the call began, or its last message was sent or came
}

// Begin returns the note of a call that begins now, on the pace's clock.
func (n *Notes) Begin(now time.Duration) *Note {
	r := n.record
	if r.First == nil && r.Gap == nil && r.Trip == nil {
		return nil
	}
	var note *Note
	if last := len(n.unused) - 1; last >= 0 {
		note, n.unused = n.unused[last], n.unused[:last]
	} else {
		note = &Note{first: batchOf(r.First), gap: batchOf(r.Gap), trip: batchOf(r.Trip)}
	}
	note.last = now
	return note
}

func batchOf(t *load.Times) *load.Batch {
	if t == nil {
		return nil
	}
	return t.Batch()
}

// End keeps what was noted of a call that went well, and drops it otherwise.
func (n *Notes) End(note *Note, well bool) {
	if note == nil {
		return
	}
	for _, b := range []*load.Batch{note.first, note.gap, note.trip} {
		switch {
		case b == nil:
		case well:
			b.Keep()
		default:
			b.Drop()
		}
	}
	n.unused = append(n.unused, note)
}

// Sending notes that a message is about to be sent.
func (n *Note) Sending(pace *load.Pace) {
	if n != nil && n.trip != nil {
		n.last = pace.Now()
	}
}

// Received notes that the i-th message has come, counted from 1.
func (n *Note) Received(pace *load.Pace, i int) {
	if n == nil {
		return
	}
	now := pace.Now()
	for _, b := range []*load.Batch{n.partOf(i), n.trip} {
		if b != nil {
			b.Add(now - n.last)
		}
	}
	n.last = now
}

// partOf is what notes the time before the i-th message.
func (n *Note) partOf(i int) *load.Batch {
	if i == 1 {
		return n.first
	}
	return n.gap
}
