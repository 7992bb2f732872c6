package run

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math/rand/v2"

	"example.com/greet/benchmark/internal/result"
	"example.com/greet/benchmark/internal/scenario"
	"example.com/greet/internal/stack"
)

// slice is one case and how to measure it.
type slice struct {
	scenario scenario.Scenario
	kase     result.Case
}

// Plan lists the cases of a round: the first, or a later one.
func (r Run) Plan(round int) []result.Case {
	var cases []result.Case
	for _, s := range r.slices(round) {
		cases = append(cases, s.kase)
	}
	return cases
}

// slices lists what a round measures, in the order of the plan.
func (r Run) slices(round int) []slice {
	var all []slice
	for _, s := range r.Scenarios {
		if s.Once && round > 1 {
			continue
		}
		for _, c := range r.cases(s) {
			if r.Keep == nil || r.Keep(c) {
				all = append(all, slice{s, c})
			}
		}
	}
	return all
}

// cases are those of all stacks, then those of the replicas.
func (r Run) cases(s scenario.Scenario) []result.Case {
	var stacks []stack.Stack
	for _, t := range r.Targets {
		if t.Replica == "" {
			stacks = append(stacks, t.Stack)
		}
	}
	cases := s.Cases(stacks)
	for _, t := range r.Targets {
		if t.Replica == "" {
			continue
		}
		for _, c := range s.Cases([]stack.Stack{t.Stack}) {
			if c.Stack != t.Stack.Name.String() {
				continue // measured in process, where no server is
			}
			c.Replica = t.Replica
			cases = append(cases, c)
		}
	}
	return cases
}

// order is the order of a round's n slices: of the round's own, so that what
// disturbs the machine for a while falls on other cases each time.
func (r Run) order(round, n int) []int {
	return rand.New(rand.NewPCG(r.Seed, uint64(round))).Perm(n)
}

// plan is what stands on every line of the run.
func (r Run) plan() *result.Plan {
	first := r.Plan(1) // has the cases of all rounds
	sum := sha256.New()
	for _, c := range first {
		_, _ = fmt.Fprintln(sum, unrated(c), c.Replica, c.Language, c.Libraries) // a hash takes all
	}
	return &result.Plan{
		Rounds:     r.Rounds,
		Lines:      len(first) + (r.Rounds-1)*len(r.Plan(2)),
		SliceNS:    r.window().Nanoseconds(),
		DeadlineNS: r.Deadline.Nanoseconds(),
		Cases:      hex.EncodeToString(sum.Sum(nil)[:6]),
		Skipped:    r.Skipped,
	}
}

// unrated tells cases of a plan apart, but for their replica: a control is given
// the rate of arrivals of the stack that it is a control of.
func unrated(c result.Case) string {
	c.Rate, c.Replica = 0, ""
	return fmt.Sprintf("%s|l%g", c.Key(), c.Load)
}

// slot is one slice of the whole run.
type slot struct {
	round         int
	kase, replica string
}

func slotOf(round int, c result.Case) slot { return slot{round, unrated(c), c.Replica} }
