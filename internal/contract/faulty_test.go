package contract_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"sync/atomic"

	greetv1 "example.com/greet/gen/greet/v1"
	"example.com/greet/internal/greet"
	"example.com/greet/internal/stack"
)

// change returns err with its *greet.Error, if it has one, changed.
func change(err error, by func(*greet.Error)) error {
	e, ok := errors.AsType[*greet.Error](err)
	if !ok {
		return err
	}
	changed := *e
	by(&changed)
	return &changed
}

func lateIsCanceled(e *greet.Error) {
	if e.Code == greet.CodeDeadlineExceeded {
		e.Code = greet.CodeCanceled
	}
}

func replace(old, with error) func(error) error {
	return func(err error) error {
		if errors.Is(err, old) {
			return with
		}
		return err
	}
}

// fault is what is wrong with a client, or looks so to its caller. The zero value
// is honest.
type fault struct {
	greeting        func(string) string // what becomes of each greeting
	failure         func(error) error   // what becomes of each error, io.EOF among them
	lose            bool                // whether one message of each stream is lost
	add             int32               // what is added to each count
	withhold        bool                // whether a chat sends only when it half-closes
	limit           int                 // the longest name that is accepted, if there is one
	dieAfterFailure bool                // whether a failed call is the client's last
	connections     int64               // what is added to the number of connections
	deafSender      bool                // whether a send succeeds whatever happens
	noMetadata      bool                // whether metadata is dropped
}

func (f fault) dial(honest stack.Stack) func(string, stack.DialOptions) (stack.Client, error) {
	return func(addr string, o stack.DialOptions) (stack.Client, error) {
		client, err := honest.Dial(addr, o)
		return &faulty{Client: client, fault: f}, err
	}
}

func (f fault) text(s string) string {
	if f.greeting == nil {
		return s
	}
	return f.greeting(s)
}

func (f fault) err(err error) error {
	if err == nil || f.failure == nil {
		return err
	}
	return f.failure(err)
}

// refuse is the error for a name that is longer than the limit.
func (f fault) refuse(name string) error {
	if f.limit == 0 || len(name) <= f.limit {
		return nil
	}
	return &greet.Error{Code: greet.CodeResourceExhausted}
}

func (f fault) context(ctx context.Context) context.Context {
	if !f.noMetadata {
		return ctx
	}
	return stack.WithMetadata(ctx, &stack.Metadata{RequestHeader: http.Header{}})
}

// faulty is a client with a fault.
type faulty struct {
	stack.Client
	fault fault
	dead  atomic.Bool
}

func (c *faulty) Connections() int64 { return c.Client.Connections() + c.fault.connections }

func (c *faulty) Greet(ctx context.Context, req *greetv1.GreetRequest) (*greetv1.GreetResponse, error) {
	if err := c.fault.refuse(req.GetName()); err != nil {
		return nil, err
	}
	if c.dead.Load() {
		return nil, &greet.Error{Code: greet.CodeUnavailable}
	}
	res, err := c.Client.Greet(c.fault.context(ctx), req)
	if err != nil {
		c.dead.Store(c.fault.dieAfterFailure)
		return nil, c.fault.err(err)
	}
	return &greetv1.GreetResponse{Greeting: c.fault.text(res.GetGreeting())}, nil
}

func (c *faulty) GreetStream(ctx context.Context, req *greetv1.GreetStreamRequest) (stack.GreetStream, error) {
	if err := c.fault.refuse(req.GetName()); err != nil {
		return nil, err
	}
	stream, err := c.Client.GreetStream(c.fault.context(ctx), req)
	return &faultyStream{stream, c.fault, req.GetCount()}, c.fault.err(err)
}

func (c *faulty) GreetCount(ctx context.Context) (stack.GreetCount, error) {
	stream, err := c.Client.GreetCount(c.fault.context(ctx))
	return &faultyCount{stream, c.fault}, c.fault.err(err)
}

func (c *faulty) GreetChat(ctx context.Context) (stack.GreetChat, error) {
	chat, err := c.Client.GreetChat(c.fault.context(ctx))
	return &faultyChat{GreetChat: chat, fault: c.fault}, c.fault.err(err)
}

type faultyStream struct {
	stack.GreetStream
	fault fault
	left  int32
}

func (s *faultyStream) Receive() (*greetv1.GreetStreamResponse, error) {
	if s.left--; s.left == 0 && s.fault.lose {
		return nil, io.EOF
	}
	res, err := s.GreetStream.Receive()
	if err != nil {
		return nil, s.fault.err(err)
	}
	return &greetv1.GreetStreamResponse{Greeting: s.fault.text(res.GetGreeting())}, nil
}

type faultyCount struct {
	stack.GreetCount
	fault fault
}

func (s *faultyCount) Send(req *greetv1.GreetCountRequest) error {
	if err := s.fault.refuse(req.GetName()); err != nil {
		return err
	}
	return s.fault.err(s.GreetCount.Send(req))
}

func (s *faultyCount) CloseAndReceive() (*greetv1.GreetCountResponse, error) {
	res, err := s.GreetCount.CloseAndReceive()
	if err != nil {
		return nil, s.fault.err(err)
	}
	if s.fault.lose {
		res.Count--
	}
	return &greetv1.GreetCountResponse{Count: res.GetCount() + s.fault.add}, nil
}

type faultyChat struct {
	stack.GreetChat
	fault    fault
	withheld []*greetv1.GreetChatRequest
	first    *greetv1.GreetChatRequest
}

func (s *faultyChat) Send(req *greetv1.GreetChatRequest) error {
	if err := s.fault.refuse(req.GetName()); err != nil {
		return err
	}
	switch {
	case s.fault.withhold:
		s.withheld = append(s.withheld, req)
		return nil
	case s.fault.lose && s.first == nil:
		s.first = req
		return nil
	case s.fault.deafSender:
		_ = s.GreetChat.Send(req)
		return nil
	}
	return s.fault.err(s.GreetChat.Send(req))
}

func (s *faultyChat) CloseSend() error {
	for _, req := range s.withheld {
		if err := s.GreetChat.Send(req); err != nil {
			return err
		}
	}
	return s.GreetChat.CloseSend()
}

func (s *faultyChat) Receive() (*greetv1.GreetChatResponse, error) {
	res, err := s.GreetChat.Receive()
	if err != nil {
		return nil, s.fault.err(err)
	}
	return &greetv1.GreetChatResponse{Greeting: s.fault.text(res.GetGreeting())}, nil
}
