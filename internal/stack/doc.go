// Package stack says what a stack is: one RPC library, speaking one protocol
// over one transport, able to serve and to call greet.v1.GreetService.
//
// It owns the names of stacks, the Stack type that every library package fills
// in, and the client interface that every one of them returns. It imports none
// of those packages; the benchmark's catalog lists them. It knows nothing of
// load, scenarios or results.
package stack
