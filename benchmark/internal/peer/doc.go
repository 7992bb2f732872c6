// Package peer reads and builds the peers of this repository: servers and benchmark
// clients in other languages, or on another version of a Go library, one folder each
// with a file peer.json.
//
// It owns that file's format, what a peer needs of the machine, how it is built and
// whether that is still fresh, which libraries it lists, and the protocol in which its
// client is asked to make calls. It starts no server: the argument vectors that it
// yields are for package process, whose contract a peer's server keeps. It knows no
// RPC library.
package peer
