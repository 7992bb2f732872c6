// Package contract holds what every server and client of greet.v1 must do, as
// one table of behaviours that are checked over real connections.
//
// It owns the behaviours and says of each what was seen and what was wanted. The
// texts are written out here rather than taken from internal/greet, so that
// client and server cannot be wrong alike. It knows no RPC library and starts no
// server: a test runs it against every stack here, and the benchmark against
// servers in other languages.
package contract
