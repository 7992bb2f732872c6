// Package load keeps calls in flight and records how each one ended.
//
// The unit of load is "keep k calls in flight until told to stop, and report each completion", not
// "make one call". A Driver does that. The one in this package runs a goroutine per call in flight;
// others can run an event loop per connection. The package knows no RPC: its user says what a call
// is, and whether its reply was right.
package load
