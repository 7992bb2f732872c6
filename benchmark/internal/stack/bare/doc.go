// Package bare makes the lowest rungs of the ladder that tells where the time of
// a call goes. They are no RPC:
//
//   - bare/bytes/tcp moves as many bytes as the messages of a call have over TCP, in
//     each mode, behind their lengths: what sockets and the scheduler cost, and nothing
//     else.
//   - bare/call/inproc calls the function that makes the greeting: what is left
//     without any transport or library.
//
// A connection of bare/bytes/tcp begins with one byte, which says the mode of all calls
// on it. Then there are messages alone: four bytes of length, and so many bytes. A length
// of all ones, which no message has, marks an end.
//
//	unary          a name                           a greeting
//	server stream  a count in four bytes, a name    so many greetings
//	client stream  names, an end                    how many names, in four bytes
//	bidi           names, an end                    a greeting for each, an end
//
// Calls follow each other, and are answered in their order, so that any number of them
// may be in flight on one connection without a word about which is which. The messages
// of calls that follow each other go into one system call, as do their answers.
//
// Errors other than those of the connection do not exist, nor do metadata, deadlines
// that the server knows of, or flow control but TCP's.
//
// The package has a server, a client with blocking methods, and Driver, which keeps calls
// in flight on an event loop.
package bare
