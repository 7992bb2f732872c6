package floor

import (
	"errors"
	"fmt"
	"strings"

	"google.golang.org/protobuf/proto"

	"example.com/greet/benchmark/internal/calls"
	greetv1 "example.com/greet/gen/greet/v1"
	"example.com/greet/internal/greet"
	"example.com/greet/internal/h2"
	"example.com/greet/internal/stack"
)

// loadWork is what each call of a variant sends, and the replies that are right. All
// its calls share it, and nothing changes it.
type loadWork struct {
	of       calls.Work
	path     string
	requests int
	replies  int
	inTurn   bool // each request waits for the reply to the one before
	// names of the requests; the last stands for all that follow.
	names []string
	count int32 // that a GreetStreamRequest asks for
	// greetings that are right, likewise; empty for a mode that replies with a count.
	greetings []string
	refusal   *greet.Error // that the server must refuse the call with; nil if it must not
	header    []h2.Field   // of each request, beside what the protocol needs
}

// newLoadWork returns the work of one variant.
func newLoadWork(w calls.Work) *loadWork {
	name := w.Name()
	work := &loadWork{of: w, requests: 1, replies: 1, names: []string{name}, header: plainFields(w.Header())}
	switch {
	case w.Refused:
		work.refuse()
	case w.Mode == greet.ServerStream:
		work.path, work.replies, work.count = greetv1.GreetService_GreetStream_FullMethodName, w.Messages, int32(w.Messages)
		for i := range work.count {
			work.greetings = append(work.greetings, greet.NumberedHello(i+1, name))
		}
	case w.Mode == greet.ClientStream:
		work.path, work.requests = greetv1.GreetService_GreetCount_FullMethodName, w.Messages
	case w.Mode == greet.Bidi:
		work.path, work.inTurn = greetv1.GreetService_GreetChat_FullMethodName, w.InTurn
		work.chat()
	default:
		work.path, work.greetings = greetv1.GreetService_Greet_FullMethodName, []string{greet.Hello(name)}
	}
	return work
}

// checkWork says why there are no calls that do the work.
func checkWork(w calls.Work) error {
	if size := proto.Size(&greetv1.GreetRequest{Name: w.Name()}); size > stack.MaxMessageBytes {
		return tooLarge("send", int64(size))
	}
	if w.Mode != greet.Unary && !w.Refused && w.Messages < 1 {
		return fmt.Errorf("%d messages, want at least 1", w.Messages)
	}
	return nil
}

// refuse makes the work a server stream with a count that no server takes.
func (w *loadWork) refuse() {
	w.path, w.replies, w.count = greetv1.GreetService_GreetStream_FullMethodName, 0, -1
	w.refusal, _ = errors.AsType[*greet.Error](greet.CheckCount(w.count))
}

func (w *loadWork) chat() {
	w.requests, w.replies, w.greetings = w.of.Messages, w.of.Messages, nil
	if w.of.Numbered {
		w.names = w.of.Names()
	}
	for _, name := range w.names {
		w.greetings = append(w.greetings, greet.Hi(name))
	}
}

// unary reports whether a call is one message each way.
func (w *loadWork) unary() bool { return w.path == greetv1.GreetService_Greet_FullMethodName }

// needed is how many requests must have been sent before the i-th reply, counted from
// 0, can come: a chat answers each as it comes, other modes answer the whole.
func (w *loadWork) needed(i int) int {
	if w.path == greetv1.GreetService_GreetChat_FullMethodName {
		return i + 1
	}
	return w.requests
}

// nth returns the i-th of texts, the last of which stands for all that follow.
func nth(texts []string, i int) string { return texts[min(i, len(texts)-1)] }

// loadMessages are the messages of a connection's calls. Each is marshalled, or looked
// at, before the next is.
type loadMessages struct {
	greetRequest   greetv1.GreetRequest
	greetResponse  greetv1.GreetResponse
	streamRequest  greetv1.GreetStreamRequest
	streamResponse greetv1.GreetStreamResponse
	countRequest   greetv1.GreetCountRequest
	countResponse  greetv1.GreetCountResponse
	chatRequest    greetv1.GreetChatRequest
	chatResponse   greetv1.GreetChatResponse
}

// request is the i-th request of a call.
func (w *loadWork) request(m *loadMessages, i int) proto.Message {
	switch name := nth(w.names, i); w.path {
	case greetv1.GreetService_GreetStream_FullMethodName:
		m.streamRequest.Name, m.streamRequest.Count = name, w.count
		return &m.streamRequest
	case greetv1.GreetService_GreetCount_FullMethodName:
		m.countRequest.Name = name
		return &m.countRequest
	case greetv1.GreetService_GreetChat_FullMethodName:
		m.chatRequest.Name = name
		return &m.chatRequest
	default:
		m.greetRequest.Name = name
		return &m.greetRequest
	}
}

// check unmarshals the i-th reply of a call, and compares it with the right one.
func (w *loadWork) check(m *loadMessages, raw []byte, i int) error {
	if i >= w.replies {
		return w.wrong("a message more", fmt.Sprintf("end after %d messages", w.replies))
	}
	switch w.path {
	case greetv1.GreetService_GreetStream_FullMethodName:
		return w.greeting(raw, &m.streamResponse, i)
	case greetv1.GreetService_GreetChat_FullMethodName:
		return w.greeting(raw, &m.chatResponse, i)
	case greetv1.GreetService_GreetCount_FullMethodName:
		if err := unmarshal(raw, &m.countResponse); err != nil {
			return err
		}
		return calls.CheckReply(w.method(), fmt.Sprint(m.countResponse.GetCount()), fmt.Sprint(w.requests))
	}
	return w.greeting(raw, &m.greetResponse, i)
}

func (w *loadWork) greeting(raw []byte, res interface {
	proto.Message
	GetGreeting() string
}, i int) error {
	if err := unmarshal(raw, res); err != nil {
		return err
	}
	return calls.CheckReply(w.method(), res.GetGreeting(), nth(w.greetings, i))
}

// method is the name of the method, without its service.
func (w *loadWork) method() string { return w.path[strings.LastIndexByte(w.path, '/')+1:] }

func (w *loadWork) wrong(got, want string) error {
	return &calls.WrongReplyError{Method: w.method(), Got: got, Want: want}
}

// end is how a call ended that the server ended with err, or nil for success, after so
// many replies, each of which was right.
func (w *loadWork) end(err error, replies int) error {
	switch {
	case w.refusal != nil:
		return w.refused(err)
	case err != nil:
		return err
	case replies < w.replies:
		return w.wrong(fmt.Sprintf("end after %d messages", replies), fmt.Sprintf("message %d", replies+1))
	}
	return nil
}

// refused compares the refusal with the one that is due.
func (w *loadWork) refused(err error) error {
	got, ok := errors.AsType[*greet.Error](err)
	switch {
	case err == nil:
		return w.wrong("a clean end", w.refusal.Message)
	case !ok || got.Code != w.refusal.Code:
		return err
	case got.Message != w.refusal.Message:
		return w.wrong(got.Message, w.refusal.Message)
	}
	return nil
}
