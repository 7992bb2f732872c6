package scenario

import (
	"context"

	"example.com/greet/benchmark/internal/calls"
	"example.com/greet/benchmark/internal/load"
	"example.com/greet/benchmark/internal/result"
	"example.com/greet/benchmark/internal/view"
	"example.com/greet/internal/greet"
	"example.com/greet/internal/stack"
)

// bidiFlood measures how much a stream carries when both sides send as fast as flow control lets
// them. Only messages that came back count.
var bidiFlood = Scenario{
	Name:    bidiFloodName,
	About:   "one GreetChat of 10,000 messages of 1 KiB, sent and received at once: messages received, messages in flight",
	Cases:   overNetwork(bidiFloodCases),
	Measure: measureBidiFlood,
	View:    bidiFloodView,
}

const bidiFloodName = "bidi-flood"

func bidiFloodCases(stacks []stack.Stack) []result.Case {
	return streamCases(bidiFloodName, greet.Bidi, 1, stacks, func(c *result.Case) {
		c.Calls, c.Messages, c.Payload = 1, 10_000, 1<<10
	})
}

func measureBidiFlood(ctx context.Context, s Setup, c result.Case) (result.Line, error) {
	work, inFlight := workOf(c), new(calls.InFlight)
	work.Numbered = true
	return measurement{
		work:   work,
		warmup: 1,
		record: calls.Record{InFlight: inFlight},
		metrics: func(t load.Tally) []result.Metric {
			return []result.Metric{
				messageRate(t),
				lower("in_flight_mean", "msg", inFlight.Mean()),
				lower("in_flight_max", "msg", float64(inFlight.Most())),
			}
		},
	}.of(ctx, s, c)
}

var bidiFloodView = func() view.View {
	v := view.Streams("Both ends send as fast as they can. The messages that come back count.")
	v.Question = &view.Question{Metric: "message_rate", Claim: "returns %s times the messages of"}
	v.Charts = []view.Chart{
		{
			Name: "bidi-flood", Title: "Messages received on one stream that both ends flood",
			Split: []view.Field{view.Payload}, Metric: "message_rate", Label: "messages",
		},
	}
	return v
}()
