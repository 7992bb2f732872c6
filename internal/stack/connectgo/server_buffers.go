package connectgo

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"sync"

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
	err := c.Codec.MarshalWrite(ctx, dst, message)
	buffer, isBuffer := dst.(*bytes.Buffer)
	if x := exchangeOf(ctx); x != nil && isBuffer && buffer.Cap() >= largeBuffer && buffer.Len() > 0 {
		x.encoded(buffer)
	}
	return err
}

// encodedMessages has each large message that is encoded and not yet written, by the
// address of its first byte.
var encodedMessages sync.Map // *byte → encodedMessage

type encodedMessage struct {
	buffer *bytes.Buffer
	of     *exchange
}

// encoded notes where the exchange's message is, in place of the one before.
func (x *exchange) encoded(buffer *bytes.Buffer) {
	x.forget()
	x.message = &buffer.Bytes()[0]
	encodedMessages.Store(x.message, encodedMessage{buffer, x})
}

// forget drops a message that was never written, such as one that is too large. Its
// buffer is left alone, for it may serve another call by now.
func (x *exchange) forget() {
	if x.message != nil {
		encodedMessages.Delete(x.message)
		x.message = nil
	}
}

// letGoOf lets go of the buffer that p is the message of. Whoever writes p owns that
// buffer as long as the write lasts.
func letGoOf(p []byte) {
	if len(p) == 0 {
		return
	}
	found, _ := encodedMessages.LoadAndDelete(&p[0])
	if message, ok := found.(encodedMessage); ok {
		message.of.message = nil
		letGo(message.buffer)
	}
}

// thriftyWriter is a response that lets go of the messages that it has written.
type thriftyWriter struct{ http.ResponseWriter }

func (w thriftyWriter) Write(p []byte) (int, error) {
	n, err := w.ResponseWriter.Write(p)
	letGoOf(p)
	return n, err
}

// Flush implements http.Flusher, which connect-go asks for.
func (w thriftyWriter) Flush() { _ = http.NewResponseController(w.ResponseWriter).Flush() }

// Unwrap is for http.ResponseController.
func (w thriftyWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// thriftyGzip lets go of the messages that it has packed. It unpacks none that is broken
// or too large: connect-go would have a buffer grow until it finds out.
type thriftyGzip struct{ *connectgzip.Compressor }

func newThriftyGzip() thriftyGzip { return thriftyGzip{connectgzip.New()} }

// Compress lets go of a message once it has been written to the packer.
func (g thriftyGzip) Compress(dst io.Writer) (io.WriteCloser, error) {
	packer, err := g.Compressor.Compress(dst)
	return thriftyPacker{packer}, err
}

type thriftyPacker struct{ io.WriteCloser }

func (p thriftyPacker) Write(b []byte) (int, error) {
	n, err := p.WriteCloser.Write(b)
	letGoOf(b)
	return n, err
}

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
