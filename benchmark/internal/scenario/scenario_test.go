package scenario

import (
	"context"
	"io"
	"strings"
	"testing"

	"example.com/greet/benchmark/internal/calls"
	"example.com/greet/benchmark/internal/load"
	greetv1 "example.com/greet/gen/greet/v1"
	"example.com/greet/internal/greet"
	"example.com/greet/internal/stack"
)

// scripted is a client whose server answers as the test says.
type scripted struct {
	stack.Client
	greeting string
	err      error
	chat     []string // greetings, then the end
}

func (s scripted) Greet(context.Context, *greetv1.GreetRequest) (*greetv1.GreetResponse, error) {
	return &greetv1.GreetResponse{Greeting: s.greeting}, s.err
}

func (s scripted) GreetChat(context.Context) (stack.GreetChat, error) {
	return &scriptedChat{greetings: s.chat, err: s.err, sent: make(chan struct{}, 10)}, nil
}

type scriptedChat struct {
	greetings []string
	err       error         // instead of a clean end
	sent      chan struct{} // one for each message; closed with the sending end
}

func (c *scriptedChat) Send(*greetv1.GreetChatRequest) error { c.sent <- struct{}{}; return nil }
func (c *scriptedChat) CloseSend() error                     { close(c.sent); return nil }
func (c *scriptedChat) Close() error                         { return nil }

func (c *scriptedChat) Receive() (*greetv1.GreetChatResponse, error) {
	if len(c.greetings) == 0 {
		if c.err != nil {
			return nil, c.err
		}
		return nil, io.EOF
	}
	<-c.sent
	next := c.greetings[0]
	c.greetings = c.greetings[1:]
	return &greetv1.GreetChatResponse{Greeting: next}, nil
}

func TestUnaryCallChecksTheReply(t *testing.T) {
	large := strings.Repeat("x", 2<<20)
	inside := []byte(greet.Hello(large))
	inside[10] = 'y'
	for _, test := range []struct {
		what, name, greeting string
		err                  error
		code                 string
	}{
		{what: "right", name: "bob", greeting: "Hello, bob!"},
		{what: "wrong text", name: "bob", greeting: "Hello, rob!", code: "wrong_reply"},
		{what: "empty reply", name: "bob", greeting: "", code: "wrong_reply"},
		{what: "right large", name: large, greeting: greet.Hello(large)},
		{what: "large and short by one", name: large, greeting: greet.Hello(large[1:]), code: "wrong_reply"},
		{what: "large and wrong near the edge", name: large, greeting: string(inside), code: "wrong_reply"},
		{what: "application error", name: "bob", err: &greet.Error{Code: greet.CodeUnavailable}, code: "unavailable"},
		{what: "deadline", name: "bob", err: &greet.Error{Code: greet.CodeDeadlineExceeded}, code: "deadline_exceeded"},
		{what: "an error of no code", name: "bob", err: io.ErrUnexpectedEOF, code: "unknown"},
	} {
		got := unaryCall(scripted{greeting: test.greeting, err: test.err}, test.name)(t.Context(), 0)
		if got.Code != test.code {
			t.Errorf("%s: code %q (%s), want %q", test.what, got.Code, got.Text, test.code)
		}
		if (got.Code == "") != (got.Received == 1) {
			t.Errorf("%s: counted %d messages received", test.what, got.Received)
		}
		if len(got.Text) > 1000 {
			t.Errorf("%s: text of %d bytes", test.what, len(got.Text))
		}
	}
}

func TestChatCallChecksCountAndOrder(t *testing.T) {
	hi := "Hi, bob!"
	for _, test := range []struct {
		what string
		chat []string
		err  error
		code string
	}{
		{what: "right", chat: []string{hi, hi, hi}},
		{what: "cut with a right status", chat: []string{hi, hi}, code: "wrong_reply"},
		{what: "one too many", chat: []string{hi, hi, hi, hi}, code: "wrong_reply"},
		{what: "nothing", chat: nil, code: "wrong_reply"},
		{what: "a wrong one", chat: []string{hi, "Hi, rob!", hi}, code: "wrong_reply"},
		{what: "cut with an error", chat: []string{hi}, err: &greet.Error{Code: greet.CodeUnavailable}, code: "unavailable"},
	} {
		got := chatCall(scripted{chat: test.chat, err: test.err}, newScript([]string{"bob", "bob", "bob"}), new(calls.InFlight))(t.Context(), 0)
		if got.Code != test.code {
			t.Errorf("%s: code %q (%s), want %q", test.what, got.Code, got.Text, test.code)
		}
	}
}

func TestNamed(t *testing.T) {
	if got, err := Named([]string{"family"}); err != nil || len(got) != 1 || got[0].Name != "family" {
		t.Errorf("got %d scenarios, error %v, want family", len(got), err)
	}
	want := `no scenario is named "familly": did you mean family? benchmark run --help lists all`
	if _, err := Named([]string{"codec", "familly"}); err == nil || err.Error() != want {
		t.Errorf("error %v, want %q", err, want)
	}
}

func TestCodecMeasuresEachDirection(t *testing.T) {
	for _, c := range codecCases(nil) {
		if c.Payload != 64<<10 {
			continue
		}
		for _, codec := range codecs {
			if codec.name != c.Stack {
				continue
			}
			op, err := codec.prepare(c.Direction, &greetv1.GreetRequest{Name: strings.Repeat("x", c.Payload)})
			if err != nil {
				t.Fatal(err)
			}
			if err := op(); err != nil {
				t.Errorf("%s %s: %v", c.Stack, c.Direction, err)
			}
			if n := testing.AllocsPerRun(10, func() { _ = op() }); n == 0 {
				t.Errorf("%s %s allocates nothing: is it doing the work?", c.Stack, c.Direction)
			}
		}
	}
}

func TestInterruptedCodec(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := measureCodec(ctx, Setup{}, codecCases(nil)[0]); err != load.ErrInterrupted {
		t.Errorf("error %v, want load.ErrInterrupted", err)
	}
}
