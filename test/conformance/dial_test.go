//go:build clients

package conformance_test

import (
	"context"
	"io"
	"maps"

	"connectrpc.com/connect/v2"
	"google.golang.org/grpc"
	"google.golang.org/grpc/metadata"
	"google.golang.org/protobuf/reflect/protoreflect"

	"example.com/greet/internal/stack"
	"example.com/greet/internal/stack/connectgo"
	"example.com/greet/internal/stack/grpcgo"
	conformancev1 "example.com/greet/test/conformance/gen/connectrpc/conformance/v1"
)

type connectDialer struct{ *connectgo.RPC }

func dialConnect(n stack.Name, addr string, o stack.DialOptions) (dialer, error) {
	rpc, err := connectgo.DialRPC(n, addr, o)
	return connectDialer{rpc}, err
}

func (d connectDialer) begin(ctx context.Context, m protoreflect.MethodDescriptor, header []*conformancev1.Header) (clientCall, error) {
	ctx, info := connect.NewClientContext(ctx)
	addHeaders(header, info.RequestHeader().Add)
	stream, err := d.CallClientStream(ctx, specOf(m))
	if err != nil {
		return nil, err
	}
	return &connectCall{stream, info, d.RPC}, nil
}

type connectCall struct {
	connect.ClientStream
	info *connect.CallInfo
	rpc  *connectgo.RPC
}

func (c *connectCall) close() (header, trailer []*conformancev1.Header) {
	_ = c.Close() // how the call ended is known
	return headers(c.info.ResponseHeader().All()), headers(c.info.ResponseTrailer().All())
}

func (c *connectCall) failure(err error) error { return c.rpc.Error(err) }

type grpcDialer struct{ grpcgo.RPC }

func dialGRPC(_ stack.Name, addr string, o stack.DialOptions) (dialer, error) {
	rpc, err := grpcgo.DialRPC(addr, o)
	return grpcDialer{rpc}, err
}

func (d grpcDialer) begin(ctx context.Context, m protoreflect.MethodDescriptor, header []*conformancev1.Header) (clientCall, error) {
	desc := &grpc.StreamDesc{ClientStreams: m.IsStreamingClient(), ServerStreams: m.IsStreamingServer()}
	stream, err := d.NewStream(metadata.NewOutgoingContext(ctx, toMetadata(header)), desc, procedure(m))
	return &grpcCallAtClient{stream, d.RPC, err}, nil
}

// grpcCallAtClient is a call by grpc-go, which may fail before anything is sent: then
// stream is nil, and failed says why.
type grpcCallAtClient struct {
	stream grpc.ClientStream
	rpc    grpcgo.RPC
	failed error
}

func (c *grpcCallAtClient) Send(message any) error {
	if c.stream == nil {
		return io.EOF // as after a failure later on
	}
	return c.stream.SendMsg(message)
}

func (c *grpcCallAtClient) CloseSend() error {
	if c.stream == nil {
		return nil
	}
	return c.stream.CloseSend()
}

func (c *grpcCallAtClient) Receive(message any) error {
	if c.stream == nil {
		return c.failed
	}
	return c.stream.RecvMsg(message)
}

func (c *grpcCallAtClient) close() (header, trailer []*conformancev1.Header) {
	if c.stream == nil {
		return nil, nil
	}
	md, _ := c.stream.Header() // its error is the call's, which is known
	return headers(maps.All(fromMetadata(md))), headers(maps.All(fromMetadata(c.stream.Trailer())))
}

func (c *grpcCallAtClient) failure(err error) error { return c.rpc.Error(err) }
