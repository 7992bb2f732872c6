//go:build !race

package hardening_test

const raceDetector = false
