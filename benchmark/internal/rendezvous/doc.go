// Package rendezvous lets the workers of one run, which are processes on one machine or
// on many, agree on who they are and on when each slice begins.
//
// Worker 0 is the meeting point: it has a Host, and each worker, itself among them, is a
// Member of it over one TCP connection. A message is one line of JSON. The package
// carries no load, starts nothing and restarts nothing, and does not know what a slice
// measures.
//
// All workers go through the same points in the same order: they join, then for each slice
// they enter it, begin its window and end it. A member that asks to pass a point is let
// through when every other one has come as far. So a window begins on all workers at one
// time, which the host sets a little ahead, by its own clock; the members measure how far
// their clocks are off over the same connection, as NTP does (RFC 5905, section 8).
package rendezvous
