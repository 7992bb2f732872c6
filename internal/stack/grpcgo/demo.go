package grpcgo

import (
	"context"
	"log/slog"
	"runtime/debug"
	"sync/atomic"

	"google.golang.org/grpc"
	"google.golang.org/grpc/metadata"

	"example.com/greet/internal/greet"
	"example.com/greet/internal/stack"
)

// interceptors returns those of a demo. The observer wraps the recovery, so that it sees a panic as
// the error that the client gets. running counts the calls in flight.
func interceptors(d *stack.Demo, running *atomic.Int64) []grpc.ServerOption {
	o := observer{calls: d.Calls, running: running}
	r := recoverer{log: d.Log}
	return []grpc.ServerOption{
		grpc.ChainUnaryInterceptor(o.unary, r.unary),
		grpc.ChainStreamInterceptor(o.stream, r.stream),
	}
}

// recoverer turns a handler's panic into code internal. The client learns
// nothing of it: what a panic says may be private.
type recoverer struct{ log *slog.Logger }

func (r recoverer) unary(ctx context.Context, req any, info *grpc.UnaryServerInfo, next grpc.UnaryHandler) (res any, err error) {
	defer r.recover(info.FullMethod, &err)
	return next(ctx, req)
}

func (r recoverer) stream(srv any, stream grpc.ServerStream, info *grpc.StreamServerInfo, next grpc.StreamHandler) (err error) {
	defer r.recover(info.FullMethod, &err)
	return next(srv, stream)
}

// recover must itself be deferred: only then does the builtin recover see the panic.
func (r recoverer) recover(procedure string, err *error) {
	if v := recover(); v != nil {
		r.log.Error("handler panicked", "procedure", procedure, "panic", v, "stack", string(debug.Stack()))
		*err = toStatus(&greet.Error{Code: greet.CodeInternal, Message: "internal error"})
	}
}

// observer writes the call log, counts the calls in flight, and answers the metadata with which
// clients try out headers and trailers.
type observer struct {
	calls   *greet.CallLog
	running *atomic.Int64
}

func (o observer) unary(ctx context.Context, req any, info *grpc.UnaryServerInfo, next grpc.UnaryHandler) (any, error) {
	o.running.Add(1)
	defer o.running.Add(-1)
	in, _ := metadata.FromIncomingContext(ctx)
	call := o.calls.Begin(info.FullMethod, first(in, greet.HeaderCallID))
	call.Received()
	header, trailer := o.answer(ctx, in)
	// Neither can fail before the handler has sent anything, and a lost echo should not fail the
	// call.
	_ = grpc.SetHeader(ctx, header)
	_ = grpc.SetTrailer(ctx, trailer)
	res, err := next(ctx, req)
	if err == nil {
		call.Sent()
	}
	call.End(asSeen(ctx, err))
	return res, err
}

func (o observer) stream(srv any, stream grpc.ServerStream, info *grpc.StreamServerInfo, next grpc.StreamHandler) error {
	o.running.Add(1)
	defer o.running.Add(-1)
	ctx := stream.Context()
	in, _ := metadata.FromIncomingContext(ctx)
	call := o.calls.Begin(info.FullMethod, first(in, greet.HeaderCallID))
	header, trailer := o.answer(ctx, in)
	_ = stream.SetHeader(header)
	stream.SetTrailer(trailer)
	err := next(srv, countingStream{stream, call})
	call.End(asSeen(ctx, err))
	return err
}

// answer makes the response header and trailer that the request header asks for.
func (o observer) answer(ctx context.Context, in metadata.MD) (header, trailer metadata.MD) {
	header, trailer = metadata.MD{}, metadata.MD{}
	if echo := in.Get(greet.HeaderEcho); len(echo) > 0 {
		header.Set(greet.HeaderEcho, echo...)
		trailer.Set(greet.TrailerEcho, echo...)
	}
	if id := first(in, greet.HeaderSaw); id != "" {
		header.Set(greet.HeaderSaw, o.calls.Saw(ctx, id))
	}
	return header, trailer
}

func first(md metadata.MD, key string) string {
	if values := md.Get(key); len(values) > 0 {
		return values[0]
	}
	return ""
}

// asSeen returns the error with which the server saw a call end. Once the context is done, that is
// the context's error, whatever the library calls it.
func asSeen(ctx context.Context, err error) error {
	if err != nil && ctx.Err() != nil {
		return ctx.Err()
	}
	return fromStatus(err)
}

// countingStream counts messages for the call log.
type countingStream struct {
	grpc.ServerStream
	call *greet.Call
}

func (s countingStream) RecvMsg(m any) error {
	err := s.ServerStream.RecvMsg(m)
	if err == nil {
		s.call.Received()
	}
	return err
}

func (s countingStream) SendMsg(m any) error {
	err := s.ServerStream.SendMsg(m)
	if err == nil {
		s.call.Sent()
	}
	return err
}
