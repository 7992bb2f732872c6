package grpcgo

import (
	"strings"
	"testing"

	"google.golang.org/grpc/encoding"
	encodingproto "google.golang.org/grpc/encoding/proto"
	"google.golang.org/protobuf/proto"

	greetv1 "example.com/greet/gen/greet/v1"
)

// TestPlacesAreLeft encodes messages of all kinds of sizes as if for the wire, and frees
// them: each must hold its place until then, and not longer.
func TestPlacesAreLeft(t *testing.T) {
	codec := countingCodec{encoding.GetCodecV2(encodingproto.Name)}
	queue := make(places, 1)
	for _, size := range []int{0, 1, 1_000, countedBytes, countedBytes + 1, 1 << 20} {
		want := &greetv1.GreetResponse{Greeting: strings.Repeat("x", size)}
		queue <- struct{}{}
		encoded, err := codec.Marshal(placed{want, queue})
		if err != nil {
			t.Fatal(err)
		}
		got := new(greetv1.GreetResponse)
		if err := codec.Unmarshal(encoded, got); err != nil || !proto.Equal(got, want) {
			t.Errorf("%d bytes: decoded %d, %v", size, len(got.GetGreeting()), err)
		}
		if len(queue) != 1 {
			t.Errorf("%d bytes: the place was left before the message was freed", size)
		}
		encoded.Free()
		if len(queue) != 0 {
			t.Errorf("%d bytes: the place is still taken", size)
		}
	}
}

// TestPlaceOfABrokenMessage has a message that cannot be encoded.
func TestPlaceOfABrokenMessage(t *testing.T) {
	codec := countingCodec{encoding.GetCodecV2(encodingproto.Name)}
	queue := make(places, 1)
	queue <- struct{}{}
	_, err := codec.Marshal(placed{&greetv1.GreetResponse{Greeting: "\xff"}, queue})
	if err == nil || len(queue) != 0 {
		t.Errorf("got %v, with %d places taken", err, len(queue))
	}
}
