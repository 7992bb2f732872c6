// Package h1 reads the responses of an HTTP/1.1 server (RFC 9112), by hand, for a
// client that has one request at a time on a connection.
//
// It owns the grammar of responses: the status line, fields, and bodies by length,
// in chunks, or up to the end of the connection. It reads strictly, since two
// readings of one message are how requests get smuggled: a line ends with CRLF, a
// body has one length, and what is malformed is an error, after which the
// connection is of no use. All that it holds is bounded. It knows no RPC, writes no
// requests (a client that sends the same header again and again has it encoded),
// and leaves out what only other requests than POST, or other clients, meet:
// responses to HEAD and CONNECT, upgrades, trailers, which are read and dropped,
// and codings other than chunked.
package h1
