// Package connectv1 makes stacks of connectrpc.com/connect, version 1, which most deployed Connect
// servers run: a server and a client of greet.v1 that speak the Connect protocol over net/http.
//
// They are for comparison, so they have the limits that every server here has and nothing that a
// demo adds. internal/greet says what the service means; internal/dial and internal/listen own the
// connections.
package connectv1
