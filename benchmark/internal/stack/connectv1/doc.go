// Package connectv1 makes stacks of connectrpc.com/connect, version 1, which
// most deployed Connect servers run: a server and a client of greet.v1 that
// speak the Connect protocol over net/http.
//
// They are there to be compared with, so they have the limits that every server
// here has and none of what a demo adds. What the service means is in
// internal/greet; connections are internal/dial's and internal/listen's.
package connectv1
