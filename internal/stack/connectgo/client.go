package connectgo

import (
	"context"

	"connectrpc.com/connect/v2"
	"connectrpc.com/connect/v2/connecthttp"

	greetv1 "example.com/greet/gen/greet/v1"
	"example.com/greet/gen/greet/v1/greetv1connect"
	httpdial "example.com/greet/internal/dial"
	"example.com/greet/internal/greet"
	"example.com/greet/internal/stack"
)

// maxGetURLBytes is how long the URL of a Connect GET may grow before the
// request goes as a POST: the length that servers and proxies commonly accept.
const maxGetURLBytes = 8 << 10

// RPC calls any service in the way in which the client of a stack calls greet.v1.
type RPC struct {
	*connect.Client
	http *httpdial.Client
}

// DialRPC makes an RPC of the server at addr, "host:port", for the stack n. It
// connects with the first call.
func DialRPC(n stack.Name, addr string, o stack.DialOptions) (*RPC, error) {
	http, err := httpdial.HTTP(n.Transport, httpdial.Options{
		TLS: o.TLS, InFlight: o.InFlight, TuneHTTP2: clientTuning(n), Tap: o.Tap,
		FastHTTP2: o.FastHTTP2 || n.Has(stack.FastHTTP2) || n.Has(stack.FastHTTP2Client),
	})
	if err != nil {
		return nil, err
	}
	rpc := connect.NewClient(connecthttp.NewTransport(http.HTTP, http.URL(addr), clientOptions(n)...))
	return &RPC{rpc, http}, nil
}

// Close ends every connection; a call in flight fails.
func (r *RPC) Close() error { return r.http.Close() }

// Error converts an error of connect-go as the stack's client does.
func (r *RPC) Error(err error) *greet.Error { return callError(err) }

// dial returns the Dial function of the stack n.
func dial(n stack.Name) func(addr string, o stack.DialOptions) (stack.Client, error) {
	return func(addr string, o stack.DialOptions) (stack.Client, error) {
		rpc, err := DialRPC(n, addr, o)
		if err != nil {
			return nil, err
		}
		return &client{http: rpc.http, rpc: greetv1connect.NewGreetServiceClient(rpc.Client)}, nil
	}
}

func clientOptions(n stack.Name) []connecthttp.Option {
	options := []connecthttp.Option{
		compressors(n),
		connecthttp.WithReadMaxBytes(stack.MaxMessageBytes),
		connecthttp.WithSendMaxBytes(stack.MaxMessageBytes),
	}
	switch n.Protocol {
	case stack.GRPC:
		options = append(options, connecthttp.WithGRPC())
	case stack.GRPCWeb:
		options = append(options, connecthttp.WithGRPCWeb())
	}
	if n.Has("json") {
		options = append(options, connecthttp.WithProtoJSON())
	}
	if n.Has(gzipVariant) {
		options = append(options, connecthttp.WithSendCompression(gzipVariant))
	}
	if n.Has("get") {
		options = append(options, connecthttp.WithHTTPGet(), connecthttp.WithHTTPGetMaxURLSize(maxGetURLBytes, true))
	}
	return options
}

// client is a stack.Client over connect-go's generated one.
type client struct {
	http *httpdial.Client
	rpc  greetv1connect.GreetServiceClient
}

func (c *client) Connections() int64 { return c.http.Connections() }
func (c *client) Close() error       { return c.http.Close() }

func (c *client) Greet(ctx context.Context, req *greetv1.GreetRequest) (*greetv1.GreetResponse, error) {
	ctx, metadata := withMetadata(ctx)
	res, err := c.rpc.Greet(ctx, req)
	metadata.read()
	if err != nil {
		return nil, callError(err)
	}
	return res, nil
}

func (c *client) GreetStream(ctx context.Context, req *greetv1.GreetStreamRequest) (stack.GreetStream, error) {
	ctx, metadata := withMetadata(ctx)
	stream, err := c.rpc.GreetStream(ctx, req)
	if err != nil {
		metadata.read()
		return nil, callError(err)
	}
	return &greetStream{stream: stream, metadata: metadata}, nil
}

func (c *client) GreetCount(ctx context.Context) (stack.GreetCount, error) {
	ctx, metadata := withMetadata(ctx)
	stream, err := c.rpc.GreetCount(ctx)
	if err != nil {
		return nil, callError(err)
	}
	return &greetCount{stream: stream, metadata: metadata}, nil
}

func (c *client) GreetChat(ctx context.Context) (stack.GreetChat, error) {
	ctx, metadata := withMetadata(ctx)
	ctx, cancel := context.WithCancel(ctx)
	stream, err := c.rpc.GreetChat(ctx)
	if err != nil {
		cancel()
		return nil, callError(err)
	}
	return &greetChat{stream: stream, metadata: metadata, cancel: cancel}, nil
}
