//go:build race

package hardening_test

// raceDetector says that this process holds several times the memory that it
// would without, so that its own figures of memory mean nothing.
const raceDetector = true
