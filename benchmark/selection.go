package main

import (
	"context"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"time"

	"example.com/greet/benchmark/internal/result"
	"example.com/greet/benchmark/internal/run"
	"example.com/greet/benchmark/internal/scenario"
	"example.com/greet/benchmark/internal/stack/catalog"
	"example.com/greet/internal/stack"
)

// selection is what to measure and how often; run and plan share it.
type selection struct {
	Stacks      []string       `placeholder:"GLOB" help:"Stacks to measure; * also crosses slashes, variants are meant by patterns with a plus sign, such as *+json. Each library and protocol in its plain form, unless --target is given. benchmark stacks lists them."`
	Scenarios   []string       `placeholder:"NAME" help:"Scenarios to measure, or all: ${scenarios}. Unless given, ${defaultScenarios}."`
	Cases       string         `placeholder:"REGEXP" help:"Of these, only the cases that match, as plan prints them with single spaces, such as 'unary .* concurrency 16 '."`
	Client      []string       `placeholder:"CLIENT" enum:"own,floor" help:"Who calls: own, each stack's own client, or floor, the hand-framed one, which makes unary calls of gRPC over h2c and of Connect over HTTP/1.1. Own, unless given; fixed-cost has both."`
	Target      []string       `placeholder:"NAME=HOST:PORT" help:"Also call a server that runs already, under a stack's name such as mine/grpc/h2c. May be repeated."`
	Peers       bool           `help:"Also measure the servers of other languages and versions below peers/ that are built."`
	Comparisons []string       `placeholder:"NAME" enum:"servers,clients,pairs" help:"With --peers: what to compare where the clients of peers can call: servers, each called by one client; clients, each calling one Go server; pairs, each client with its own server. All three, unless given. --client overrides it."`
	TargetCA    string         `name:"target-ca" placeholder:"FILE" help:"Certificate to trust for targets over TLS; any is trusted if it is not given."`
	Publish     bool           `help:"What a published run takes: all stacks and scenarios, a control, slices of 200 ms, and as many rounds, 10 to 40, as fit into 60 minutes by a rehearsal of one. Other flags override each of these."`
	Rounds      *int           `placeholder:"N" help:"Rounds: one slice of every case each. Intervals are claimed from 6 on. 5, unless given."`
	Slice       *time.Duration `placeholder:"DURATION" help:"How long a timed slice lasts; 100 to 250 ms keep what disturbs the machine from falling on one case alone. 250ms, unless given."`
	Deadline    *time.Duration `placeholder:"DURATION" help:"How long one call may take. 10s, or 5s in an open loop, unless given."`
	Control     *bool          `negatable:"" help:"Measure one stack twice, as if it were two: how much they differ is the noise. Done unless forbidden where there are rounds enough to compare and four stacks or more."`
}

const (
	defaultRounds = 5

	publishBudget = time.Hour
	publishRounds = 10 // at least
	publishMost   = 40 // or a small selection would fill the hour
	publishSlice  = 200 * time.Millisecond

	// controlStacks is how many stacks there must be for a control to come by
	// itself: with fewer it would lengthen the run by more than a quarter.
	controlStacks = 4
)

// newRun prepares a run of the selection, which goes on from the lines, if there
// are any.
func (s selection) newRun(ctx context.Context, done []result.Line) (run.Run, error) {
	if err := s.check(); err != nil {
		return run.Run{}, usageError{err}
	}
	names := s.Scenarios
	if s.Publish && len(names) == 0 {
		names = []string{"all"}
	}
	scenarios, err := scenario.Named(names)
	if err != nil {
		return run.Run{}, usageError{err}
	}
	var r run.Run
	if r.Keep, err = s.keep(); err != nil {
		return run.Run{}, usageError{err}
	}
	chosen, err := s.targets(ctx)
	if err != nil {
		return run.Run{}, err
	}
	var skipped []string
	r.Targets, r.Rehearse = chosen.targets, len(chosen.peers) > 0
	r.Scenarios, skipped = s.measuredBy(scenarios, chosen)
	r.Skipped = slices.Concat(chosen.skipped, skipped)
	if len(r.Plan(1)) == 0 {
		return run.Run{}, usageError{fmt.Errorf("nothing is left to measure: %s", strings.Join(append(r.Skipped, s.noCase()...), "; "))}
	}
	for _, one := range scenarios {
		if one.Lacks != nil {
			r.Skipped = append(r.Skipped, one.Lacks()...)
		}
	}
	if s.Rounds != nil {
		r.Rounds = *s.Rounds
	}
	if s.Slice != nil {
		r.Window = *s.Slice
	}
	if s.Deadline != nil {
		r.Deadline = *s.Deadline
	}
	if r, err = r.Resume(done); err != nil {
		return r, err
	}
	s.settle(&r)
	return r, nil
}

// noCase says that --cases may be why nothing is left.
func (s selection) noCase() []string {
	if s.Cases == "" {
		return nil
	}
	return []string{fmt.Sprintf("no case matches --cases %q; benchmark plan lists them", s.Cases)}
}

// keep returns what --cases asks for.
func (s selection) keep() (func(result.Case) bool, error) {
	if s.Cases == "" {
		return nil, nil
	}
	pattern, err := regexp.Compile(s.Cases)
	if err != nil {
		return nil, fmt.Errorf("--cases: %w", err)
	}
	return func(c result.Case) bool {
		return pattern.MatchString(inWords(c))
	}, nil
}

func (s selection) check() error {
	switch {
	case s.Rounds != nil && *s.Rounds < 1:
		return fmt.Errorf("--rounds %d: want at least 1", *s.Rounds)
	case s.Slice != nil && (*s.Slice < time.Millisecond || *s.Slice > time.Minute):
		return fmt.Errorf("--slice %v: want 1ms to 1m", *s.Slice)
	case s.Deadline != nil && *s.Deadline <= 0:
		return fmt.Errorf("--deadline %v: want more than 0", *s.Deadline)
	}
	return nil
}

// settle decides what neither the command line nor a run to go on from has.
func (s selection) settle(r *run.Run) {
	if r.Window == 0 && s.Publish {
		r.Window = publishSlice
	}
	switch {
	case r.Rounds > 0:
	case s.Publish:
		r.Rounds, r.MostRounds, r.Budget = publishRounds, publishMost, publishBudget
	default:
		r.Rounds = defaultRounds
	}
	if s.controlled(*r) {
		r.Targets = append(r.Targets, control(r.Targets)...)
	}
}

func (s selection) controlled(r run.Run) bool {
	if s.Control != nil {
		return *s.Control
	}
	return s.Publish || r.Rounds >= result.MinRounds && len(r.Targets) >= controlStacks
}

// control is a second server of one of the targets: the first that carries every
// mode, so that each scenario has a control. There is none where this program
// starts no server.
func control(targets []run.Target) []run.Target {
	ours := slices.DeleteFunc(slices.Clone(targets), func(t run.Target) bool { return t.Argv == nil })
	if len(ours) == 0 {
		return nil
	}
	i := max(0, slices.IndexFunc(ours, func(t run.Target) bool { return len(t.Stack.Refuses) == 0 }))
	ours[i].Replica = run.Control
	return ours[i : i+1]
}

// chosen is what a selection comes to.
type chosen struct {
	targets []run.Target
	peers   peers    // that are among the targets
	skipped []string // what had to be left out, and why
}

// targets returns the stacks to call, with how to start those servers that do not
// run already.
func (s selection) targets(ctx context.Context) (c chosen, err error) {
	peers, err := s.peers()
	if err != nil {
		return c, err
	}
	stacks, err := s.stacks(peers)
	if err != nil {
		return c, usageError{err}
	}
	if c.targets, err = ourTargets(stacks); err != nil {
		return c, err
	}
	if c.peers, c.skipped, err = peers.ready(ctx, stacks); err != nil {
		return c, err
	}
	c.targets = append(c.targets, c.peers.targets()...)
	for _, spec := range s.Target {
		target, err := parseTarget(spec, s.TargetCA)
		if err != nil {
			return c, usageError{err}
		}
		c.targets = append(c.targets, target)
	}
	if len(c.targets) == 0 {
		return c, fmt.Errorf("nothing is left to measure: %s", strings.Join(c.skipped, "; "))
	}
	c.targets = c.peers.let(c.targets)
	return c, uniqueNames(c.targets)
}

// ourTargets are those of the stacks whose servers are this program, started again
// or, where there is no transport, as it runs.
func ourTargets(stacks []stack.Stack) ([]run.Target, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("find this program: %w", err)
	}
	var targets []run.Target
	for _, st := range stacks {
		switch {
		case st.Serve != nil:
			targets = append(targets, run.Target{Stack: st, Argv: serveArgv(program, st.Name)})
		case !st.Name.Remote():
			targets = append(targets, run.Target{Stack: st})
		}
	}
	return targets, nil
}

// comparisons are those asked for.
func (s selection) comparisons() []string {
	if len(s.Comparisons) == 0 {
		return comparisons
	}
	return s.Comparisons
}

func (s selection) stacks(peers peers) ([]stack.Stack, error) {
	switch {
	case len(s.Stacks) > 0:
		return catalog.Match(slices.Concat(catalog.Known(), peers.stacks()), s.Stacks)
	case s.Publish:
		return slices.Concat(catalog.All(), peers.stacks()), nil
	case len(s.Target) > 0:
		return peers.plain(), nil
	}
	return slices.Concat(catalog.Default(), peers.plain()), nil
}

func uniqueNames(targets []run.Target) error {
	seen := make(map[string]bool)
	for _, t := range targets {
		name := t.Stack.Name.String()
		if seen[name] {
			return usageError{fmt.Errorf("two stacks are named %s: give the target another library name", name)}
		}
		seen[name] = true
	}
	return nil
}

// serveArgv starts the server of a stack of ours: this program again.
func serveArgv(program string, name stack.Name) []string {
	return []string{program, "serve", "--stack", name.String(), "--addr", "{addr}", "--cert", "{cert}", "--key", "{key}"}
}
