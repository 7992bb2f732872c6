// Package load keeps calls in flight and records how each one ended.
//
// The unit of load is "keep k calls in flight until told to stop, and report
// each completion", not "make one call": a Driver that runs a goroutine per
// call in flight is in this package, and one that runs an event loop per
// connection can stand in its place. Load knows no RPC; what a call is, and
// whether its reply was the right one, is the caller's business.
package load
