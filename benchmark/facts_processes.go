package main

import (
	"fmt"

	"github.com/prometheus/procfs"

	"example.com/greet/benchmark/internal/process"
)

// footprint is the processes, threads and memory that programs use.
type footprint struct {
	processes, threads int
	resident           uint64 // bytes; shared pages count twice
}

// footprintOf adds up a process and all its descendants.
func footprintOf(pid int) (footprint, error) {
	all, err := procfs.AllProcs()
	if err != nil {
		return footprint{}, fmt.Errorf("list processes: %w", err)
	}
	children := make(map[int][]int)
	for _, p := range all {
		// A process that has ended meanwhile is left out.
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

// max returns the larger of each figure.
func (f footprint) max(g footprint) footprint {
	return footprint{max(f.processes, g.processes), max(f.threads, g.threads), max(f.resident, g.resident)}
}
