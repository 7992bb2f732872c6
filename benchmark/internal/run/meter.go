package run

import (
	"context"
	"os"

	"example.com/greet/benchmark/internal/process"
	"example.com/greet/benchmark/internal/scenario"
)

// meter implements scenario.Meter for a server that the run started.
type meter struct {
	server  *server
	command process.Command
}

// Read reads this process, the server, and the connections between them.
func (m meter) Read() (r scenario.Reading, err error) {
	if r.Client, err = totals(os.Getpid(), process.Own()); err != nil {
		return r, err
	}
	stats, err := m.server.figures()
	if err != nil {
		return r, err
	}
	if r.Server, err = totals(m.server.process.PID(), stats); err != nil {
		return r, err
	}
	wire, err := process.ReadWire(m.server.Addr)
	r.Ports, r.Sent, r.Received = wire.Ports, wire.Sent, wire.Received
	return r, err
}

func totals(pid int, s process.Stats) (scenario.Totals, error) {
	switches, err := process.ReadSwitches(pid)
	return scenario.Totals{
		UserNS: s.UserNS, SystemNS: s.SystemNS,
		Voluntary: switches.Voluntary, Involuntary: switches.Involuntary,
		Allocs: s.Allocs, AllocBytes: s.AllocBytes,
	}, err
}

// Syscalls attaches strace to the process of that side.
func (m meter) Syscalls(of scenario.Side, f func()) (map[string]int64, error) {
	pid := m.server.process.PID()
	if of == scenario.ClientSide {
		pid = os.Getpid()
	}
	return process.CountSyscalls(pid, f)
}

// Start starts another server with the same command. It stops without a signal, because callgrind
// would not survive one.
func (m meter) Start(ctx context.Context, wrapper ...string) (scenario.Setup, func() error, error) {
	command := m.command
	command.Argv = append(wrapper, command.Argv...)
	fresh := &server{Setup: m.server.Setup, target: m.server.target}
	var err error
	if fresh.process, err = process.Start(ctx, command); err != nil {
		return scenario.Setup{}, nil, err
	}
	fresh.observe(command)
	return fresh.Setup, func() error { return fresh.process.HangUp(stopPatience) }, nil
}

// observe lets scenarios call and observe the server that the command started.
func (s *server) observe(command process.Command) {
	s.Addr, s.Memory, s.Meter = s.process.Addr(), s.process.Memory, meter{s, command}
	s.figures = s.process.StatsOrObserved
}

var _ scenario.Meter = meter{}
