package main

import (
	"fmt"
	"slices"

	"example.com/greet/benchmark/internal/result"
	"example.com/greet/benchmark/internal/run"
	"example.com/greet/benchmark/internal/scenario"
	"example.com/greet/internal/greet"
	"example.com/greet/internal/stack"
)

// The comparisons across languages, as a case's Kind has them.
const (
	ofServers = "servers" // every server by one client
	ofClients = "clients" // every client by one server
	ofPairs   = "pairs"   // each client with its own server
)

var comparisons = []string{ofServers, ofClients, ofPairs}

// wire is what two ends must have in common.
type wire struct{ protocol, transport string }

func wireOf(n stack.Name) wire { return wire{n.Protocol, n.Transport} }

// peerClient is the benchmark client of one of a peer's stacks.
type peerClient struct {
	run.PeerClient
	stack stack.Stack // of its peer
}

// clients are those that the peers have, each named after its library and variants.
func (p peers) clients() []peerClient {
	var all []peerClient
	seen := make(map[string]bool)
	for _, one := range p {
		argv := one.peer.BenchArgv(one.offer)
		if argv == nil {
			continue
		}
		all = append(all, peerClient{
			PeerClient: run.PeerClient{Name: clientName(one.Name), Codec: !seen[one.peer.Name], Argv: argv, Dir: one.peer.Dir},
			stack:      one.Stack,
		})
		seen[one.peer.Name] = true
	}
	return all
}

// referenceServer is the Go server that clients of the wire are compared by: that of
// the library whose client servers are compared by.
func referenceServer(w wire) string {
	n := stack.Name{Protocol: w.protocol, Transport: w.transport}
	reference, err := clientFor(n)
	if err != nil {
		return ""
	}
	n.Library = reference.Client
	return n.String()
}

// let lets the clients of peers call their own servers and those that they are
// compared by.
func (p peers) let(targets []run.Target) []run.Target {
	targets = slices.Clone(targets)
	for _, client := range p.clients() {
		for i := range targets {
			switch targets[i].Stack.Name.String() {
			case client.stack.Name.String():
				targets[i].Clients = append(targets[i].Clients, client.PeerClient)
			case referenceServer(wireOf(client.stack.Name)):
				guest := client.PeerClient
				guest.Codec = false
				targets[i].Clients = append(targets[i].Clients, guest)
			}
		}
	}
	return targets
}

// comparing is a run in which peers take part.
type comparing struct {
	clients []peerClient
	wires   map[wire]bool // that peers speak
	stacks  map[string]stack.Stack
}

func (p peers) comparing(targets []run.Target) comparing {
	c := comparing{clients: p.clients(), wires: make(map[wire]bool), stacks: make(map[string]stack.Stack)}
	for _, one := range p {
		c.wires[wireOf(one.Name)] = true
	}
	for _, t := range targets {
		c.stacks[t.Stack.Name.String()] = t.Stack
	}
	return c
}

// by is the scenario with the cases of each comparison.
func (c comparing) by(kinds []string, s scenario.Scenario) (all []scenario.Scenario) {
	for _, kind := range kinds {
		switch kind {
		case ofServers:
			all = append(all, c.servers(s)...)
		case ofClients:
			all = append(all, c.callers(s)...)
		case ofPairs:
			all = append(all, c.pairs(s)...)
		}
	}
	return all
}

// servers has the floor call what it can, and one Go client of a protocol the rest.
func (c comparing) servers(s scenario.Scenario) []scenario.Scenario {
	byFloor := func(k result.Case) bool {
		return s.Engines && k.Mode == string(greet.Unary) && floorEngine.Refuses(c.stacks[k.Stack].Name) == ""
	}
	return []scenario.Scenario{
		scenario.Only(scenario.By(floorEngine, s), c.marked(ofServers, func(k result.Case) bool { return c.wires[c.wire(k)] })),
		scenario.Only(scenario.Through(clientFor, s), c.marked(ofServers, func(k result.Case) bool { return c.wires[c.wire(k)] && !byFloor(k) })),
	}
}

// callers has every client call one Go server of its protocol, whose own client is
// one of them, and so is the floor.
func (c comparing) callers(s scenario.Scenario) []scenario.Scenario {
	ofGo := c.marked(ofClients, func(k result.Case) bool { return c.wires[c.wire(k)] && k.Stack == referenceServer(c.wire(k)) })
	all := []scenario.Scenario{scenario.Only(s, ofGo), scenario.Only(scenario.By(floorEngine, s), ofGo)}
	for _, client := range c.clients {
		reference := referenceServer(wireOf(client.stack.Name))
		all = append(all, scenario.Only(scenario.ByPeer(client.Name, s), c.marked(ofClients, func(k result.Case) bool {
			return k.Stack == reference && client.stack.Carries(greet.Mode(k.Mode))
		})))
	}
	return all
}

// pairs has every client call its own server, those in Go too.
func (c comparing) pairs(s scenario.Scenario) []scenario.Scenario {
	all := []scenario.Scenario{scenario.Only(s, c.marked(ofPairs, func(k result.Case) bool {
		return c.wires[c.wire(k)] && k.Client == ownClient
	}))}
	for _, client := range c.clients {
		all = append(all, scenario.Only(scenario.ByPeer(client.Name, s), c.marked(ofPairs, func(k result.Case) bool {
			return k.Stack == client.stack.Name.String()
		})))
	}
	return all
}

// codecs asks each peer's client about its codec.
func (c comparing) codecs() (all []scenario.Scenario) {
	for _, client := range c.clients {
		if client.Codec {
			all = append(all, scenario.PeerCodec(client.Name, client.stack.Language, client.stack.Libraries))
		}
	}
	return all
}

func (c comparing) wire(k result.Case) wire { return wireOf(c.stacks[k.Stack].Name) }

// marked keeps the cases that are wanted, with the comparison they are for and the
// library that calls.
func (c comparing) marked(kind string, wanted func(result.Case) bool) func(*result.Case) bool {
	return func(k *result.Case) bool {
		if !wanted(*k) {
			return false
		}
		k.Kind = kind
		if k.Client == ownClient {
			k.Client = c.stacks[k.Stack].Name.Library
		}
		if kind == ofClients {
			k.ClientLanguage = c.language(k.Client)
		}
		return true
	}
}

// language is that of the client, which is Go's unless a peer has it.
func (c comparing) language(client string) string {
	i := slices.IndexFunc(c.clients, func(one peerClient) bool { return one.Name == client })
	if i < 0 {
		return "go"
	}
	return c.clients[i].stack.Language
}

// skips says which clients have no Go server to be compared by.
func (c comparing) skips() []string {
	var skipped []string
	for _, client := range c.clients {
		if reference := referenceServer(wireOf(client.stack.Name)); c.stacks[reference].Serve == nil {
			skipped = append(skipped, fmt.Sprintf("client %s of %s among clients: %s is not measured", client.Name, client.stack.Name, reference))
		}
	}
	return skipped
}
