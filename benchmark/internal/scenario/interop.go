package scenario

import (
	"context"

	"example.com/greet/benchmark/internal/load"
	"example.com/greet/benchmark/internal/result"
	"example.com/greet/benchmark/internal/view"
	"example.com/greet/internal/greet"
	"example.com/greet/internal/stack"
)

// interop finds out whether a client and a server understand each other, by a few calls of each
// mode that both carry. It is the one scenario reported as a compatibility grid: its only result is
// whether a call failed.
var interop = Scenario{
	Name:    interopName,
	About:   "20 small calls of each mode, 2 in flight, streams of 10 messages: does each reply come as it should?",
	Grid:    true,
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

func measureInterop(ctx context.Context, s Setup, c result.Case) (result.Line, error) {
	work := workOf(c)
	work.Numbered = true
	work.Drawn = false // it ranks nobody, and its errors should read the same
	line, err := measurement{
		work:    work,
		metrics: func(load.Tally) []result.Metric { return nil },
	}.of(ctx, s, c)
	line.Histograms = nil // so few calls have no distribution
	return line, err
}

var interopView = view.View{
	About: "Who understands whom? Each client calls each server with its own library, and checks each reply. In a cell, a letter says\n" +
		"that a mode works: U unary, S server stream, C client stream, B bidi. ✗: it does not. –: one of the two does not carry it.",
	Compatibility: true,
}
