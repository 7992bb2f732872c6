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

// connect-go keeps its buffers, even those of 8 MiB, for later calls, and a stream that waits for
// its peer holds one. After a few large messages, thousands of waiting streams would hold megabytes
// each. The code below frees a large buffer as soon as its message has been used.

// largeBuffer is the size in bytes from which a buffer is freed.
const largeBuffer = 64 << 10

func freeLarge(buffer *bytes.Buffer) {
	if buffer != nil && buffer.Cap() >= largeBuffer {
		*buffer = bytes.Buffer{}
	}
}

// thriftyCodec decodes messages straight from connect-go's buffers, which a codec by itself would
// copy first, and frees them. For encoded messages the exchange frees the buffers.
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
	defer freeLarge(buffer)
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

// encodedMessages holds each large message that is encoded and not yet written, by the address of
// its first byte.
var encodedMessages sync.Map // *byte → encodedMessage

type encodedMessage struct {
	buffer *bytes.Buffer
	of     *exchange
}

// encoded remembers the exchange's message, in place of the one before.
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

// freeWritten frees the buffer of the message p. Whoever writes p owns that buffer until the write
// returns.
func freeWritten(p []byte) {
	if len(p) == 0 {
		return
	}
	found, _ := encodedMessages.LoadAndDelete(&p[0])
	if message, ok := found.(encodedMessage); ok {
		message.of.message = nil
		freeLarge(message.buffer)
	}
}

// thriftyWriter is a response that frees the messages that it has written.
type thriftyWriter struct{ http.ResponseWriter }

func (w thriftyWriter) Write(p []byte) (int, error) {
	n, err := w.ResponseWriter.Write(p)
	freeWritten(p)
	return n, err
}

// Flush implements http.Flusher, which connect-go asks for.
func (w thriftyWriter) Flush() { _ = http.NewResponseController(w.ResponseWriter).Flush() }

// Unwrap is for http.ResponseController.
func (w thriftyWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// thriftyGzip frees the messages that it has packed. It unpacks none that is broken or too large:
// connect-go would let a buffer grow until it finds out.
type thriftyGzip struct{ *connectgzip.Compressor }

func newThriftyGzip() thriftyGzip { return thriftyGzip{connectgzip.New()} }

// Compress frees a message once it has been written to the packer.
func (g thriftyGzip) Compress(dst io.Writer) (io.WriteCloser, error) {
	packer, err := g.Compressor.Compress(dst)
	return thriftyPacker{packer}, err
}

type thriftyPacker struct{ io.WriteCloser }

func (p thriftyPacker) Write(b []byte) (int, error) {
	n, err := p.WriteCloser.Write(b)
	freeWritten(b)
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
	_ = tried.Close() // Copy has returned its error already
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

// thriftyReader frees what it has unpacked.
type thriftyReader struct {
	io.ReadCloser
	packed *bytes.Buffer
}

func (r thriftyReader) Close() error {
	freeLarge(r.packed)
	return r.ReadCloser.Close()
}
