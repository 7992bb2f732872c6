package floor_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"example.com/greet/benchmark/internal/calls"
	"example.com/greet/benchmark/internal/load"
	"example.com/greet/benchmark/internal/stack/floor"
	greetv1 "example.com/greet/gen/greet/v1"
	"example.com/greet/internal/greet"
	"example.com/greet/internal/listen"
	"example.com/greet/internal/stack"
	"example.com/greet/internal/stack/connectgo"
	"example.com/greet/internal/stack/grpcgo"
)

// serve serves a stack, and returns where.
func serve(t *testing.T, s stack.Stack) (addr string) {
	t.Helper()
	socket, err := listen.Bind("127.0.0.1:0", true, false)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	served := make(chan error, 1)
	go func() { served <- s.Serve(ctx, socket, stack.ServeOptions{Drain: time.Second}) }()
	t.Cleanup(func() {
		cancel()
		if err := <-served; err != nil {
			t.Errorf("serve %s: %v", s.Name, err)
		}
	})
	return socket.Addr()
}

// called lists servers of each kind that the driver can call.
func called(t *testing.T) []stack.Stack {
	t.Helper()
	grpcGo, err := grpcgo.New(stack.H2C)
	if err != nil {
		t.Fatal(err)
	}
	return append(floor.Stacks(), grpcGo, connectgo.New(stack.GRPC, stack.H2C, "proto"), connectgo.New(stack.Connect, stack.H2C, "proto"))
}

// works are calls in each mode, small and large.
var works = map[string]calls.Work{
	"unary":                 {Mode: greet.Unary, Payload: 16, Messages: 1},
	"unary of 2 MiB":        {Mode: greet.Unary, Payload: 2 << 20, Messages: 1},
	"unary with headers":    {Mode: greet.Unary, Payload: 16, Messages: 1, Headers: 10},
	"server stream":         {Mode: greet.ServerStream, Payload: 1 << 10, Messages: 200},
	"long server stream":    {Mode: greet.ServerStream, Payload: 16, Messages: 10_000},
	"large server stream":   {Mode: greet.ServerStream, Payload: 1 << 20, Messages: 3},
	"refused server stream": {Mode: greet.ServerStream, Payload: 16, Messages: 1, Refused: true},
	"client stream":         {Mode: greet.ClientStream, Payload: 16, Messages: 10},
	"long client stream":    {Mode: greet.ClientStream, Payload: 1 << 10, Messages: 2000},
	"large client stream":   {Mode: greet.ClientStream, Payload: 1 << 20, Messages: 3},
	"ping-pong":             {Mode: greet.Bidi, Payload: 1 << 10, Messages: 50, Numbered: true, InTurn: true},
	"ping-pong, repeated":   {Mode: greet.Bidi, Payload: 0, Messages: 3, InTurn: true},
	"large ping-pong":       {Mode: greet.Bidi, Payload: 1 << 20, Messages: 3, Numbered: true, InTurn: true},
	"flood":                 {Mode: greet.Bidi, Payload: 1 << 10, Messages: 3000, Numbered: true},
	"large flood":           {Mode: greet.Bidi, Payload: 1 << 20, Messages: 5, Numbered: true},
}

// TestDriverModes has each server called in each mode, by one call and by several at a
// time.
func TestDriverModes(t *testing.T) {
	for _, s := range called(t) {
		addr := serve(t, s)
		for what, w := range works {
			for _, concurrency := range []int{1, 5} {
				t.Run(fmt.Sprintf("%s/%s/%d", s.Name, what, concurrency), func(t *testing.T) {
					w.Connections = min(2, concurrency)
					checkMode(t, driverOf(t, addr, s.Name.Protocol, w), w, concurrency)
				})
			}
		}
	}
}

// checkMode makes calls and looks at all that the driver says of them.
func checkMode(t *testing.T, d *floor.Driver, w calls.Work, concurrency int) {
	t.Helper()
	n := int64(2 * concurrency)
	record := calls.Record{First: load.NewTimes(), Gap: load.NewTimes(), Trip: load.NewTimes()}
	if concurrency == 1 {
		record.InFlight = new(calls.InFlight)
	}
	got, err := load.Run(t.Context(), d.Recording(record), load.Plan{Concurrency: concurrency, Calls: n, Deadline: 20 * time.Second})
	if err != nil || got.Calls != n || got.Failures() > 0 || got.Latency.TotalCount() != n {
		t.Fatalf("got %d calls, %d latencies, errors %v %q, %v, want %d calls", got.Calls, got.Latency.TotalCount(), got.Errors, got.Text, err, n)
	}
	sent, received := messages(w)
	if got.Sent != n*sent || got.Received != n*received {
		t.Errorf("%d messages sent and %d received, want %d and %d", got.Sent, got.Received, n*sent, n*received)
	}
	if first := record.First.Histogram().TotalCount(); first != min(n, n*received) {
		t.Errorf("%d times of first messages, want one for each call", first)
	}
	if gaps := record.Gap.Histogram().TotalCount(); gaps != n*max(0, received-1) {
		t.Errorf("%d gaps between messages, want %d", gaps, n*max(0, received-1))
	}
	if trips := record.Trip.Histogram().TotalCount(); trips != n*received {
		t.Errorf("%d times of answers, want %d", trips, n*received)
	}
	if in := record.InFlight; in != nil && w.InTurn && (in.Most() != 1 || in.Mean() != 1) {
		t.Errorf("up to %d messages in flight, %v on average, want 1", in.Most(), in.Mean())
	}
	if in := record.InFlight; in != nil && w.Messages == 3000 && (in.Most() < 2 || in.Mean() > float64(in.Most())) {
		t.Errorf("up to %d messages in flight, %v on average, want more than 1", in.Most(), in.Mean())
	}
}

// messages is how many each call sends and receives.
func messages(w calls.Work) (sent, received int64) {
	switch n := int64(w.Messages); {
	case w.Refused:
		return 1, 0
	case w.Mode == greet.ServerStream:
		return 1, n
	case w.Mode == greet.ClientStream:
		return n, 1
	default:
		return n, n
	}
}

// liar is a server that grpc-go serves, and whose streams go wrong by the length of
// the name.
type liar struct {
	greetv1.UnimplementedGreetServiceServer
}

const (
	wrongAtTheEnd = iota + 10
	oneTooMany
	oneTooFew
	failsInTheMiddle
	hangs
	answersFirst
)

func (liar) GreetStream(req *greetv1.GreetStreamRequest, stream grpc.ServerStreamingServer[greetv1.GreetStreamResponse]) error {
	how, n := len(req.GetName()), req.GetCount()
	switch how {
	case oneTooMany:
		n++
	case oneTooFew, hangs:
		n--
	}
	for i := range n {
		greeting := greet.NumberedHello(i+1, req.GetName())
		if how == wrongAtTheEnd && i == n-1 {
			greeting = greet.NumberedHello(i, req.GetName())
		}
		if how == failsInTheMiddle && i == n/2 {
			return status.Error(codes.DataLoss, "lost it")
		}
		if err := stream.Send(&greetv1.GreetStreamResponse{Greeting: greeting}); err != nil {
			return err
		}
	}
	if how == hangs {
		return untilDone(stream.Context())
	}
	return nil
}

func (liar) GreetCount(stream grpc.ClientStreamingServer[greetv1.GreetCountRequest, greetv1.GreetCountResponse]) error {
	first, err := stream.Recv()
	if err != nil {
		return err
	}
	switch len(first.GetName()) {
	case answersFirst:
		return stream.SendAndClose(&greetv1.GreetCountResponse{Count: 20_000})
	case hangs:
		return untilDone(stream.Context())
	}
	return status.Error(codes.DataLoss, "lost it")
}

func (liar) GreetChat(stream grpc.BidiStreamingServer[greetv1.GreetChatRequest, greetv1.GreetChatResponse]) error {
	for i := 0; ; i++ {
		req, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		greeting := greet.Hi(req.GetName())
		switch len(req.GetName()) {
		case wrongAtTheEnd:
			greeting = greet.Hi(strings.Replace(req.GetName(), "0000003-", "0000002-", 1))
		case oneTooMany:
			if err := stream.Send(&greetv1.GreetChatResponse{Greeting: greeting}); err != nil {
				return err
			}
		case failsInTheMiddle:
			if i == 2 {
				return status.Error(codes.DataLoss, "lost it")
			}
		case hangs:
			return untilDone(stream.Context())
		}
		if err := stream.Send(&greetv1.GreetChatResponse{Greeting: greeting}); err != nil {
			return err
		}
	}
}

func untilDone(ctx context.Context) error {
	<-ctx.Done()
	return status.FromContextError(ctx.Err()).Err()
}

// TestDriverIsNotFooled meets servers whose streams look right for a while.
func TestDriverIsNotFooled(t *testing.T) {
	addr := serveLiar(t)
	for _, test := range []struct {
		mode   greet.Mode
		how    int
		inTurn bool
		code   string
	}{
		{greet.ServerStream, 3, false, ""},
		{greet.ServerStream, wrongAtTheEnd, false, "wrong_reply"},
		{greet.ServerStream, oneTooMany, false, "wrong_reply"},
		{greet.ServerStream, oneTooFew, false, "wrong_reply"},
		{greet.ServerStream, failsInTheMiddle, false, "data_loss"},
		{greet.ServerStream, hangs, false, "deadline_exceeded"},
		{greet.ClientStream, 3, false, "data_loss"},
		{greet.ClientStream, hangs, false, "deadline_exceeded"},
		{greet.Bidi, 20, false, ""},
		{greet.Bidi, 20, true, ""},
		{greet.Bidi, wrongAtTheEnd, false, "wrong_reply"},
		{greet.Bidi, wrongAtTheEnd, true, "wrong_reply"},
		{greet.Bidi, oneTooMany, false, "wrong_reply"},
		{greet.Bidi, oneTooMany, true, "wrong_reply"},
		{greet.Bidi, failsInTheMiddle, false, "data_loss"},
		{greet.Bidi, failsInTheMiddle, true, "data_loss"},
		{greet.Bidi, hangs, true, "deadline_exceeded"},
	} {
		t.Run(fmt.Sprint(test.mode, test.how, test.inTurn), func(t *testing.T) {
			w := calls.Work{Mode: test.mode, Payload: test.how, Messages: 20, Numbered: true, InTurn: test.inTurn, Connections: 1}
			times := load.NewTimes()
			plan := load.Plan{Concurrency: 2, Calls: 6, Deadline: 5 * time.Second}
			if test.how == hangs {
				plan.Deadline = 100 * time.Millisecond
			}
			d := driverOf(t, addr, stack.GRPC, w)
			got, err := load.Run(t.Context(), d.Recording(calls.Record{First: times, Gap: times, Trip: times}), plan)
			if err != nil || test.code == "" && got.Calls != 6 || test.code != "" && (got.Errors[test.code] != 6 || got.Calls != 0) {
				t.Errorf("got %d calls, errors %v %q, %v, want 6 of %q", got.Calls, got.Errors, got.Text, err, test.code)
			}
			if noted := times.Histogram().TotalCount(); test.code != "" && noted > 0 {
				t.Errorf("%d times of calls that failed were kept", noted)
			}
		})
	}
}

func serveLiar(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := grpc.NewServer()
	greetv1.RegisterGreetServiceServer(s, liar{})
	served := make(chan error, 1)
	go func() { served <- s.Serve(l) }()
	t.Cleanup(func() {
		s.Stop()
		<-served
	})
	return l.Addr().String()
}

// TestReplyBeforeItsRequest has a server answer a stream, in all the right words, that
// the client has not sent yet.
func TestReplyBeforeItsRequest(t *testing.T) {
	w := calls.Work{Mode: greet.ClientStream, Payload: answersFirst, Messages: 20_000, Connections: 1}
	d := driverOf(t, serveLiar(t), stack.GRPC, w)
	got, err := load.Run(t.Context(), d, load.Plan{Concurrency: 1, Calls: 3, Deadline: 5 * time.Second})
	if err != nil || got.Errors["wrong_reply"] != 3 || !strings.Contains(got.Text, "before its request") {
		t.Errorf("got %d calls, errors %v %q, %v, want 3 wrong replies", got.Calls, got.Errors, got.Text, err)
	}
}
