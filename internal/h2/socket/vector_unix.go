//go:build unix && !linux

package socket

import "syscall"

func vectored(syscall.RawConn) func([][]byte) (int, error) { return nil }
