package grpcgo

import (
	"sync"

	"google.golang.org/grpc"
	"google.golang.org/grpc/encoding"
	encodingproto "google.golang.org/grpc/encoding/proto"
	"google.golang.org/grpc/mem"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
)

const (
	// maxQueued is how many messages of one stream may wait to be written. The library bounds
	// their bytes, at 64 KiB, but not what it stores beside each: small messages to a peer that
	// opens no window would hold ten times that.
	maxQueued = 2
	// countedBytes is the least capacity of a buffer whose release the library reports. It reports
	// none for buffers up to 1 KiB.
	countedBytes = 1<<10 + 64
)

// boundQueues lets each stream be at most maxQueued messages ahead of the connection. Its options
// go together.
func boundQueues() []grpc.ServerOption {
	return []grpc.ServerOption{
		grpc.ForceServerCodecV2(countingCodec{encoding.GetCodecV2(encodingproto.Name)}),
		grpc.ChainStreamInterceptor(func(srv any, stream grpc.ServerStream, _ *grpc.StreamServerInfo, next grpc.StreamHandler) error {
			return next(srv, boundedStream{stream, make(places, maxQueued)})
		}),
	}
}

// boundedStream waits with a message while too many before it are queued.
type boundedStream struct {
	grpc.ServerStream
	queue places
}

func (s boundedStream) SendMsg(message any) error {
	m, ok := message.(proto.Message)
	if !ok {
		return s.ServerStream.SendMsg(message)
	}
	select {
	case s.queue <- struct{}{}:
		return s.ServerStream.SendMsg(placed{m, s.queue})
	case <-s.Context().Done():
		return status.FromContextError(s.Context().Err()).Err()
	}
}

// places are the places in a stream's queue. A message takes one, and gives it back when the
// library releases its buffer. places is a mem.BufferPool to learn of that.
type places chan struct{}

// placed is a message that holds a place.
type placed struct {
	message proto.Message
	queue   places
}

// countingCodec encodes placed messages into buffers whose release gives the place back.
type countingCodec struct{ encoding.CodecV2 }

func (c countingCodec) Marshal(v any) (mem.BufferSlice, error) {
	p, ok := v.(placed)
	if !ok {
		return c.CodecV2.Marshal(v)
	}
	buffer := p.queue.Get(proto.Size(p.message))
	encoded, err := proto.MarshalOptions{UseCachedSize: true}.MarshalAppend((*buffer)[:0], p.message)
	if err != nil {
		p.queue.Put(buffer)
		return nil, err
	}
	*buffer = encoded
	return mem.BufferSlice{mem.NewBuffer(buffer, p.queue)}, nil
}

var smallBuffers sync.Pool // of capacity countedBytes

// Get implements mem.BufferPool.
func (p places) Get(size int) *[]byte {
	if size <= countedBytes {
		if used, ok := smallBuffers.Get().(*[]byte); ok {
			return used
		}
		size = countedBytes
	}
	b := make([]byte, 0, size)
	return &b
}

// Put implements mem.BufferPool.
func (p places) Put(buffer *[]byte) {
	if cap(*buffer) == countedBytes {
		smallBuffers.Put(buffer)
	}
	<-p
}
