package connectgo

import (
	"context"

	"connectrpc.com/connect/v2"
	"google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/protobuf/reflect/protoreflect"

	"example.com/greet/gen/greet/v1/greetv1connect"
)

// health answers the standard health service (grpc.health.v1). The server as a whole and the greet
// service have the same status: healthy until stopping is closed.
//
// It is registered by descriptor on the same connect-go v2 server as the rest.
// connectrpc.com/grpchealth would link connect-go v1 into a server that otherwise has none of it,
// and its watchers would hold up every drain.
type health struct{ stopping <-chan struct{} }

func (h health) register(server *connect.Server) {
	methods := grpc_health_v1.File_grpc_health_v1_health_proto.Services().ByName("Health").Methods()
	method := func(name protoreflect.Name, kind connect.StreamType, procedure string, handler connect.ServerFunc) connect.Method {
		spec := connect.Spec{StreamType: kind, Schema: methods.ByName(name), Procedure: procedure}
		return connect.Method{Spec: spec, Handler: handler}
	}
	server.Register(
		method("Check", connect.StreamTypeUnary, grpc_health_v1.Health_Check_FullMethodName, h.check),
		method("List", connect.StreamTypeUnary, grpc_health_v1.Health_List_FullMethodName, h.list),
		method("Watch", connect.StreamTypeServer, grpc_health_v1.Health_Watch_FullMethodName, h.watch),
	)
}

func (h health) check(_ context.Context, _ connect.Spec, stream connect.ServerStream) error {
	service, err := receiveService(stream)
	if err != nil {
		return err
	}
	if !known(service) {
		return connect.Errorf(connect.CodeNotFound, "unknown service %q", service)
	}
	return sendStatus(stream, h.status())
}

// list sends the status of every name that check knows.
func (h health) list(_ context.Context, _ connect.Spec, stream connect.ServerStream) error {
	if err := stream.Receive(new(grpc_health_v1.HealthListRequest)); err != nil {
		return err
	}
	statuses := map[string]*grpc_health_v1.HealthCheckResponse{}
	for _, service := range []string{"", greetv1connect.GreetServiceName} {
		statuses[service] = &grpc_health_v1.HealthCheckResponse{Status: h.status()}
	}
	return stream.Send(&grpc_health_v1.HealthListResponse{Statuses: statuses})
}

// watch sends the status now and once more when it changes. It changes only once, so the stream
// ends then and does not hold up the drain.
func (h health) watch(ctx context.Context, _ connect.Spec, stream connect.ServerStream) error {
	service, err := receiveService(stream)
	if err != nil {
		return err
	}
	status := h.status()
	if !known(service) {
		// The protocol wants no error here: the service may yet be registered.
		status = grpc_health_v1.HealthCheckResponse_SERVICE_UNKNOWN
	}
	if err := sendStatus(stream, status); err != nil {
		return err
	}
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-h.stopping:
	}
	if status != grpc_health_v1.HealthCheckResponse_SERVING {
		return nil
	}
	return sendStatus(stream, h.status())
}

func (h health) status() grpc_health_v1.HealthCheckResponse_ServingStatus {
	select {
	case <-h.stopping:
		return grpc_health_v1.HealthCheckResponse_NOT_SERVING
	default:
		return grpc_health_v1.HealthCheckResponse_SERVING
	}
}

func known(service string) bool { return service == "" || service == greetv1connect.GreetServiceName }

func receiveService(stream connect.ServerStream) (string, error) {
	var req grpc_health_v1.HealthCheckRequest
	err := stream.Receive(&req)
	return req.GetService(), err
}

func sendStatus(stream connect.ServerStream, status grpc_health_v1.HealthCheckResponse_ServingStatus) error {
	return stream.Send(&grpc_health_v1.HealthCheckResponse{Status: status})
}
