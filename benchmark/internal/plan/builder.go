package plan

import (
	"fmt"
	"slices"

	"example.com/greet/benchmark/internal/calls"
	"example.com/greet/benchmark/internal/result"
	"example.com/greet/benchmark/internal/scenario"
	"example.com/greet/benchmark/internal/stack/floor"
	"example.com/greet/internal/greet"
	"example.com/greet/internal/stack"
)

// builder gathers the entries of a plan.
type builder struct {
	selection Selection
	chosen    Chosen
	keep      func(result.Case) bool

	control, controlled *Target // the second server of a stack, and the first; nil if there is no control
	entries             []Entry
	skipped             []string
}

// pick chooses the caller of a case for the target. It may mark the case with its comparison. nil
// leaves the case out.
type pick func(t *Target, c *result.Case) calls.Caller

// chooseControl adds a second server for one of the targets: the first that carries every mode, so
// that each scenario has a control. There is none if this program starts no server.
func (b *builder) chooseControl() {
	ours := slices.DeleteFunc(slices.Clone(b.chosen.Targets), func(t *Target) bool { return t.Argv == nil })
	if len(ours) == 0 {
		return
	}
	b.controlled = ours[max(0, slices.IndexFunc(ours, func(t *Target) bool { return len(t.Stack.Refuses) == 0 }))]
	again := *b.controlled
	again.Replica = Control
	b.control = &again
}

// add adds the scenario with the clients that were asked for. By default that is the stack's own
// client, and the floor's driver too if the scenario measures both. If peers' clients can call, it
// is the clients of the comparisons.
func (b *builder) add(s scenario.Scenario) {
	asked := b.selection.Client
	if s.Peers && len(b.chosen.Peers) > 0 && len(asked) == 0 {
		b.compare(s)
		return
	}
	if s.PeerCases != nil {
		b.addPeers(s)
	}
	if len(asked) == 0 || slices.Contains(asked, scenario.OwnName) {
		b.group(s, func(t *Target, _ *result.Case) calls.Caller { return t.Client })
	}
	if slices.Contains(asked, floor.Library) {
		b.skipRefused(s)
	}
	if slices.Contains(asked, floor.Library) || len(asked) == 0 && s.Floor {
		b.group(s, byFloor(s))
	}
}

// byFloor picks the floor's driver for what it can call.
func byFloor(s scenario.Scenario) pick {
	return func(t *Target, c *result.Case) calls.Caller {
		if s.OwnClient || (floor.Caller{}).Refuses(t.Stack, greet.Mode(c.Mode)) != "" {
			return nil
		}
		return floor.Caller{}
	}
}

// group adds those cases of the scenario that have a caller, then those of the control. What is
// measured in this process alone comes with the stacks' own clients.
func (b *builder) group(s scenario.Scenario, who pick) {
	var group []Entry
	for _, c := range s.Cases(b.stacks()) {
		e := Entry{Case: c, Scenario: s}
		if e.Calls() {
			e.Target = b.target(c.Stack)
			if e.Caller = who(e.Target, &e.Case); e.Caller == nil {
				continue
			}
			e.Case.Client = e.Caller.Name()
		} else if b.selection.onlyFloor() || b.has(e.Case) {
			continue
		}
		if b.keep(e.Case) {
			group = append(group, e)
		}
	}
	b.entries = append(b.entries, group...)
	for _, e := range group {
		if e.Target != nil && e.Target == b.controlled {
			e.Target, e.Case.Replica = b.control, Control
			b.entries = append(b.entries, e)
		}
	}
}

// has reports whether the case is in the plan already.
func (b *builder) has(c result.Case) bool {
	return slices.ContainsFunc(b.entries, func(e Entry) bool { return KeyOf(e.Case) == KeyOf(c) })
}

func (s Selection) onlyFloor() bool {
	return slices.Contains(s.Client, floor.Library) && !slices.Contains(s.Client, scenario.OwnName)
}

func (b *builder) stacks() []stack.Stack {
	var stacks []stack.Stack
	for _, t := range b.chosen.Targets {
		stacks = append(stacks, t.Stack)
	}
	return stacks
}

// target returns the target of that name, or nil.
func (b *builder) target(name string) *Target {
	for _, t := range b.chosen.Targets {
		if t.Stack.Name.String() == name {
			return t
		}
	}
	return nil
}

// addPeers adds what each peer's client measures by itself.
func (b *builder) addPeers(s scenario.Scenario) {
	seen := make(map[string]bool) // by the peers' folders
	for _, t := range b.peerTargets() {
		if seen[t.Dir] {
			continue
		}
		seen[t.Dir] = true
		for _, c := range s.PeerCases(result.Case{Stack: t.Bench.Name(), Language: t.Stack.Language, Libraries: t.Stack.Libraries}) {
			if b.keep(c) {
				b.entries = append(b.entries, Entry{Case: c, Scenario: s, Target: t, Caller: t.Bench})
			}
		}
	}
}

// peerTargets are the servers of peers that have a benchmark client.
func (b *builder) peerTargets() []*Target {
	return slices.DeleteFunc(slices.Clone(b.chosen.Targets), func(t *Target) bool { return t.Bench == nil })
}

// skipRefused reports what the floor's driver cannot call: a whole scenario, a stack, or some
// modes.
func (b *builder) skipRefused(s scenario.Scenario) {
	refused := make(map[string]int) // cases by reason
	all := s.Cases(b.stacks())
	why := func(c result.Case) string {
		switch {
		case c.Mode == "":
			return "it calls no server"
		case s.OwnClient:
			return "only a stack's own client makes its calls"
		}
		return floor.Caller{}.Refuses(b.target(c.Stack).Stack, greet.Mode(c.Mode))
	}
	for _, c := range all {
		refused[why(c)]++
	}
	for _, c := range all {
		reason := why(c)
		what := c.Stack
		switch {
		case reason == "":
			continue
		case refused[reason] == len(all):
			what = s.Name
		case floor.Caller{}.Refuses(b.target(c.Stack).Stack, greet.Unary) == "":
			what = s.Name + ", " + c.Mode
		}
		b.skipped = append(b.skipped, fmt.Sprintf("%s with the floor client: %s", what, reason))
	}
}

// plan is the list of all that was added.
func (b *builder) plan() Plan {
	slices.Sort(b.skipped)
	p := Plan{Entries: b.entries, Skipped: slices.Concat(b.chosen.Skipped, slices.Compact(b.skipped)), Rehearse: len(b.chosen.Peers) > 0}
	targets := b.chosen.Targets
	if b.control != nil {
		targets = append(slices.Clone(targets), b.control)
	}
	p.Targets = p.needed(targets)
	return p
}
