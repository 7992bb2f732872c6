package main

import (
	"fmt"

	"github.com/prometheus/procfs"

	"example.com/greet/benchmark/internal/process"
)

// footprint is what processes take of the machine.
type footprint struct {
	processes, threads int
	resident           uint64 // bytes; pages that two of them share count twice
}

// footprintOf is that of a process and all that descend from it.
func footprintOf(pid int) (footprint, error) {
	all, err := procfs.AllProcs()
	if err != nil {
		return footprint{}, fmt.Errorf("list processes: %w", err)
	}
	children := make(map[int][]int)
	for _, p := range all {
		// A process that has ended since is no child any more.
		if stat, err := p.Stat(); err == nil {
			children[stat.PPID] = append(children[stat.PPID], p.PID)
		}
	}
	var f footprint
	family := []int{pid}
	for i := 0; i < len(family); i++ {
		if err := f.add(family[i]); err != nil {
			return f, fmt.Errorf("observe process %d: %w", family[i], err)
		}
		family = append(family, children[family[i]]...)
	}
	return f, nil
}

func (f *footprint) add(pid int) error {
	p, err := procfs.NewProc(pid)
	if err != nil {
		return err
	}
	stat, err := p.Stat()
	if err != nil {
		return err
	}
	memory, err := process.Resident(pid)
	if err != nil {
		return err
	}
	f.processes++
	f.threads += stat.NumThreads
	f.resident += uint64(memory)
	return nil
}

// orMore has the larger of each.
func (f footprint) orMore(g footprint) footprint {
	return footprint{max(f.processes, g.processes), max(f.threads, g.threads), max(f.resident, g.resident)}
}
