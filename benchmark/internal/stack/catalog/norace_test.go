//go:build !race

package catalog

const raceDetector = false
