package floor

import (
	"google.golang.org/protobuf/proto"

	"example.com/greet/benchmark/internal/stack/floor/h2"
	greetv1 "example.com/greet/gen/greet/v1"
	"example.com/greet/internal/greet"
	"example.com/greet/internal/stack"
)

// peer serves the calls of one connection. It is the connection's h2.Handler, so
// that one goroutine at a time uses it, and calls share its buffers.
type peer struct {
	options stack.ServeOptions
	conn    *h2.Conn
	scratch []byte // the message being sent

	// Messages are used again for each call: what they hold is read before the
	// next is unmarshalled.
	greetRequest   greetv1.GreetRequest
	greetResponse  greetv1.GreetResponse
	streamRequest  greetv1.GreetStreamRequest
	streamResponse greetv1.GreetStreamResponse
	countRequest   greetv1.GreetCountRequest
	countResponse  greetv1.GreetCountResponse
	chatRequest    greetv1.GreetChatRequest
	chatResponse   greetv1.GreetChatResponse

	begin *h2.Block // the header of a response
	ok    *h2.Block // the trailer of one that went well
	bare  *h2.Block // nothing: the trailer of one that did not has its own fields
}

// blocks makes what is sent again and again, once a call has come.
func (p *peer) blocks() {
	if p.begin == nil {
		p.begin = h2.NewBlock(
			h2.Field{Name: ":status", Value: "200"},
			h2.Field{Name: "content-type", Value: contentType},
			h2.Field{Name: "grpc-accept-encoding", Value: "identity"},
		)
		p.ok = h2.NewBlock(h2.Field{Name: "grpc-status", Value: "0"})
		p.bare = h2.NewBlock()
	}
}

// Headers begins a call, or half-closes one.
func (p *peer) Headers(s *h2.Stream, h *h2.Header, end bool) {
	x, ok := s.State.(*exchange)
	if !ok {
		x = &exchange{peer: p}
		s.State = x
	}
	if x.stream != nil {
		x.data(nil, end) // a trailer, which has nothing to say in a gRPC request
		return
	}
	p.blocks()
	x.stream = s
	r, ok := h.Parsed.(*request)
	if !ok {
		r = parseRequest(h)
		h.Parsed = r
	}
	x.open(r, h, end)
}

// exchangeOf returns the call on a stream, which has one once it has a header.
func exchangeOf(s *h2.Stream) *exchange {
	x, _ := s.State.(*exchange)
	return x
}

// Data brings a piece of the request.
func (p *peer) Data(s *h2.Stream, piece []byte, end bool) {
	exchangeOf(s).data(piece, end)
}

// Writable goes on with a call that had to wait to send.
func (p *peer) Writable(s *h2.Stream) { exchangeOf(s).resume() }

// Expired ends a call whose deadline has passed.
func (p *peer) Expired(s *h2.Stream) { exchangeOf(s).expire() }

// Closed lets go of a call.
func (p *peer) Closed(s *h2.Stream, end h2.End) { exchangeOf(s).closed(end) }

// Changed is of no interest to a server.
func (p *peer) Changed(*h2.Conn) {}

// Ended is the end of all calls, each of which knows already.
func (p *peer) Ended(*h2.Conn, error) {}

// unmarshal reads a request. What does not parse is the client's fault, and
// internal is the code that grpc-go gives it.
func unmarshal(raw []byte, m proto.Message) error {
	if err := proto.Unmarshal(raw, m); err != nil {
		return &greet.Error{Code: greet.CodeInternal, Message: "unmarshal message: " + err.Error()}
	}
	return nil
}
