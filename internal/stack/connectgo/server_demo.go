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

// newDemoServer returns a server with everything that a demo adds. Its caller registers the
// service.
func newDemoServer(d stack.Demo, json warningJSON) *connect.Server {
	// The log wraps the recovery, so that it sees a panic as the error that the client gets.
	server := connect.NewServer(observer{d.Log, d.Calls, json}.intercept, blameClient, endAtDeadline, newMemory().intercept, recoverer{d}.intercept)
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

// observer writes the call log and answers the metadata with which clients try out headers and
// trailers.
type observer struct {
	log   *slog.Logger
	calls *greet.CallLog
	json  warningJSON
}

func (o observer) intercept(next connect.ServerFunc) connect.ServerFunc {
	return func(ctx context.Context, spec connect.Spec, stream connect.ServerStream) error {
		info, _ := connect.CallInfoForServerContext(ctx)
		call := o.calls.Begin(spec.Procedure, info.RequestHeader().Get(greet.HeaderCallID))
		o.answer(ctx, info) // now: the headers are sent with the first message
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

// warn reports the ignored part of a request: to the log, and to the client in a header.
func (o observer) warn(spec connect.Spec, info *connect.CallInfo, ignored string) {
	if ignored != "" {
		o.log.Warn(ignored, "procedure", spec.Procedure)
		info.ResponseHeader().Set(greet.HeaderWarning, ignored)
	}
}

// asSeen returns the error with which the server saw a call end. Once the context is done, that is
// the context's error, whatever the library calls it.
func asSeen(ctx context.Context, err error) error {
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	}
	return callError(err)
}

// observedStream counts messages for the call log. It sends none after the deadline: connect-go
// leaves that to the handler, which would go on serving a client that states a deadline and does
// not watch it.
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

// withCORS lets pages of any origin call. That is right for a demo without secrets: no answer
// depends on who asks. It exposes what a client needs of a response beyond its body, such as
// gRPC-Web's status when there is no body.
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
