//go:build clients

package conformance_test

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"strconv"
	"sync"
	"time"

	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/known/anypb"

	"example.com/greet/internal/greet"
	"example.com/greet/internal/stack"
	conformancev1 "example.com/greet/test/conformance/gen/connectrpc/conformance/v1"
)

// clientCall is one call as its caller sees it, whichever library makes it.
type clientCall interface {
	Send(message any) error
	CloseSend() error
	Receive(message any) error
	// close releases what the call holds, and returns the metadata that came.
	close() (header, trailer []*conformancev1.Header)
	// failure is what the client made of an error.
	failure(err error) error
}

// dialer is a client. Its begin makes a call of the method, without a message yet.
type dialer interface {
	begin(ctx context.Context, m protoreflect.MethodDescriptor, header []*conformancev1.Header) (clientCall, error)
	Close() error
}

// dialFunc makes a client as the suite wants it for a call.
type dialFunc func(n stack.Name, addr string, o stack.DialOptions) (dialer, error)

// client is a program under test: it makes the calls that it reads, several at a time,
// and writes how each ended.
func client(ctx context.Context, in io.Reader, out io.Writer, dial dialFunc) error {
	const together = 8
	var calls sync.WaitGroup
	defer calls.Wait()
	room := make(chan struct{}, together)
	c := caller{dial: dial, clients: make(map[string]dialer)}
	var writing sync.Mutex
	for {
		request := new(conformancev1.ClientCompatRequest)
		if err := readMessage(in, request); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		room <- struct{}{}
		calls.Go(func() {
			defer func() { <-room }()
			response := &conformancev1.ClientCompatResponse{TestName: request.GetTestName()}
			if result, err := c.make(ctx, request); err != nil {
				response.Result = &conformancev1.ClientCompatResponse_Error{Error: &conformancev1.ClientErrorResult{Message: err.Error()}}
			} else {
				response.Result = &conformancev1.ClientCompatResponse_Response{Response: result}
			}
			writing.Lock()
			defer writing.Unlock()
			_ = writeMessage(out, response) // the suite misses what it does not get
		})
	}
}

// caller makes calls, and keeps one client for those that want the same.
type caller struct {
	dial    dialFunc
	mu      sync.Mutex
	clients map[string]dialer
}

func (c *caller) clientFor(request *conformancev1.ClientCompatRequest) (dialer, error) {
	name, err := nameOf(request)
	if err != nil {
		return nil, err
	}
	addr := net.JoinHostPort(request.GetHost(), strconv.Itoa(int(request.GetPort())))
	c.mu.Lock()
	defer c.mu.Unlock()
	key := name.String() + " " + addr
	if kept, ok := c.clients[key]; ok {
		return kept, nil
	}
	var o stack.DialOptions
	if name.Secure() {
		roots := x509.NewCertPool()
		if !roots.AppendCertsFromPEM(request.GetServerTlsCert()) {
			return nil, errors.New("read the suite's certificate: there is none")
		}
		o.TLS = &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12}
	}
	made, err := c.dial(name, addr, o)
	if err == nil {
		c.clients[key] = made
	}
	return made, err
}

// nameOf says which of our stacks has the client that the suite wants.
func nameOf(r *conformancev1.ClientCompatRequest) (stack.Name, error) {
	n := stack.Name{Protocol: map[conformancev1.Protocol]string{
		conformancev1.Protocol_PROTOCOL_CONNECT:  stack.Connect,
		conformancev1.Protocol_PROTOCOL_GRPC:     stack.GRPC,
		conformancev1.Protocol_PROTOCOL_GRPC_WEB: stack.GRPCWeb,
	}[r.GetProtocol()]}
	secure := len(r.GetServerTlsCert()) > 0
	switch version := r.GetHttpVersion(); {
	case version == conformancev1.HTTPVersion_HTTP_VERSION_1 && !secure:
		n.Transport = stack.H1
	case version == conformancev1.HTTPVersion_HTTP_VERSION_2 && !secure:
		n.Transport = stack.H2C
	case version == conformancev1.HTTPVersion_HTTP_VERSION_2:
		n.Transport = stack.H2
	case version == conformancev1.HTTPVersion_HTTP_VERSION_3:
		n.Transport = stack.H3
	default:
		return n, fmt.Errorf("no client for %v, TLS %t", version, secure)
	}
	if r.GetCodec() == conformancev1.Codec_CODEC_JSON {
		n.Variants = append(n.Variants, "json")
	}
	if r.GetCompression() == conformancev1.Compression_COMPRESSION_GZIP {
		n.Variants = append(n.Variants, "gzip")
	}
	if r.GetUseGetHttpMethod() {
		n.Variants = append(n.Variants, "get")
	}
	return n, nil
}

// make makes one call. Its error says that there was none.
func (c *caller) make(ctx context.Context, r *conformancev1.ClientCompatRequest) (*conformancev1.ClientResponseResult, error) {
	method := service.Methods().ByName(protoreflect.Name(r.GetMethod()))
	if method == nil {
		return nil, fmt.Errorf("no method %q", r.GetMethod())
	}
	client, err := c.clientFor(r)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if r.TimeoutMs != nil {
		var expire context.CancelFunc
		ctx, expire = context.WithTimeout(ctx, time.Duration(r.GetTimeoutMs())*time.Millisecond)
		defer expire()
	}
	stream, err := client.begin(ctx, method, r.GetRequestHeaders())
	if err != nil {
		return nil, err
	}
	made := &madeCall{clientCall: stream, request: r, method: method, cancel: cancel, result: new(conformancev1.ClientResponseResult)}
	made.run()
	made.result.ResponseHeaders, made.result.ResponseTrailers = stream.close()
	return made.result, nil
}

// madeCall is a call with what the suite wants of it.
type madeCall struct {
	clientCall
	request *conformancev1.ClientCompatRequest
	method  protoreflect.MethodDescriptor
	cancel  context.CancelFunc
	result  *conformancev1.ClientResponseResult
}

// run sends, half-closes and receives, and cancels when it is told to.
func (c *madeCall) run() {
	cancel := c.request.GetCancel()
	later := cancel != nil && cancel.GetBeforeCloseSend() == nil && cancel.GetAfterNumResponses() == 0
	after := time.Duration(cancel.GetAfterCloseSendMs()) * time.Millisecond
	unary := !c.method.IsStreamingClient() && !c.method.IsStreamingServer()
	if later && unary { // connect-go waits for the response as it sends
		defer time.AfterFunc(after, c.cancel).Stop()
	}
	if !c.sendAll() {
		return
	}
	if cancel.GetBeforeCloseSend() != nil {
		c.cancel()
	}
	if later && !unary && !c.method.IsStreamingServer() { // and here as it half-closes
		defer time.AfterFunc(after, c.cancel).Stop()
	}
	if err := c.CloseSend(); err != nil {
		c.fail(err)
		return
	}
	if later && c.method.IsStreamingServer() {
		time.Sleep(after)
		c.cancel()
	}
	for c.receive() && c.method.IsStreamingServer() {
	}
}

// sendAll sends every request, in full duplex each after the response to the one before
// it. It reports whether the call goes on.
func (c *madeCall) sendAll() bool {
	messages := c.request.GetRequestMessages()
	for i, packed := range messages {
		time.Sleep(time.Duration(c.request.GetRequestDelayMs()) * time.Millisecond)
		message, err := packed.UnmarshalNew()
		if err != nil {
			c.fail(err)
			return false
		}
		if err := c.Send(message); err != nil {
			c.result.NumUnsentRequests = int32(len(messages) - i)
			break // what is received says why
		}
		if c.request.GetStreamType() == conformancev1.StreamType_STREAM_TYPE_FULL_DUPLEX_BIDI_STREAM && !c.receive() {
			return c.result.GetError() == nil
		}
	}
	return true
}

// receive reports whether there was a response.
func (c *madeCall) receive() bool {
	response, err := newMessage(c.method.Output())
	if err == nil {
		err = c.Receive(response)
	}
	if err != nil {
		if !errors.Is(err, io.EOF) || !c.method.IsStreamingServer() {
			c.fail(err)
		}
		return false
	}
	if field := c.method.Output().Fields().ByName("payload"); field != nil {
		payload, _ := response.ProtoReflect().Get(field).Message().Interface().(*conformancev1.ConformancePayload)
		c.result.Payloads = append(c.result.Payloads, payload)
	}
	if len(c.result.GetPayloads()) == int(c.request.GetCancel().GetAfterNumResponses()) {
		c.cancel()
	}
	return true
}

// fail notes what our client made of the error.
func (c *madeCall) fail(err error) {
	failed := &conformancev1.Error{Code: conformancev1.Code_CODE_UNKNOWN, Message: new(err.Error())}
	if e, ok := errors.AsType[*greet.Error](c.failure(err)); ok {
		failed.Code, failed.Message = conformancev1.Code(e.Code), new(e.Message)
		for _, detail := range e.Details {
			if packed, err := anypb.New(detail); err == nil {
				failed.Details = append(failed.Details, packed)
			}
		}
	}
	c.result.Error = failed
}
