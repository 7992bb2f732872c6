// Package greet says what the four modes of greet.v1.GreetService mean.
//
// It owns the texts, the order, the limits and the errors of the service, as
// plain functions over messages: every server in this repository is a thin
// adapter around them, so all of them mean the same. It knows no RPC library,
// no transport and no codec.
package greet
