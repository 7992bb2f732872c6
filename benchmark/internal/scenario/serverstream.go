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
	greetv1 "example.com/greet/gen/greet/v1"
	"example.com/greet/internal/greet"
	"example.com/greet/internal/stack"
)

// serverStream measures how fast a server streams to one client that only reads.
var serverStream = Scenario{
	Name:    serverStreamName,
	About:   "GreetStream, 10 calls in turn of 1,000 messages of 1 KiB: rate, time to the first message, gap between messages",
	Cases:   overNetwork(serverStreamCases),
	Measure: measureServerStream,
	View:    serverStreamView,
}

const serverStreamName = "server-stream"

func serverStreamCases(stacks []stack.Stack) []result.Case {
	return streamCases(serverStreamName, greet.ServerStream, 1, stacks, func(c *result.Case) {
		c.Calls, c.Messages, c.Payload = 10, 1000, 1<<10
	})
}

func measureServerStream(ctx context.Context, s Setup, c result.Case) (result.Line, error) {
	return measurement{
		work:    workOf(c),
		warmup:  2,
		record:  calls.Record{First: load.NewTimes(), Gap: load.NewTimes()},
		metrics: func(t load.Tally) []result.Metric { return []result.Metric{messageRate(t)} },
	}.of(ctx, s, c)
}

// streamCall returns a call that receives so many greetings, no more and no fewer,
// and times each.
func streamCall(client stack.Client, name string, messages int, r calls.Record) load.Call {
	req := &greetv1.GreetStreamRequest{Name: name, Count: int32(messages)}
	want := make([]string, messages)
	for i := range want {
		want[i] = greet.NumberedHello(int32(i)+1, name)
	}
	first, gap := orUnused(r.First), orUnused(r.Gap)
	return func(ctx context.Context, _ int) load.Outcome {
		firsts, gaps := first.Batch(), gap.Batch()
		last := time.Now()
		stream, err := client.GreetStream(ctx, req)
		if err != nil {
			return failure(err)
		}
		defer stream.Close()
		for i, greeting := range want {
			res, err := stream.Receive()
			if wrong := check("GreetStream", res, err, greeting, i); wrong.Code != "" {
				return wrong
			}
			now := time.Now()
			if i == 0 {
				firsts.Add(now.Sub(last))
			} else {
				gaps.Add(now.Sub(last))
			}
			last = now
		}
		if _, err := stream.Receive(); !errors.Is(err, io.EOF) {
			return noEnd("GreetStream", err, len(want))
		}
		firsts.Keep()
		gaps.Keep()
		return load.Outcome{Sent: 1, Received: int64(len(want))}
	}
}

var serverStreamView = func() view.View {
	v := view.Streams("Messages as the client receives them.")
	v.Question = &view.Question{Metric: "message_rate", Claim: "delivers %s times the messages of"}
	v.Charts = []view.Chart{
		{
			Name: "server-stream-rate", Title: "Messages received on server streams",
			Split: []view.Field{view.Payload, view.Concurrency}, Metric: "message_rate", Label: "messages",
		},
		view.Chart{
			Name: "server-stream-gap", Title: "Gap between the messages of a stream, by percentile",
			Split: []view.Field{view.Payload, view.Concurrency}, Histogram: "gap", Label: "gap",
		}.OverPercentiles(),
	}
	return v
}()

// orUnused returns t, or a new Times whose contents nobody reads if t is nil.
func orUnused(t *load.Times) *load.Times {
	if t == nil {
		return load.NewTimes()
	}
	return t
}
