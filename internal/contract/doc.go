// Package contract holds what every server and client of greet.v1 must do, as one table of
// behaviours that are checked over real connections.
//
// It owns the behaviours, and reports what each check got and wanted. It writes the expected texts
// out rather than take them from internal/greet, so that client and server cannot share a mistake.
// It knows no RPC library and starts no server: a test runs it against every stack here, and the
// benchmark against servers in other languages.
package contract
