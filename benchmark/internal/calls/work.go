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
	// Concurrency is how many calls are kept in flight, and Connections how many connections carry
	// them; 0 leaves the connections to the caller.
	Concurrency, Connections int
	// Numbered gives each message of a chat its number, so that a reply shows which message it
	// answers.
	Numbered bool
	// Drawn makes calls differ in ways that no server can predict; see Variants. It makes what is
	// sent less compressible.
	Drawn bool
	// Word is the common part of a variant's names.
	Word string
	// InTurn makes each message of a chat wait for the answer to the one before. Without it,
	// sending and receiving are independent.
	InTurn bool
	// Refused asks for a server stream that the server must refuse. The call succeeds if it is
	// refused in the right way.
	Refused bool
	// Headers is how many request headers each call has beside those that it needs.
	Headers int
}

// Name is the name in each request, but for the numbers of numbered messages.
func (w Work) Name() string {
	return (w.Word + strings.Repeat("x", w.Payload))[:w.Payload]
}
