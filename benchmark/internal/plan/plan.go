package plan

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"

	"example.com/greet/benchmark/internal/calls"
	"example.com/greet/benchmark/internal/result"
	"example.com/greet/benchmark/internal/scenario"
)

// Entry is one thing that each round measures once.
type Entry struct {
	Case     result.Case
	Scenario scenario.Scenario
	Target   *Target      // the server; nil for what is measured in this process alone
	Caller   calls.Caller // makes the calls; nil for what is measured in this process alone
}

// Calls reports whether the entry's case calls a server.
func (e Entry) Calls() bool { return e.Case.Mode != "" }

// Plan is what a run measures.
type Plan struct {
	Targets []*Target // the servers of the entries, the control last
	Entries []Entry   // of the first round, which has them all
	// Skipped lists what was asked for and cannot be measured here, and why: a sentence each.
	Skipped []string
	// Rehearse says that servers are slow at first, as with code that is compiled while it runs.
	Rehearse bool
}

// Round lists what a round measures, counted from 1. Rounds after the first leave out what is
// measured once.
func (p Plan) Round(round int) []Entry {
	if round <= 1 {
		return p.Entries
	}
	return slices.DeleteFunc(slices.Clone(p.Entries), func(e Entry) bool { return e.Scenario.Once })
}

// Cases lists the cases of all entries.
func (p Plan) Cases() []result.Case {
	cases := make([]result.Case, len(p.Entries))
	for i, e := range p.Entries {
		cases[i] = e.Case
	}
	return cases
}

// Lines returns how many slices that many rounds have.
func (p Plan) Lines(rounds int) int { return len(p.Entries) + (rounds-1)*len(p.Round(2)) }

// Hash is equal for equal cases of the same libraries.
func (p Plan) Hash() string {
	sum := sha256.New()
	for _, e := range p.Entries {
		_, _ = fmt.Fprintln(sum, Unrated(e.Case), e.Case.Replica, e.Case.Language, e.Case.Libraries) // a hash takes all
	}
	return hex.EncodeToString(sum.Sum(nil)[:6])
}

// Key tells the entries of a plan apart.
type Key struct{ kase, replica string }

// KeyOf is the key of the entry that the case is of, with or without a rate.
func KeyOf(c result.Case) Key { return Key{Unrated(c), c.Replica} }

// ByKey are the entries by their keys.
func (p Plan) ByKey() map[Key]Entry {
	entries := make(map[Key]Entry, len(p.Entries))
	for _, e := range p.Entries {
		entries[KeyOf(e.Case)] = e
	}
	return entries
}

// Unrated identifies a case of a plan without its rate and replica: a control gets the rate of the
// stack that it controls.
func Unrated(c result.Case) string {
	c.Rate, c.Replica = 0, ""
	return fmt.Sprintf("%s|l%g", c.Key(), c.Load)
}

// needed keeps the targets of the entries, in their order.
func (p Plan) needed(all []*Target) (needed []*Target) {
	used := make(map[*Target]bool)
	for _, e := range p.Entries {
		used[e.Target] = true
	}
	return slices.DeleteFunc(slices.Clone(all), func(t *Target) bool { return !used[t] })
}

// Control is the second server of a stack, or nil if there is none.
func (p Plan) Control() *Target {
	if n := len(p.Targets); n > 0 && p.Targets[n-1].Replica == Control {
		return p.Targets[n-1]
	}
	return nil
}
