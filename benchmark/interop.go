package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"example.com/greet/benchmark/internal/result"
	"example.com/greet/benchmark/internal/run"
	"example.com/greet/benchmark/internal/scenario"
	"example.com/greet/internal/greet"
	"example.com/greet/internal/stack"
)

type interopCommand struct {
	Stacks []string `default:"*" placeholder:"GLOB" help:"Stacks that take part with both their ends, in the patterns of benchmark run. All of Go and of the peers that are built, in their plain form, unless given."`
	Out    string   `default:"results" placeholder:"DIR" help:"Directory for the file of result lines."`
	Resume resumed  `help:"Go on with an interrupted run, given the same command: with the newest in --out, or with --resume=FILE."`
}

// Help is what `benchmark interop --help` says beside the flags.
func (interopCommand) Help() string {
	return `Each client calls each server of its protocol and transport, in every mode that both carry, whatever their languages.

Exit status: 0 if all understand each other, 1 if two do not or the run failed, 2 for a mistake in the command, 130 if interrupted.`
}

// Run makes the calls and prints who understands whom.
func (c interopCommand) Run(ctx context.Context, out output) error {
	return runCommand{Out: c.Out, Resume: c.Resume, Format: "markdown"}.carryOut(ctx, out, c.newRun)
}

// newRun prepares a run of one round, which goes on from the lines, if there are any.
func (c interopCommand) newRun(ctx context.Context, done []result.Line) (run.Run, error) {
	chosen, err := selection{Peers: true, Stacks: c.Stacks}.targets(ctx)
	if err != nil {
		return run.Run{}, err
	}
	chosen.targets = slices.DeleteFunc(chosen.targets, func(t run.Target) bool { return !t.Stack.Name.RPC() })
	if len(chosen.targets) == 0 {
		return run.Run{}, usageError{fmt.Errorf("no RPC library is among the stacks %s", strings.Join(c.Stacks, ", "))}
	}
	callers := callersAmong(chosen)
	r := run.Run{Targets: calledBy(callers, chosen.targets), Rounds: 1, Skipped: slices.Concat(chosen.skipped, chosen.peers.silent())}
	for _, one := range callers {
		r.Scenarios = append(r.Scenarios, one.calls())
	}
	return r.Resume(done)
}

// caller is a client that takes part.
type caller struct {
	name  string
	stack stack.Stack     // whose client it is
	peer  *run.PeerClient // nil if it is one of ours
}

// callersAmong are the clients of the chosen stacks.
func callersAmong(c chosen) (callers []caller) {
	for _, t := range c.targets {
		if t.Stack.Serve != nil {
			callers = append(callers, caller{name: clientName(t.Stack.Name), stack: t.Stack})
		}
	}
	for _, one := range c.peers.clients() {
		one.Codec = false
		callers = append(callers, caller{one.Name, one.stack, &one.PeerClient})
	}
	return callers
}

// clientName tells the clients of a protocol and transport apart.
func clientName(n stack.Name) string {
	return strings.Join(append([]string{n.Library}, n.Variants...), "+")
}

// calledBy lets the clients of peers call the targets that speak as they do.
func calledBy(callers []caller, targets []run.Target) []run.Target {
	targets = slices.Clone(targets)
	for i := range targets {
		targets[i].Clients = nil
		for _, one := range callers {
			if one.peer != nil && wireOf(one.stack.Name) == wireOf(targets[i].Stack.Name) {
				targets[i].Clients = append(targets[i].Clients, *one.peer)
			}
		}
	}
	return targets
}

// calls has the client call every server that speaks as it does, in the modes that
// both carry.
func (c caller) calls() scenario.Scenario {
	by := scenario.ByPeer(c.name, scenario.Interop)
	if c.peer == nil {
		by = scenario.Through(c.itself, scenario.Interop)
	}
	return scenario.Only(by, func(k *result.Case) bool {
		k.ClientLanguage = c.stack.Language
		server, err := stack.ParseName(k.Stack)
		return err == nil && wireOf(server) == wireOf(c.stack.Name) && c.stack.Carries(greet.Mode(k.Mode))
	})
}

// itself is the client's stack under the client's name, whatever is to be called.
func (c caller) itself(stack.Name) (stack.Stack, error) {
	itself := c.stack
	itself.Name.Library = c.name
	return itself, nil
}

// silent says which clients there are not, and why as far as that is known.
func (p peers) silent() (skipped []string) {
	for _, one := range p {
		text := fmt.Sprintf("client of peer %s: it has none", one.peer.Name)
		if why := one.offer.NoClient; why != "" {
			text = fmt.Sprintf("client of %s: %s", one.Name, why)
		}
		if one.peer.BenchArgv(one.offer) == nil && !slices.Contains(skipped, text) {
			skipped = append(skipped, text)
		}
	}
	return skipped
}
