package scenario

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"example.com/greet/benchmark/internal/load"
	"example.com/greet/benchmark/internal/result"
	greetv1 "example.com/greet/gen/greet/v1"
	"example.com/greet/internal/greet"
	"example.com/greet/internal/stack"
)

// costCall is the call of which the case measures the cost.
func costCall(client stack.Client, c result.Case) load.Call {
	name := strings.Repeat("x", c.Payload)
	switch c.Kind {
	case refusedKind:
		return refusedCall(client, name)
	case metadataKind:
		return withHeaders(unaryCall(client, name))
	}
	switch greet.Mode(c.Mode) {
	case greet.ServerStream:
		return receivingCall(client, name, c.Messages)
	case greet.ClientStream:
		return countCall(client, name, c.Messages)
	case greet.Bidi:
		return pingPongCall(client, numbered(c.Payload, c.Messages), load.NewTimes())
	}
	return unaryCall(client, name)
}

// perMessage reports whether the cost is told per message: those of a long stream
// outweigh what the stream itself costs.
func perMessage(c result.Case) bool {
	m := greet.Mode(c.Mode)
	return c.Messages > 1 && (m == greet.ServerStream || m == greet.Bidi)
}

// receivingCall returns a call that receives the greetings, no more and no fewer.
func receivingCall(client stack.Client, name string, messages int) load.Call {
	want := make([]string, messages)
	for i := range want {
		want[i] = greet.NumberedHello(int32(i)+1, name)
	}
	return streamCall(client, name, want, load.NewTimes(), load.NewTimes())
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

// headers are ten of the size that tracing, tenants and tokens have. They are the
// same in each call, so that a compressed header table can show what it is worth.
const headers = 10

func withHeaders(call load.Call) load.Call {
	sent := make(http.Header, headers)
	for i := range headers {
		sent.Set(fmt.Sprintf("Greet-Header-%d", i), fmt.Sprintf("value-%d-of-a-header", i))
	}
	return func(ctx context.Context, worker int) load.Outcome {
		return call(stack.WithMetadata(ctx, &stack.Metadata{RequestHeader: sent}), worker)
	}
}
