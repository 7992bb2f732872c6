package process

import (
	"net"
	"os"
	"syscall"
)

// ownGroup starts a process in a process group of its own.
func ownGroup() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP}
}

// terminate reports that Windows has no SIGTERM.
func terminate(*os.Process) bool { return false }

// killGroup ends the process. What it started ends with its input.
func killGroup(p *os.Process) { _ = p.Kill() }

// ownUsage reads this process's processor time. Its memory is 0: not told.
func ownUsage() (userNS, systemNS, peakBytes int64) {
	var created, exited, kernel, user syscall.Filetime
	self, err := syscall.GetCurrentProcess()
	if err != nil || syscall.GetProcessTimes(self, &created, &exited, &kernel, &user) != nil {
		return 0, 0, 0
	}
	return spent(user), spent(kernel), 0
}

// spent converts a duration to nanoseconds. Filetime.Nanoseconds would treat it as a date and shift
// it by the years from 1601 to 1970.
func spent(t syscall.Filetime) int64 {
	return (int64(t.HighDateTime)<<32 | int64(t.LowDateTime)) * 100
}

// controlPair makes nothing: a Windows process inherits no descriptor 3. Its server then counts as
// one without a control socket.
func controlPair() (net.Conn, *os.File, error) { return nil, nil, nil }
