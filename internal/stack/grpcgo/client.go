package grpcgo

import (
	"context"
	"fmt"
	"net"
	"net/url"
	"sync/atomic"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/metadata"

	greetv1 "example.com/greet/gen/greet/v1"
	"example.com/greet/internal/stack"
)

// client is a stack.Client over one grpc.ClientConn, which holds one connection
// and carries all calls on it.
type client struct {
	conn   *grpc.ClientConn
	rpc    greetv1.GreetServiceClient
	opened atomic.Int64
	tap    *stack.Tap // nil for none
}

// RPC calls any service in the way in which the client of a stack calls greet.v1.
type RPC struct{ *grpc.ClientConn }

// DialRPC makes an RPC of the server at addr, "host:port". It connects with the first
// call.
func DialRPC(addr string, o stack.DialOptions) (RPC, error) {
	c, err := dial(addr, o)
	if err != nil {
		return RPC{}, err
	}
	return RPC{c.conn}, nil
}

// Error converts an error of grpc-go as the stack's client does: to a *greet.Error.
func (RPC) Error(err error) error { return fromStatus(err) }

func dial(addr string, o stack.DialOptions, more ...grpc.DialOption) (*client, error) {
	creds := insecure.NewCredentials()
	if o.TLS != nil {
		config := o.TLS.Clone()
		if o.Tap != nil {
			config.KeyLogWriter = o.Tap.Keys
		}
		creds = credentials.NewTLS(config)
	}
	c := &client{tap: o.Tap}
	// passthrough leaves name resolution to the dialer, as the other libraries do. A target is a
	// URL, so the zone of an IPv6 address is escaped. Calls do not wait for a ready connection:
	// without a server they fail at once.
	conn, err := grpc.NewClient("passthrough:///"+url.PathEscape(addr), append(more,
		grpc.WithTransportCredentials(creds),
		grpc.WithContextDialer(c.dial),
		grpc.WithDefaultCallOptions(
			grpc.MaxCallRecvMsgSize(stack.MaxMessageBytes),
			grpc.MaxCallSendMsgSize(stack.MaxMessageBytes),
		))...)
	if err != nil {
		return nil, fmt.Errorf("make gRPC client of %s: %w", addr, err)
	}
	c.conn, c.rpc = conn, greetv1.NewGreetServiceClient(conn)
	return c, nil
}

// dial opens a connection and counts it.
func (c *client) dial(ctx context.Context, addr string) (net.Conn, error) {
	conn, err := new(net.Dialer).DialContext(ctx, "tcp", addr)
	if err != nil {
		return nil, err
	}
	c.opened.Add(1)
	if c.tap != nil {
		conn = c.tap.Conn(conn)
	}
	return conn, nil
}

func (c *client) Connections() int64 { return c.opened.Load() }

func (c *client) Close() error { return c.conn.Close() }

func (c *client) Greet(ctx context.Context, req *greetv1.GreetRequest) (*greetv1.GreetResponse, error) {
	md := stack.MetadataFrom(ctx)
	if md == nil {
		res, err := c.rpc.Greet(ctx, req)
		return res, fromStatus(err)
	}
	var header, trailer metadata.MD
	res, err := c.rpc.Greet(outgoing(ctx, md), req, grpc.Header(&header), grpc.Trailer(&trailer))
	md.ResponseHeader, md.ResponseTrailer = httpHeader(header), httpHeader(trailer)
	return res, fromStatus(err)
}

func (c *client) GreetStream(ctx context.Context, req *greetv1.GreetStreamRequest) (stack.GreetStream, error) {
	call, err := begin(ctx, func(ctx context.Context) (grpc.ServerStreamingClient[greetv1.GreetStreamResponse], error) {
		return c.rpc.GreetStream(ctx, req)
	})
	if err != nil {
		return nil, err
	}
	return &greetStream{call}, nil
}

func (c *client) GreetCount(ctx context.Context) (stack.GreetCount, error) {
	call, err := begin(ctx, func(ctx context.Context) (grpc.ClientStreamingClient[greetv1.GreetCountRequest, greetv1.GreetCountResponse], error) {
		return c.rpc.GreetCount(ctx)
	})
	if err != nil {
		return nil, err
	}
	return &greetCount{call}, nil
}

func (c *client) GreetChat(ctx context.Context) (stack.GreetChat, error) {
	call, err := begin(ctx, func(ctx context.Context) (grpc.BidiStreamingClient[greetv1.GreetChatRequest, greetv1.GreetChatResponse], error) {
		return c.rpc.GreetChat(ctx)
	})
	if err != nil {
		return nil, err
	}
	return &greetChat{call}, nil
}
