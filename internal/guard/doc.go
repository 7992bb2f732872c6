// Package guard stands between a connection and the library that speaks HTTP/2 on it. It ends the
// connection when the peer does what would crash the library, or makes it wait too long.
//
// It reads the heads of frames and the settings, and nothing else; what the frames mean is the
// library's business. It does not touch a connection that turns out not to speak HTTP/2.
package guard
