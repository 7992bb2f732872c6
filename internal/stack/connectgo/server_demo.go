package connectgo

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"runtime/debug"

	"connectrpc.com/connect/v2"
	connectcors "connectrpc.com/cors"
	"connectrpc.com/grpcreflect/v2"
	"github.com/rs/cors"

	"example.com/greet/internal/greet"
	"example.com/greet/internal/stack"
)

// newDemoServer returns a server with what people explore, and without the
// service itself.
func newDemoServer(d stack.Demo, json warningJSON) *connect.Server {
	// The log is outside of the recovery, so that it sees a panic as the error
	// that the client gets.
	server := connect.NewServer(observer{d.Log, d.Calls, json}.intercept, blaming, punctual, newMemory().intercept, recoverer{d}.intercept)
	health{d.Stopping}.register(server)
	grpcreflect.Register(server)
	return server
}

// recoverer turns a handler's panic into code internal. The client learns
// nothing of it: what a panic says may be private.
type recoverer struct{ demo stack.Demo }

func (r recoverer) intercept(next connect.ServerFunc) connect.ServerFunc {
	return func(ctx context.Context, spec connect.Spec, stream connect.ServerStream) (err error) {
		defer func() {
			v := recover()
			if v == nil {
				return
			}
			if abort, ok := v.(error); ok && errors.Is(abort, http.ErrAbortHandler) {
				panic(v) // net/http's way to cut a response on purpose
			}
			r.demo.Log.Error("handler panicked", "procedure", spec.Procedure, "panic", v, "stack", string(debug.Stack()))
			err = connect.NewError(connect.CodeInternal, "internal error")
		}()
		return next(ctx, spec, stream)
	}
}

// observer keeps the call log and answers the metadata that tries out headers
// and trailers.
type observer struct {
	log   *slog.Logger
	calls *greet.CallLog
	json  warningJSON
}

func (o observer) intercept(next connect.ServerFunc) connect.ServerFunc {
	return func(ctx context.Context, spec connect.Spec, stream connect.ServerStream) error {
		info, _ := connect.CallInfoForServerContext(ctx)
		call := o.calls.Begin(spec.Procedure, info.RequestHeader().Get(greet.HeaderCallID))
		o.answer(ctx, info) // now, because the first message takes the headers with it
		err := next(ctx, spec, observedStream{stream, ctx, call, func(message any) { o.warn(spec, info, o.json.take(message)) }})
		call.End(asSeen(ctx, err))
		return err
	}
}

func (o observer) answer(ctx context.Context, info *connect.CallInfo) {
	request := info.RequestHeader()
	if echo := request.Values(greet.HeaderEcho); len(echo) > 0 {
		info.ResponseHeader().SetValues(greet.HeaderEcho, echo)
		info.ResponseTrailer().SetValues(greet.TrailerEcho, echo)
	}
	if id := request.Get(greet.HeaderSaw); id != "" {
		info.ResponseHeader().Set(greet.HeaderSaw, o.calls.Saw(ctx, id))
	}
}

// warn tells of what was ignored of a request: the log, and the client in a header.
func (o observer) warn(spec connect.Spec, info *connect.CallInfo, ignored string) {
	if ignored != "" {
		o.log.Warn(ignored, "procedure", spec.Procedure)
		info.ResponseHeader().Set(greet.HeaderWarning, ignored)
	}
}

// asSeen is how the server saw a call end. An error of a call whose context is
// done comes from that, under whatever name the library gives it.
func asSeen(ctx context.Context, err error) error {
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	}
	return callError(err)
}

// observedStream counts messages for the call log. It sends none once the deadline
// has passed: connect-go leaves that to the handler, and a client that only says its
// deadline, and does not watch it, would be served to the end.
type observedStream struct {
	connect.ServerStream
	ctx      context.Context
	call     *greet.Call
	received func(message any)
}

func (s observedStream) Receive(message any) error {
	err := s.ServerStream.Receive(message)
	s.received(message)
	if err == nil {
		s.call.Received()
	}
	return err
}

func (s observedStream) Send(message any) error {
	if err := s.ctx.Err(); err != nil {
		return err
	}
	err := s.ServerStream.Send(message)
	if err == nil {
		s.call.Sent()
	}
	return err
}

// withCORS lets pages of any origin call, which is right for a demo without
// secrets: nothing here depends on who asks. It exposes what a client needs of a
// response beyond its body, such as gRPC-Web's status when there is no body.
func withCORS(next http.Handler) http.Handler {
	return cors.New(cors.Options{
		AllowedOrigins: []string{"*"},
		AllowedMethods: connectcors.AllowedMethods(),
		AllowedHeaders: append(connectcors.AllowedHeaders(), greet.HeaderEcho, greet.HeaderCallID, greet.HeaderSaw),
		// Connect sends the trailers of a unary call as headers with a prefix.
		ExposedHeaders: append(connectcors.ExposedHeaders(),
			greet.HeaderEcho, greet.TrailerEcho, "Trailer-"+greet.TrailerEcho, greet.HeaderSaw, greet.HeaderWarning),
		MaxAge: 7200, // seconds: the longest that Chromium honours
	}).Handler(next)
}
