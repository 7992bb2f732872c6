package run

import (
	"fmt"
	"io/fs"
	"os"
	"strings"

	"example.com/greet/benchmark/internal/result"
)

// Warnings lists what on this machine may distort the figures of the run, or end it early, and what
// helps: a sentence each.
func (r Run) Warnings() []string {
	return warnings(os.DirFS("/"), descriptorLimit(), mostConnections(r.Plan.Cases()), len(r.Plan.Targets))
}

// mostConnections is the most connections that any of the cases opens at once.
func mostConnections(cases []result.Case) (most int) {
	for _, c := range cases {
		connections := c.Connections
		if connections == 0 && c.Mode != "" {
			connections = c.Concurrency // the client chooses, and needs no more than that
		}
		most = max(most, connections)
	}
	return most
}

// warnings checks the machine with the given root directory.
func warnings(root fs.FS, descriptors uint64, connections, servers int) []string {
	m := machine{root}
	var found []string
	warn := func(format string, args ...any) { found = append(found, fmt.Sprintf(format, args...)) }

	if g := m.governor(); g != unknown && g != "performance" {
		warn("the CPU frequency governor is %s, so speed follows the load: `cpupower frequency-set -g performance`", g)
	}
	// A loaded machine slows all stacks, and some more than others.
	if load, running, cpus := m.load(); cpus > 0 && (load > float64(cpus)/2 || running > cpus) {
		warn("the machine is busy: load average %.2f and %d tasks running now, on %d CPUs: see which with `top`", load, running, cpus)
	}
	if c := m.clock(); c != unknown && c != "tsc" && c != "arch_sys_counter" {
		warn("the clock source is %s, whose readings are slower or coarser than the processor's own: "+
			"`echo tsc > /%s`, where it is in available_clocksource beside it", c, clockFile)
	}
	// Closed connections keep their ports for a minute (TIME_WAIT).
	if low, high := m.ports(); high > 0 && high-low < max(10_000, 4*connections) {
		warn("there are only %d ephemeral ports: %s", high-low+1, raisePorts)
	}
	// Each server takes a control socket and pipes; the rest is the program's own.
	if need := connections + 4*servers + 32; descriptors > 0 && descriptors < uint64(need) {
		warn("this process may have %d file descriptors open, and the run needs some %d: %s", descriptors, need, raiseDescriptors)
	}
	return found
}

// machine reads the kernel's files. A missing value is unknown or 0.
type machine struct{ root fs.FS }

const clockFile = "sys/devices/system/clocksource/clocksource0/current_clocksource"

func (m machine) governor() string {
	return m.line("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor")
}

func (m machine) clock() string { return m.line(clockFile) }

// load returns the load average of a minute, and how many tasks run or want to, without this one.
func (m machine) load() (average float64, running, cpus int) {
	var five, fifteen float64
	if _, err := fmt.Sscanf(m.line("proc/loadavg"), "%g %g %g %d/", &average, &five, &fifteen, &running); err != nil {
		return 0, 0, 0
	}
	stat, err := fs.ReadFile(m.root, "proc/stat")
	if err != nil {
		return 0, 0, 0
	}
	for line := range strings.Lines(string(stat)) {
		if strings.HasPrefix(line, "cpu") && !strings.HasPrefix(line, "cpu ") {
			cpus++
		}
	}
	return average, running - 1, cpus
}

// ports is the range that connections get their own port from.
func (m machine) ports() (low, high int) {
	if _, err := fmt.Sscan(m.line("proc/sys/net/ipv4/ip_local_port_range"), &low, &high); err != nil {
		return 0, 0
	}
	return low, high
}

func (m machine) line(path string) string {
	text, err := fs.ReadFile(m.root, path)
	if err != nil {
		return unknown
	}
	line, _, _ := strings.Cut(string(text), "\n")
	return strings.TrimSpace(line)
}
