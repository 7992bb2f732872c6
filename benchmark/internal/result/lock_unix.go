//go:build unix

package result

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// lock locks the file until it is closed, however its process ends. A run may go on where the file
// system has no locks.
func lock(file *os.File) error {
	if err := unix.Flock(int(file.Fd()), unix.LOCK_EX|unix.LOCK_NB); errors.Is(err, unix.EWOULDBLOCK) {
		return ErrLocked
	}
	return nil
}
