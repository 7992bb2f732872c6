package scenario

import (
	"testing"

	"google.golang.org/grpc"

	"example.com/greet/benchmark/internal/calls"
	"example.com/greet/benchmark/internal/result"
	"example.com/greet/benchmark/internal/stack/floor"
	greetv1 "example.com/greet/gen/greet/v1"
	"example.com/greet/internal/greet"
	"example.com/greet/internal/stack"
)

// foretelling answers chats before it is asked, with what the last chat said.
type foretelling struct {
	faulty
	heard chan []string // of the last chat
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
		server := foretelling{heard: make(chan []string, 1)}
		server.heard <- nil
		setup := servedBy(t, server)
		setup.Caller = caller
		for _, s := range []Scenario{bidiPingPong, bidiFlood} {
			c := few(s.Cases([]stack.Stack{overGRPC()})[0])
			for range 2 { // the first has nothing to foretell in its warm-up
				line, err := s.Measure(t.Context(), setup, c)
				if err != nil {
					t.Fatal(err)
				}
				line.Case = c
				if len(line.Metrics) > 0 || !result.Disqualified(result.Judge(&line)) {
					t.Errorf("%s by %s: metrics %v, errors %v, want a wrong reply and no number", s.Name, caller.Name(), line.Metrics, line.Errors)
				}
			}
		}
	}
}
