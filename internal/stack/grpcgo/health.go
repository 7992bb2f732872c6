package grpcgo

import (
	"context"

	"google.golang.org/grpc"
	"google.golang.org/grpc/health"
	"google.golang.org/grpc/health/grpc_health_v1"

	greetv1 "example.com/greet/gen/greet/v1"
)

// healthService is grpc's own health service, except that a watch ends with the server.
type healthService struct{ *health.Server }

// newHealth returns a service that reports SERVING, for the server as a whole and for the greet
// service, until Shutdown is called.
func newHealth() healthService {
	h := health.NewServer()
	h.SetServingStatus(greetv1.GreetService_ServiceDesc.ServiceName, grpc_health_v1.HealthCheckResponse_SERVING)
	return healthService{h}
}

// Watch ends the stream once it has reported that the server stops, since nothing else can follow.
// grpc's own watch goes on for as long as the client listens, and holds up every drain.
func (h healthService) Watch(req *grpc_health_v1.HealthCheckRequest, stream grpc.ServerStreamingServer[grpc_health_v1.HealthCheckResponse]) error {
	ctx, end := context.WithCancel(stream.Context())
	defer end()
	err := h.Server.Watch(req, &watch{stream, ctx, end})
	if stream.Context().Err() == nil && ctx.Err() != nil {
		return nil
	}
	return err
}

// watch is a stream whose context ends with NOT_SERVING.
type watch struct {
	grpc.ServerStreamingServer[grpc_health_v1.HealthCheckResponse]
	ctx context.Context
	end context.CancelFunc
}

func (w *watch) Context() context.Context { return w.ctx }

func (w *watch) Send(res *grpc_health_v1.HealthCheckResponse) error {
	err := w.ServerStreamingServer.Send(res)
	if res.GetStatus() == grpc_health_v1.HealthCheckResponse_NOT_SERVING {
		w.end()
	}
	return err
}
