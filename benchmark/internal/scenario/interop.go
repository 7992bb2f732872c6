package scenario

import (
	"context"
	"strings"

	"example.com/greet/benchmark/internal/load"
	"example.com/greet/benchmark/internal/result"
	"example.com/greet/benchmark/internal/view"
	"example.com/greet/internal/greet"
	"example.com/greet/internal/stack"
)

// Interop finds out whether a client and a server understand each other: a few calls
// of each mode that both carry. It is not in All, for it has no figure: that no call
// failed is what it yields. Whoever runs it gives it clients other than the stacks'
// own, by Through and ByPeer.
var Interop = Scenario{
	Name:    interopName,
	About:   "20 small calls of each mode, 2 in flight, streams of 10 messages: does each reply come as it should?",
	Peers:   true,
	Cases:   ofRPC(interopCases),
	Measure: measureInterop,
	View:    interopView,
}

const interopName = "interop"

func interopCases(stacks []stack.Stack) []result.Case {
	var cases []result.Case
	for _, m := range greet.Modes {
		cases = append(cases, streamCases(interopName, m, 2, stacks, func(c *result.Case) {
			c.Calls, c.Messages, c.Payload = 20, 10, small
			if m == greet.Unary {
				c.Messages = 1
			}
		})...)
	}
	return cases
}

func measureInterop(ctx context.Context, t Target, c result.Case) (result.Line, error) {
	line, err := slice{
		prepare: func(clients []stack.Client) driven {
			return driven{
				call:    callOf(greet.Mode(c.Mode), first(clients), c),
				metrics: func(load.Tally) []result.Metric { return nil },
			}
		},
	}.measure(ctx, t, c)
	line.Histograms = nil // of so few calls they say nothing
	return line, err
}

// callOf returns a call of the mode. It is nil if there is no client to make it.
func callOf(m greet.Mode, client stack.Client, c result.Case) load.Call {
	name := strings.Repeat("x", c.Payload)
	switch {
	case client == nil:
		return nil
	case m == greet.ServerStream:
		return streamCall(client, name, numberedHellos(name, c.Messages), load.NewTimes(), load.NewTimes())
	case m == greet.ClientStream:
		return countCall(client, name, c.Messages)
	case m == greet.Bidi:
		script := numbered(c.Payload, c.Messages)
		return func(ctx context.Context, worker int) load.Outcome {
			return chatCall(client, script, new(flight))(ctx, worker)
		}
	}
	return unaryCall(client, name)
}

var interopView = view.View{
	About: "Who understands whom? Each client calls each server with its own library, and checks each reply. In a cell, a letter says\n" +
		"that a mode works: U unary, S server stream, C client stream, B bidi. ✗: it does not. –: one of the two does not carry it.",
	Compatibility: true,
}
