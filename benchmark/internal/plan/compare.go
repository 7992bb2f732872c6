package plan

import (
	"fmt"
	"slices"

	"example.com/greet/benchmark/internal/calls"
	"example.com/greet/benchmark/internal/result"
	"example.com/greet/benchmark/internal/scenario"
	"example.com/greet/benchmark/internal/stack/floor"
	"example.com/greet/internal/greet"
)

// The comparisons across languages, as a case's Kind has them.
const (
	OfServers = "servers" // every server by one client
	OfClients = "clients" // every client by one server
	OfPairs   = "pairs"   // each client with its own server
)

var comparisons = []string{OfServers, OfClients, OfPairs}

// compare adds the scenario with the cases of each comparison that is asked for.
func (b *builder) compare(s scenario.Scenario) {
	kinds := b.selection.Comparisons
	if len(kinds) == 0 {
		kinds = comparisons
	}
	for _, kind := range kinds {
		switch kind {
		case OfServers:
			b.compareServers(s)
		case OfClients:
			b.compareClients(s)
		case OfPairs:
			b.comparePairs(s)
		}
	}
}

// compareServers picks the floor for what it can call, and one Go client of each protocol for the
// rest.
func (b *builder) compareServers(s scenario.Scenario) {
	floorCan := byFloor(s)
	b.group(s, b.marked(OfServers, floorCan))
	b.group(s, b.marked(OfServers, func(t *Target, c *result.Case) calls.Caller {
		client, err := Speaking(t.Stack.Name)
		if err != nil || floorCan(t, c) != nil {
			return nil
		}
		return scenario.By(client.Name.Library, client)
	}))
}

// compareClients lets every client call one Go server of its protocol. The server's own client and
// the floor are among them.
func (b *builder) compareClients(s scenario.Scenario) {
	ofReference := func(who pick) pick {
		return b.marked(OfClients, func(t *Target, c *result.Case) calls.Caller {
			if t.Stack.Name.String() != Reference(t.Stack.Name) {
				return nil
			}
			return who(t, c)
		})
	}
	b.group(s, ofReference(itself))
	b.group(s, ofReference(byFloor(s)))
	for _, own := range b.peerTargets() {
		b.group(s, ofReference(func(t *Target, c *result.Case) calls.Caller {
			if own.Bench.Refuses(t.Stack, greet.Mode(c.Mode)) != "" {
				return nil
			}
			return own.Bench
		}))
		if reference := Reference(own.Stack.Name); b.target(reference) == nil {
			b.skipped = append(b.skipped, fmt.Sprintf("client %s of %s among clients: %s is not measured",
				own.Bench.Name(), own.Stack.Name, reference))
		}
	}
}

// comparePairs lets every client call its own server, Go's too.
func (b *builder) comparePairs(s scenario.Scenario) {
	b.group(s, b.marked(OfPairs, itself))
	for _, own := range b.peerTargets() {
		b.group(s, b.marked(OfPairs, func(t *Target, _ *result.Case) calls.Caller {
			if t != own {
				return nil
			}
			return own.Bench
		}))
	}
}

// itself picks a Go stack's own client, under the name of the library.
func itself(t *Target, _ *result.Case) calls.Caller {
	if t.Client.Name() != scenario.OwnName {
		return nil
	}
	return scenario.By(t.Stack.Name.Library, t.Stack)
}

// marked keeps the cases whose protocol and transport peers have, and marks them with the
// comparison.
func (b *builder) marked(kind string, who pick) pick {
	return func(t *Target, c *result.Case) calls.Caller {
		if !slices.ContainsFunc(b.chosen.Peers, func(p PeerStack) bool { return wireOf(p.Name) == wireOf(t.Stack.Name) }) {
			return nil
		}
		caller := who(t, c)
		if caller == nil {
			return nil
		}
		c.Kind = kind
		if kind == OfClients {
			c.ClientLanguage = caller.Language()
		}
		return caller
	}
}

// named reports whether a plan must say who calls in a case: it is not the stack's own client, or
// not the only one.
func named(c result.Case) bool {
	return c.Client == floor.Library || c.ClientLanguage != "" || slices.Contains(comparisons, c.Kind)
}
