// Package calls says which calls a slice makes and who makes them. Work describes the calls, a
// Caller makes them, and a Session holds a caller's connections to one server meanwhile.
//
// A stack's own library, the floor's driver and a peer's process are callers. The package also has
// the one rule for the right reply. It knows no library, no scenario and no case.
package calls
