package scenario

import (
	"context"
	"errors"
	"fmt"
	"time"

	"example.com/greet/benchmark/internal/result"
	"example.com/greet/internal/stack"
)

// PeerCodec is the codec scenario for the protobuf library of a peer, which its
// client measures in its own process. The target is named after the client.
func PeerCodec(client, language string, libraries []string) Scenario {
	s := codec
	s.Cases = func([]stack.Stack) []result.Case {
		return codecSizes(result.Case{Stack: client, Language: language, Libraries: libraries}, []string{marshal, unmarshal})
	}
	s.Measure = func(ctx context.Context, t Target, c result.Case) (result.Line, error) {
		if t.peer = t.Peers[client]; t.peer == nil {
			return result.Line{}, fmt.Errorf("there is no client %s to ask", client)
		}
		return askCodec(ctx, t.peer, c)
	}
	return s
}

type codecRequest struct {
	Codec    string `json:"codec"` // the direction
	Payload  int    `json:"payload_bytes"`
	WindowNS int64  `json:"window_ns"`
}

type codecReply struct {
	Error    string `json:"error"`
	Calls    int64  `json:"calls"`
	WindowNS int64  `json:"window_ns"`
}

func askCodec(ctx context.Context, client PeerClient, c result.Case) (result.Line, error) {
	request := codecRequest{Codec: c.Direction, Payload: c.Payload, WindowNS: codecWindow.Nanoseconds()}
	var reply codecReply
	if failed, err := askPeer(ctx, client, request, &reply, func() error { return reply.check(request) }); failed != nil || err != nil {
		return clientFailed(failed), err
	}
	return result.Line{
		WindowNS: reply.WindowNS, Calls: reply.Calls,
		Metrics: codecFigures(reply.Calls, c.Payload, time.Duration(reply.WindowNS)),
	}, nil
}

func (r codecReply) check(to codecRequest) error {
	switch {
	case r.Error != "":
		return errors.New("it refused: " + r.Error)
	case r.Calls < 1 || r.WindowNS < to.WindowNS:
		return fmt.Errorf("its answer has %d operations in %d ns, want one at least and %d ns", r.Calls, r.WindowNS, to.WindowNS)
	}
	return nil
}
