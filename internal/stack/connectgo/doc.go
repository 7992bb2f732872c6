// Package connectgo serves and calls greet.v1.GreetService with connect-go v2, which speaks
// Connect, gRPC and gRPC-Web over whatever HTTP it is given.
//
// It owns the adapters between internal/greet and connect-go at both ends, and what a demo server
// adds: reflection, health, CORS, recovery from panics, a log of calls. It leaves sockets and the
// limits of HTTP to internal/listen, and connections to internal/dial.
package connectgo
