package scenario

import (
	"context"
	"errors"
	"io"
	"time"

	"example.com/greet/benchmark/internal/calls"
	"example.com/greet/benchmark/internal/load"
	"example.com/greet/benchmark/internal/result"
	"example.com/greet/benchmark/internal/view"
	"example.com/greet/internal/greet"
	"example.com/greet/internal/stack"
)

// bidiPingPong measures the round trip of a message on an open stream that carries nothing else.
var bidiPingPong = Scenario{
	Name:    bidiPingPongName,
	About:   "one GreetChat, 1,000 times one message of 1 KiB out and its answer back: round-trip time",
	Cases:   overNetwork(bidiPingPongCases),
	Measure: measureBidiPingPong,
	View:    bidiPingPongView,
}

const bidiPingPongName = "bidi-pingpong"

func bidiPingPongCases(stacks []stack.Stack) []result.Case {
	return streamCases(bidiPingPongName, greet.Bidi, 1, stacks, func(c *result.Case) {
		c.Calls, c.Messages, c.Payload = 1, 1000, 1<<10
	})
}

func measureBidiPingPong(ctx context.Context, s Setup, c result.Case) (result.Line, error) {
	work := workOf(c)
	work.Numbered, work.InTurn = true, true
	return measurement{
		work:   work,
		warmup: 1,
		record: calls.Record{Trip: load.NewTimes()},
		metrics: func(t load.Tally) []result.Metric {
			return []result.Metric{perSecond("round_trip_rate", "round trips/s", float64(t.Received), t.Window)}
		},
	}.of(ctx, s, c)
}

// pingPongCall returns a call that is one chat, in which each message waits for the
// answer to the one before. The answer must carry the message's number.
func pingPongCall(client stack.Client, s script, trips *load.Times) load.Call {
	return func(ctx context.Context, _ int) load.Outcome {
		chat, err := client.GreetChat(ctx)
		if err != nil {
			return failure(err)
		}
		defer chat.Close()
		batch := orUnused(trips).Batch()
		for i := range s.requests {
			sent := time.Now()
			if wrong := exchange(chat, s, i); wrong.Code != "" {
				return wrong
			}
			batch.Add(time.Since(sent))
		}
		if err := chat.CloseSend(); err != nil {
			return failure(err)
		}
		outcome := endOfChat(chat, s)
		if outcome.Code == "" {
			batch.Keep()
		}
		return outcome
	}
}

// exchange sends the i-th message and checks the answer.
func exchange(chat stack.GreetChat, s script, i int) load.Outcome {
	if err := chat.Send(s.requests[i]); err != nil && !errors.Is(err, io.EOF) {
		return failure(err)
	}
	res, err := chat.Receive()
	return check("GreetChat", res, err, s.want[i], i)
}

var bidiPingPongView = func() view.View {
	v := view.Streams("One message out, one back: the next is sent when the reply to the one before has come.")
	v.Question = &view.Question{Metric: "round_trip_rate", Claim: "makes %s times the round trips of"}
	v.Charts = []view.Chart{
		view.Chart{
			Name: "bidi-pingpong", Title: "Round trip on one stream, by percentile",
			Split: []view.Field{view.Payload}, Histogram: "round_trip", Label: "round trip",
		}.OverPercentiles(),
	}
	return v
}()
