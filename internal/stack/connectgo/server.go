package connectgo

import (
	"context"
	"errors"
	"net/http"

	"connectrpc.com/connect/v2"
	"connectrpc.com/connect/v2/connecthttp"
	"connectrpc.com/connect/v2/connectproto"
	"google.golang.org/protobuf/proto"

	greetv1 "example.com/greet/gen/greet/v1"
	"example.com/greet/gen/greet/v1/greetv1connect"
	"example.com/greet/internal/greet"
	"example.com/greet/internal/stack"
)

// compressFrom is the size in bytes from which a demo compresses messages for
// clients that accept it. Below it gzip costs more than it saves: 13 bytes become 37.
const compressFrom = 1 << 10

// NewHandler serves greet.v1 over all three protocols and any version of HTTP. Without o.Demo it
// compresses nothing, as grpc-go does, so that both do the same work when measured.
func NewHandler(o stack.ServeOptions) http.Handler { return NewHandlerOf(service{}, o) }

// NewHandlerOf is NewHandler with a service of the caller's, such as one that misbehaves in a test
// of the limits.
func NewHandlerOf(s greetv1connect.GreetServiceHandler, o stack.ServeOptions) http.Handler {
	return NewHandlerFor(o, registering(s))
}

// NewHandlerFor is NewHandler with the services that register adds instead of greet.v1.
func NewHandlerFor(o stack.ServeOptions, register func(*connect.Server)) http.Handler {
	return newHandler(register, o, connecthttp.WithCompressors())
}

func registering(s greetv1connect.GreetServiceHandler) func(*connect.Server) {
	return func(server *connect.Server) { greetv1connect.RegisterGreetServiceHandler(server, s) }
}

// newHandler serves the services that register adds. A demo has compressors of its own.
func newHandler(register func(*connect.Server), o stack.ServeOptions, compressors connecthttp.Option) http.Handler {
	limits := []connecthttp.Option{
		connecthttp.WithReadMaxBytes(stack.MaxMessageBytes),
		connecthttp.WithSendMaxBytes(stack.MaxMessageBytes),
	}
	mux := http.NewServeMux()
	if o.Demo == nil {
		server := connect.NewServer()
		register(server)
		connecthttp.Mount(mux, server, append(limits, compressors)...)
		return mux
	}
	json := newWarningJSON()
	server := newDemoServer(*o.Demo, json)
	register(server)
	connecthttp.Mount(mux, server, append(limits,
		connecthttp.WithCompressors(newThriftyGzip()), connecthttp.WithCompressMinBytes(compressFrom),
		connecthttp.WithCodecs(thriftyCodec{connectproto.NewBinaryCodec(), proto.Unmarshal}, thriftyCodec{json, json.decode}))...)
	return withCORS(withExchange(withDirectory(mux)))
}

// service adapts internal/greet to the generated interface.
type service struct{}

func (service) Greet(_ context.Context, req *greetv1.GreetRequest) (*greetv1.GreetResponse, error) {
	return greet.Greet(req), nil
}

func (service) GreetStream(_ context.Context, req *greetv1.GreetStreamRequest, stream greetv1connect.GreetServiceGreetStreamServerStream) error {
	return onWire(greet.Stream(req, stream.Send))
}

func (service) GreetCount(_ context.Context, stream greetv1connect.GreetServiceGreetCountServerStream) (*greetv1.GreetCountResponse, error) {
	res, err := greet.Count(stream.Receive)
	return res, onWire(err)
}

func (service) GreetChat(_ context.Context, stream greetv1connect.GreetServiceGreetChatServerStream) error {
	return onWire(greet.Chat(stream.Receive, stream.Send))
}

// onWire turns a *greet.Error into one that connect-go sends with text and details. Of any other
// error a client would learn only the code. Errors of connect-go itself pass unchanged.
func onWire(err error) error {
	failed, ok := errors.AsType[*greet.Error](err)
	if !ok {
		return err
	}
	wire := connect.NewError(connect.Code(failed.Code), failed.Message).WithCause(failed)
	for _, message := range failed.Details {
		detail, err := connectproto.NewErrorDetail(message)
		if err != nil {
			return connect.NewError(connect.CodeInternal, "cannot encode error details").WithCause(err)
		}
		wire = wire.WithDetail(detail)
	}
	return wire
}
