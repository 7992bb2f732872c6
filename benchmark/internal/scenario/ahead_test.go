package scenario

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"

	"google.golang.org/grpc"

	"example.com/greet/benchmark/internal/calls"
	"example.com/greet/benchmark/internal/result"
	"example.com/greet/benchmark/internal/stack/floor"
	greetv1 "example.com/greet/gen/greet/v1"
	"example.com/greet/internal/greet"
	"example.com/greet/internal/stack"
)

// foretelling answers before it is asked, with what the last call of the mode said.
type foretelling struct {
	faulty
	heard chan []string // of the last chat
	name  *atomic.Value // of the last unary call and server stream
	count *atomic.Int32 // of the last client stream
}

func newForetelling() foretelling {
	f := foretelling{heard: make(chan []string, 1), name: new(atomic.Value), count: new(atomic.Int32)}
	f.heard <- nil
	return f
}

// foretell returns the name of the call before, or this one's if it is the first.
func (f foretelling) foretell(name string) string {
	if last, ok := f.name.Swap(name).(string); ok {
		return last
	}
	return name
}

func (f foretelling) Greet(_ context.Context, req *greetv1.GreetRequest) (*greetv1.GreetResponse, error) {
	return &greetv1.GreetResponse{Greeting: greet.Hello(f.foretell(req.GetName()))}, nil
}

func (f foretelling) GreetStream(req *greetv1.GreetStreamRequest, stream grpc.ServerStreamingServer[greetv1.GreetStreamResponse]) error {
	return f.faulty.GreetStream(&greetv1.GreetStreamRequest{Name: f.foretell(req.GetName()), Count: req.GetCount()}, stream)
}

func (f foretelling) GreetCount(stream grpc.ClientStreamingServer[greetv1.GreetCountRequest, greetv1.GreetCountResponse]) error {
	res, err := greet.Count(stream.Recv)
	if err != nil {
		return err
	}
	if last := f.count.Swap(res.GetCount()); last > 0 {
		res.Count = last
	}
	return stream.SendAndClose(res)
}

func (f foretelling) GreetChat(stream grpc.BidiStreamingServer[greetv1.GreetChatRequest, greetv1.GreetChatResponse]) error {
	last := <-f.heard
	for _, name := range last {
		if err := stream.Send(&greetv1.GreetChatResponse{Greeting: greet.Hi(name)}); err != nil {
			break
		}
	}
	var heard []string
	for {
		req, err := stream.Recv()
		if err != nil {
			break
		}
		heard = append(heard, req.GetName())
		if len(last) == 0 {
			err = stream.Send(&greetv1.GreetChatResponse{Greeting: greet.Hi(req.GetName())})
		}
		if err != nil {
			break
		}
	}
	if len(heard) < len(last) {
		heard = last // the client has left in disgust
	}
	f.heard <- heard
	return nil
}

// TestRepliesAheadAreWrong has a server that would be fast if nobody looked when its
// replies came.
func TestRepliesAheadAreWrong(t *testing.T) {
	for _, caller := range []calls.Caller{Own(overGRPC()), floor.Caller{}} {
		setup := servedBy(t, newForetelling())
		setup.Caller = caller
		for _, s := range []Scenario{unary, open, serverStream, clientStream, bidiPingPong, bidiFlood} {
			c := few(s.Cases([]stack.Stack{overGRPC()})[0])
			if !strings.HasPrefix(s.Name, "bidi") {
				c.Calls = 50 // to be right by chance each time is to win 50 tosses
			}
			for range 2 { // the first has nothing to foretell in its warm-up
				line, err := s.Measure(t.Context(), setup, c)
				if err != nil {
					t.Fatal(err)
				}
				line.Case = c
				wrong := line.Errors[result.WrongReplyCode] + line.WarmupErrors[result.WrongReplyCode]
				if wrong == 0 || !result.Disqualified(result.Judge(&line)) {
					t.Errorf("%s by %s: errors %v, want wrong replies and no rank", s.Name, caller.Name(), line.Errors)
				}
			}
		}
	}
}
