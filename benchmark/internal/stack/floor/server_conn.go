package floor

import (
	"google.golang.org/protobuf/proto"

	greetv1 "example.com/greet/gen/greet/v1"
	"example.com/greet/internal/greet"
	"example.com/greet/internal/h2"
	"example.com/greet/internal/stack"
)

// serverConn serves the calls of one connection. It is the connection's h2.Handler:
// one goroutine at a time uses it, so that calls share its buffers.
type serverConn struct {
	options stack.ServeOptions
	h2conn  *h2.Conn
	sender  sender

	// All calls use these messages: each is read before the next is unmarshalled.
	greetRequest   greetv1.GreetRequest
	greetResponse  greetv1.GreetResponse
	streamRequest  greetv1.GreetStreamRequest
	streamResponse greetv1.GreetStreamResponse
	countRequest   greetv1.GreetCountRequest
	countResponse  greetv1.GreetCountResponse
	chatRequest    greetv1.GreetChatRequest
	chatResponse   greetv1.GreetChatResponse

	begin   *h2.Block // the header of a response
	ok      *h2.Block // the trailer of one that went well
	nothing *h2.Block // the trailer of one that failed: its fields differ from call to call
}

// blocks makes the headers that every call sends, when the first call comes.
func (c *serverConn) blocks() {
	if c.begin == nil {
		c.begin = h2.NewBlock(
			h2.Field{Name: ":status", Value: "200"},
			h2.Field{Name: "content-type", Value: contentType},
			h2.Field{Name: "grpc-accept-encoding", Value: "identity"},
		)
		c.ok = h2.NewBlock(h2.Field{Name: "grpc-status", Value: "0"})
		c.nothing = h2.NewBlock()
	}
}

// Headers begins a call, or takes the trailer that half-closes one.
func (c *serverConn) Headers(s *h2.Stream, h *h2.Header, end bool) {
	call, ok := s.State.(*serverCall)
	if !ok {
		call = &serverCall{conn: c}
		s.State = call
	}
	if call.stream != nil {
		call.data(nil, end) // gRPC gives a request's trailer no meaning
		return
	}
	c.blocks()
	call.stream = s
	r, ok := h.Parsed.(*request)
	if !ok {
		r = parseRequest(h)
		h.Parsed = r
	}
	call.open(r, h, end)
}

// serverCallOf returns the call on a stream. A stream has one since its header.
func serverCallOf(s *h2.Stream) *serverCall {
	call, _ := s.State.(*serverCall)
	return call
}

// Data takes a piece of the request.
func (c *serverConn) Data(s *h2.Stream, piece []byte, end bool) {
	serverCallOf(s).data(piece, end)
}

// Writable continues a call that had to wait to send.
func (c *serverConn) Writable(s *h2.Stream) { serverCallOf(s).resume() }

// Expired ends a call whose deadline has passed.
func (c *serverConn) Expired(s *h2.Stream) { serverCallOf(s).expire() }

// Closed releases a call.
func (c *serverConn) Closed(s *h2.Stream, end h2.End) { serverCallOf(s).closed(end) }

// Changed does nothing: the peer's settings do not matter to the handler.
func (c *serverConn) Changed(*h2.Conn) {}

// Ended does nothing: Closed has ended each call.
func (c *serverConn) Ended(*h2.Conn, error) {}

// unmarshal parses a message. A message that does not parse is an error of code
// internal, as it is in grpc-go.
func unmarshal(raw []byte, m proto.Message) error {
	if err := proto.Unmarshal(raw, m); err != nil {
		return &greet.Error{Code: greet.CodeInternal, Message: "unmarshal message: " + err.Error()}
	}
	return nil
}
