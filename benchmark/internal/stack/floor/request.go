package floor

import (
	"strings"
	"time"

	greetv1 "example.com/greet/gen/greet/v1"
	"example.com/greet/internal/greet"
	"example.com/greet/internal/h2"
)

const contentType = "application/grpc"

// request is what a request's header says. A header that repeats as the same block is
// parsed once.
type request struct {
	mode    greet.Mode
	path    string
	http    string        // status of the answer, if this is not gRPC
	err     error         // why the call is refused
	timeout time.Duration // 0 means none
	expired bool          // the timeout was 0
}

var modes = map[string]greet.Mode{
	greetv1.GreetService_Greet_FullMethodName:       greet.Unary,
	greetv1.GreetService_GreetStream_FullMethodName: greet.ServerStream,
	greetv1.GreetService_GreetCount_FullMethodName:  greet.ClientStream,
	greetv1.GreetService_GreetChat_FullMethodName:   greet.Bidi,
}

func parseRequest(h *h2.Header) *request {
	r := &request{path: h.Get(":path")}
	r.mode = modes[r.path]
	switch encoding := h.Get("grpc-encoding"); {
	case h.Get(":method") != "POST":
		r.http = "405"
	case !isGRPC(h.Get("content-type")):
		r.http = "415"
	case r.mode == "":
		r.err = &greet.Error{Code: greet.CodeUnimplemented, Message: "unknown method " + r.path}
	case encoding != "" && encoding != "identity":
		r.err = &greet.Error{
			Code:    greet.CodeUnimplemented,
			Message: "the floor has no compression, by design: grpc-encoding " + encoding + " is not supported, identity is",
		}
	default:
		r.err = r.parseTimeout(h.Get("grpc-timeout"))
	}
	return r
}

func (r *request) parseTimeout(text string) error {
	if text == "" {
		return nil
	}
	timeout, err := parseTimeout(text)
	if err != nil {
		return &greet.Error{Code: greet.CodeInternal, Message: err.Error() + " " + text}
	}
	r.timeout, r.expired = timeout, timeout == 0
	return nil
}

// isGRPC reports whether the content is gRPC's, with protobuf messages.
func isGRPC(content string) bool {
	content, _, _ = strings.Cut(content, ";")
	return content == contentType || content == contentType+"+proto"
}
