package scenario

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"example.com/greet/benchmark/internal/load"
	"example.com/greet/benchmark/internal/result"
	"example.com/greet/benchmark/internal/view"
	greetv1 "example.com/greet/gen/greet/v1"
	"example.com/greet/internal/greet"
	"example.com/greet/internal/stack"
)

// clientStream measures short streams, which show the cost of opening, half-closing and ending a
// stream.
var clientStream = Scenario{
	Name:    clientStreamName,
	About:   "GreetCount of 9, 10 or 11 messages of 16 B, 1 and 8 calls in flight, timed: time per call",
	Peers:   true,
	Cases:   overNetwork(clientStreamCases),
	Measure: measureClientStream,
	View:    clientStreamView,
}

const clientStreamName = "client-stream"

func clientStreamCases(stacks []stack.Stack) []result.Case {
	var cases []result.Case
	for _, concurrency := range []int{1, 8} {
		cases = append(cases, streamCases(clientStreamName, greet.ClientStream, concurrency, stacks, func(c *result.Case) {
			c.Messages, c.Payload = 10, small
		})...)
	}
	return cases
}

func measureClientStream(ctx context.Context, s Setup, c result.Case) (result.Line, error) {
	return measurement{work: workOf(c), warmup: warmupCalls(c), metrics: timePerCall}.of(ctx, s, c)
}

// timePerCall divides the time of the window by its calls, however many were in flight. The latency
// histogram says how long each took.
func timePerCall(t load.Tally) []result.Metric {
	microseconds := float64(t.Window) / float64(time.Microsecond)
	return []result.Metric{lower("time_per_call", "µs", microseconds/float64(t.Calls))}
}

// countCall returns a call that sends the messages and checks their count.
func countCall(client stack.Client, name string, messages int) load.Call {
	req := &greetv1.GreetCountRequest{Name: name}
	return func(ctx context.Context, _ int) load.Outcome {
		stream, err := client.GreetCount(ctx)
		if err != nil {
			return failure(err)
		}
		sent := 0
		for ; sent < messages; sent++ {
			if err := stream.Send(req); errors.Is(err, io.EOF) {
				break // the server has ended the call; receiving says why
			} else if err != nil {
				return failure(err)
			}
		}
		res, err := stream.CloseAndReceive()
		switch {
		case err != nil:
			return failure(err)
		case sent < messages:
			return wrongReply("GreetCount", fmt.Sprintf("a reply to %d messages", sent), fmt.Sprintf("one to %d", messages))
		case int(res.GetCount()) != messages:
			return wrongReply("GreetCount", fmt.Sprint(res.GetCount()), fmt.Sprint(messages))
		}
		return load.Outcome{Sent: int64(messages), Received: 1}
	}
}

var clientStreamView = func() view.View {
	v := view.Streams("A few messages per call, and one reply.")
	v.Question = &view.Question{Metric: "time_per_call", Claim: "takes %s times the time of"}
	v.Charts = []view.Chart{
		{
			Name: "client-stream-time", Title: "Time for a client stream",
			Split: []view.Field{view.Messages, view.Concurrency}, Metric: "time_per_call", Label: "time per call",
		},
	}
	return v
}()
