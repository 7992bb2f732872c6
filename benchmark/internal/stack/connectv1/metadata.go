package connectv1

import (
	"context"
	"maps"

	"connectrpc.com/connect"

	"example.com/greet/internal/stack"
)

// metadata connects the Metadata of a caller, if there is one, with the library's record of the
// call.
type metadata struct {
	asked *stack.Metadata
	info  connect.CallInfo
}

// withMetadata returns a context whose next call sends the request header that
// the context asks for.
func withMetadata(ctx context.Context) (context.Context, metadata) {
	asked := stack.MetadataFrom(ctx)
	if asked == nil {
		return ctx, metadata{}
	}
	ctx, info := connect.NewClientContext(ctx)
	maps.Copy(info.RequestHeader(), asked.RequestHeader)
	return ctx, metadata{asked, info}
}

// fill copies the response's metadata for the caller, after the call has ended.
func (m metadata) fill() {
	if m.asked == nil {
		return
	}
	m.asked.ResponseHeader, m.asked.ResponseTrailer = m.info.ResponseHeader(), m.info.ResponseTrailer()
}
