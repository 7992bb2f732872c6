//go:build clients

package conformance_test

import (
	"context"
	"errors"
	"io"
	"iter"
	"time"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/known/anypb"

	conformancev1 "example.com/greet/test/conformance/gen/connectrpc/conformance/v1"
)

// service is the service that the suite calls.
var service = conformancev1.File_connectrpc_conformance_v1_service_proto.Services().ByName("ConformanceService")

// procedure is the path of a method.
func procedure(m protoreflect.MethodDescriptor) string {
	return "/" + string(service.FullName()) + "/" + string(m.Name())
}

// newMessage returns an empty message of the type.
func newMessage(d protoreflect.MessageDescriptor) (proto.Message, error) {
	t, err := protoregistry.GlobalTypes.FindMessageByName(d.FullName())
	if err != nil {
		return nil, err
	}
	return t.New().Interface(), nil
}

// serverCall is one call as the service sees it, whichever library and mode it comes by.
type serverCall struct {
	method  protoreflect.MethodDescriptor
	receive func(message any) error
	send    func(message any) error
	open    func() error // sends what setMetadata has set
	// setMetadata sets the headers and trailers of the response.
	setMetadata func(header, trailer []*conformancev1.Header) error
	// fail makes an error of the library.
	fail func(*conformancev1.Error) error
	// info is what the call has brought so far. The next response tells its client.
	info *conformancev1.ConformancePayload_RequestInfo

	answer *conformancev1.StreamResponseDefinition // as the first request asks for it
	sent   int
}

// deadlineIn is how many milliseconds a call has left, or nil if it has no deadline.
func deadlineIn(ctx context.Context) *int64 {
	deadline, ok := ctx.Deadline()
	if !ok {
		return nil
	}
	return new(max(0, time.Until(deadline).Milliseconds()))
}

// serve answers as the first request asks. A call in full duplex gets one response for
// each request; all others get theirs when the requests have ended.
func (c *serverCall) serve() error {
	if c.method.Name() == "Unimplemented" {
		return c.fail(&conformancev1.Error{Code: conformancev1.Code_CODE_UNIMPLEMENTED})
	}
	fullDuplex := false
	for first := true; ; first = false {
		request, err := c.next()
		if errors.Is(err, io.EOF) && c.method.IsStreamingClient() {
			break
		}
		if err != nil {
			return err
		}
		if first {
			if err := c.begin(request); err != nil {
				return err
			}
			bidi, ok := request.(*conformancev1.BidiStreamRequest)
			fullDuplex = ok && bidi.GetFullDuplex()
		}
		if fullDuplex && c.sent < len(c.answer.GetResponseData()) {
			err = c.respond()
		}
		if err != nil {
			return err
		}
		if !c.method.IsStreamingClient() || fullDuplex && c.sent == len(c.answer.GetResponseData()) {
			break
		}
	}
	return c.finish()
}

// next receives a request.
func (c *serverCall) next() (proto.Message, error) {
	request, err := newMessage(c.method.Input())
	if err != nil {
		return nil, err
	}
	if err := c.receive(request); err != nil {
		return nil, err
	}
	kept, err := anypb.New(request)
	c.info.Requests = append(c.info.Requests, kept)
	return request, err
}

// begin reads from the first request what the response is to be. A unary response is a
// stream of one, or of none if it is an error.
func (c *serverCall) begin(request proto.Message) error {
	switch r := request.(type) {
	case interface {
		GetResponseDefinition() *conformancev1.StreamResponseDefinition
	}:
		c.answer = r.GetResponseDefinition()
	case interface {
		GetResponseDefinition() *conformancev1.UnaryResponseDefinition
	}:
		unary := r.GetResponseDefinition()
		c.answer = &conformancev1.StreamResponseDefinition{
			ResponseHeaders: unary.GetResponseHeaders(), ResponseTrailers: unary.GetResponseTrailers(),
			ResponseDelayMs: unary.GetResponseDelayMs(), Error: unary.GetError(),
		}
		if unary.GetError() == nil {
			c.answer.ResponseData = [][]byte{unary.GetResponseData()}
		}
	}
	return c.setMetadata(c.answer.GetResponseHeaders(), c.answer.GetResponseTrailers())
}

// finish sends the responses that are left, and ends the call.
func (c *serverCall) finish() error {
	if c.answer == nil && !c.method.IsStreamingServer() { // a client stream without requests
		c.answer = &conformancev1.StreamResponseDefinition{ResponseData: [][]byte{nil}}
	}
	for c.sent < len(c.answer.GetResponseData()) {
		if err := c.respond(); err != nil {
			return err
		}
	}
	if c.answer.GetError() == nil {
		return nil
	}
	if c.sent == 0 { // no response has told what the call brought
		detail, err := anypb.New(c.info)
		if err != nil {
			return err
		}
		c.answer.Error.Details = append(c.answer.Error.Details, detail)
	}
	return c.fail(c.answer.GetError())
}

// respond sends the next response. It tells what has come since the one before it,
// unless that was when the requests had ended.
func (c *serverCall) respond() error {
	if c.sent == 0 && c.method.IsStreamingServer() {
		if err := c.open(); err != nil {
			return err
		}
	}
	time.Sleep(time.Duration(c.answer.GetResponseDelayMs()) * time.Millisecond)
	payload := &conformancev1.ConformancePayload{Data: c.answer.GetResponseData()[c.sent]}
	if len(c.info.GetRequests()) > 0 || c.sent == 0 {
		payload.RequestInfo = c.info
		c.info = &conformancev1.ConformancePayload_RequestInfo{}
	}
	c.sent++
	response, err := newMessage(c.method.Output())
	if err != nil {
		return err
	}
	field := c.method.Output().Fields().ByName("payload")
	response.ProtoReflect().Set(field, protoreflect.ValueOfMessage(payload.ProtoReflect()))
	return c.send(response)
}

// methods lists the methods of the service.
func methods() []protoreflect.MethodDescriptor {
	all := make([]protoreflect.MethodDescriptor, service.Methods().Len())
	for i := range all {
		all[i] = service.Methods().Get(i)
	}
	return all
}

// headers writes the suite's form of metadata.
func headers(all iter.Seq2[string, []string]) []*conformancev1.Header {
	var list []*conformancev1.Header
	for key, values := range all {
		list = append(list, &conformancev1.Header{Name: key, Value: values})
	}
	return list
}
