// Package guard stands between a connection and the library that speaks HTTP/2 on
// it, and ends the connection when the peer does what the library would not
// survive or would wait for too long.
//
// It reads the heads of frames and the settings, and nothing else: what the
// frames mean is the library's business. A connection that turns out not to
// speak HTTP/2 passes untouched.
package guard
