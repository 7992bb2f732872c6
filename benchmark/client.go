package main

import (
	"slices"

	"example.com/greet/internal/run"
	"example.com/greet/internal/scenario"
	"example.com/greet/internal/stack"
	"example.com/greet/internal/stack/floor"
)

const (
	ownClient   = "own"
	floorClient = "floor"
)

// floorEngine calls any server of gRPC over HTTP/2 without TLS.
var floorEngine = scenario.Engine{
	Name:    floorClient,
	Refuses: floorRefuses,
	Dial: func(addr, name string, connections int) (scenario.EngineDriver, error) {
		return floor.NewDriver(addr, floor.Unary{Name: name}, connections)
	},
}

func floorRefuses(n stack.Name) string {
	switch {
	case n.Protocol != stack.GRPC || n.Transport != stack.H2C:
		return "it speaks gRPC over h2c alone"
	case n.Has("json") || n.Has("gzip"):
		return "it has no codec but protobuf, and no compression"
	}
	return ""
}

// measuredBy gives each scenario the clients that were asked for, and says what
// they cannot call. Unless any were, that is the stack's own, and the engine too
// where a scenario is about both.
func (s selection) measuredBy(scenarios []scenario.Scenario, targets []run.Target) (measured []scenario.Scenario, skipped []string) {
	var stacks []stack.Stack
	for _, t := range targets {
		stacks = append(stacks, t.Stack)
	}
	asked := slices.Contains(s.Client, floorClient)
	for _, one := range scenarios {
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
