package main

import (
	"slices"

	calling "example.com/greet/benchmark/internal/calls"
	"example.com/greet/benchmark/internal/scenario"
	"example.com/greet/benchmark/internal/stack/floor"
	"example.com/greet/internal/greet"
	"example.com/greet/internal/stack"
)

const (
	ownClient   = "own"
	floorClient = "floor"
)

// floorEngine calls any server of gRPC over HTTP/2, or of Connect over HTTP/1.1,
// without TLS.
var floorEngine = scenario.Engine{
	Name:    floorClient,
	Refuses: floorRefuses,
	Dial: func(s stack.Name, addr, name string, connections int) (scenario.EngineDriver, error) {
		w := calling.Work{Mode: greet.Unary, Payload: len(name), Messages: 1, Connections: connections}
		if s.Protocol == stack.Connect {
			return floor.NewConnectDriver(addr, w)
		}
		return floor.NewDriver(addr, stack.GRPC, w)
	},
}

func floorRefuses(n stack.Name) string {
	grpc := n.Protocol == stack.GRPC && n.Transport == stack.H2C
	connect := n.Protocol == stack.Connect && n.Transport == stack.H1
	switch {
	case !grpc && !connect:
		return "it speaks gRPC over h2c and Connect over h1 alone"
	case n.Has("json") || n.Has("gzip") || n.Has("get"):
		return "it has no codec but protobuf, no compression, and sends no GET"
	}
	return ""
}

// measuredBy gives each scenario the clients that were asked for, and says what
// they cannot call. Unless any were, that is the stack's own, and the engine too
// where a scenario is about both. Where peers' clients can call, it is the clients
// of the comparisons.
func (s selection) measuredBy(scenarios []scenario.Scenario, c chosen) (measured []scenario.Scenario, skipped []string) {
	across := c.peers.comparing(c.targets)
	var stacks []stack.Stack
	for _, t := range c.targets {
		stacks = append(stacks, t.Stack)
	}
	asked := slices.Contains(s.Client, floorClient)
	for _, one := range scenarios {
		if one.Peers && len(c.peers) > 0 && len(s.Client) == 0 {
			measured = append(measured, across.by(s.comparisons(), one)...)
			if slices.Contains(s.comparisons(), ofClients) {
				skipped = append(skipped, across.skips()...)
			}
			continue
		}
		if one.Name == scenario.CodecName {
			measured = append(measured, across.codecs()...)
		}
		if len(s.Client) == 0 || slices.Contains(s.Client, ownClient) {
			measured = append(measured, one)
		}
		if asked || len(s.Client) == 0 && one.BothClients {
			measured = append(measured, scenario.By(floorEngine, one))
		}
		if asked {
			skipped = append(skipped, floorEngine.Skips(one, stacks)...)
		}
	}
	slices.Sort(skipped)
	return measured, slices.Compact(skipped)
}
