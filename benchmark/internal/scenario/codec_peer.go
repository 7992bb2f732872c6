package scenario

import (
	"context"
	"errors"
	"fmt"
	"time"

	"example.com/greet/benchmark/internal/calls"
	"example.com/greet/benchmark/internal/load"
	"example.com/greet/benchmark/internal/result"
)

// codecPatience is how long a peer may take to answer. The first answer includes its start.
const codecPatience = time.Minute

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

// askCodec asks a peer's client to measure the peer's protobuf library.
func askCodec(ctx context.Context, s Setup, peer calls.Asker, c result.Case) (result.Line, error) {
	request := codecRequest{Codec: c.Direction, Payload: c.Payload, WindowNS: codecWindow.Nanoseconds()}
	var reply codecReply
	err := peer.Ask(ctx, s.Server, request, &reply, codecPatience)
	if ctx.Err() != nil {
		return result.Line{}, load.ErrInterrupted
	}
	if err == nil {
		err = reply.check(request)
	}
	if err != nil {
		return countsOf(calls.ClientFailed(err)), nil
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
