// Package bare makes the lowest rungs of the ladder that tells where the time of
// a small call goes. They are no RPC:
//
//   - bare/bytes/tcp moves as many bytes as a greeting has over one TCP connection,
//     behind their length: what sockets and the scheduler cost, and nothing else.
//   - bare/call/inproc calls the function that makes the greeting: what is left
//     without any transport or library.
//
// It owns that one form of message and nothing more. Errors other than those of
// the connection do not exist in it, nor do metadata or streams, which it refuses.
package bare
