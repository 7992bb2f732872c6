// Package floor makes the stack floor/grpc/h2c: greet.v1 over gRPC with as little
// between the service and the socket as Go allows, at both ends.
//
// It is a yardstick. Tables that show how much slower a framework is need
// something to be slower than, and a load generator must not be what it measures.
// So the floor does what any gRPC implementation must (real protobuf messages,
// deadlines, statuses with details, metadata, limits, honest HTTP/2 by
// internal/h2) and leaves out what one may leave out: TLS and compression, which
// it refuses clearly, interceptors, retries, load balancing, reflection.
//
// It owns gRPC on top of HTTP/2 frames
// (https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-HTTP2.md): a server whose
// calls are served within the event loop of their connection, a client with
// blocking methods, and Driver, a load engine that keeps thousands of calls in
// flight without a goroutine for any of them. ConnectDriver is the same for Connect
// over HTTP/1.1, of which there is no server here. What the service means is in
// internal/greet.
package floor
