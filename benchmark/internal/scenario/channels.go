package scenario

import (
	"example.com/greet/benchmark/internal/result"
	"example.com/greet/benchmark/internal/view"
	"example.com/greet/internal/stack"
)

// channels measures the gain from more connections, where one can carry all calls.
var channels = Scenario{
	Name:    channelsName,
	About:   "Greet, 64 calls in flight over 1, 2, 4 and 8 connections (h2c, h2 and h3), timed",
	Peers:   true,
	Cases:   ofRPC(channelsCases),
	Measure: measureUnary,
	View:    channelsView,
}

const channelsName = "channels"

func channelsCases(stacks []stack.Stack) []result.Case {
	var cases []result.Case
	for _, s := range stacks {
		if s.Name.Transport == stack.H1 {
			continue // each connection carries one call at a time: there is no choice
		}
		for _, connections := range []int{1, 2, 4, 8} {
			c := unaryCase(channelsName, s, 64, small)
			c.Connections = connections
			cases = append(cases, c)
		}
	}
	return cases
}

var channelsView = view.View{
	About:   "Do more connections help where one can carry all calls?",
	Split:   []view.Field{view.Payload},
	Across:  []view.Field{view.Connections},
	SpeedUp: true,
	Charts: []view.Chart{{
		Name: "channels-rate", Title: "Throughput by number of connections", Split: []view.Field{view.Payload, view.Concurrency},
		Over: view.Connections, Axis: "connections", Metric: "rate", Label: "throughput",
	}},
}
