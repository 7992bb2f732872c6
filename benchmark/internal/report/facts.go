package report

import (
	"fmt"
	"strings"

	"example.com/greet/benchmark/internal/result"
)

// fact is one line of the environment.
type fact struct{ Name, Value string }

// reproduce returns the command that measures the same again.
func reproduce(e result.Environment) string {
	command := visible(e.Command)
	if e.Commit == "" || e.Commit == "unknown" || strings.HasSuffix(e.Commit, "-dirty") {
		return command
	}
	return "git checkout " + e.Commit + "\n" + command
}

// facts returns the whole environment.
func facts(r Report) []fact {
	e := r.Environment
	all := []fact{
		{"Measured", r.Started.Format("2006-01-02 15:04 MST")},
		{"Run", strings.Join(r.Runs, ", ")},
		{"Commit", e.Commit},
		{"Processor", fmt.Sprintf("%d × %s (%s)", e.CPUs, e.CPU, e.Arch)},
		{"Memory", fmt.Sprintf("%.1f GiB", float64(e.Memory)/(1<<30))},
		{"System", e.OS + " " + e.Kernel},
		{"Go", fmt.Sprintf("%s, GOMAXPROCS %d", strings.TrimSpace(e.Go+" "+e.Build), e.GoMaxProcs)},
		{"Governor", e.Governor},
		{"Virtual machine", yesOrNo(e.Virtual)},
		{"Client and server on cores of their own", yesOrNo(e.Pinned)},
		{"Machine (a hash)", e.Host},
	}
	if by := r.Lines[0].MeasuredBy(); by != "" {
		all = append(all, fact{"Measured by", by})
	}
	if set := e.Assignments(); len(set) > 0 {
		all = append(all, fact{"Variables", strings.Join(set, " ")})
	}
	return all
}

func libraryFacts(r Report) []fact {
	var all []fact
	for _, text := range libraries(r.Summaries) {
		name, modules, _ := strings.Cut(text, ": ")
		all = append(all, fact{name, modules})
	}
	return all
}

func yesOrNo(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}

// machine describes the hardware and the system.
func machine(e result.Environment) string {
	text := fmt.Sprintf("%d × %s (%s), %.1f GiB, %s %s", e.CPUs, plain(e.CPU), plain(e.Arch),
		float64(e.Memory)/(1<<30), plain(e.OS), plain(e.Kernel))
	if e.Governor != "unknown" && e.Governor != "" {
		text += ", governor " + plain(e.Governor)
	}
	return text
}

func goVersion(e result.Environment) string {
	text := plain(e.Go)
	if e.Build != "" {
		text += " " + plain(e.Build)
	}
	if e.GoMaxProcs != e.CPUs {
		text += fmt.Sprintf(" with GOMAXPROCS %d", e.GoMaxProcs)
	}
	if set := e.Assignments(); len(set) > 0 {
		text += ", with " + plain(strings.Join(set, " "))
	}
	return text
}
