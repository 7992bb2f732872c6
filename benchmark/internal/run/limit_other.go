//go:build !unix

package run

// descriptorLimit is 0: Windows sets no limit that a process could read.
func descriptorLimit() uint64 { return 0 }
