// Package h2 speaks HTTP/2 (RFC 9113) over a net.Conn, at either end, framed by
// hand.
//
// It owns frames, streams, flow control, header compression (RFC 7541, with the
// tables and the Huffman code of golang.org/x/net) and the defence against peers
// that misuse them. It knows no RPC and no messages: a Handler sits on top and is
// told what happens on each stream.
//
// # How a connection runs
//
// One goroutine reads. Each read brings a batch of frames, often many; they are
// parsed in place, the handler is called for each, and whatever it sends is
// appended to one output buffer, which is written once when the batch is done. So
// under load a read and a write serve dozens of streams, and no other goroutine
// has to be woken. Read the files in this order: frame.go, settings.go, stream.go,
// reader.go, dispatch.go, headers.go, hpack.go, flow.go, writer.go, conn.go.
//
// A mutex guards all of a connection: the reading goroutine holds it while it
// works on a batch, and other goroutines enter through Conn.Do. A write never
// blocks the reader, since two ends that both wait to write would wait for ever:
// what the socket does not take at once is left to a goroutine that lives until
// it has.
//
// # What it leaves out
//
// Server push (refused by SETTINGS), priorities (read and ignored, as RFC 9113
// section 5.3.2 allows), the upgrade from HTTP/1.1 (dropped by RFC 9113), TLS, and
// the check of content-length against the length of a body, which is left to the
// handler: gRPC does not send it.
//
// So h2spec v2.2.1 (github.com/summerwind/h2spec, run by test/conformance with a handler
// that answers each whole request) passes 141 of its 145 tests, and fails these, none of
// which a gRPC client can meet:
//
//   - 5.3.1, 1 and 2, a stream that depends on itself: priorities were taken out of
//     HTTP/2 by RFC 9113, and h2spec tests RFC 7540.
//   - 8.1.2.6, 1 and 2, a content-length that is not the body's length.
//
// rules_test.go holds the rest of RFC 9113's rules, section by section, without
// h2spec.
package h2
