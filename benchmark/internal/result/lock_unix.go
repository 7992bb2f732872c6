//go:build unix

package result

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// lock locks the file until it is closed, by whatever way its process ends. A file
// system that knows no locks is not held against the run.
func lock(file *os.File) error {
	if err := unix.Flock(int(file.Fd()), unix.LOCK_EX|unix.LOCK_NB); errors.Is(err, unix.EWOULDBLOCK) {
		return ErrLocked
	}
	return nil
}
