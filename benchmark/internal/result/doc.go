// Package result owns what a measurement yields: the case that was measured,
// the result line that each of its slices leaves behind, the schema of that
// line, reading and writing files of them, the verdicts on them, the statistics
// over them, and what two sets of them say of each other.
//
// It is the only thing that the run side and the report side share. It knows
// no RPC library and no scenario: a result carries named metrics and named
// histograms, so that whoever reads it need not know what made it.
package result
