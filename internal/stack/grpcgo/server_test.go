package grpcgo

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/grpc"
	"google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/reflection/grpc_reflection_v1"

	greetv1 "example.com/greet/gen/greet/v1"
	"example.com/greet/internal/greet"
	"example.com/greet/internal/listen"
	"example.com/greet/internal/stack"
)

// chatWith opens a chat on a connection of its own and has one exchange, so
// that its handler is known to run.
func chatWith(t *testing.T, addr string) stack.GreetChat {
	t.Helper()
	c, err := dial(addr, stack.DialOptions{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	chat, err := c.GreetChat(soon(t))
	if err != nil {
		t.Fatal(err)
	}
	if err := exchange(chat); err != nil {
		t.Fatal(err)
	}
	return chat
}

func exchange(chat stack.GreetChat) error {
	if err := chat.Send(&greetv1.GreetChatRequest{Name: "x"}); err != nil {
		return err
	}
	_, err := chat.Receive()
	return err
}

// ended waits for the server to end by itself and checks that it did so well.
func (r running) ended(t *testing.T) {
	t.Helper()
	select {
	case err := <-r.done:
		if err != nil {
			t.Errorf("serve: %v", err)
		}
	case <-time.After(10 * time.Second):
		t.Fatal("the server does not end")
	}
}

func TestDrainLetsCallsEnd(t *testing.T) {
	r := start(t, NewServerOf(service{}, stack.ServeOptions{Drain: 10 * time.Second}).Run)
	chat := chatWith(t, r.addr)
	r.stop()
	waitRefused(t, r.addr)
	if err := exchange(chat); err != nil {
		t.Errorf("exchange during the drain: %v", err)
	}
	if err := chat.CloseSend(); err != nil {
		t.Errorf("close send: %v", err)
	}
	if _, err := chat.Receive(); !errors.Is(err, io.EOF) {
		t.Errorf("chat ended with %v, want io.EOF", err)
	}
	r.ended(t)
}

// waitRefused returns once the server takes no more connections.
func waitRefused(t *testing.T, addr string) {
	t.Helper()
	for deadline := time.Now().Add(10 * time.Second); time.Now().Before(deadline); {
		conn, err := net.Dial("tcp", addr)
		if err != nil {
			return
		}
		conn.Close()
	}
	t.Fatal("the server still takes connections")
}

func TestDrainCutsAtItsLimit(t *testing.T) {
	const limit = 100 * time.Millisecond
	r := start(t, NewServerOf(service{}, stack.ServeOptions{Drain: limit}).Run)
	chat := chatWith(t, r.addr)
	begun := time.Now()
	r.stop()
	if _, err := chat.Receive(); greet.CodeOf(err) != greet.CodeUnavailable {
		t.Errorf("idle chat ended with %v, want code unavailable", err)
	}
	r.ended(t)
	if took := time.Since(begun); took < limit || took > limit+time.Second {
		t.Errorf("drain took %v, want between %v and %v", took, limit, limit+time.Second)
	}
}

// TestDemoTellsWhatItCuts has two calls that are cut and one that has ended.
func TestDemoTellsWhatItCuts(t *testing.T) {
	o := demo(io.Discard, nil)
	o.Drain = 500 * time.Millisecond
	r := start(t, NewServerOf(service{}, o).Run)
	for range 2 {
		chatWith(t, r.addr)
	}
	if err := chatWith(t, r.addr).Close(); err != nil {
		t.Fatal(err)
	}
	r.stop()
	err := <-r.done
	want := &listen.CutError{Limit: o.Drain, Calls: 2, Over: []string{"HTTP/2"}}
	if cut, ok := errors.AsType[*listen.CutError](err); !ok || !reflect.DeepEqual(cut, want) {
		t.Errorf("got %v, want %v", err, want)
	}
}

func TestStopBeforeStart(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	stop()
	r := start(t, func(_ context.Context, socket listen.Socket) error {
		return NewServerOf(service{}, demo(io.Discard, nil)).Run(ctx, socket)
	})
	r.ended(t)
}

func TestServeNamesTheSocketThatFailed(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l.Close()
	err = NewServerOf(service{}, stack.ServeOptions{}).Run(t.Context(), listen.Socket{TCP: l})
	if err == nil || !strings.Contains(err.Error(), l.Addr().String()) {
		t.Errorf("serving on a closed socket: %v, want an error that names %s", err, l.Addr())
	}
}

func TestHealth(t *testing.T) {
	stopping := make(chan struct{})
	o := demo(io.Discard, stopping)
	o.Drain = 10 * time.Second
	r := start(t, NewServerOf(service{}, o).Run)
	health := grpc_health_v1.NewHealthClient(plain(t, r.addr))
	for _, service := range []string{"", "greet.v1.GreetService"} {
		res, err := health.Check(soon(t), &grpc_health_v1.HealthCheckRequest{Service: service})
		if err != nil || res.GetStatus() != grpc_health_v1.HealthCheckResponse_SERVING {
			t.Errorf("health of %q is %v, %v, want SERVING", service, res, err)
		}
	}
	_, err := health.Check(soon(t), &grpc_health_v1.HealthCheckRequest{Service: "nobody"})
	if code := greet.CodeOf(fromStatus(err)); code != greet.CodeNotFound {
		t.Errorf("health of an unknown service: code %v, want not_found", code)
	}

	watch, err := health.Watch(soon(t), &grpc_health_v1.HealthCheckRequest{})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []grpc_health_v1.HealthCheckResponse_ServingStatus{
		grpc_health_v1.HealthCheckResponse_SERVING,
		grpc_health_v1.HealthCheckResponse_NOT_SERVING,
	} {
		res, err := watch.Recv()
		if err != nil || res.GetStatus() != want {
			t.Fatalf("watch says %v, %v, want %v", res, err, want)
		}
		if want == grpc_health_v1.HealthCheckResponse_SERVING {
			close(stopping)
		}
	}
	if _, err := watch.Recv(); !errors.Is(err, io.EOF) {
		t.Errorf("watch ended with %v, want io.EOF: it would hold up the drain", err)
	}

	// Not serving is said while calls are still taken.
	res, err := health.Check(soon(t), &grpc_health_v1.HealthCheckRequest{})
	if err != nil || res.GetStatus() != grpc_health_v1.HealthCheckResponse_NOT_SERVING {
		t.Errorf("health while stopping is %v, %v, want NOT_SERVING", res, err)
	}
	r.stop()
	r.ended(t)
}

func TestReflection(t *testing.T) {
	conn := plain(t, start(t, NewServerOf(service{}, demo(io.Discard, nil)).Run).addr)
	want := []string{
		"greet.v1.GreetService",
		"grpc.health.v1.Health",
		"grpc.reflection.v1.ServerReflection",
		"grpc.reflection.v1alpha.ServerReflection",
	}
	for _, version := range []string{"v1", "v1alpha"} {
		got, err := listServices(soon(t), conn, version)
		if err != nil {
			t.Errorf("reflection %s: %v", version, err)
			continue
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("reflection %s: services (-want +got):\n%s", version, diff)
		}
	}
}

// listServices asks by method name and with the messages of v1, which are those
// of v1alpha too.
func listServices(ctx context.Context, conn *grpc.ClientConn, version string) ([]string, error) {
	desc := &grpc.StreamDesc{ClientStreams: true, ServerStreams: true}
	stream, err := conn.NewStream(ctx, desc, "/grpc.reflection."+version+".ServerReflection/ServerReflectionInfo")
	if err != nil {
		return nil, err
	}
	ask := &grpc_reflection_v1.ServerReflectionRequest_ListServices{ListServices: "*"}
	if err := stream.SendMsg(&grpc_reflection_v1.ServerReflectionRequest{MessageRequest: ask}); err != nil {
		return nil, err
	}
	res := new(grpc_reflection_v1.ServerReflectionResponse)
	if err := stream.RecvMsg(res); err != nil {
		return nil, err
	}
	var names []string
	for _, s := range res.GetListServicesResponse().GetService() {
		names = append(names, s.GetName())
	}
	slices.Sort(names)
	return names, nil
}

// TestWithoutDemo checks that a server under measurement serves greet.v1 alone.
func TestWithoutDemo(t *testing.T) {
	var got []string
	for name := range NewServerOf(service{}, stack.ServeOptions{}).GetServiceInfo() {
		got = append(got, name)
	}
	if diff := cmp.Diff([]string{"greet.v1.GreetService"}, got); diff != "" {
		t.Errorf("services (-want +got):\n%s", diff)
	}
	if p := keepaliveParams(stack.ServeOptions{}); p.MaxConnectionAge != 0 || p.MaxConnectionIdle != 0 {
		t.Errorf("keepalive %+v, want no end of connections that behave", p)
	}
}

// TestStreamsPerConnection opens as many chats as one connection may have; the
// next call waits until there is room.
func TestStreamsPerConnection(t *testing.T) {
	for _, limit := range []uint32{0, 120} {
		want := max(int(limit), 100)
		t.Run(fmt.Sprint(want), func(t *testing.T) {
			c := serveStack(t, stack.H2C, stack.ServeOptions{Streams: limit})
			for i := range want {
				chat, err := c.GreetChat(soon(t))
				if err != nil {
					t.Fatal(err)
				}
				t.Cleanup(func() { chat.Close() })
				if err := exchange(chat); err != nil {
					t.Fatalf("chat %d: %v", i+1, err)
				}
			}
			ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
			defer cancel()
			if _, err := c.Greet(ctx, &greetv1.GreetRequest{}); greet.CodeOf(err) != greet.CodeDeadlineExceeded {
				t.Errorf("call beside %d chats ended with %v, want code deadline_exceeded", want, err)
			}
		})
	}
}
