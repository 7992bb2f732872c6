//go:build unix

package peer

import (
	"io/fs"
	"syscall"
)

// identity is equal for all names of one file or folder.
func identity(path string, info fs.FileInfo) any {
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return path
	}
	return [2]any{stat.Dev, stat.Ino}
}
