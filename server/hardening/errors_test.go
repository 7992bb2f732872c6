package hardening_test

import (
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/testing/protocmp"

	greetv1 "example.com/greet/gen/greet/v1"
	"example.com/greet/internal/greet"
	"example.com/greet/internal/stack"
	"example.com/greet/internal/stack/connectgo"
)

// failure is all that a client learns of a call that failed.
type failure struct {
	Code    greet.Code
	Message string
	Details []proto.Message
	Echo    []string // the metadata that came back, as header or trailer
}

// TestErrorsAreAlike makes the same call fail over every protocol and transport,
// with both libraries at both ends. A protocol that answers with an error alone
// may send what would be its headers as trailers, so the two are one here.
func TestErrorsAreAlike(t *testing.T) { forEachHTTP2(t, testErrorsAreAlike) }

func testErrorsAreAlike(t *testing.T, flag string) {
	const text = "count must be between 0 and 100000, got -1"
	want := failure{
		Code:    greet.CodeInvalidArgument,
		Message: text,
		Details: []proto.Message{&errdetails.BadRequest{FieldViolations: []*errdetails.BadRequest_FieldViolation{
			{Field: "count", Description: text},
		}}},
		Echo: []string{"sent by the client"},
	}
	server := startServer(t, flag)
	check := func(s stack.Stack, addr string) {
		t.Run(s.Name.String()+" at "+addr, func(t *testing.T) {
			got := fail(t, dialStack(t, s, addr, server.trust), want.Echo)
			if diff := cmp.Diff(want, got, protocmp.Transform()); diff != "" {
				t.Errorf("the failure (-want +got):\n%s", diff)
			}
		})
	}
	for _, s := range append(stacks(t),
		connectgo.New(stack.Connect, stack.H2C, "json"),
		connectgo.New(stack.GRPC, stack.H2C, "json"),
		connectgo.New(stack.GRPCWeb, stack.H2C, "proto"),
	) {
		check(s, server.addrOf(s.Name))
		if s.Name.Protocol == stack.GRPC && s.Name.Transport == stack.H2C && !s.Name.Has("json") {
			check(s, server.addr["connect"])
			check(s, server.addr["grpc"])
		}
	}
}

// fail asks for a count that is out of range, with metadata to send back.
func fail(t *testing.T, c stack.Client, echo []string) failure {
	t.Helper()
	md := &stack.Metadata{RequestHeader: http.Header{}}
	for _, value := range echo {
		md.RequestHeader.Add(greet.HeaderEcho, value)
	}
	stream, err := c.GreetStream(stack.WithMetadata(t.Context(), md), &greetv1.GreetStreamRequest{Count: -1})
	if err == nil {
		defer stream.Close()
		_, err = stream.Receive()
	}
	failed, ok := err.(*greet.Error)
	if !ok {
		t.Fatalf("got %v, want a *greet.Error", err)
	}
	got := failure{Code: failed.Code, Message: failed.Message, Details: failed.Details}
	if got.Echo = md.ResponseTrailer.Values(greet.TrailerEcho); got.Echo == nil {
		got.Echo = md.ResponseHeader.Values(greet.TrailerEcho)
	}
	return got
}
