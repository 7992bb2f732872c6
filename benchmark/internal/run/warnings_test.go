package run

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/greet/benchmark/internal/plan"
	"example.com/greet/benchmark/internal/result"
)

func file(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text)} }

// quiet is a machine with nothing to warn of.
func quiet() fstest.MapFS {
	return fstest.MapFS{
		"sys/devices/system/cpu/cpu0/cpufreq/scaling_governor": file("performance\n"),
		clockFile:                               file("tsc\n"),
		"proc/loadavg":                          file("0.31 0.20 0.10 1/180 4711\n"),
		"proc/stat":                             file("cpu  1 2 3\ncpu0 1 2 3\ncpu1 1 2 3\nintr 7\n"),
		"proc/sys/net/ipv4/ip_local_port_range": file("32768\t60999\n"),
	}
}

func TestWarnings(t *testing.T) {
	for _, test := range []struct {
		name   string
		change func(fstest.MapFS)
		want   string // the command that helps; empty for no warning
	}{
		{"a quiet machine", func(fstest.MapFS) {}, ""},
		{"a machine that tells nothing", func(m fstest.MapFS) { clear(m) }, ""},
		{"governor", func(m fstest.MapFS) {
			m["sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"] = file("powersave\n")
		}, "`cpupower frequency-set -g performance`"},
		{"load average", func(m fstest.MapFS) { m["proc/loadavg"] = file("1.01 0.20 0.10 1/180 4711\n") }, "`top`"},
		{"run queue", func(m fstest.MapFS) { m["proc/loadavg"] = file("0.00 0.00 0.00 4/180 4711\n") }, "`top`"},
		{"run queue as long as the CPUs", func(m fstest.MapFS) { m["proc/loadavg"] = file("0.00 0.00 0.00 3/180 4711\n") }, ""},
		{"clock", func(m fstest.MapFS) { m[clockFile] = file("hpet\n") }, "`echo tsc > /" + clockFile + "`"},
		{"clock of an ARM", func(m fstest.MapFS) { m[clockFile] = file("arch_sys_counter\n") }, ""},
		{"ports", func(m fstest.MapFS) { m["proc/sys/net/ipv4/ip_local_port_range"] = file("32768 42767\n") }, raisePorts},
	} {
		t.Run(test.name, func(t *testing.T) {
			machine := quiet()
			test.change(machine)
			got := warnings(machine, 1024, 64, 9)
			switch {
			case test.want == "" && len(got) > 0:
				t.Errorf("warnings %q, want none", got)
			case test.want != "" && (len(got) != 1 || !strings.Contains(got[0], test.want)):
				t.Errorf("warnings %q, want one with %s", got, test.want)
			}
		})
	}
}

func TestWarningOfFewDescriptors(t *testing.T) {
	// 1,000 connections, 10 servers with 4 each, and 32 for the program.
	for limit, want := range map[uint64]bool{1071: true, 1072: false, 0: false} {
		got := warnings(quiet(), limit, 1000, 10)
		if warned := slices.ContainsFunc(got, func(text string) bool { return strings.Contains(text, raiseDescriptors) }); warned != want {
			t.Errorf("limit %d: warnings %q, want one: %v", limit, got, want)
		}
	}
}

func TestMostConnections(t *testing.T) {
	cases := []result.Case{
		{Scenario: "codec", Concurrency: 100},
		{Mode: "unary", Concurrency: 64, Connections: 8},
		{Mode: "unary", Concurrency: 16}, // up to the client
	}
	if got := mostConnections(cases); got != 16 {
		t.Errorf("most connections %d, want 16", got)
	}
}

func TestCPUsAreDivided(t *testing.T) {
	for _, test := range []struct{ cpus, servers, client []int }{
		{[]int{0, 1}, []int{0}, []int{1}},
		{[]int{2, 5, 7}, []int{2}, []int{5, 7}},
		{[]int{0, 1, 2, 3}, []int{0, 1}, []int{2, 3}},
	} {
		servers, client, err := divide(test.cpus)
		if err != nil || !slices.Equal(servers, test.servers) || !slices.Equal(client, test.client) {
			t.Errorf("%v: servers %v, client %v, error %v, want %v and %v", test.cpus, servers, client, err, test.servers, test.client)
		}
	}
	if _, _, err := divide([]int{3}); err == nil || !strings.Contains(err.Error(), "--pin") {
		t.Errorf("one CPU: error %v, want one that says what to do without", err)
	}
}

func TestClockLearns(t *testing.T) {
	c := clock{left: 10 * time.Second}
	if got := c.remaining(); got != 10*time.Second {
		t.Errorf("before the first slice: %v, want as guessed", got)
	}
	c.measured(2*time.Second, 3*time.Second)
	if got := c.remaining(); got != 12*time.Second {
		t.Errorf("after a slice that took half as long again: %v, want 12s for the 8s left", got)
	}
}

func TestFileNamesNeedNoQuotes(t *testing.T) {
	c := result.Case{
		Stack: "connect-go/connect/h2c+json", Replica: plan.Control, Client: "own", Scenario: "unary", Mode: "server_stream",
		Concurrency: 16, Connections: 1, Payload: 1024, Messages: 1,
	}
	want := "connect-go-connect-h2c+json-control-own-unary-server_stream-c16-n1-p1024-k0-m1-r0"
	if diff := cmp.Diff(want, fileName(c)); diff != "" {
		t.Error(diff)
	}
}
