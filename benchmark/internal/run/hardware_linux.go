package run

import (
	"slices"

	"github.com/prometheus/procfs"

	"example.com/greet/benchmark/internal/result"
)

// fillHardware adds what the kernel tells of processors and memory.
func fillHardware(e *result.Environment) {
	fs, err := procfs.NewDefaultFS()
	if err != nil {
		return
	}
	if cpus, err := fs.CPUInfo(); err == nil && len(cpus) > 0 {
		e.CPU = cpus[0].ModelName
		e.Virtual = slices.Contains(cpus[0].Flags, "hypervisor")
	}
	if memory, err := fs.Meminfo(); err == nil && memory.MemTotalBytes != nil {
		e.Memory = int64(*memory.MemTotalBytes)
	}
}
