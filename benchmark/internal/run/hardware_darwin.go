package run

import (
	"golang.org/x/sys/unix"

	"example.com/greet/benchmark/internal/result"
)

// fillHardware adds what the kernel tells of processors, memory and itself.
func fillHardware(e *result.Environment) {
	if model, err := unix.Sysctl("machdep.cpu.brand_string"); err == nil {
		e.CPU = model
	}
	if release, err := unix.Sysctl("kern.osrelease"); err == nil {
		e.Kernel = release
	}
	if size, err := unix.SysctlUint64("hw.memsize"); err == nil {
		e.Memory = int64(size)
	}
	if guest, err := unix.SysctlUint32("kern.hv_vmm_present"); err == nil {
		e.Virtual = guest != 0
	}
}
