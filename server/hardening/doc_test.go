// Package hardening_test treats the servers and clients of this repository
// badly, over real sockets, and checks that they hold.
//
// It holds tests only, so that there is nothing here to import. Its bad peers
// are written by hand, below any RPC library: raw sockets, HTTP/2 frames, HPACK
// and QUIC streams. Where memory or an exit matters, the built server runs as a
// process; where a handler has to sleep, fail or panic, a rude service is mounted
// on the constructors that the server uses. What two good ends owe each other is
// the business of package contract.
//
// Bounds in seconds are limits of a protocol or of a server, and are tested with
// slack for a busy machine. Nothing here asserts speed.
package hardening_test
