// Package peer reads the peers of this repository: servers, and later benchmark
// clients, in other languages or on another version of a Go library, one folder
// each with a file peer.json.
//
// It owns that file's format, what a peer needs of the machine, how it is built,
// and which libraries it says that it was built with. It starts no server: the
// argument vectors that it yields are for package process, whose contract a peer's
// server keeps. It calls none either, and knows no RPC library.
package peer
