package greet

import (
	"errors"
	"io"
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/genproto/googleapis/rpc/errdetails"

	greetv1 "example.com/greet/gen/greet/v1"
)

func TestStream(t *testing.T) {
	errSend := errors.New("peer is gone")
	for _, test := range []struct {
		what  string
		name  string
		count int32
		send  error // of the second greeting
		want  []string
		err   error
	}{
		{what: "two", name: "bob", count: 2, want: []string{"Hello #1, bob!", "Hello #2, bob!"}},
		{what: "none", name: "bob", count: 0},
		{what: "nobody", name: "", count: 1, want: []string{"Hello #1, !"}},
		{what: "a send that fails", name: "bob", count: 5, send: errSend, want: []string{"Hello #1, bob!"}, err: errSend},
	} {
		var got []string
		err := Stream(&greetv1.GreetStreamRequest{Name: test.name, Count: test.count}, func(res *greetv1.GreetStreamResponse) error {
			if len(got) == 1 && test.send != nil {
				return test.send
			}
			got = append(got, res.GetGreeting())
			return nil
		})
		if !errors.Is(err, test.err) || !cmp.Equal(got, test.want) {
			t.Errorf("%s: got %q and error %v, want %q and %v", test.what, got, err, test.want, test.err)
		}
	}
}

func TestCheckCount(t *testing.T) {
	for _, count := range []int32{0, 1, MaxCount} {
		if err := CheckCount(count); err != nil {
			t.Errorf("%d: %v, want no error", count, err)
		}
	}
	for count, want := range map[int32]string{
		-1:           "count must be between 0 and 100000, got -1",
		MaxCount + 1: "count must be between 0 and 100000, got 100001",
	} {
		failed, ok := errors.AsType[*Error](CheckCount(count))
		if !ok || failed.Code != CodeInvalidArgument || failed.Message != want || len(failed.Details) != 1 {
			t.Fatalf("%d: %+v, want invalid_argument with %q and one detail", count, failed, want)
		}
		detail, ok := failed.Details[0].(*errdetails.BadRequest)
		if !ok || detail.GetFieldViolations()[0].GetField() != "count" {
			t.Errorf("%d: detail %v does not name the field", count, failed.Details[0])
		}
	}
}

// requests yields the names, then the end.
func requests(names []string, end error) func() (*greetv1.GreetChatRequest, error) {
	return func() (*greetv1.GreetChatRequest, error) {
		if len(names) == 0 {
			return nil, end
		}
		name := names[0]
		names = names[1:]
		return &greetv1.GreetChatRequest{Name: name}, nil
	}
}

func TestChat(t *testing.T) {
	cut := errors.New("stream was cut")
	for _, end := range []error{io.EOF, cut} {
		var got []string
		err := Chat(requests([]string{"alice", "", "bob"}, end), func(res *greetv1.GreetChatResponse) error {
			got = append(got, res.GetGreeting())
			return nil
		})
		if want := []string{"Hi, alice!", "Hi, !", "Hi, bob!"}; !cmp.Equal(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
		if end == io.EOF && err != nil || end == cut && !errors.Is(err, cut) {
			t.Errorf("after %v: error %v", end, err)
		}
	}
}

func TestCount(t *testing.T) {
	for _, n := range []int32{0, 3} {
		left := n
		res, err := Count(func() (*greetv1.GreetCountRequest, error) {
			if left--; left < 0 {
				return nil, io.EOF
			}
			return &greetv1.GreetCountRequest{}, nil
		})
		if err != nil || res.GetCount() != n {
			t.Errorf("counted %d, error %v, want %d", res.GetCount(), err, n)
		}
	}
	cut := errors.New("stream was cut")
	if res, err := Count(func() (*greetv1.GreetCountRequest, error) { return nil, cut }); !errors.Is(err, cut) || res != nil {
		t.Errorf("counted %v of a stream that was cut, error %v", res, err)
	}
}
