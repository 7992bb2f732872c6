package grpcgo

import (
	"context"
	"net/http"

	"google.golang.org/grpc/metadata"

	"example.com/greet/internal/stack"
)

// outgoing returns a context that sends the request header of md, if there is
// one.
func outgoing(ctx context.Context, md *stack.Metadata) context.Context {
	if md == nil {
		return ctx
	}
	var pairs []string
	for key, values := range md.RequestHeader {
		for _, v := range values {
			pairs = append(pairs, key, v)
		}
	}
	return metadata.AppendToOutgoingContext(ctx, pairs...)
}

// httpHeader converts md, whose keys are lower-case as on the wire, to the form that http.Header
// looks up.
func httpHeader(md metadata.MD) http.Header {
	h := make(http.Header, len(md))
	for key, values := range md {
		h[http.CanonicalHeaderKey(key)] = values
	}
	return h
}
