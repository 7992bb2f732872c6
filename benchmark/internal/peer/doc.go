// Package peer reads and builds the peers of this repository: servers and benchmark clients in
// other languages, or on another version of a Go library. Each has a folder with a file peer.json.
//
// The package owns that file's format, what a peer needs of the machine, its build and whether that
// is up to date, the list of its libraries, and the protocol that asks its client to make calls. It
// starts no server: it returns argument vectors for package process. It knows no RPC library.
package peer
