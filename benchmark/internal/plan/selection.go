package plan

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"example.com/greet/benchmark/internal/result"
	"example.com/greet/benchmark/internal/scenario"
	"example.com/greet/benchmark/internal/stack/catalog"
	"example.com/greet/internal/stack"
)

// Selection says what to measure. Its tags define the flags of commands.
type Selection struct {
	Stacks      []string `placeholder:"GLOB" help:"Stacks to measure; * also crosses slashes, variants are meant by patterns with a plus sign, such as *+json. Each library and protocol in its plain form, unless --target is given. benchmark stacks lists them."`
	Scenarios   []string `placeholder:"NAME" help:"Scenarios to measure, or all: ${scenarios}. Unless given, ${defaultScenarios}."`
	Cases       string   `placeholder:"REGEXP" help:"Of these, only the cases that match, as plan prints them with single spaces, such as 'unary .* concurrency 16 '."`
	Client      []string `placeholder:"CLIENT" enum:"own,floor" help:"Who calls: own, each stack's own client, or floor, the hand-framed one, which speaks gRPC and Connect over h2c in every mode, and makes unary calls of Connect over HTTP/1.1. Own, unless given; fixed-cost has both."`
	Target      []string `placeholder:"NAME=HOST:PORT" help:"Also call a server that runs already, under a stack's name such as mine/grpc/h2c. May be repeated."`
	Peers       bool     `help:"Also measure the servers of other languages and versions below peers/ that are built."`
	Comparisons []string `placeholder:"NAME" enum:"servers,clients,pairs" help:"With --peers: what to compare where the clients of peers can call: servers, each called by one client; clients, each calling one Go server; pairs, each client with its own server. All three, unless given. --client overrides it."`
	TargetCA    string   `name:"target-ca" placeholder:"FILE" help:"Certificate to trust for targets over TLS; any is trusted if it is not given."`
	Figures     []string `name:"target-figures" placeholder:"NAME=HOST:PORT" help:"Where a target tells what it uses, as benchmark serve --figures does. May be repeated."`
	Token       string   `env:"GREET_TOKEN" placeholder:"TEXT" help:"What --target-figures asks with. As a variable, no list of processes shows it."`
	Publish     bool     `help:"What a published run takes: all stacks and scenarios, a control, slices of 200 ms, and as many rounds, 10 to 40, as fit into 60 minutes by a rehearsal of one. Other flags override each of these."`
	Control     *bool    `negatable:"" help:"Measure one stack twice, as if it were two: how much they differ is the noise. Done unless forbidden where there are rounds enough to compare and four stacks or more."`
}

// controlStacks is the least number of stacks for a control by default: with fewer it would
// lengthen the run by more than a quarter.
const controlStacks = 4

// UsageError says that a selection makes no sense.
type UsageError struct{ err error }

// Error says what is wrong.
func (e UsageError) Error() string { return e.err.Error() }

// Unwrap returns the cause.
func (e UsageError) Unwrap() error { return e.err }

// Plan lists what a run of that many rounds measures.
func (s Selection) Plan(ctx context.Context, rounds int) (Plan, error) {
	names := s.Scenarios
	if s.Publish && len(names) == 0 {
		names = []string{"all"}
	}
	scenarios, err := scenario.Named(names)
	if err != nil {
		return Plan{}, UsageError{err}
	}
	keep, err := s.keep()
	if err != nil {
		return Plan{}, UsageError{err}
	}
	c, err := s.Choose(ctx)
	if err != nil {
		return Plan{}, err
	}
	b := &builder{selection: s, chosen: c, keep: keep}
	if s.controlled(rounds, len(c.Targets)) {
		b.chooseControl()
	}
	for _, one := range scenarios {
		b.add(one)
	}
	p := b.plan()
	if len(p.Entries) == 0 {
		return Plan{}, UsageError{fmt.Errorf("nothing is left to measure: %s", strings.Join(append(p.Skipped, s.noCase()...), "; "))}
	}
	for _, one := range scenarios {
		if one.Lacks != nil {
			p.Skipped = append(p.Skipped, one.Lacks()...)
		}
	}
	return p, nil
}

func (s Selection) controlled(rounds, targets int) bool {
	if s.Control != nil {
		return *s.Control
	}
	return s.Publish || rounds >= result.MinRounds && targets >= controlStacks
}

// noCase says that --cases may be why nothing is left.
func (s Selection) noCase() []string {
	if s.Cases == "" {
		return nil
	}
	return []string{fmt.Sprintf("no case matches --cases %q; benchmark plan lists them", s.Cases)}
}

// keep returns the filter of --cases.
func (s Selection) keep() (func(result.Case) bool, error) {
	pattern, err := regexp.Compile(s.Cases)
	if err != nil {
		return nil, fmt.Errorf("--cases: %w", err)
	}
	return func(c result.Case) bool { return s.Cases == "" || pattern.MatchString(Words(c)) }, nil
}

// Chosen are the stacks of a selection.
type Chosen struct {
	Targets []*Target
	Peers   []PeerStack // that are among the targets
	Skipped []string    // what was left out, and why
}

// Choose returns the stacks to call, with how to start those servers that do not run
// already.
func (s Selection) Choose(ctx context.Context) (c Chosen, err error) {
	var peers []PeerStack
	if s.Peers {
		if peers, err = FindPeers(); err != nil {
			return c, err
		}
	}
	stacks, err := s.stacks(Stacks(peers))
	if err != nil {
		return c, UsageError{err}
	}
	if c.Targets, err = Ours(stacks); err != nil {
		return c, err
	}
	if c.Peers, c.Skipped, err = ready(ctx, peers, stacks); err != nil {
		return c, err
	}
	for _, one := range c.Peers {
		c.Targets = append(c.Targets, one.target())
	}
	for _, spec := range s.Target {
		target, err := parseTarget(spec, s.TargetCA)
		if err != nil {
			return c, UsageError{err}
		}
		c.Targets = append(c.Targets, target)
	}
	if err := s.addFigures(c.Targets); err != nil {
		return c, UsageError{err}
	}
	if len(c.Targets) == 0 {
		return c, errors.New("nothing is left to measure: " + strings.Join(c.Skipped, "; "))
	}
	return c, c.uniqueNames()
}

func (s Selection) stacks(peers []stack.Stack) ([]stack.Stack, error) {
	switch {
	case len(s.Stacks) > 0:
		return catalog.Match(slices.Concat(catalog.Known(), peers), s.Stacks)
	case s.Publish:
		return slices.Concat(catalog.All(), peers), nil
	case len(s.Target) > 0:
		return plain(peers), nil
	}
	return slices.Concat(catalog.Default(), plain(peers)), nil
}

func (c Chosen) uniqueNames() error {
	seen := make(map[string]bool)
	for _, t := range c.Targets {
		name := t.Stack.Name.String()
		if seen[name] {
			return UsageError{fmt.Errorf("two stacks are named %s: give the target another library name", name)}
		}
		seen[name] = true
	}
	return nil
}
