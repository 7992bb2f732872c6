package scenario

import (
	"context"
	"errors"
	"io"
	"net/http"

	"example.com/greet/benchmark/internal/calls"
	"example.com/greet/benchmark/internal/load"
	"example.com/greet/benchmark/internal/result"
	greetv1 "example.com/greet/gen/greet/v1"
	"example.com/greet/internal/greet"
	"example.com/greet/internal/stack"
)

// costCall returns the call whose cost the case measures.
func costCall(client stack.Client, c result.Case) load.Call {
	work := workOf(c)
	work.Drawn = false // so that each call sends the same bytes
	work.Numbered, work.InTurn, work.Refused = true, true, c.Kind == refusedKind
	if c.Kind == metadataKind {
		work.Headers = headers
	}
	return callBy(client, work, calls.Record{})
}

// perMessage reports whether the cost is given per message: in a long stream the messages cost far
// more than the stream itself.
func perMessage(c result.Case) bool {
	m := greet.Mode(c.Mode)
	return c.Messages > 1 && (m == greet.ServerStream || m == greet.Bidi)
}

// refusedCall returns a call that succeeds if the server refuses it, in the right
// way: a negative count is an invalid argument.
func refusedCall(client stack.Client, name string) load.Call {
	req := &greetv1.GreetStreamRequest{Name: name, Count: -1}
	want, _ := errors.AsType[*greet.Error](greet.CheckCount(req.GetCount()))
	return func(ctx context.Context, _ int) load.Outcome {
		stream, err := client.GreetStream(ctx, req)
		if err == nil {
			defer stream.Close()
			_, err = stream.Receive()
		}
		got, ok := errors.AsType[*greet.Error](err)
		switch {
		case err == nil || errors.Is(err, io.EOF):
			return wrongReply("GreetStream", "a greeting or a clean end", want.Message)
		case !ok || got.Code != want.Code:
			return failure(err)
		case got.Message != want.Message:
			return wrongReply("GreetStream", got.Message, want.Message)
		}
		return load.Outcome{Sent: 1}
	}
}

// headers is how many extra headers the calls of metadataKind have, as calls with tracing, tenants
// and tokens do.
const headers = 10

func withHeader(header http.Header, call load.Call) load.Call {
	return func(ctx context.Context, worker int) load.Outcome {
		return call(stack.WithMetadata(ctx, &stack.Metadata{RequestHeader: header}), worker)
	}
}
