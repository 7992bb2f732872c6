// Package connectgo serves and calls greet.v1.GreetService with connect-go v2,
// which speaks Connect, gRPC and gRPC-Web over whatever HTTP it is given.
//
// It owns the two adapters between internal/greet and connect-go, and what a
// server that people explore has beside the service: reflection, health, CORS,
// recovery from panics, a log of calls. It leaves sockets and the limits of HTTP
// to internal/listen and connections to internal/dial.
package connectgo
