//go:build clients

package conformance_test

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net"
	"strconv"
	"strings"

	"connectrpc.com/connect/v2"
	"connectrpc.com/connect/v2/connecthttp"
	"connectrpc.com/connect/v2/connectproto"
	statuspb "google.golang.org/genproto/googleapis/rpc/status"
	"google.golang.org/grpc"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"

	greetv1 "example.com/greet/gen/greet/v1"
	"example.com/greet/internal/greet"
	"example.com/greet/internal/listen"
	"example.com/greet/internal/stack"
	"example.com/greet/internal/stack/connectgo"
	"example.com/greet/internal/stack/grpcgo"
	conformancev1 "example.com/greet/test/conformance/gen/connectrpc/conformance/v1"
)

// serveFunc serves the suite's service on a socket.
type serveFunc func(ctx context.Context, socket listen.Socket, o stack.ServeOptions) error

// server is a program under test: it reads what to serve, says where, and serves until
// ctx is done.
func server(ctx context.Context, in io.Reader, out io.Writer, serve serveFunc) error {
	request := new(conformancev1.ServerCompatRequest)
	if err := readMessage(in, request); err != nil {
		return err
	}
	o := serveOptions()
	socket, err := listen.Bind("127.0.0.1:0", true, request.GetUseTls())
	if err != nil {
		return err
	}
	defer socket.Close()
	if request.GetUseTls() {
		cert, err := tls.X509KeyPair(request.GetServerCreds().GetCert(), request.GetServerCreds().GetKey())
		if err != nil {
			return fmt.Errorf("read the suite's certificate: %w", err)
		}
		o.TLS = listen.ServerTLS(cert)
	}
	host, port, err := net.SplitHostPort(socket.Addr())
	if err != nil {
		return err
	}
	number, err := strconv.ParseUint(port, 10, 16)
	if err != nil {
		return err
	}
	response := &conformancev1.ServerCompatResponse{Host: host, Port: uint32(number), PemCert: request.GetServerCreds().GetCert()}
	if err := writeMessage(out, response); err != nil {
		return err
	}
	err = serve(ctx, socket, o)
	if _, cut := errors.AsType[*listen.CutError](err); cut {
		return nil // of calls that the suite has given up
	}
	return err
}

// serveOptions are those of the server command, limits included.
func serveOptions() stack.ServeOptions {
	log := slog.New(slog.DiscardHandler)
	return stack.ServeOptions{
		CallLimit: listen.DefaultCallLimit,
		Demo:      &stack.Demo{Log: log, Calls: greet.NewCallLog(log), Stopping: make(chan struct{})},
	}
}

func serveConnect(ctx context.Context, socket listen.Socket, o stack.ServeOptions) error {
	handler := connectgo.NewHandlerFor(o, func(server *connect.Server) {
		for _, m := range methods() {
			server.Register(connect.Method{Spec: specOf(m), Handler: serveConnectCall})
		}
	})
	return listen.ServeHTTP(ctx, socket, handler, stack.AllHTTP(o))
}

// serveFast is serveConnect with HTTP/2 by package h2http.
func serveFast(ctx context.Context, socket listen.Socket, o stack.ServeOptions) error {
	o.FastHTTP2 = true
	return serveConnect(ctx, socket, o)
}

// specOf is what connect-go's generated code says of a method.
func specOf(m protoreflect.MethodDescriptor) connect.Spec {
	spec := connect.Spec{Schema: m, Procedure: procedure(m)}
	if m.IsStreamingClient() {
		spec.StreamType |= connect.StreamTypeClient
	}
	if m.IsStreamingServer() {
		spec.StreamType |= connect.StreamTypeServer
	}
	if o, ok := m.Options().(*descriptorpb.MethodOptions); ok && o.GetIdempotencyLevel() == descriptorpb.MethodOptions_NO_SIDE_EFFECTS {
		spec.IdempotencyLevel = connect.IdempotencyNoSideEffects
	}
	return spec
}

func serveConnectCall(ctx context.Context, spec connect.Spec, stream connect.ServerStream) error {
	call, _ := connect.CallInfoForServerContext(ctx)
	method, ok := spec.Schema.(protoreflect.MethodDescriptor)
	if !ok {
		return fmt.Errorf("serve %s: it has no descriptor", spec.Procedure)
	}
	info := &conformancev1.ConformancePayload_RequestInfo{RequestHeaders: headers(call.RequestHeader().All()), TimeoutMs: deadlineIn(ctx)}
	if server, ok := connecthttp.ServerInfoForContext(ctx); ok && len(server.HTTPGetQueryParams()) > 0 {
		info.ConnectGetInfo = &conformancev1.ConformancePayload_ConnectGetInfo{QueryParams: headers(maps.All(server.HTTPGetQueryParams()))}
	}
	return (&serverCall{
		method:  method,
		receive: stream.Receive, send: stream.Send, open: stream.SendHeaders,
		setMetadata: func(header, trailer []*conformancev1.Header) error {
			addHeaders(header, call.ResponseHeader().Add)
			addHeaders(trailer, call.ResponseTrailer().Add)
			return nil
		},
		fail: connectError,
		info: info,
	}).serve()
}

func addHeaders(list []*conformancev1.Header, add func(key, value string)) {
	for _, h := range list {
		for _, value := range h.GetValue() {
			add(h.GetName(), value)
		}
	}
}

func connectError(e *conformancev1.Error) error {
	failed := connect.NewError(connect.Code(e.GetCode()), e.GetMessage())
	for _, detail := range e.GetDetails() {
		packed, err := connectproto.NewErrorDetail(detail)
		if err != nil {
			return err
		}
		failed = failed.WithDetail(packed)
	}
	return failed
}

func serveGRPC(ctx context.Context, socket listen.Socket, o stack.ServeOptions) error {
	server := grpcgo.NewServerOf(greetv1.UnimplementedGreetServiceServer{}, o)
	d := &grpc.ServiceDesc{ServiceName: string(service.FullName()), HandlerType: (*any)(nil)}
	for _, m := range methods() {
		if m.IsStreamingClient() || m.IsStreamingServer() {
			d.Streams = append(d.Streams, streamMethod(m))
		} else {
			d.Methods = append(d.Methods, unaryMethod(m))
		}
	}
	server.RegisterService(d, nil)
	return server.Run(ctx, socket)
}

// unaryMethod does what grpc-go's generated code does for a unary method.
func unaryMethod(m protoreflect.MethodDescriptor) grpc.MethodDesc {
	return grpc.MethodDesc{MethodName: string(m.Name()), Handler: func(_ any, ctx context.Context, receive func(any) error, intercept grpc.UnaryServerInterceptor) (response any, err error) {
		request, err := newMessage(m.Input())
		if err != nil {
			return nil, err
		}
		if err := receive(request); err != nil {
			return nil, err
		}
		return intercept(ctx, request, &grpc.UnaryServerInfo{FullMethod: procedure(m)}, func(ctx context.Context, _ any) (any, error) {
			call := grpcCall(ctx, m)
			call.receive = func(message any) error {
				proto.Merge(message.(proto.Message), request)
				return nil
			}
			call.send = func(message any) error {
				response = message
				return nil
			}
			err := call.serve()
			return response, err
		})
	}}
}

func streamMethod(m protoreflect.MethodDescriptor) grpc.StreamDesc {
	return grpc.StreamDesc{
		StreamName: string(m.Name()), ClientStreams: m.IsStreamingClient(), ServerStreams: m.IsStreamingServer(),
		Handler: func(_ any, stream grpc.ServerStream) error {
			call := grpcCall(stream.Context(), m)
			call.receive, call.send = stream.RecvMsg, stream.SendMsg
			call.open = func() error { return stream.SendHeader(nil) }
			return call.serve()
		},
	}
}

func grpcCall(ctx context.Context, m protoreflect.MethodDescriptor) *serverCall {
	incoming, _ := metadata.FromIncomingContext(ctx)
	return &serverCall{
		method: m,
		setMetadata: func(header, trailer []*conformancev1.Header) error {
			return errors.Join(grpc.SetHeader(ctx, toMetadata(header)), grpc.SetTrailer(ctx, toMetadata(trailer)))
		},
		fail: func(e *conformancev1.Error) error {
			return status.ErrorProto(&statuspb.Status{Code: int32(e.GetCode()), Message: e.GetMessage(), Details: e.GetDetails()})
		},
		info: &conformancev1.ConformancePayload_RequestInfo{
			RequestHeaders: headers(maps.All(fromMetadata(incoming))), TimeoutMs: deadlineIn(ctx),
		},
	}
}

// isBinary reports whether values of the key are bytes. The suite writes them in base64,
// and grpc-go does that itself.
func isBinary(key string) bool { return strings.HasSuffix(key, "-bin") }

func toMetadata(list []*conformancev1.Header) metadata.MD {
	md := metadata.MD{}
	addHeaders(list, func(key, value string) {
		key = strings.ToLower(key)
		if raw, err := connect.DecodeBinaryHeader(value); isBinary(key) && err == nil {
			value = string(raw)
		}
		md.Append(key, value)
	})
	return md
}

func fromMetadata(md metadata.MD) metadata.MD {
	for key, values := range md {
		for i := range values {
			if isBinary(key) {
				values[i] = connect.EncodeBinaryHeader([]byte(values[i]))
			}
		}
	}
	return md
}
