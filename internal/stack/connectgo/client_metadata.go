package connectgo

import (
	"context"
	"maps"
	"net/http"

	"connectrpc.com/connect/v2"

	"example.com/greet/internal/stack"
)

// metadata connects the headers and trailers that a caller asked for with connect-go's. The zero
// value, for a caller who did not ask, does nothing.
type metadata struct {
	asked *stack.Metadata
	info  *connect.CallInfo
}

// withMetadata prepares a call to send and fill the Metadata in ctx, if any.
func withMetadata(ctx context.Context) (context.Context, metadata) {
	asked := stack.MetadataFrom(ctx)
	if asked == nil {
		return ctx, metadata{}
	}
	ctx, info := connect.NewClientContext(ctx)
	for key, values := range asked.RequestHeader {
		info.RequestHeader().SetValues(key, values)
	}
	return ctx, metadata{asked: asked, info: info}
}

// read copies what the server has sent so far. It must not run while another goroutine receives.
func (m metadata) read() {
	if m.asked == nil {
		return
	}
	m.asked.ResponseHeader = http.Header(maps.Collect(m.info.ResponseHeader().All()))
	m.asked.ResponseTrailer = http.Header(maps.Collect(m.info.ResponseTrailer().All()))
}
