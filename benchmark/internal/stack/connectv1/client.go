package connectv1

import (
	"context"

	"connectrpc.com/connect"

	greetv1 "example.com/greet/gen/greet/v1"
	"example.com/greet/gen/greet/v1/greetv1connectv1"
	"example.com/greet/internal/dial"
	"example.com/greet/internal/stack"
)

// client is a stack.Client over an HTTP client of one transport.
type client struct {
	http *dial.Client
	rpc  greetv1connectv1.GreetServiceClient
}

func newClient(transport, addr string, o stack.DialOptions) (*client, error) {
	http, err := dial.HTTP(transport, dial.Options{TLS: o.TLS, InFlight: o.InFlight})
	if err != nil {
		return nil, err
	}
	rpc := greetv1connectv1.NewGreetServiceClient(http.HTTP, http.URL(addr),
		connect.WithReadMaxBytes(stack.MaxMessageBytes),
		connect.WithSendMaxBytes(stack.MaxMessageBytes),
		// Without constructors the algorithm is removed, so that the client does not ask for
		// compressed responses.
		connect.WithAcceptCompression("gzip", nil, nil),
	)
	return &client{http: http, rpc: rpc}, nil
}

func (c *client) Connections() int64 { return c.http.Connections() }

func (c *client) Close() error { return c.http.Close() }

func (c *client) Greet(ctx context.Context, req *greetv1.GreetRequest) (*greetv1.GreetResponse, error) {
	ctx, md := withMetadata(ctx)
	res, err := c.rpc.Greet(ctx, connect.NewRequest(req))
	md.fill()
	if err != nil {
		return nil, fromConnect(err)
	}
	return res.Msg, nil
}

func (c *client) GreetStream(ctx context.Context, req *greetv1.GreetStreamRequest) (stack.GreetStream, error) {
	ctx, call := begin(ctx)
	stream, err := c.rpc.GreetStream(ctx, connect.NewRequest(req))
	if err != nil {
		return nil, call.ended(err)
	}
	return &greetStream{call, stream}, nil
}

func (c *client) GreetCount(ctx context.Context) (stack.GreetCount, error) {
	ctx, call := begin(ctx)
	return &greetCount{call, c.rpc.GreetCount(ctx)}, nil
}

func (c *client) GreetChat(ctx context.Context) (stack.GreetChat, error) {
	ctx, call := begin(ctx)
	return &greetChat{call, c.rpc.GreetChat(ctx)}, nil
}
