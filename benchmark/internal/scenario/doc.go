// Package scenario says what is measured: each kind of measurement is one file and one line in All.
//
// A scenario lists cases for the stacks that it is given, and measures one slice of one case
// against a running server. It knows the greet client interface, the right replies and the load
// engine; it knows no RPC library, no process, no rounds and no files.
package scenario
