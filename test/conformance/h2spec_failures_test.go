//go:build clients

package conformance_test

import "slices"

// h2specKnown are cases that fail or are skipped for one reason.
type h2specKnown struct {
	servers []string
	reason  string
	cases   []string
}

var h2specKnownFailures = []h2specKnown{{
	servers: []string{"connect", "connect fast"},
	reason:  "the port has HTTP/1.1 as well, which takes a broken preface for a request and answers 400",
	cases:   []string{"http2/3.5: Sends invalid connection preface"},
}, {
	servers: []string{"connect", "tls"},
	reason:  "the frame is larger than the 16 KiB that every server takes, and these say that they take 64",
	cases:   []string{"http2/4.2: Sends a large size HEADERS frame that exceeds the SETTINGS_MAX_FRAME_SIZE"},
}, {
	servers: []string{"connect", "tls"},
	reason:  "net/http hangs up on a frame that has one setting twice",
	cases:   []string{"http2/6.5.3: Sends multiple values of SETTINGS_INITIAL_WINDOW_SIZE"},
}, {
	servers: []string{"connect", "tls"},
	reason:  "net/http answers 400, where the rule asks for a stream that is reset",
	cases: []string{
		"http2/8.1.2.2: Sends a HEADERS frame that contains the connection-specific header field",
		`http2/8.1.2.2: Sends a HEADERS frame that contains the TE header field with any value other than "trailers"`,
	},
}, {
	servers: []string{"connect fast", "tls fast", "grpc", "floor"},
	reason:  "RFC 9113 has taken priorities out of HTTP/2",
	cases: []string{
		"http2/5.3.1: Sends HEADERS frame that depend on itself",
		"http2/5.3.1: Sends PRIORITY frame that depend on itself",
	},
}, {
	servers: []string{"grpc", "floor"},
	reason:  "gRPC does not send content-length, and neither grpc-go nor package h2 compares it",
	cases: []string{
		`http2/8.1.2.6: Sends a HEADERS frame with the "content-length" header field which does not equal the DATA frame payload length`,
		`http2/8.1.2.6: Sends a HEADERS frame with the "content-length" header field which does not equal the sum of the multiple DATA frames payload length`,
	},
}, {
	servers: []string{"grpc"},
	reason:  "what is no gRPC is answered by a header alone, and these cases look at a body",
	cases: []string{
		"generic/2: Sends a PRIORITY frame on half-closed (remote) stream",
		"generic/2: Sends a WINDOW_UPDATE frame on half-closed (remote) stream",
		"http2/6.5.3: Sends multiple values of SETTINGS_INITIAL_WINDOW_SIZE",
		"http2/6.9.1: Sends SETTINGS frame to set the initial window size to 1 and sends HEADERS frame",
		"http2/6.9.2: Changes SETTINGS_INITIAL_WINDOW_SIZE after sending HEADERS frame",
		"http2/6.9.2: Sends a SETTINGS frame for window size to be negative",
	},
}, {
	servers: []string{"grpc"},
	reason:  "what is no gRPC is answered at once, so that its streams never reach the limit",
	cases:   []string{"http2/5.1.2: Sends HEADERS frames that causes their advertised concurrent stream limit to be exceeded"},
}, {
	servers: []string{"grpc"},
	reason:  "grpc-go ignores frames of streams that are not open, and frames of push",
	cases: []string{
		"http2/5.1: idle: Sends a DATA frame",
		"http2/5.1: idle: Sends a RST_STREAM frame",
		"http2/5.1: idle: Sends a WINDOW_UPDATE frame",
		"http2/5.1: half closed (remote): Sends a DATA frame",
		"http2/5.1: closed: Sends a DATA frame",
		"http2/5.1: closed: Sends a DATA frame after sending RST_STREAM frame",
		`http2/6.1: Sends a DATA frame on the stream that is not in "open" or "half-closed (local)" state`,
		"http2/6.4: Sends a RST_STREAM frame on a idle stream",
		"http2/8.2: Sends a PUSH_PROMISE frame",
	},
}, {
	servers: []string{"grpc"},
	reason:  "grpc-go does not check settings of which it makes no use, nor the sum of windows",
	cases: []string{
		"http2/6.5.2: SETTINGS_ENABLE_PUSH (0x2): Sends the value other than 0 or 1",
		"http2/6.5.2: SETTINGS_MAX_FRAME_SIZE (0x5): Sends the value above the maximum allowed frame size",
		"http2/6.5.2: SETTINGS_MAX_FRAME_SIZE (0x5): Sends the value below the initial value",
		"http2/6.9.1: Sends multiple WINDOW_UPDATE frames increasing the flow control window to above 2^31-1",
		"http2/6.9.1: Sends multiple WINDOW_UPDATE frames increasing the flow control window to above 2^31-1 on a stream",
	},
}, {
	servers: []string{"grpc"},
	reason:  "grpc-go answers by a status, where the rule asks for a stream that is reset",
	cases: []string{
		`http2/8.1.2.2: Sends a HEADERS frame that contains the TE header field with any value other than "trailers"`,
		`http2/8.1.2.3: Sends a HEADERS frame that omits ":method" pseudo-header field`,
		`http2/8.1.2.3: Sends a HEADERS frame that omits ":path" pseudo-header field`,
		`http2/8.1.2.3: Sends a HEADERS frame that omits ":scheme" pseudo-header field`,
		`http2/8.1.2.3: Sends a HEADERS frame with empty ":path" pseudo-header field`,
	},
}}

// h2specFailures lists the cases that a server is known to fail, in order.
func h2specFailures(server string) (cases []string) {
	for _, known := range h2specKnownFailures {
		if slices.Contains(known.servers, server) {
			cases = append(cases, known.cases...)
		}
	}
	slices.Sort(cases)
	return cases
}
