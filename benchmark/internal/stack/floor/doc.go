// Package floor makes the stack floor/grpc/h2c: greet.v1 over gRPC with as little
// between the service and the socket as Go allows, at both ends.
//
// It is a yardstick. Tables that show how much slower a framework is need
// something to compare with, and a load generator must not measure itself.
// So the floor does what every gRPC implementation must do: real protobuf messages,
// deadlines, statuses with details, metadata, limits, and honest HTTP/2 by package
// h2. It leaves out TLS and compression, which it refuses by name, and interceptors,
// retries, load balancing and reflection.
//
// It owns gRPC on top of HTTP/2 frames
// (https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-HTTP2.md): a server whose
// calls are served within the event loop of their connection, a client with
// blocking methods, and Driver, a load engine that keeps thousands of calls of any
// mode in flight without a goroutine for any of them. The drivers also call servers of
// Connect, of which there is none here: Driver over HTTP/2, and ConnectDriver over
// HTTP/1.1. The service itself is in internal/greet.
//
// The server has a serverConn for each connection and a serverCall for each call;
// the client has clientConn and clientCall, and the drivers loadConn and loadCall.
package floor
