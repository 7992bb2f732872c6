package run

import (
	"fmt"

	"example.com/greet/benchmark/internal/process"
)

// pin gives the first half of the CPUs to the servers, of which one is called at a time, and the
// rest to this process. Unpin undoes it.
func (r Run) pin() (forServers []int, unpin func(), err error) {
	if !r.Pin {
		return nil, func() {}, nil
	}
	all, err := process.CPUs()
	if err != nil {
		return nil, nil, err
	}
	forServers, forClient, err := divide(all)
	if err != nil {
		return nil, nil, err
	}
	if err := process.Pin(forClient); err != nil {
		return nil, nil, err
	}
	return forServers, func() { _ = process.Pin(all) }, nil
}

func divide(cpus []int) (servers, client []int, err error) {
	if len(cpus) < 2 {
		return nil, nil, fmt.Errorf("pin client and server to CPUs of their own: this process may run on %d CPU, "+
			"and it takes 2: measure without --pin, or give it more (taskset, cpuset)", len(cpus))
	}
	half := len(cpus) / 2
	return cpus[:half], cpus[half:], nil
}
