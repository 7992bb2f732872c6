package connectgo

import (
	"errors"
	"io"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/status"
)

const (
	serving    = grpc_health_v1.HealthCheckResponse_SERVING
	notServing = grpc_health_v1.HealthCheckResponse_NOT_SERVING
	unknown    = grpc_health_v1.HealthCheckResponse_SERVICE_UNKNOWN
)

// newHealthClient asks as load balancers do: with grpc-go.
func newHealthClient(t *testing.T, addr string) grpc_health_v1.HealthClient {
	t.Helper()
	conn, err := grpc.NewClient(addr, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	return grpc_health_v1.NewHealthClient(conn)
}

func TestHealthCheck(t *testing.T) {
	addr, d := serveDemo(t, service{})
	client := newHealthClient(t, addr)
	expect := func(service string, want grpc_health_v1.HealthCheckResponse_ServingStatus) {
		t.Helper()
		res, err := client.Check(t.Context(), &grpc_health_v1.HealthCheckRequest{Service: service})
		if err != nil || res.GetStatus() != want {
			t.Errorf("service %q: got %v, %v; want %v", service, res.GetStatus(), err, want)
		}
	}
	expect("", serving)
	expect("greet.v1.GreetService", serving)
	_, err := client.Check(t.Context(), &grpc_health_v1.HealthCheckRequest{Service: "nobody.v1.Nothing"})
	if status.Code(err) != codes.NotFound {
		t.Errorf("unknown service: got %v, want not found", err)
	}
	d.stop()
	expect("", notServing)
	expect("greet.v1.GreetService", notServing)
}

func TestHealthList(t *testing.T) {
	addr, d := serveDemo(t, service{})
	client := newHealthClient(t, addr)
	expect := func(want grpc_health_v1.HealthCheckResponse_ServingStatus) {
		t.Helper()
		res, err := client.List(t.Context(), new(grpc_health_v1.HealthListRequest))
		if err != nil {
			t.Fatal(err)
		}
		got := map[string]grpc_health_v1.HealthCheckResponse_ServingStatus{}
		for service, response := range res.GetStatuses() {
			got[service] = response.GetStatus()
		}
		if len(got) != 2 || got[""] != want || got["greet.v1.GreetService"] != want {
			t.Errorf("got %v, want both %v", got, want)
		}
	}
	expect(serving)
	d.stop()
	expect(notServing)
}

// TestHealthWatch expects the status now, once more when it changes, and then
// the end.
func TestHealthWatch(t *testing.T) {
	addr, d := serveDemo(t, service{})
	client := newHealthClient(t, addr)
	watch := func(service string) grpc.ServerStreamingClient[grpc_health_v1.HealthCheckResponse] {
		t.Helper()
		stream, err := client.Watch(t.Context(), &grpc_health_v1.HealthCheckRequest{Service: service})
		if err != nil {
			t.Fatal(err)
		}
		return stream
	}
	expect := func(stream grpc.ServerStreamingClient[grpc_health_v1.HealthCheckResponse], want grpc_health_v1.HealthCheckResponse_ServingStatus) {
		t.Helper()
		if res, err := stream.Recv(); err != nil || res.GetStatus() != want {
			t.Errorf("got %v, %v; want %v", res.GetStatus(), err, want)
		}
	}
	known, other := watch("greet.v1.GreetService"), watch("nobody.v1.Nothing")
	expect(known, serving)
	expect(other, unknown)
	d.stop()
	expect(known, notServing)
	for _, stream := range []grpc.ServerStreamingClient[grpc_health_v1.HealthCheckResponse]{known, other} {
		if _, err := stream.Recv(); !errors.Is(err, io.EOF) {
			t.Errorf("got %v, want the end of the stream", err)
		}
	}
	late := watch("")
	expect(late, notServing)
	if _, err := late.Recv(); !errors.Is(err, io.EOF) {
		t.Errorf("got %v, want the end of the stream", err)
	}
}
