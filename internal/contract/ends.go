package contract

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	greetv1 "example.com/greet/gen/greet/v1"
	"example.com/greet/internal/greet"
	"example.com/greet/internal/stack"
)

const (
	// prompt is the most that an immediate end may take, with slack for a busy machine.
	prompt = 5 * time.Second
	// soon is a deadline short enough to pass in mid-stream.
	soon = 150 * time.Millisecond
)

// ends checks the ways in which calls end early.
func ends() []Behaviour {
	list := slices.Concat(
		perMode("cancelled before it begins", greet.Modes, cancelledBefore),
		perMode("cancelled in mid-stream", streaming, cancelledInMidStream),
		perMode("deadline passed before it begins", greet.Modes, deadlineBefore),
		perMode("deadline in mid-stream", streaming, deadlineInMidStream),
	)
	return append(list,
		Behaviour{Name: "stream closed early", Needs: []greet.Mode{greet.Unary, greet.ServerStream}, Check: streamClosedEarly},
		Behaviour{Name: "chat closed early", Needs: []greet.Mode{greet.Unary, greet.Bidi}, Check: chatClosedEarly},
		Behaviour{Name: "error reaches a slow sender", Needs: []greet.Mode{greet.Bidi}, NeedsPlain: true, Check: slowSender},
	)
}

// hold begins a call that goes on until something ends it, and gets a first message through. The
// function that it returns waits for the end and returns its error; nil is a clean end.
func hold(ctx context.Context, client stack.Client, m greet.Mode) (end func() error, err error) {
	switch m {
	case greet.ServerStream:
		return holdStream(ctx, client)
	case greet.ClientStream:
		return holdCount(ctx, client)
	case greet.Bidi:
		return holdChat(ctx, client)
	}
	return nil, fmt.Errorf("mode %s has no mid-stream", m)
}

// holdStream asks for 100 MiB, more than the buffers of client and server hold.
func holdStream(ctx context.Context, client stack.Client) (end func() error, err error) {
	stream, err := client.GreetStream(ctx, &greetv1.GreetStreamRequest{Name: strings.Repeat("x", 1<<10), Count: largestCount})
	if err != nil {
		return nil, err
	}
	if _, err := stream.Receive(); err != nil {
		return nil, fmt.Errorf("first greeting: %w", err)
	}
	return func() error {
		defer stream.Close()
		return drain(stream.Receive)
	}, nil
}

func holdCount(ctx context.Context, client stack.Client) (end func() error, err error) {
	stream, err := client.GreetCount(ctx)
	if err != nil {
		return nil, err
	}
	err = stream.Send(&greetv1.GreetCountRequest{Name: "one"})
	if err != nil && !errors.Is(err, io.EOF) { // of which CloseAndReceive says why
		return nil, fmt.Errorf("first request: %w", err)
	}
	return func() error {
		_, err := stream.CloseAndReceive()
		return err
	}, nil
}

func holdChat(ctx context.Context, client stack.Client) (end func() error, err error) {
	chat, err := client.GreetChat(ctx)
	if err != nil {
		return nil, err
	}
	err = chat.Send(&greetv1.GreetChatRequest{Name: "one"})
	if err != nil && !errors.Is(err, io.EOF) { // of which Receive says why
		return nil, fmt.Errorf("first request: %w", err)
	}
	if err := wantHi(chat, "one"); err != nil {
		return nil, err
	}
	return func() error {
		defer chat.Close()
		return drain(chat.Receive)
	}, nil
}

// drain receives until the stream ends, and returns nil if it ended cleanly. Messages that were on
// their way may still come first.
func drain[T any](receive func() (T, error)) error {
	for {
		_, err := receive()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

func cancelledBefore(ctx context.Context, client stack.Client, m greet.Mode) error {
	ctx, cancel := context.WithCancel(ctx)
	cancel()
	return wantCode(call(ctx, client, m, "nobody"), greet.CodeCanceled)
}

func deadlineBefore(ctx context.Context, client stack.Client, m greet.Mode) error {
	ctx, cancel := context.WithDeadline(ctx, time.Now().Add(-time.Second))
	defer cancel()
	return wantCode(call(ctx, client, m, "nobody"), greet.CodeDeadlineExceeded)
}

func cancelledInMidStream(ctx context.Context, client stack.Client, m greet.Mode) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	end, err := hold(ctx, client, m)
	if err != nil {
		return err
	}
	cancel()
	return promptly(func() error { return wantCode(end(), greet.CodeCanceled) })
}

// deadlineInMidStream lets the deadlines of several calls pass. A client that mistakes its own
// deadline for a cancellation does so only sometimes.
func deadlineInMidStream(ctx context.Context, client stack.Client, m greet.Mode) error {
	// Without a connection the deadline could pass before the stream is open.
	if err := call(ctx, client, m, "warm"); err != nil {
		return err
	}
	const calls = 4
	ended := make(chan error, calls)
	for range calls {
		go func() { ended <- runsOut(ctx, client, m) }()
	}
	var errs []error
	for range calls {
		errs = append(errs, <-ended)
	}
	return errors.Join(errs...)
}

func runsOut(ctx context.Context, client stack.Client, m greet.Mode) error {
	ctx, cancel := context.WithTimeout(ctx, soon)
	defer cancel()
	end, err := hold(ctx, client, m)
	if err != nil {
		// On a busy machine the first message may take this long.
		return wantCode(err, greet.CodeDeadlineExceeded)
	}
	if m != greet.Bidi { // a chat needs no pause: both ends are waiting already
		<-ctx.Done()
	}
	return promptly(func() error { return wantCode(end(), greet.CodeDeadlineExceeded) })
}

// promptly fails if f takes longer than an immediate end may.
func promptly(f func() error) error {
	begun := time.Now()
	err := f()
	if took := time.Since(begun); err == nil && took > prompt {
		return fmt.Errorf("the end took %v, want at most %v", took, prompt)
	}
	return err
}

// streamClosedEarly leaves a stream in the middle. The client may lose that stream and nothing
// else.
func streamClosedEarly(ctx context.Context, client stack.Client, s Subject) error {
	stream, err := client.GreetStream(ctx, &greetv1.GreetStreamRequest{Name: strings.Repeat("x", 1<<10), Count: largestCount})
	if err != nil {
		return err
	}
	if _, err := stream.Receive(); err != nil {
		return fmt.Errorf("first greeting: %w", err)
	}
	return closedEarly(ctx, client, s, stream.Close)
}

func chatClosedEarly(ctx context.Context, client stack.Client, s Subject) error {
	chat, err := client.GreetChat(ctx)
	if err != nil {
		return err
	}
	if err := chat.Send(&greetv1.GreetChatRequest{Name: "one"}); err != nil {
		return fmt.Errorf("first request: %w", err)
	}
	if err := wantHi(chat, "one"); err != nil {
		return err
	}
	return closedEarly(ctx, client, s, chat.Close)
}

func closedEarly(ctx context.Context, client stack.Client, s Subject, closeCall func() error) error {
	for range 2 {
		if err := promptly(closeCall); err != nil {
			return fmt.Errorf("close: %w", err)
		}
	}
	if err := hello(ctx, client, "after"); err != nil {
		return fmt.Errorf("call after the closed one: %w", err)
	}
	if s.Stack.Name.Transport == stack.H1 {
		return nil // without streams, the connection is the only thing to close
	}
	return wantConnections(client, 1)
}

// slowSender makes the server fail after the first message. It keeps sending slowly and never
// receives.
func slowSender(ctx context.Context, client stack.Client, s Subject) error {
	chat, err := client.GreetChat(ctx)
	if err != nil {
		return err
	}
	defer chat.Close()
	err = chat.Send(&greetv1.GreetChatRequest{Name: LargestName(s.Stack.Name)})
	if err != nil && !errors.Is(err, io.EOF) {
		return fmt.Errorf("send the first request: %w", err)
	}
	// Some servers read on for a while after they have answered: connectrpc in Rust does for 5 s.
	late := time.NewTimer(2 * prompt)
	defer late.Stop()
	for leisure := time.Tick(20 * time.Millisecond); err == nil; err = chat.Send(&greetv1.GreetChatRequest{Name: "more"}) {
		select {
		case <-leisure:
		case <-ctx.Done():
			return fmt.Errorf("sends still succeed: %w", ctx.Err())
		case <-late.C:
			return fmt.Errorf("sends still succeed %v after the server has failed", 2*prompt)
		}
	}
	if !errors.Is(err, io.EOF) {
		return fmt.Errorf("send: got %w, want io.EOF", err)
	}
	_, err = chat.Receive()
	return wantCode(err, greet.CodeResourceExhausted)
}
