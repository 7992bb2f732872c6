// Package result owns the results of measurements: the measured case, the result line of each
// slice, the schema of that line, files of lines, verdicts, statistics, and comparisons of two
// sets.
//
// It is all that the run side and the report side share. It knows no RPC library and no scenario: a
// result carries named metrics and named histograms, so a reader need not know what made it.
package result
