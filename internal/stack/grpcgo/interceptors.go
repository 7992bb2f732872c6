package grpcgo

import (
	"context"
	"slices"
	"strconv"

	"google.golang.org/grpc"
)

// interceptorsThatPass are n interceptors at each end that only call the next one, to measure the
// price of having interceptors.
func interceptorsThatPass(n int) settings {
	return settings{
		variant: "interceptors=" + strconv.Itoa(n),
		server: []grpc.ServerOption{
			grpc.ChainUnaryInterceptor(slices.Repeat([]grpc.UnaryServerInterceptor{passUnaryServer}, n)...),
			grpc.ChainStreamInterceptor(slices.Repeat([]grpc.StreamServerInterceptor{passStreamServer}, n)...),
		},
		client: []grpc.DialOption{
			grpc.WithChainUnaryInterceptor(slices.Repeat([]grpc.UnaryClientInterceptor{passUnaryClient}, n)...),
			grpc.WithChainStreamInterceptor(slices.Repeat([]grpc.StreamClientInterceptor{passStreamClient}, n)...),
		},
	}
}

func passUnaryServer(ctx context.Context, req any, _ *grpc.UnaryServerInfo, next grpc.UnaryHandler) (any, error) {
	return next(ctx, req)
}

func passStreamServer(srv any, stream grpc.ServerStream, _ *grpc.StreamServerInfo, next grpc.StreamHandler) error {
	return next(srv, stream)
}

func passUnaryClient(ctx context.Context, method string, req, reply any, conn *grpc.ClientConn, next grpc.UnaryInvoker, o ...grpc.CallOption) error {
	return next(ctx, method, req, reply, conn, o...)
}

func passStreamClient(ctx context.Context, desc *grpc.StreamDesc, conn *grpc.ClientConn, method string, next grpc.Streamer, o ...grpc.CallOption) (grpc.ClientStream, error) {
	return next(ctx, desc, conn, method, o...)
}
