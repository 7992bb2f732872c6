package contract

import (
	"context"
	"crypto/rand"
	"fmt"
	"net/http"
	"slices"
	"strings"

	greetv1 "example.com/greet/gen/greet/v1"
	"example.com/greet/internal/greet"
	"example.com/greet/internal/stack"
)

// echoes checks metadata, which only a server with a demo answers.
func echoes() []Behaviour {
	list := slices.Concat(
		perMode("metadata there and back", greet.Modes, echoed),
		perMode("server sees the cancellation", []greet.Mode{greet.ServerStream, greet.Bidi}, serverSawCancel),
	)
	list = append(list, Behaviour{Name: "metadata comes with an error", Needs: []greet.Mode{greet.ServerStream}, Check: echoedWithError})
	for i := range list {
		list[i].NeedsDemo = true
	}
	return list
}

// values are the metadata that an echo carries: two values, one of which needs care.
var values = []string{"one", "two; q=0.5, \"three\""}

func echoed(ctx context.Context, client stack.Client, m greet.Mode) error {
	md := &stack.Metadata{RequestHeader: http.Header{}}
	md.RequestHeader[http.CanonicalHeaderKey(greet.HeaderEcho)] = values
	if err := call(stack.WithMetadata(ctx, md), client, m, "echo"); err != nil {
		return err
	}
	if err := wantValues(md.ResponseHeader, greet.HeaderEcho); err != nil {
		return fmt.Errorf("response header: %w", err)
	}
	if err := wantValues(md.ResponseTrailer, greet.TrailerEcho); err != nil {
		return fmt.Errorf("response trailer: %w", err)
	}
	return nil
}

// echoedWithError accepts the metadata as header or trailer: some protocols have only one place for
// it in a response that is nothing but an error.
func echoedWithError(ctx context.Context, client stack.Client, _ Subject) error {
	md := &stack.Metadata{RequestHeader: http.Header{}}
	md.RequestHeader[http.CanonicalHeaderKey(greet.HeaderEcho)] = values
	if err := wantCountRefused(firstOf(stack.WithMetadata(ctx, md), client, -1), -1); err != nil {
		return err
	}
	both := md.ResponseHeader.Clone()
	if both == nil {
		both = http.Header{}
	}
	for key, list := range md.ResponseTrailer {
		both[key] = append(both[key], list...)
	}
	if err := wantValues(both, greet.HeaderEcho); err != nil {
		return err
	}
	return wantValues(both, greet.TrailerEcho)
}

func wantValues(header http.Header, key string) error {
	if got := header.Values(key); !slices.Equal(got, values) {
		return fmt.Errorf("got %q under %s, want %q", got, key, values)
	}
	return nil
}

// serverSawCancel asks the server how it saw a call that the client gave up.
func serverSawCancel(ctx context.Context, client stack.Client, m greet.Mode) error {
	id := rand.Text()
	named := &stack.Metadata{RequestHeader: http.Header{}}
	named.RequestHeader.Set(greet.HeaderCallID, id)
	if err := cancelledInMidStream(stack.WithMetadata(ctx, named), client, m); err != nil {
		return err
	}
	asked := &stack.Metadata{RequestHeader: http.Header{}}
	asked.RequestHeader.Set(greet.HeaderSaw, id)
	if _, err := client.Greet(stack.WithMetadata(ctx, asked), &greetv1.GreetRequest{}); err != nil {
		return fmt.Errorf("ask what the server saw: %w", err)
	}
	if got, want := asked.ResponseHeader.Get(greet.HeaderSaw), "canceled after receiving 1 "; !strings.HasPrefix(got, want) {
		return fmt.Errorf("the server saw %q, want it to begin with %q", got, want)
	}
	return nil
}
