package connectgo

import (
	"context"
	"net/http"
	"sync"
	"time"

	"connectrpc.com/connect/v2"
	"connectrpc.com/connect/v2/connecthttp"
	"golang.org/x/sync/semaphore"

	"example.com/greet/internal/stack"
)

// A few KB of gzip can hold a message of 4 MiB. So the bytes that a peer sends do not bound the
// memory that the server holds for it. These limits do, in bytes.
const (
	// memoryOfAll is the most that the compressed messages of all calls may hold at once.
	memoryOfAll = 24 << 20
	// memoryOfOne is the most for one connection: one message of the largest size.
	memoryOfOne = copies * stack.MaxMessageBytes
	// copies is how many copies of a message there are while a handler answers with as much as it
	// was sent: unpacked, decoded, in its answer, and encoded.
	copies = 4
	// mostUnpacked is how many bytes one byte of gzip can become (the end of
	// zlib.net/zlib_tech.html).
	mostUnpacked = 1032
	// freeBytes is the size up to which messages are not counted.
	freeBytes = 16 << 10
	// memoryPatience is how long a call waits for memory.
	memoryPatience = 5 * time.Second
)

// memory is shared by all compressed messages. A call takes from it before it unpacks a message,
// and gives back when it asks for its next message or ends.
type memory struct {
	all   *semaphore.Weighted
	mu    sync.Mutex
	conns map[string]*connMemory // by the peer's address
}

// connMemory is one connection's use. It exists while a call uses it.
type connMemory struct {
	*semaphore.Weighted
	calls int
}

func newMemory() *memory {
	return &memory{all: semaphore.NewWeighted(memoryOfAll), conns: make(map[string]*connMemory)}
}

// open begins a call's use of the memory of its connection.
func (m *memory) open(ctx context.Context, peer string) *drawing {
	m.mu.Lock()
	defer m.mu.Unlock()
	conn := m.conns[peer]
	if conn == nil {
		conn = &connMemory{Weighted: semaphore.NewWeighted(memoryOfOne)}
		m.conns[peer] = conn
	}
	conn.calls++
	return &drawing{ctx: ctx, memory: m, conn: conn, peer: peer}
}

// drawing is what one call has taken. One goroutine at a time uses it.
type drawing struct {
	ctx    context.Context
	memory *memory
	conn   *connMemory
	peer   string
	held   int64
}

// draw takes what a compressed message of that size may need, and waits for it if necessary.
func (d *drawing) draw(compressed int64) error {
	need := copies * min(compressed*mostUnpacked, stack.MaxMessageBytes)
	need = min(need, memoryOfOne-d.held) // a call need not wait for itself
	ctx, cancel := context.WithTimeout(d.ctx, memoryPatience)
	defer cancel()
	if d.conn.Acquire(ctx, need) == nil {
		if d.memory.all.Acquire(ctx, need) == nil {
			d.held += need
			return nil
		}
		d.conn.Release(need)
	}
	if err := d.ctx.Err(); err != nil {
		return err
	}
	return connect.NewError(connect.CodeResourceExhausted,
		"other calls hold the memory for compressed messages; try again, or send without compression")
}

// keep gives back everything beyond what a message of that size needs.
func (d *drawing) keep(size int64) {
	if size <= freeBytes {
		size = 0
	}
	if excess := d.held - copies*size; excess > 0 {
		d.held -= excess
		d.conn.Release(excess)
		d.memory.all.Release(excess)
	}
}

func (d *drawing) close() {
	d.keep(0)
	d.memory.mu.Lock()
	defer d.memory.mu.Unlock()
	if d.conn.calls--; d.conn.calls == 0 {
		delete(d.memory.conns, d.peer)
	}
}

// intercept bounds the memory of a call with compressed messages.
func (m *memory) intercept(next connect.ServerFunc) connect.ServerFunc {
	return func(ctx context.Context, spec connect.Spec, stream connect.ServerStream) error {
		x := exchangeOf(ctx)
		info, _ := connect.CallInfoForServerContext(ctx)
		if x == nil || info.RequestEncoding == "" || info.RequestEncoding == connect.CompressionNameIdentity {
			return next(ctx, spec, stream)
		}
		d := m.open(ctx, info.PeerAddr)
		defer d.close()
		x.body.whole = d.draw
		x.body.enveloped = spec.StreamType != connect.StreamTypeUnary || info.Protocol != connect.ProtocolNameConnect
		defer func() { x.body.whole = nil }() // later reads are thrown away
		return next(ctx, spec, &boundedStream{stream, info, d, inURL(ctx)})
	}
}

// inURL is the size of a message in the request's URL instead of its body.
func inURL(ctx context.Context) int64 {
	server, _ := connecthttp.ServerInfoForContext(ctx)
	if server.HTTPMethod() != http.MethodGet {
		return 0
	}
	target := server.RequestURL()
	return int64(len(target.RawQuery))
}

// boundedStream gives memory back whenever its handler asks for a message, because the handler is
// done with the one before.
type boundedStream struct {
	connect.ServerStream
	info    *connect.CallInfo
	drawing *drawing
	inURL   int64
}

func (s *boundedStream) Receive(message any) error {
	s.drawing.keep(0)
	if s.inURL > 0 {
		if err := s.drawing.draw(s.inURL); err != nil {
			return err
		}
		s.inURL = 0
	}
	err := s.ServerStream.Receive(message)
	if err != nil || s.info.ReceiveStats.CompressedSize == 0 {
		s.drawing.keep(0)
		return err
	}
	s.drawing.keep(int64(s.info.ReceiveStats.Size))
	return nil
}
