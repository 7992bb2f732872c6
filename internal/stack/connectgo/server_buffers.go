package connectgo

import (
	"bytes"
	"context"
	"io"
	"net/http"

	"connectrpc.com/connect/v2"
	"connectrpc.com/connect/v2/connectgzip"
	"google.golang.org/protobuf/proto"

	"example.com/greet/internal/stack"
)

// connect-go keeps its buffers for later calls, those of up to 8 MiB too, and a stream
// that waits for its peer holds one. A few large messages would thus have thousands
// of waiting streams hold megabytes each. What follows lets go of a large buffer as
// soon as its message has been used.

// largeBuffer is the least size, in bytes, of a buffer that is not kept.
const largeBuffer = 64 << 10

func letGo(buffer *bytes.Buffer) {
	if buffer != nil && buffer.Cap() >= largeBuffer {
		*buffer = bytes.Buffer{}
	}
}

// thriftyCodec decodes messages from connect-go's buffers and lets go of them, where a
// codec by itself would copy the message first. It has the exchange let go of the
// buffers that it writes to.
type thriftyCodec struct {
	connect.Codec
	decode func(data []byte, message proto.Message) error
}

func (c thriftyCodec) UnmarshalRead(ctx context.Context, src io.Reader, message any) error {
	buffer, isBuffer := src.(*bytes.Buffer)
	target, isProto := message.(proto.Message)
	if !isBuffer || !isProto {
		return c.Codec.UnmarshalRead(ctx, src, message)
	}
	defer letGo(buffer)
	return c.decode(buffer.Bytes(), target)
}

func (c thriftyCodec) MarshalWrite(ctx context.Context, dst io.Writer, message any) error {
	if x := exchangeOf(ctx); x != nil {
		x.written, _ = dst.(*bytes.Buffer)
	}
	return c.Codec.MarshalWrite(ctx, dst, message)
}

// thriftyWriter is the response of an exchange.
type thriftyWriter struct {
	http.ResponseWriter
	exchange *exchange
}

// Write lets go of the buffer of the message that it has written.
func (w thriftyWriter) Write(p []byte) (int, error) {
	n, err := w.ResponseWriter.Write(p)
	if len(p) > envelopeBytes { // and not the envelope before the message
		letGo(w.exchange.written)
		w.exchange.written = nil
	}
	return n, err
}

// Flush implements http.Flusher, which connect-go asks for.
func (w thriftyWriter) Flush() { _ = http.NewResponseController(w.ResponseWriter).Flush() }

// Unwrap is for http.ResponseController.
func (w thriftyWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// thriftyGzip unpacks no message that is broken or too large: connect-go would have
// a buffer grow until it finds out.
type thriftyGzip struct{ *connectgzip.Compressor }

func newThriftyGzip() thriftyGzip { return thriftyGzip{connectgzip.New()} }

// Decompress reads src twice, the first time only to see how it ends.
func (g thriftyGzip) Decompress(src io.Reader) (io.ReadCloser, error) {
	buffer, ok := src.(*bytes.Buffer)
	if !ok {
		return g.Compressor.Decompress(src)
	}
	tried, err := g.Compressor.Decompress(bytes.NewReader(buffer.Bytes()))
	if err != nil {
		return nil, err
	}
	size, err := io.Copy(io.Discard, io.LimitReader(tried, stack.MaxMessageBytes+1))
	_ = tried.Close() // what it says has been said by Copy
	if err != nil {
		return nil, err
	}
	if size > stack.MaxMessageBytes {
		return io.NopCloser(failingReader{connect.Errorf(connect.CodeResourceExhausted,
			"message is larger than configured max %d", stack.MaxMessageBytes)}), nil
	}
	unpacked, err := g.Compressor.Decompress(buffer)
	return thriftyReader{unpacked, buffer}, err
}

type failingReader struct{ err error }

func (r failingReader) Read([]byte) (int, error) { return 0, r.err }

// thriftyReader lets go of what it has unpacked.
type thriftyReader struct {
	io.ReadCloser
	packed *bytes.Buffer
}

func (r thriftyReader) Close() error {
	letGo(r.packed)
	return r.ReadCloser.Close()
}
