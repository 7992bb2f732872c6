// Package rendezvous lets the workers of one run, which are processes on one machine or on many,
// agree on who they are and when each slice begins.
//
// Worker 0 is the meeting point. It has a Host, and each worker, itself included, is a Member of it
// over one TCP connection. A message is one line of JSON. The package makes no load, starts
// nothing, restarts nothing, and does not know what a slice measures.
//
// All workers pass the same points in the same order: they join, then for each slice they enter it,
// begin its window and end it. A member that asks to pass a point waits until every other one has
// come to it. So a window begins on all workers at one time, which the host sets a little ahead by
// its own clock. The members measure the offset of their clocks over the same connection, as NTP
// does (RFC 5905, section 8).
package rendezvous
