package wire

import (
	"slices"
	"strings"

	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"

	"example.com/greet/internal/stack"
)

// field is one header or trailer.
type field struct{ name, value string }

// exchange is one request with its response, whatever version of HTTP carries it.
type exchange struct {
	method protoreflect.MethodDescriptor // nil if this program does not know it
	status string
	bodies [2]body
	begun  [2]bool // headers have come: what comes next are trailers
}

// open notes which method is called.
func (x *exchange) open(path string) {
	path, _, _ = strings.Cut(path, "?")
	name := strings.ReplaceAll(strings.TrimPrefix(path, "/"), "/", ".")
	found, err := protoregistry.GlobalFiles.FindDescriptorByName(protoreflect.FullName(name))
	if err == nil {
		x.method, _ = found.(protoreflect.MethodDescriptor)
	}
}

// headers takes a block of headers or trailers, and returns the meaning of the block and of each
// field.
func (x *exchange) headers(from Side, fields []field, ended bool) (meaning string, parts []Part) {
	trailers := x.begun[from]
	for _, f := range fields {
		switch f.name {
		case ":path":
			x.open(f.value)
		case ":status":
			x.status = f.value
		case "content-type":
			x.begin(from, f.value)
		case "content-encoding":
			x.bodies[from].encoding = f.value
		}
	}
	x.begun[from] = true
	statusOnly := !trailers && slices.ContainsFunc(fields, func(f field) bool { return f.name == "grpc-status" })
	for _, f := range fields {
		parts = append(parts, Part{Text: f.name + ": " + shorten(f.value), Meaning: fieldMeaning(f, trailers), Role: fieldRole(f)})
		if f.name == "grpc-status-details-bin" {
			parts = append(parts, statusDetails(f.value)...)
		}
	}
	return blockMeaning(from, trailers, ended || statusOnly), parts
}

// begin prepares for the body that the content type announces.
func (x *exchange) begin(from Side, contentType string) {
	b := &x.bodies[from]
	*b = body{contentType: contentType, encoding: b.encoding}
	b.protocol, b.json, b.enveloped = contentTypeOf(contentType)
	if b.protocol == "" || x.method == nil {
		return
	}
	b.message = x.method.Input()
	if from == Server {
		b.message = x.method.Output()
	}
}

// contentTypeOf parses a content type. protocol is "" if it is no RPC's.
func contentTypeOf(value string) (protocol string, json, enveloped bool) {
	value, _, _ = strings.Cut(value, ";")
	sub, ok := strings.CutPrefix(strings.TrimSpace(value), "application/")
	json = sub == "json" || strings.HasSuffix(sub, "+json")
	switch {
	case !ok:
		return "", false, false
	case strings.HasPrefix(sub, "grpc-web"):
		return stack.GRPCWeb, json, true
	case strings.HasPrefix(sub, "grpc"):
		return stack.GRPC, json, true
	case strings.HasPrefix(sub, "connect+"):
		return stack.Connect, json, true
	case sub == "proto" || sub == "json":
		return stack.Connect, json, false
	}
	return "", false, false
}

// data takes the next bytes of a body. message is how many of them carry messages.
func (x *exchange) data(from Side, piece []byte) (parts []Part, message int) {
	return x.bodies[from].feed(piece)
}

// end takes the end of a body, which completes a message without an envelope.
func (x *exchange) end(from Side) []Part {
	return x.bodies[from].end(x.status)
}

func blockMeaning(from Side, trailers, ended bool) string {
	switch {
	case from == Client && ended:
		return "a call, and the client has no more to say"
	case from == Client:
		return "a call begins"
	case trailers:
		return "trailers: the status of the call"
	case ended:
		return "no message, only a status"
	}
	return "the response begins"
}
