package scenario

import (
	"context"
	"sync/atomic"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"example.com/greet/benchmark/internal/result"
	greetv1 "example.com/greet/gen/greet/v1"
	"example.com/greet/internal/greet"
	"example.com/greet/internal/stack"
)

// TestIdleDividesWhatTheServerGained has a server that says that it holds 1,000
// bytes at first and 20,000 later.
func TestIdleDividesWhatTheServerGained(t *testing.T) {
	for _, s := range []stack.Stack{overGRPC(), overHTTP1()} {
		for _, c := range idleCases([]stack.Stack{s}) {
			t.Run(s.Name.String()+" "+c.Mode, func(t *testing.T) {
				t.Parallel()
				target := served(t, s)
				var readings atomic.Int64
				target.Memory = func() (int64, error) { return 1000 + 19_000*(readings.Add(1)-1), nil }
				want := result.Metric{Name: "memory_per_connection", Unit: "B", Better: result.Lower, Value: 1000}
				if c.Mode == string(greet.Bidi) {
					want.Name, want.Value = "memory_per_stream", 950
				}
				line := measured(t, idle, target, few(c))
				if len(line.Metrics) != 1 || line.Metrics[0] != want {
					t.Errorf("metrics %+v, want %+v", line.Metrics, want)
				}
				if line.Calls != 20 || line.Opened != int64(few(c).Connections) {
					t.Errorf("%d calls over %d connections, want 20 over %d", line.Calls, line.Opened, few(c).Connections)
				}
			})
		}
	}
}

func TestIdleWithoutMemoryToReadHasNoNumber(t *testing.T) {
	t.Parallel()
	line := measured(t, idle, served(t, overGRPC()), few(idleCases([]stack.Stack{overGRPC()})[1]))
	if len(line.Metrics) > 0 || line.Calls != 20 {
		t.Errorf("metrics %+v of %d calls, want none of 20", line.Metrics, line.Calls)
	}
}

// dropping answers a chat once and then ends it: what it holds for an idle chat is
// nothing.
type dropping struct{ faulty }

func (dropping) GreetChat(stream grpc.BidiStreamingServer[greetv1.GreetChatRequest, greetv1.GreetChatResponse]) error {
	req, err := stream.Recv()
	if err != nil {
		return err
	}
	if err := stream.Send(&greetv1.GreetChatResponse{Greeting: greet.Hi(req.GetName())}); err != nil {
		return err
	}
	return status.Error(codes.Unavailable, "that was enough")
}

func TestServerThatDropsWhatIsIdleGetsNoNumber(t *testing.T) {
	t.Parallel()
	target := servedBy(t, dropping{})
	target.Memory = func() (int64, error) { return 1, nil }
	line, err := idle.Measure(t.Context(), target, few(idleCases([]stack.Stack{overGRPC()})[1]))
	if err != nil || len(line.Metrics) > 0 || line.Errors["unavailable"] != 20 {
		t.Errorf("metrics %+v, errors %v, %v, want 20 unavailable and no number", line.Metrics, line.Errors, err)
	}
}

func TestIdleIsInterrupted(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	target := served(t, overGRPC())
	target.Memory = func() (int64, error) { cancel(); return 0, nil } // once the warm-up is over
	line, err := idle.Measure(ctx, target, few(idleCases([]stack.Stack{overGRPC()})[0]))
	if err == nil || len(line.Metrics) > 0 {
		t.Errorf("error %v, metrics %+v, want an interruption and no number", err, line.Metrics)
	}
}
