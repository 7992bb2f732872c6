// Package stack defines a stack: one RPC library that serves and calls greet.v1.GreetService in one
// protocol over one transport.
//
// It owns the names of stacks, the Stack type that every library package fills in, and the client
// interface that each of them returns. It imports none of those packages; the benchmark's catalog
// lists them. It knows nothing of load, scenarios or results.
package stack
