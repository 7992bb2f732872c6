package stack

import (
	"context"
	"net/http"
)

// Metadata carries a call's headers and trailers. A caller puts one into the context with
// WithMetadata, fills RequestHeader before the call, and reads the rest after the call has ended.
// Each call needs its own.
type Metadata struct {
	RequestHeader   http.Header
	ResponseHeader  http.Header
	ResponseTrailer http.Header
}

type metadataKey struct{}

// WithMetadata returns a context whose next call sends and fills m.
func WithMetadata(ctx context.Context, m *Metadata) context.Context {
	return context.WithValue(ctx, metadataKey{}, m)
}

// MetadataFrom returns the Metadata that the context carries, or nil.
func MetadataFrom(ctx context.Context) *Metadata {
	m, _ := ctx.Value(metadataKey{}).(*Metadata)
	return m
}
