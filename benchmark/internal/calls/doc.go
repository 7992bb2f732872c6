// Package calls says what is called in a slice and who makes the calls: Work describes
// the calls, a Caller makes them, and a Session is a caller's connections to one server
// while it does.
//
// A stack's own library, the floor's driver and a peer's process are callers. The
// package also has the one rule for which reply is the right one. It knows no library,
// no scenario and no case.
package calls
