package contract

import (
	"context"
	"errors"
	"fmt"
	"io"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/protobuf/proto"

	greetv1 "example.com/greet/gen/greet/v1"
	"example.com/greet/internal/greet"
	"example.com/greet/internal/stack"
)

// largestCount is the largest count that a server serves.
const largestCount = 100_000

// counts checks numbers of messages.
func counts() []Behaviour {
	stream, client := []greet.Mode{greet.ServerStream}, []greet.Mode{greet.ClientStream}
	return []Behaviour{
		{Name: "count of zero ends at once", Needs: stream, Check: streams(0)},
		{Name: "largest count is served in full", Needs: stream, Long: true, Check: streams(largestCount)},
		{Name: "count above the largest is refused", Needs: stream, Check: refusesCount(largestCount + 1)},
		{Name: "huge count is refused", Needs: stream, Check: refusesCount(1<<31 - 1)},
		{Name: "negative count is refused", Needs: stream, Check: refusesCount(-1)},
		{Name: "empty client stream counts 0", Needs: client, Check: countsTo(0)},
		{Name: "client stream of one counts 1", Needs: client, Check: countsTo(1)},
		{Name: "client stream of a thousand counts 1000", Needs: client, Check: countsTo(1000)},
	}
}

func streams(count int32) func(context.Context, stack.Client, Subject) error {
	return func(ctx context.Context, client stack.Client, _ Subject) error {
		return numbered(ctx, client, "streamer", count)
	}
}

func countsTo(n int) func(context.Context, stack.Client, Subject) error {
	return func(ctx context.Context, client stack.Client, _ Subject) error {
		return counted(ctx, client, many(n)...)
	}
}

// refusesCount compares every part of an application error.
func refusesCount(count int32) func(context.Context, stack.Client, Subject) error {
	return func(ctx context.Context, client stack.Client, _ Subject) error {
		return wantCountRefused(firstOf(ctx, client, count), count)
	}
}

// firstOf returns the error with which a stream of count greetings begins, or
// nil when it begins with a greeting.
func firstOf(ctx context.Context, client stack.Client, count int32) error {
	stream, err := client.GreetStream(ctx, &greetv1.GreetStreamRequest{Name: "streamer", Count: count})
	if err != nil {
		return err
	}
	defer stream.Close()
	_, err = stream.Receive()
	return err
}

func wantCountRefused(err error, count int32) error {
	text := fmt.Sprintf("count must be between 0 and 100000, got %d", count)
	if errors.Is(err, io.EOF) {
		return fmt.Errorf("got the end of the stream, want invalid_argument")
	}
	if err := wantCode(err, greet.CodeInvalidArgument); err != nil {
		return err
	}
	refused, _ := errors.AsType[*greet.Error](err)
	if err := wantText(refused.Message, text); err != nil {
		return fmt.Errorf("text: %w", err)
	}
	want := &errdetails.BadRequest{FieldViolations: []*errdetails.BadRequest_FieldViolation{{Field: "count", Description: text}}}
	if len(refused.Details) != 1 || !proto.Equal(refused.Details[0], want) {
		return fmt.Errorf("got details %v, want one: %v", refused.Details, want)
	}
	return nil
}
