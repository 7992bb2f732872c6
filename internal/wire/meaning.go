package wire

import (
	"fmt"
	"strconv"
	"strings"

	"example.com/greet/internal/greet"
	"example.com/greet/internal/stack"
)

// meanings are the meanings of headers, for those whose value does not matter.
var meanings = map[string]string{
	":path":                    "which service and method",
	"connect-timeout-ms":       "Connect's deadline, in milliseconds",
	"connect-protocol-version": "this is Connect",
	"te":                       "gRPC: the client can read trailers",
	"trailer":                  "these trailers will follow the body",
	"grpc-message":             "gRPC's text of the error",
	"grpc-status-details-bin":  "gRPC's error details",
	"grpc-accept-encoding":     "how messages may be compressed",
	"connect-accept-encoding":  "how messages may be compressed",
	"content-encoding":         "the body is compressed",
	"transfer-encoding":        "each piece says its own length",
	"content-length":           "of the body, known beforehand",
}

func fieldMeaning(f field, trailers bool) string {
	switch {
	case f.name == "content-type":
		return contentTypeMeaning(f.value)
	case f.name == "grpc-timeout":
		return grpcTimeoutMeaning(f.value)
	case f.name == "grpc-status":
		return grpcStatusMeaning(f.value)
	case f.name == ":status" && f.value != "200":
		return "HTTP's own status"
	case strings.HasPrefix(f.name, "trailer-"):
		return "a trailer; Connect's unary calls send it ahead"
	case strings.HasPrefix(f.name, "greet-") && trailers:
		return "metadata: a trailer that the program has set"
	case strings.HasPrefix(f.name, "greet-"):
		return "metadata: a header that the program has set"
	}
	return meanings[f.name]
}

func fieldRole(f field) Role {
	switch {
	case f.name == "connect-timeout-ms" || f.name == "grpc-timeout":
		return Deadline
	case f.name == ":status" || f.name == "grpc-status":
		return Status
	case strings.HasPrefix(strings.TrimPrefix(f.name, "trailer-"), "greet-"):
		return Metadata
	}
	return ""
}

func contentTypeMeaning(value string) string {
	switch protocol, _, enveloped := contentTypeOf(value); {
	case protocol == stack.Connect && enveloped:
		return "Connect: a stream of envelopes"
	case protocol == stack.Connect:
		return "Connect: one message, no envelope"
	case protocol == stack.GRPC:
		return "gRPC: envelopes, then trailers"
	case protocol == stack.GRPCWeb:
		return "gRPC-Web: trailers in an envelope"
	}
	return "not an RPC"
}

// timeoutUnits are those of gRPC's deadline.
var timeoutUnits = map[byte]string{'H': "hours", 'M': "minutes", 'S': "seconds", 'm': "milliseconds", 'u': "microseconds", 'n': "nanoseconds"}

func grpcTimeoutMeaning(value string) string {
	if value == "" || timeoutUnits[value[len(value)-1]] == "" {
		return "not a deadline"
	}
	return "gRPC's deadline, in " + timeoutUnits[value[len(value)-1]]
}

func grpcStatusMeaning(value string) string {
	code, err := strconv.ParseUint(value, 10, 8)
	if err != nil {
		return "not a status"
	}
	return fmt.Sprintf("gRPC's status: %d is %s", code, greet.Code(code))
}
