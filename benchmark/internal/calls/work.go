package calls

import (
	"strings"

	"example.com/greet/internal/greet"
)

// Work says what each call of a slice is, and over how many connections.
type Work struct {
	Mode     greet.Mode
	Payload  int // bytes of the name in each request
	Messages int // of each call, in each direction that streams
	// Concurrency is how many calls are kept in flight, and Connections how many
	// connections carry them. 0 connections leave it to the caller.
	Concurrency, Connections int
	// Numbered has each message of a chat carry its number, so that a reply tells which
	// message it answers.
	Numbered bool
	// Drawn has calls differ in ways that no server can foretell; see Variants. What is
	// sent can be compressed less then.
	Drawn bool
	// Word is what the names of a variant have in common.
	Word string
	// InTurn has each message of a chat wait for the answer to the one before; without
	// it, sending and receiving run free of each other.
	InTurn bool
	// Refused asks a server stream for what the server must refuse: the call succeeds
	// if it does so in the right way.
	Refused bool
	// Headers is how many request headers each call has beside those that it needs.
	Headers int
}

// Name is the name in each request, but for the numbers of numbered messages.
func (w Work) Name() string {
	return (w.Word + strings.Repeat("x", w.Payload))[:w.Payload]
}
