package result

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// lock locks the file until it is closed, however its process ends. Windows keeps others from
// reading locked bytes, so lock takes one far behind the end.
func lock(file *os.File) error {
	behind := windows.Overlapped{OffsetHigh: 1 << 30}
	const flags = windows.LOCKFILE_EXCLUSIVE_LOCK | windows.LOCKFILE_FAIL_IMMEDIATELY
	err := windows.LockFileEx(windows.Handle(file.Fd()), flags, 0, 1, 0, &behind)
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) {
		return ErrLocked
	}
	return nil
}
