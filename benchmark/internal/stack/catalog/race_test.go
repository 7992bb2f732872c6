//go:build race

package catalog

// raceDetector says that the tests run with the race detector, under which they
// take ten times as long.
const raceDetector = true
