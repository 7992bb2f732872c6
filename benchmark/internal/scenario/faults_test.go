package scenario

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"example.com/greet/benchmark/internal/result"
	greetv1 "example.com/greet/gen/greet/v1"
	"example.com/greet/internal/greet"
	"example.com/greet/internal/stack"
)

// faulty is a service of which the test says what it does wrong. The fields left
// nil are right.
type faulty struct {
	greetv1.UnimplementedGreetServiceServer
	before func(context.Context) error // of every call
	hello  func(i int, greeting string) string
	count  func(int32) int32 // of messages that a stream sends, or says it received
	end    error             // of streams, in place of a good status
}

func (f faulty) begin(ctx context.Context) error {
	if f.before == nil {
		return nil
	}
	return f.before(ctx)
}

func (f faulty) say(i int, greeting string) string {
	if f.hello == nil {
		return greeting
	}
	return f.hello(i, greeting)
}

func (f faulty) howMany(n int32) int32 {
	if f.count == nil {
		return n
	}
	return f.count(n)
}

func (f faulty) Greet(ctx context.Context, req *greetv1.GreetRequest) (*greetv1.GreetResponse, error) {
	return &greetv1.GreetResponse{Greeting: f.say(0, greet.Hello(req.GetName()))}, f.begin(ctx)
}

func (f faulty) GreetStream(req *greetv1.GreetStreamRequest, stream grpc.ServerStreamingServer[greetv1.GreetStreamResponse]) error {
	if err := f.begin(stream.Context()); err != nil {
		return err
	}
	for i := range f.howMany(req.GetCount()) {
		if err := stream.Send(&greetv1.GreetStreamResponse{Greeting: f.say(int(i), greet.NumberedHello(i+1, req.GetName()))}); err != nil {
			return err
		}
	}
	return f.end
}

func (f faulty) GreetCount(stream grpc.ClientStreamingServer[greetv1.GreetCountRequest, greetv1.GreetCountResponse]) error {
	if err := f.begin(stream.Context()); err != nil {
		return err
	}
	res, err := greet.Count(stream.Recv)
	if err != nil || f.end != nil {
		return f.end
	}
	return stream.SendAndClose(&greetv1.GreetCountResponse{Count: f.howMany(res.GetCount())})
}

func (f faulty) GreetChat(stream grpc.BidiStreamingServer[greetv1.GreetChatRequest, greetv1.GreetChatResponse]) error {
	if err := f.begin(stream.Context()); err != nil {
		return err
	}
	for i := 0; ; i++ {
		req, err := stream.Recv()
		if err != nil {
			return f.end
		}
		if f.count != nil && int32(i) >= f.count(50) {
			return f.end
		}
		if err := stream.Send(&greetv1.GreetChatResponse{Greeting: f.say(i, greet.Hi(req.GetName()))}); err != nil {
			return err
		}
	}
}

func refuse(context.Context) error { return status.Error(codes.Unavailable, "go away") }

func hang(ctx context.Context) error {
	<-ctx.Done()
	return ctx.Err()
}

func misspell(_ int, greeting string) string { return strings.Replace(greeting, "!", "?", 1) }

// oneCase is a short case of the scenario and its way to measure.
func oneCase(t *testing.T, name string) (result.Case, func(context.Context, Setup, result.Case) (result.Line, error)) {
	t.Helper()
	found, err := Named([]string{name})
	if err != nil {
		t.Fatal(err)
	}
	cases := found[0].Cases([]stack.Stack{overGRPC()})
	c := few(cases[len(cases)-1])
	c.Calls = min(c.Calls, 3)
	return c, found[0].Measure
}

// TestSomeFailuresAreSeenBesideSuccesses has one call of many never come back.
func TestSomeFailuresAreSeenBesideSuccesses(t *testing.T) {
	for _, name := range []string{"unary", "open"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			calls := make(chan int, 1)
			calls <- 0
			target := servedBy(t, faulty{before: func(ctx context.Context) error {
				n := <-calls + 1
				calls <- n
				if n == 400 { // after the warm-up
					return hang(ctx)
				}
				return nil
			}})
			target.Deadline, target.Window = 3*time.Second, time.Second
			c, measure := oneCase(t, name)
			c.Calls = 0
			line, err := measure(t.Context(), target, c)
			line.Case = c
			if err != nil || line.Calls == 0 || line.Errors["deadline_exceeded"] != 1 || !result.Disqualified(result.Judge(&line)) {
				t.Errorf("%d calls, errors %v, %v, want one that hung beside many", line.Calls, line.Errors, err)
			}
		})
	}
}

// TestRateFarAboveCapacity asks for a million calls a second.
func TestRateFarAboveCapacity(t *testing.T) {
	target := served(t, overGRPC())
	target.Deadline = 500 * time.Millisecond
	c, measure := oneCase(t, "open")
	c.Rate = 1_000_000
	line, err := measure(t.Context(), target, c)
	if err != nil {
		t.Fatal(err)
	}
	line.Case = c
	verdicts := result.Judge(&line)
	if !slices.Contains(verdicts, result.BehindSchedule) || result.Disqualified(verdicts) {
		t.Fatalf("verdicts %v, want behind-schedule among them and a number", verdicts)
	}
	did := float64(line.Calls) / (float64(line.WindowNS) / 1e9)
	if got := line.Metrics[0].Value; got != did || got > 500_000 {
		t.Errorf("rate %.0f, want the %.0f that the server did", got, did)
	}
	// 300 ms of the window, and 500 ms that a backlog is worked off.
	if got := line.Metrics[2]; got.Name != "unsent" || got.Value+float64(line.Calls) != 800_000 {
		t.Errorf("%s %.0f and %d calls, want 800,000 arrivals in all", got.Name, got.Value, line.Calls)
	}
}
