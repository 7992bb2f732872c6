//go:build unix

package run

import "syscall"

// descriptorLimit is how many file descriptors this process may have open, or 0 if
// the system does not say.
func descriptorLimit() uint64 {
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		return 0
	}
	return limit.Cur
}
